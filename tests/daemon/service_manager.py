"""A service manager that only receives notifications."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.system.systemd_notify import ServiceManager


class Ear:
    """A socket that collects the notifications to a service manager until a test reads them."""

    def __init__(self, line: socket.socket, manager: ServiceManager) -> None:
        self._line, self.manager = line, manager

    def heard(self) -> list[str]:
        told = []
        try:
            while True:
                told.append(self._line.recv(4096).decode())
        except BlockingIOError:
            return told


@contextmanager
def listening(folder: Path, patience: float = 20.0) -> Iterator[Ear]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(folder / "notify"))
        line.setblocking(False)
        yield Ear(line, ServiceManager(str(folder / "notify"), patience))
