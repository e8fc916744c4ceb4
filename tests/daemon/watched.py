"""A table that runs as a service, with the test as its service manager."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware_host.config import shipped_files
from tests.waiting import until

LONG = 60.0
"""Seconds after which a test gives up. Only a failing test takes that long."""

HUNG = 0.5
"""Seconds after which a loop hangs, much fewer than in a real service."""

BEATS = 12
"""The number of ticks in a row that a test observes; together they last longer than `HUNG`."""


class TableProcess:
    """The child process, and its notifications to the service manager."""

    def __init__(self, folder: Path, program: subprocess.Popen[str], ear: socket.socket) -> None:
        self.folder, self.program, self._ear = folder, program, ear
        self.told: list[str] = []

    def hear(self, patience: float) -> str:
        """Return the next notification; "" if none comes within `patience` seconds."""
        self._ear.settimeout(patience)
        with suppress(TimeoutError):
            self.told.append(self._ear.recv(4096).decode())
            return self.told[-1]
        return ""

    def until(self, words: str) -> None:
        """Wait for a notification."""
        ends = time.monotonic() + LONG
        while self.hear(0.2) != words:
            assert time.monotonic() < ends, f"never told: {words}"
            assert self.program.poll() is None, self.log

    def goes_on(self) -> None:
        """Wait until the process has sent keep-alive signals for longer than a loop may hang."""
        for _ in range(BEATS):
            self.until("WATCHDOG=1")

    def stops_telling(self) -> None:
        """Wait until no tick brings a keep-alive any more."""
        ends, quiet = time.monotonic() + LONG, 0
        while quiet < BEATS:
            assert time.monotonic() < ends, "it goes on and on"
            words = self.hear(1.0)
            quiet = 0 if words == "WATCHDOG=1" else BEATS if not words else quiet + 1

    def ails(self, device: str, how: str) -> None:
        """Give a device a fault."""
        if how == "lost":
            (self.folder / f"{device}.lost").touch()
        else:
            os.mkfifo(self.folder / f"{device}.stuck")
            until(self.there(f"{device}.reached"), f"{device} to be stuck")

    def well(self, device: str, how: str) -> None:
        """End the fault of a device."""
        path = self.folder / f"{device}.{how}"
        writing = os.open(path, os.O_WRONLY)
        path.unlink()
        os.close(writing)

    def there(self, name: str) -> Callable[[], bool]:
        """Return a function that returns whether a file of this name exists."""
        return (self.folder / name).exists

    def lit(self) -> set[str]:
        """Return the devices on which something is visible."""
        return {path.stem for path in self.folder.glob("*.lit")}

    @property
    def log(self) -> str:
        """Return the log so far."""
        return (self.folder / "log").read_text(encoding="utf-8")


@contextmanager
def watched(
    folder: Path, *, pages: bool = False, stuck: str = "", terminal: int | None = None
) -> Iterator[TableProcess]:
    """Run a table as a service, in its own folder, and yield its process.

    Args:
        folder: where its files are.
        pages: whether it is shown in browsers.
        stuck: what is stuck from the start.
        terminal: the one at which it is run, and where its log goes then.
    """
    text = (shipped_files.folder() / "london-spi.toml").read_text(encoding="utf-8").replace('"lgpio"', '"mock"')
    web = "[web]\nserve = true\nport = 0\n\n" if pages else ""
    text = text.replace("[keys] ", f'{web}[journal]\npath = "games.sqlite"\n\n[keys] ')
    (folder / "board.toml").write_text(text, encoding="utf-8")
    if stuck:
        os.mkfifo(folder / f"{stuck}.stuck")
    address = folder / "notify"
    environ = {**os.environ, "NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "200000", "HOME": str(folder)}
    environ |= {"RUNTIME_DIRECTORY": str(folder), "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "tests.daemon.wedged", str(folder), str(HUNG)]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear, (folder / "log").open("w") as log:
        ear.bind(str(address))
        streams = {"stderr": log} if terminal is None else dict.fromkeys(("stdin", "stdout", "stderr"), terminal)
        with subprocess.Popen(
            command, text=True, env=environ, start_new_session=terminal is not None, **streams
        ) as program:
            try:
                yield TableProcess(folder, program, ear)
            finally:
                program.send_signal(signal.SIGKILL)
