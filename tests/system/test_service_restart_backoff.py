"""A table that fails again and again is tried again later each time, and never given up."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.daemon.run import DARK
from firmware_host.daemon.watchdog import HUNG
from firmware_host.system.systemd_notify import LONGEST, WELL, ServiceManager, count_failures, pause
from tests.daemon.service_manager import Ear, listening


class BootClock:
    """Seconds since the machine was started, and how long the last start has slept."""

    def __init__(self) -> None:
        self.time, self.slept = 100.0, 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time, self.slept = self.time + seconds, seconds


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    with listening(tmp_path) as ear:
        yield ear


def start(ear: Ear, folder: Path, clock: BootClock, status: int | None, lasts: float = 1.0) -> float:
    """One start, its end and its exit status (None: killed); gives how long it has waited before."""
    clock.slept = 0.0
    running = count_failures(ear.manager, f"{folder}:/run/another", now=clock.now, sleep=clock.sleep)
    if status is None:
        running.__enter__()
        clock.time += lasts
        return clock.slept
    with suppress(SystemExit), running:
        clock.time += lasts
        sys.exit(status)
    return clock.slept


def test_the_pause_doubles_with_every_failure_after_the_first_up_to_a_minute() -> None:
    assert [pause(failures) for failures in range(9)] == [0, 0, 2, 4, 8, 16, 32, 60, 60]
    assert pause(10_000) == LONGEST


def test_failures_in_a_row_are_waited_after_and_told_and_an_end_in_order_clears_them(ear: Ear, tmp_path: Path) -> None:
    clock = BootClock()
    assert [start(ear, tmp_path, clock, 1) for _ in range(4)] == [0, 0, 2, 4]
    assert ear.heard()[-1] == "STATUS=Failed 3 times in a row: tries again in 4 s"
    assert start(ear, tmp_path, clock, 0) == 8
    assert [start(ear, tmp_path, clock, 1) for _ in range(3)] == [0, 0, 2]


def test_one_that_is_told_to_end_in_its_pause_is_started_without_one(ear: Ear, tmp_path: Path) -> None:
    clock = BootClock()
    for _ in range(5):
        start(ear, tmp_path, clock, 1)

    def told_to_end(_: float) -> None:
        sys.exit(0)

    with pytest.raises(SystemExit), count_failures(ear.manager, str(tmp_path), now=clock.now, sleep=told_to_end):
        pytest.fail("it has gone on")
    assert start(ear, tmp_path, clock, 1) == 0


def test_one_that_is_killed_has_failed_too(ear: Ear, tmp_path: Path) -> None:
    clock = BootClock()
    assert [start(ear, tmp_path, clock, None) for _ in range(4)] == [0, 0, 2, 4]


def test_one_that_was_well_for_a_while_begins_anew(ear: Ear, tmp_path: Path) -> None:
    clock = BootClock()
    for _ in range(20):
        start(ear, tmp_path, clock, 1)
    assert start(ear, tmp_path, clock, None, lasts=WELL + LONGEST) == LONGEST
    assert [start(ear, tmp_path, clock, None) for _ in range(3)] == [0, 0, 2]


def test_a_count_that_cannot_be_read_or_written_keeps_no_table_from_being_run(ear: Ear, tmp_path: Path) -> None:
    clock = BootClock()
    (tmp_path / "failures").write_bytes(b"\xff garbage")
    assert start(ear, tmp_path, clock, 1) == 0
    assert start(ear, tmp_path / "missing", clock, 1) == 0


def test_what_would_keep_a_reader_or_a_writer_waiting_is_put_away_and_counts_for_nothing(
    ear: Ear, tmp_path: Path
) -> None:
    clock = BootClock()
    os.mkfifo(tmp_path / "failures")
    assert [start(ear, tmp_path, clock, 1) for _ in range(4)] == [0, 0, 2, 4]


def test_without_a_service_manager_nothing_is_counted(tmp_path: Path) -> None:
    for manager, folder in ((ServiceManager(), str(tmp_path)), (ServiceManager("/nowhere"), "")):
        with pytest.raises(SystemExit), count_failures(manager, folder, sleep=sys.exit):
            sys.exit(1)
    assert list(tmp_path.iterdir()) == []


def test_the_unit_has_room_for_the_longest_pause_and_for_going_dark() -> None:
    unit = (shipped_files.service_folder() / "yardboard.service").read_text()
    seconds = {
        name: int(value)
        for name, value in re.findall(r"^(Timeout\w+Sec|WatchdogSec|RestartSec)=(\d+)$", unit, re.MULTILINE)
    }
    assert seconds["TimeoutStartSec"] >= 2 * LONGEST
    assert seconds["TimeoutStopSec"] >= 2 * DARK
    assert seconds["WatchdogSec"] >= HUNG
    assert seconds["RestartSec"] >= 5  # what fails before it is counted shall not take a core for itself
    assert "RuntimeDirectoryPreserve=restart\n" in unit  # where failures are counted
