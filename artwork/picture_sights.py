"""Draw animals and sights for the picture map. Each has its foot at (0, 0)."""

from __future__ import annotations

import math

from artwork.flat_shapes import Landmark, box, disc, oval, path


def _eye(x: float, y: float, size: float = 3.2) -> str:
    return disc("black", x, y, size) + disc("white bare", x - size * 0.3, y - size * 0.4, size * 0.35)


def giraffe() -> Landmark:
    """Draw a giraffe."""
    tail = path("line-brown", "M-27-52Q-38-46-36-30") + disc("brown", -36, -28, 4)
    far = path("orange", "M-14-42h8V0h-8ZM12-42h8V0h-8Z")
    legs = path("yellow", "M-24-44h9V0h-9ZM20-46h9V0h-9Z") + path("brown", "M-24-6h9v6h-9ZM20-6h9v6h-9Z")
    body = path("yellow", "M-30-50Q-30-66-8-66H10L22-112Q25-120 34-117L30-50Q28-34 10-34H-14Q-30-34-30-50Z")
    spots = (
        disc("orange bare", -16, -52, 6.5) + disc("orange bare", 2, -46, 6) + disc("orange bare", 16, -56, 6.5)
        + disc("orange bare", 21, -76, 5) + disc("orange bare", 26, -92, 4.2) + disc("orange bare", 1, -60, 3.6)
    )  # fmt: skip
    horns = path("line-brown", "M24-122 21-133M34-123 36-134") + disc("brown", 21, -134, 3) + disc("brown", 36, -135, 3)
    ear = path("orange", "M18-117Q6-122 8-112 12-107 19-110Z")
    head = path("yellow", "M17-114Q18-126 32-125 44-124 56-110 62-100 52-97 38-96 26-100 17-104 17-114Z")
    face = path("orange bare", "M48-112Q62-106 56-98 48-95 42-99Z") + _eye(33, -114) + path("smile", "M42-102q6 3 11 0")
    return Landmark("giraffe", ((-40, -70, 32, 2), (8, -137, 60, -60)), tail + far + body + legs + spots + horns + ear + head + face)  # fmt: skip


def duck() -> Landmark:
    """Draw a duck on the water."""
    water = path("wave", "M-50-3q8-6 16 0t16 0 16 0 16 0 16 0 16 0")
    tail = path("yellow", "M-34-26Q-46-34-50-44-40-42-24-38Z")
    body = path("yellow", "M-40-26Q-20-40 0-36 14-34 34-32 42-14 26-6H-20Q-40-8-40-26Z")
    head = disc("yellow", 20, -54, 21) + path("yellow bare", "M2-46Q2-36-6-32L34-28Q40-40 38-46Z")
    wing = path("orange", "M-26-28Q-10-34 6-26-2-12-16-14-24-18-26-28Z")
    beak = path("orange", "M38-58Q56-60 58-52 52-46 38-48Z")
    return Landmark(
        "duck", ((-51, -46, 42, 3), (-2, -77, 59, -40)), tail + body + head + wing + beak + _eye(27, -60) + water
    )


def frog() -> Landmark:
    """Draw a frog on the leaf of a water lily."""
    leaf = oval("leaf", 0, -4, 48, 11) + path("leaf-cut", "M0-4 40-12 47 1Z")
    legs = path("green", "M-34-8Q-46-28-24-38L-10-14ZM34-8Q46-28 24-38L10-14Z")
    body = path("green", "M-26-8Q-32-46 0-48 32-46 26-8Z") + oval("lime", 0, -20, 15, 13)
    head = path("green", "M-32-52Q-30-30 0-30 30-30 32-52 26-66 0-66-26-66-32-52Z")
    eyes = (
        disc("green", -18, -67, 12)
        + disc("green", 18, -67, 12)
        + disc("white", -18, -68, 7.5)
        + disc("white", 18, -68, 7.5)
    )
    looks = _eye(-16, -68, 4) + _eye(16, -68, 4) + path("smile", "M-20-46Q0-34 20-46")
    cheeks = disc("pink bare", -23, -48, 4) + disc("pink bare", 23, -48, 4)
    feet = path("green", "M-30-8q8-10 16 0ZM14-8q8-10 16 0Z")
    return Landmark("frog", ((-48, -80, 48, 8),), leaf + legs + body + head + eyes + looks + cheeks + feet)


def dinosaur() -> Landmark:
    """Draw a dinosaur with a long neck."""
    tail = path("green", "M-20-46Q-52-44-66-14-44-26-24-18Z")
    far = path("leaf", "M-18-24h12V0h-12ZM14-24h12V0H14Z")
    neck = path("green", "M18-30Q30-60 28-84 30-104 48-102L50-78Q50-50 34-24Z")
    body = path("green", "M-34-26Q-34-60 2-60 38-58 36-26 34-16 0-16-32-16-34-26Z")
    legs = path("green", "M-30-28h14V0h-14ZM20-30h14V0H20Z") + path("lime", "M-30-4h14v4h-14ZM20-4h14v4H20Z")
    head = path("green", "M30-96Q32-112 50-112 70-110 72-98 70-88 52-88 34-86 30-96Z")
    plates = path("orange", "M-30-52l4-12 10 6ZM-14-60l7-12 9 11ZM6-60l11-9 5 14Z")
    spots = disc("lime bare", -14, -42, 5) + disc("lime bare", 4, -48, 4) + disc("lime bare", 16, -38, 5)
    face = _eye(50, -102, 3.6) + path("smile", "M58-94q6 1 10-3") + disc("pink bare", 56, -95, 2.6)
    return Landmark(
        "dinosaur",
        ((-67, -50, 38, 2), (24, -113, 72, -40)),
        plates + tail + far + neck + body + legs + head + spots + face,
    )


def sheep() -> str:
    """Draw a sheep on a meadow."""
    wool = "".join(disc("white", x, y, 6.5) for x, y in ((-7, -11), (0, -15), (8, -12), (-1, -8), (9, -8), (-8, -7)))
    return (
        path("line-black", "M-5-4V1M6-4V1")
        + wool
        + oval("black", -14, -13, 4.5, 5.5)
        + disc("white bare", -15.5, -14, 1.2)
    )


def _flag(x: float, y: float, kind: str) -> str:
    return path("line-black", f"M{x:g} {y:g}v-18") + path(kind, f"M{x:g} {y - 18:g}l16 5-16 5Z")


def balloon() -> Landmark:
    """Draw a balloon with a basket."""
    hull = path("red", "M0-132C42-132 52-92 36-68 26-54 14-46 11-40H-11C-14-46-26-54-36-68-52-92-42-132 0-132Z")
    side = path(
        "blue",
        "M-22-125C-36-100-28-66-11-40H-4C-14-66-18-104 0-132-8-132-16-130-22-125ZM22-125C36-100 28-66 11-40H4C14-66 18-104 0-132 8-132 16-130 22-125Z",
    )
    middle = path("yellow", "M0-132C18-104 14-66 4-40H-4C-14-66-18-104 0-132Z")
    ropes = path("line-brown", "M-10-40-9-20M10-40 9-20M0-40V-20")
    basket = path("brown", "M-12-21H12L9 0H-9Z") + path("weave", "M-11-14H11M-10-7H10")
    return Landmark("balloon", ((-44, -134, 44, -52), (-13, -60, 13, 2)), hull + side + middle + ropes + basket)


def clock_tower() -> Landmark:
    """Draw the tower with the clock."""
    tower = box("cream", -17, -80, 34, 80) + box("shade", 6, -80, 11, 80) + path("weave", "M-9-74V-4M-1-74V-4M7-74V-4")
    stage = box("cream", -21, -116, 42, 37) + box("shade", 9, -116, 12, 37)
    clock = disc("white", 0, -98, 15) + path("line-black", "M0-98V-108M0-98 7-94") + disc("black", 0, -98, 1.6)
    roof = (
        path("blue", "M-23-116-12-130H12L23-116Z")
        + box("yellow", -11, -137, 22, 7)
        + path("blue", "M-12-137 0-162 12-137Z")
    )
    return Landmark(
        "clock tower",
        ((-23, -138, 23, 2), (-12, -163, 12, -100)),
        tower + stage + clock + roof + disc("yellow", 0, -162, 3),
    )


def tent() -> Landmark:
    """Draw the tent of a circus."""
    walls = box("white", -46, -38, 92, 38) + "".join(box("red", x, -38, 12, 38) for x in (-46, -22, 10, 34))
    roof = path("white", "M0-90C14-66 34-50 58-38H-58C-34-50-14-66 0-90Z")
    stripes = path(
        "red",
        "M0-90C-14-66-34-50-58-38H-36C-20-52-8-68 0-90ZM0-90C-4-68-8-52-12-38H12C8-52 4-68 0-90ZM0-90C14-66 34-50 58-38H36C20-52 8-68 0-90Z",
    )
    edge = path(
        "yellow",
        "M-58-38q7 10 14.5 0 7 10 14.5 0 7 10 14.5 0 7 10 14.5 0 7 10 14.5 0 7 10 14.5 0 7 10 14.5 0 7 10 14.5 0Z",
    )
    door = path("violet", "M-12 0Q-10-24 0-32 10-24 12 0Z") + path("black bare", "M-6 0Q-4-16 0-24 4-16 6 0Z")
    return Landmark(
        "circus",
        ((-58, -52, 58, 2), (-26, -92, 26, -40), (-3, -109, 17, -80)),
        walls + door + roof + stripes + edge + _flag(0, -89, "blue"),
    )


def ice_cream() -> Landmark:
    """Draw an ice cream."""
    cone = path("orange", "M-25-62H25L0 0Z") + path("weave", "M-18-58 9-24M-4-58 15-36M-15-36 4-58M-9-24 18-58")
    scoops = disc("pink", -15, -76, 20) + disc("lime", 15, -76, 20) + disc("white", 0, -98, 20)
    drip = path("pink", "M-35-74q0 14 6 14t5-6q2 9 7 9t5-9q3 7 7 6l-2-14Z")
    cherry = path("line-green", "M2-122Q6-134 16-136") + disc("red", 1, -118, 8) + disc("white bare", -1.5, -120.5, 2)
    sugar = path("sugar", "M-10-104l5 3M4-108l5-2M8-96l-5 3M-4-92h5")
    return Landmark(
        "ice cream",
        ((-36, -118, 36, -58), (-20, -62, 20, 0), (-10, -138, 18, -110)),
        cone + scoops + drip + sugar + cherry,
    )


def wheel() -> Landmark:
    """Draw the great wheel."""
    turns = [2 * math.pi * n / 10 for n in range(10)]
    spokes = path("spokes", "".join(f"M0-66L{52 * math.cos(a):.1f} {52 * math.sin(a) - 66:.1f}" for a in turns))
    rim = '<circle class="rim-big" cy="-66" r="52"/><circle class="spokes" cy="-66" r="44"/>'
    kinds = ("red", "yellow", "green", "blue", "violet")
    cabins = "".join(
        disc(kinds[n % 5], round(53 * math.cos(a), 1), round(53 * math.sin(a) - 66, 1), 8.5)
        for n, a in enumerate(turns)
    )
    legs = path("leg-big", "M0-66-30-3M0-66 30-3") + box("brown", -42, -6, 84, 7)
    return Landmark(
        "wheel", ((-62, -128, 62, -4), (-42, -8, 42, 2)), spokes + rim + legs + cabins + disc("yellow", 0, -66, 9)
    )


def castle() -> Landmark:
    """Draw a castle with three towers."""
    teeth = "v-8h8v8h8v-8h8v8h8v-8h8v8h8v-8h8v8"
    wall = path("grey", f"M-36 0v-42{teeth}h16V0Z") + box("shade", 12, -42, 24, 42)
    keep = path("grey", "M-16-42v-44v-8h8v8h8v-8h8v8h8v44Z") + box("shade", 6, -84, 10, 42)
    towers = "".join(
        box("grey", x - 13, -62, 26, 62) + box("shade", x + 4, -62, 9, 62) + path("red", f"M{x - 17}-62 {x}-96 {x + 17}-62Z")
        + box("black", x - 3, -50, 6, 12) for x in (-42, 42)
    )  # fmt: skip
    gate = (
        path("brown", "M-12 0v-18Q-12-31 0-31T12-18V0Z")
        + path("weave", "M-4 0v-29M4 0v-29")
        + box("black", -4, -72, 8, 14)
    )
    return Landmark(
        "castle", ((-60, -98, 60, 2), (-16, -114, 18, -60)), wall + keep + towers + gate + _flag(0, -94, "yellow")
    )


def ship() -> Landmark:
    """Draw a ship under sail."""
    masts = path("line-brown", "M-14-26V-116M22-26V-98")
    sails = path(
        "white", "M-12-112Q22-88-12-62-10-88-12-112ZM-16-106V-60H-44Q-22-78-16-106ZM24-94Q48-76 24-56 26-76 24-94Z"
    )
    sails += path("white", "M-10-58Q18-46-10-32-8-46-10-58ZM24-52Q44-42 24-32 26-42 24-52Z")
    hull = path("brown", "M-52-30H52Q48-4 34 0H-34Q-48-8-52-30Z") + path("yellow bare", "M-50-22H50L49-17H-48Z")
    ports = disc("cream", -22, -10, 4) + disc("cream", 0, -10, 4) + disc("cream", 22, -10, 4)
    waves = path("wave", "M-62 0q8-7 16 0t16 0 16 0 16 0 16 0 16 0 16 0 12 0")
    return Landmark(
        "ship",
        ((-54, -30, 54, 4), (-46, -134, 48, -26)),
        masts + sails + hull + ports + _flag(-14, -115, "red") + waves,
    )


def windmill() -> Landmark:
    """Draw a windmill."""
    body = (
        path("white", "M-26 0-15-76H15L26 0Z")
        + path("shade", "M8-76H15L26 0H14Z")
        + path("red", "M-19-74Q-16-98 0-98T19-74Z")
    )
    door = path("brown", "M-8 0v-18q8-9 16 0V0Z") + box("blue", -5, -54, 10, 14) + path("weave", "M0-54v14M-5-47H5")
    sails = "".join(
        f'<g transform="translate(0 -78)rotate({angle})">{box("cream", 2, -52, 15, 42)}'
        f'{path("weave", "M2-42h15M2-32h15M2-22h15M9.5-52v42")}{path("line-brown", "M0 0V-54")}</g>'
        for angle in (20, 110, 200, 290)
    )  # fmt: skip
    return Landmark(
        "windmill", ((-58, -136, 58, -22), (-26, -40, 26, 2)), body + door + sails + disc("yellow", 0, -78, 6)
    )


def locomotive() -> Landmark:
    """Draw a steam engine."""
    smoke = disc("smoke", 36, -92, 9) + disc("smoke", 22, -104, 12) + disc("smoke", 0, -112, 15)
    boiler = path("green", "M-10-54H44Q54-54 54-38V-20H-10Z") + path("yellow bare", "M10-54h5v34h-5ZM30-54h5v34h-5Z")
    cab = box("red", -50, -72, 42, 52) + box("cream", -42, -64, 24, 20) + box("brown", -55, -79, 52, 8)
    chimney = path("black", "M32-54 30-74H26V-80H48V-74H44L42-54Z") + path("yellow", "M4-54q0-11 8-11t8 11Z")
    frame = box("black", -54, -22, 112, 8) + path("red", "M54-22 70-2H50Z")
    wheels = "".join(disc("red", x, -y, y) + disc("cream", x, -y, y * 0.42) for x, y in ((-34, 16), (2, 16), (34, 11)))
    rod = path("line-black", "M-34-16H34")
    return Landmark(
        "steam engine", ((-56, -80, 70, 2), (-14, -128, 50, -70)), smoke + boiler + cab + chimney + frame + wheels + rod
    )


def lighthouse() -> Landmark:
    """Draw a lighthouse on a rock."""
    beam = path("beam", "M0-112 92-136V-88ZM0-112-92-136V-88Z")
    rock = path("grey", "M-44 0Q-40-16-24-14-14-26 0-18 16-26 26-12 42-14 44 0Z")
    tower = path("white", "M-20-14-13-96H13L20-14Z") + path(
        "red", "M-18.2-34-16.5-54H16.5L18.2-34ZM-14.8-74-13.2-94H13.2L14.8-74Z"
    )
    lamp = box("yellow", -10, -120, 20, 24) + path("weave", "M-3-120v24M3-120v24") + box("black", -18, -98, 36, 5)
    roof = path("red", "M-15-119Q0-140 15-119Z") + disc("yellow", 0, -132, 3.5)
    door = path("brown", "M-5-16v-12q5-6 10 0v12Z") + disc("blue", 0, -64, 4)
    return Landmark("lighthouse", ((-44, -26, 44, 2), (-20, -135, 20, -14)), beam + rock + tower + door + lamp + roof)
