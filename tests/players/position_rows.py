"""Positions and actions of the rules engine as the kernel's rows and numbers, to compare the two."""

from __future__ import annotations

import numpy as np

from firmware_host.players.search.game_numbers import (
    AT,
    BARE,
    BLACK_TICKET,
    BLACKS,
    DOUBLE,
    DOUBLES,
    HALF,
    HANDS,
    MOVE,
    MOVED,
    OCCUPIED,
    OUTCOME,
    OUTCOMES,
    PAWN,
    ROUND,
    SEEN,
    SUPPLY,
    SURFACE,
    TAKE,
    TAKING,
    TURN,
    WINDOWS_FILLED,
    Row,
    X,
)
from firmware_host.rules.actions import BLACK, FREE, TICKETS, Action, MrXMove, PawnMove, Surface, Take
from firmware_host.rules.pursuit.position import PursuitState, PursuitTerms


def row_of(state: PursuitState) -> Row:
    """Return a position as a row."""
    row = np.zeros(OCCUPIED + max(state.terms.network.stations) + 1, np.int16)
    row[X], row[TURN], row[HALF], row[MOVED] = state.x, state.turn, state.half, state.moved
    row[ROUND], row[BLACKS], row[DOUBLES] = state.round, state.blacks, state.doubles
    row[SUPPLY : SUPPLY + 3] = state.supply
    row[WINDOWS_FILLED], row[OUTCOME] = len(state.log), OUTCOMES.index(state.outcome)
    row[BARE], row[TAKING] = state.bare, sum(1 << pawn for pawn in state.taking)
    seen = state.log[-1].seen if state.log else state.terms.in_sight
    row[SEEN] = state.x if seen else 0
    row[AT : AT + len(state.at)] = state.at
    row[[OCCUPIED + station for station in state.at]] = 1
    row[HANDS : HANDS + 3 * len(state.hands)] = [count for hand in state.hands for count in hand]
    return row


def number_of(action: Action, terms: PursuitTerms) -> int:
    """Return the number that stands for an action."""
    match action:
        case PawnMove(pawn, to, fare):
            ticket = 0 if fare == FREE else TICKETS.index(fare)
            return PAWN * (terms.places[pawn] + 1) + MOVE + 4 * to + ticket
        case MrXMove(to, fare):
            ticket = BLACK_TICKET if fare == BLACK else 0 if fare == FREE else TICKETS.index(fare)
            return MOVE + 4 * to.value + ticket
        case Take(_, ticket):
            return TAKE + TICKETS.index(ticket)
    return SURFACE if isinstance(action, Surface) else DOUBLE
