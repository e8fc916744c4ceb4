"""Define how to draw boards: colours, small shapes, and the differences between games' boards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point, mix
from firmware_host.ui.drawing.line_routing import Track
from firmware_host.ui.drawing.paper import artwork_name

NIGHT: Colour = (13, 18, 32)
WATER: Colour = (29, 52, 79)
PANEL: Colour = (21, 28, 46)
PLATE: Colour = (33, 43, 68)
PALE: Colour = (241, 238, 228)
DIM: Colour = (148, 158, 176)
DARK: Colour = (21, 17, 11)
GOLD: Colour = (246, 214, 128)
INK: Colour = (12, 14, 20)

PAINT: dict[str, Colour] = {
    "taxi": (244, 196, 48),
    "bus": (53, 181, 151),
    "underground": (226, 72, 72),
    "boat": (92, 160, 240),
}
PAWNS: dict[str, Colour] = {
    "red": (229, 67, 63),
    "yellow": (246, 201, 21),
    "green": (53, 178, 74),
    "blue": (74, 131, 242),
    "purple": (164, 92, 214),
    "white": (255, 255, 255),
    "mr_x": (21, 18, 29),
    "mr_x_junior": (74, 131, 242),
}
OUTLINE: Colour = (255, 255, 255)
"""The outline of the pawns that wear a coat and a hat: Mister X's and X Junior's."""
SEAM: Colour = (141, 144, 163)
"""The seams of their coats."""
ROUTES: dict[str, Colour] = {"mr_x": (255, 243, 207), "mr_x_junior": (188, 212, 255)}
"""The colours of the routes of Mister X's pawns."""
TICKETS: dict[str, Colour] = {
    **PAINT,
    "black": (23, 19, 31),
    "free": (160, 220, 255),
    "helicopter": (255, 143, 189),
}
"""The colours of tickets, and of dice, on Mister X's log; all others are grey."""
GREY: Colour = (154, 162, 177)


def draw_line(canvas: Canvas, points: Sequence[Point], transport: str, fade: float, name: str) -> None:
    """Draw a piece of a line in its transport's colour and dash pattern. The pattern helps colour-blind people."""
    paint = mix(PAINT[transport], NIGHT, fade)
    match transport:
        case "taxi":
            canvas.line(points, mix(paint, NIGHT, 0.2), 1.8, name=name)
        case "bus":
            canvas.line(points, paint, 4.6, name=name)
            canvas.line(points, NIGHT, 1.5)
        case "underground":
            canvas.line(points, mix(paint, NIGHT, 0.7), 5)
            canvas.line(points, paint, 5, dash=(9, 11), name=name)
        case "boat":
            canvas.line(points, paint, 5, dash=(0.1, 11), name=name)


def draw_head(canvas: Canvas, tip: Point, angle: float, paint: Colour) -> None:
    """Draw the head of an arrow with its tip at a point, in the direction of an angle."""
    x, y = tip
    barbs = [(x + 15 * math.cos(angle + turn), y + 15 * math.sin(angle + turn)) for turn in (2.6, -2.6)]
    canvas.shape([tip, *barbs], paint, edge=DARK, edge_width=1.5)


def box(left: float, top: float, wide: float, high: float) -> list[Point]:
    """Return the corners of a rectangle with bevelled corners."""
    right, low, cut = left + wide, top + high, 4.0
    return [
        (left + cut, top), (right - cut, top), (right, top + cut), (right, low - cut),
        (right - cut, low), (left + cut, low), (left, low - cut), (left, top + cut),
    ]  # fmt: skip


def ink(fill: Colour) -> Colour:
    """Return the colour of text that is readable on this background."""
    red, green, blue = fill
    return DARK if 0.3 * red + 0.59 * green + 0.11 * blue > 110 else PALE


N = TypeVar("N", bound=Network)


class BoardStyle(Generic[N]):
    """The style in which a kind of board is drawn. Boards other than a printed map override methods.

    Attributes:
        lines: the transports whose lines are drawn, the lowest first.
        fade: how much the lines fade behind a route, from 0 to 1.
        laid: whether the board's artwork is composed for each game from parts in a file.
    """

    lines: ClassVar[tuple[str, ...]] = ("underground", "bus", "taxi", "boat")
    fade: ClassVar[float] = 0.55
    laid: ClassVar[bool] = False

    def share(self, network: N) -> float:
        """Return how much of the board's height is drawn, counted from the top, as a fraction from 0 to 1."""
        return 1.0

    def artwork(self, network: N) -> str:
        """Return the name of the file that contains the board's artwork."""
        return artwork_name(network)

    def lay_artwork(self, file: str, network: N, places: Mapping[int, Point], height: float) -> str:
        """Return a board's artwork document, made from its file. By default it is the file's content.

        Args:
            file: the content of the artwork file.
            network: the map.
            places: each station's centre, in drawing units.
            height: the height of the board, in drawing units.
        """
        return file

    def draw_ground(self, canvas: Canvas, network: N, places: Mapping[int, Point]) -> None:
        """Draw the background, below everything else. By default this draws nothing."""

    def draw_over_lines(self, canvas: Canvas, network: N, tracks: Sequence[Track], fade: float) -> None:
        """Draw additions on top of the lines, such as arrows. By default this draws nothing."""

    def legend(self, network: N) -> list[str]:
        """Return the words that the legend explains."""
        return [t for t in TRANSPORTS if any(link.transport == t for link in network.links)]

    def draw_sample(self, canvas: Canvas, at: Point, word: str) -> None:
        """Draw an example of the thing that a word of the legend names."""
        x, y = at
        draw_line(canvas, ((x, y), (x + 52, y)), word, 0, "")
