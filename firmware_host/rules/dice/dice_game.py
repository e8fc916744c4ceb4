"""Define the rules of the dice game: detectives move by rolled dice, Mister X by the dice they used.

First the starts are chosen on the board. A round is the detectives' part, with a roll before every move, and Mister X's
turn (one move, or two after a `Double`). Chance enters as a `Roll`: while dice are to be rolled, nothing else is legal.
`dice_detective_turns` decides whose turn it is then, and who is skipped.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.actions import Action, PawnMove, Roll, RollAgain
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.dice_deal import begin, deal
from firmware_host.rules.dice.dice_detective_turns import (
    may_roll_again,
    on_turn,
    pawn_moves,
    play_pawn,
    play_roll,
)
from firmware_host.rules.dice.dice_mr_x_turns import REFUSED, mr_x_choices, play_mr_x
from firmware_host.rules.dice.dice_position import DiceState
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.dice.dice_visibility import AGAIN, private, public
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.setup import Ground, Option, Setup, Wish
from firmware_host.rules.views import MrXView


@dataclass(frozen=True, slots=True)
class DiceGame:
    """The rule system of one box of the dice game; implements `System`."""

    box: DiceBox

    @property
    def name(self) -> str:
        """The name in `rules = "…"`."""
        return self.box.name

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that these options are possible."""
        self.box.check(options)

    def check_ground(self, ground: Ground, players: int) -> None:
        """Check that this many players can play on these tiles, whatever is drawn."""
        self.deal(ground, Wish(players=players, options={"layout": ""}), random.Random(0))  # noqa: S311

    def deal(self, ground: Ground, wish: Wish, chance: random.Random) -> Setup:
        """Set up a new game by the players' wishes; tiles are drawn unless a layout is given (DI-02)."""
        return deal(self.box, ground, wish, chance)

    def roll(self, state: DiceState, chance: random.Random) -> Roll | None:
        """Roll the dice in hand, if they are to be rolled now (DI-08, DI-13). Pure but for `chance`."""
        if not state.pool.to_roll or state.outcome is not None:
            return None
        faces = self.box.faces
        return Roll(tuple(chance.choices(list(faces), list(faces.values()), k=state.pool.to_roll)))

    def begin(self, setup: Setup) -> DiceState:
        """Return the position before starts are chosen, or that of the first round if they are given."""
        return begin(self.box, setup)

    def legal(self, state: DiceState) -> tuple[Action, ...]:
        """Return all legal actions; none while dice are to be rolled. Secret during Mister X's turn."""
        if state.outcome is not None or state.pool.to_roll:
            return ()
        if state.turn < 0:
            return mr_x_choices(state)
        moves = pawn_moves(state)
        return (*moves, AGAIN) if may_roll_again(state) else moves

    def play(self, state: DiceState, action: Action) -> DiceState:
        """Return the position after an action.

        Raises:
            IllegalAction: the action is not legal now. The message never reveals where Mister X is or may go.
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
        raise IllegalAction(f"it is {' or '.join(on_turn(state, pawn_moves(state)))}'s turn to move a pawn: {why}")

    def public(self, state: DiceState) -> DiceView:
        """Return the public view."""
        return public(state)

    def private(self, state: DiceState) -> MrXView:
        """Return Mister X's view."""
        return private(state)
