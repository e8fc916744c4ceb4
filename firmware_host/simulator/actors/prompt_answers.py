"""What people press when the table asks, or offers, something while they carry a pawn: they know what they mean."""

from __future__ import annotations

from firmware_host.referee.asks import BACK, CONFIRM, Kind
from firmware_host.referee.scene import RETURN, InHand, Returned, Scene, Settled
from firmware_host.rules.actions import STAY, PawnMove
from firmware_host.simulator.actors.corrections import Amends, is_so, paused
from firmware_host.simulator.simulated_table import Parlour


class Answers:
    """The fingers of whoever moves a pawn.

    Args:
        parlour: the table.
        amends: tells which switches are believed to be broken by now.
    """

    def __init__(self, parlour: Parlour, amends: Amends) -> None:
        self._parlour = parlour
        self._amends = amends

    def about(self, move: PawnMove, *, impatient: bool = False) -> None:
        """Press what says that this is the move that was made; nothing if the table asks nothing.

        Args:
            move: what was carried out, and is not accepted yet.
            impatient: whether that has taken so long that anything is pressed that the table offers.
        """
        scene = self._parlour.daemon.scene()
        impatient = impatient and self._parlour.table.where().get(move.pawn) == move.to
        if not paused(scene):
            self._press(self._saying(move, scene, impatient=impatient))

    def that_back(self, *, by_key: bool = False) -> None:
        """Press what says that a pawn was put back where it came from; `by_key`: though the table may not ask."""
        scene = self._parlour.daemon.scene()
        if isinstance(scene.reading, Returned) and scene.reading.doubtful:
            self._press(CONFIRM)
        elif scene.asked:
            self._press(CONFIRM if scene.asked[0].ticket == RETURN else BACK)
        elif _to_roll(scene):
            return  # the key would do that
        elif isinstance(scene.reading, Settled) and (by_key or any(m.ticket == RETURN for m in scene.reading.silent)):
            self._press(_asking(scene))

    def _saying(self, move: PawnMove, scene: Scene, *, impatient: bool) -> str:
        """The key to be pressed now, or ""."""
        reading, ask = scene.reading, scene.ask
        if scene.asked:
            return self._answer(move, scene)
        if isinstance(reading, Settled) and move in reading.silent:
            return _asking(scene)
        if ask.doubts == move.to and BACK in ask.keys:
            return CONFIRM if scene.view is not None and BACK in scene.view.extras else BACK
        if ask.kind is Kind.WHERE:
            return BACK
        offered = isinstance(reading, Settled) or (isinstance(reading, InHand) and CONFIRM in ask.keys)
        return CONFIRM if offered and (impatient or self._doubted(move, scene)) else ""

    def _answer(self, move: PawnMove, scene: Scene) -> str:
        """The true answer to what is asked, by someone who sees where the pawns stand."""
        if move in scene.asked:
            return CONFIRM if len(scene.asked) == 1 else f"table.{move.ticket}"
        if is_so(scene.asked[0], self._parlour.table.where()):
            return CONFIRM
        return BACK if BACK in scene.ask.keys else ""

    def _doubted(self, move: PawnMove, scene: Scene) -> bool:
        """Whether a pawn stands where its switch is known, or by now believed, to be out of order."""
        return move.to in scene.masked or move.ticket == STAY or self._amends.doubts(move.pawn, move.to)

    def _press(self, key: str) -> None:
        if key:
            self._parlour.table.press(key)


def _to_roll(scene: Scene) -> bool:
    """Whether the table waits for dice."""
    return scene.view is not None and scene.view.dice is not None and scene.view.dice.to_roll > 0


def _asking(scene: Scene) -> str:
    """The key that makes the table ask."""
    return BACK if scene.ask.keys == (BACK,) else CONFIRM
