"""Play pursuit games on rows of numbers in compiled code, by the same rules as `rules.pursuit`.

`legal` fills a buffer with the legal actions, `play` changes a row in place. Neither checks its arguments.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    BARE,
    BLACK_TICKET,
    BLACKS,
    CUT_OFF,
    DOUBLE,
    DOUBLES,
    FREE_PAWNS,
    GROUPS,
    HALF,
    HANDS,
    IN_SIGHT,
    LAST_CHANCE,
    MOVE,
    MOVED,
    OCCUPIED,
    OUTCOME,
    OUTCOMES,
    PAWN,
    PAWN_SHIFT,
    PAWNS,
    PAYING,
    RIDES,
    ROUND,
    ROUNDS,
    SEEN,
    SHIFT,
    STATIONS,
    SUPPLY,
    SURFACE,
    SURFACING,
    TAKE,
    TAKING,
    TURN,
    UNLIMITED,
    VOLUNTARY,
    WINDOWS,
    WINDOWS_FILLED,
    Game,
    Row,
    X,
)
from firmware_host.players.search.random_numbers import RngState, below

Actions = NDArray[np.int32]

MOST_ACTIONS = 256
"""The most actions that a buffer must hold."""

_CAPTURED, _TRAPPED, _IMMOBILISED, _STALLED, _LOG_FULL, _ROUNDS_OVER = range(1, len(OUTCOMES))


@compiled
def _near(game: Game, station: int) -> int:
    """Return where the list of a station's neighbours starts."""
    return RIDES + ((game[STATIONS] + station) << SHIFT)


@compiled
def _line_is_free(game: Game, row: Row, line: int) -> bool:
    """Return whether no detective is on the line, except at its ends."""
    for n in range(1, 1 + game[line] if line > 1 else 0):  # noqa: SIM110 - compiled
        if row[OCCUPIED + game[line + n]]:
            return False
    return True


@compiled
def is_open(game: Game, row: Row, station: int, to: int, ticket: int) -> bool:
    """Return whether the ticket pays for a line to a neighbour that no detective blocks (US-11)."""
    if not game[CUT_OFF]:
        return True
    place, near = 1, _near(game, station)
    while game[near + place] >> 1 != to:
        place += 1
    lines = RIDES + (game[STATIONS] << (SHIFT + 1)) + 4 * ((station << SHIFT) + place)
    for transport in range(4):
        line = game[lines + transport]
        pays = ticket in (BLACK_TICKET, transport) or (not game[PAYING] and transport != BLACK_TICKET)
        if line and pays and _line_is_free(game, row, line):
            return True
    return False


@compiled
def _can_leave(game: Game, row: Row, station: int, spent: int) -> bool:
    """Return whether Mister X can leave a station after spending ticket `spent` (0 to 3, or -1 for none)."""
    for n in range(1, 1 + game[RIDES + (station << SHIFT)]):
        to, ticket = game[RIDES + (station << SHIFT) + n] >> 2, game[RIDES + (station << SHIFT) + n] & 3
        paid = game[UNLIMITED] or row[SUPPLY + ticket] > (spent == ticket)
        if paid and not row[OCCUPIED + to] and is_open(game, row, station, to, ticket):
            return True
    if row[BLACKS] > (spent == BLACK_TICKET):
        near = _near(game, station)
        for n in range(1, 1 + game[near]):
            to = game[near + n] >> 1
            if not row[OCCUPIED + to] and is_open(game, row, station, to, BLACK_TICKET):
                return True
    return False


@compiled
def _leaves_second(game: Game, row: Row, to: int, ticket: int) -> bool:
    """Return whether a second half can follow this first half of a double move (CL-13)."""
    if game[UNLIMITED] and ticket != BLACK_TICKET:
        return True
    return _can_leave(game, row, to, ticket)


@compiled
def _mr_x_singles(game: Game, row: Row, found: Actions) -> int:
    count, station = 0, int(row[X])
    for n in range(1, 1 + game[RIDES + (station << SHIFT)]):
        ride = game[RIDES + (station << SHIFT) + n]
        to, ticket = ride >> 2, ride & 3
        paid = game[UNLIMITED] or row[SUPPLY + ticket] > 0
        if paid and not row[OCCUPIED + to] and is_open(game, row, station, to, ticket):
            found[count] = MOVE + ride
            count += 1
    if row[BLACKS] > 0:
        near = _near(game, station)
        for n in range(1, 1 + game[near]):
            to = game[near + n] >> 1
            if not row[OCCUPIED + to] and is_open(game, row, station, to, BLACK_TICKET):
                found[count] = MOVE + 4 * to + BLACK_TICKET
                count += 1
    return count


@compiled
def mr_x_actions(game: Game, row: Row, found: Actions) -> int:
    """Write Mister X's legal actions into `found` and return their number (CL-11 to CL-17, US-10, US-11)."""
    if row[TAKING]:
        pawn = 0
        while not row[TAKING] >> pawn & 1:
            pawn += 1
        count = 0
        for ticket in range(3):
            if row[HANDS + 3 * pawn + ticket] > 0:
                found[count] = TAKE + ticket
                count += 1
        return count
    count = _mr_x_singles(game, row, found)
    window = row[WINDOWS_FILLED] + 1
    if row[HALF] == 1:
        kept = 0
        for n in range(count):
            to, ticket = (found[n] - MOVE) >> 2, (found[n] - MOVE) & 3
            if _leaves_second(game, row, to, ticket):
                found[kept] = found[n]
                kept += 1
        count = kept
    elif row[HALF] == 0 and row[DOUBLES] > 0 and window + 1 <= game[WINDOWS]:
        for n in range(count):
            to, ticket = (found[n] - MOVE) >> 2, (found[n] - MOVE) & 3
            if _leaves_second(game, row, to, ticket):
                found[count] = DOUBLE
                count += 1
                break
    if game[VOLUNTARY] and not row[BARE] and not game[SURFACING + window]:
        found[count] = SURFACE
        count += 1
    return count


@compiled
def pawn_actions(game: Game, row: Row, pawn: int, found: Actions, count: int) -> int:
    """Append a pawn's legal moves to `found` and return the new number of actions (CL-07, CL-09)."""
    station, base = int(row[AT + pawn]), PAWN * (pawn + 1) + MOVE
    hand, free, last = HANDS + 3 * pawn, game[FREE_PAWNS] >> pawn & 1, 0
    for n in range(1, 1 + game[RIDES + (station << SHIFT)]):
        ride = game[RIDES + (station << SHIFT) + n]
        if free:  # one move per destination, however many lines lead there
            ride &= ~3
            if ride == last:
                continue
            last = ride
        if row[hand + (ride & 3)] > 0 and not row[OCCUPIED + (ride >> 2)]:
            found[count] = base + ride
            count += 1
    return count


@compiled
def legal(game: Game, row: Row, found: Actions) -> int:
    """Write all legal actions into `found` and return their number."""
    if row[OUTCOME]:
        return 0
    if row[TURN] < 0:
        return mr_x_actions(game, row, found)
    count, group = 0, game[GROUPS + row[TURN]]
    for pawn in range(game[PAWNS]):
        if group >> pawn & 1 and not row[MOVED] >> pawn & 1:
            count = pawn_actions(game, row, pawn, found, count)
    return count


@compiled
def _can_move(game: Game, row: Row, pawn: int) -> bool:
    station = int(row[AT + pawn])
    hand = HANDS + 3 * pawn
    for n in range(1, 1 + game[RIDES + (station << SHIFT)]):
        ride = game[RIDES + (station << SHIFT) + n]
        if row[hand + (ride & 3)] > 0 and not row[OCCUPIED + (ride >> 2)]:
            return True
    return False


@compiled
def _is_immobilised(game: Game, row: Row, pawn: int) -> bool:
    station = int(row[AT + pawn])
    for n in range(1, 1 + game[RIDES + (station << SHIFT)]):
        if row[HANDS + 3 * pawn + (game[RIDES + (station << SHIFT) + n] & 3)] > 0:
            return False
    return not game[FREE_PAWNS] >> pawn & 1


@compiled
def _standstill(game: Game, row: Row) -> int:
    """Return the outcome if no detective can ever move again, else 0 (CL-21)."""
    if not game[PAYING]:
        return 0
    outcome = _IMMOBILISED
    for pawn in range(game[PAWNS]):
        if _can_move(game, row, pawn):
            return 0
        if not _is_immobilised(game, row, pawn):
            outcome = _STALLED
    return outcome


@compiled
def _pass_over_blocked(game: Game, row: Row) -> None:
    """Skip detectives that cannot move. End the game or the round if due (CL-19, CL-21)."""
    turn = row[TURN]
    while game[GROUPS + turn]:
        for pawn in range(game[PAWNS]):
            if game[GROUPS + turn] >> pawn & 1 and not row[MOVED] >> pawn & 1 and _can_move(game, row, pawn):
                row[TURN] = turn
                return
        turn += 1
    still = _standstill(game, row)
    if still == 0 and row[ROUND] == game[ROUNDS]:
        still = _ROUNDS_OVER
    if still == 0 and row[WINDOWS_FILLED] >= game[WINDOWS]:
        still = _LOG_FULL
    if still:
        row[OUTCOME] = still
        return
    row[ROUND] += 1
    row[TURN] = -1
    if game[IN_SIGHT]:  # his pawn is put back where he is (BE-06)
        row[SEEN] = row[X]
    if not _can_leave(game, row, row[X], -1):
        row[OUTCOME] = _TRAPPED


@compiled
def _play_pawn(game: Game, row: Row, action: int) -> None:
    pawn, rest = (action >> PAWN_SHIFT) - 1, (action & (PAWN - 1)) - MOVE
    to, ticket = rest >> 2, rest & 3
    row[OCCUPIED + row[AT + pawn]] = 0
    row[OCCUPIED + to] = 1
    row[AT + pawn] = to
    if not game[FREE_PAWNS] >> pawn & 1:
        row[HANDS + 3 * pawn + ticket] -= 1
        row[SUPPLY + ticket] += 1  # CL-08
    row[MOVED] |= 1 << pawn
    if game[GROUPS + row[TURN]] == 1 << pawn:  # a group of one has finished
        row[TURN] += 1
    if to == row[X]:
        row[OUTCOME] = _CAPTURED
    else:
        _pass_over_blocked(game, row)


@compiled
def _end_mr_x_turn(game: Game, row: Row) -> None:
    """Give the turn to the detectives, unless Mister X has more to do or the log is full (CL-22)."""
    if row[HALF] or row[TAKING]:
        row[TURN] = -1
    elif not game[LAST_CHANCE] and row[WINDOWS_FILLED] >= game[WINDOWS]:
        row[TURN], row[OUTCOME] = -1, _LOG_FULL
    else:
        row[TURN] = 0
        _pass_over_blocked(game, row)


@compiled
def _play_mr_x(game: Game, row: Row, action: int) -> None:
    if action == DOUBLE:
        row[HALF] = 1
        row[DOUBLES] -= 1
        return
    if action == SURFACE:
        row[BARE] = 1
        return
    if action < MOVE:
        pawn = 0
        while not row[TAKING] >> pawn & 1:
            pawn += 1
        row[HANDS + 3 * pawn + action - TAKE] -= 1
        row[SUPPLY + action - TAKE] += 1
        row[TAKING] &= ~(1 << pawn)
        _end_mr_x_turn(game, row)
        return
    to, ticket = (action - MOVE) >> 2, (action - MOVE) & 3
    if ticket == BLACK_TICKET:
        row[BLACKS] -= 1
    elif game[PAYING] and row[SUPPLY + ticket] > 0:
        row[SUPPLY + ticket] -= 1
    row[WINDOWS_FILLED] += 1
    surfaces = game[SURFACING + row[WINDOWS_FILLED]] and not (game[IN_SIGHT] and ticket == BLACK_TICKET)  # BE-07
    row[SEEN] = to if row[BARE] or surfaces else 0
    row[TAKING] = 0
    if row[BARE]:
        for pawn in range(game[PAWNS]):
            hand = HANDS + 3 * pawn
            if row[hand] or row[hand + 1] or row[hand + 2]:
                row[TAKING] |= 1 << pawn
    row[BARE] = 0
    row[X] = to
    row[MOVED] = 0
    row[HALF] = 2 if row[HALF] == 1 else 0
    _end_mr_x_turn(game, row)


@compiled
def play(game: Game, row: Row, action: int) -> None:
    """Play an action: the row becomes the position after it."""
    if action >= PAWN:
        _play_pawn(game, row, action)
    else:
        _play_mr_x(game, row, action)


@njit(cache=True, nogil=True)
def random_games(game: Game, start: Row, count: int, rng: RngState) -> int:
    """Play whole random games from a position. Return the number of all actions."""
    found, row, actions = np.empty(MOST_ACTIONS, np.int32), start.copy(), 0
    for _ in range(count):
        row[:] = start
        while not row[OUTCOME]:
            n = legal(game, row, found)
            play(game, row, found[below(rng, n)])
            actions += 1
    return actions
