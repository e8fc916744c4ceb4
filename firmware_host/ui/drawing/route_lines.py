"""Draw the routes of Mister X's pawns as bold lines, with rounds and tickets. Pure.

In the browser `static/board/route_line.js` draws the same lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from firmware_host.rules.actions import MR_X
from firmware_host.rules.views import LogEntry
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.drawing.board_style import GREY, INK, NIGHT, ROUTES, TICKETS, ink
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point, Svg
from firmware_host.ui.drawing.line_routing import bow
from firmware_host.ui.drawing.paper import WIDTH
from firmware_host.ui.vocabulary import ticket_letter

_CHALK: Colour = (255, 250, 240)
_LAYERS = 24.0, 18.0, 9.0  # widths of a line's case, its paint and the ticket's colour inside, in drawing units
_WIDER = 0.4  # the scale in pixels per unit below which lines are drawn wider, to stay visible
_DISC = 19.0  # the least radius of a disc, in drawing units
_NUMBER = 0.87  # the size of a number, as a share of the radius of its disc
_READABLE = 8.5  # the least size of numbers, in pixels; in a smaller picture only the ends have numbers
_LARGE = 12.0  # the size of those numbers, in pixels
_BESIDE = 14.0  # drawing units between the lines of two pawns that go the same way
_ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)  # shares of a leg at which its badge may be
_ASIDE = (12.0, 26.0, 42.0)  # drawing units between a leg and its badge beside it
_BADGE = 13.0  # the size of a badge's text, in drawing units
_HIGH, _DIGIT, _TICKET, _GAP, _PAD = 22.0, 8.0, 25.0, 5.0, 7.0  # the sizes of a badge, in drawing units
_LISTED = 0.25  # the scale in a list of games, in pixels per unit

Box = tuple[Point, Point]
"""The middle of a thing that is drawn, and its width and height."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A pawn's way between two stations, drawn once for all moves along it with the same ticket.

    Attributes:
        pawn: "mr_x" or "mr_x_junior".
        ticket: the ticket that paid for these moves; "" if tickets are secret or there are none.
        rounds: the rounds of these moves.
        points: the drawn line, from the station where the newest of these moves began.
        ends: the two stations of the line, in the same direction.
    """

    pawn: str
    ticket: str
    rounds: tuple[int, ...]
    points: tuple[Point, ...]
    ends: tuple[int, int]


def rounds_of(log: Sequence[LogEntry]) -> list[int]:
    """Return the round of each window of a log. Both halves of a double move belong to one round."""
    return list(accumulate(0 if entry.double == 2 else 1 for entry in log))


def legs_of(board: BoardMap, routes: Mapping[str, Sequence[int]], log: Sequence[LogEntry]) -> list[Leg]:
    """Return the legs of each route, in the order of their newest moves."""
    lines = _lines(board)
    found: dict[tuple[str, str, frozenset[int]], Leg] = {}
    paid = list(zip(rounds_of(log), (entry.ticket for entry in log), strict=True))
    walked: set[frozenset[int]] = set()  # by the pawns before
    for pawn, route in routes.items():
        for number, (start, end) in enumerate(pairwise(route)):
            if start == end:
                continue
            has_ticket = pawn == MR_X and number < len(paid)
            round_, ticket = paid[number] if has_ticket else (number + 1, "")
            key = pawn, ticket, frozenset((start, end))
            before = found.pop(key, None)
            points = _way(board, lines, start, end, ticket)
            if key[2] in walked:
                points = _shift(points, _BESIDE if start < end else -_BESIDE)
            rounds = (*(before.rounds if before else ()), round_)
            found[key] = Leg(pawn, ticket, rounds, points, (start, end))
        walked |= {frozenset(pair) for pair in pairwise(route)}
    return list(found.values())


def draw_routes(
    canvas: Canvas,
    board: BoardMap,
    routes: Mapping[str, Sequence[int]],
    log: Sequence[LogEntry],
    *,
    scale: float = 1.0,
    bodies: Iterable[Box] = (),
) -> None:
    """Draw the routes' lines and stations, and beside each leg its rounds and its ticket.

    Args:
        canvas: the canvas.
        board: the map.
        routes: pawn -> its stations, the start first.
        log: Mister X's tickets.
        scale: pixels per unit.
        bodies: boxes that are drawn later, such as pawns; badges avoid them.
    """
    legs = legs_of(board, routes, log)
    newest = {(leg.pawn, frozenset(leg.ends)): leg for leg in legs}
    grown = max(1.0, _WIDER / scale)
    case, paint, inside = (width * grown for width in _LAYERS)
    for leg in newest.values():
        canvas.line(leg.points, INK, case)
    for leg in newest.values():
        name = f"route{'' if leg.pawn == MR_X else f'-{leg.pawn}'}-{leg.ends[0]}-{leg.ends[1]}"
        canvas.line(leg.points, ROUTES[leg.pawn], paint, name=name)
        if leg.ticket:
            canvas.line(leg.points, TICKETS.get(leg.ticket, GREY), inside)
    radius = disc_radius(board)
    is_readable = _NUMBER * radius * scale >= _READABLE
    ends = {station for route in routes.values() for station in (*route[:1], *route[-1:])}
    taken = list(bodies)
    for station in dict.fromkeys(station for route in routes.values() for station in route):
        has_number = is_readable or station in ends
        size = radius if is_readable or not has_number else _LARGE / _NUMBER / scale
        canvas.disc(board.places[station], size, _CHALK, edge=INK, edge_width=3 * grown)
        if has_number:
            canvas.text(board.places[station], str(station), size * (1.05 if station < 100 else _NUMBER), INK)
        taken.append((board.places[station], (2 * size, 2 * size)))
    if _BADGE * scale < _READABLE:
        return
    for leg in reversed(legs):  # older ones give way where there is no room
        text = ", ".join(map(str, leg.rounds))
        wide = len(text) * _DIGIT + 2 * _PAD + (_TICKET + _GAP if leg.ticket else 0)
        box = _freest(leg.points, (wide, _HIGH), taken, board.height)
        if box is not None:
            taken.append(box)
            _draw_badge(canvas, box, leg, text)


def disc_radius(board: BoardMap) -> float:
    """Return the radius of the disc on a route's station, in drawing units."""
    return max(1.15 * board.radius, _DISC)


def svg(board: BoardMap, routes: Mapping[str, Sequence[int]], log: Sequence[LogEntry]) -> str:
    """Draw the routes alone on a dark board, as an SVG document, for a list of finished games."""
    canvas = Svg(WIDTH, board.height, NIGHT)
    board.draw_ground(canvas, board.style.fade)
    draw_routes(canvas, board, routes, log, scale=_LISTED)
    return canvas.finish()


_Lines = Mapping[tuple[int, int], Mapping[str, Sequence[Point]]]


def _lines(board: BoardMap) -> _Lines:
    """Return the drawn lines: pair of stations, the lower number first -> transport -> points of the line."""
    found: dict[tuple[int, int], dict[str, Sequence[Point]]] = {}
    for track in board.tracks():
        if track.link.transport in board.style.lines:
            found.setdefault((track.link.a, track.link.b), {})[track.link.transport] = track.points
    return found


def _way(board: BoardMap, lines: _Lines, start: int, end: int, ticket: str) -> tuple[Point, ...]:
    """Return the points of a move's line. If the map has no line between the stations, return a gentle arc."""
    first, last = board.places[start], board.places[end]
    ways = lines.get((min(start, end), max(start, end)))
    if ways is None:
        return (first, *bow(first, last, 0.1, 0)[1:-1], last)
    points = tuple(ways.get(ticket) or next(iter(ways.values())))
    return (first, *(points if start < end else points[::-1])[1:-1], last)


def _shift(points: tuple[Point, ...], away: float) -> tuple[Point, ...]:
    (x1, y1), (x2, y2) = points[0], points[-1]
    length = math.dist(points[0], points[-1])
    dx, dy = (y1 - y2) / length * away, (x2 - x1) / length * away
    return tuple((x + dx, y + dy) for x, y in points)


def _freest(points: Sequence[Point], size: Point, taken: Sequence[Box], height: float) -> Box | None:
    """Return a place on or beside a leg where a badge covers nothing, or None if there is none."""
    wide, high = size
    for share in _ALONG:
        (x, y), (dx, dy) = _along(points, share)
        beside = (abs(dy) * wide + abs(dx) * high) / 2
        for far in (0.0, *(side * (beside + aside) for aside in _ASIDE for side in (1, -1))):
            at = x - dy * far, y + dx * far
            is_inside = wide / 2 <= at[0] <= WIDTH - wide / 2 and high / 2 <= at[1] <= height - high / 2
            if is_inside and not any(_touch((at, size), other) for other in taken):
                return at, size
    return None


def _along(points: Sequence[Point], share: float) -> tuple[Point, Point]:
    """Return the point at a share of a line's length, and the line's direction there."""
    left = share * sum(math.dist(one, other) for one, other in pairwise(points))
    for (x, y), other in pairwise(points):
        length = math.dist((x, y), other)
        dx, dy = (other[0] - x) / (length or 1), (other[1] - y) / (length or 1)
        if left <= length:
            return (x + dx * left, y + dy * left), (dx, dy)
        left -= length
    return points[-1], (1.0, 0.0)


def _touch(one: Box, other: Box) -> bool:
    ((x1, y1), (wide1, high1)), ((x2, y2), (wide2, high2)) = one, other
    return 2 * abs(x1 - x2) < wide1 + wide2 and 2 * abs(y1 - y2) < high1 + high2


def _draw_badge(canvas: Canvas, box: Box, leg: Leg, text: str) -> None:
    """Draw a badge with a leg's rounds and ticket. Its shape is a ticket, notched at both sides."""
    (x, y), (wide, high) = box
    ends = [(x - (wide - high) / 2, y), (x + (wide - high) / 2, y)]
    canvas.line(ends, _CHALK, high + 2)
    canvas.line(ends, INK, high - 2, name=f"badge-{leg.pawn}-{leg.ends[0]}-{leg.ends[1]}-{leg.ticket}")
    canvas.text((x - wide / 2 + _PAD + len(text) * _DIGIT / 2, y), text, _BADGE, _CHALK)
    ticket = leg.ticket
    if not ticket:
        return
    middle = x + wide / 2 - _PAD - _TICKET / 2
    fill = TICKETS.get(ticket, GREY)
    canvas.shape(_ticket((middle, y)), fill, edge=_CHALK if ticket == "black" else None, edge_width=1.5)
    canvas.text((middle, y), ticket_letter(ticket), 12, ink(fill))


def _ticket(at: Point) -> list[Point]:
    """Return the outline of a ticket whose middle is at a point."""
    half, up, notch = _TICKET / 2, 8.0, 3.0
    angles = [math.radians(degrees) for degrees in range(-90, 91, 30)]
    left = [(-half + notch * math.cos(angle), -notch * math.sin(angle)) for angle in angles]
    right = [(half - notch * math.cos(angle), notch * math.sin(angle)) for angle in angles]
    return [(at[0] + x, at[1] + y) for x, y in [(-half, up), *left, (-half, -up), (half, -up), *right, (half, up)]]
