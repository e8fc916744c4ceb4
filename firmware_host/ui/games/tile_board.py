"""Draw the tiles and lines of the dice game's board, and compose its artwork (DI-01, DI-06).

The tiles' artwork is drawn when the package is built. The lines are drawn here, because bus lines run across tiles.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from firmware_host.rules.dice.tiles import TRAY, Tiling
from firmware_host.ui.drawing.board_style import DARK, NIGHT, PAINT, PALE, PLATE, BoardStyle, box, draw_head
from firmware_host.ui.drawing.canvas import Canvas, Colour, mix
from firmware_host.ui.drawing.line_routing import Point, Track, tracks
from firmware_host.ui.drawing.paper import EDGE, TILE_SCALE, WIDTH, tile_size, tiles_artwork_name

TILE = tile_size(TRAY)
"""Width and height of a tile on the board, in drawing units."""

_LANE = 5.6 * TILE_SCALE  # distance between lines in the same street
_SIDE = re.compile(r'^<g id="(?:ground|stops)-(\w)">.*\n', re.MULTILINE)
_AHEAD = {"taxi": 2, "bus": 17}  # how far a tip lies before a stretch's middle, so that arrows do not hide each other
_LAYERS = (("bc", "bus"), ("tc", "taxi"), ("b", "bus"), ("t", "taxi"))


def draw_tiles(sheet: str, network: Tiling, places: Mapping[int, Point], height: float) -> str:
    """Return the SVG document of a board, composed from its tiles' artwork.

    Args:
        sheet: the document with all tiles' drawings.
        network: the tiles in their layout.
        places: the middle of each place, in drawing units.
        height: the height of the board, in drawing units.
    """
    laid = network.layout.replace(" ", "")
    spots = [
        (letter, EDGE + TILE * column, EDGE + TILE * row)
        for row, letters in enumerate(network.layout.split())
        for column, letter in enumerate(letters)
    ]
    layers = [_tiles("ground", spots), _lines(network, places), _tiles("stops", spots)]
    whole = _SIDE.sub(lambda side: side[0] if side[1] in laid else "", sheet)
    whole = whole.replace(
        '<g id="board"/>', f'<rect class="sheet" width="{WIDTH:g}" height="{height:.1f}"/>' + "".join(layers)
    )
    return re.sub(r'viewBox="[^"]*"', f'viewBox="0 0 {WIDTH:g} {height:.2f}"', whole, count=1)


def stretch_middles(line: Sequence[Point], stretches: int) -> list[tuple[Point, float]]:
    """Divide a line into equal stretches. Return the middle of each, and its direction in radians."""
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


def one_way(network: Tiling, found: Iterable[Track]) -> list[tuple[str, Point, float]]:
    """Return an arrow for each stretch of a one-way ride: transport, place and direction."""
    arrows = []
    for track in found:
        link = track.link
        forth = (link.a, link.b, link.transport) not in network.barred
        back = (link.b, link.a, link.transport) not in network.barred
        if forth != back:
            for at, angle in stretch_middles(track.points, 1 + len(link.via)):
                arrows.append((link.transport, at, angle if forth else angle + math.pi))
    return arrows


def _tiles(layer: str, spots: Iterable[tuple[str, float, float]]) -> str:
    return "".join(
        f'<use href="#{layer}-{letter}" transform="translate({x:.2f} {y:.2f})scale({TILE_SCALE:g})"/>'
        for letter, x, y in spots
    )


def _lines(network: Tiling, places: Mapping[int, Point]) -> str:
    """Return the lines of taxis and buses, with their arrows. The underground has no lines."""
    found = tracks(network, places, _LANE)
    paths = {
        transport: "".join(_path(track.points) for track in found if track.link.transport == transport)
        for transport in ("taxi", "bus")
    }
    drawn = "".join(f'<path class="{layer}" d="{paths[transport]}"/>' for layer, transport in _LAYERS)
    fine = TILE_SCALE / 4  # the style's strokes are as wide as on a map that is drawn in quarters of a unit
    arrows = "".join(
        f'<path class="arrow {transport}" d="M{_AHEAD[transport]} 0l-15-7.5 3.5 7.5-3.5 7.5Z" '
        f'transform="translate({x:.1f} {y:.1f})rotate({math.degrees(angle):.0f})scale({TILE_SCALE:g})"/>'
        for transport, (x, y), angle in one_way(network, found)
    )
    return f'<g class="q" transform="scale({fine:g})" fill="none">{drawn}</g>{arrows}'


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x * 4 / TILE_SCALE:.0f} {y * 4 / TILE_SCALE:.0f}" for x, y in points)


_DARK_SIDE: Colour = (25, 32, 46)
_LIGHT_SIDE: Colour = (46, 56, 76)
_GAP = 5.0  # drawing units between one tile and the next
_ONE_WAY = "one way"
"""The legend's word for one-way streets."""


class TilesStyle(BoardStyle[Tiling]):
    """The style of a board of tiles.

    It draws no lines for the underground, because the underground links each stop with all others.
    """

    lines = ("bus", "taxi", "boat")
    fade = 0.25
    laid = True

    def share(self, network: Tiling) -> float:
        """Return the fraction of the board's height that the tiles cover, from 0 to 1."""
        return len(network.rows) / TRAY

    def artwork(self, network: Tiling) -> str:
        """Return the name of the file that contains the artwork of the tiles."""
        return tiles_artwork_name(network.tile_set)

    def lay_artwork(self, file: str, network: Tiling, places: Mapping[int, Point], height: float) -> str:
        """Return a board's artwork, composed from its tiles' artwork."""
        return draw_tiles(file, network, places, height)

    def draw_ground(self, canvas: Canvas, network: Tiling, places: Mapping[int, Point]) -> None:
        """Draw each tile with its letter. If its light side is up, the letter is small and the tile bright."""
        for i, row in enumerate(network.layout.split()):
            for j, letter in enumerate(row):
                first, last = network.rows[2 * i][2 * j], network.rows[2 * i + 1][2 * j + 1]
                _draw_tile(canvas, letter, places[first], places[last])

    def draw_over_lines(self, canvas: Canvas, network: Tiling, tracks: Sequence[Track], fade: float) -> None:
        """Draw an arrow on each stretch of a one-way ride."""
        for transport, at, angle in one_way(network, tracks):
            draw_head(canvas, at, angle, mix(PAINT[transport], NIGHT, fade))

    def legend(self, network: Tiling) -> list[str]:
        """Return the words that the legend explains. One-way streets are among them only if there are any."""
        return [*super().legend(network), *([_ONE_WAY] if network.barred else [])]

    def draw_sample(self, canvas: Canvas, at: Point, word: str) -> None:
        """Draw an example for a word of the legend. The underground has no lines, so its example is a stop."""
        x, y = at
        if word == _ONE_WAY:
            super().draw_sample(canvas, at, "taxi")
            draw_head(canvas, (x + 33, y), 0, PAINT["taxi"])
        elif word == "underground":
            canvas.disc((x + 26, y), 11, PLATE, edge=DARK, edge_width=2)
            canvas.arc((x + 26, y), 9, (0, 360), PAINT[word], 4)
        else:
            super().draw_sample(canvas, at, word)


def _draw_tile(canvas: Canvas, letter: str, first: Point, last: Point) -> None:
    """Draw a tile, given the centres of its first and last places."""
    (left, top), (right, low) = first, last
    half = (right - left) / 2
    ground = _DARK_SIDE if letter.isupper() else _LIGHT_SIDE
    frame = box(left - half + _GAP, top - half + _GAP, 4 * half - 2 * _GAP, 4 * half - 2 * _GAP)
    canvas.shape(frame, ground, edge=mix(ground, PALE, 0.12), edge_width=3, name=f"tile-{letter.upper()}")
    middle = ((left + right) / 2, (top + low) / 2)
    canvas.text(middle, letter, 92, mix(ground, PALE, 0.13), name=f"letter-{letter.upper()}")
