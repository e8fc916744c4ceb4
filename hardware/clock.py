"""Real time."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.ports import Clock


class SystemClock:
    """The machine's own clock, which nobody can set. Implements the `Clock` port."""

    def now(self) -> float:
        """Seconds on a clock that never runs backwards."""
        return time.monotonic()


def keep_pace(step: Callable[[], None], hz: float, clock: Clock, sleep: Callable[[float], None] = time.sleep) -> None:
    """Calls `step` `hz` times a second, until it or `sleep` raises something.

    A step that comes late is not made up for: what matters is how the board stands now.
    """
    period = 1 / hz
    due = clock.now()
    while True:
        step()
        now = clock.now()
        due = max(due + period, now)
        sleep(due - now)
