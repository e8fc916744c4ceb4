"""A clock that counts from the start of the machine, even while the machine sleeps.

It times secrets that expire: a laptop that is closed overnight must not keep a link valid. `time.monotonic` stops while
the machine sleeps, and a user can set the wall clock.
"""

from __future__ import annotations

import time
from pathlib import Path

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # other systems' CLOCK_MONOTONIC counts sleep

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_seconds() -> float:
    """Return the seconds since the machine started, the time that it slept included."""
    return time.clock_gettime(_CLOCK)


def boot_id() -> str:
    """Return an id that is different after each start of the machine, or "" if the system has none."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        return ""
