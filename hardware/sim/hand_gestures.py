"""Simulate how hands move pawns, carefully or carelessly. They know nothing of the game."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

from hardware.sim.physics import SimError
from hardware.sim.simulated_hardware import SimulatedHardware


class Hands:
    """Two hands at a table. Each gesture takes time on the table's clock.

    A gesture raises `SimError` if it is impossible: for example, if the pawn does not stand on `start`, or there is no
    station `to`.
    """

    def __init__(self, table: SimulatedHardware, rng: Random) -> None:
        self._table = table
        self._rng = rng

    def place(self, pawn: str, at: int) -> None:
        """Set a pawn from beside the board on a station, in 0.3 to 1 s."""
        self._table.standing(at)
        self._wait(0.2, 0.7)
        self._table.put(at, pawn)
        self._wait(0.1, 0.3)

    def move(self, pawn: str, start: int, to: int) -> None:
        """Lift a pawn carefully and set it down on another station, in 0.4 to 1.6 s."""
        self._lift(pawn, start, to)
        self._wait(0.3, 1.2)
        self._set_down(pawn, to)

    def slide(self, pawn: str, start: int, to: int) -> None:
        """Drag a pawn over the board, across free stations on its way, at 60 to 400 mm a second."""
        self._table.standing(to)
        path = (start, *self._free_between(start, to), to)
        places = self._table.places
        length = sum(math.dist(places[one], places[other]) for one, other in pairwise(path))
        self._table.slide(path, 1000 * length / self._rng.uniform(60, 400), pawn)
        self._wait(0.0, 0.3)

    def bounce(self, pawn: str, start: int, to: int) -> None:
        """Move a pawn that hops up once or twice for 20 to 80 ms as it lands."""
        self._lift(pawn, start, to)
        self._wait(0.3, 1.2)
        for _ in range(self._rng.randint(1, 2)):
            self._table.put(to, pawn)
            self._wait(0.02, 0.1)
            self._table.lift(to, pawn)
            self._wait(0.02, 0.08)
        self._set_down(pawn, to)

    def bump(self, pawn: str, start: int, to: int) -> None:
        """Move a pawn and knock over the pawn nearest to `to`, which is put back after 0.4 to 1.8 s.

        If no other pawn stands on a station, only move the pawn.
        """
        self._lift(pawn, start, to)
        self._wait(0.3, 1.0)
        victim = self._nearest_other(pawn, to)
        if victim is not None:
            name, at = victim
            self._table.lift(at, name)
            self._wait(0.02, 0.2)
            self._set_down(pawn, to)
            self._wait(0.3, 1.2)
            self._set_down(name, at)
        else:
            self._set_down(pawn, to)

    def wrong_then_right(self, pawn: str, start: int, to: int, wrong: int | None = None) -> None:
        """Set a pawn on a wrong station for 0.1 to 2 s, and then on the right one.

        Args:
            pawn: the pawn.
            start: the station it stands on.
            to: the right station.
            wrong: the wrong one; by default a free one among the five nearest to `to`.
        """
        stop = self._free_near(start, to) if wrong is None else wrong
        self._table.standing(stop)
        self._lift(pawn, start, to)
        self._wait(0.3, 1.0)
        self._table.put(stop, pawn)
        self._wait(0.1, 2.0)
        self._table.lift(stop, pawn)
        self._wait(0.2, 0.8)
        self._set_down(pawn, to)

    def two_lifted(self, pawn: str, start: int, to: int) -> None:
        """Move a pawn, and meanwhile lift another one and put it back.

        If no other pawn stands on a station, make a careful move.
        """
        self._table.standing(to)
        others = [(name, at) for name, at in self._others(pawn) if at is not None]
        if not others:
            self.move(pawn, start, to)
            return
        other, at = self._rng.choice(others)
        first, second = [(pawn, start), (other, at)] if self._rng.random() < 0.5 else [(other, at), (pawn, start)]
        if pawn not in self._table.standing(start):
            now = self._table.where().get(pawn)
            found = "on the bare board or in a hand" if now is None else f"on {now}"
            raise SimError(f"{pawn} does not stand on {start}; it is {found}")
        self._table.lift(first[1], first[0])
        self._wait(0.05, 0.6)
        self._table.lift(second[1], second[0])
        self._wait(0.3, 1.2)
        landings = [(pawn, to), (other, at)]
        self._rng.shuffle(landings)
        for name, station in landings:
            self._set_down(name, station)
            self._wait(0.05, 0.6)

    def half_way(self, pawn: str, start: int, to: int) -> None:
        """Set a pawn down half-way for 0.1 to 0.8 s, and then move it on.

        Half way is the middle one of the free stations along the straight line, or the bare board if there is none.
        """
        stops = self._free_between(start, to)
        self._lift(pawn, start, to)
        self._wait(0.2, 0.6)
        if stops:
            self._table.put(stops[len(stops) // 2], pawn)
        else:
            self._table.put_between(start, to, pawn, self._rng.uniform(0.4, 0.6))
        self._wait(0.1, 0.8)
        self._table.pick_up(pawn)
        self._wait(0.2, 0.6)
        self._set_down(pawn, to)

    def _wait(self, least: float, most: float) -> None:
        self._table.advance(1000 * self._rng.uniform(least, most))

    def _lift(self, pawn: str, start: int, to: int) -> None:
        # Checked first, so that a wrong number leaves no pawn in the hand.
        self._table.standing(to)
        self._table.lift(start, pawn)

    def _set_down(self, pawn: str, to: int) -> None:
        self._table.put(to, pawn)
        self._wait(0.1, 0.4)

    def _others(self, pawn: str) -> list[tuple[str, int | None]]:
        return [(name, at) for name, at in self._table.where().items() if name != pawn]

    def _taken(self) -> set[int | None]:
        return set(self._table.where().values())

    def _free_between(self, start: int, to: int) -> tuple[int, ...]:
        taken = self._taken()
        return tuple(number for number in self._table.between(start, to) if number not in taken)

    def _free_near(self, start: int, to: int) -> int:
        self._table.standing(to)
        places, taken = self._table.places, self._taken()
        free = [number for number in places if number not in taken and number not in {start, to}]
        if not free:
            raise SimError(f"every station but {to} is taken; a wrong one must be free")
        free.sort(key=lambda number: math.dist(places[number], places[to]))
        return self._rng.choice(free[:5])

    def _nearest_other(self, pawn: str, to: int) -> tuple[str, int] | None:
        places = self._table.places
        others = [(name, at) for name, at in self._others(pawn) if at is not None]
        return min(others, key=lambda other: math.dist(places[other[1]], places[to]), default=None)
