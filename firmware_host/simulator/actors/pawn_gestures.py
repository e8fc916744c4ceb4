"""Move pawns as a simulated person's hand does: straight, or in one of the ways that careless hands have."""

from __future__ import annotations

import random
from collections.abc import Callable

from firmware_host.players.heuristic import heuristic
from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.simulator.simulated_table import SimulatedTable
from hardware.sim import Hands

Gesture = Callable[[str, int, int], None]
"""Moves a pawn from a station to another."""


class PawnGestures:
    """How the pawns of one table are moved.

    Args:
        simulated: the table.
        hands: what moves them.
        chance: which gesture it is.
        rough: whether there is any but the straight one.
    """

    def __init__(self, simulated: SimulatedTable, hands: Hands, chance: random.Random, *, rough: bool) -> None:
        self._simulated, self._hands, self._chance, self._rough = simulated, hands, chance, rough

    def bring(self, move: PawnMove) -> None:
        """Bring a pawn straight to where a move ends, from wherever it stands, if it does not stand there already."""
        at = self._simulated.hardware.where().get(move.pawn)
        if at is None:
            self._hands.place(move.pawn, move.to)
        elif at != move.to:
            self._hands.move(move.pawn, at, move.to)

    def in_the_open(self, move: MrXMove) -> bool:
        """Whether Mister X's pawn stands on the board and can make this move there (BE-05)."""
        view, scene = self._simulated.public, self._simulated.table.scene()
        where = self._simulated.hardware.where().get(MR_X)
        stands = where == view.pawns.get(MR_X, 0) and MR_X not in scene.set_down  # and is felt there
        return stands and any((m.to, m.ticket) == (move.to.value, move.ticket) for m in view.open_moves)

    def choose(self, move: PawnMove, start: int, change_mind: Gesture) -> Gesture:
        """Return a gesture for a move; one that would *be* another legal move is left to `change_mind`."""
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
        """Return another move that could be made instead and taken back by hand, on a switch that is listened to."""
        table = self._simulated.table
        return None if table.game is None else heuristic.alternative_move(table.game, move, table.scene().ignored)

    def _wrong_then_right(self, pawn: str, start: int, to: int) -> None:
        """Set a pawn down on a station that is no legal one, and then on the right one."""
        view, hardware = self._simulated.public, self._simulated.hardware
        not_there = {to, *hardware.where().values(), *(move.to for move in (*view.moves, *view.open_moves))}
        wrong = [station for station in hardware.places if station not in not_there]
        self._hands.wrong_then_right(pawn, start, to, self._chance.choice(wrong))
