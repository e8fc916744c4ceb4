"""The board drawn from its map: stations, lines and river, lit lamps, pawns, log and route. Pure.

One description (`_Picture`) and two renderings of it, `svg` and `png`. The look is our own: the city in the
evening, its lines as on a transit map, each transport with its colour and its pattern.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image

from firmware_host.drawing.canvas import Canvas, Colour, Pixels, Point, Svg, mix
from firmware_host.drawing.tracks import bow, river, tracks
from firmware_host.rules.network import TRANSPORTS, Network

WIDTH = 1600.0
"""Width of a picture in units; at 1600 pixels, one unit is one pixel."""

_NIGHT: Colour = (20, 26, 38)
_WATER: Colour = (29, 52, 79)
_PANEL: Colour = (13, 17, 26)
_PLATE: Colour = (33, 41, 57)
_PALE: Colour = (238, 240, 245)
_DIM: Colour = (148, 158, 176)
_DARK: Colour = (12, 14, 20)
_GOLD: Colour = (246, 214, 128)

_PAINT: dict[str, Colour] = {
    "taxi": (226, 214, 160),
    "bus": (54, 190, 170),
    "underground": (226, 72, 72),
    "boat": (92, 160, 240),
}
_PAWNS: dict[str, Colour] = {
    "red": (226, 60, 60),
    "yellow": (250, 208, 50),
    "green": (70, 184, 84),
    "blue": (62, 124, 240),
    "purple": (164, 92, 214),
    "mr_x": _PALE,
}
_FOOT = 148.0  # height of the panel below the board
_EDGE = 22.0  # of the paper around everything


class PictureError(ValueError):
    """Something to be drawn has no place on this board."""


def svg(
    network: Network,
    *,
    lamps: Mapping[int, Colour] | None = None,
    log_lamps: Mapping[int, Colour] | None = None,
    pawns: Mapping[str, int] | None = None,
    route: Sequence[int] = (),
    windows: int = 24,
    surfacing: Collection[int] = (),
    caption: str = "",
) -> str:
    """The picture as an SVG document. Stations, links and all else carry ids such as "station-58".

    Args:
        network: the map.
        lamps: the lit lamps: station -> colour.
        log_lamps: the lit lamps of the log: window from 1 -> colour.
        pawns: where pawns stand: "red", "yellow", "green", "blue", "purple" or "mr_x" -> station.
        route: the stations of Mister X's way, in order, drawn as numbered arrows.
        windows: how many windows the log has.
        surfacing: the windows to be marked as those at which Mister X surfaces.
        caption: one line of text.

    Raises:
        PictureError: an unknown station, pawn or window, or no colour.
    """
    picture = _Picture(
        network, lamps or {}, log_lamps or {}, pawns or {}, route, windows, frozenset(surfacing), caption
    )
    canvas = Svg(WIDTH, picture.height, _NIGHT)
    picture.draw(canvas)
    return canvas.finish()


def png(
    network: Network,
    *,
    lamps: Mapping[int, Colour] | None = None,
    log_lamps: Mapping[int, Colour] | None = None,
    pawns: Mapping[str, int] | None = None,
    route: Sequence[int] = (),
    windows: int = 24,
    surfacing: Collection[int] = (),
    caption: str = "",
    width: int = 1600,
) -> Image.Image:
    """The same picture as an image of `width` pixels; all else is as for `svg`.

    Raises:
        PictureError: as for `svg`, or a width that is not from 200 to 6400.
    """
    if not 200 <= width <= 6400:
        raise PictureError(f"width: {width} is not from 200 to 6400 pixels")
    picture = _Picture(
        network, lamps or {}, log_lamps or {}, pawns or {}, route, windows, frozenset(surfacing), caption
    )
    canvas = Pixels(WIDTH, picture.height, _NIGHT, width)
    picture.draw(canvas)
    return canvas.finish()


@dataclass(frozen=True)
class _Picture:
    """What is to be seen, checked."""

    network: Network
    lamps: Mapping[int, Colour]
    log_lamps: Mapping[int, Colour]
    pawns: Mapping[str, int]
    route: Sequence[int]
    windows: int
    surfacing: frozenset[int]
    caption: str

    def __post_init__(self) -> None:
        self._check_stations("lamps", self.lamps)
        self._check_stations("pawns", self.pawns.values())
        self._check_stations("route", self.route)
        spots: dict[tuple[float, float], int] = {}
        for number, station in self.network.stations.items():
            other = spots.setdefault((station.x, station.y), number)
            if other != number:
                raise PictureError(f"stations {other} and {number} of {self.network.name} lie on one spot")
        for number, (a, b) in enumerate(pairwise(self.route), 1):
            if a == b:
                raise PictureError(f"route: move {number} leads from station {a} to itself")
        for pawn in self.pawns:
            if pawn not in _PAWNS:
                raise PictureError(f"pawns: {pawn!r} is unknown; known are {', '.join(_PAWNS)}")
        if not 1 <= self.windows <= 24:
            raise PictureError(f"windows: {self.windows} is not from 1 to 24")
        for what, shown in (("log_lamps", self.log_lamps), ("surfacing", self.surfacing)):
            for window in shown:
                if not 1 <= window <= self.windows:
                    raise PictureError(f"{what}: there is no window {window}; they run from 1 to {self.windows}")
        self._check_colours("lamps", self.lamps.values())
        self._check_colours("log_lamps", self.log_lamps.values())

    def _check_colours(self, what: str, colours: Collection[Colour]) -> None:
        for colour in colours:
            if len(colour) != 3 or not all(0 <= part <= 255 for part in colour):
                raise PictureError(f"{what}: {colour!r} is no colour: red, green and blue run from 0 to 255")

    def _check_stations(self, what: str, stations: Collection[int]) -> None:
        for station in stations:
            if station not in self.network.stations:
                raise PictureError(f"{what}: there is no station {station} on {self.network.name}")

    @property
    def _board(self) -> Point:
        width = WIDTH - 2 * _EDGE
        return width, width / self.network.aspect

    @property
    def height(self) -> float:
        return self._board[1] + 2 * _EDGE + _FOOT

    def _place(self, station: int) -> Point:
        width, height = self._board
        spot = self.network.stations[station]
        return _EDGE + spot.x * width, _EDGE + spot.y * height

    @property
    def _radius(self) -> float:
        """Of a plate: such that the two stations closest together do not touch."""
        spots = [self._place(number) for number in self.network.stations]
        closest = min((math.dist(a, b) for n, a in enumerate(spots) for b in spots[:n]), default=WIDTH)
        return min(26.0, max(9.0, closest * 0.41))

    def draw(self, canvas: Canvas) -> None:
        places = {number: self._place(number) for number in self.network.stations}
        radius = self._radius
        self._draw_river(canvas, places)
        self._draw_links(canvas, places, radius)
        for number, colour in self.lamps.items():
            canvas.glow(places[number], radius * 3.6, colour, name=f"lamp-{number}")
        ways = self._ways(places, radius)
        for (a, b), (arrow, _) in ways.items():
            _draw_arrow(canvas, arrow, f"route-{a}-{b}")
        for number, place in places.items():
            self._draw_station(canvas, number, place, radius)
        for arrow, numbers in ways.values():
            _draw_badge(canvas, arrow, numbers, places.values())
        for station in self.route[:1]:
            canvas.arc(places[station], radius + 5, (0, 360), _GOLD, 3)
        self._draw_pawns(canvas, places, radius)
        self._draw_foot(canvas)

    def _draw_river(self, canvas: Canvas, places: Mapping[int, Point]) -> None:
        for line in river(self.network, places, WIDTH):
            for step in range(6):  # soft banks: ever narrower, ever bluer
                canvas.line(line, mix(_NIGHT, _WATER, (step + 1) / 6), 92 - step * 7)

    def _draw_links(self, canvas: Canvas, places: Mapping[int, Point], radius: float) -> None:
        found = tracks(self.network, places, radius * 0.36)
        fade = 0.55 if self.route else 0.0
        for transport in ("underground", "bus", "taxi", "boat"):
            for track in found:
                if track.link.transport == transport:
                    name = f"link-{transport}-{track.link.a}-{track.link.b}"
                    _draw_line(canvas, track.points, transport, fade, name)

    def _draw_station(self, canvas: Canvas, number: int, place: Point, radius: float) -> None:
        lamp = self.lamps.get(number)
        fill = _PLATE if lamp is None else lamp
        stops = self.network.transports(number)
        canvas.disc(place, radius + 1, fill, edge=_DARK, edge_width=2, name=f"station-{number}")
        ring = radius * 0.2
        for n, transport in enumerate(stops):
            share = 360 / len(stops)
            start = -90 + n * share
            span = (start, start + 360) if len(stops) == 1 else (start + 5, start + share - 5)
            canvas.arc(place, radius - ring / 2, span, _PAINT[transport], ring)
        size = radius * (1.12 if number < 100 else 0.93)
        canvas.text(place, str(number), size, _ink(fill), name=f"number-{number}")

    def _ways(
        self, places: Mapping[int, Point], radius: float
    ) -> dict[tuple[int, int], tuple[Sequence[Point], list[int]]]:
        """The route's ways from one station to the next, each with its arrow and the numbers of its moves."""
        ways: dict[tuple[int, int], tuple[Sequence[Point], list[int]]] = {}
        for number, (a, b) in enumerate(pairwise(self.route), 1):
            if (a, b) not in ways:
                length = math.dist(places[a], places[b])
                # Wide enough a bow that the way back has room for its own numbers.
                bulge = max(13 / length, min(0.1, 26 / length))
                ways[a, b] = (bow(places[a], places[b], bulge, radius + 3), [])
            ways[a, b][1].append(number)
        return ways

    def _draw_pawns(self, canvas: Canvas, places: Mapping[int, Point], radius: float) -> None:
        together: dict[int, list[str]] = {}
        for pawn in _PAWNS:
            if pawn in self.pawns:
                together.setdefault(self.pawns[pawn], []).append(pawn)
        for station in sorted(together, key=lambda number: places[number][1]):  # the nearer hides the farther
            group = together[station]
            for n, pawn in enumerate(group):
                canvas.arc(places[station], radius + 3.5 + 4 * n, (0, 360), _PAWNS[pawn], 3.5)
            x, y = _foothold(station, places, radius)
            for n, pawn in enumerate(group):
                _draw_pawn(canvas, (x + (n - (len(group) - 1) / 2) * 24, y), pawn)

    def _draw_foot(self, canvas: Canvas) -> None:
        top = self.height - _FOOT
        canvas.shape([(0, top), (WIDTH, top), (WIDTH, self.height), (0, self.height)], _PANEL)
        caption = self.caption if len(self.caption) <= 100 else self.caption[:99] + "…"
        canvas.text((_EDGE + 4, top + 28), caption or self.network.title, 21, _PALE, anchor="start", name="caption")
        self._draw_log(canvas, top + 50)
        self._draw_legend(canvas, top + 50)

    def _draw_log(self, canvas: Canvas, top: float) -> None:
        step, high = 47.0, 78.0
        for window in range(1, self.windows + 1):
            left = _EDGE + 4 + (window - 1) * step
            surfaces = window in self.surfacing
            box = _box(left, top, step - 7, high)
            canvas.shape(box, _NIGHT, edge=_GOLD if surfaces else _PLATE, edge_width=2.5, name=f"window-{window}")
            middle = left + (step - 7) / 2
            canvas.text((middle, top + 17), str(window), 15, _GOLD if surfaces else _DIM)
            lamp = self.log_lamps.get(window)
            if lamp is not None:
                canvas.glow((middle, top + 50), 27, lamp, name=f"log-lamp-{window}")
            canvas.disc((middle, top + 50), 11, lamp or _PLATE)

    def _draw_legend(self, canvas: Canvas, top: float) -> None:
        left = _EDGE + 4 + 24 * 47 + 26
        present = [t for t in TRANSPORTS if any(link.transport == t for link in self.network.links)]
        for n, transport in enumerate(present):
            x, y = left + (n % 2) * 205, top + 12 + (n // 2) * 28
            _draw_line(canvas, ((x, y), (x + 52, y)), transport, 0, "")
            canvas.text((x + 66, y), transport, 16, _PALE, anchor="start")
        canvas.shape(_box(left + 14, top + 57, 24, 20), _NIGHT, edge=_GOLD, edge_width=2.5)
        canvas.text((left + 66, top + 67), "Mister X surfaces", 16, _PALE, anchor="start")


def _draw_line(canvas: Canvas, points: Sequence[Point], transport: str, fade: float, name: str) -> None:
    """A stretch of line in its transport's colour and pattern; the patterns differ for those who see no colours."""
    paint = mix(_PAINT[transport], _NIGHT, fade)
    match transport:
        case "taxi":
            canvas.line(points, mix(paint, _NIGHT, 0.2), 1.8, name=name)
        case "bus":
            canvas.line(points, paint, 4.6, name=name)
            canvas.line(points, _NIGHT, 1.5)
        case "underground":
            canvas.line(points, mix(paint, _NIGHT, 0.7), 5)
            canvas.line(points, paint, 5, dash=(9, 11), name=name)
        case "boat":
            canvas.line(points, paint, 5, dash=(0.1, 11), name=name)


def _draw_arrow(canvas: Canvas, line: Sequence[Point], name: str) -> None:
    (x1, y1), (x2, y2) = line[-2], line[-1]
    angle = math.atan2(y2 - y1, x2 - x1)
    barbs = [(x2 + 13 * math.cos(angle + turn), y2 + 13 * math.sin(angle + turn)) for turn in (2.65, -2.65)]
    head = [(x2, y2), *barbs]
    shaft = [*line[:-1], (x2 - 8 * math.cos(angle), y2 - 8 * math.sin(angle))]
    canvas.line(shaft, _DARK, 7)
    canvas.shape(head, _GOLD, edge=_DARK, edge_width=3)
    canvas.line(shaft, _GOLD, 3.2, name=name)
    canvas.shape(head, _GOLD)


def _draw_badge(canvas: Canvas, arrow: Sequence[Point], numbers: Sequence[int], plates: Collection[Point]) -> None:
    """The numbers of the moves that go along an arrow, on a label at the outer side of its bow."""
    text = ", ".join(map(str, numbers))
    half = max(0.0, len(text) * 3.7 - 8)
    (x1, y1), (x2, y2) = arrow[0], arrow[-1]
    along = math.atan2(y2 - y1, x2 - x1)
    aside = (-math.sin(along) * (8 + half), math.cos(along) * 8)
    third, middle = len(arrow) // 3, len(arrow) // 2
    spots = [(x + aside[0], y + aside[1]) for x, y in (arrow[middle], *arrow[third:-third])]
    x, y = max(spots, key=lambda spot: min(28 + half, *(math.dist(spot, plate) for plate in plates)))
    label = [(x - half, y), (x + half, y)]
    canvas.line(label, _DARK, 23)
    canvas.line(label, _GOLD, 19)
    canvas.text((x, y), text, 12.5, _DARK)


def _draw_pawn(canvas: Canvas, foot: Point, pawn: str) -> None:
    x, y = foot
    colour = _PAWNS[pawn]
    half = [(11, 0), (11, -5), (7, -9), (4, -20)]
    body = [(x + dx, y + dy) for dx, dy in half] + [(x - dx, y + dy) for dx, dy in reversed(half)]
    canvas.shape(body, colour, edge=_DARK, edge_width=2)
    canvas.disc((x, y - 25), 8, colour, edge=_DARK, edge_width=2, name=f"pawn-{pawn}")
    if pawn == "mr_x":
        canvas.text((x, y - 25), "X", 13, _DARK)
    else:
        canvas.disc((x - 2.5, y - 27.5), 2, mix(colour, _PALE, 0.6))


def _foothold(station: int, places: Mapping[int, Point], radius: float) -> Point:
    """Where on the upper edge of its plate a pawn stands so as to hide no other number, or as little as can be."""
    x, y = places[station]
    others = [place for number, place in places.items() if number != station]

    def room(foot: Point) -> float:
        pawn = [(foot[0], foot[1] - up) for up in (6, 16, 26)]
        return min((math.dist(other, part) for other in others for part in pawn), default=math.inf)

    feet = [(x + dx * radius, y - dy * radius) for dx, dy in ((0, 0.78), (0.75, 0.6), (-0.75, 0.6))]
    feet += [(x + side * radius * 1.35, y + radius * 0.3) for side in (1, -1)]
    # Straight on top looks best; what is clear of every plate is clear enough.
    return max(feet, key=lambda foot: min(room(foot), radius + 9))


def _box(left: float, top: float, wide: float, high: float) -> list[Point]:
    """A rectangle with its corners cut."""
    right, low, cut = left + wide, top + high, 4.0
    return [
        (left + cut, top), (right - cut, top), (right, top + cut), (right, low - cut),
        (right - cut, low), (left + cut, low), (left, low - cut), (left, top + cut),
    ]  # fmt: skip


def _ink(fill: Colour) -> Colour:
    """What is readable on a plate of that colour."""
    red, green, blue = fill
    return _DARK if 0.3 * red + 0.59 * green + 0.11 * blue > 110 else _PALE
