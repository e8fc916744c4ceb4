"""Draw the routes of Mister X's pawns as bold lines on a dark board, small enough for a list of games. Pure.

In the browser `static/board/route_line.js` draws the same; a list of games needs no board for these pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from firmware_host.rules.actions import MR_X
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point, Svg, mix
from firmware_host.ui.drawing.paper import WIDTH
from firmware_host.ui.drawing.style import DARK, GREY, PAINT, PAWNS, TICKETS

STAGE: Colour = (13, 18, 32)
"""The ground of a game's end, by day and by night."""

GILT: Colour = (255, 243, 207)
CHALK: Colour = (255, 250, 240)

_Leg = tuple[Sequence[Point], Colour]


def svg(board: BoardMap, routes: Mapping[str, Sequence[int]], paid: Sequence[str]) -> str:
    """Render the routes as an SVG document.

    Args:
        board: the map, or the tiles as they lie.
        routes: "mr_x" or "mr_x_junior" -> its stations, the start first.
        paid: Mister X's ticket for each station after his start; empty where no tickets are open.
    """
    canvas = Svg(WIDTH, board.height, STAGE)
    lines: dict[tuple[int, int], dict[str, Sequence[Point]]] = {}
    for track in board.tracks():
        link = track.link
        canvas.line(track.points, mix(PAINT.get(link.transport, GREY), STAGE, 0.68), 5)
        lines.setdefault((link.a, link.b), {})[link.transport] = track.points
    for pawn, route in routes.items():
        tickets = paid if pawn == MR_X else ()
        legs: list[_Leg] = []
        for number, (start, end) in enumerate(pairwise(route)):
            ticket = tickets[number] if number < len(tickets) else ""
            ways = lines.get((start, end)) or lines.get((end, start)) or {"": (board.places[start], board.places[end])}
            legs.append((ways.get(ticket) or next(iter(ways.values())), TICKETS.get(ticket, GILT)))
        _draw(canvas, legs, GILT if pawn == MR_X else PAWNS[pawn])
        for station, radius in ((route[0], 24.0), (route[-1], 36.0)) if route else ():
            canvas.disc(board.places[station], radius, CHALK, edge=DARK, edge_width=6)
    return canvas.finish()


def _draw(canvas: Canvas, legs: Sequence[_Leg], gilt: Colour) -> None:
    """Draw a route, each of its layers below the next from end to end."""
    for points, _ in legs:
        canvas.line(points, DARK, 38)
    for points, _ in legs:
        canvas.line(points, gilt, 30)
    for points, paint in legs:
        canvas.line(points, paint, 14)
