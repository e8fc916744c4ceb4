"""Our drivers on a kernel's pins, with each library that moves them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from hardware.drivers.buttons import ButtonKeys
from hardware.drivers.neopixels import HZ, SpiLamps, encode
from hardware.drivers.pin_factory import lgpio_module
from hardware.drivers.pins import GpioSwitches, MatrixSwitches
from hardware.drivers.shift_register import SENTINEL, LoadPin, ShiftRegisterSwitches
from hardware.drivers.spi import KernelSpi
from hardware.ports import BadDevice, DeviceLost
from hardware.raspberry_pi.kernel_devices import KernelDevices
from tests.proofs.kernel.guest.machine import CHIPS, LONG, Bus, chain, ground, held_up, level, supply, wait_for

ROWS, COLUMNS = (5, 6, 13, 19), (16, 20, 21, 26)


@contextmanager
def held_by_another_program(pin: int) -> Iterator[None]:
    """Another owner of a pin. To the kernel, who opens the chip once more is somebody else."""
    lgpio = lgpio_module()
    chip = lgpio.gpiochip_open(0)
    try:
        lgpio.gpio_claim_input(chip, pin)
        yield
    finally:
        lgpio.gpiochip_close(chip)


def solder(rows: tuple[int, ...], columns: tuple[int, ...], closed: set[int], factory: Any) -> None:
    """Joins rows and columns by contacts with diodes: whenever a pin is driven, what the kernel says of the rows
    decides about the columns. `closed` are the crossings whose contact is closed, row after row."""

    class SolderedPin(factory.pin_class):  # type: ignore[misc, name-defined]
        def _set_state(self, value: float) -> None:
            super()._set_state(value)
            low = [level(row) == 0 for row in rows]
            for number, column in enumerate(columns):
                pulled = any(low[row] and row * len(columns) + number in closed for row in range(len(rows)))
                (ground if pulled else supply)(column)

    factory.pin_class = SolderedPin


def test_the_libraries_leave_nothing_behind_and_the_working_directory_is_where_it_was(factory: Any) -> None:
    assert factory is not None
    assert "lgpio" in sys.modules
    assert Path.cwd() == Path(__file__).parents[4]
    assert list(Path("/run").rglob("*lgpio*")) + list(Path("/run").rglob(".lgd*")) == []


def test_the_chip_is_found_by_its_label_and_says_who_holds_its_lines() -> None:
    devices = KernelDevices()
    assert str(devices.header_chip()) == "/dev/gpiochip0 (pinctrl-bcm2711)"
    assert devices.consumers(range(28)) == {}
    with held_by_another_program(12):
        assert devices.consumers(range(28)) == {12: "lg"}


def test_contacts_to_ground_are_seen_by_their_gpio_numbers(factory: Any) -> None:
    with closing(GpioSwitches([4, 17, 27], factory)) as switches:
        assert switches.read() == 0, "the kernel pulls them up"
        for pin in (17, 4, 27):
            ground(pin)
        assert switches.read() == 1 << 4 | 1 << 17 | 1 << 27
        supply(4)
        assert switches.read() == 1 << 17 | 1 << 27


def test_keys_are_seen_while_they_are_held(factory: Any) -> None:
    with closing(ButtonKeys({"up": 22, "down": 23, "select": 24}, factory)) as keys:
        assert keys.read() == 0
        ground(23)
        assert keys.read() == 0b010
        ground(24)
        supply(23)
        assert keys.read() == 0b100


@pytest.mark.parametrize(
    "closed",
    [set(), {0}, {15}, {0, 1, 4}, {0, 5, 10, 15}, set(range(16))],
    ids=lambda closed: f"{sorted(closed)} closed",
)
def test_every_contact_of_a_matrix_is_seen_and_no_other(factory: Any, closed: set[int]) -> None:
    solder(ROWS, COLUMNS, closed, factory)
    with closing(MatrixSwitches(ROWS, COLUMNS, factory)) as switches:
        for _ in range(2):
            assert switches.read() == sum(1 << crossing for crossing in closed)
        assert [level(row) for row in ROWS] == [1, 1, 1, 1]


def test_a_pin_that_another_program_holds_is_a_device_lost_that_comes_back(factory: Any) -> None:
    with held_by_another_program(12):
        switches = GpioSwitches([12, 18], factory)
        for _ in range(2):
            with pytest.raises(DeviceLost, match=r"switches: GPIO 12 does not answer.*no other program"):
                switches.read()
    with closing(switches):
        assert switches.read() == 0
        ground(18)
        assert switches.read() == 1 << 18


def test_a_pin_let_go_is_free_for_another_program(factory: Any) -> None:
    with closing(GpioSwitches([25], factory)) as switches:
        assert switches.read() == 0
    factory.close()
    with held_by_another_program(25):
        pass


def test_a_chain_of_shift_registers_is_read_in_one_transfer_after_its_load_pulse(factory: Any, spi: Bus) -> None:
    contacts = {1, 8, 57, 199}
    spi.lay_out(chain(contacts))
    bus, load = KernelSpi("0.0", 1_000_000, 1, "switches"), LoadPin(24, factory)
    switches = ShiftRegisterSwitches(200, spi=bus, load=load, chips=CHIPS, sentinel=SENTINEL, mode=1)
    with closing(switches):
        assert switches.read() == sum(1 << i for i in contacts)
        assert level(24) == 1
        (message,) = spi.heard()
        assert (message.where, message.how, len(message.data)) == (1_000_000, 1, CHIPS)
        spi.lay_out(b"")
        with pytest.raises(DeviceLost, match="every bit of the chain is 0"):
            switches.read()


def test_lamps_get_a_frame_in_one_transfer(spi: Bus) -> None:
    lamps = SpiLamps(223, spi=KernelSpi("0.0", HZ, 0, "lamps"))
    frame = bytes(n % 251 for n in range(3 * 223))
    lamps.show(frame)
    lamps.close()
    grb = bytes(frame[3 * lamp + colour] for lamp in range(223) for colour in (1, 0, 2))
    (message,) = spi.heard()
    assert (message.where, message.how) == (HZ, 0)
    assert message.data == encode(grb)


@pytest.mark.parametrize("ask", [KernelSpi.transfer, KernelSpi.write])
def test_while_the_bus_is_busy_everything_else_goes_on(ask: Callable[[KernelSpi, bytes], object], spi: Bus) -> None:
    bus = KernelSpi("0.0", HZ, 0, "lamps")
    failed: list[DeviceLost] = []

    def send() -> None:
        try:
            ask(bus, bytes(4096))
        except DeviceLost as error:  # held up for too long: nobody but this thread could run
            failed.append(error)

    sender = Thread(target=send)
    with closing(bus):
        with held_up("spi0") as holding:
            sender.start()
            wait_for(lambda: holding() or failed, "nothing is being sent")
            assert sender.is_alive()
            assert spi.heard() == []
        sender.join(LONG)
    assert failed == []
    assert [len(message.data) for message in spi.heard()] == [4096]


def test_more_lamps_than_the_kernel_s_buffer_takes_are_refused_and_nothing_is_sent(spi: Bus) -> None:
    lamps = SpiLamps(322, spi=KernelSpi("0.0", HZ, 0, "lamps"))
    with pytest.raises(BadDevice, match=r"takes 4096 at once; add spidev.bufsiz=8192"):
        lamps.show(bytes(3 * 322))
    assert spi.heard() == []
    lamps.close()


def test_a_bus_that_is_not_there_is_a_device_lost() -> None:
    lamps = SpiLamps(1, spi=KernelSpi("1.0", HZ, 0, "lamps"))
    with pytest.raises(DeviceLost, match=r"/dev/spidev1.0 does not answer.*dtoverlay=spi1-1cs"):
        lamps.show(bytes(3))
