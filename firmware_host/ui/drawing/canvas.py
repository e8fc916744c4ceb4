"""Draw lines, discs and text on two kinds of canvas: SVG text, and pixels through Pillow.

Callers draw simple shapes on a `Canvas`, in its own units. Both kinds of canvas show the same picture. Nothing here
depends on the game.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from PIL import Image

if TYPE_CHECKING:
    from PIL import ImageFont

Point = tuple[float, float]
Colour = tuple[int, int, int]

_FINENESS = 3  # supersampling along each side, because Pillow's own edges are jagged
_LIKE = {"–": "-", "—": "-", "−": "-", "×": "x", "ß": "s"}
WIDER = 1.12
"""The factor on the width of Pillow's font for fixed-width texts, to match usual bold fonts."""

_MEASURED = 100  # the size at which texts are measured: precise enough for all others

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours, with `share` (0 to 1) of the second one."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def hex_colour(colour: Colour) -> str:
    """Write a colour as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


class Canvas(Protocol):
    """A surface to draw on. A shape's `name` becomes its id on a canvas that stores names."""

    def line(
        self, points: Sequence[Point], colour: Colour, width: float, *, dash: tuple[float, float] | None = None,
        name: str = "",
    ) -> None:  # fmt: skip
        """Draw a line with round ends through these points. `dash` has the lengths of a dash and of a gap."""

    def disc(
        self, centre: Point, radius: float, fill: Colour, *, edge: Colour | None = None, edge_width: float = 0,
        name: str = "",
    ) -> None:  # fmt: skip
        """Draw a filled circle, perhaps with an edge. The edge is centred on the radius."""

    def arc(self, centre: Point, radius: float, span: tuple[float, float], colour: Colour, width: float) -> None:
        """Draw an arc between two angles in degrees, clockwise, 0 to the right. 360 degrees are a circle."""

    def shape(
        self, points: Sequence[Point], fill: Colour, *, edge: Colour | None = None, edge_width: float = 0,
        name: str = "",
    ) -> None:  # fmt: skip
        """Draw a filled polygon."""

    def glow(self, centre: Point, radius: float, colour: Colour, *, name: str = "") -> None:
        """Draw a light that fades to nothing at the radius."""

    def text(
        self, at: Point, text: str, size: float, colour: Colour, *, anchor: str = "middle", name: str = ""
    ) -> None:
        """Draw a line of text.

        `at` is half-way up the text, and at its "start", "middle" or "end", depending on `anchor`.
        """


class Svg:
    """A canvas that produces SVG text. Shapes of the same style share one CSS class to keep it short.

    Args:
        width: width in drawing units.
        height: height in drawing units.
        back: the background colour.
        millimetres: width and height of the printed picture, if it has a fixed size.
        fixed: whether each text is scaled to `text_width`, even if the viewer has another font.
    """

    def __init__(
        self,
        width: float,
        height: float,
        back: Colour,
        *,
        millimetres: tuple[float, float] | None = None,
        fixed: bool = False,
    ) -> None:
        self._size = (width, height)
        self._shown = (
            (_fmt(width), _fmt(height)) if millimetres is None else tuple(f"{_fmt(mm)}mm" for mm in millimetres)
        )
        self._back = back
        self._fixed = fixed
        self._shapes: list[str] = []
        self._looks: dict[str, str] = {}
        self._glows: dict[Colour, str] = {}

    def _add(self, tag: str, look: str, geometry: str, name: str, content: str | None = None) -> None:
        look_class = self._looks.setdefault(look, f"l{len(self._looks)}")
        title = f' id="{escape(name)}"' if name else ""
        end = "/>" if content is None else f">{content}</{tag}>"
        self._shapes.append(f'<{tag}{title} class="{look_class}" {geometry}{end}')

    def line(
        self, points: Sequence[Point], colour: Colour, width: float, *, dash: tuple[float, float] | None = None,
        name: str = "",
    ) -> None:  # fmt: skip
        """Draw a line as SVG. See `Canvas.line`."""
        stroke = f"stroke:{hex_colour(colour)};stroke-width:{_fmt(width)}"
        look = f"fill:none;{stroke};stroke-linecap:round;stroke-linejoin:round"
        if dash is not None:
            look += f";stroke-dasharray:{_fmt(dash[0])} {_fmt(dash[1])}"
        self._add("polyline", look, f'points="{_points(points)}"', name)

    def disc(
        self, centre: Point, radius: float, fill: Colour, *, edge: Colour | None = None, edge_width: float = 0,
        name: str = "",
    ) -> None:  # fmt: skip
        """Draw a filled circle as SVG. See `Canvas.disc`."""
        self._add("circle", _filled(fill, edge, edge_width), _circle(centre, radius), name)

    def arc(self, centre: Point, radius: float, span: tuple[float, float], colour: Colour, width: float) -> None:
        """Draw an arc as SVG. See `Canvas.arc`."""
        look = f"fill:none;stroke:{hex_colour(colour)};stroke-width:{_fmt(width)}"
        if span[1] - span[0] >= 360:
            self._add("circle", look, _circle(centre, radius), "")
            return
        (x1, y1), (x2, y2) = (_on_circle(centre, radius, angle) for angle in span)
        large = int(span[1] - span[0] > 180)
        path = f"M{_fmt(x1)} {_fmt(y1)}A{_fmt(radius)} {_fmt(radius)} 0 {large} 1 {_fmt(x2)} {_fmt(y2)}"
        self._add("path", look, f'd="{path}"', "")

    def shape(
        self, points: Sequence[Point], fill: Colour, *, edge: Colour | None = None, edge_width: float = 0,
        name: str = "",
    ) -> None:  # fmt: skip
        """Draw a filled polygon as SVG. See `Canvas.shape`."""
        self._add("polygon", _filled(fill, edge, edge_width), f'points="{_points(points)}"', name)

    def glow(self, centre: Point, radius: float, colour: Colour, *, name: str = "") -> None:
        """Draw a fading light as SVG. See `Canvas.glow`."""
        light = self._glows.setdefault(colour, f"g{len(self._glows)}")
        self._add("circle", f"fill:url(#{light})", _circle(centre, radius), name)

    def text(
        self, at: Point, text: str, size: float, colour: Colour, *, anchor: str = "middle", name: str = ""
    ) -> None:
        """Draw a line of text as SVG. See `Canvas.text`."""
        look = f"font-size:{_fmt(size)}px;fill:{hex_colour(colour)};text-anchor:{anchor}"
        place = f'x="{_fmt(at[0])}" y="{_fmt(at[1] + _baseline_drop(size))}"'
        if self._fixed and text:
            place += f' textLength="{_fmt(text_width(text, size))}" lengthAdjust="spacingAndGlyphs"'
        self._add("text", look, place, name, escape(_NO_XML.sub("\ufffd", text), quote=False))

    def finish(self) -> str:
        """Return the SVG document."""
        (width, height), shown = map(_fmt, self._size), self._shown
        looks = "".join(f".{name}{{{look}}}" for look, name in self._looks.items())
        stops = ((0, 0.85), (0.35, 0.43), (0.7, 0.12), (1, 0))
        glows = "".join(
            f'<radialGradient id="{name}">'
            + "".join(
                f'<stop offset="{at}" stop-color="{hex_colour(c)}" stop-opacity="{light}"/>' for at, light in stops
            )
            + "</radialGradient>"
            for c, name in self._glows.items()
        )
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{shown[0]}" height="{shown[1]}" '
            'font-family="Inter, Helvetica, Arial, sans-serif" font-weight="600">'
        )
        back = f'<rect width="{width}" height="{height}" fill="{hex_colour(self._back)}"/>'
        return "\n".join([head, f"<style>{looks}</style><defs>{glows}</defs>", back, *self._shapes, "</svg>", ""])


class Pixels:
    """A canvas that produces an image of a given width in pixels."""

    def __init__(self, width: float, height: float, back: Colour, pixels: int) -> None:
        from PIL import ImageDraw  # noqa: PLC0415 - saves a table that draws nothing 2 MB

        self._pixels = (pixels, round(pixels * height / width))
        self._scale = pixels * _FINENESS / width
        self._image = Image.new("RGB", (self._pixels[0] * _FINENESS, self._pixels[1] * _FINENESS), back)
        self._draw = ImageDraw.Draw(self._image)

    def _at(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]

    def _round(self, centre: Point, radius: float, fill: Colour | None, edge: Colour | None, edge_width: float) -> None:
        (x, y), r = self._at([centre])[0], radius * self._scale
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill, edge, max(1, round(edge_width * self._scale)))

    def line(
        self, points: Sequence[Point], colour: Colour, width: float, *, dash: tuple[float, float] | None = None,
        name: str = "",  # noqa: ARG002  pixels have no names
    ) -> None:  # fmt: skip
        """Draw a line into the image. See `Canvas.line`."""
        for part in [points] if dash is None else dashes(points, dash):
            self._draw.line(self._at(part), colour, max(1, round(width * self._scale)), joint="curve")
            for end in (part[0], part[-1]):
                self._round(end, width / 2, colour, None, 0)

    def disc(
        self, centre: Point, radius: float, fill: Colour, *, edge: Colour | None = None, edge_width: float = 0,
        name: str = "",  # noqa: ARG002
    ) -> None:  # fmt: skip
        """Draw a filled circle into the image. See `Canvas.disc`."""
        outside = radius + (edge_width / 2 if edge is not None else 0)
        self._round(centre, outside, fill, edge, edge_width)

    def arc(self, centre: Point, radius: float, span: tuple[float, float], colour: Colour, width: float) -> None:
        """Draw an arc into the image. See `Canvas.arc`."""
        (x, y), r = self._at([centre])[0], (radius + width / 2) * self._scale
        self._draw.arc((x - r, y - r, x + r, y + r), *span, colour, max(1, round(width * self._scale)))

    def shape(
        self, points: Sequence[Point], fill: Colour, *, edge: Colour | None = None, edge_width: float = 0,
        name: str = "",  # noqa: ARG002
    ) -> None:  # fmt: skip
        """Draw a filled polygon into the image. See `Canvas.shape`."""
        self._draw.polygon(self._at(points), fill)
        if edge is not None:
            self.line([*points, points[0]], edge, edge_width)

    def glow(self, centre: Point, radius: float, colour: Colour, *, name: str = "") -> None:  # noqa: ARG002
        """Draw a fading light into the image. See `Canvas.glow`."""
        (x, y), size = self._at([centre])[0], round(2 * radius * self._scale)
        self._image.paste(colour, (round(x - size / 2), round(y - size / 2)), _halo(size))

    def text(
        self, at: Point, text: str, size: float, colour: Colour, *, anchor: str = "middle",
        name: str = "",  # noqa: ARG002
    ) -> None:  # fmt: skip
        """Draw a line of text into the image. See `Canvas.text`."""
        (place,) = self._at([(at[0], at[1] + _baseline_drop(size))])
        height = size * self._scale
        self._draw.text(
            place, drawable_text(text), colour, _font(round(height)),
            {"start": "ls", "middle": "ms", "end": "rs"}[anchor],
            stroke_width=height * 0.025,  # the font has one weight, too thin for small numbers
        )  # fmt: skip

    def finish(self) -> Image.Image:
        """Return the image."""
        return self._image.reduce(_FINENESS)


def dashes(points: Sequence[Point], dash: tuple[float, float]) -> list[list[Point]]:
    """Return each dash of a dashed line through these points, as a list of points."""
    parts: list[list[Point]] = [[points[0]]]
    drawing, left = True, dash[0]
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1)
        done = 0.0
        while length - done > left:
            done += left
            at = (x1 + (x2 - x1) * done / length, y1 + (y2 - y1) * done / length)
            if drawing:
                parts[-1].append(at)
            else:
                parts.append([at])
            drawing, left = not drawing, dash[1] if drawing else dash[0]
        left -= length - done
        if drawing:
            parts[-1].append((x2, y2))
    return parts


@cache
def _halo(size: int) -> Image.Image:
    """Return how strong a glow is at each pixel of a square, fading like SVG's gradient."""

    def strength(distance: int) -> int:
        share: float = max(0.0, 1 - distance / 128)
        return round(217 * math.pow(share, 1.6))

    # Pillow's gradient reaches 255 in the corners; a circle within the square ends at 180 (255 / sqrt 2).
    gradient = Image.radial_gradient("L").point([strength(round(d * 128 / 180)) for d in range(256)])
    return gradient.resize((size, size), Image.Resampling.BICUBIC)


def text_width(text: str, size: float) -> float:
    """Return the width to which an `Svg` that is `fixed` scales a text, in the units of `size`."""
    return WIDER * _font(_MEASURED).getlength(drawable_text(text)) * size / _MEASURED


def drawable_text(text: str) -> str:
    """Replace letters that the pixel font lacks: "-" for a dash, "u" for "ü", "?" for all others."""
    return "".join(_nearest_letters(letter) for letter in text)


@cache
def _nearest_letters(letter: str) -> str:
    likes = (letter, _LIKE.get(letter, ""), unicodedata.normalize("NFKD", letter)[0])
    return next((like for like in likes if like and _has_letter(like)), "?")


def _has_letter(letter: str) -> bool:
    """Return whether the font has a letter. The font draws the same box for every letter that it lacks."""
    box, drawn = (bytes(_font(32).getmask(one)) for one in ("\uffff", letter))
    return drawn != box


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont  # noqa: PLC0415 - as above

    return ImageFont.load_default(size)


def _baseline_drop(size: float) -> float:
    """Return how far the baseline is below the middle of a digit."""
    return size * 0.355


def _fmt(value: float) -> str:
    """Return a number as a short text, rounded to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_fmt(x)},{_fmt(y)}" for x, y in points)


def _filled(fill: Colour, edge: Colour | None, edge_width: float) -> str:
    outline = (
        "" if edge is None else f";stroke:{hex_colour(edge)};stroke-width:{_fmt(edge_width)};stroke-linejoin:round"
    )
    return f"fill:{hex_colour(fill)}{outline}"


def _circle(centre: Point, radius: float) -> str:
    return f'cx="{_fmt(centre[0])}" cy="{_fmt(centre[1])}" r="{_fmt(radius)}"'


def _on_circle(centre: Point, radius: float, degrees: float) -> Point:
    return (
        centre[0] + radius * math.cos(math.radians(degrees)),
        centre[1] + radius * math.sin(math.radians(degrees)),
    )
