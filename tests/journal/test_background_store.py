"""A store that is written on a thread of its own, and a table on it. Nothing here goes by how fast the machine is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event, Thread, current_thread

import pytest

from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import BackgroundStore, SqliteStore
from firmware_host.journal.store_port import Row, UnwritableJournal
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from tests.journal.test_journal import sample
from tests.table.played_table import begun, carry
from tests.table.slow_disk import choose

LONG = 60.0
"""Seconds after which something that never comes is given up."""


class HeldStore(SqliteStore):
    """A file whose disk does nothing until it is let."""

    let: Event
    begun: Event
    trouble: Exception | None = None
    written_by = ""

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        self.begun.set()
        assert self.let.wait(LONG)
        self.written_by = current_thread().name
        if self.trouble is not None:
            raise self.trouble
        super().submit(rows, instead)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[HeldStore]:
    store = HeldStore.open(tmp_path / "journal.sqlite")
    store.let, store.begun = Event(), Event()
    yield store
    store.let.set()


@pytest.fixture
def journal(disk: HeldStore) -> Iterator[Journal]:
    with Journal(BackgroundStore(disk)) as opened:
        yield opened
        disk.let.set()


SETUP = sample()[0]


def test_what_is_handed_in_is_not_durable_until_the_thread_has_written_it(journal: Journal, disk: HeldStore) -> None:
    assert not journal.begin(SETUP, 1.0)
    assert disk.begun.wait(LONG)
    assert journal.writing
    assert not journal.poll()
    assert not journal.in_play
    disk.let.set()
    assert journal.wait()
    assert journal.in_play
    assert disk.written_by == "journal"
    assert [row[2] for row in journal.store.rows()] == ["begin"]


def test_what_was_refused_on_the_thread_is_told_where_it_is_asked_for_and_has_changed_nothing(
    journal: Journal, disk: HeldStore
) -> None:
    disk.trouble = UnwritableJournal("journal X: cannot be written: the disk is full; free some space")
    journal.begin(SETUP, 1.0)
    disk.let.set()
    with pytest.raises(UnwritableJournal, match="the disk is full"):
        journal.wait()
    assert not journal.in_play
    assert not journal.writing
    disk.trouble = None
    journal.begin(SETUP, 2.0)
    assert journal.wait()
    assert journal.in_play


def test_what_nobody_foresaw_on_the_thread_is_raised_where_it_is_asked_for(journal: Journal, disk: HeldStore) -> None:
    disk.trouble = ZeroDivisionError()
    journal.begin(SETUP, 1.0)
    disk.let.set()
    with pytest.raises(ZeroDivisionError):
        journal.wait()


def test_closing_waits_for_what_is_being_written(disk: HeldStore, tmp_path: Path) -> None:
    journal = Journal(BackgroundStore(disk))
    journal.begin(SETUP, 1.0)
    closing = Thread(target=journal.close, daemon=True)
    closing.start()
    closing.join(0.05)
    assert closing.is_alive()
    disk.let.set()
    closing.join(LONG)
    assert not closing.is_alive()
    with Journal.open(tmp_path / "journal.sqlite") as found:
        assert found.in_play


@pytest.fixture
def simulated(disk: HeldStore) -> Iterator[SimulatedTable]:
    """A table whose disk does nothing until it is let."""
    p: SimulatedTable = begun(197, red=74, yellow=13, green=26)
    rows = list(p.table.journal.store.rows())
    SqliteStore.submit(disk, rows)
    p.table.journal.store = BackgroundStore(disk)
    yield p
    disk.let.set()
    p.close()


def test_the_table_goes_on_while_the_disk_does_nothing(simulated: SimulatedTable, disk: HeldStore) -> None:
    view, passes = simulated.public, list[float]()

    def step() -> None:
        simulated.table.step()
        passes.append(simulated.hardware.clock.now())

    simulated.hardware.drive(step, hz=200)
    choose(simulated, 184)
    assert disk.begun.wait(LONG)
    before = len(passes)
    carry(simulated, "red", 75, 3000)
    assert len(passes) - before >= 600
    assert simulated.private.at == Secret(197)
    assert simulated.public is view
    disk.let.set()
    simulated.table.wait()
    assert simulated.private.at == Secret(184)
    simulated.table.wait()  # red has stood there for long, and is written now
    assert simulated.public.pawns["red"] == 75
