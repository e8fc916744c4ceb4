"""The rate limit of everything that must not come too fast: orders of a page, lines of the log."""

from __future__ import annotations


class TokenBucket:
    """Allows so many at once, and one more every so many seconds.

    Args:
        at_once: how many it holds; it begins full.
        every: seconds after which it holds one more.
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, at_once: float, every: float, now: float) -> None:
        self._most, self._every = at_once, every
        self._left, self._at = float(at_once), now

    def take(self, now: float) -> bool:
        """Take one out, and return whether there was one."""
        self._left = min(self._most, self._left + (now - self._at) / self._every)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
