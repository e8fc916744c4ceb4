"""The ways that Mister X's pawns have gone, as arrows with the numbers of their moves. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from firmware_host.ui.drawing.board_map import Board
from firmware_host.ui.drawing.canvas import Canvas, Point
from firmware_host.ui.drawing.line_routing import bow, loop
from firmware_host.ui.drawing.style import DARK, ROUTES, ink

_SIDES = tuple(math.radians(angle) for angle in (90, 45, 135, 0, 180, -45, -135))  # not on top: pawns stand there
_HEAD = 13.0


@dataclass(frozen=True, slots=True)
class Way:
    """One way from a station to another, or back to the same, that one of Mister X's pawns has gone.

    Attributes:
        pawn: which of them.
        start: the station where it begins.
        end: where it leads.
        numbers: of the moves that went there, from 1.
        shaft: the arrow's line up to its head, in the board's units.
        head: the arrow's tip and its two barbs.
        badge: the middle of the label with the numbers, at the outer side of the bow and clear of plates.
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
        """What stands on its badge."""
        return ", ".join(map(str, self.numbers))


def ways(board: Board, routes: Mapping[str, Sequence[int]]) -> list[Way]:
    """The ways of each pawn's route, each once, in the order in which they were first gone."""
    numbers: dict[tuple[str, int, int], list[int]] = {}
    for pawn, route in routes.items():
        for number, (start, end) in enumerate(pairwise(route), 1):
            numbers.setdefault((pawn, start, end), []).append(number)
    lanes = {pawn: lane for lane, pawn in enumerate(routes)}
    loops = _Loops(board, {station for route in routes.values() for station in route})
    taken = list(board.places.values())  # by plates, then by badges as well
    found = []
    for (pawn, start, end), moves in numbers.items():
        arrow = loops.at(start) if start == end else _arrow(board, start, end, lanes[pawn])
        badge = _badge(arrow, _half(len(", ".join(map(str, moves)))), taken)
        taken.append(badge)
        found.append(Way(pawn, start, end, tuple(moves), *_pointed(arrow), badge))
    return found


def draw_arrow(canvas: Canvas, way: Way, name: str) -> None:
    """Its arrow, dark at the rim."""
    paint = ROUTES[way.pawn]
    canvas.line(way.shaft, DARK, 7)
    canvas.shape(way.head, paint, edge=DARK, edge_width=3)
    canvas.line(way.shaft, paint, 3.2, name=name)
    canvas.shape(way.head, paint)


def draw_badge(canvas: Canvas, way: Way) -> None:
    """The numbers of its moves."""
    (x, y), half, paint = way.badge, _half(len(way.text)), ROUTES[way.pawn]
    label = [(x - half, y), (x + half, y)]
    canvas.line(label, DARK, 23)
    canvas.line(label, paint, 19)
    canvas.text((x, y), way.text, 12.5, ink(paint))


def _half(letters: int) -> float:
    """Half the length of a badge with so many letters, its round ends left out."""
    return max(0.0, letters * 3.7 - 8)


def _arrow(board: Board, start: int, end: int, lane: int) -> Sequence[Point]:
    a, b = board.places[start], board.places[end]
    length = math.dist(a, b)
    # Wide enough a bow that the way back has room for its own numbers; on tiles, to pass beside other places. The
    # second pawn's lies outside the first's.
    widest = 26 / length if board.tiles is None else 0.1
    bulge = max(13 / length, min(0.1, widest))
    return bow(a, b, bulge * (1 + 1.2 * lane), board.radius + 3)


class _Loops:
    """Where a pawn stays: a loop at the side of the plate that is farthest from what leads away from it."""

    def __init__(self, board: Board, stations: set[int]) -> None:
        self._board, self._stations = board, stations
        self._taken: dict[int, list[float]] = {}

    def at(self, station: int) -> Sequence[Point]:
        """A loop there, on another side than those before."""
        places = self._board.places
        x, y = places[station]
        ends = (self._stations | set(self._board.network.around(station))) - {station}
        taken = self._taken.setdefault(station, [])
        busy = [*(math.atan2(places[n][1] - y, places[n][0] - x) for n in ends), *taken]

        def room(side: float) -> float:
            return min((abs(math.remainder(side - other, math.tau)) for other in busy), default=math.pi)

        taken.append(max(_SIDES, key=room))
        return loop((x, y), self._board.radius, taken[-1])


def _pointed(arrow: Sequence[Point]) -> tuple[tuple[Point, ...], tuple[Point, Point, Point]]:
    """Shaft and head of an arrow."""
    (x1, y1), (x2, y2) = arrow[-2], arrow[-1]
    angle = math.atan2(y2 - y1, x2 - x1)
    one, other = ((x2 + _HEAD * math.cos(angle + turn), y2 + _HEAD * math.sin(angle + turn)) for turn in (2.65, -2.65))
    shaft = (*arrow[:-1], (x2 - 8 * math.cos(angle), y2 - 8 * math.sin(angle)))
    return shaft, ((x2, y2), one, other)


def _badge(arrow: Sequence[Point], half: float, taken: Sequence[Point]) -> Point:
    """Where a badge lies best: in the middle of the bow's outer side, or so far from there as to be clear of others."""
    (x1, y1), (x2, y2) = arrow[0], arrow[-1]
    along = math.atan2(y2 - y1, x2 - x1)
    aside = (-math.sin(along) * (8 + half), math.cos(along) * 8)
    third, middle = len(arrow) // 3, len(arrow) // 2
    spots = [(x + aside[0], y + aside[1]) for x, y in (arrow[middle], *arrow[third:-third])]
    return max(spots, key=lambda spot: min(28 + half, *(math.dist(spot, other) for other in taken)))
