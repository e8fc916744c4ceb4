"""Draw the routes of Mister X's pawns as arrows with the numbers of their moves. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.drawing.canvas import Canvas, Point
from firmware_host.ui.drawing.line_routing import bow, loop
from firmware_host.ui.drawing.style import DARK, ROUTES, ink

_SIDES = tuple(math.radians(angle) for angle in (90, 45, 135, 0, 180, -45, -135))  # not on top, where pawns stand
_HEAD = 13.0


@dataclass(frozen=True, slots=True)
class RouteArrow:
    """A step of a pawn of Mister X's from a station to another, or back to the same.

    Attributes:
        pawn: which pawn.
        start: the station where it begins.
        end: the station where it ends.
        numbers: its moves' numbers, from 1.
        shaft: the arrow's line up to its head, in the board's units.
        head: the arrow's tip and its two barbs.
        badge: the centre of the label with the numbers, outside the bow and clear of plates.
    """

    pawn: str
    start: int
    end: int
    numbers: tuple[int, ...]
    shaft: tuple[Point, ...]
    head: tuple[Point, Point, Point]
    badge: Point

    @property
    def text(self) -> str:
        """The text on its badge."""
        return ", ".join(map(str, self.numbers))


def ways(board: BoardMap, routes: Mapping[str, Sequence[int]]) -> list[RouteArrow]:
    """Return the ways of each pawn's route, each once, in the order of first use."""
    numbers: dict[tuple[str, int, int], list[int]] = {}
    for pawn, route in routes.items():
        for number, (start, end) in enumerate(pairwise(route), 1):
            numbers.setdefault((pawn, start, end), []).append(number)
    lanes = {pawn: lane for lane, pawn in enumerate(routes)}
    loops = _Loops(board, {station for route in routes.values() for station in route})
    taken = list(board.places.values())  # plates first, then badges as well
    found = []
    for (pawn, start, end), moves in numbers.items():
        arrow = loops.at(start) if start == end else _arrow(board, start, end, lanes[pawn])
        badge = _place_badge(arrow, _half_length(len(", ".join(map(str, moves)))), taken)
        taken.append(badge)
        found.append(RouteArrow(pawn, start, end, tuple(moves), *_shaft_and_head(arrow), badge))
    return found


def draw_arrow(canvas: Canvas, way: RouteArrow, name: str) -> None:
    """Draw its arrow, with a dark rim."""
    paint = ROUTES[way.pawn]
    canvas.line(way.shaft, DARK, 7)
    canvas.shape(way.head, paint, edge=DARK, edge_width=3)
    canvas.line(way.shaft, paint, 3.2, name=name)
    canvas.shape(way.head, paint)


def draw_badge(canvas: Canvas, way: RouteArrow) -> None:
    """Draw the numbers of its moves."""
    (x, y), half, paint = way.badge, _half_length(len(way.text)), ROUTES[way.pawn]
    label = [(x - half, y), (x + half, y)]
    canvas.line(label, DARK, 23)
    canvas.line(label, paint, 19)
    canvas.text((x, y), way.text, 12.5, ink(paint))


def _half_length(letters: int) -> float:
    """Return half the length of a badge with so many letters, without its round ends."""
    return max(0.0, letters * 3.7 - 8)


def _arrow(board: BoardMap, start: int, end: int, lane: int) -> Sequence[Point]:
    a, b = board.places[start], board.places[end]
    length = math.dist(a, b)
    # The bow is wide enough for the numbers of the way back. The second pawn's lies outside the first's.
    swing = board.style.swing
    bulge = max(13 / length, 0.1 if swing is None else min(0.1, swing / length))
    return bow(a, b, bulge * (1 + 1.2 * lane), board.radius + 3)


class _Loops:
    """Places loops where a pawn stays: on the side of the plate farthest from arrows that leave it."""

    def __init__(self, board: BoardMap, stations: set[int]) -> None:
        self._board, self._stations = board, stations
        self._taken: dict[int, list[float]] = {}

    def at(self, station: int) -> Sequence[Point]:
        """Return a loop at a station, on another side than earlier ones."""
        places = self._board.places
        x, y = places[station]
        ends = (self._stations | set(self._board.network.around(station))) - {station}
        taken = self._taken.setdefault(station, [])
        busy = [*(math.atan2(places[n][1] - y, places[n][0] - x) for n in ends), *taken]

        def room(side: float) -> float:
            return min((abs(math.remainder(side - other, math.tau)) for other in busy), default=math.pi)

        taken.append(max(_SIDES, key=room))
        return loop((x, y), self._board.radius, taken[-1])


def _shaft_and_head(arrow: Sequence[Point]) -> tuple[tuple[Point, ...], tuple[Point, Point, Point]]:
    """Return shaft and head of an arrow."""
    (x1, y1), (x2, y2) = arrow[-2], arrow[-1]
    angle = math.atan2(y2 - y1, x2 - x1)
    one, other = ((x2 + _HEAD * math.cos(angle + turn), y2 + _HEAD * math.sin(angle + turn)) for turn in (2.65, -2.65))
    shaft = (*arrow[:-1], (x2 - 8 * math.cos(angle), y2 - 8 * math.sin(angle)))
    return shaft, ((x2, y2), one, other)


def _place_badge(arrow: Sequence[Point], half: float, taken: Sequence[Point]) -> Point:
    """Place a badge: at the middle of the bow's outer side, or as near as is clear of others."""
    (x1, y1), (x2, y2) = arrow[0], arrow[-1]
    along = math.atan2(y2 - y1, x2 - x1)
    aside = (-math.sin(along) * (8 + half), math.cos(along) * 8)
    third, middle = len(arrow) // 3, len(arrow) // 2
    spots = [(x + aside[0], y + aside[1]) for x, y in (arrow[middle], *arrow[third:-third])]
    return max(spots, key=lambda spot: min(28 + half, *(math.dist(spot, other) for other in taken)))
