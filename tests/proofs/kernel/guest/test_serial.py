"""Our Pico driver on a kernel's USB, the Pico's cable pulled and put back."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.drivers.pico import PicoSwitches
from hardware.drivers.shift_register import SENTINEL
from hardware.ports import DeviceLost
from tests.proofs.kernel.guest.machine import CHIPS, Pico, chain, wait_for

INPUTS = 200
SERIAL = "e6614103e7452d2f"
NAME = Path(f"/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_{SERIAL}-if00")


class RealClock:
    def now(self) -> float:
        return time.monotonic()


def mask(closed: set[int]) -> int:
    return sum(1 << i for i in closed)


@pytest.fixture(scope="module")
def soldered() -> Pico:
    return Pico(SERIAL)


@pytest.fixture
def pico(soldered: Pico) -> Iterator[Pico]:
    """A Pico with its cable out."""
    soldered.contacts = chain(set())
    yield soldered
    soldered.pull()
    wait_for(lambda: not NAME.is_symlink(), "the port has gone")


@pytest.fixture(params=[SERIAL, str(NAME)], ids=["by its serial number", "by its path"])
def switches(request: pytest.FixtureRequest) -> Iterator[PicoSwitches]:
    driver = PicoSwitches(request.param, INPUTS, chips=CHIPS, sentinel=SENTINEL, clock=RealClock())
    yield driver
    driver.close()


def sees(switches: PicoSwitches, closed: set[int]) -> bool:
    try:
        return switches.read() == mask(closed)
    except DeviceLost:
        return False


def lost(switches: PicoSwitches, why: str) -> bool:
    try:
        switches.read()
    except DeviceLost as error:
        return why in str(error)
    return False


def test_udev_names_the_port_after_the_pico(pico: Pico) -> None:
    pico.plug()
    wait_for(NAME.exists, "the port is there")
    assert NAME.resolve() == Path("/dev/ttyACM0")


def test_a_port_held_open_keeps_its_name_from_the_one_that_comes(pico: Pico) -> None:
    """The trap that the next test finds the driver not to be in."""
    pico.plug()
    wait_for(NAME.exists, "the port is there")
    held = os.open(NAME, os.O_RDWR | os.O_NOCTTY)
    try:
        pico.pull()
        wait_for(lambda: not NAME.is_symlink(), "the port has gone")
        pico.plug()
        wait_for(NAME.exists, "the port is back")
        assert NAME.resolve() == Path("/dev/ttyACM1")
    finally:
        os.close(held)


def test_a_pico_that_is_pulled_and_put_back_is_lost_and_back_with_what_has_changed(
    pico: Pico, switches: PicoSwitches
) -> None:
    assert lost(switches, "")
    assert switches.counters.connects == 0
    for times, closed in enumerate(({1, 57, 199}, {2}, set(range(1, INPUTS))), start=1):
        pico.contacts = chain(closed)
        pico.plug()
        wait_for(lambda closed=closed: sees(switches, closed), "the contacts are seen")
        # The driver has let go of the port that is gone: held, it would keep its name from the one that comes.
        assert NAME.resolve() == Path("/dev/ttyACM0")
        assert switches.counters.connects == times
        pico.contacts = chain({7})
        wait_for(lambda: sees(switches, {7}), "a move is seen")
        pico.pull()
        wait_for(lambda: lost(switches, "there is no such port; see that its cable is in"), "the loss is told")
        assert not NAME.exists()
    pico.plug()
    wait_for(lambda: sees(switches, {7}), "the contacts are seen once more")
    assert switches.counters.crc_errors == 0


def test_a_pico_whose_program_hangs_is_lost_though_its_cable_is_in(pico: Pico, switches: PicoSwitches) -> None:
    pico.plug()
    wait_for(lambda: sees(switches, set()), "the contacts are seen")
    pico.hang()
    wait_for(lambda: lost(switches, "its reports have stopped"), "the loss is told")
    assert NAME.exists()
