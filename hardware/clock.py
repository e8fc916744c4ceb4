"""The machine's monotonic clock, and a loop that runs at a steady rate."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.ports import Clock


class SystemClock:
    """The machine's monotonic clock. Implements the `Clock` port."""

    def now(self) -> float:
        """Return the seconds on the machine's monotonic clock."""
        return time.monotonic()


def keep_pace(step: Callable[[], None], hz: float, clock: Clock, sleep: Callable[[float], None] = time.sleep) -> None:
    """Call `step` `hz` times a second, until `step` or `sleep` raises an exception.

    If a step takes too long, the missed steps are skipped: only the current state of the board matters.
    """
    period = 1 / hz
    due = clock.now()
    while True:
        step()
        now = clock.now()
        due = max(due + period, now)
        sleep(due - now)
