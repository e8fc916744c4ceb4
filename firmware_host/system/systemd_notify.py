"""Notify systemd that the table is ready, runs or ends, and delay the restarts of a failing table.

The protocol is systemd's for services of Type=notify: a few words over a socket (sd_notify(3)). Without a service
manager nothing is sent. Every user of the machine can read these words, so they must not be secret.

The service manager restarts a failed table at once and does not count earlier failures (systemd does since version 254,
but many Pis run an older one). This module counts them in a file in the runtime folder, which is removed when the
service is stopped. Failures before this code runs (no program, no user, a broken package) are retried at the unit's
RestartSec forever.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware_host.system.files import read_small_file


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """The service manager that started this process. It may be absent.

    Attributes:
        address: its socket; "" if there is no service manager.
        patience: seconds without `keep_alive` after which it kills this process; 0 if it never does.
    """

    address: str = ""
    patience: float = 0.0

    @staticmethod
    def of(environ: Mapping[str, str] = os.environ) -> ServiceManager:
        """Return the service manager that an environment names. Ignore a watchdog meant for another process."""
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environ.get("WATCHDOG_USEC", "") if ours else ""
        return ServiceManager(
            environ.get("NOTIFY_SOCKET", ""), int(microseconds) / 1e6 if microseconds.isdecimal() else 0.0
        )

    def ready(self) -> None:
        """Notify the service manager that the table can be played."""
        self._send("READY=1")

    def status(self, line: str) -> None:
        """Notify the service manager of the table's status, as one line for people."""
        self._send(f"STATUS={' '.join(line.split())}")  # a second line would be a second message

    def keep_alive(self) -> None:
        """Notify the service manager that the process makes progress. This resets the watchdog's timer."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Notify the service manager that the process is ending."""
        self._send("STOPPING=1")

    def _send(self, words: str) -> None:
        if not self.address:
            return
        # A silent service manager must not stop the game; it acts when its patience ends.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.connect(self.address.replace("@", "\0", 1) if self.address[:1] == "@" else self.address)
            line.send(words.encode(errors="replace"))


FIRST = 2.0
"""Seconds to wait after the second failure in a row. The first has no wait; later waits double."""

LONGEST = 60.0
"""The longest wait in seconds. It fits into the unit's TimeoutStartSec."""

WELL = 600.0
"""Seconds of running after which a failure counts as the first one again."""

_FILE = "failures"


def pause(failures: int) -> float:
    """Return how many seconds a start has to wait after this many failed starts in a row. Pure."""
    return 0.0 if failures < 2 else min(LONGEST, FIRST * 2.0 ** min(failures - 2, 16))


@contextlib.contextmanager
def count_failures(
    manager: ServiceManager,
    folder: str,
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[None]:
    """Wait if earlier starts have failed. Then count a failure unless the code within the `with` ends normally.

    If the process is ended normally during the wait, the count is cleared, too: the user has probably repaired
    something. Without a service manager nothing restarts the table, and nothing is counted.

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
    """Return how many starts in a row have failed before this one."""
    try:
        failures, started = read_small_file(file).decode("ascii").split()
        return int(failures) if now - float(started) < WELL + pause(int(failures)) else 0
    except (OSError, ValueError):  # there was none, or the number is unknown
        return 0
