"""Draw what all wiring diagrams share: landscape A4 sheets, colours, and the symbols of parts.

Lengths are in units of a quarter of a millimetre on A4. `x` goes to the right, `y` down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from firmware_host.ui.drawing.canvas import Canvas, Colour, Point

WIDTH, HEIGHT = 1188.0, 840.0
"""Landscape A4, in units."""

MILLIMETRES = (297, 210)
"""Landscape A4, in millimetres."""

EDGE = 44.0
"""The margin on all sides."""

PAPER: Colour = (255, 255, 255)
INK: Colour = (24, 28, 36)
GREY: Colour = (104, 110, 122)
PALE: Colour = (228, 231, 236)
VOLTS_5: Colour = (196, 24, 24)
VOLTS_3_3: Colour = (196, 104, 0)
GROUND: Colour = (0, 0, 0)

OWNERS: dict[str, Colour] = {
    "switches": (16, 84, 176),
    "lamps": (14, 122, 60),
    "handset": (134, 36, 150),
    "display": (0, 122, 130),
    "keys": (140, 78, 20),
}
"""The colour of the wires of each section's devices."""

SMALL, NORMAL, LARGE, HUGE = 10.0, 12.0, 15.0, 23.0
"""Sizes of letters: 2.5 mm, 3 mm, 3.75 mm and 5.75 mm."""

_THIN, _THICK = 1.6, 2.6


def paged(name: str, drawer: Callable[..., None], count: int) -> dict[str, Callable[..., None]]:
    """Return the drawing functions of a sheet's pages, named "chips", "chips-2" and so on."""
    return {name if page == 0 else f"{name}-{page + 1}": partial(drawer, page=page) for page in range(count)}


def head(canvas: Canvas, title: str, source: str) -> None:
    """Draw a sheet's title, and the name of its configuration file."""
    canvas.text((EDGE, 40), title, HUGE, INK, anchor="start")
    canvas.text((WIDTH - EDGE, 40), f"drawn by yardboard from {source}", SMALL, GREY, anchor="end")
    canvas.line([(EDGE, 58), (WIDTH - EDGE, 58)], GREY, 1)


def lines(canvas: Canvas, at: Point, texts: Sequence[str], *, size: float = NORMAL, colour: Colour = INK) -> None:
    """Write lines of text, one below the other. `at` is the start of the first."""
    for number, text in enumerate(texts):
        canvas.text((at[0], at[1] + number * 1.5 * size), text, size, colour, anchor="start")


def notes(canvas: Canvas, texts: Sequence[str]) -> None:
    """Write notes at the bottom of a sheet."""
    lines(canvas, (EDGE, HEIGHT - EDGE - (len(texts) - 1) * 1.5 * NORMAL), texts)


def wire(canvas: Canvas, points: Sequence[Point], colour: Colour = INK, *, name: str = "") -> None:
    """Draw a wire through these points."""
    canvas.line(points, colour, _THIN, name=name)


def rail(canvas: Canvas, points: Sequence[Point], colour: Colour) -> None:
    """Draw a thicker wire, to which many others are joined."""
    canvas.line(points, colour, _THICK)


def dot(canvas: Canvas, at: Point, colour: Colour = INK) -> None:
    """Draw the dot that shows where wires are joined."""
    canvas.disc(at, 3.4, colour)


def box(canvas: Canvas, left: float, top: float, wide: float, high: float, *, fill: Colour = PAPER) -> None:
    """Draw a part as a filled rectangle."""
    corners = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
    canvas.shape(corners, fill, edge=INK, edge_width=_THIN)


def ground(canvas: Canvas, at: Point, *, up: bool = False) -> None:
    """Draw the symbol for ground, 12 units high, hanging from a point or standing on it."""
    x, y = at
    for step, half in enumerate((9, 6, 3)):
        level = y + (4 + 4 * step) * (-1 if up else 1)
        wire(canvas, [(x - half, level), (x + half, level)], GROUND)
    wire(canvas, [at, (x, y + (-4 if up else 4))], GROUND)


def resistor(canvas: Canvas, start: Point, end: Point) -> None:
    """Draw a resistor in the middle of a straight wire that is at least 30 units long."""
    wire(canvas, [start, end])
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    wide, high = (7.0, 22.0) if start[0] == end[0] else (22.0, 7.0)
    box(canvas, x - wide / 2, y - high / 2, wide, high)


def capacitor(canvas: Canvas, top: Point, high: float, *, plus: bool = False) -> None:
    """Draw a capacitor in a vertical wire. `plus` marks the upper plate as positive."""
    x, y = top
    middle = y + high / 2
    wire(canvas, [top, (x, middle - 4)])
    wire(canvas, [(x, middle + 4), (x, y + high)])
    for level in (middle - 4, middle + 4):
        canvas.line([(x - 12, level), (x + 12, level)], INK, _THICK)
    if plus:
        canvas.text((x - 20, middle - 1), "+", LARGE, INK)


def contact(canvas: Canvas, start: Point, end: Point, *, reed: bool = True) -> None:
    """Draw an open contact in a horizontal wire: a reed switch in its glass, or a push button."""
    (left, y), (right, _) = start, end
    middle, half = (left + right) / 2, min(16.0, (right - left) * 0.3)
    wire(canvas, [start, (middle - half, y)])
    wire(canvas, [(middle + half, y), end])
    if reed:
        glass = [(middle - half, y - 7), (middle + half, y - 7), (middle + half, y + 7), (middle - half, y + 7)]
        canvas.shape(glass, PAPER, edge=GREY, edge_width=1.2)
        wire(canvas, [(middle - half, y), (middle - half * 0.1, y)])
        wire(canvas, [(middle + half, y), (middle + half * 0.45, y), (middle - half * 0.4, y - 5)])
    else:
        for x in (middle - half, middle + half):
            canvas.disc((x, y), 2.6, PAPER, edge=INK, edge_width=_THIN)
        wire(canvas, [(middle - half, y - 7), (middle + half, y - 7)])
        wire(canvas, [(middle, y - 7), (middle, y - 13)])


def diode(canvas: Canvas, top: Point, bottom: Point) -> None:
    """Draw a diode in a vertical wire. The current flows down, to the diode's bar."""
    wire(canvas, [top, bottom])
    x, y = top[0], (top[1] + bottom[1]) / 2
    half = min(7.0, (bottom[1] - top[1]) * 0.28)
    canvas.shape([(x - half, y - half), (x + half, y - half), (x, y + half)], INK)
    canvas.line([(x - half, y + half), (x + half, y + half)], INK, _THICK)


def arrow(canvas: Canvas, tip: Point, colour: Colour = INK, *, left: bool = False) -> None:
    """Draw an arrowhead that points to the right, or to the left."""
    back = 9 if left else -9
    canvas.shape([tip, (tip[0] + back, tip[1] - 5), (tip[0] + back, tip[1] + 5)], colour)
