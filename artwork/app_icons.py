"""Draw the icons of the installed web app: `python -m artwork.app_icons [FOLDER]`.

They are drawn from `static/icon.svg`, which has one rounded square, one disc and one cross. For icons that a device
crops to its own shape, the square fills the whole picture and the rest stays within the part that is always shown.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

STATIC = Path(__file__).resolve().parents[1] / "firmware_host" / "web" / "static"
ICON = STATIC / "icon.svg"
OUT = STATIC / "icons"
"""The folder named in the manifest."""

ICONS = (("icon-192.png", 192, False), ("icon-512.png", 512, False), ("maskable-512.png", 512, True))
"""Name, pixels on a side, and whether a device may crop it to its own shape."""

SAFE = 0.8
"""The share of a picture that is always shown, as browsers define for "maskable" icons."""

Rgb = tuple[int, int, int]
Distance = Callable[[float, float], float]
"""Returns a point's distance from a shape, in units; negative inside."""

_SVG = "{http://www.w3.org/2000/svg}"


def make(out: Path = OUT, icon: Path = ICON) -> list[Path]:
    """Write all icons to a folder, and return the files.

    Raises:
        ValueError: the drawing has unknown shapes.
    """
    side, forms = _read(icon)
    out.mkdir(parents=True, exist_ok=True)
    files = []
    for name, pixels, cut in ICONS:
        file = out / name
        file.write_bytes(_png(pixels, _draw(pixels, side, forms, SAFE if cut else 1.0)))
        files.append(file)
    return files


def _read(icon: Path) -> tuple[float, list[tuple[Distance, Rgb]]]:
    """Return the side of the drawing in units, and its shapes, the lowest first."""
    root = ET.fromstring(icon.read_text(encoding="utf-8"))  # noqa: S314 - our own file
    forms = {one.tag.removeprefix(_SVG): one.attrib for one in root}
    if list(forms) != ["rect", "circle", "path"] or forms["path"].get("d") != "M11.5 11.5l9 9m0-9l-9 9":
        raise ValueError(f"{icon}: an icon has a rect, a circle and the path M11.5 11.5l9 9m0-9l-9 9, in this order")
    rect, circle, path = forms.values()
    side, round_ = float(rect["width"]), float(rect["rx"])
    if {float(circle["cx"]), float(circle["cy"]), 16.0} != {side / 2}:
        raise ValueError(f"{icon}: an icon has its disc and its cross in the middle, at 16, 16")
    middle, radius, thick = float(circle["cx"]), float(circle["r"]), float(path["stroke-width"]) / 2

    def square(x: float, y: float) -> float:
        across, down = (abs(v - side / 2) - side / 2 + round_ for v in (x, y))
        return math.hypot(max(across, 0), max(down, 0)) + min(max(across, down), 0) - round_

    def disc(x: float, y: float) -> float:
        return math.hypot(x - middle, y - middle) - radius

    def cross(x: float, y: float) -> float:
        along, beside = (abs(x - y) / math.sqrt(2), abs(x + y - 2 * middle) / math.sqrt(2))
        reach = 4.5 * math.sqrt(2)
        arms = (math.hypot(max(one - reach, 0), other) for one, other in ((along, beside), (beside, along)))
        return min(arms) - thick

    return side, [
        (square, _colour(rect["fill"])), (disc, _colour(circle["fill"])), (cross, _colour(path["stroke"]))
    ]  # fmt: skip


def _colour(text: str) -> Rgb:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _draw(pixels: int, side: float, forms: list[tuple[Distance, Rgb]], share: float) -> bytes:
    """Return rows of red, green, blue and alpha, each with the filter's byte before it.

    Only the upper left quarter is computed: the other three mirror it.
    """
    unit = side / pixels / share
    whole = share < 1
    middle, half = side / 2, pixels // 2
    upper = []
    for row in range(half):
        y = middle + (row + 0.5 - half) * unit
        xs = (middle + (column + 0.5 - half) * unit for column in range(half))
        left = [_pixel(x, y, unit, forms, whole=whole) for x in xs]
        upper.append(b"\0" + b"".join([*left, *reversed(left)]))
    return b"".join([*upper, *reversed(upper)])


def _pixel(x: float, y: float, unit: float, forms: list[tuple[Distance, Rgb]], *, whole: bool) -> bytes:
    (ground, colour), *others = forms
    alpha = 1.0 if whole else _cover(ground(x, y), unit)
    red, green, blue = map(float, colour)
    for distance, (r, g, b) in others:
        share = _cover(distance(x, y), unit)
        red, green, blue = red + (r - red) * share, green + (g - green) * share, blue + (b - blue) * share
    return bytes((round(red), round(green), round(blue), round(255 * alpha)))


def _cover(distance: float, unit: float) -> float:
    """Return how much of a pixel is inside a shape whose edge is that far away."""
    return min(1.0, max(0.0, 0.5 - distance / unit))


def _png(pixels: int, rows: bytes) -> bytes:
    """Return a PNG file, after ISO/IEC 15948: 8 bits a channel, with alpha."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", pixels, pixels, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


if __name__ == "__main__":
    for path in make(*map(Path, sys.argv[1:])):
        sys.stdout.write(f"{path}\n")
