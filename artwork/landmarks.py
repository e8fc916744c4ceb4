"""Draw landmarks in one flat style: light from the left, shade on the right, thin outlines.

Each stands with the middle of its foot at (0, 0); y runs downwards, so that its top has the least y.
"""

from __future__ import annotations

import math

from artwork.flat_shapes import Landmark, box, disc, flag, grid, path, uprights


def clock_tower() -> Landmark:
    """Draw the tower with the clock, and a wing of the parliament beside it."""
    pinnacles = "".join(path("slate", f"M{x - 1.4:g}-21l1.4-5 1.4 5Z") for x in (14, 20, 26, 32, 38))
    wing = box("stone", 10, -21, 31, 21) + grid("dark", (14, 20, 26, 32, 38), (-18, -9), 2.2, 6) + pinnacles
    tower = box("stone", -8, -60, 16, 60) + box("stones", 3, -60, 5, 60) + uprights((-5, -2, 1), -57, -2)
    stage = box("stone", -10, -74, 20, 15) + box("stones", 5, -74, 5, 15) + disc("pale", -0.5, -66.5, 5.6)
    hands = path("hand", "M-.5-66.5V-70.5M-.5-66.5 2-65")
    roof = path("slate", "M-10-74-5.5-82H5.5L10-74Z") + box("gilt", -4.5, -86, 9, 4)
    spire = path("slate", "M-5-86 0-98 5-86Z") + path("ink", "M0-98v-4")
    return Landmark("clock tower", ((-10, -103, 10, 2), (10, -27, 42, 2)), wing + tower + stage + hands + roof + spire)


def wheel() -> Landmark:
    """Draw the great wheel by the water."""
    turns = [2 * math.pi * n / 20 for n in range(20)]
    spokes = "".join(f"M0-37L{27 * math.cos(a):.1f} {27 * math.sin(a) - 37:.1f}" for a in turns[::2])
    cabins = "".join(disc("glass", round(30.5 * math.cos(a), 1), round(30.5 * math.sin(a) - 37, 1), 2.3) for a in turns)
    legs = path("leg", "M0-37-17 0M0-37 17 0")
    rims = '<circle class="wheel" cy="-37" r="28"/><circle class="ink" cy="-37" r="25"/>'
    foot = box("stone", -22, -3, 44, 3)
    return Landmark(
        "wheel", ((-33, -70, 33, 2),), legs + path("ink", spokes) + rims + cabins + foot + disc("pale", 0, -37, 3.2)
    )


def cathedral() -> Landmark:
    """Draw the church with the great dome."""
    nave = box("stone", -30, -22, 60, 22) + box("stones", 14, -22, 16, 22)
    porch = (
        path("stone", "M-13-22 0-30 13-22Z")
        + uprights((-10, -6, -2, 2, 6, 10), -21, -3)
        + box("stones", -14, -3, 28, 3)
    )
    windows = grid("dark", (-25, -19, 19, 25), (-16,), 2.6, 8)
    towers = "".join(
        box("stone", x - 5, -36, 10, 36)
        + path("slate", f"M{x - 5:g}-36q0-5 5-9 5 4 5 9Z")
        + box("dark", x - 1.2, -33, 2.4, 7)
        for x in (-23, 23)
    )
    drum = box("stone", -13, -42, 26, 13) + box("stones", 6, -42, 7, 13) + uprights((-9, -5, -1, 3), -41, -30)
    dome = path("slate", "M-15-42C-15-58-7-63 0-63S15-58 15-42Z") + path(
        "slates", "M5-62C11-60 15-54 15-42H8C9-52 8-58 5-62Z"
    )
    ribs = path("ink", "M-9-42C-9-54-4-61 0-63C3-61 4-54 4-42")
    lantern = box("stone", -3, -69, 6, 6) + path("gilt", "M-3-69Q0-74 3-69Z") + path("ink", "M0-72v-6M-2-76h4")
    return Landmark(
        "cathedral",
        ((-30, -24, 30, 2), (-28, -46, 28, 0), (-15, -60, 15, 0), (-4, -78, 4, 0)),
        nave + towers + drum + dome + ribs + lantern + windows + porch,
    )


def column() -> Landmark:
    """Draw the admiral's column."""
    foot = box("stones", -11, -4, 22, 4) + box("stone", -7, -13, 14, 9)
    shaft = box("stone", -3.2, -50, 6.4, 37) + box("stones", 1, -50, 2.2, 37)
    man = (
        path("slate", "M-2-54 -1.5-61Q0-63 1.5-61L2-54Z")
        + disc("slate", 0, -63.5, 1.7)
        + path("slate", "M-3-64.5h6l-3-2Z")
    )
    lions = path("slate", "M-16 0v-4q1-4 4-3l2 3v4ZM16 0v-4q-1-4-4-3l-2 3v4Z")
    return Landmark(
        "column", ((-16, -8, 16, 2), (-6, -68, 6, 0)), foot + shaft + box("stone", -5, -54, 10, 4) + man + lions
    )


def palace() -> Landmark:
    """Draw the palace."""
    body = box("stone", -42, -24, 84, 24) + grid(
        "dark", [x for x in range(-38, 40, 6) if abs(x) > 8], (-20, -11), 2.4, 5.5
    )
    ends = (
        box("stone", -42, -27, 12, 27)
        + box("stone", 30, -27, 12, 27)
        + grid("dark", (-39, -33, 33, 39), (-22, -12), 2.4, 6)
    )
    front = box("stone", -10, -27, 20, 27) + path("stone", "M-11-27 0-34 11-27Z") + uprights((-7, -3, 3, 7), -26, -10)
    arch = path("dark", "M-3 0v-6q3-4 6 0v6Z") + box("stones", -42, -9.5, 84, 1.4)
    return Landmark("palace", ((-42, -28, 42, 2), (-11, -45, 11, 0)), body + ends + front + arch + flag(0, -34))


def station_halls() -> Landmark:
    """Draw two halls of glass with a clock tower between them."""

    def hall(x: float) -> str:
        arch = path("brick", f"M{x - 19:g} 0v-15q0-18 19-18t19 18v15Z")
        glass = path("glass", f"M{x - 15:g} 0v-14q0-15 15-15t15 15v14Z")
        bars = "".join(f"M{x + dx:g} 0V{-15 - math.sqrt(225 - dx * dx) * 0.93:.1f}" for dx in (-10, -5, 0, 5, 10))
        return arch + glass + path("ink", bars + f"M{x - 15:g}-12h30")

    tower = (
        box("brick", -6, -46, 12, 46)
        + box("bricks", 2, -46, 4, 46)
        + disc("pale", 0, -39, 4.2)
        + path("hand", "M0-39v-3M0-39h2")
    )
    roof = path("slate", "M-7-46 0-60 7-46Z") + path("ink", "M0-60v-5") + grid("dark", (-2, 2), (-30, -20), 1.8, 6)
    return Landmark("station halls", ((-40, -34, 40, 2), (-7, -66, 7, 0)), hall(-20) + hall(20) + tower + roof)


def zoo() -> Landmark:
    """Draw a giraffe and an elephant."""
    body = path("slate", "M-32 0v-13q0-11 12-11 4-5 10-3 6 2 6 9 1 8 4 11l-2.5 2q-5-4-6-9-1 2-4 3v11h-5v-8h-9v8Z")
    ear = path("slates", "M-17-23q7-2 8 5-4 5-9 2Z") + disc("hand", -6.5, -19, 0.8)
    tusk = path("pale", "M-5.5-13q3 1 5-1-1 4-5 3Z")
    giraffe = path(
        "gilt", "M6 0 8-18Q9-23 13-24L19-45Q19-49 23-49L30-46 29.5-43 24-42 21-23Q23-20 22-15L21 0H18L17.5-13H11.5L9 0Z"
    )
    patches = path("bricks", "M11-20h3v3h-3ZM16-22h3v3h-3ZM13-15h4v2h-4ZM17-30l3 .5-.5 3-3-.5ZM19-38l3 .5-.5 3-3-.5Z")
    horns = path("ink", "M22-49v-3.5M24.5-48.5v-3.5") + disc("hand", 25, -46, 0.8)
    return Landmark("zoo", ((-33, -27, 8, 2), (6, -54, 31, 2)), body + ear + tusk + giraffe + patches + horns)


def keep() -> Landmark:
    """Draw the tower's keep with its four turrets, behind a wall."""
    body = box("stone", -20, -32, 40, 32) + box("stones", 8, -32, 12, 32)
    battlements = path("stone", "M-20-32v-4h4v4h4v-4h4v4h4v-4h4v4h4v-4h4v4h4v-4h4v4h4v-4h4v4Z")
    windows = grid("dark", (-12, -4, 4, 12), (-27, -16), 2.4, 6)
    turrets = "".join(
        box("stone", x - 4, -42, 8, 42)
        + path("copper", f"M{x - 4.5:g}-42q0-5 4.5-9 4.5 4 4.5 9Z")
        + path("ink", f"M{x:g}-51v-4")
        for x in (-22, 22)
    )
    wall = path("stones", "M-34 0v-11h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v3h4v-3h4v11Z")
    return Landmark(
        "keep", ((-34, -11, 34, 2), (-27, -56, 27, 0)), battlements + body + turrets + windows + flag(0, -35) + wall
    )


def gallery() -> Landmark:
    """Draw the gallery in the old power station."""
    body = box("brick", -34, -22, 68, 22) + box("bricks", 18, -22, 16, 22) + box("glass", -34, -27, 68, 5)
    windows = grid("dark", (-28, -22, -16, 16, 22, 28), (-18,), 2.6, 14)
    chimney = path("brick", "M-6 0-5-62H5L6 0Z") + path("bricks", "M1-62H5L6 0H1.5Z") + box("pale", -5, -62, 10, 3)
    return Landmark(
        "gallery", ((-34, -27, 34, 2), (-6, -63, 6, 0)), body + windows + chimney + grid("dark", (0,), (-54,), 2, 26)
    )


def pagoda() -> Landmark:
    """Draw the pagoda in the gardens."""
    tiers = []
    for n in range(7):
        half, top = 11 - n * 1.25, -(n + 1) * 9.4
        tiers.append(
            box("brick", -half, top + 2, 2 * half, 7.4)
            + box("bricks", half * 0.4, top + 2, half * 0.6, 7.4)
            + grid("pale", (-half / 2, half / 4), (top + 4,), 2, 4)
            + path(
                "copper",
                f"M{-half - 4:g} {top + 2.5:g}L{-half + 1:g} {top - 1:g}H{half - 1:g}L{half + 4:g} {top + 2.5:g}Z",
            )
        )
    return Landmark(
        "pagoda", ((-15, -40, 15, 2), (-10, -78, 10, 0)), "".join(tiers) + path("gilt", "M-2-66.5 0-78 2-66.5Z")
    )


def observatory() -> Landmark:
    """Draw the observatory with its dome, and the ball that falls at one o'clock."""
    house = (
        box("brick", -24, -20, 48, 20) + box("bricks", 10, -20, 14, 20) + grid("pale", (-18, -10, 10, 18), (-15,), 4, 8)
    )
    drum = box("stone", -13, -27, 26, 27) + box("stones", 5, -27, 8, 27) + path("dark", "M-3 0v-9q3-4 6 0v9Z")
    dome = path("copper", "M-14-27C-18-37-8-46 0-46S18-37 14-27Z") + path(
        "dark", "M1-46 8-44Q12-37 8-29L4-29Q7-38 1-46Z"
    )
    ball = path("ink", "M-19-20v-24") + disc("redm", -19, -36, 3.6) + path("ink", "M-21.5-43h5")
    return Landmark("observatory", ((-24, -45, 18, 2), (-24, -20, 24, 2)), house + ball + drum + dome)


def concert_hall() -> Landmark:
    """Draw the round hall by the park."""
    drum = path("brick", "M-28 0v-16q28-7 56 0V0Z") + path("bricks", "M12 0v-18.5q9 .9 16 2.5V0Z")
    arches = path("dark", "".join(f"M{x - 2:g}-2v-6q2-3 4 0v6Z" for x in range(-24, 26, 8)))
    dome = path("glass", "M-23-18Q-16-31 0-31T23-18Q0-23-23-18Z") + path("ink", "M-8-29.5-11-20M8-29.5 11-20M0-31v10")
    return Landmark(
        "concert hall", ((-29, -32, 29, 2),), drum + arches + dome + path("stone", "M-28-12q28-6 56 0v-4q-28-7-56 0Z")
    )


def museum() -> Landmark:
    """Draw the museum with its columns."""
    wings = (
        box("stone", -32, -19, 64, 19) + box("stones", -32, -3, 64, 3) + uprights((-29, -25, -21, 21, 25, 29), -18, -3)
    )
    porch = box("stone", -16, -22, 32, 19) + uprights((-13, -9, -5, -1, 3, 7, 11), -21, -4)
    return Landmark(
        "museum",
        ((-33, -31, 33, 2),),
        wings + porch + path("stone", "M-18-22 0-31 18-22Z") + path("stones", "M-10-23.5 0-28.5 10-23.5Z"),
    )


def shard() -> Landmark:
    """Draw the tall spire of glass."""
    body = path("glass", "M-11 0-2-92 0-96 1-90 10 0Z") + path("slate", "M1-90 10 0H2L0-84Z")
    floors = "".join(f"M{-11 + y / 10.4:.1f} {-y:g}H{10 - y / 10.2:.1f}" for y in range(8, 84, 8))
    return Landmark("shard", ((-11, -45, 11, 2), (-6, -96, 6, 0)), body + path("ink", floors))


def gherkin() -> Landmark:
    """Draw the round tower of glass."""
    body = path("glass", "M-9 0C-15-22-10-46 0-56 10-46 15-22 9 0Z") + path(
        "slate", "M3-53C11-44 14-20 9 0H4C8-20 8-40 3-53Z"
    )
    weave = "M-11-10 10-26M-12-22 8-40M-10-36 4-49M11-10-10-26M12-22-8-40M10-36-4-49"
    return Landmark("gherkin", ((-12, -56, 12, 2),), body + path("ink", weave))


def bridge_tower() -> Landmark:
    """Draw one of the two towers of the bridge."""
    body = box("stone", -10, -38, 20, 38) + box("stones", 4, -38, 6, 38) + path("dark", "M-5.5 0v-12q5.5-6 11 0V0Z")
    windows = grid("dark", (-4, 4), (-33, -23), 2.2, 6)
    roof = path("slate", "M-9-38 0-55 9-38Z") + path("ink", "M0-55v-5")
    corners = "".join(
        box("stone", x - 2.2, -42, 4.4, 42) + path("slate", f"M{x - 2.6:g}-42l2.6-8 2.6 8Z") for x in (-9.5, 9.5)
    )
    return Landmark("bridge tower", ((-13, -60, 13, 2),), body + roof + windows + corners)
