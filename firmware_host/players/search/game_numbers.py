"""Represent a pursuit game in arrays of numbers for compiled code: its map, its rules and its position.

A `Game` array has the map and the rules. A position is a `Row` of 16-bit numbers, and constants name the places in it.
An array with a number per station is indexed by the station's number, so it has one place more than the largest number.
Pawns are numbered in playing order.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from firmware_host.players.player_errors import CannotPlay
from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    FREE,
    MR_X,
    TICKETS,
    Action,
    Double,
    MrXMove,
    PawnMove,
    Surface,
    Take,
)
from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.rules.pursuit.position import (
    PASS,
    PursuitTerms,
)
from firmware_host.rules.pursuit.pursuit_game import CAPTURED, IMMOBILISED, LOG_FULL, ROUNDS_OVER, STALLED, TRAPPED
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView

MOST_PAWNS = 5
"""The most detective pawns in a `Row`."""

X, TURN, HALF, MOVED, ROUND, BLACKS, DOUBLES, SUPPLY = range(8)
WINDOWS_FILLED, OUTCOME, BARE, TAKING, SEEN = range(10, 15)
AT = 15
HANDS = AT + MOST_PAWNS
OCCUPIED = HANDS + 3 * MOST_PAWNS
"""The places of a row.

`SUPPLY` has three, `AT` one per pawn, `HANDS` three per pawn, `OCCUPIED` one per station: whether a detective stands
there. `SEEN` is the station where Mister X was seen after his last move, or 0.
"""

PAWNS, WINDOWS, ROUNDS, PAYING, UNLIMITED, LAST_CHANCE, IN_SIGHT, VOLUNTARY, CUT_OFF, STATIONS, FREE_PAWNS = range(11)
GROUPS = FREE_PAWNS + 1
SURFACING = GROUPS + MOST_PAWNS + 1
RIDES = 64
"""The places of a game.

First the terms: numbers, and flags as 1 or 0. `FREE_PAWNS` has the pawns that pay nothing as bits, `GROUPS` the pawns
of each group, `SURFACING` one per window; `STATIONS` is the largest station number plus one.

From `RIDES` on, each station has `WIDTH` places: the number of its rides, then each as 4 * destination + ticket. Then
`WIDTH` places per station for its neighbours, boats included: their number, then each as 2 * station, plus 1 if more
than a boat leads there. Then four places for each of these, one per transport: 0 for no such line, 1 for one that
passes no station, or the place that lists the stations it passes: their number, then each.
"""

OUTCOMES = (None, CAPTURED, TRAPPED, IMMOBILISED, STALLED, LOG_FULL, ROUNDS_OVER)
"""The outcomes, indexed by their number in a row."""

BLACK_TICKET = 3
"""The number of a black ticket; taxi, bus and underground are 0, 1 and 2; a free move is 0."""

DOUBLE, SURFACE, TAKE, MOVE = 1, 2, 4, 8
"""The codes of actions.

An action is one number: `DOUBLE`; `SURFACE`; `TAKE` plus the ticket; or a move, `MOVE` + 4 * station + ticket, to which
detectives add `PAWN` times their number from 1.
"""

PAWN_SHIFT = 12
PAWN = 1 << PAWN_SHIFT

SHIFT = 5
WIDTH = 1 << SHIFT
"""The places per station for its rides, and for its neighbours."""

_HIGHEST_STATION = (PAWN - 1 - MOVE) // 4
"""The highest station number that fits into an action."""

Game = NDArray[np.int32]
Row = NDArray[np.int16]


def game_numbers(terms: PursuitTerms) -> Game:
    """Return a game's map and rules as numbers.

    Raises:
        CannotPlay: there are too many pawns, too many ways on from a station, or too high station numbers.
    """
    network, highest = terms.network, max(terms.network.stations)
    if len(terms.order) > MOST_PAWNS:
        raise CannotPlay(f"the search knows games with at most {MOST_PAWNS} detectives' pawns, not {len(terms.order)}")
    if highest > _HIGHEST_STATION:
        raise CannotPlay(f"the search knows station numbers up to {_HIGHEST_STATION}; {network.name} has {highest}")
    size = highest + 1
    game = [0] * (RIDES + 2 * size * WIDTH + size * WIDTH * len(TRANSPORTS))
    game[:RIDES] = _terms_numbers(terms, size)
    near, lines = RIDES + size * WIDTH, RIDES + 2 * size * WIDTH
    for station in network.stations:
        rides, neighbours = list[int](), list[int]()
        for to, ways in network.around(station).items():
            plain = [TRANSPORTS.index(way) for way in ways if way != BOAT]
            rides += [4 * to + ticket for ticket in (plain if terms.paying else plain and [0])]
            neighbours.append(2 * to + bool(plain))
            for way in ways:
                passed = network.via(station, to, way)
                place = lines + 4 * (station * WIDTH + len(neighbours)) + TRANSPORTS.index(way)
                game[place] = len(game) if passed else 1
                game += [len(passed), *passed] if passed else []
        for base, found in ((RIDES, rides), (near, neighbours)):
            if len(found) >= WIDTH:
                raise CannotPlay(f"station {station} has {len(found)} ways on; {WIDTH - 1} are the most")
            game[base + station * WIDTH : base + station * WIDTH + 1 + len(found)] = [len(found), *found]
    return np.array(game, np.int32)


def _terms_numbers(terms: PursuitTerms, size: int) -> list[int]:
    row = [0] * RIDES
    row[PAWNS], row[WINDOWS], row[ROUNDS] = len(terms.order), terms.windows, terms.rounds or 0
    row[PAYING], row[UNLIMITED], row[LAST_CHANCE] = terms.paying, terms.unlimited, terms.last_chance
    row[IN_SIGHT], row[VOLUNTARY], row[CUT_OFF], row[STATIONS] = terms.in_sight, terms.voluntary, terms.cut_off, size
    row[FREE_PAWNS] = sum(1 << pawn for pawn, pays in enumerate(terms.pays) if not pays)
    for number, group in enumerate(terms.groups):
        row[GROUPS + number] = sum(1 << pawn for pawn in group)
    for window in terms.surfacing:
        if window <= terms.windows:
            row[SURFACING + window] = 1
    return row


@lru_cache(maxsize=8)
def distances(network: Network) -> NDArray[np.int8]:
    """Return the number of moves between each pair of stations, without boats. Do not modify the result.

    It is 99 if there is no way.
    """
    size = max(network.stations) + 1
    near = {
        station: [to for to, ways in network.around(station).items() if ways != (BOAT,)] for station in network.stations
    }
    table = np.full((size, size), 99, np.int8)
    for start in network.stations:
        away, edge = {start: 0}, deque([start])
        while edge:
            here = edge.popleft()
            for to in near[here]:
                if to not in away:
                    away[to] = away[here] + 1
                    edge.append(to)
        table[start, list(away)] = list(away.values())
    return table


def action_of(number: int, terms: PursuitTerms, taking: str = "") -> Action:
    """Return the action that a number stands for. `taking` names the pawn that gives a ticket."""
    if number >= MOVE:
        pawn, rest = divmod(number - MOVE, PAWN)
        to, ticket = divmod(rest, 4)
        pays = terms.pays[pawn - 1] if pawn else terms.paying or ticket == BLACK_TICKET
        fare = TICKETS[ticket] if pays else FREE
        return PawnMove(terms.order[pawn - 1], to, fare) if pawn else MrXMove(Secret(to), fare)
    if number >= TAKE:
        return Take(taking, TICKETS[number - TAKE])
    return Surface() if number == SURFACE else Double()


def pursuit_view(view: PublicView) -> PursuitView:
    """Return the view after checking that it is of a pursuit game.

    Raises:
        CannotPlay: the view is of another game.
    """
    if not isinstance(view, PursuitView):
        raise CannotPlay(f"{view.rules} is not a pursuit game")
    return view


def row_of_view(public: PublicView, terms: PursuitTerms) -> Row:
    """Encode a public view as a row of numbers, without Mister X's station.

    Raises:
        CannotPlay: the view is not of a pursuit game.
    """
    view = pursuit_view(public)
    row = np.zeros(OCCUPIED + max(terms.network.stations) + 1, np.int16)
    his = view.tickets[MR_X]
    row[TURN], row[HALF], row[ROUND] = _group(view, terms), view.double, view.round
    row[MOVED] = sum(1 << view.order.index(pawn) for pawn in view.moved)
    row[BLACKS], row[DOUBLES] = his.get(BLACK, 0), his.get("double", 0)
    row[SUPPLY : SUPPLY + 3] = [his.get(ticket, 0) for ticket in TICKETS[:3]]
    row[WINDOWS_FILLED], row[SEEN] = len(view.log), view.pawns.get(MR_X, 0)
    row[TAKING] = sum(1 << view.order.index(pawn) for pawn in view.giving)
    for place, pawn in enumerate(view.order):
        row[AT + place] = view.pawns[pawn]
        row[OCCUPIED + view.pawns[pawn]] = 1
        hand = [view.tickets[pawn].get(ticket, 0) for ticket in TICKETS[:3]] if terms.pays[place] else PASS
        row[HANDS + 3 * place : HANDS + 3 * place + 3] = hand
    return row


def _group(view: PursuitView, terms: PursuitTerms) -> int:
    """Return the number of the group of pawns on turn, or -1 for Mister X."""
    if view.mr_x_to_move or not view.turn:
        return -1
    place = view.order.index(view.turn[0])
    return next(number for number, group in enumerate(terms.groups) if place in group)
