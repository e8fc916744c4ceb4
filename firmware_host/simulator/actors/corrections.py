"""Put right what the table complains of: wait, move pawns, set them down anew, say which switch is broken.

People do what is asked and tell the truth: where a pawn stands they see with their own eyes.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping

from firmware_host.referee.readings import EMPTY, HERE, MR_X_PAWN, InHand, Mismatch, Returned, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Phase, Scene
from firmware_host.rules.actions import FUGITIVES, PawnMove
from firmware_host.rules.views import PublicView
from firmware_host.simulator.simulated_table import SimulatedTable

ANEW = 3
"""How often a pawn that is not felt is set down anew on a station before its switch is doubted."""


def paused(scene: Scene) -> bool:
    """Return whether the table waits for a device."""
    return scene.ask.kind is Kind.PAUSED


def is_true(asked: PawnMove, where: Mapping[str, int | None]) -> bool:
    """Return the true answer to what the table asks of what it feels. `where`: pawn -> its station, None in a hand."""
    here = asked.ticket == HERE and where.get(asked.pawn) == asked.to
    empty = asked.ticket == EMPTY and asked.to not in where.values()
    his = asked.ticket == MR_X_PAWN and asked.to in (where.get(pawn) for pawn in FUGITIVES)
    return here or empty or his


class Corrections:
    """Put right what the table complains of, with hands and eyes.

    Args:
        simulated: the table.
        chance: how long things take.
        gestures: where it is counted what was done.
    """

    def __init__(self, simulated: SimulatedTable, chance: random.Random, gestures: Counter[str]) -> None:
        self._simulated, self._hardware = simulated, simulated.hardware
        self._chance = chance
        self._gestures = gestures
        self._tried: Counter[tuple[str, int]] = Counter()

    def forget_tries(self) -> None:
        """Forget what was tried so far: something else begins."""
        self._tried.clear()

    def doubts(self, pawn: str, station: int) -> bool:
        """Return whether a pawn was set down on a station so often that its switch must be broken."""
        return self._tried[pawn, station] >= ANEW

    def put_right(self, mover: str = "") -> None:
        """Look at the table once, and do what it asks for. May take some time.

        Args:
            mover: the pawn that is being moved, which is right where its hand has put it.
        """
        scene = self._simulated.table.scene()
        view, reading = scene.view, scene.reading
        if view is None or paused(scene):
            return
        if scene.asked and (isinstance(reading, Mismatch) or (isinstance(reading, InHand) and not mover)):  # it guesses
            so = is_true(scene.asked[0], self._hardware.where())
            if so or not mover:  # nobody has moved
                self._hardware.press(CONFIRM if so else BACK)
        elif scene.to_carry_out is not None and CONFIRM in scene.ask.keys and self._has_come(scene.to_carry_out.move):
            self._hardware.press(CONFIRM)
        elif isinstance(reading, Mismatch) and scene.wrong:
            self._put_mismatch_right(scene, view, reading, mover)
        elif isinstance(reading, Returned) and reading.ambiguous and self._stands(view, reading.pawn, scene.ignored):
            self._gestures["switch confirmed broken"] += 1
            self._hardware.press(BACK)
        elif isinstance(reading, Returned) and reading.pawn != mover and self._strayed(view, reading.pawn):
            self._gestures["put back"] += 1
            self._stand(reading.pawn, view.pawns[reading.pawn])
        elif isinstance(reading, InHand | Settled | Returned) and view.outcome is None:
            self._set_down_unfelt(view, scene.ignored)

    def set_mr_x(self) -> None:
        """Set Mister X's own pawns down or take them off, as the table asks."""
        scene = self._simulated.table.scene()
        for figure in self._simulated.public.fugitives:
            standing, wanted = self._hardware.where().get(figure), scene.set_down.get(figure)
            if wanted is not None and standing != wanted:
                self._stand(figure, wanted)
            elif standing is not None and standing in scene.take_off:
                self._lift(figure, standing)

    def take_off_unstarted(self, mover: str) -> None:
        """Take the detectives' pawns off that have yet to start, all but the one that starts now."""
        view = self._simulated.public
        for pawn, at in self._standing().items():
            if pawn in view.order and pawn not in view.pawns and pawn != mover:
                self._lift(pawn, at)

    def _put_mismatch_right(self, scene: Scene, view: PublicView, wrong: Mismatch, mover: str) -> None:
        """Tell the table that a switch is broken, or put the pawns right that it complains of."""
        if CONFIRM in scene.ask.keys and self._is_right(wrong):
            self._gestures["switch confirmed broken"] += 1
            self._hardware.press(CONFIRM)
            self._wait(0.4, 0.6)
            return
        where, wanted = self._hardware.where(), dict(wrong.missing)
        todo, extra = scene.to_carry_out, wrong.extra
        if todo is not None and where.get(todo.move.pawn) == todo.origin and scene.wrong < 2:  # it is moved in its turn
            wanted.pop(todo.move.pawn, None)
            extra -= {todo.origin}
        if scene.phase is Phase.PLAY and scene.wrong < 2:
            wanted.pop(mover, None)
        for pawn, station in wanted.items():
            if where.get(pawn) != station:
                self._gestures["put back"] += 1
                self._stand(pawn, station)
        self._take_off(extra)
        self._clear(view, extra)
        self._set_down_unfelt(view, scene.ignored)

    def _has_come(self, move: PawnMove) -> bool:
        """Return whether a computer's pawn stands where it goes."""
        return self._hardware.where().get(move.pawn) == move.to

    def _stands(self, view: PublicView, pawn: str, masked: frozenset[int]) -> bool:
        """Return whether a pawn stands where it must, however often it was set down there anew."""
        at = view.pawns[pawn]
        felt = at in self._simulated.table.referee.occupied | masked
        return self._hardware.where().get(pawn) == at and (felt or self.doubts(pawn, at))

    def _strayed(self, view: PublicView, pawn: str) -> bool:
        """Return whether a pawn stands elsewhere than the game has it."""
        at = self._hardware.where().get(pawn)
        return at is not None and at != view.pawns[pawn]

    def _is_right(self, wrong: Mismatch) -> bool:
        """Return whether pawns stand where they must, and nothing stands where nothing should."""
        standing = self._standing()
        empty = wrong.extra.isdisjoint(standing.values())
        return empty and all(standing.get(pawn) == at for pawn, at in wrong.missing.items())

    def _take_off(self, extra: frozenset[int]) -> None:
        """Take off a pawn of Mister X's that is left from where he showed himself before."""
        standing = self._standing()
        for figure in FUGITIVES:
            if standing.get(figure) in extra:
                self._lift(figure, standing[figure])

    def _clear(self, view: PublicView, extra: frozenset[int]) -> None:
        """Send the detective home that stands where nothing should, or set the nearest pawn down anew."""
        places, where = self._hardware.places, self._standing()
        for station in extra:
            there = [pawn for pawn, at in where.items() if at == station]
            for pawn in there:
                home = view.pawns.get(pawn)
                if home is None and pawn not in FUGITIVES:  # it has yet to start
                    self._lift(pawn, station)
                elif home is not None and home != station:
                    self._gestures["put back"] += 1
                    self._stand(pawn, home)
            if not there and where:
                pawn = min(where, key=lambda pawn: math.dist(places[where[pawn]], places[station]))
                self._anew(pawn, where[pawn])

    def _set_down_unfelt(self, view: PublicView, masked: frozenset[int]) -> None:
        """Set every pawn down anew that is not felt, but where the table knows that it cannot be."""
        felt = self._simulated.table.referee.occupied | masked
        for pawn, at in sorted(self._standing().items()):
            # His pawn, where he is no more, is not set down again.
            left = pawn in FUGITIVES and not view.open_moves and at != view.pawns.get(pawn)
            if at not in felt and not left:
                self._anew(pawn, at)

    def _standing(self) -> dict[str, int]:
        return {pawn: at for pawn, at in self._hardware.where().items() if at is not None}

    def _anew(self, pawn: str, at: int) -> None:
        if self.doubts(pawn, at):
            return
        self._tried[pawn, at] += 1
        self._gestures["set down anew"] += 1
        self._stand(pawn, at)

    def _lift(self, pawn: str, station: int) -> None:
        self._hardware.lift(station, pawn)
        self._wait(0.4, 0.6)

    def _stand(self, pawn: str, station: int) -> None:
        if pawn in self._hardware.points():
            self._hardware.pick_up(pawn)
        self._wait(0.2, 0.4)
        self._hardware.put(station, pawn)
        self._wait(0.4, 0.6)

    def _wait(self, least: float, most: float) -> None:
        self._simulated.advance(1000 * self._chance.uniform(least, most))
