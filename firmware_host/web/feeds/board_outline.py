"""Describe a board to pages: its stations, lines and artwork."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from firmware_host.ui.drawing.board_map import BoardMap, svg
from firmware_host.ui.drawing.line_routing import Point

ARTWORK = Path(__file__).resolve().parents[1] / "static" / "maps"
"""The folder of the maps' artwork, if the build has created it."""

BESIDE = 0.5
"""Units of the drawing by which the line that a pawn glides along may differ from the drawn line."""

MAPS = 16
"""The number of maps whose lines are cached."""


def outline(board: BoardMap, artwork: str | None, lamp: Callable[[int], int]) -> dict[str, Any]:
    """Return a board's size and stations as JSON values, in the units of its drawing.

    Args:
        board: the board.
        artwork: the address of the board's artwork; None if there is none.
        lamp: returns the lamp below a station.
    """
    network = board.network
    stations: list[dict[str, Any]] = []
    for n, (x, y) in board.places.items():
        at = {"n": n, "x": round(x, 2), "y": round(y, 2), "stops": network.transports(n), "lamp": lamp(n)}
        name = network.stations[n].name
        stations.append({**at, "name": name} if name else at)
    return {
        "name": network.name,
        "title": network.title,
        "artwork": artwork,
        "width": board.size[0],
        "height": board.size[1],
        "shown": board.height,
        "radius": board.radius,
        "drawn": list(board.style.lines),
        "stations": stations,
    }


def artwork_file(board: BoardMap) -> str | None:
    """Return the address of a board's artwork file. None if the board has none or is laid from tiles."""
    name = board.style.artwork(board.network)
    return None if board.style.laid or not (ARTWORK / name).is_file() else f"/static/maps/{name}"


def lines(board: BoardMap) -> list[tuple[int, int, str]]:
    """Return the two stations and the transport of each link of a board."""
    return [(link.a, link.b, link.transport) for link in board.network.links]


def bends(board: BoardMap) -> list[list[int]]:
    """Return the bends of each link's line, x and y alternately.

    They are those of the artwork. Without artwork, they are those of the board's tracks.
    """
    file = ARTWORK / board.style.artwork(board.network)
    drawn = _drawn_bends(file) if file.is_file() and not board.style.laid else None
    return drawn or [
        [round(value) for point in _thinned(track.points)[1:-1] for value in point] for track in board.tracks()
    ]


def _thinned(points: Sequence[Point]) -> list[Point]:
    """Return a line with fewer points (Ramer, Douglas and Peucker).

    All points left out are closer to the new line than `BESIDE`.
    """
    start, end = points[0], points[-1]
    (x, y), along = start, math.dist(start, end) or 1
    beside = [abs((px - x) * (end[1] - y) - (py - y) * (end[0] - x)) / along for px, py in points]
    far = max(range(len(points)), key=beside.__getitem__)
    if beside[far] < BESIDE:
        return [start, end]
    return [*_thinned(points[: far + 1])[:-1], *_thinned(points[far:])]


@lru_cache(maxsize=MAPS)
def _drawn_bends(file: Path) -> list[list[int]] | None:
    """Return the bends of all lines that an artwork file stores as metadata, or None if it stores none."""
    found = re.search(r"<metadata>(.*?)</metadata>", file.read_text(encoding="utf-8"))
    return None if found is None else json.loads(found[1])


def laid_artwork(board: BoardMap) -> str | None:
    """Return the artwork of a board laid from tiles as an SVG document.

    None for a printed map, or if the build has no artwork for the tiles.
    """
    file = ARTWORK / board.style.artwork(board.network)
    if not board.style.laid or not file.is_file():
        return None
    return board.style.lay_artwork(file.read_text(encoding="utf-8"), board.network, board.places, board.height)


KEPT = 16
"""The number of drawings kept. Each dice game adds two: its board as wired, and illustrated."""


class BoardCache:
    """The newest drawings of boards, named by their content. Pages fetch them by these names."""

    def __init__(self) -> None:
        self._drawn: dict[str, str] = {}

    def keep(self, board: BoardMap) -> str:
        """Draw a board, keep the drawing, and return its name."""
        return self._keep(svg(board))

    def artwork(self, board: BoardMap) -> str | None:
        """Return the address of a board's artwork, or None if there is none for this map or these tiles."""
        laid = laid_artwork(board)
        return artwork_file(board) if laid is None else f"/boards/{self._keep(laid)}.svg"

    def _keep(self, document: str) -> str:
        name = hashlib.sha256(document.encode()).hexdigest()[:16]
        self._drawn.pop(name, None)
        self._drawn[name] = document
        while len(self._drawn) > KEPT:
            del self._drawn[next(iter(self._drawn))]
        return name

    def get(self, name: str) -> str | None:
        """Return the drawing of this name as an SVG document, or None."""
        return self._drawn.get(name)
