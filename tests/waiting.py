"""Wait for what threads, processes and pages do: for conditions, never for a time, and never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST = 60.0
"""Seconds after which something will not happen any more, however busy the machine is."""


def until(so: Callable[[], object], what: str = "it", *, seconds: float = LONGEST, every: float = 0.005) -> None:
    """Return as soon as something is so.

    Args:
        so: tells whether it is; asked again and again.
        what: what is waited for, for whoever reads that it never came.
        seconds: how long it may take.
        every: seconds between two looks.

    Raises:
        AssertionError: it never came.
    """
    ends = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < ends, f"waited {seconds:g} s for {what}"
        time.sleep(every)
