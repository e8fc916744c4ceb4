"""Move pawns as people do: straight, or with one of the habits of careless hands."""

from __future__ import annotations

import random
from collections.abc import Callable

from firmware_host.players.heuristic import heuristic
from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.simulator.simulated_table import SimulatedTable
from hardware.sim import Hands

Gesture = Callable[[str, int, int], None]
"""A movement of a pawn from one station to another."""


class PawnGestures:
    """The gestures at one table.

    Args:
        simulated: the table.
        hands: the hands that move the pawns.
        chance: the random source of the gesture.
        rough: whether any gesture but the straight one is used.
    """

    def __init__(self, simulated: SimulatedTable, hands: Hands, chance: random.Random, *, rough: bool) -> None:
        self._simulated, self._hands, self._chance, self._rough = simulated, hands, chance, rough

    def bring(self, move: PawnMove) -> None:
        """Carry a pawn straight to a move's destination, unless it is already there."""
        at = self._simulated.hardware.where().get(move.pawn)
        if at is None:
            self._hands.place(move.pawn, move.to)
        elif at != move.to:
            self._hands.move(move.pawn, at, move.to)

    def in_the_open(self, move: MrXMove) -> bool:
        """Return whether Mister X's pawn stands on the board and can make this move there (BE-05)."""
        view, scene = self._simulated.public, self._simulated.table.scene()
        where = self._simulated.hardware.where().get(MR_X)
        stands = where == view.pawns.get(MR_X, 0) and MR_X not in scene.set_down  # and is sensed there
        return stands and any((m.to, m.ticket) == (move.to.value, move.ticket) for m in view.open_moves)

    def choose(self, move: PawnMove, start: int, change_mind: Gesture) -> Gesture:
        """Choose a gesture for a move; one that would *be* another legal move is left to `change_mind`."""
        hands = self._hands
        if not self._rough or self._chance.random() < 0.4:
            return hands.move
        view = self._simulated.public
        legal = {other.to for other in (*view.moves, *view.open_moves)}
        gestures: list[Gesture] = [hands.slide, hands.bounce, hands.bump, hands.two_lifted, self._wrong_then_right]
        if not legal & set(self._simulated.hardware.between(start, move.to)):
            gestures.append(hands.half_way)
        if move in view.moves and self.other_way(move) is not None:
            gestures.append(change_mind)
        return self._chance.choice(gestures)

    def other_way(self, move: PawnMove) -> PawnMove | None:
        """Return another possible move that people can undo, on a switch that is not ignored."""
        table = self._simulated.table
        return None if table.game is None else heuristic.alternative_move(table.game, move, table.scene().ignored)

    def _wrong_then_right(self, pawn: str, start: int, to: int) -> None:
        """Set a pawn down on an illegal station, and then on the right one."""
        view, hardware = self._simulated.public, self._simulated.hardware
        not_there = {to, *hardware.where().values(), *(move.to for move in (*view.moves, *view.open_moves))}
        wrong = [station for station in hardware.places if station not in not_there]
        self._hands.wrong_then_right(pawn, start, to, self._chance.choice(wrong))
