"""Move magnets over the board."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from hardware.sim.magnets_and_reeds import Point, Reeds
from hardware.sim.virtual_clock import SimClock

MOTION_STEP = 1000
"""Microseconds between two positions of a moving magnet: at a hand's speed, less than a millimetre."""


class Drag:
    """A pawn dragged at a constant speed along straight lines from point to point.

    Args:
        reeds: the reeds under it; the pawn must be on the board.
        pawn: its name.
        stops: the points, at least two, the first being its position.
        start: the start time, in microseconds.
        ms: the duration, in milliseconds.
        spot: the spot on which it stands afterwards, or None while a hand holds it or for the bare board.

    Attributes:
        end: the last point.
        spot: as above; may be set during the movement.
    """

    def __init__(
        self, reeds: Reeds, pawn: str, stops: Sequence[Point], start: int, ms: float, spot: int | None = None
    ) -> None:
        self.end, self.spot = stops[-1], spot
        self._reeds = reeds
        self._pawn = pawn
        lengths = [math.dist(a, b) for a, b in pairwise(stops)]
        whole = sum(lengths)
        # Each leg: when it ends (microseconds), how long it takes, its two ends, the spots along it.
        self._legs: list[tuple[float, float, Point, Point, tuple[int, ...]]] = []
        end = float(start)
        for length, (a, b) in zip(lengths, pairwise(stops), strict=True):
            duration = ms * 1000 * (length / whole if whole else 1 / len(lengths))
            end += duration
            self._legs.append((end, duration, a, b, reeds.near(a, b)))
        self._ends = start + round(ms * 1000)

    def follow(self, clock: SimClock) -> bool:
        """Move the pawn to its position now; return whether it has arrived, exactly on the last point."""
        now = clock.microseconds
        while len(self._legs) > 1 and self._legs[0][0] <= now:
            del self._legs[0]
        end, duration, a, b, near = self._legs[0]
        left = 0.0 if now >= self._ends or not duration else max(0.0, end - now) / duration
        point = (b[0] - left * (b[0] - a[0]), b[1] - left * (b[1] - a[1]))
        self._reeds.move(self._pawn, point, clock.now(), near)
        return now >= self._ends
