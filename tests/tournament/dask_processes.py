"""A Dask scheduler and workers as separate processes, on this machine's loopback address."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.tournament.one_game import GameRunner

PATIENCE = 240.0
"""Seconds after which an event will not come any more, even on the slowest machine."""

OLD = "import firmware_host\nfirmware_host.__version__ = '0.0.9'\n"
"""The first lines of a worker with an older yardboard."""

NO_ROOM = """from firmware_host.tournament import one_game
def play(pairing): raise OSError(28, "No space left on device", "/full/disk")
play.__module__, one_game.play = one_game.__name__, play
"""
"""What a worker does first whose disk is full: every game fails there."""


def until(so: Callable[[], object], what: str) -> None:
    """Return as soon as a condition is true."""
    end = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.02)


def cluster_at(address: str, *, patience: float, say: Callable[[str], object]) -> GameRunner:
    """Return a `DaskCluster`. Only its tests load Dask, which takes a second."""
    from firmware_host.tournament.dask_cluster import DaskCluster  # noqa: PLC0415 - heavy

    return DaskCluster(address, patience=patience, say=say)


class DaskProcesses:
    """The processes of a cluster. All have ended when the context is left."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.scheduler = self.start_scheduler()

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """Start the scheduler, at any port or at the port of the previous one."""
        file = self._folder / f"scheduler-{len(self._running)}.json"
        port = self.address.rpartition(":")[2] or "0"
        words = ("--host", "127.0.0.1", "--port", port, "--no-dashboard", "--scheduler-file", str(file))
        started = self._start("scheduler", *words)
        until(lambda: self._address(file), "the scheduler")
        self.address = self._address(file)
        return started

    def _address(self, file: Path) -> str:
        try:
            return str(json.loads(file.read_text(encoding="utf-8"))["address"])
        except (OSError, ValueError):  # it is not there yet, or not whole
            return ""

    def start_worker(self, name: str, *, first: str = "") -> subprocess.Popen[bytes]:
        """Start a worker with one thread, and wait until the scheduler knows it."""
        words = ["--no-nanny", "--no-dashboard", "--nthreads", "1", "--name", name, "--host", "127.0.0.1"]
        if first:
            preload = self._folder / f"first-{name}.py"
            preload.write_text(first, encoding="utf-8")
            words += ["--preload", str(preload)]
        started = self._start("worker", self.address, *words, "--local-directory", str(self._folder))
        until(lambda: self._knows(name), f"the worker {name}")
        return started

    def _knows(self, worker: str) -> bool:
        """Whether the scheduler knows a worker; just started it may say more at once than distributed expects."""
        try:
            return worker in self.held()
        except AssertionError:
            return False

    def held(self) -> dict[str, int]:
        """Return how many unfinished games each worker has, according to the scheduler."""
        from distributed import Client  # noqa: PLC0415 - heavy: see `cluster_at`

        with Client(self.address, set_as_default=False, timeout=PATIENCE) as client:
            return dict(client.run_on_scheduler(_held))

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        environ = os.environ | {"DASK_CONFIG": str(self._folder)}
        log = (self._folder / f"{words[0]}-{len(self._running)}.log").open("wb")
        with log:
            started = subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environ, start_new_session=True,
            )  # fmt: skip
        self._running.append(started)
        return started

    def close(self) -> None:
        """End all processes."""
        for process in self._running:
            process.kill()  # one that was stopped hears nothing else
            process.wait()


def _held(dask_scheduler) -> dict[str, int]:  # type: ignore[no-untyped-def]
    return {str(worker.name): len(worker.processing) for worker in dask_scheduler.workers.values()}


@contextmanager
def dask_processes(folder: Path) -> Iterator[DaskProcesses]:
    """Yield a scheduler without workers."""
    processes = DaskProcesses(folder)
    try:
        yield processes
    finally:
        processes.close()


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process as the kernel does when memory runs out, and wait for its end."""
    process.send_signal(signal.SIGKILL)
    process.wait()
