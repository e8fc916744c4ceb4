"""A slow disk, on the table's own clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import Row, Store
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import StartGame
from firmware_host.ui.handset_menu import keys_for
from hardware.backend import Backend
from hardware.ports import Switches
from tests.table.played_table import Watched, config

COMMIT = 0.5
"""Seconds that a durable write takes."""


class SlowStore:
    """A store that writes only after a while. Implements `Store`.

    Attributes:
        seconds: how long a write takes.
        waits: when each entry was submitted, and when it was durable or refused.
    """

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self.name, self.rows, self.close = store.name, store.rows, store.close
        self._store, self._now = store, now
        self._submitted: tuple[Sequence[Row], Row | None] = ((), None)
        self._at = 0.0
        self.seconds = 0.0
        self.waits: list[tuple[float, float]] = []

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        self._submitted, self._at = (rows, instead), self._now()
        if not self.seconds:
            self._store.submit(rows, instead)

    def poll(self) -> bool:
        if not self.seconds:
            return True
        if self._now() < self._at + self.seconds:
            return False
        self.waits.append((self._at, self._now()))
        self._store.submit(*self._submitted)
        return True

    def wait(self) -> None:
        self._at = float("-inf")


class SeenSwitches:
    """Switches that record when they were read."""

    def __init__(self, switches: Switches, now: Callable[[], float]) -> None:
        self._switches, self._now = switches, now
        self.count, self.place, self.close = switches.count, switches.place, switches.close
        self.reads: list[float] = []

    def read(self) -> int:
        self.reads.append(self._now())
        return self._switches.read()


class SlowTable(Watched):
    """A table whose outputs are all recorded, on a disk that can be slow."""

    slow: SlowStore
    switches: SeenSwitches

    def _opened(self) -> Journal:
        journal = super()._opened()
        journal.store = self.slow = SlowStore(journal.store, self.hardware.clock.now)
        return journal

    @property
    def backend(self) -> Backend:
        backend = super().backend
        self.switches = SeenSwitches(backend.switches, self.hardware.clock.now)
        return replace(backend, switches=self.switches)


def slow_table(seconds: float = COMMIT, conf: Config | None = None) -> SlowTable:
    """Return a table with its pawns set up and Mister X, on 197, to move. From now on its disk is slow."""
    p = SlowTable(conf or config(timing={"settle_ms": 200, "slide_ms": 200}))
    p.do(StartGame(detectives=3, start={MR_X: 197, "red": 74, "yellow": 13, "green": 26}))
    p.set_up()
    p.slow.seconds = seconds
    return p


def choose(p: SimulatedTable, to: int) -> None:
    """Press Mister X's keys for a taxi to a station. That takes half a second."""
    for key in keys_for(p.table.handset.menu, p.private, MrXMove(Secret(to), "taxi")):
        p.hardware.press(f"handset.{key}", 60)
        p.advance(60)


def written(p: SlowTable) -> list[tuple[str, str]]:
    """Return the kind and the content of all entries."""
    return [(kind, text) for _, _, kind, text, _ in p.table.journal.store.rows()]
