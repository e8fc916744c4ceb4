"""Correct what the table complains about: wait, move or set down pawns, report a switch.

People do what they are asked and answer truthfully: they see where a pawn stands.
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

ATTEMPTS = 3
"""How often an unsensed pawn is set down on a station before its switch counts as broken."""


def paused(scene: Scene) -> bool:
    """Return whether the table waits for a device."""
    return scene.ask.kind is Kind.PAUSED


def is_true(asked: PawnMove, where: Mapping[str, int | None]) -> bool:
    """Return the true answer to a question about a reading. `where`: pawn -> its station, None if held."""
    here = asked.ticket == HERE and where.get(asked.pawn) == asked.to
    empty = asked.ticket == EMPTY and asked.to not in where.values()
    his = asked.ticket == MR_X_PAWN and asked.to in (where.get(pawn) for pawn in FUGITIVES)
    return here or empty or his


class Corrections:
    """The corrections that people make with hands and eyes.

    Args:
        simulated: the table.
        chance: the random source of delays.
        gestures: a counter of what was done.
    """

    def __init__(self, simulated: SimulatedTable, chance: random.Random, gestures: Counter[str]) -> None:
        self._simulated, self._hardware = simulated, simulated.hardware
        self._chance = chance
        self._gestures = gestures
        self._tried: Counter[tuple[str, int]] = Counter()

    def forget_tries(self) -> None:
        """Reset the counts of attempts before something new begins."""
        self._tried.clear()

    def suspects(self, pawn: str, station: int) -> bool:
        """Return whether a pawn was set down on a station so often that its switch must be broken."""
        return self._tried[pawn, station] >= ATTEMPTS

    def put_right(self, mover: str = "") -> None:
        """Look at the table once, and do what it asks for. May take some time.

        Args:
            mover: the pawn in motion, which is right where its hand has put it.
        """
        scene = self._simulated.table.scene()
        view, reading = scene.view, scene.reading
        if view is None or paused(scene):
            return
        if scene.asked and (isinstance(reading, Mismatch) or (isinstance(reading, InHand) and not mover)):  # a guess
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
            self._set_down_unsensed(view, scene.ignored)

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
        """Take off the detectives' pawns that have yet to start, except the one that starts now."""
        view = self._simulated.public
        for pawn, at in self._standing().items():
            if pawn in view.order and pawn not in view.pawns and pawn != mover:
                self._lift(pawn, at)

    def _put_mismatch_right(self, scene: Scene, view: PublicView, wrong: Mismatch, mover: str) -> None:
        """Report a broken switch to the table, or correct the pawns that it complains about."""
        if CONFIRM in scene.ask.keys and self._is_right(wrong):
            self._gestures["switch confirmed broken"] += 1
            self._hardware.press(CONFIRM)
            self._wait(0.4, 0.6)
            return
        where, wanted = self._hardware.where(), dict(wrong.missing)
        todo, extra = scene.to_carry_out, wrong.extra
        if todo is not None and where.get(todo.move.pawn) == todo.origin and scene.wrong < 2:  # moves later
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
        self._set_down_unsensed(view, scene.ignored)

    def _has_come(self, move: PawnMove) -> bool:
        """Return whether a computer's pawn stands at its destination."""
        return self._hardware.where().get(move.pawn) == move.to

    def _stands(self, view: PublicView, pawn: str, ignored: frozenset[int]) -> bool:
        """Return whether a pawn stands where it must after repeated attempts to set it down."""
        at = view.pawns[pawn]
        sensed = at in self._simulated.table.referee.occupied | ignored
        return self._hardware.where().get(pawn) == at and (sensed or self.suspects(pawn, at))

    def _strayed(self, view: PublicView, pawn: str) -> bool:
        """Return whether a pawn stands elsewhere than in the game."""
        at = self._hardware.where().get(pawn)
        return at is not None and at != view.pawns[pawn]

    def _is_right(self, wrong: Mismatch) -> bool:
        """Return whether pawns stand where they must, and nothing stands anywhere else."""
        standing = self._standing()
        empty = wrong.extra.isdisjoint(standing.values())
        return empty and all(standing.get(pawn) == at for pawn, at in wrong.missing.items())

    def _take_off(self, extra: frozenset[int]) -> None:
        """Take off a pawn of Mister X's that is left from an earlier appearance."""
        standing = self._standing()
        for figure in FUGITIVES:
            if standing.get(figure) in extra:
                self._lift(figure, standing[figure])

    def _clear(self, view: PublicView, extra: frozenset[int]) -> None:
        """Put back a detective that stands on an unexpected station, or set the nearest pawn down again."""
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
                self._set_down_again(pawn, where[pawn])

    def _set_down_unsensed(self, view: PublicView, ignored: frozenset[int]) -> None:
        """Set down again every unsensed pawn, unless the table ignores its switch."""
        sensed = self._simulated.table.referee.occupied | ignored
        for pawn, at in sorted(self._standing().items()):
            # Mister X's pawn is not set down again where he no longer is.
            left = pawn in FUGITIVES and not view.open_moves and at != view.pawns.get(pawn)
            if at not in sensed and not left:
                self._set_down_again(pawn, at)

    def _standing(self) -> dict[str, int]:
        return {pawn: at for pawn, at in self._hardware.where().items() if at is not None}

    def _set_down_again(self, pawn: str, at: int) -> None:
        if self.suspects(pawn, at):
            return
        self._tried[pawn, at] += 1
        self._gestures["set down again"] += 1
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
