"""Draw a map on any canvas: its tiles, river, lines and station plates. Pure.

`board_picture` adds pawns and lamps for a still picture. In a browser the page draws them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from firmware_host.rules.network import Network
from firmware_host.ui.drawing.board_style import DARK, NIGHT, PAINT, PLATE, WATER, BoardStyle, draw_line, ink
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point, Svg, mix
from firmware_host.ui.drawing.line_routing import Track, flow, river, tracks
from firmware_host.ui.drawing.paper import EDGE, WIDTH, places_on_paper, spot
from firmware_host.ui.games.board_registry import board_style

_NONE: Mapping[int, Colour] = {}


class PictureError(ValueError):
    """The error that something cannot be drawn, such as a pawn on a station that the board lacks."""


@dataclass(frozen=True)
class BoardMap:
    """A map laid out on paper, ready to be drawn.

    Attributes:
        network: the map, or the tiles in their layout.
        places: each station's centre, in drawing units.
        radius: radius of a station's plate, in drawing units: small enough that the two closest plates do not touch,
            but from 9 to 26.
        style: the style in which to draw the map.

    Raises:
        PictureError: two stations lie on the same point.
    """

    network: Network
    places: Mapping[int, Point] = field(init=False, repr=False)
    radius: float = field(init=False)
    style: BoardStyle[Any] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        places = places_on_paper(self.network)
        spots: dict[Point, int] = {}
        for number, place in places.items():
            other = spots.setdefault(place, number)
            if other != number:
                where = f"stations {other} and {number} of {self.network.name}"
                raise PictureError(f"{where} are at the same place; change `at` of one of them")
        found = list(places.values())
        closest = min((math.dist(a, b) for n, a in enumerate(found) for b in found[:n]), default=WIDTH)
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "radius", min(26.0, max(9.0, closest * 0.41)))
        object.__setattr__(self, "style", board_style(self.network))

    @property
    def size(self) -> Point:
        """The width and height of the board without its edges, in drawing units."""
        width = WIDTH - 2 * EDGE
        return width, width / self.network.aspect

    @property
    def height(self) -> float:
        """The height of the drawn part of the board, including its edges."""
        return self.size[1] * self.style.share(self.network) + 2 * EDGE

    def spot(self, x: float, y: float) -> Point:
        """Convert a point of a map, given as fractions of its width and height, to drawing units."""
        return spot(x, y, self.network.aspect)

    def tracks(self) -> list[Track]:
        """The drawn line of every link, in the order of the links."""
        return tracks(self.network, self.places, self.radius * 0.36)

    def draw_ground(self, canvas: Canvas, fade: float = 0.0) -> None:
        """Draw tiles, river and lines. `fade`, from 0 to 1, dims the lines."""
        self.style.draw_ground(canvas, self.network, self.places)
        self._draw_river(canvas)
        self._draw_links(canvas, fade)

    def draw_stations(self, canvas: Canvas, lamps: Mapping[int, Colour] = _NONE, fade: float = 0.0) -> None:
        """Draw every station's plate, with its number and a ring for each transport.

        `fade`, from 0 to 1, dims the plates of stations whose lamp is dark.
        """
        for number, place in self.places.items():
            lamp = lamps.get(number)
            self._draw_station(canvas, number, place, lamp, fade if lamp is None else 0.0)

    def _draw_river(self, canvas: Canvas) -> None:
        drawn = [self.spot(x, y) for x, y in self.network.river]
        for line in [flow(drawn, WIDTH)] if drawn else river(self.network, self.places, WIDTH):
            for step in range(6):  # soft banks: ever narrower, ever bluer
                canvas.line(line, mix(NIGHT, WATER, (step + 1) / 6), 92 - step * 7)

    def _draw_links(self, canvas: Canvas, fade: float) -> None:
        found = self.tracks()
        for transport in self.style.lines:
            for track in found:
                if track.link.transport == transport:
                    name = f"link-{transport}-{track.link.a}-{track.link.b}"
                    draw_line(canvas, track.points, transport, fade, name)
        self.style.draw_over_lines(canvas, self.network, found, fade)

    def _draw_station(self, canvas: Canvas, number: int, place: Point, lamp: Colour | None, fade: float) -> None:
        fill = PLATE if lamp is None else lamp
        stops = self.network.transports(number)
        canvas.disc(place, self.radius + 1, mix(fill, NIGHT, fade), edge=DARK, edge_width=2, name=f"station-{number}")
        ring = self.radius * 0.2
        for n, transport in enumerate(stops):
            share = 360 / len(stops)
            start = -90 + n * share
            span = (start, start + 360) if len(stops) == 1 else (start + 5, start + share - 5)
            canvas.arc(place, self.radius - ring / 2, span, mix(PAINT[transport], NIGHT, fade), ring)
        size = self.radius * (1.12 if number < 100 else 0.93)
        canvas.text(place, str(number), size, mix(ink(fill), NIGHT, fade), name=f"number-{number}")


def svg(board: BoardMap) -> str:
    """Return an SVG document of the empty board without lamps, `WIDTH` drawing units wide."""
    canvas = Svg(WIDTH, board.height, NIGHT)
    board.draw_ground(canvas)
    board.draw_stations(canvas)
    return canvas.finish()
