"""Wait for conditions that threads, processes and pages bring about, but never for a fixed time and never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST = 60.0
"""Seconds after which a condition will not come true any more, however busy the machine is."""


def until(so: Callable[[], object], what: str = "it", *, seconds: float = LONGEST, every: float = 0.005) -> None:
    """Return as soon as a condition is true.

    Args:
        so: returns whether it is true; called again and again.
        what: a description of the condition, for the error message.
        seconds: how long it may take.
        every: seconds between two looks.

    Raises:
        AssertionError: the condition never came true.
    """
    ends = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < ends, f"waited {seconds:g} s for {what}"
        time.sleep(every)
