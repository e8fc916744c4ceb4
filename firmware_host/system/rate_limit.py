"""Limit the rate of orders of a page, and of lines of the log."""

from __future__ import annotations


class RateLimit:
    """A rate limit with bursts: `at_once` at first, and one more after every `every` seconds.

    Args:
        at_once: its capacity; it begins full.
        every: seconds until it holds one more.
        now: a monotonic clock, in seconds.
    """

    def __init__(self, at_once: float, every: float, now: float) -> None:
        self._most, self._every = at_once, every
        self._left, self._at = float(at_once), now

    def take(self, now: float) -> bool:
        """Return whether one more is allowed now, and count it if so."""
        self._left = min(self._most, self._left + (now - self._at) / self._every)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
