"""Answer the table's questions about a moved pawn with the keys."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.referee.readings import RETURN, STATEMENTS, InHand, Returned, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Phase, Scene
from firmware_host.rules.actions import STAY, PawnMove
from firmware_host.simulator.actors.corrections import Corrections, is_true, paused
from firmware_host.simulator.simulated_table import SimulatedTable


class PromptAnswers:
    """The key presses of people who know which move they mean.

    Args:
        simulated: the table.
        corrections: the corrections, which know the switches believed to be broken.
    """

    def __init__(self, simulated: SimulatedTable, corrections: Corrections) -> None:
        self._simulated = simulated
        self._corrections = corrections

    def confirm_move(self, move: PawnMove, *, impatient: bool = False) -> None:
        """Confirm a move if the table asks about it.

        Args:
            move: the move that was carried out, and is not accepted yet.
            impatient: whether to press any offered key because it has taken so long.
        """
        scene = self._simulated.table.scene()
        impatient = impatient and self._simulated.hardware.where().get(move.pawn) == move.to
        if not paused(scene):
            self._press(self._key_for(move, scene, impatient=impatient))

    def confirm_back(self, *, by_key: bool = False) -> None:
        """Confirm that a pawn was put back; `by_key`: even if the table does not ask."""
        scene = self._simulated.table.scene()
        if isinstance(scene.reading, Returned) and scene.reading.ambiguous:
            self._press(CONFIRM)
        elif scene.asked:
            self._press(CONFIRM if scene.asked[0].ticket == RETURN else BACK)
        elif _waits_for_dice(scene):
            return  # that key would confirm the move
        elif isinstance(scene.reading, Settled) and (by_key or any(m.ticket == RETURN for m in scene.reading.silent)):
            self._press(_key_to_ask(scene))

    def _key_for(self, move: PawnMove, scene: Scene, *, impatient: bool) -> str:
        """Return the key to press now, or ""."""
        reading, ask = scene.reading, scene.ask
        if scene.asked:
            return self._answer(move, scene)
        if isinstance(reading, Settled) and move in reading.silent:
            return _key_to_ask(scene)
        if ask.suspect == move.to and BACK in ask.keys:
            return CONFIRM if scene.view is not None and BACK in scene.view.extras else BACK
        if ask.kind is Kind.WHERE:
            return BACK
        if ask.kind is Kind.CANCELLED:
            elsewhere = self._simulated.hardware.where().get(move.pawn) != ask.station
            return CONFIRM if elsewhere and CONFIRM in ask.keys else ""
        offered = isinstance(reading, Settled) or (isinstance(reading, InHand) and CONFIRM in ask.keys)
        return CONFIRM if offered and (impatient or self._believed_dead(move, scene)) else ""

    def _answer(self, move: PawnMove, scene: Scene) -> str:
        """Return the key of the true answer to the question, or ""."""
        if move in scene.asked:
            return CONFIRM if len(scene.asked) == 1 else f"table.{move.ticket}"
        if is_true(scene.asked[0], self._simulated.hardware.where()):
            return CONFIRM
        return BACK if BACK in scene.ask.keys else ""

    def _believed_dead(self, move: PawnMove, scene: Scene) -> bool:
        """Return whether a pawn stands where its switch is known, or by now believed, to be out of order."""
        return move.to in scene.ignored or move.ticket == STAY or self._corrections.suspects(move.pawn, move.to)

    def _press(self, key: str) -> None:
        if key:
            self._simulated.hardware.press(key)


def true_keys(scene: Scene, where: Mapping[str, int | None]) -> list[str]:
    """Return the offered keys that state nothing false, whatever the players want.

    A ticket, or BACK in a question about a move, depends on what they want; a broken switch does not. Left out are
    answers that nobody would give while all switches are sound, such as that one does not sense a pawn.

    Args:
        scene: the table's scene.
        where: pawn -> the station where it stands, None if it is held.
    """
    ask, view = scene.ask, scene.view
    if view is None or scene.phase is not Phase.PLAY or ask.kind in (Kind.SWITCH, Kind.ALL_RIGHT, Kind.PAUSED):
        return []
    if ask.kind is Kind.BACK_OR_NOT:
        pawn, to = ask.pawns[0], ask.station or None
        return [key for key, at in ((CONFIRM, to), (BACK, view.pawns[pawn])) if where.get(pawn) == at]
    if scene.asked:
        first = scene.asked[0]
        of_fact = first.ticket in (RETURN, *STATEMENTS)
        so = is_true(first, where) or (first.ticket not in STATEMENTS and where.get(first.pawn) == first.to)
        return [key for key in ask.keys if (so if key != BACK else not (of_fact and so))]
    false = ask.unsensed or ask.besides is not None or ask.kind is Kind.CANCELLED
    return [key for key in ask.keys if key != CONFIRM or not false]


def _waits_for_dice(scene: Scene) -> bool:
    return scene.view is not None and scene.view.to_roll is not None


def _key_to_ask(scene: Scene) -> str:
    return BACK if scene.ask.keys == (BACK,) else CONFIRM
