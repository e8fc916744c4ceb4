"""Referee the dice game: the detectives move by their rolls, and Mister X by the dice that they have used.

First the starts are chosen on the board. A round is the detectives' part, with a roll before every move, and Mister X's
turn (one move, or two after a `Double`). Chance comes in as a `Roll`: while dice are to be rolled, nothing else is
legal. Whose turn it is then, and who is passed over, is found in `dice_detective_turns`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.actions import BLACK, HELICOPTER, MR_X, Action, PawnMove, Roll, RollAgain
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.dice_deal import begin, deal
from firmware_host.rules.dice.dice_detective_turns import (
    may_roll_again,
    pawn_moves,
    pawns_to_move,
    play_pawn,
    play_roll,
)
from firmware_host.rules.dice.dice_mr_x_turns import REFUSED, mr_x_choices, play_mr_x
from firmware_host.rules.dice.dice_position import DiceState
from firmware_host.rules.dice.dice_view import Dice, DiceView
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Ground, Option, Setup, Wish
from firmware_host.rules.views import LogEntry, MrXView

_AGAIN = RollAgain()


@dataclass(frozen=True, slots=True)
class DiceGame:
    """The rule system of one box of the dice game; implements `System`."""

    box: DiceBox

    @property
    def name(self) -> str:
        """The name in `rules = "…"`."""
        return self.box.name

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that these options can be played with."""
        self.box.check(options)

    def check_ground(self, ground: Ground) -> None:
        """Check that each number of players can play on these tiles, whatever is drawn."""
        for players in self.box.seats:
            self.deal(ground, Wish(players=players, options={"layout": ""}), random.Random(0))  # noqa: S311

    def deal(self, ground: Ground, wish: Wish, chance: random.Random) -> Setup:
        """Set up a new game as the players wish; tiles are drawn unless a layout is given (DI-02)."""
        return deal(self.box, ground, wish, chance)

    def roll(self, state: DiceState, chance: random.Random) -> Roll | None:
        """Roll the dice in hand, if they are to be rolled now (DI-08, DI-13). Pure but for `chance`."""
        if not state.pool.to_roll or state.outcome is not None:
            return None
        faces = self.box.faces
        return Roll(tuple(chance.choices(list(faces), list(faces.values()), k=state.pool.to_roll)))

    def begin(self, setup: Setup) -> DiceState:
        """Return the position before starts are chosen; if they are given, that of the first round."""
        return begin(self.box, setup)

    def legal(self, state: DiceState) -> tuple[Action, ...]:
        """Return all legal actions; none while dice are to be rolled. Secret during Mister X's turn."""
        if state.outcome is not None or state.pool.to_roll:
            return ()
        if state.turn < 0:
            return mr_x_choices(state)
        moves = pawn_moves(state)
        return (*moves, _AGAIN) if may_roll_again(state) else moves

    def play(self, state: DiceState, action: Action) -> DiceState:
        """Return the position after an action.

        Raises:
            IllegalAction: the action is not legal now. The message never tells where Mister X is or may go.
        """
        if state.outcome is not None:
            raise IllegalAction(f"the game is over: {state.outcome.winner} won ({state.outcome.reason})")
        if state.pool.to_roll:
            return play_roll(state, action)
        if state.turn < 0:
            return play_mr_x(state, action)
        if type(action) is PawnMove:
            return play_pawn(state, action)
        if type(action) is RollAgain and may_roll_again(state):
            return state._replace(pool=state.pool.pick_up(), tokens=state.tokens - 1)
        why = REFUSED.get(type(action), "Mister X has to wait")
        raise IllegalAction(f"it is {' or '.join(_on_turn(state, pawn_moves(state)))}'s turn to move a pawn: {why}")

    def public(self, state: DiceState) -> DiceView:
        """Return what everyone may know."""
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
            rules=self.name,
            network=terms.network,
            round=state.round,
            turn=() if over else _on_turn(state, moves),
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
            extras={"table.back": _AGAIN} if detectives and may_roll_again(state) else {},
            dice=_dice(state, state.start if over or (terms.reveal_route and shown) else 0),
            layout=terms.network.layout,
        )

    def private(self, state: DiceState) -> MrXView:
        """Return what Mister X may know."""
        choices = mr_x_choices(state) if state.turn < 0 and state.outcome is None else ()
        shows = bool(state.start) and len(state.log) + 1 in state.terms.surfacing
        return MrXView(self.public(state), Secret(state.x), Secret(_route(state)), Secret(choices), shows)


def _moved_pawns(state: DiceState) -> tuple[str, ...]:
    """Return who has moved in this round; a pawn that could use no die is among the skipped instead."""
    skipped = {skip.pawn for skip in state.skipped}
    moved = (pawn for n, pawn in enumerate(state.terms.order) if state.moved >> n & 1)
    return tuple(pawn for pawn in moved if pawn not in skipped)


def _route(state: DiceState) -> tuple[int, ...]:
    return (state.start, *(entry.station for entry in state.log)) if state.start else ()


def _tickets(state: DiceState) -> dict[str, dict[str, int]]:
    """Return what Mister X has left to cross off; the detectives hold only tokens, in common (DI-09)."""
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


def _on_turn(state: DiceState, moves: tuple[PawnMove, ...]) -> tuple[str, ...]:
    """Return the pawns that may act now: where pawns can move, those that have a move (DI-16)."""
    if state.turn < 0:
        return (MR_X,)
    if state.pool.to_roll:
        return tuple(state.terms.order[pawn] for pawn in pawns_to_move(state))
    return tuple(dict.fromkeys([move.pawn for move in moves]))
