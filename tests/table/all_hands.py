"""Hands that carry out a prepared script at a table, in any game.

They carry pawns, press keys, roll or enter dice, and take moves back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from firmware_host.referee.events import TakeBack
from firmware_host.referee.readings import RETURN
from firmware_host.referee.scene import BACK, CONFIRM, Phase
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.table.commands import Choose
from firmware_host.ui.handset_menu import keys_for
from tests.table.cases import Case
from tests.table.played_table import hold
from tests.table.twins import Step

Act = Callable[[SimulatedTable, Action], None]


def by_itself(p: SimulatedTable, action: Action) -> None:
    """Make Mister X's action without a key."""
    p.do(Choose(action))
    p.advance(700)


def by_keys(p: SimulatedTable, action: Action) -> None:
    """Make Mister X's action on the handset."""
    p.hardware.press("handset.back", 60)  # light, and go home
    choose_by_keys(p, action)


def choose_by_keys(p: SimulatedTable, action: Action) -> None:
    """Make a choice on a lit handset, and check that it was accepted."""
    press_keys(p, action)
    assert p.table.game is not None
    assert p.table.game.actions[-1] == action


def press_keys(p: SimulatedTable, action: Action) -> None:
    """Press all keys for a choice on a lit handset. The last press comes at the same time for every choice."""
    p.advance(60)
    if p.table.handset.hold:
        hold(p, "handset.peek", 60)
    keys = keys_for(p.table.handset.menu, p.private, action)
    p.advance(4000 - 110 * len(keys))
    for key in keys:
        p.hardware.press(f"handset.{key}", 55)
        p.advance(55)
    if p.table.handset.hold:
        p.hardware.release("handset.peek")
    p.advance(200)


class AllHands(SimulatedPeople):
    """Hands that carry out a script, each step in the same time whatever is hidden."""

    def __init__(self, simulated: SimulatedTable, seed: int, act: Act = by_itself) -> None:
        super().__init__(simulated, random.Random(f"{seed}/hands"))
        self.act = act

    def carry_out(self, step: Step, *, in_the_open: bool = True) -> None:
        """Do one step at the table; `in_the_open`: Mister X may move his pawn on the board."""
        self.simulated.advance(200)
        self._corrections.set_mr_x()
        self.meant[:] = self.simulated.actions
        before = len(self.meant)
        match step:
            case TakeBack():
                self._undo()
            case PawnMove():
                self._move(step)
            case Roll(faces):
                self._have_rolled(faces)
            case RollAgain():
                self._press_until_accepted(BACK, lambda: BACK in self._scene.ask.keys)
            case MrXMove() if in_the_open and self._gestures.in_the_open(step) and self._rng.random() < 0.5:
                self._move(PawnMove(MR_X, step.to.value, step.ticket))
            case _:
                self.act(self.simulated, step)
        if not isinstance(step, TakeBack):
            assert self.simulated.actions[before:] == [step]

    def _have_rolled(self, faces: tuple[str, ...]) -> None:
        if self.simulated.public.dice.by_hand:  # type: ignore[attr-defined]
            for face in faces:
                self.simulated.hardware.press(CONFIRM if face == "x" else f"table.{face}")
                self.simulated.advance(100)
        self._press_until_accepted(CONFIRM, lambda: True)

    def _undo(self) -> None:
        game, before = self.simulated.table.game, len(self.meant)
        assert game is not None
        assert game.before is not None
        move = self.meant[-1]
        if isinstance(move, MrXMove):  # in the open (BE-05)
            move = PawnMove(MR_X, move.to.value, move.ticket)
        assert isinstance(move, PawnMove)
        origin = game.before.pawns.get(move.pawn)
        if origin is None:
            self.simulated.hardware.pick_up(move.pawn)
        else:
            self._hands.move(move.pawn, move.to, origin)
        home = None if origin is None else PawnMove(move.pawn, origin, RETURN)
        self._until(lambda: self._taken_back(before - 1), f"{move.pawn} back from {move.to}", home)


def begin(p: SimulatedTable, case: Case, start: Mapping[str, int] | None = None) -> None:
    """Begin a game, and set up its pawns."""
    p.new_game(players=case.players, options=dict(case.options), start=start or {})
    p.set_up()
    assert p.table.scene().phase is Phase.PLAY
