"""Open the bus to a small OLED panel, I2C or SPI, and open it again after a loss.

Both have the interface of luma's serial classes: some bytes are commands, the others go into the panel's memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from time import sleep
from typing import Any, Protocol

from hardware.drivers.pins import PinGroup, output
from hardware.drivers.spi import Spi
from hardware.ports import BadDevice, DeviceLost, NotInstalled
from hardware.raspberry_pi.kernel_devices import KernelDevices

RESET_PULSE = 0.001
"""Seconds that the reset line is held low, and that the panel gets after it.

The data sheets require 3 µs (SSD1306 8.9, SSD1309 8.9) and 10 µs (SH1106, reset timing). Many an SSD1309 stays black
without it, on I2C too.
"""


class Bus(Protocol):
    """An open bus to one panel, with luma's interface. Raises OSError, DeviceLost or luma's errors."""

    def command(self, *command: int) -> None:
        """Send commands with their arguments, at most 32 bytes together."""

    def data(self, data: Sequence[int]) -> None:
        """Send bytes into the panel's memory, any number."""

    def cleanup(self) -> None:
        """Release the bus, which is not used afterwards."""


OpenBus = Callable[[], Bus]
"""Opens a bus; called again after every loss of the panel."""


def i2c_bus(
    number: int, address: int, reset: PinGroup | None = None, kernel: KernelDevices | None = None, *, what: str
) -> OpenBus:
    """Return a function that opens the bus to a panel on I2C: luma's own interface over smbus2.

    Everything is sent in SMBus block writes of up to 32 bytes, which every I2C controller of Linux can do.

    Args:
        number: of the bus on the header; most kernels call 1 `/dev/i2c-1`.
        address: of the panel, 7 bits: 0x3C or 0x3D.
        reset: the RES line, from `reset_line`; None if it is tied to the supply, or the panel has none.
        kernel: finds the bus, again at each opening; this machine's by default.
        what: the panel's name in messages, "handset" or "display".

    Raises:
        BadDevice: no bus or panel can have that number.
        NotInstalled: luma or smbus2 is not installed.
    """
    if number < 0:
        raise BadDevice(f"{what}: I2C bus {number}; buses are counted from 0, and a Pi's header has bus 1")
    if not 0x08 <= address <= 0x77:
        raise BadDevice(f"{what}: I2C address {address:#04x}; addresses are 0x08 to 0x77, an OLED's is 0x3c or 0x3d")
    try:
        from luma.core.interface.serial import i2c  # noqa: PLC0415 - only a Pi has it
        from smbus2 import SMBus  # noqa: PLC0415 - only a Pi has it
    except ImportError as error:
        raise NotInstalled.needing("OLED (I2C)", str(error.name), "pi") from error

    devices = kernel or KernelDevices()

    def open_bus() -> Bus:
        found = devices.bus_number("i2c", number)
        if found is None:
            raise DeviceLost(
                f"{what}: /dev/i2c-{number} is another bus, the header's I2C{number} is off; switch it on in config.txt"
            )
        with ExitStack() as opened:
            if reset is not None:
                opened.callback(reset.close)
                with reset as lines:
                    _pulse(*lines)
            wires = SMBus(found)
            opened.callback(wires.close)
            bus = i2c(bus=wires, address=address)
            bus.cleanup = opened.pop_all().close  # luma does not close a bus that it was given
        return bus  # type: ignore[no-any-return]

    return open_bus


def reset_line(pin: int, *, what: str, factory: Any) -> PinGroup:
    """Return the RES line of a panel on I2C. It is claimed and released once now, as in `spi_bus`.

    Args:
        pin: its GPIO, BCM number.
        what: the panel's name in messages, "handset" or "display".
        factory: gpiozero's pin factory.

    Raises:
        BadDevice: the pin does not exist or serves another device of this program.
        NotInstalled: gpiozero is not installed.
    """
    try:
        lines = PinGroup(what, [(pin, output(pin, factory, active_high=False))])
    except ImportError as error:
        raise NotInstalled.needing("OLED (reset pin)", str(error.name), "pi") from error
    lines.close()
    return lines


def spi_bus(open_spi: Callable[[], Spi], *, what: str, dc_pin: int, reset_pin: int | None, factory: Any) -> OpenBus:
    """Return a function that opens the four-wire SPI bus to a panel, with its data/command line.

    The lines are claimed and released once at this call, to find a wrong one now. One that another program holds is
    only lost: opening the bus raises `DeviceLost` until it is free.

    Args:
        open_spi: creates the SPI device: mode 0, at most 10 MHz for SSD1306 and SSD1309, 4 MHz for SH1106.
        what: the panel's name in messages, "handset" or "display".
        dc_pin: the GPIO of the D/C line, BCM number: low for commands, high for data.
        reset_pin: the GPIO of the RES line, BCM number; None if it is tied to the supply.
        factory: gpiozero's pin factory.

    Raises:
        BadDevice: a pin does not exist or serves another device of this program.
        NotInstalled: gpiozero is not installed.
    """
    try:
        makers = [(dc_pin, output(dc_pin, factory))]
        if reset_pin is not None:
            makers.append((reset_pin, output(reset_pin, factory, active_high=False)))
    except ImportError as error:
        raise NotInstalled.needing("OLED (SPI)", str(error.name), "pi") from error
    open_spi().close()  # detects a wrong SPI device now
    lines = PinGroup(what, makers)
    lines.close()
    return lambda: _SpiBus(open_spi, lines)


def _pulse(*resets: Any) -> None:
    for reset in resets:
        reset.on()
        sleep(RESET_PULSE)
        reset.off()
        sleep(RESET_PULSE)


class _SpiBus:
    """An open SPI bus with its lines. The panel has just been reset, if its reset line is wired."""

    def __init__(self, open_spi: Callable[[], Spi], lines: PinGroup) -> None:
        self._lines = lines
        with ExitStack() as opened:
            opened.callback(lines.close)
            with lines as (_, *wired):
                _pulse(*wired)
            self._spi = open_spi()
            opened.callback(self._spi.close)
            self._opened = opened.pop_all()

    def command(self, *command: int) -> None:
        with self._lines as (dc, *_):
            dc.off()
        self._spi.write(bytes(command))

    def data(self, data: Sequence[int]) -> None:
        with self._lines as (dc, *_):
            dc.on()
        self._spi.write(bytes(data))

    def cleanup(self) -> None:
        self._opened.close()
