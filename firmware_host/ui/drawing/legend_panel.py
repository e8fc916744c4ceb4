"""Draw the panel below the board: a line of text, the log or the tally, and the legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from firmware_host.rules.network import Network
from firmware_host.rules.views import LogEntry
from firmware_host.system.language import gettext, gettext_noop
from firmware_host.ui.drawing.board_style import DARK, DIM, GOLD, GREY, NIGHT, PALE, PANEL, PLATE, TICKETS, box, ink
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point
from firmware_host.ui.drawing.paper import EDGE
from firmware_host.ui.games.board_registry import board_style
from firmware_host.ui.vocabulary import side_name, ticket_letter

HEIGHT = 148.0
_STEP, _HIGH = 47.0, 78.0
_LEGEND = {
    "taxi": gettext_noop("taxi"),
    "bus": gettext_noop("bus"),
    "underground": gettext_noop("underground"),
    "boat": gettext_noop("boat"),
    "one way": gettext_noop("one way"),
}


@dataclass(frozen=True, slots=True)
class LegendPanel:
    """The content of the panel below the board, as in `board_picture.svg`.

    There, `lamps` is called `log_lamps`, and `marked` is called `surfacing`.
    """

    network: Network
    lamps: Mapping[int, Colour]
    windows: int
    marked: frozenset[int]
    mark: str
    log: Sequence[LogEntry]
    tally: Mapping[str, tuple[int, int]]


def draw(canvas: Canvas, panel: LegendPanel, corner: Point, caption: str) -> None:
    """Draw the panel below the board. `corner` is the picture's lower right corner."""
    width, bottom = corner
    top = bottom - HEIGHT
    canvas.shape([(0, top), (width, top), (width, bottom), (0, bottom)], PANEL)
    caption = caption if len(caption) <= 100 else caption[:99] + "…"
    canvas.text((EDGE + 4, top + 28), caption or gettext(panel.network.title), 21, PALE, anchor="start", name="caption")
    if panel.tally:
        _draw_tally(canvas, panel, top + 50)
    else:
        _draw_log(canvas, panel, top + 50)
    _draw_legend(canvas, panel, top + 50)


def _draw_log(canvas: Canvas, panel: LegendPanel, top: float) -> None:
    for window in range(1, panel.windows + 1):
        left = _window_x(window)
        marked = window in panel.marked
        frame = box(left, top, _STEP - 7, _HIGH)
        canvas.shape(frame, NIGHT, edge=GOLD if marked else PLATE, edge_width=2.5, name=f"window-{window}")
        canvas.text((left + 6, top + 14), str(window), 15, GOLD if marked else DIM, anchor="start")
        _draw_lamp(canvas, (left + 31, top + 13), 5.5, panel.lamps.get(window), f"log-lamp-{window}")
    for entry in panel.log:
        _draw_entry(canvas, entry, top)
    for first in panel.log:
        if first.double == 1:
            _draw_bracket(canvas, first.window, len(panel.log), top + _HIGH)


def _window_x(window: int) -> float:
    return EDGE + 4 + (window - 1) * _STEP


def _draw_entry(canvas: Canvas, entry: LogEntry, top: float) -> None:
    """Draw a filled window of the log: the ticket's letter on its colour, and the station if it is public."""
    left = _window_x(entry.window)
    paint = TICKETS.get(entry.ticket, GREY)
    edge = PALE if ink(paint) == PALE else DARK
    name = f"ticket-{entry.window}"
    canvas.shape(box(left + 7, top + 27, _STEP - 21, 22), paint, edge=edge, edge_width=1.5, name=name)
    middle = left + (_STEP - 7) / 2
    canvas.text((middle, top + 38), ticket_letter(entry.ticket), 15, ink(paint), name=f"letter-{name}")
    if entry.station is not None:
        canvas.text((middle, top + 64), str(entry.station), 15, PALE, name=f"open-{entry.window}")


def _draw_bracket(canvas: Canvas, first: int, filled: int, low: float) -> None:
    """Draw the bracket around the halves of a double move, or around one half if the log ends there."""
    last = min(first + 1, filled)
    left, right = _window_x(first) + 8, _window_x(last) + _STEP - 15
    bracket = [(left, low + 4), (left, low + 9), (right, low + 9), (right, low + 4)]
    canvas.line(bracket, PALE, 2.5, name=f"double-{first}")


def _draw_lamp(canvas: Canvas, at: Point, radius: float, lamp: Colour | None, name: str) -> None:
    if lamp is not None:
        canvas.glow(at, radius * 2.45, lamp, name=name)
    canvas.disc(at, radius, lamp or PLATE)


def _draw_tally(canvas: Canvas, panel: LegendPanel, top: float) -> None:
    """Draw a frame for each side with a place for each chip. A chip that was won has a golden rim."""
    left, first = EDGE + 4, 1
    for side, (won, needed) in panel.tally.items():
        wide = 18 + max(3.0, needed) * _STEP
        canvas.shape(box(left, top, wide, _HIGH), NIGHT, edge=PLATE, edge_width=2.5, name=f"chips-{side}")
        title = gettext("{side} {won} of {needed}", side=side_name(side), won=won, needed=needed)
        canvas.text((left + 16, top + 17), title, 15, DIM, anchor="start")
        for n in range(needed):
            at = (left + 9 + (n + 0.5) * _STEP, top + 50)
            _draw_lamp(canvas, at, 11, panel.lamps.get(first + n), f"log-lamp-{first + n}")
            if n < won:
                canvas.disc(
                    at, 14, panel.lamps.get(first + n, PALE), edge=GOLD, edge_width=3, name=f"chip-{side}-{n + 1}"
                )
        left, first = left + wide + 14, first + needed


def _draw_legend(canvas: Canvas, panel: LegendPanel, top: float) -> None:
    left = EDGE + 4 + 24 * _STEP + 26
    style = board_style(panel.network)
    for n, word in enumerate(style.legend(panel.network)):
        x, y = left + (n % 2) * 205, top + 12 + (n // 2) * 28
        style.draw_sample(canvas, (x, y), word)
        canvas.text((x + 66, y), gettext(_LEGEND.get(word, word)), 16, PALE, anchor="start")
    if panel.marked:
        canvas.shape(box(left + 14, top + 57, 24, 20), NIGHT, edge=GOLD, edge_width=2.5)
        canvas.text((left + 66, top + 67), panel.mark, 16, PALE, anchor="start")
