"""A hang of any loop of a real process ends the feeding of the watchdog; a device that is unplugged does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.watched import TableProcess, watched
from tests.waiting import until


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableProcess]:
    with watched(tmp_path_factory.mktemp("table"), pages=True) as table:
        table.until("READY=1")
        yield table


@pytest.mark.parametrize("device", ["switches", "lamps", "handset", "display"])
@pytest.mark.long_but_first
def test_a_device_that_is_unplugged_does_not_end_the_feeding(table: TableProcess, device: str) -> None:
    table.ails(device, "lost")
    until(lambda: f"{device}: lost: " in table.log, "the loss")
    table.goes_on()
    table.well(device, "lost")
    until(lambda: f"{device}: ok" in table.log, "the device")


@pytest.mark.parametrize("loop", ["lamps", "handset", "display", "pages"])
@pytest.mark.long_but_first
def test_a_thread_that_hangs_ends_the_feeding_and_is_named_and_if_it_goes_on_so_does_the_feeding(
    table: TableProcess, loop: str
) -> None:
    table.goes_on()
    table.ails(loop, "stuck")
    table.stops_telling()
    until(lambda: f"Hangs for 0.5 s: {loop}." in table.log, "the log")
    table.well(loop, "stuck")
    table.goes_on()


@pytest.mark.parametrize("loop", ["switches", "audience"])
@pytest.mark.long_but_first
def test_a_pass_that_does_not_end_ends_the_feeding(table: TableProcess, loop: str) -> None:
    table.goes_on()
    table.ails(loop, "stuck")
    table.stops_telling()
    table.well(loop, "stuck")
    table.goes_on()


def test_a_device_that_hangs_from_the_first_is_lost_and_the_table_goes_on_without(tmp_path: Path) -> None:
    with watched(tmp_path, stuck="display") as table:
        table.until("READY=1")
        until(table.there("display.reached"), "the display to be stuck")
        table.goes_on()
        assert table.lit() == {"lamps", "handset"}
