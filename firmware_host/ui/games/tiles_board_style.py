"""Draw tiles under their places, and the arrows of their one-way streets (DI-01, DI-06)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.rules.dice.tiles import TRAY, Tiling
from firmware_host.ui.drawing.board_style import DARK, NIGHT, PAINT, PALE, PLATE, BoardStyle, box, draw_head
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point, mix
from firmware_host.ui.drawing.line_routing import Track
from firmware_host.ui.games.tile_pictures_on_board import lay_tiles, one_way, tiles_artwork_name

_DARK_SIDE: Colour = (25, 32, 46)
_LIGHT_SIDE: Colour = (46, 56, 76)
_GAP = 5.0  # between one tile and the next
_ONE_WAY = "one way"
"""The legend's word for one-way streets."""


class TilesStyle(BoardStyle[Tiling]):
    """The style of tiles. The underground goes anywhere, so rings around its stops are enough."""

    lines = ("bus", "taxi", "boat")
    fade = 0.25
    laid = True

    def share(self, network: Tiling) -> float:
        """Return the share of the tray's height that the tiles take, without its empty part."""
        return len(network.rows) / TRAY

    def artwork(self, network: Tiling) -> str:
        """Return the name of the file with its tiles' artwork."""
        return tiles_artwork_name(network.tile_set)

    def lay_artwork(self, file: str, network: Tiling, places: Mapping[int, Point], height: float) -> str:
        """Return the document of a board from its tiles' artwork."""
        return lay_tiles(file, network, places, height)

    def draw_ground(self, canvas: Canvas, network: Tiling, places: Mapping[int, Point]) -> None:
        """Draw each tile with its letter. The light side has a small letter and brighter ground."""
        for i, row in enumerate(network.layout.split()):
            for j, letter in enumerate(row):
                first, last = network.rows[2 * i][2 * j], network.rows[2 * i + 1][2 * j + 1]
                _draw_tile(canvas, letter, places[first], places[last])

    def draw_over_lines(self, canvas: Canvas, network: Tiling, tracks: Sequence[Track], fade: float) -> None:
        """Draw an arrow on each stretch of a one-way ride."""
        for transport, at, angle in one_way(network, tracks):
            draw_head(canvas, at, angle, mix(PAINT[transport], NIGHT, fade))

    def legend(self, network: Tiling) -> list[str]:
        """Return the words of the legend, one-way streets only if there are any."""
        return [*super().legend(network), *([_ONE_WAY] if network.barred else [])]

    def draw_sample(self, canvas: Canvas, at: Point, word: str) -> None:
        """Draw a sample, of which the underground has only the stops."""
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
    """Draw a tile, given the centres of its first and its last place."""
    (left, top), (right, low) = first, last
    half = (right - left) / 2
    ground = _DARK_SIDE if letter.isupper() else _LIGHT_SIDE
    frame = box(left - half + _GAP, top - half + _GAP, 4 * half - 2 * _GAP, 4 * half - 2 * _GAP)
    canvas.shape(frame, ground, edge=mix(ground, PALE, 0.12), edge_width=3, name=f"tile-{letter.upper()}")
    middle = ((left + right) / 2, (top + low) / 2)
    canvas.text(middle, letter, 92, mix(ground, PALE, 0.13), name=f"letter-{letter.upper()}")
