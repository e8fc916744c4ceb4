"""Devices that disappear and come back, and the actions of hands meanwhile, for the tests of devices."""

from __future__ import annotations

import random

from firmware_host.referee.readings import RETURN, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Phase
from firmware_host.rules.actions import STAY, Action, PawnMove
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from tests.amount import amount
from tests.table.cases import shipped

RULES = amount(("classic", "dice", "junior"), ("classic", "us", "beginners", "dice", "junior"))
DEVICES = ("switches", "keys", "lamps", "handset", "display")
PAUSED = {
    "switches": "Paused: the switches are lost",
    "handset": "Paused: the handset is lost",
    "keys": "Paused: the keys are lost",
}
TOLD_WITHIN = 2000
"""Milliseconds within which every lost device is reported, whatever happens at the table."""


class PlayedToMoment(SimulatedPeople):
    """A game with its players, which can be played up to any of its moments."""

    def __init__(self, rules: str = "classic", seed: int = 1) -> None:
        self.p = SimulatedTable(shipped(rules), seed=seed)
        self.p.new_game(seed=seed)
        super().__init__(self.p, random.Random(seed))

    def to(self, *, mr_x_to_move: bool) -> PlayedToMoment:
        """Play on to Mister X's turn, or to a detective's turn with a pawn to move."""
        if self.p.table.scene().phase is not Phase.PLAY:
            self.set_up()
        for _ in range(40):
            view = self.p.public
            rolls = view.to_roll is not None
            if view.mr_x_to_move is mr_x_to_move and not rolls and (mr_x_to_move or self._moves()):
                self.mind()
                return self
            self.play()
        raise AssertionError("there is no such turn")

    def mind(self) -> None:
        """Correct what the table complains about before the next move."""
        self._corrections.set_mr_x()
        self.p.advance(1000)

    def _moves(self) -> list[PawnMove]:
        """Return the moves that switches can identify: to an empty station, of a pawn that is alone."""
        view = self.p.public
        taken = [*view.pawns.values(), *view.stale]
        return [
            move
            for move in view.moves
            if move.pawn in view.pawns and move.ticket != STAY and move.to not in taken
            if taken.count(view.pawns[move.pawn]) == 1
        ]

    def a_move(self) -> PawnMove:
        """Return one of these moves."""
        return self._rng.choice(self._moves())

    @property
    def done(self) -> list[Action]:
        """Return all accepted actions."""
        return list(self.simulated.actions)

    def answered(self, move: PawnMove) -> bool:
        """Return whether the table accepts a move on the board, by keys if it asks, within a few tries."""
        count = len(self.meant)
        for _ in range(20):
            self.p.advance(500)
            if len(self.simulated.actions) > count:
                self.meant.append(move)
                assert self.simulated.actions == self.meant
                return True
            scene = self.p.table.scene()
            if move in scene.asked:
                self.p.hardware.press(CONFIRM if len(scene.asked) == 1 else f"table.{move.ticket}")
            elif scene.asked and (BACK in scene.ask.keys or scene.asked[0].ticket == RETURN):
                self.p.hardware.press(BACK)
            elif isinstance(scene.reading, Settled) and move in scene.reading.silent:
                self.p.hardware.press(CONFIRM)
        return False


def paused(p: SimulatedTable) -> bool:
    """Return whether the game waits for a device."""
    return p.table.scene().ask.kind is Kind.PAUSED


def waits(device: str, p: SimulatedTable) -> bool:
    """Return whether the game has to wait for this device, which is lost now."""
    view = p.public
    if device == "switches":
        return True
    if p.table.scene().phase is not Phase.PLAY:
        return False
    if device == "keys":
        return view.mr_x_to_move and not view.open_moves
    return device == "handset" and view.mr_x_to_move


def flap(p: SimulatedTable, device: str, *, ms: float, seed: int = 0) -> None:
    """Disconnect and reconnect a device many times a second for a while. It is connected in the end."""
    chance, hardware, end = random.Random(seed), p.hardware, p.hardware.clock.now() + ms / 1000
    while hardware.clock.now() < end:
        hardware.fault(device, "unplug")
        p.advance(chance.randrange(5, 100))
        hardware.fault(device, "replug")
        p.advance(chance.randrange(5, 100))
