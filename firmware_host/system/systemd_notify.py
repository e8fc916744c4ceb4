"""Report readiness, status, progress and the end of the table to the service manager.

This is systemd's protocol for services of Type=notify, a few words over a socket (sd_notify(3)). Without a service
manager nothing is sent. Every user of the machine can read these reports: nothing in them may be secret.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """The service manager that started this process, if one did.

    Attributes:
        address: its socket; empty without a service manager.
        patience: seconds without `keep_alive` after which it kills this process; 0 if it does not.
    """

    address: str = ""
    patience: float = 0.0

    @staticmethod
    def of(environ: Mapping[str, str] = os.environ) -> ServiceManager:
        """Return the service manager of an environment. A watchdog for another process is ignored."""
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environ.get("WATCHDOG_USEC", "") if ours else ""
        return ServiceManager(
            environ.get("NOTIFY_SOCKET", ""), int(microseconds) / 1e6 if microseconds.isdecimal() else 0.0
        )

    def ready(self) -> None:
        """Report that the table can be played."""
        self._send("READY=1")

    def status(self, line: str) -> None:
        """Report the table's status in one line for people."""
        self._send(f"STATUS={' '.join(line.split())}")  # a second line would be a second message

    def keep_alive(self) -> None:
        """Report that the process makes progress, which resets the manager's patience."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Report that the end has begun."""
        self._send("STOPPING=1")

    def _send(self, words: str) -> None:
        if not self.address:
            return
        # A silent service manager must not stop the game; it acts when its patience ends.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.connect(self.address.replace("@", "\0", 1) if self.address[:1] == "@" else self.address)
            line.send(words.encode(errors="replace"))
