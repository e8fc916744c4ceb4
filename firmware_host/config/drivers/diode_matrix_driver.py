"""Switches in rows and columns on the Pi's own pins: `driver = "matrix"` in a file's `[switches]`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.config.allowed_values import integers
from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Driver, UsedPin
from hardware.drivers.pins import PiAccess
from hardware.ports import Clock, Switches
from hardware.raspberry_pi.pin_conflicts import Claim, PinUse
from hardware.raspberry_pi.pinout import LAST_GPIO


@dataclass(frozen=True)
class MatrixSettings:
    """The configuration keys of a matrix."""

    rows: tuple[int, ...] = integers(low=0, high=LAST_GPIO, doc="The GPIOs of the rows.")
    columns: tuple[int, ...] = integers(
        low=0, high=LAST_GPIO, doc="The GPIOs of the columns. Input 0 is row 1, column 1; the next is column 2."
    )


def _claims(device: ConfiguredDevice) -> Iterator[Claim]:
    wanted: MatrixSettings = device.settings
    yield from (PinUse(pin, "[switches] rows") for pin in wanted.rows)
    yield from (PinUse(pin, "[switches] columns") for pin in wanted.columns)


def _faults(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    if not _inputs(device):
        yield DeviceFault("switches", "rows, columns", "a matrix has at least one of each; write their GPIOs")


def _inputs(device: ConfiguredDevice) -> range:
    wanted: MatrixSettings = device.settings
    return range(len(wanted.rows) * len(wanted.columns))


def _make(device: ConfiguredDevice, pi: PiAccess, _: Clock) -> Switches:
    from hardware.drivers.pins import MatrixSwitches  # noqa: PLC0415 - only where it is used

    wanted: MatrixSettings = device.settings
    return MatrixSwitches(wanted.rows, wanted.columns, pi.pins)


def _lead(device: ConfiguredDevice, pin: UsedPin) -> str:
    wanted: MatrixSettings = device.settings
    if pin.key == "rows":
        return f"matrix: row {wanted.rows.index(pin.gpio) + 1}"
    return f"matrix: column {wanted.columns.index(pin.gpio) + 1}"


DRIVERS = (
    Driver(
        name="matrix",
        of=("switches",),
        settings=MatrixSettings,
        claims=_claims,
        faults=_faults,
        inputs=_inputs,
        make=_make,
        lead=_lead,
        sheets="firmware_host.commissioning.diagrams.reed_matrix:matrix_sheets",
    ),
)
