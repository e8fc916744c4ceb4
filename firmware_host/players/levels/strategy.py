"""Define what chooses the actions of one game, and when an answer is due."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping
from typing import Protocol

from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView, PublicView


class Strategy(Protocol):
    """A strategy for either side of one game, an action at a time. It sees every public view, in order."""

    def see(self, view: PublicView) -> None:
        """Update the strategy from the next public view."""

    def pursue(self, view: PublicView) -> Action:
        """Return the detectives' next action."""

    def flee(self, view: MrXView) -> Action:
        """Return Mister X's next action."""


CLOCKS: Mapping[str, Callable[[], float]] = {"cpu": time.thread_time, "wall": time.monotonic}
"""The clocks that can count an answer's time: the processor time of this thread, or wall-clock time."""


def leave_loaded_alone() -> None:
    """Exclude everything loaded so far from garbage collection.

    Scanning the search's libraries takes 40 to 80 ms and would happen in the middle of an answer.
    """
    gc.collect()
    gc.freeze()


class AnswerTime:
    """The time limit of the answer in progress.

    Args:
        clock: the clock that counts it, in seconds.
        games: the number of simulated games after which an answer is due.

    Attributes:
        clock: as above.
    """

    def __init__(self, clock: Callable[[], float], games: float) -> None:
        self.clock, self._games = clock, games
        self._seconds, self._ends, self._spent = math.inf, math.inf, 0.0

    def begin(self, seconds: float, asked: float) -> None:
        """Begin an answer that may take `seconds`, counted from the clock's reading `asked`."""
        self._seconds, self._ends = seconds, asked + seconds
        self._spent = self.clock() - asked

    def go_on(self) -> None:
        """Begin the next action of the same turn, with a share of the time counted from now."""
        self._spent = 0.0

    def is_over(self, played: int, used: float) -> bool:
        """Return whether this many simulated games, or seconds of search, are enough."""
        return played >= self._games or self._spent + used >= self._seconds or self.clock() >= self._ends
