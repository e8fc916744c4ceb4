"""Draw the whole picture of a board: stations, lines, river, lamps, pawns, log and route. Pure.

`svg` and `png` draw the same description, a `_Picture`. The look is our own: the city in the evening, its lines as on a
transit map, each transport with its colour and its pattern.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from PIL import Image

from firmware_host.rules.actions import FUGITIVES, MR_X
from firmware_host.rules.network import Network
from firmware_host.rules.views import LogEntry, PublicView
from firmware_host.system.language import gettext
from firmware_host.ui.drawing import legend_panel
from firmware_host.ui.drawing.board_map import BoardMap, PictureError
from firmware_host.ui.drawing.board_style import DARK, NIGHT, OUTLINE, PALE, PAWNS, ROUTES, SEAM
from firmware_host.ui.drawing.canvas import Canvas, Colour, Pixels, Point, Svg, mix
from firmware_host.ui.drawing.paper import WIDTH
from firmware_host.ui.drawing.route_lines import Box, disc_radius, draw_routes
from firmware_host.ui.games.game_registry import game_ui

_BODY = ((11, 0), (11, -5), (7, -9), (4, -20))
"""One side of a detective's pawn without its head, in drawing units around its foot."""

_HEAD = (0, -25), 8  # its middle and its radius

_COAT = (
    (0, 1.3), (6, 0.8), (10, -0.6), (9.1, -10), (8, -16.6), (6.6, -19.2), (4.6, -20), (4.2, -23.2), (9, -24.2),
    (9.9, -25.2), (8.7, -26.1), (5.4, -26.5), (5.1, -29.4), (4.4, -31.8), (3, -33.2), (1.6, -33.1), (0, -32.4),
)  # fmt: skip
"""One side of a coat with a hat, as `board/pawns.js` draws it on pages."""

_SEAMS = (((-4.2, -19.6), (0, -11.5), (4.2, -19.6)), ((0, -11.5), (0, 0.8)), ((-5.2, -27.2), (0, -26.6), (5.2, -27.2)))
_GROWN = {MR_X: 1.5}
_LEANS = (0, 9, -9, 18, -18)  # degrees
_MOST = 12.0  # degrees that Mister X may lean: he is so large that he would seem to fall
_HEIGHTS = (6, 17, 28)  # where on its body a pawn may hide something, in drawing units above its foot
_CLEAR = 9.0  # a distance from every plate, in units of its size, that is clear enough


def pawn_size(pawn: str) -> float:
    """Return a pawn's size as a multiple of a detective's."""
    return _GROWN.get(pawn, 1.15 if pawn in FUGITIVES else 1.0)


def draw_pawn(canvas: Canvas, foot: Point, pawn: str, lean: float) -> None:
    """Draw a pawn that stands on a point, leaning by `lean` degrees to the right."""
    size, colour = pawn_size(pawn), PAWNS[pawn]
    turned = _turning(pawn, foot, lean)
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
        head, shine = turned([_HEAD[0], (-2.5, -27.5)])
        canvas.disc(head, _HEAD[1], colour, edge=DARK, edge_width=2, name=f"pawn-{pawn}")
        canvas.disc(shine, 2, mix(colour, PALE, 0.6))


def _turning(pawn: str, foot: Point, lean: float) -> Callable[[Sequence[Point]], list[Point]]:
    """Return a function that scales, tilts and moves the points of a pawn's shape to its place.

    The leaning pawn is raised a little, so that no part of it is below its foot.
    """
    size = pawn_size(pawn)
    raised = foot[0], foot[1] - 10 * size * math.sin(math.radians(abs(lean)))
    return lambda points: [_turned(raised, (x * size, y * size), lean) for x, y in points]


def place_pawn(station: int, places: Mapping[int, Point], radius: float, size: float) -> tuple[Point, float]:
    """Return where on or beside its station's plate a pawn is clearest of the other plates.

    Args:
        station: the station.
        places: each station's centre, in drawing units.
        radius: radius of a station's plate, in drawing units.
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
    """Return a point after a turn around a pawn's foot, by degrees to the right."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return foot[0] + point[0] * cos - point[1] * sin, foot[1] + point[0] * sin + point[1] * cos


_SPACE = 22.0  # between the feet of two pawns on one station, in drawing units
_FAN = 14.0  # between the ways they lean, in degrees
_NO_TALLY: Mapping[str, tuple[int, int]] = {}
_NO_ROUTES: Mapping[str, Sequence[int]] = {}
_Stand = tuple[str, Point, float]  # a pawn, its foot, and by how many degrees it leans to the right


def svg(
    network: Network,
    *,
    lamps: Mapping[int, Colour] | None = None,
    log_lamps: Mapping[int, Colour] | None = None,
    pawns: Mapping[str, int] | None = None,
    routes: Mapping[str, Sequence[int]] = _NO_ROUTES,
    windows: int = 24,
    surfacing: Collection[int] = (),
    mark: str = "Mister X surfaces",
    log: Sequence[LogEntry] = (),
    tally: Mapping[str, tuple[int, int]] = _NO_TALLY,
    caption: str = "",
) -> str:
    """Draw a board's picture as an SVG document, whose parts have ids such as "station-58".

    Args:
        network: the map, or the tiles in their layout.
        lamps: the lit station lamps: station -> colour.
        log_lamps: the lit lamps of the log, or of the chips in the tally: number from 1 -> colour.
        pawns: where pawns stand: "red", "yellow", "green", "blue", "purple", "white", "mr_x" or "mr_x_junior" ->
            station.
        routes: "mr_x" or "mr_x_junior" -> its stations in order, drawn as bold lines on a fainter board; the log's
            tickets are those of "mr_x".
        windows: how many windows the log has; 0 for no log.
        surfacing: the windows to mark.
        mark: the meaning of the mark, in words.
        log: the entries of the log: the tickets, and the public stations.
        tally: side -> how many chips it has won, and how many it needs; drawn instead of the log.
        caption: one line of text.

    Raises:
        PictureError: a station, pawn, window or colour is invalid.
    """
    picture = _Picture(
        network, lamps or {}, log_lamps or {}, pawns or {}, routes, windows, frozenset(surfacing), mark, log, tally,
        caption,
    )  # fmt: skip
    canvas = Svg(WIDTH, picture.height, NIGHT)
    picture.draw(canvas)
    return canvas.finish()


def png(
    network: Network,
    *,
    lamps: Mapping[int, Colour] | None = None,
    log_lamps: Mapping[int, Colour] | None = None,
    pawns: Mapping[str, int] | None = None,
    routes: Mapping[str, Sequence[int]] = _NO_ROUTES,
    windows: int = 24,
    surfacing: Collection[int] = (),
    mark: str = "Mister X surfaces",
    log: Sequence[LogEntry] = (),
    tally: Mapping[str, tuple[int, int]] = _NO_TALLY,
    caption: str = "",
    width: int = 1600,
) -> Image.Image:
    """Draw the same picture as an image of `width` pixels. The other arguments are those of `svg`.

    Raises:
        PictureError: as for `svg`, or the width is not from 200 to 6400.
    """
    if not 200 <= width <= 6400:
        raise PictureError(f"width: {width} is not from 200 to 6400 pixels")
    picture = _Picture(
        network, lamps or {}, log_lamps or {}, pawns or {}, routes, windows, frozenset(surfacing), mark, log, tally,
        caption,
    )  # fmt: skip
    canvas = Pixels(WIDTH, picture.height, NIGHT, width)
    picture.draw(canvas)
    return canvas.finish()


def panel_content(view: PublicView) -> dict[str, Any]:
    """Return the content of the panel below a board: the public log, or the tally that replaces it."""
    return {
        "windows": view.windows,
        "log": view.log,
        "surfacing": view.marked,
        "mark": gettext("Mister X vanishes") if view.in_sight else gettext("Mister X surfaces"),
        "tally": game_ui(view).tally(view),
    }


@dataclass(frozen=True)
class _Picture:
    """A checked description of a picture, which `svg` and `png` draw."""

    network: Network
    lamps: Mapping[int, Colour]
    log_lamps: Mapping[int, Colour]
    pawns: Mapping[str, int]
    routes: Mapping[str, Sequence[int]]
    windows: int
    surfacing: frozenset[int]
    mark: str
    log: Sequence[LogEntry]
    tally: Mapping[str, tuple[int, int]]
    caption: str
    board: BoardMap = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", BoardMap(self.network))
        self._check_stations("lamps", self.lamps)
        self._check_stations("pawns", self.pawns.values())
        for pawn, route in self.routes.items():
            if pawn not in ROUTES:
                raise PictureError(f"routes: {pawn!r} is unknown; known are {', '.join(ROUTES)}")
            self._check_stations("routes", route)
        for pawn in self.pawns:
            if pawn not in PAWNS:
                raise PictureError(f"pawns: {pawn!r} is unknown; known are {', '.join(PAWNS)}")
        if not 0 <= self.windows <= 24:
            raise PictureError(f"windows: {self.windows} is not from 0 to 24")
        for side, (won, needed) in self.tally.items():
            if not 0 <= won <= needed <= 24:
                raise PictureError(f"tally: {side}: {won} of {needed}; write 0 to 24, and no more won than needed")
        self._check_windows("surfacing", self.surfacing, self.windows)
        self._check_windows("log", [entry.window for entry in self.log], self.windows)
        self._check_windows("log_lamps", self.log_lamps, sum(n for _, n in self.tally.values()) or self.windows)
        self._check_colours("lamps", self.lamps.values())
        self._check_colours("log_lamps", self.log_lamps.values())

    def _check_windows(self, what: str, windows: Collection[int], last: int) -> None:
        for window in windows:
            if not 1 <= window <= last:
                raise PictureError(f"{what}: there is no window {window}; they run from 1 to {last}")

    def _check_colours(self, what: str, colours: Collection[Colour]) -> None:
        for colour in colours:
            if len(colour) != 3 or not all(0 <= part <= 255 for part in colour):
                raise PictureError(f"{what}: {colour!r} is no colour: red, green and blue run from 0 to 255")

    def _check_stations(self, what: str, stations: Collection[int]) -> None:
        for station in stations:
            if station not in self.network.stations:
                raise PictureError(f"{what}: there is no station {station} on {self.network.name}")

    @property
    def height(self) -> float:
        """The height of the whole picture."""
        return self.board.height + legend_panel.HEIGHT

    def draw(self, canvas: Canvas) -> None:
        places, radius = self.board.places, self.board.radius
        fade = self.board.style.fade if self.routes else 0.0
        self.board.draw_ground(canvas, fade)
        for number, colour in self.lamps.items():
            canvas.glow(places[number], radius * 3.6, colour, name=f"lamp-{number}")
        self.board.draw_stations(canvas, self.lamps, fade)
        stands = self._stands()
        if self.routes:
            above = [*map(_covered_by, stands), *((at, (2 * ring + 7.5,) * 2) for _, at, ring in self._rings())]
            draw_routes(canvas, self.board, self.routes, self.log, bodies=above)
        for pawn, at, ring in self._rings():
            if pawn == MR_X:
                canvas.arc(at, ring, (0, 360), OUTLINE, 7.5)
            canvas.arc(at, ring, (0, 360), PAWNS[pawn], 3.5)
        for pawn, foot, lean in stands:
            draw_pawn(canvas, foot, pawn, lean)
        panel = legend_panel.LegendPanel(
            self.network, self.log_lamps, self.windows, self.surfacing, self.mark, self.log, self.tally
        )
        legend_panel.draw(canvas, panel, (WIDTH, self.height), self.caption)

    def _together(self) -> Mapping[int, Sequence[str]]:
        """Return the pawns on each station, in the order to draw: stations higher in the picture first."""
        found: dict[int, list[str]] = {}
        for pawn in PAWNS:
            if pawn in self.pawns:
                found.setdefault(self.pawns[pawn], []).append(pawn)
        return dict(sorted(found.items(), key=lambda item: self.board.places[item[0]][1]))

    def _rings(self) -> Iterator[tuple[str, Point, float]]:
        """Yield each pawn with the centre and the radius of its ring, a coloured circle around its station."""
        walked = {station for route in self.routes.values() for station in route}
        for station, group in self._together().items():
            radius = disc_radius(self.board) if station in walked else self.board.radius
            for n, pawn in enumerate(group):
                yield pawn, self.board.places[station], radius + 3.5 + 4 * n

    def _stands(self) -> list[_Stand]:
        places, stands = self.board.places, []
        for station, group in self._together().items():
            (x, y), lean = place_pawn(station, places, self.board.radius, max(map(pawn_size, group)))
            left = x - _SPACE * sum(map(pawn_size, group)) / 2
            for n, pawn in enumerate(group):
                middle = left + _SPACE * pawn_size(pawn) / 2
                most = _MOST if pawn in FUGITIVES else math.inf
                stands.append((pawn, (middle, y), max(-most, min(most, lean + _FAN * (n - (len(group) - 1) / 2)))))
                left += _SPACE * pawn_size(pawn)
        return stands


def _covered_by(stand: _Stand) -> Box:
    """Return the box that a drawn pawn covers, its edge and shadow included."""
    pawn, foot, lean = stand
    turned = _turning(pawn, foot, lean)
    if pawn in FUGITIVES:
        points, edge = turned(_both_sides(_COAT)), 4.6 * pawn_size(pawn)
    else:
        (x, y), radius = turned([_HEAD[0]])[0], _HEAD[1]
        points, edge = [*turned(_both_sides(_BODY)), (x - radius, y - radius), (x + radius, y + radius)], 1.0
    (left, right), (top, low) = ((min(values), max(values)) for values in zip(*points, strict=True))
    return ((left + right) / 2, (top + low) / 2), (right - left + 2 * edge, low - top + 2 * edge)
