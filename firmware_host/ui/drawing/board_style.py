"""Define how a kind of board is drawn; the default is a printed map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.ui.drawing.canvas import Canvas, Point
from firmware_host.ui.drawing.line_routing import Track
from firmware_host.ui.drawing.style import draw_line
from firmware_host.ui.map_artwork import artwork_name

N = TypeVar("N", bound=Network)


class BoardStyle(Generic[N]):
    """The way of drawing a kind of board.

    Attributes:
        lines: the transports whose lines are drawn, the lowest first.
        fade: how much the lines fade behind a route, from 0 to 1.
        laid: whether its artwork is composed for each game from parts in a file.
    """

    lines: ClassVar[tuple[str, ...]] = ("underground", "bus", "taxi", "boat")
    fade: ClassVar[float] = 0.55
    laid: ClassVar[bool] = False

    def share(self, network: N) -> float:
        """Return the share of the board's height that is drawn, from the top."""
        return 1.0

    def artwork(self, network: N) -> str:
        """Return the name of the file with its artwork."""
        return artwork_name(network)

    def lay_artwork(self, file: str, network: N, places: Mapping[int, Point], height: float) -> str:
        """Return the document of a board from the content of its artwork file; by default the content itself.

        Args:
            file: the content.
            network: the map.
            places: each station's centre, in units.
            height: the height of the board, in units.
        """
        return file

    def draw_ground(self, canvas: Canvas, network: N, places: Mapping[int, Point]) -> None:
        """Draw the layer below everything else; by default nothing."""

    def draw_over_lines(self, canvas: Canvas, network: N, tracks: Sequence[Track], fade: float) -> None:
        """Draw the layer over the lines; by default nothing."""

    def legend(self, network: N) -> list[str]:
        """Return the words of the legend."""
        return [t for t in TRANSPORTS if any(link.transport == t for link in network.links)]

    def draw_sample(self, canvas: Canvas, at: Point, word: str) -> None:
        """Draw a sample of a legend word's meaning."""
        x, y = at
        draw_line(canvas, ((x, y), (x + 52, y)), word, 0, "")
