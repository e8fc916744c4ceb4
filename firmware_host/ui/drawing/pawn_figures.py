"""Draw the pawns of the board's picture: classic detectives, and Mister X with coat and hat. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

from firmware_host.rules.actions import FUGITIVES, MR_X
from firmware_host.ui.drawing.canvas import Canvas, Point, mix
from firmware_host.ui.drawing.style import DARK, OUTLINE, PALE, PAWNS, SEAM

_BODY = ((11, 0), (11, -5), (7, -9), (4, -20))
"""One side of a detective's pawn without its head, in units around its foot."""

_COAT = (
    (0, 1.3), (6, 0.8), (10, -0.6), (9.1, -10), (8, -16.6), (6.6, -19.2), (4.6, -20), (4.2, -23.2), (9, -24.2),
    (9.9, -25.2), (8.7, -26.1), (5.4, -26.5), (5.1, -29.4), (4.4, -31.8), (3, -33.2), (1.6, -33.1), (0, -32.4),
)  # fmt: skip
"""One side of a coat with a hat, as `board/pawns.js` draws it on pages."""

_SEAMS = (((-4.2, -19.6), (0, -11.5), (4.2, -19.6)), ((0, -11.5), (0, 0.8)), ((-5.2, -27.2), (0, -26.6), (5.2, -27.2)))
_GROWN = {MR_X: 1.5}
_LEANS = (0, 9, -9, 18, -18)  # degrees
_HEIGHTS = (6, 17, 28)  # where on its body a pawn may hide something, in units above its foot
_CLEAR = 9.0  # a distance from every plate, in units of its size, that is clear enough


def pawn_size(pawn: str) -> float:
    """Return a pawn's size relative to a detective's."""
    return _GROWN.get(pawn, 1.15 if pawn in FUGITIVES else 1.0)


def draw_pawn(canvas: Canvas, foot: Point, pawn: str, lean: float) -> None:
    """Draw a pawn with its foot on a point; `lean` is its lean to the right, in degrees."""
    size, colour = pawn_size(pawn), PAWNS[pawn]

    raised = (
        foot[0],
        foot[1] - 10 * size * math.sin(math.radians(abs(lean))),
    )  # no corner gets lower

    def turned(points: Sequence[Point]) -> list[Point]:
        return [_turned(raised, (x * size, y * size), lean) for x, y in points]

    if pawn in FUGITIVES:
        coat = turned(_both_sides(_COAT))
        shadow = [(x + 2.4 * size, y + 1.6 * size) for x, y in coat]
        canvas.shape(shadow, DARK, edge=DARK, edge_width=4.4 * size)
        canvas.shape(coat, OUTLINE, edge=OUTLINE, edge_width=4.4 * size)
        canvas.shape(coat, colour, name=f"pawn-{pawn}")
        for seam in _SEAMS:
            canvas.line(turned(seam), SEAM, 0.9 * size)
    else:
        canvas.shape(turned(_both_sides(_BODY)), colour, edge=DARK, edge_width=2)
        head, shine = turned([(0, -25), (-2.5, -27.5)])
        canvas.disc(head, 8, colour, edge=DARK, edge_width=2, name=f"pawn-{pawn}")
        canvas.disc(shine, 2, mix(colour, PALE, 0.6))


def place_pawn(station: int, places: Mapping[int, Point], radius: float, size: float) -> tuple[Point, float]:
    """Return where on its station's plate a pawn hides as few other numbers as possible.

    Args:
        station: the station.
        places: each station's centre, in units.
        radius: radius of a station's plate, in units.
        size: the pawn's size relative to a detective's.

    Returns:
        its foot's place, and its lean to the right in degrees.
    """
    x, y = places[station]
    others = [place for number, place in places.items() if number != station]

    def room(stand: tuple[Point, float]) -> float:
        body = [_turned(stand[0], (0, -up * size), stand[1]) for up in _HEIGHTS]
        near = min((math.dist(other, part) for other in others for part in body), default=math.inf)
        return min(near, radius + _CLEAR * size)

    up = 5 * (size - 1)
    feet = [(x + dx * radius, y - dy * radius - up) for dx, dy in ((0, 0.78), (0.75, 0.6), (-0.75, 0.6))]
    feet += [(x + side * radius * 1.35, y + radius * 0.3) for side in (1, -1)]
    # Straight on top looks best; anything clear of every plate will do.
    return max(product(feet, _LEANS), key=room)


def _both_sides(half: Sequence[Point]) -> list[Point]:
    return [*half, *((-x, y) for x, y in reversed(half))]


def _turned(foot: Point, point: Point, degrees: float) -> Point:
    """Return a point around a foot, turned by degrees to the right."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return foot[0] + point[0] * cos - point[1] * sin, foot[1] + point[0] * sin + point[1] * cos
