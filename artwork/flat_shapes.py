"""Draw plain shapes of one colour each, the parts of landmarks and pictures.

A drawing has the middle of its foot at (0, 0); y runs downwards, so that its top has the least y. `kind` is the name of
a colour or of a stroke in the style of the document.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Landmark:
    """A recognisable thing.

    Attributes:
        name: its name.
        boxes: left, top, right and bottom of boxes that together contain it, in units.
        drawing: SVG around its foot.
    """

    name: str
    boxes: tuple[Box, ...]
    drawing: str


def path(kind: str, d: str) -> str:
    """Draw a path."""
    return f'<path class="{kind}" d="{d}"/>'


def box(kind: str, left: float, top: float, wide: float, high: float) -> str:
    """Draw a rectangle."""
    return path(kind, f"M{left:g} {top:g}h{wide:g}v{high:g}h{-wide:g}Z")


def disc(kind: str, x: float, y: float, radius: float) -> str:
    """Draw a disc."""
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def oval(kind: str, x: float, y: float, across: float, down: float) -> str:
    """Draw an ellipse. `across` and `down` are half its width and height."""
    return f'<ellipse class="{kind}" cx="{x:g}" cy="{y:g}" rx="{across:g}" ry="{down:g}"/>'


def grid(kind: str, xs: Iterable[float], ys: Iterable[float], wide: float, high: float) -> str:
    """Draw rectangles of one size: their middles lie at `xs`, their tops at `ys`."""
    rows = list(ys)
    return path(kind, "".join(f"M{x - wide / 2:g} {y:g}h{wide:g}v{high:g}h{-wide:g}Z" for x in xs for y in rows))


def uprights(xs: Iterable[float], top: float, low: float) -> str:
    """Draw vertical strokes."""
    return path("ink", "".join(f"M{x:g} {top:g}V{low:g}" for x in xs))


def flag(x: float, y: float, kind: str = "redm") -> str:
    """Draw a flag on a mast at a point."""
    return path("ink", f"M{x:g} {y:g}v-10") + path(kind, f"M{x:g} {y - 10:g}h7l-2 2 2 2h-7Z")
