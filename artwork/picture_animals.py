"""Draw animals for the picture map: round, friendly, in few colours. Each has its foot at (0, 0)."""

from __future__ import annotations

from artwork.flat_shapes import Landmark, disc, oval, path


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
