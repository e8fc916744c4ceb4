"""Provide a clock that advances only on request."""

from __future__ import annotations

import math

from hardware.sim.sim_errors import SimError


class SimClock:
    """Virtual time, from 0 at the start. Implements the `Clock` port.

    It counts whole microseconds, so that a scan every 5 ms stays exact after hours.
    """

    __slots__ = ("_microseconds",)

    def __init__(self) -> None:
        self._microseconds = 0

    @property
    def microseconds(self) -> int:
        """The time in whole microseconds."""
        return self._microseconds

    def now(self) -> float:
        """Return the time in seconds."""
        return self._microseconds / 1_000_000

    def advance(self, seconds: float) -> None:
        """Advance time by some seconds.

        Args:
            seconds: at least 0; rounded to microseconds.
        """
        if not 0 <= seconds < math.inf:
            raise SimError(f"clock: cannot advance by {seconds} s; time moves on by 0 s or more")
        self._microseconds += round(seconds * 1_000_000)

    def advance_to(self, microseconds: int) -> None:
        """Advance time to a moment.

        Args:
            microseconds: the moment on this clock, not before its current time.
        """
        if microseconds < self._microseconds:
            raise SimError(f"clock: {microseconds} us is in the past; it is {self._microseconds} us")
        self._microseconds = microseconds
