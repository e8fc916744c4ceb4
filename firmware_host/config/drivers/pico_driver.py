"""A 74HC165 chain read by a microcontroller on a serial port: `driver = "serial"` in `[switches]`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.config.allowed_values import as_in, text
from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Driver, Needs
from firmware_host.config.drivers.shift_register_driver import ShiftRegisterSettings, weak_sentinel
from hardware.drivers.pins import PiAccess
from hardware.ports import Clock, Switches


@dataclass(frozen=True)
class SerialSettings:
    """The configuration keys of a chain behind a microcontroller."""

    chips: int = as_in(ShiftRegisterSettings, "chips")
    sentinel: int = as_in(ShiftRegisterSettings, "sentinel")
    port: str = text(
        "", doc="The microcontroller's port, best by its serial number: /dev/serial/by-id/usb-MicroPython_...."
    )


def _faults(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    wanted: SerialSettings = device.settings
    yield from weak_sentinel(device)
    if not wanted.port:
        yield DeviceFault("switches", "port", "none is named; write the path that `ls /dev/serial/by-id/*` shows")


def _inputs(device: ConfiguredDevice) -> range:
    wanted: SerialSettings = device.settings
    return range(1, 8 * (wanted.chips - 1))


def _make(device: ConfiguredDevice, _: PiAccess, clock: Clock) -> Switches:
    from hardware.drivers.pico import PicoSwitches  # noqa: PLC0415 - only where it is used

    wanted: SerialSettings = device.settings
    count = 8 * (wanted.chips - 1)
    return PicoSwitches(wanted.port, count, chips=wanted.chips, sentinel=wanted.sentinel, clock=clock)


def _needs(device: ConfiguredDevice) -> Needs:
    wanted: SerialSettings = device.settings
    return Needs(serial=wanted.port, packages=("pyserial",))


DRIVERS = (
    Driver(
        name="serial",
        of=("switches",),
        settings=SerialSettings,
        faults=_faults,
        needs=_needs,
        inputs=_inputs,
        make=_make,
        sheets="firmware_host.commissioning.diagrams.shift_registers:pico_sheets",
    ),
)
