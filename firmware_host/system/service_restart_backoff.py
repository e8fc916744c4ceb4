"""Delay the restart of a table that keeps failing: a little longer each time, without giving up.

The service manager restarts it at once and does not count earlier failures (systemd does since version 254, but many
Pis run an older one). They are counted in a file in the runtime folder, which is removed when the service is stopped.
Failures before this code runs (no program, no user, a broken package) are retried at the unit's RestartSec forever.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware_host.system import safe_read
from firmware_host.system.systemd_notify import ServiceManager

FIRST = 2.0
"""Seconds to wait after the second failure in a row. The first has no wait; later waits double."""

LONGEST = 60.0
"""The longest wait in seconds. It fits into the unit's TimeoutStartSec."""

WELL = 600.0
"""Seconds of running after which a failure counts as the first one again."""

_FILE = "failures"


def pause(failures: int) -> float:
    """Return the seconds to wait after this many failures in a row. Pure."""
    return 0.0 if failures < 2 else min(LONGEST, FIRST * 2.0 ** min(failures - 2, 16))


@contextlib.contextmanager
def count_failures(
    manager: ServiceManager,
    folder: str,
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[None]:
    """Wait according to earlier failures, and count the block as failed unless it ends normally.

    A normal end during the pause clears the count, too: a user who restarts it has repaired something. Without a
    service manager nothing restarts the table, and nothing is counted.

    Args:
        manager: gets the status line about the pause.
        folder: the runtime folder of the service; if there are several, the first is used.
        now: returns the seconds since the machine was started.
        sleep: waits for some seconds.
    """
    place = folder.partition(":")[0]
    if not manager.address or not place:
        yield
        return
    file = Path(place) / _FILE
    failures = _failures_in_a_row(file, now())
    wait = pause(failures)
    try:
        if wait:
            manager.status(f"Failed {failures} times in a row: tries again in {wait:g} s")
            sleep(wait)
        with contextlib.suppress(OSError):  # playing matters more than the count
            file.unlink(missing_ok=True)  # of any file type: reading nothing, following no link
            file.write_text(f"{failures + 1} {now():.0f}\n", encoding="ascii")
        yield
    except SystemExit as end:
        if end.code in (0, None):
            file.unlink(missing_ok=True)
        raise
    file.unlink(missing_ok=True)


def _failures_in_a_row(file: Path, now: float) -> int:
    """Return how many starts before this one failed in a row."""
    try:
        failures, started = safe_read.read_small_file(file).decode("ascii").split()
        return int(failures) if now - float(started) < WELL + pause(int(failures)) else 0
    except (OSError, ValueError):  # there was none, or the number is unknown
        return 0
