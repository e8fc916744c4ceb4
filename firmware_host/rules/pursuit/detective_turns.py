"""Play the detectives' part of a round of a pursuit game: their moves, and skipped detectives."""

from __future__ import annotations

from functools import lru_cache

from firmware_host.rules.actions import PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.pursuit import mr_x_turns
from firmware_host.rules.pursuit.end_of_game import (
    CAPTURED,
    IMMOBILISED,
    TRAPPED,
    any_can_move,
    end_of_round,
    is_immobilised,
    standstill_outcome,
)
from firmware_host.rules.pursuit.position import PursuitState, hand_over, replaced
from firmware_host.rules.views import Skipped

_skipped = lru_cache(maxsize=64)(Skipped)
"""Caches the records: an immobilised pawn is skipped round after round."""


def moves(state: PursuitState) -> tuple[PawnMove, ...]:
    """Return the moves of all pawns on turn: one pawn's, or a group's in any order (US-01, BE-02)."""
    group = state.terms.groups[state.turn]
    if len(group) == 1:
        return _moves_of(state, group[0])
    return tuple([move for pawn in group if not state.moved >> pawn & 1 for move in _moves_of(state, pawn)])


def movers(state: PursuitState) -> tuple[str, ...]:
    """Return the pawns that may move now."""
    idle = [pawn for pawn in state.terms.groups[state.turn] if not state.moved >> pawn & 1]
    return tuple(state.terms.order[pawn] for pawn in idle if _moves_of(state, pawn))


def play(state: PursuitState, action: PawnMove) -> PursuitState:
    """Return the position after a pawn's move: at the next pawn's turn, Mister X's, or the end.

    Raises:
        IllegalAction: it is not the pawn's turn, or it may not go there with this ticket.
    """
    terms, x, at, hands, supply, blacks, doubles, log, round_, turn, _, moved, skipped, _, _, _ = state
    pawn = terms.places.get(action.pawn, -1)
    if turn < 0 or pawn not in terms.groups[turn] or moved >> pawn & 1:
        raise IllegalAction(f"{action.pawn} asked to move, but it is {whose_turn(state)}'s turn")
    to = action.to
    ticket = terms.fares[pawn][at[pawn]].get((to, action.ticket), -1)
    if ticket < 0 or not hands[pawn][ticket] or to in at:
        legal = ", ".join(f"{m.to} by {m.ticket}" for m in _moves_of(state, pawn))
        raise IllegalAction(f"{action.pawn} cannot go to {to} by {action.ticket}; it may go to {legal}")
    at = replaced(at, pawn, to)
    if terms.pays[pawn]:
        hands, supply = hand_over(hands, pawn, supply, ticket)  # CL-08
    captured = CAPTURED if to == x else None
    turn += len(terms.groups[turn]) == 1  # a group of one has finished
    moved |= 1 << pawn
    after = tuple.__new__(
        PursuitState,
        (terms, x, at, hands, supply, blacks, doubles, log, round_, turn, 0, moved, skipped, captured, False, ()),
    )
    if captured:
        return after
    if turn == len(terms.groups):
        return _end_round(after, skipped)
    return after if any_can_move(terms, at, hands, terms.groups[turn], moved) else _pass_over(after)


def pass_over_blocked(state: PursuitState) -> PursuitState:
    """Skip detectives that cannot move; end the game or the round if due (CL-19, CL-21)."""
    terms = state.terms
    can_go_on = any_can_move(terms, state.at, state.hands, terms.groups[state.turn], state.moved)
    return state if can_go_on else _pass_over(state)


def whose_turn(state: PursuitState) -> str:
    """Return the pawns that may act now, for a message."""
    return " or ".join(movers(state)) if state.turn >= 0 else "mr_x"


def _moves_of(state: PursuitState, pawn: int) -> tuple[PawnMove, ...]:
    """Return a pawn's moves: a link, a ticket it holds, a station without a detective (CL-07, CL-09)."""
    at, hand = state.at, state.hands[pawn]
    rides = state.terms.rides[pawn][at[pawn]]
    if 0 not in hand and rides.ends.isdisjoint(at):
        return rides.actions
    return tuple([move for to, ticket, move in rides.each if hand[ticket] and to not in at])


def _pass_over(state: PursuitState) -> PursuitState:
    """Skip the group on turn, which cannot move, and those after it up to one that can."""
    terms, _, at, hands, _, _, _, _, _, turn, _, moved, skipped, _, _, _ = state
    groups = terms.groups
    while turn < len(groups):
        for pawn in groups[turn]:
            if not moved >> pawn & 1:
                why = "immobilised" if is_immobilised(state, pawn) else "blocked"
                skipped = (*skipped, _skipped(terms.order[pawn], why))
        turn += 1
        if turn < len(groups) and any_can_move(terms, at, hands, groups[turn], moved):
            return state._replace(turn=turn, skipped=skipped)
    return _end_round(state, skipped)


def _end_round(state: PursuitState, skipped: tuple[Skipped, ...]) -> PursuitState:
    """End the detectives' part: the game ends, by a standstill or otherwise, or Mister X's turn begins."""
    still = standstill_outcome(state)
    if still is IMMOBILISED:  # as soon as one has moved, so nobody is skipped
        return state._replace(outcome=still)
    terms, x, at, hands, supply, blacks, doubles, log, round_, _, half, moved, _, _, _, _ = state
    outcome = still or end_of_round(terms, round_, log)
    if outcome is not None:
        return state._replace(skipped=skipped, outcome=outcome)
    log, outcome = mr_x_turns.log_at_turn_start(state), None if mr_x_turns.can_move(state) else TRAPPED
    return tuple.__new__(
        PursuitState,
        (terms, x, at, hands, supply, blacks, doubles, log, round_ + 1, -1, half, moved, skipped, outcome, False, ()),
    )
