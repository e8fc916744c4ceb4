"""Define how what a game is played on is drawn; by itself, a printed map."""

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
    """How a kind of board is drawn.

    Attributes:
        lines: the transports whose lines are drawn, the lowest first.
        fade: how far the lines step back behind a route, from 0 to 1.
        laid: whether its artwork is laid anew for each game, of what lies in a file.
    """

    lines: ClassVar[tuple[str, ...]] = ("underground", "bus", "taxi", "boat")
    fade: ClassVar[float] = 0.55
    laid: ClassVar[bool] = False

    def share(self, network: N) -> float:
        """Return the share of the board's height that is drawn, from above."""
        return 1.0

    def artwork(self, network: N) -> str:
        """Return the name of the file with its artwork."""
        return artwork_name(network)

    def lay_artwork(self, file: str, network: N, places: Mapping[int, Point], height: float) -> str:
        """Return the document of a board, given the content of its file; by itself that is the document.

        Args:
            file: the content.
            network: the map.
            places: each station's centre, in units.
            height: the height of the board, in units.
        """
        return file

    def draw_ground(self, canvas: Canvas, network: N, places: Mapping[int, Point]) -> None:
        """Draw what lies below everything else; by itself nothing."""

    def draw_over_lines(self, canvas: Canvas, network: N, tracks: Sequence[Track], fade: float) -> None:
        """Draw what lies on the lines; by itself nothing."""

    def legend(self, network: N) -> list[str]:
        """Return the words of the legend."""
        return [t for t in TRANSPORTS if any(link.transport == t for link in network.links)]

    def draw_sample(self, canvas: Canvas, at: Point, word: str) -> None:
        """Draw a sample of what a word of the legend means on the board."""
        x, y = at
        draw_line(canvas, ((x, y), (x + 52, y)), word, 0, "")
