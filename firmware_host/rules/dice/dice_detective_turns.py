"""Play the detectives' part of a round of the dice game: starts, rolls, moves and skips. Pure.

While dice are to be rolled, nothing else is legal. A detective who can use none of them, has no token left, and has one
pawn to move, is skipped at once; so in every returned position somebody can act or dice are to be rolled.
"""

from __future__ import annotations

from firmware_host.rules.actions import MR_X, START, STAY, Action, PawnMove, Roll
from firmware_host.rules.dice.dice_position import CAPTURED, ESCAPED, DiceState
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.views import Skipped

NO_DIE = "no_die"
"""The reason of a skipped detective who could use none of the dice (DI-14)."""


def on_turn(state: DiceState, moves: tuple[PawnMove, ...]) -> tuple[str, ...]:
    """Return the pawns that may act now: if any pawns can move, only those (DI-16)."""
    if state.turn < 0:
        return (MR_X,)
    if state.pool.to_roll:
        return tuple(state.terms.order[pawn] for pawn in pawns_to_move(state))
    return tuple(dict.fromkeys([move.pawn for move in moves]))


def _start_moves(state: DiceState) -> tuple[PawnMove, ...]:
    """Return the starts of the next pawn in playing order: free places that only taxis serve (DI-10)."""
    pawn = state.terms.order[state.at.index(0)]
    return tuple(PawnMove(pawn, to, START) for to in sorted(state.terms.ways.taxi_only) if to not in state.at)


def pawns_to_move(state: DiceState) -> tuple[int, ...]:
    """Return the pawns that the detective on turn has yet to move; who begins rotates every round (DI-12)."""
    groups = state.terms.groups
    group = groups[(state.round - 1 + state.turn) % len(groups)]
    return tuple([pawn for pawn in group if not state.moved >> pawn & 1])


def pawn_moves(state: DiceState) -> tuple[PawnMove, ...]:
    """Return the moves by an open die to a place without a detective, or else staying (DI-13, DI-14).

    If neither pawn of one player can use a die, the player chooses which of them stays, and rolls for the other
    (DI-16).
    """
    if state.round == 0:
        return _start_moves(state)
    terms, at = state.terms, state.at
    faces, waiting = dict.fromkeys(state.pool.rolled), pawns_to_move(state)
    moves = []
    for pawn in waiting:
        name, ways = terms.order[pawn], terms.ways.by_face[at[pawn]]
        moves += [PawnMove(name, to, face) for face in faces for to in ways[face] if to not in at]
    if not moves:
        return tuple([PawnMove(terms.order[pawn], at[pawn], STAY) for pawn in waiting])
    return tuple(moves)


def _can_use_a_die(state: DiceState) -> bool:
    """Return whether any pawn on turn can use a die; plain loops, because every roll calls this."""
    at = state.at
    for pawn in pawns_to_move(state):
        ways = state.terms.ways.by_face[at[pawn]]
        for face in state.pool.rolled:
            for to in ways[face]:
                if to not in at:
                    return True
    return False


def may_roll_again(state: DiceState) -> bool:
    """Return whether a token is left, and there are unused open dice (DI-15)."""
    return state.tokens > 0 and state.turn >= 0 and state.round > 0 and bool(state.pool.rolled)


def play_roll(state: DiceState, action: Action) -> DiceState:
    """Show rolled dice; skip a detective who can use none and has no choice (DI-13, DI-14, DI-16).

    Raises:
        IllegalAction: it is not a roll, or its number of dice or their faces are wrong.
    """
    pool, faces = state.pool, tuple(state.terms.box.faces)
    if type(action) is not Roll or len(action.faces) != pool.to_roll or any(face not in faces for face in action.faces):
        raise IllegalAction(f"{pool.to_roll} dice are to be rolled now, each of which shows one of {', '.join(faces)}")
    state = state._replace(pool=pool.show(action.faces))
    pawn, *others = pawns_to_move(state)
    if state.tokens or others or _can_use_a_die(state):
        return state
    skipped = (*state.skipped, Skipped(state.terms.order[pawn], NO_DIE))
    return _next_detective(state._replace(moved=state.moved | 1 << pawn, skipped=skipped))


def play_pawn(state: DiceState, action: PawnMove) -> DiceState:
    """Place a detective's pawn, move it, or let it stay; on Mister X's place it captures (DI-25).

    Raises:
        IllegalAction: the pawn cannot do this; the message says what is legal.
    """
    if action not in (moves := pawn_moves(state)):
        legal = ", ".join(f"{move.pawn} to {move.to} by {move.ticket}" for move in moves)
        raise IllegalAction(f"{action.pawn} cannot go to {action.to} by {action.ticket}; legal is {legal}")
    pawn, to = state.terms.places[action.pawn], action.to
    at = (*state.at[:pawn], to, *state.at[pawn + 1 :])
    if action.ticket == START:
        return state._replace(at=at, turn=0 if 0 in at else -1)
    moved = state.moved | 1 << pawn
    if action.ticket == STAY:
        return _next_detective(state._replace(moved=moved))
    pool = state.pool.use(pawn, action.ticket)
    if to == state.x:
        return state._replace(at=at, pool=pool, moved=moved, outcome=CAPTURED)
    return _next_detective(state._replace(at=at, pool=pool, moved=moved))


def _next_detective(state: DiceState) -> DiceState:
    """Pass the remaining dice to the next pawn (DI-13); after the last it is Mister X's turn, or the end."""
    turn = state.turn if pawns_to_move(state) else state.turn + 1
    if turn < len(state.terms.groups):
        if state.pool.rolled:
            return state._replace(turn=turn, pool=state.pool.pick_up())
        state = _pass_over_all(state._replace(turn=turn))
    if len(state.log) >= state.terms.windows:
        return state._replace(outcome=ESCAPED)
    return state._replace(turn=-1)


def _pass_over_all(state: DiceState) -> DiceState:
    """Skip everyone who has not moved, because no dice are left to roll."""
    skipped = state.skipped
    while state.turn < len(state.terms.groups):
        skipped += tuple(Skipped(state.terms.order[pawn], NO_DIE) for pawn in pawns_to_move(state))
        state = state._replace(turn=state.turn + 1)
    return state._replace(skipped=skipped)


def next_round(state: DiceState) -> DiceState:
    """Fill the hand and begin the detectives' part (DI-24)."""
    pool = state.pool.refill(state.terms.hand)
    state = state._replace(pool=pool, round=state.round + 1, turn=0, half=0, moved=0, skipped=())
    return state if pool.to_roll else _next_detective(state)
