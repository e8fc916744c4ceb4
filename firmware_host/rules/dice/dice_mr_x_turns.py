"""Play Mister X's turn in the dice game: moves by used dice, double moves, passes, surfacing. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.rules.actions import (
    BLACK,
    HELICOPTER,
    START,
    Action,
    Double,
    MrXMove,
    Pass,
    Roll,
    RollAgain,
)
from firmware_host.rules.dice.dice_box import FACES
from firmware_host.rules.dice.dice_detective_turns import next_round
from firmware_host.rules.dice.dice_position import WALKED_IN, DiceEntry, DiceState
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.secret import Secret

PASS = "pass"  # noqa: S105 - a word of the log
"""The log's word for a move that Mister X passed (DI-18)."""

REFUSED: Mapping[type, str] = {
    Double: "a double move has to be left to him, with two free windows and two moves",
    Pass: "Mister X passes only if no die lets him move",
    Roll: "no dice are to be rolled",
    RollAgain: "the detectives may roll again with a token, while dice lie open that nobody has used",
}
"""Kind of action -> why it is not possible now."""


def start_mr_x(state: DiceState, to: int) -> DiceState:
    """Place Mister X's start at `to` and cover his entry; the first round begins (DI-10)."""
    return next_round(state._replace(x=to, start=to, pool=state.pool.cover()))


def _safe_ways(state: DiceState) -> list[tuple[int, str]]:
    """Return Mister X's destinations without a detective, each with its die or card (DI-17, DI-19, DI-21)."""
    ways, at, x = state.terms.ways, state.at, state.x
    by_face = ways.by_face[x]
    found = [(to, face) for face in state.pool.offered for to in by_face[face] if to not in at]
    if state.blacks:
        found += [(to, BLACK) for to in ways.black[x] if to not in at]
    if state.helicopters:
        found += [(to, HELICOPTER) for to in ways.flights[x] if to not in at]
    return found


def mr_x_choices(state: DiceState) -> tuple[Action, ...]:
    """Return Mister X's legal actions; in the first half of a double move only with a second half (DI-20)."""
    if state.round == 0:
        return tuple(MrXMove(Secret(to), START) for to in sorted(state.terms.network.stations) if to not in state.at)
    free = _safe_ways(state)
    if state.half == 1:
        return _mr_x_moves([way for way in free if _leaves_second_move(state, way)])
    found = _mr_x_moves(free)
    by_face = state.terms.ways.by_face[state.x]
    by_dice = [(to, face) for face in state.pool.offered for to in by_face[face]]
    if not free:
        found = _mr_x_moves(by_dice)  # DI-25: he can only walk into detectives
    if not by_dice and state.half == 0:
        found += (Pass(),)  # DI-18
    if state.half == 0 and state.doubles and len(state.log) + 2 <= state.terms.windows:
        for way in free:
            if _leaves_second_move(state, way):
                return (*found, Double())
    return found


def _mr_x_moves(ways: list[tuple[int, str]]) -> tuple[Action, ...]:
    return tuple([MrXMove(Secret(to), ticket) for to, ticket in ways])


def _leaves_second_move(state: DiceState, first: tuple[int, str]) -> bool:
    """Return whether a second move that meets no detective can follow the first half of a double move."""
    return bool(_safe_ways(_after_move(state, *first)))


def _after_move(state: DiceState, to: int, ticket: str) -> DiceState:
    """Move Mister X and pay: a die covers the new entry, and he may surface (DI-17 to DI-23)."""
    pool = state.pool.take(ticket) if ticket in FACES else state.pool.cover()
    log = (*state.log, DiceEntry(ticket, to, state.half))
    if len(log) in state.terms.surfacing:
        pool = pool.uncover()
    return state._replace(
        x=to,
        pool=pool,
        blacks=state.blacks - (ticket == BLACK),
        helicopters=state.helicopters - (ticket == HELICOPTER),
        log=log,
    )


def play_mr_x(state: DiceState, action: Action) -> DiceState:
    """Play Mister X's action; then the next round begins, unless he had to walk into a detective (DI-25).

    Raises:
        IllegalAction: he cannot do this; the message is the same wherever he is.
    """
    if action not in mr_x_choices(state):
        why = REFUSED.get(type(action), "his choices are on the handset")
        raise IllegalAction(f"it is Mister X's turn, and he cannot do this now: {why}")
    if type(action) is Double:
        return state._replace(half=1, doubles=state.doubles - 1)
    if type(action) is not MrXMove:
        return next_round(_after_move(state, state.x, PASS))
    if action.ticket == START:
        return start_mr_x(state, action.to.value)
    to, half = action.to.value, state.half
    state = _after_move(state, to, action.ticket)
    if to in state.at:
        return state._replace(half=0, outcome=WALKED_IN)
    return state._replace(half=2) if half == 1 else next_round(state)
