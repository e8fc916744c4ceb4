"""What the service manager is told: that the table can be played, how it is, that it goes on, that it ends.

It is systemd's protocol for services of Type=notify, a few words over a socket (sd_notify(3)). Without a service
manager nothing is told to anybody. Every user of the machine can read what is told: nothing of it may be secret.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """Whoever started this process as a service, if anybody did.

    Attributes:
        address: the socket it listens on; empty where there is no service manager.
        patience: seconds without `goes_on` after which it kills this process; 0 if it does not.
    """

    address: str = ""
    patience: float = 0.0

    @staticmethod
    def of(environ: Mapping[str, str] = os.environ) -> ServiceManager:
        """The one that an environment tells of; a watchdog that is set for another process is none of ours."""
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environ.get("WATCHDOG_USEC", "") if ours else ""
        return ServiceManager(
            environ.get("NOTIFY_SOCKET", ""), int(microseconds) / 1e6 if microseconds.isdecimal() else 0.0
        )

    def ready(self) -> None:
        """The table can be played."""
        self._tell("READY=1")

    def status(self, line: str) -> None:
        """How the table is, in one line for people."""
        self._tell(f"STATUS={' '.join(line.split())}")  # a second line would be another word

    def goes_on(self) -> None:
        """Everything still goes on: the patience begins anew."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """The end has begun."""
        self._tell("STOPPING=1")

    def _tell(self, words: str) -> None:
        if not self.address:
            return
        # A service manager that does not listen is no reason not to play; it will show its impatience itself.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.connect(self.address.replace("@", "\0", 1) if self.address[:1] == "@" else self.address)
            line.send(words.encode(errors="replace"))
