"""Define the drivers of 128 x 64 pixel screens: on the Pi's I2C or SPI, or on a Pico in the handset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from firmware_host.config.allowed_values import adjustable, as_in, as_toml, choice, flag, number, text
from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Driver, Needs, Sections
from hardware.drivers.pins import PiAccess
from hardware.drivers.spi import Spi
from hardware.ports import Clock, Panel
from hardware.raspberry_pi.pin_conflicts import Claim, I2cUse, PinUse, SpiUse
from hardware.raspberry_pi.pinout import LAST_GPIO

if TYPE_CHECKING:
    from hardware.drivers.oled import OpenBus
    from hardware.drivers.pico import PicoLine

PICO = "pico"
"""The name of the driver for a handset with a Pico, which also has the handset's keys."""

NO_PIN = -1
"""The value in place of a GPIO if there is no wire."""

FIRST_COLUMN = 2
"""The first visible column on most panels that use 128 of an SH1106's 132 columns."""

OLED_HZ = 4_000_000
"""The clock of a screen on SPI: the SH1106's limit (data sheet, serial interface timing)."""

_SHEETS = "firmware_host.commissioning.diagrams.pi_header:panel_sheets"

_ENDS = {
    "SCLK": "D0 (clock)", "MOSI": "D1 (data)", "CE": "CS", "SDA": "SDA", "SCL": "SCL",
    "dc_pin": "D/C", "reset_pin": "RES",
}  # fmt: skip


@dataclass(frozen=True)
class OledSettings:
    """The configuration keys of a screen."""

    chip: str = choice("ssd1306", of=("ssd1306", "ssd1309", "sh1106"), doc="The screen's controller.")
    bus: str = text("i2c-1", doc='The bus of the screen: "i2c-1", or "spi-1.0" for SPI1, chip select 0.')
    address: int = number(0x3C, low=0x08, high=0x77, doc="The screen's address on I2C, usually 0x3C or 0x3D.")
    dc_pin: int = number(24, low=0, high=LAST_GPIO, doc="On SPI: the GPIO wired to D/C.")
    reset_pin: int = number(
        NO_PIN,
        low=NO_PIN,
        high=LAST_GPIO,
        doc="The GPIO wired to RES; -1: none. Needed on SPI, and by most SSD1309 screens on I2C.",
    )
    first_column: int = adjustable(
        number(
            FIRST_COLUMN,
            low=0,
            high=4,
            doc="For an SH1106: the first visible column of its memory. Usually 2; use 0 if the picture is "
            "two points too far to the right.",
        )
    )
    upside_down: bool = adjustable(flag(False, doc="Whether the screen is mounted upside down."))
    contrast: int = adjustable(number(127, low=0, high=255, doc="The screen's brightness."))
    shift_s: int = adjustable(
        number(
            60,
            low=0,
            high=3600,
            unit="s",
            doc="The time between two shifts of the picture by a pixel, against burn-in; 0: never. "
            "In one step of nine the picture is in negative, so that every point rests.",
        )
    )


@dataclass(frozen=True)
class PicoHandsetSettings:
    """The configuration keys of a handset with a Pico."""

    chip: str = as_in(OledSettings, "chip")
    address: int = as_in(OledSettings, "address")
    first_column: int = as_in(OledSettings, "first_column")
    upside_down: bool = as_in(OledSettings, "upside_down")
    contrast: int = as_in(OledSettings, "contrast")
    shift_s: int = as_in(OledSettings, "shift_s")
    port: str = text("", doc="The port of the handset's Pico, preferably by serial number: /dev/serial/by-id/usb-....")


def _claims(device: ConfiguredDevice) -> Iterator[Claim]:
    wanted: OledSettings = device.settings
    kind, _, end = wanted.bus.partition("-")
    if kind == "i2c":
        yield I2cUse(int(end), f"[{device.name}] bus", wanted.address)
    else:
        yield SpiUse(end, f"[{device.name}] bus", ("sclk", "mosi", "ce"))
        yield PinUse(wanted.dc_pin, f"[{device.name}] dc_pin")
    if wanted.reset_pin != NO_PIN:
        yield PinUse(wanted.reset_pin, f"[{device.name}] reset_pin")


def _faults(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    wanted: OledSettings = device.settings
    if not re.fullmatch(r"i2c-(0|[1-9]\d*)|spi-\d+\.\d+", wanted.bus, re.ASCII):
        what = f'"{wanted.bus}" is not a bus; write "i2c-1", or "spi-1.0" for /dev/spidev1.0'
        yield DeviceFault(device.name, "bus", what)
    elif wanted.bus.startswith("spi") and wanted.reset_pin == NO_PIN:
        what = "is missing, but a screen on SPI needs it; write the GPIO that is wired to RES, such as 23"
        yield DeviceFault(device.name, "reset_pin", what)
    yield from _wrong_column(device)
    if device.name == "display":
        yield from _shared_bus(device)


def _wrong_column(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    wanted: OledSettings = device.settings
    if wanted.first_column != FIRST_COLUMN and wanted.chip != "sh1106":
        what = (
            f"no column of an {wanted.chip.upper()} is beyond its glass; delete this line, which only an SH1106 needs"
        )
        yield DeviceFault(device.name, "first_column", what)


def _faults_of_pico(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    port, switches = device.settings.port, device.sections["switches"]
    if not port:
        what = "is empty; write the path that `ls /dev/serial/by-id/*` shows"
        yield DeviceFault("handset", "port", what)
    elif port == switches.port:
        yield DeviceFault(
            "handset",
            "port",
            f"{as_toml(port)} is the port of [switches], too; write the port of the handset's own Pico",
        )
    yield from _wrong_column(device)


def _shared_bus(display: ConfiguredDevice) -> Iterator[DeviceFault]:
    """Yield a fault if the display shares the handset's bus.

    The timing of the display could then reveal when the handset is drawn.
    """
    handset, bus = display.sections["handset"], display.settings.bus.partition(".")[0]
    if handset.driver == display.settings.driver and handset.bus.partition(".")[0] == bus:
        what = (
            f"both screens on {bus}: a spectator of the display would see when Mister X's screen is drawn; "
            "give each a bus of its own"
        )
        yield DeviceFault("display", "bus", what)


def _make(device: ConfiguredDevice, pi: PiAccess, clock: Clock) -> Panel:
    from hardware.drivers.oled import i2c_bus, reset_line, spi_bus  # noqa: PLC0415 - only where it is used

    wanted: OledSettings = device.settings
    kind, _, end = wanted.bus.partition("-")
    if kind == "i2c":
        wired = wanted.reset_pin != NO_PIN
        reset = reset_line(wanted.reset_pin, what=device.name, factory=pi.pins) if wired else None
        open_bus = i2c_bus(int(end), wanted.address, reset, pi.kernel, what=device.name)
    else:
        open_spi: Callable[[], Spi] = partial(pi.open_spi, end, OLED_HZ, 0, device.name)
        pins = {"dc_pin": wanted.dc_pin, "reset_pin": wanted.reset_pin}
        open_bus = spi_bus(open_spi, what=device.name, **pins, factory=pi.pins)
    return _panel(device, open_bus, clock)


def _make_on_pico(device: ConfiguredDevice, pi: PiAccess, clock: Clock) -> Panel:
    from hardware.drivers.pico_handset import PicoBus  # noqa: PLC0415 - only where it is used

    line = handset_line(device.sections, pi, clock)
    return _panel(device, partial(PicoBus, line, device.settings.address), clock)


def handset_line(sections: Sections, pi: PiAccess, clock: Clock) -> PicoLine:
    """Return the connection to the handset's Pico, which its screen and keys share."""
    from hardware.drivers.pico_handset import handset_line  # noqa: PLC0415 - only where it is used

    port = sections["handset"].port
    return pi.shared("the handset's Pico", lambda: handset_line(port, clock))


def _panel(device: ConfiguredDevice, open_bus: OpenBus, clock: Clock) -> Panel:
    from hardware.drivers.oled import Chip, OledPanel  # noqa: PLC0415 - only where it is used

    wanted: OledSettings = device.settings
    return OledPanel(
        device.name,
        chip=cast("Chip", wanted.chip),
        open_bus=open_bus,
        clock=clock,
        contrast=wanted.contrast,
        shift_every=wanted.shift_s or float("inf"),
        rotate=180 if wanted.upside_down else 0,
        first_column=wanted.first_column,
    )


DRIVERS = (
    Driver(
        name="oled",
        of=("handset", "display"),
        settings=OledSettings,
        claims=_claims,
        faults=_faults,
        needs=lambda device: Needs(screen=device.settings.chip),
        make=_make,
        lead=lambda device, pin: f"{device.name}: {_ENDS[pin.signal or pin.key]}",
        sheets=_SHEETS,
    ),
    Driver(
        name=PICO,
        of=("handset",),
        settings=PicoHandsetSettings,
        faults=_faults_of_pico,
        needs=lambda device: Needs(
            serial={device.settings.port: "handset"}, screen=device.settings.chip, packages=("pyserial",)
        ),
        make=_make_on_pico,
        sheets=_SHEETS,
    ),
)
