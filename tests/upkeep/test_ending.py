"""Told to end, a table goes dark and ends in time, whatever is stuck."""

from __future__ import annotations

import signal
import urllib.request
from pathlib import Path

import pytest

from firmware_host.ending import WITHIN
from tests.upkeep.watched import LONG, Table, wait, watched


def test_it_is_meant_to_take_less_than_a_second() -> None:
    assert WITHIN < 1


def ended(table: Table) -> int:
    """Tells it to end as systemd does; gives its exit status."""
    table.program.send_signal(signal.SIGTERM)
    return table.program.wait(LONG)


def played(table: Table) -> Table:
    """Waits until it can be played and all that shines shines."""
    table.until("READY=1")
    wait(lambda: table.lit() == {"lamps", "handset", "display"})
    return table


def test_lamps_and_screens_are_dark_when_it_has_ended_though_somebody_looks_on(tmp_path: Path) -> None:
    with watched(tmp_path, pages=True) as table:
        played(table)
        address = table.log.partition("The table is shown at ")[2].split()[0]
        with urllib.request.urlopen(f"{address}spectate", timeout=LONG) as page:  # noqa: S310 - our own
            assert ended(table) == 0
            assert page.status == 200
        assert table.lit() == set()
        while table.hear(0.01):
            pass
        assert table.told[-1] == "STOPPING=1"


@pytest.mark.parametrize("stuck", ["lamps", "handset", "display"])
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
        wait(table.there("start.reached"))
        assert ended(table) == 0
        assert table.hear(0.01) == ""
        assert table.lit() == set()
