"""How fast orders may come from one page."""

from __future__ import annotations

from collections.abc import Callable

RATE = 240.0
"""Orders a second: a pawn that is dragged asks for a place at every frame of the fastest screens."""

BURST = 2 * RATE
"""So many may come at once, as after a moment in which the line was held up."""


class Pace:
    """A page's allowance of orders. It grows by the second up to its limit, and each order takes one off.

    Args:
        now: seconds of a clock that never runs backwards.
        times: how many times as much it is.
    """

    def __init__(self, now: Callable[[], float], times: int = 1) -> None:
        self._now, self._times = now, times
        self._left, self._at = times * BURST, now()

    def allows(self) -> bool:
        """Whether another order may come now; takes it off if so."""
        now = self._now()
        self._left = min(self._times * BURST, self._left + self._times * RATE * (now - self._at))
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
