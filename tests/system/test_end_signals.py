"""Told to end, a table goes dark and ends in time, whatever is stuck."""

from __future__ import annotations

import os
import pty
import signal
import time
import urllib.request
from pathlib import Path

import pytest

from firmware_host.system.process import MEANINGLESS, STATUSES
from tests.daemon.watched import LONG, TableProcess, watched
from tests.waiting import until


def ended(table: TableProcess, how: signal.Signals = signal.SIGTERM) -> int:
    """Tells it to end, as systemd does unless told; gives its exit status."""
    table.program.send_signal(how)
    ends = time.monotonic() + LONG
    while table.program.poll() is None:
        assert time.monotonic() < ends, "it does not end"
        table.hear(0.05)  # a service manager's queue holds ten words, and what comes then is lost
    return table.program.returncode


def played(table: TableProcess) -> TableProcess:
    """Waits until it can be played and all that shines shines."""
    table.until("READY=1")
    until(lambda: table.lit() == {"lamps", "handset", "display"}, "all to shine")
    return table


def test_lamps_and_screens_are_dark_when_it_has_ended_though_somebody_looks_on(tmp_path: Path) -> None:
    with watched(tmp_path, pages=True) as table:
        played(table)
        for number in (*(getattr(signal, name) for name in MEANINGLESS), signal.SIGRTMIN, signal.SIGRTMAX):
            table.program.send_signal(number)  # signals that mean nothing
        table.goes_on()
        assert table.lit() == {"lamps", "handset", "display"}
        address = table.log.partition("The table is shown at ")[2].split()[0]
        with urllib.request.urlopen(f"{address}spectate", timeout=LONG) as page:  # noqa: S310 - our own
            assert ended(table) == 0
            assert page.status == 200
        assert table.lit() == set()
        while table.hear(0.01):
            pass
        assert table.told[-1] == "STOPPING=1"


@pytest.mark.parametrize("stuck", ["lamps", "handset", "display"])
@pytest.mark.long_but_first
def test_a_stuck_device_keeps_nothing_else_lit_and_nobody_waiting(tmp_path: Path, stuck: str) -> None:
    with watched(tmp_path) as table:
        played(table).ails(stuck, "stuck")
        assert ended(table) == 0
        assert table.lit() == {stuck}


def test_it_ends_even_while_its_own_loop_is_stuck_for_good(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        played(table).ails("switches", "stuck")
        assert ended(table) == 0


def test_it_ends_while_it_starts(tmp_path: Path) -> None:
    with watched(tmp_path, stuck="start") as table:
        until(table.there("start.reached"), "the start")
        assert ended(table) == 0
        while table.hear(0.01):
            pass
        assert set(table.told) <= {"STOPPING=1"}  # said if the signal came before the device's wait did
        assert table.lit() == set()


@pytest.mark.parametrize("terminal_goes", ["while it is played", "while its own loop is stuck"])
@pytest.mark.long_but_first
def test_a_table_whose_terminal_is_lost_goes_dark_and_ends_as_if_it_were_told_to(
    tmp_path: Path, terminal_goes: str
) -> None:
    screen, keyboard = pty.openpty()
    try:
        with watched(tmp_path, terminal=keyboard) as table:
            os.close(keyboard)
            played(table)
            if "stuck" in terminal_goes:
                table.ails("switches", "stuck")
            os.close(screen)
            screen = -1
            assert table.program.wait(LONG) == 0
            if "played" in terminal_goes:
                assert table.lit() == set()
                while table.hear(0.01):
                    pass
                assert table.told[-1] == "STOPPING=1"
    finally:
        if screen != -1:
            os.close(screen)


@pytest.mark.parametrize(("how", "status"), STATUSES.items())
@pytest.mark.long_but_first
def test_every_signal_that_means_the_end_leaves_all_dark(tmp_path: Path, how: signal.Signals, status: int) -> None:
    with watched(tmp_path) as table:
        assert ended(played(table), how) == status
        assert table.lit() == set()
