"""Slow down whoever sends wrong tokens for Mister X's handset."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

TRIES, WITHIN = 5, 60.0
"""Wrong tokens that are answered at once, and the seconds in which they are counted."""


class TooManyTries(Exception):
    """This token is wrong, and so were too many before it.

    Args:
        wait: seconds after which another wrong one may come.
    """

    def __init__(self, wait: float) -> None:
        super().__init__(f"too many wrong tokens; wait {wait:.0f} s")
        self.wait = wait


class WrongTokenLimit:
    """Limits the wrong tokens, whoever sends them, to `TRIES` within any `WITHIN` seconds.

    A right token is never held up. Wrong ones that are told to wait do not count: whoever goes on trying does not wait
    longer.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: deque[float] = deque(maxlen=TRIES)

    def count(self) -> None:
        """Count a wrong token.

        Raises:
            TooManyTries: too many came before it.
        """
        now = self._now()
        if len(self._wrong) == TRIES and (wait := self._wrong[0] + WITHIN - now) > 0:
            raise TooManyTries(wait)
        self._wrong.append(now)
