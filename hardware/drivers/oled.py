"""Drive small OLED panels with one bit a pixel on I2C or SPI by luma: SSD1306, SSD1309 and SH1106.

luma knows the chips and turns pictures into bytes. This module adds the care for a panel that is on a cable and shows
secrets. The cable may be pulled at any byte. The panel may come back without its settings, or with a picture of a
program that was killed.

What goes over the wires, and when:

- At first and after every loss: the panel is switched off and set up, its whole memory is written, and only then is
  it switched on. Nothing that was in the memory before is ever seen.
- Another picture: the picture, about 1 KiB.
- The same picture again: the contrast, two bytes, only to find out whether the panel still answers.
- Dark: the panel is switched off at once, then its memory is cleared. If anyone switched it on, it would show nothing.
- Every `REFRESH` seconds: all settings and the picture, without switching off. A panel that has lost its power before
the next picture answers as if nothing had happened, and one on SPI never answers at all. Both show the right picture
again after this time at the latest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from time import sleep
from typing import Any, Final, Literal, Protocol, get_args

from PIL import Image, ImageChops

from hardware.drivers.pins import PinGroup, output
from hardware.drivers.spi import Spi
from hardware.ports import BadDevice, Clock, DeviceLost, NotInstalled, check_picture
from hardware.raspberry_pi.kernel_devices import KernelDevices

RESET_PULSE = 0.001
"""Seconds that the reset line is held low, and that the panel gets after it.

The data sheets require 3 µs (SSD1306 8.9, SSD1309 8.9) and 10 µs (SH1106, reset timing). Many an SSD1309 stays black
without it, on I2C too.
"""


class Bus(Protocol):
    """An open bus to one panel. It has the methods of luma's serial classes.

    Some bytes are commands, the others go into the panel's memory. Raises OSError, DeviceLost or luma's errors.
    """

    def command(self, *command: int) -> None:
        """Send up to 32 bytes of commands with their arguments to the panel."""

    def data(self, data: Sequence[int]) -> None:
        """Send any number of bytes to the panel's memory."""

    def cleanup(self) -> None:
        """Release the bus for good."""


OpenBus = Callable[[], Bus]
"""Opens a bus; called again after every loss of the panel."""


def i2c_bus(
    number: int, address: int, reset: PinGroup | None = None, kernel: KernelDevices | None = None, *, what: str
) -> OpenBus:
    """Return a function that opens the I2C bus to a panel, by luma's class over smbus2.

    Everything is sent in SMBus block writes of up to 32 bytes, which every I2C controller of Linux can do.

    Args:
        number: the number of the bus on the header; most kernels call bus 1 `/dev/i2c-1`.
        address: the panel's address, 7 bits: 0x3C or 0x3D.
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
    """Return the RES line of a panel on I2C, after trying once whether it can be claimed.

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
    """Return a function that opens the SPI bus to a panel, with its data/command line.

    This call claims and releases the lines once, to find a wrong pin early. If another program holds a line, this call
    succeeds, and opening the bus raises `DeviceLost` until that line is free.

    Args:
        open_spi: creates the SPI device: mode 0, at most 10 MHz for SSD1306 and SSD1309, 4 MHz for SH1106.
        what: the panel's name in messages, "handset" or "display".
        dc_pin: the GPIO of the D/C line, BCM number: low for commands, high for data.
        reset_pin: the GPIO of the RES line, BCM number; None if it is tied to the supply.
        factory: gpiozero's pin factory.

    Raises:
        BadDevice: the SPI device is impossible, or a pin does not exist or serves another device of this program.
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
    """An open SPI bus with its lines. If a reset line is wired, the panel has just been reset."""

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


CIRCLE = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 1))
"""The picture's offset at each step of its walk, in pixels to the right and down.

Strokes are two pixels wide, so in a circle three pixels wide each pixel rests. Broader shapes, such as a lit bar, rest
in the last step: it has the offset of the step before, inverted. A pixel that is lit in one of the two is dark in the
other.
"""


def move_picture(picture: Image.Image, now: float, every: float) -> Image.Image:
    """Return a picture shifted by a few pixels, and inverted in the last step, against burn-in.

    The steps are those of `CIRCLE`. The size stays the same: pixels that leave at an edge reappear at the opposite one.

    Args:
        picture: the original.
        now: clock seconds.
        every: seconds between two steps; `math.inf` to stay at the first step.
    """
    step = int(now // every) % len(CIRCLE)
    moved = ImageChops.offset(picture, *CIRCLE[step])
    return ImageChops.invert(moved) if step == len(CIRCLE) - 1 else moved


Chip = Literal["ssd1306", "ssd1309", "sh1106"]
"""The controllers that are known."""

REFRESH = 10.0
"""Seconds after which everything is sent again, in case the panel lost its power unnoticed."""

_NOP: Final = 0xE3
_DISPLAY_OFF: Final = 0xAE
_PAGE: Final = 0xB0
"""The command before a row of an SH1106. Add the page's number; the two halves of the column follow."""


class OledPanel:
    """An OLED panel, whose `show` takes as long as the bus needs. Implements `Panel`.

    Against burn-in the picture moves in a small circle, a step at a time, and is inverted in the last step. Only the
    clock decides which step is due: see `move_picture`.

    Args:
        name: "handset" or "display", for messages.
        chip: the controller.
        open_bus: opens the bus (`i2c_bus`, `spi_bus`); called at the first picture and after every loss.
        clock: the clock for moving and refreshing.
        contrast: 0 to 255.
        shift_every: seconds between two steps of the picture; `math.inf` for none.
        size: width and height in pixels.
        rotate: 0, or 180 for a panel mounted upside down.
        first_column: with an SH1106, the first visible column of its memory, 0 to 4.

    Raises:
        BadDevice: a value is out of its range, or the chip has no panels of that size.
        NotInstalled: luma is not installed.
    """

    def __init__(
        self,
        name: str,
        *,
        chip: Chip,
        open_bus: OpenBus,
        clock: Clock,
        contrast: int,
        shift_every: float,
        size: tuple[int, int] = (128, 64),
        rotate: Literal[0, 180] = 0,
        first_column: int = 2,
    ) -> None:
        if chip not in get_args(Chip):
            raise BadDevice(f"{name}: there is no chip {chip!r}; chips are {', '.join(get_args(Chip))}")
        if rotate not in {0, 180}:
            raise BadDevice(f"{name}: cannot be rotated by {rotate} degrees; rotate by 0 or 180")
        if not 0 <= first_column <= 4:
            raise BadDevice(f"{name}: the glass cannot begin at column {first_column}; write 0 to 4")
        if not 0 <= contrast <= 255:
            raise BadDevice(f"{name}: contrast {contrast} is not between 0 and 255")
        if not 0 < shift_every <= math.inf:
            raise BadDevice(f"{name}: the picture cannot move every {shift_every} s; set more than 0 s")
        self._name, self._chip, self.size = name, chip, size
        self._open_bus, self._clock = open_bus, clock
        self._contrast, self._shift_every = contrast, shift_every
        self._proxy = _BusProxy(first_column if chip == "sh1106" else None)
        self._luma, self._luma_error = self._load_luma(rotate)
        self._blank = Image.new("1", size)
        self._shown: tuple[bool, bytes] | None = None
        self._refresh_at = -math.inf

    def ready(self) -> bool:
        """Return True, because `show` returns only when the picture was sent."""
        return True

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture. After a loss, the next call initialises the panel again. See `Panel.show`."""
        check_picture(picture, self.size, self._name)
        try:
            if self._proxy.bus is None:
                self._proxy.bus = self._open_bus()
            self._update(picture, self._clock.now())
        except DeviceLost:
            self._close_bus()
            raise
        except (OSError, self._luma_error) as error:
            self._close_bus()
            why = getattr(error, "strerror", None) or error
            raise DeviceLost(
                f"{self._name}: the {self._chip} does not answer: {why}; check its cable, its power and its address"
            ) from error

    def close(self) -> None:
        """Turn the panel off if it was ever lit and can be reached, and release its wires. May be called twice."""
        if self._proxy.bus is not None:
            with suppress(DeviceLost):
                self.show(None)
            self._close_bus()

    def _update(self, picture: Image.Image | None, now: float) -> None:
        """Send the picture if it has changed. Send all settings with it if the panel may have lost them."""
        lit = picture is not None
        image = self._blank if picture is None else move_picture(picture, now, self._shift_every)
        view = (lit, image.tobytes())
        # Until everything has arrived the panel's state is unknown.
        before, self._shown = self._shown, None
        if before is None or before[0] != lit or now >= self._refresh_at:
            self._send_whole(image, lit=lit, stays_on=lit and before is not None and before[0])
            self._refresh_at = now + REFRESH
        elif view != before:
            self._luma.display(image)
        else:
            self._luma.contrast(self._contrast)
        self._shown = view

    def _send_whole(self, image: Image.Image, *, lit: bool, stays_on: bool) -> None:
        """Send the settings and the whole picture, without assuming anything about the panel's state."""
        luma = self._luma
        # An interrupted command waits for at most six arguments, and would consume the next bytes.
        luma.command(*6 * (_NOP,))
        if not stays_on:
            luma.hide()
        luma.command(*self._proxy.settings)
        luma.contrast(self._contrast)
        luma.display(image)
        if lit:
            luma.show()

    def _close_bus(self) -> None:
        """Close the bus. Ignore errors, because the bus may be lost like the panel."""
        bus, self._proxy.bus = self._proxy.bus, None
        if bus is not None:
            with suppress(OSError):
                bus.cleanup()

    def _load_luma(self, rotate: int) -> tuple[Any, type[Exception]]:
        """Return luma's driver for the panel's chip, and the base class of luma's own errors."""
        try:
            from luma.core.error import DeviceDisplayModeError, Error  # noqa: PLC0415 - only a Pi has it
            from luma.oled import device  # noqa: PLC0415 - only a Pi has it
        except ImportError as error:
            raise NotInstalled.needing(f"{self._chip} ({self._name})", str(error.name), "pi") from error
        width, height = self.size
        try:
            luma = getattr(device, self._chip)(self._proxy, width=width, height=height, rotate=rotate // 90)
        except DeviceDisplayModeError as error:
            raise BadDevice(f"{self._name}: the {self._chip} has no {width}x{height}; set 128x64") from error
        luma.persist = True  # at exit luma would access a panel that may be lost
        return luma, Error


class _BusProxy:
    """A bus for luma that stays the same object while the real bus is lost and opened again.

    luma sets a panel up only when its driver is created. A driver for each loss would be costly, because luma keeps
    every driver until exit. So there is a single one, created without a bus, and its settings are recorded here.

    Args:
        first_column: the first visible column of an SH1106's memory, which not every luma supports. None leaves the
            column to luma.

    Attributes:
        bus: the bus, if open.
        settings: the commands that set the panel up and keep it on or off.
    """

    def __init__(self, first_column: int | None) -> None:
        self._first_column = first_column
        self.bus: Bus | None = None
        self.settings: tuple[int, ...] = ()

    def command(self, *command: int) -> None:
        if self._first_column is not None and command[0] & 0xF8 == _PAGE:
            command = (command[0], command[2], self._first_column)  # the high half first: it is 0, so none is too large
        if self.bus is not None:
            self.bus.command(*command)
        elif not self.settings:
            # luma's first command: off, then the settings.
            self.settings = command[1:] if command[0] == _DISPLAY_OFF else command

    def data(self, data: Sequence[int]) -> None:
        if self.bus is not None:
            self.bus.data(data)

    def cleanup(self) -> None:
        """Do nothing: luma calls this at exit, when the panel has already closed the bus."""
