"""Define the drivers of switches: 74HC165 chains, a chain on a Pico, a diode matrix, or single GPIOs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from firmware_host.config.allowed_values import as_in, integers, number, text
from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Driver, Needs, UsedPin
from hardware.drivers.pins import GpioSwitches, MatrixSwitches, PiAccess
from hardware.drivers.shift_register import FURTHER, SENTINEL, LoadPin, ShiftRegisterSwitches, is_weak
from hardware.ports import Clock, Switches
from hardware.raspberry_pi.pin_conflicts import Claim, PinUse, SpiUse
from hardware.raspberry_pi.pinout import LAST_GPIO

_SHEETS = "firmware_host.commissioning.diagrams.switch_sheets"

_CHAIN_ENDS = {"SCLK": "CLK of all", "MISO": "QH of chip 1", "load_pin": "SH/LD of all"}


@dataclass(frozen=True)
class ShiftRegisterSettings:
    """The configuration keys of a chain of shift registers."""

    spi: str = text("0.0", doc='The SPI device of the chain, "6.0" for SPI6, chip select 0.')
    spi_hz: int = number(1_000_000, low=100_000, high=8_000_000, unit="Hz", doc="The clock of the chain.")
    spi_mode: int = number(
        1,
        low=1,
        high=2,
        doc="1: the clock idles low, as the chips need, and input 0 of the chain is lost; 2: all inputs can be used. "
        "The second SPI bus of a Pi 3 has only mode 2.",
    )
    load_pin: int = number(25, low=0, high=LAST_GPIO, doc="The GPIO wired to SH/LD of all chips.")
    chips: int = number(
        26,
        low=1,
        high=64,
        doc="The number of 74HC165 in the chain, the last one with the sentinel. "
        "With fewer chips than the stations need, only `yardboard selftest` works.",
    )
    sentinel: int = number(
        SENTINEL,
        low=1,
        high=254,
        doc="The pattern of the last chip's inputs, A the lowest bit: 1 for 3.3 V, 0 for ground.",
    )


def _claims_of_chain(device: ConfiguredDevice) -> Iterator[Claim]:
    chain: ShiftRegisterSettings = device.settings
    yield SpiUse(chain.spi, "[switches] spi", ("sclk", "miso"), chain.spi_mode, alone=True)
    yield PinUse(chain.load_pin, "[switches] load_pin")


def _weak_sentinel(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    """Yield a fault if the sentinel is weak; see `is_weak`."""
    chain: ShiftRegisterSettings = device.settings
    if is_weak(chain.sentinel):
        what = (
            f"{chain.sentinel:#04x} is the same when the chain slips by some bits; write {SENTINEL:#04x}, for example"
        )
        yield DeviceFault("switches", "sentinel", what)


def _with_chips(switches: Any, chips: int) -> Any:
    return replace(switches, chips=chips)


def _is_partial(device: ConfiguredDevice) -> bool:
    """Return whether some stations are wired to the last chip or beyond, because the chain is not complete yet."""
    chain: ShiftRegisterSettings | SerialSettings = device.settings
    return device.layout.inputs > 8 * (chain.chips - 1)


_FEW_CHIPS = "write more chips, or test only the fitted ones: yardboard selftest FILE --chips N"


def _make_chain(device: ConfiguredDevice, pi: PiAccess, _: Clock) -> Switches:
    chain: ShiftRegisterSettings = device.settings
    partial = _is_partial(device)
    return ShiftRegisterSwitches(
        8 * (chain.chips - 1 + partial),
        spi=pi.open_spi(chain.spi, chain.spi_hz, chain.spi_mode, "switches"),
        load=LoadPin(chain.load_pin, pi.pins),
        chips=chain.chips,
        sentinel=chain.sentinel,
        mode=chain.spi_mode,
        partial=partial,
    )


@dataclass(frozen=True)
class SerialSettings:
    """The configuration keys of a chain of shift registers that a Pico reads."""

    chips: int = as_in(ShiftRegisterSettings, "chips")
    sentinel: int = as_in(ShiftRegisterSettings, "sentinel")
    port: str = text(
        "", doc="The microcontroller's port, preferably by serial number: /dev/serial/by-id/usb-MicroPython_...."
    )


def _faults_of_serial(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    yield from _weak_sentinel(device)
    if not device.settings.port:
        yield DeviceFault("switches", "port", "is empty; write the path that `ls /dev/serial/by-id/*` shows")


def _make_serial(device: ConfiguredDevice, _: PiAccess, clock: Clock) -> Switches:
    from hardware.drivers.pico import PicoSwitches  # noqa: PLC0415 - only where it is used

    wanted: SerialSettings = device.settings
    partial = _is_partial(device)
    count = 8 * (wanted.chips - 1 + partial)
    return PicoSwitches(wanted.port, count, chips=wanted.chips, sentinel=wanted.sentinel, clock=clock, partial=partial)


@dataclass(frozen=True)
class MatrixSettings:
    """The configuration keys of switches in a diode matrix."""

    rows: tuple[int, ...] = integers(low=0, high=LAST_GPIO, doc="The GPIOs of the rows.")
    columns: tuple[int, ...] = integers(
        low=0, high=LAST_GPIO, doc="The GPIOs of the columns. Input 0 is row 1, column 1; the next is column 2."
    )


def _claims_of_matrix(device: ConfiguredDevice) -> Iterator[Claim]:
    wanted: MatrixSettings = device.settings
    yield from (PinUse(pin, "[switches] rows") for pin in wanted.rows)
    yield from (PinUse(pin, "[switches] columns") for pin in wanted.columns)


def _faults_of_matrix(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    if not (device.settings.rows and device.settings.columns):
        yield DeviceFault(
            "switches", "rows, columns", "a matrix has at least one of each; write their GPIOs, such as rows = [6, 7]"
        )


def _lead_of_matrix(device: ConfiguredDevice, pin: UsedPin) -> str:
    wanted: MatrixSettings = device.settings
    if pin.key == "rows":
        return f"matrix: row {wanted.rows.index(pin.gpio) + 1}"
    return f"matrix: column {wanted.columns.index(pin.gpio) + 1}"


def _claims_of_pins(device: ConfiguredDevice) -> Iterator[Claim]:
    for station, pin in zip(device.layout.stations, device.layout.switch_inputs, strict=True):
        yield PinUse(pin, f"[switches.wiring] {station}")


def _faults_of_pins(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    if not device.settings.wiring:
        yield DeviceFault(
            "switches.wiring", "", "is empty; write for each station a line such as 1 = 17, with the GPIO of its reed"
        )


DRIVERS = (
    Driver(
        name="shift-register",
        of=("switches",),
        settings=ShiftRegisterSettings,
        claims=_claims_of_chain,
        faults=_weak_sentinel,
        needs=lambda device: Needs(transfers={device.settings.spi: device.settings.chips + FURTHER}),
        inputs=lambda device: range(int(device.settings.spi_mode == 1), 8 * (device.settings.chips - 1)),
        few_inputs=_FEW_CHIPS,
        with_chips=_with_chips,
        make=_make_chain,
        lead=lambda _, pin: f"chips: {_CHAIN_ENDS[pin.signal or pin.key]}",
        sheets=f"{_SHEETS}:pi_sheets",
    ),
    Driver(
        name="matrix",
        of=("switches",),
        settings=MatrixSettings,
        claims=_claims_of_matrix,
        faults=_faults_of_matrix,
        inputs=lambda device: range(len(device.settings.rows) * len(device.settings.columns)),
        make=lambda device, pi, _: MatrixSwitches(device.settings.rows, device.settings.columns, pi.pins),
        lead=_lead_of_matrix,
        sheets=f"{_SHEETS}:matrix_sheets",
    ),
    Driver(
        name="gpio",
        of=("switches",),
        claims=_claims_of_pins,
        faults=_faults_of_pins,
        inputs=lambda _: range(LAST_GPIO + 1),
        learns=False,
        make=lambda device, pi, _: GpioSwitches(device.layout.switch_inputs, pi.pins),
        lead=lambda _, pin: f"reed of station {pin.key}",
        sheets=f"{_SHEETS}:reed_sheets",
    ),
    Driver(
        name="serial",
        of=("switches",),
        settings=SerialSettings,
        faults=_faults_of_serial,
        needs=lambda device: Needs(serial={device.settings.port: "switches"}, packages=("pyserial",)),
        inputs=lambda device: range(1, 8 * (device.settings.chips - 1)),
        few_inputs=_FEW_CHIPS,
        with_chips=_with_chips,
        make=_make_serial,
        sheets=f"{_SHEETS}:pico_sheets",
    ),
)
