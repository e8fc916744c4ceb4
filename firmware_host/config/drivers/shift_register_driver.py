"""Switches on a 74HC165 chain over SPI: `driver = "shift-register"` in a file's `[switches]`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.config.allowed_values import number, text
from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Driver, Needs, UsedPin
from hardware.drivers.pins import PiAccess
from hardware.drivers.shift_register import FURTHER, SENTINEL, LoadPin, ShiftRegisterSwitches, is_weak
from hardware.ports import Clock, Switches
from hardware.raspberry_pi.pin_conflicts import Claim, PinUse, SpiUse
from hardware.raspberry_pi.pinout import LAST_GPIO

_ENDS = {"SCLK": "CLK of all", "MISO": "QH of chip 1", "load_pin": "SH/LD of all"}


@dataclass(frozen=True)
class ShiftRegisterSettings:
    """The configuration keys of a chain."""

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
    chips: int = number(26, low=2, high=64, doc="The number of 74HC165 in the chain.")
    sentinel: int = number(
        SENTINEL,
        low=1,
        high=254,
        doc="The pattern of the last chip's inputs, A the lowest bit: 1 for 3.3 V, 0 for ground.",
    )


def _claims(device: ConfiguredDevice) -> Iterator[Claim]:
    chain: ShiftRegisterSettings = device.settings
    yield SpiUse(chain.spi, "[switches] spi", ("sclk", "miso"), chain.spi_mode, alone=True)
    yield PinUse(chain.load_pin, "[switches] load_pin")


def weak_sentinel(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    """Report a sentinel that could not reveal a shifted reading."""
    chain: ShiftRegisterSettings = device.settings
    if is_weak(chain.sentinel):
        what = f"{chain.sentinel:#04x} looks like itself when the chain slips; write {SENTINEL:#04x} or another"
        yield DeviceFault("switches", "sentinel", what)


def _inputs(device: ConfiguredDevice) -> range:
    chain: ShiftRegisterSettings = device.settings
    return range(int(chain.spi_mode == 1), 8 * (chain.chips - 1))


def _make(device: ConfiguredDevice, pi: PiAccess, _: Clock) -> Switches:
    chain: ShiftRegisterSettings = device.settings
    return ShiftRegisterSwitches(
        8 * (chain.chips - 1),
        spi=pi.open_spi(chain.spi, chain.spi_hz, chain.spi_mode, "switches"),
        load=LoadPin(chain.load_pin, pi.pins),
        chips=chain.chips,
        sentinel=chain.sentinel,
        mode=chain.spi_mode,
    )


def _needs(device: ConfiguredDevice) -> Needs:
    chain: ShiftRegisterSettings = device.settings
    return Needs(transfers={chain.spi: chain.chips + FURTHER})


def _lead(_: ConfiguredDevice, pin: UsedPin) -> str:
    return f"chips: {_ENDS[pin.signal or pin.key]}"


DRIVERS = (
    Driver(
        name="shift-register",
        of=("switches",),
        settings=ShiftRegisterSettings,
        claims=_claims,
        faults=weak_sentinel,
        needs=_needs,
        inputs=_inputs,
        make=_make,
        lead=_lead,
        sheets="firmware_host.commissioning.diagrams.shift_registers:pi_sheets",
    ),
)
