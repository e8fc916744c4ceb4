"""Switches with a pin of the Pi each."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config.drivers.driver import Device, Driver, Misfit, UsedPin
from hardware.drivers.pi_access import PiAccess
from hardware.ports import Clock, Switches
from hardware.raspberry_pi.pin_conflicts import Claim, Use
from hardware.raspberry_pi.pinout import LAST_GPIO


def _claims(device: Device) -> Iterator[Claim]:
    for station, pin in zip(device.sheet.stations, device.sheet.switch_inputs, strict=True):
        yield Use(pin, f"[switches.wiring] {station}")


def _faults(device: Device) -> Iterator[Misfit]:
    if not device.settings.wiring:
        yield Misfit("switches.wiring", "", "one GPIO a station cannot be guessed; list each station's")


def _inputs(_: Device) -> range:
    return range(LAST_GPIO + 1)


def _make(device: Device, pi: PiAccess, _: Clock) -> Switches:
    from hardware.drivers.gpio_contacts import GpioSwitches  # noqa: PLC0415 - only where it is used

    return GpioSwitches(device.sheet.switch_inputs, pi.pins)


def _lead(_: Device, pin: UsedPin) -> str:
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
"""The records of this file."""
