"""How soon a table is tried again that fails again and again: a little later each time, and never given up.

The service manager starts it anew at once and knows nothing of the failures before (systemd does since version 254, and
many Pis run an older one). They are counted in a file in the runtime folder, which goes when the service is stopped.
What fails before it comes to that (no program, no user, a broken package) is tried at the unit's RestartSec for ever.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware_host.system import safe_read
from firmware_host.system.systemd_notify import ServiceManager

FIRST = 2.0
"""Seconds to wait after the second failure in a row; after the first there is no wait, then it doubles."""

LONGEST = 60.0
"""Seconds to wait at the most. The unit's TimeoutStartSec has room for it."""

WELL = 600.0
"""Seconds after its start from which on a table that fails has been well before: that is the first failure again."""

_FILE = "failures"


def pause(failures: int) -> float:
    """Seconds to wait after so many failures in a row. Pure."""
    return 0.0 if failures < 2 else min(LONGEST, FIRST * 2.0 ** min(failures - 2, 16))


@contextlib.contextmanager
def counted(
    manager: ServiceManager,
    folder: str,
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[None]:
    """What runs in this counts as failed unless it ends in order; begins with the pause that is due after failures.

    To be ended in order in the pause clears the count, too: whoever starts it then has mended something.
    Without a service manager nobody starts it anew, and nothing is counted.

    Args:
        manager: is told of the pause.
        folder: the runtime folder of the service; the first, if there are several.
        now: seconds since the machine was started.
        sleep: waits for so many seconds.
    """
    place = folder.partition(":")[0]
    if not manager.address or not place:
        yield
        return
    file = Path(place) / _FILE
    failures = _in_a_row(file, now())
    wait = pause(failures)
    try:
        if wait:
            manager.status(f"Failed {failures} times in a row: tries again in {wait:g} s")
            sleep(wait)
        with contextlib.suppress(OSError):  # a table that can be played is worth more than the count
            file.unlink(missing_ok=True)  # whatever it is: nobody waits for it, and no link is followed
            file.write_text(f"{failures + 1} {now():.0f}\n", encoding="ascii")
        yield
    except SystemExit as end:
        if end.code in (0, None):
            file.unlink(missing_ok=True)
        raise
    file.unlink(missing_ok=True)


def _in_a_row(file: Path, now: float) -> int:
    """How many starts before this one have failed in a row."""
    try:
        failures, started = safe_read.content(file).decode("ascii").split()
        return int(failures) if now - float(started) < WELL + pause(int(failures)) else 0
    except (OSError, ValueError):  # none has, or nobody knows any more
        return 0
