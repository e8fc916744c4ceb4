"""Switches with their own pins on the Pi: `driver = "gpio"` in a file's `[switches]`."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Driver, UsedPin
from hardware.drivers.pins import PiAccess
from hardware.ports import Clock, Switches
from hardware.raspberry_pi.pin_conflicts import Claim, PinUse
from hardware.raspberry_pi.pinout import LAST_GPIO


def _claims(device: ConfiguredDevice) -> Iterator[Claim]:
    for station, pin in zip(device.layout.stations, device.layout.switch_inputs, strict=True):
        yield PinUse(pin, f"[switches.wiring] {station}")


def _faults(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    if not device.settings.wiring:
        yield DeviceFault("switches.wiring", "", "one GPIO a station cannot be guessed; list each station's")


def _inputs(_: ConfiguredDevice) -> range:
    return range(LAST_GPIO + 1)


def _make(device: ConfiguredDevice, pi: PiAccess, _: Clock) -> Switches:
    from hardware.drivers.pins import GpioSwitches  # noqa: PLC0415 - only where it is used

    return GpioSwitches(device.layout.switch_inputs, pi.pins)


def _lead(_: ConfiguredDevice, pin: UsedPin) -> str:
    return f"reed of station {pin.key}"


DRIVERS = (
    Driver(
        name="gpio",
        of=("switches",),
        claims=_claims,
        faults=_faults,
        inputs=_inputs,
        learns=False,
        make=_make,
        lead=_lead,
        sheets="firmware_host.commissioning.diagrams.reed_matrix:reed_sheets",
    ),
)
