"""A clock that counts from the start of the machine, and goes on while the machine sleeps.

What is secret and ends after a while is timed by it: a laptop that is closed overnight must not keep a link open.
`time.monotonic` stands still meanwhile, and the wall clock can be set.
"""

from __future__ import annotations

import time
from pathlib import Path

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # where Linux's is missing, this one counts sleep, too

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_seconds() -> float:
    """Return seconds that never run backwards; those in which the machine slept count."""
    return time.clock_gettime(_CLOCK)


def boot_id() -> str:
    """Return an id of this start of the machine; "" where the system does not say."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        return ""
