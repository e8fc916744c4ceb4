"""Say when an answer has to be given: after so many games in the mind, or after so much time."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping

CLOCKS: Mapping[str, Callable[[], float]] = {"cpu": time.thread_time, "wall": time.monotonic}
"""The clocks that an answer's time may be counted by: the processor's, whatever others do, or the one on the wall."""


def leave_loaded_alone() -> None:
    """Have the garbage collector pass over all that is loaded now.

    To look through the search's libraries takes it 40 to 80 ms, and it begins in the midst of an answer.
    """
    gc.collect()
    gc.freeze()


class AnswerTime:
    """The time of the answer that a player thinks about now.

    Args:
        clock: what it is counted by, in seconds.
        games: after so many games in the mind an answer has to be given.

    Attributes:
        clock: as above.
    """

    def __init__(self, clock: Callable[[], float], games: float) -> None:
        self.clock, self._games = clock, games
        self._seconds, self._ends, self._spent = math.inf, math.inf, 0.0

    def begin(self, seconds: float, asked: float) -> None:
        """Begin an answer that may take so many seconds from when it was `asked` for, by the clock."""
        self._seconds, self._ends = seconds, asked + seconds
        self._spent = self.clock() - asked

    def go_on(self) -> None:
        """Go on with what follows in the same turn: it has a share of the time, counted from its own beginning."""
        self._spent = 0.0

    def is_over(self, played: int, used: float) -> bool:
        """Return whether so many games in the mind, in so many seconds of the search, are enough."""
        return played >= self._games or self._spent + used >= self._seconds or self.clock() >= self._ends
