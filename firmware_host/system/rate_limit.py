"""Limit how often something may happen, such as a page's orders or lines of the log."""

from __future__ import annotations


class RateLimit:
    """A limit that allows `at_once` events at first, and one more after every `every` seconds.

    Args:
        at_once: the most events that are allowed at once.
        every: seconds until one more event is allowed.
        now: the present time of a monotonic clock, in seconds.
    """

    def __init__(self, at_once: float, every: float, now: float) -> None:
        self._most, self._every = at_once, every
        self._left, self._at = float(at_once), now

    def take(self, now: float) -> bool:
        """Return whether one more event is allowed now. If so, count the event."""
        self._left = min(self._most, self._left + (now - self._at) / self._every)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
