"""Draw tiles under their places, and the arrows of their one-way streets (DI-01, DI-06)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from firmware_host.rules.dice.tiles import TRAY, Tiling
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point, mix
from firmware_host.ui.drawing.line_routing import Track
from firmware_host.ui.drawing.style import NIGHT, PAINT, PALE, box, draw_head

_DARK_SIDE: Colour = (25, 32, 46)
_LIGHT_SIDE: Colour = (46, 56, 76)
_GAP = 5.0  # between one tile and the next


def tray_share(tiles: Tiling) -> float:
    """Return the share of the tray's height that the tiles take."""
    return len(tiles.rows) / TRAY


def draw_tiles(canvas: Canvas, tiles: Tiling, places: Mapping[int, Point]) -> None:
    """Draw each tile with its letter in the middle: a small one, and brighter ground, on its light side."""
    for i, row in enumerate(tiles.layout.split()):
        for j, letter in enumerate(row):
            (left, top), (right, low) = places[tiles.rows[2 * i][2 * j]], places[tiles.rows[2 * i + 1][2 * j + 1]]
            half = (right - left) / 2
            ground = _DARK_SIDE if letter.isupper() else _LIGHT_SIDE
            frame = box(left - half + _GAP, top - half + _GAP, 4 * half - 2 * _GAP, 4 * half - 2 * _GAP)
            canvas.shape(frame, ground, edge=mix(ground, PALE, 0.12), edge_width=3, name=f"tile-{letter.upper()}")
            middle = ((left + right) / 2, (top + low) / 2)
            canvas.text(middle, letter, 92, mix(ground, PALE, 0.13), name=f"letter-{letter.upper()}")


def draw_one_ways(canvas: Canvas, tiles: Tiling, tracks: Sequence[Track], fade: float) -> None:
    """Draw an arrow on each stretch of a one-way ride."""
    for track in tracks:
        link = track.link
        forth = (link.a, link.b, link.transport) not in tiles.barred
        back = (link.b, link.a, link.transport) not in tiles.barred
        if forth != back:
            paint = mix(PAINT[link.transport], NIGHT, fade)
            for at, angle in _stretch_middles(track.points, 1 + len(link.via)):
                draw_head(canvas, at, angle if forth else angle + math.pi, paint)


def _stretch_middles(line: Sequence[Point], stretches: int) -> list[tuple[Point, float]]:
    """Return the middle of each of a line's equal stretches, with its direction there in radians."""
    legs = [(a, b, math.dist(a, b)) for a, b in pairwise(line) if a != b]
    whole = sum(length for _, _, length in legs)
    found = []
    for n in range(stretches):
        rest = whole * (n + 0.5) / stretches
        for (x1, y1), (x2, y2), length in legs:
            if rest <= length:
                at = (x1 + (x2 - x1) * rest / length, y1 + (y2 - y1) * rest / length)
                found.append((at, math.atan2(y2 - y1, x2 - x1)))
                break
            rest -= length
    return found
