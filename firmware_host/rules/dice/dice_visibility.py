"""Build the public view and Mister X's view of the dice game, field by field."""

from __future__ import annotations

from firmware_host.rules.actions import BLACK, HELICOPTER, MR_X, RollAgain
from firmware_host.rules.dice.dice_detective_turns import may_roll_again, on_turn, pawn_moves
from firmware_host.rules.dice.dice_mr_x_turns import mr_x_choices
from firmware_host.rules.dice.dice_position import DiceState
from firmware_host.rules.dice.dice_view import Dice, DiceView
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LogEntry, MrXView

AGAIN = RollAgain()
"""The action that spends a token (DI-15), shared."""


def public(state: DiceState) -> DiceView:
    """Return the public view."""
    terms = state.terms
    over = state.outcome is not None
    shown = max((n for n in terms.surfacing if n <= len(state.log)), default=0)
    revealed = range(1, shown + 1) if terms.reveal_route else terms.surfacing
    pawns = {pawn: place for pawn, place in zip(terms.order, state.at, strict=True) if place}
    if over or shown == len(state.log) > 0:
        pawns[MR_X] = state.x
    seen = {state.log[shown - 1].station} if shown else set()
    detectives = state.turn >= 0 and not over
    moves = pawn_moves(state) if detectives and not state.pool.to_roll else ()
    return DiceView(
        rules=terms.box.name,
        network=terms.network,
        round=state.round,
        turn=() if over else on_turn(state, moves),
        order=terms.order,
        owners=terms.setup.owners,
        pawns=pawns,
        stale=frozenset(seen - {pawns.get(MR_X)}),
        log=tuple(
            LogEntry(n, e.ticket, e.station if over or n in revealed else None, e.double)
            for n, e in enumerate(state.log, 1)
        ),
        windows=terms.windows,
        surfacing=terms.surfacing,
        tickets=_tickets(state),
        moves=moves,
        double=state.half,
        skipped=state.skipped,
        moved=_moved_pawns(state),
        outcome=state.outcome,
        route=_route(state) if over else (),
        extras={"table.back": AGAIN} if detectives and may_roll_again(state) else {},
        dice=_dice(state, state.start if over or (terms.reveal_route and shown) else 0),
        layout=terms.network.layout,
    )


def private(state: DiceState) -> MrXView:
    """Return Mister X's view."""
    choices = mr_x_choices(state) if state.turn < 0 and state.outcome is None else ()
    shows = bool(state.start) and len(state.log) + 1 in state.terms.surfacing
    return MrXView(public(state), Secret(state.x), Secret(_route(state)), Secret(choices), shows)


def _moved_pawns(state: DiceState) -> tuple[str, ...]:
    """Return who has moved in this round, without skipped pawns that could use no die."""
    skipped = {skip.pawn for skip in state.skipped}
    moved = (pawn for n, pawn in enumerate(state.terms.order) if state.moved >> n & 1)
    return tuple(pawn for pawn in moved if pawn not in skipped)


def _route(state: DiceState) -> tuple[int, ...]:
    return (state.start, *(entry.station for entry in state.log)) if state.start else ()


def _tickets(state: DiceState) -> dict[str, dict[str, int]]:
    """Return Mister X's remaining cards; the detectives share only tokens (DI-09)."""
    own = {BLACK: state.blacks, "double": state.doubles, HELICOPTER: state.helicopters}
    return {**{pawn: {} for pawn in state.terms.order}, MR_X: own}


def _dice(state: DiceState, start: int) -> Dice:
    terms, pool = state.terms, state.pool
    return Dice(
        to_roll=pool.to_roll,
        rolled=pool.rolled,
        used=tuple((terms.order[pawn], face) for pawn, face in pool.used),
        taken=pool.taken.bit_count(),
        supply=pool.supply,
        covers=pool.covers,
        tokens=state.tokens,
        tile=terms.network.letters[state.start] if state.start else "",
        faces=tuple(terms.box.faces),
        by_hand=terms.by_hand,
        start=start,
    )
