"""Read contacts on the Pi's pins: one pin a station, or rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from hardware.drivers.pins import PinGroup, output, pulled_up_input
from hardware.ports import BadDevice, check_input


class GpioSwitches:
    """Contacts between a pin and ground, with the Pi's pull-ups. Implements the `Switches` port.

    The number of an input is the BCM number of its GPIO, so a wiring names pins; the inputs between are never closed.

    Args:
        pins: BCM GPIO numbers, at least one.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: no pins, or one that is named twice, does not exist or serves another device.
    """

    def __init__(self, pins: Sequence[int], factory: Any) -> None:
        if not pins:
            raise BadDevice("switches: no pins are named; name one a station")
        self._pins = tuple(pins)
        self.count = max(pins) + 1
        self._group = PinGroup("switches", [(pin, pulled_up_input(pin, factory)) for pin in self._pins])

    def read(self) -> int:
        """Return one raw sample, as `Switches.read`: bit *n* is the contact on GPIO *n*."""
        with self._group as devices:
            return sum(device.value << pin for pin, device in zip(self._pins, devices, strict=True))

    def place(self, number: int) -> str:
        """Return an input's place for people, as `Switches.place`: "GPIO 17"."""
        if number not in self._pins:
            raise BadDevice(
                f"switches: there is no input {number}; inputs are the GPIOs {', '.join(map(str, sorted(self._pins)))}"
            )
        return f"GPIO {number}"

    def close(self) -> None:
        """Release the pins. May be called twice."""
        self._group.close()


SETTLE = 20e-6
"""Seconds between selecting a row and reading it.

The pull-up of the Pi, some 50 kOhm, lifts 200 pF (two metres of wire) to 1.8 V in 8 µs, and it may be weaker. Two calls
of gpiozero on RPi.GPIO may take less. Longer wires want 4.7 kOhm from each column to 3.3 V.
"""


class MatrixSwitches:
    """A matrix of contacts, each with a diode. Implements the `Switches` port.

    Columns are inputs that the Pi pulls up; rows are outputs, high but for the one that is being read, which is low.
    At every crossing, contact and diode lie in series between column and row, **the diode's cathode (its ring) on
    the row's side**: current flows from the column's pull-up through the closed contact into the low row, and never
    out of a row. So three closed contacts cannot feign a fourth, and a high row cannot meet the low one. Without
    diodes both happen, and the second has two outputs of the Pi work against each other.

    The low row pulls a column down at once; a column let go rises by its pull-up alone, for which `SETTLE` is kept.

    Input *n* is row `n // len(columns)`, column `n % len(columns)`.

    Args:
        rows: BCM GPIO numbers of the rows, at least one.
        columns: BCM GPIO numbers of the columns, at least one.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: no rows or columns, or a pin that is named twice, does not exist or serves another device.
    """

    def __init__(self, rows: Sequence[int], columns: Sequence[int], factory: Any) -> None:
        if not rows or not columns:
            raise BadDevice(f"switches: {len(rows)} rows and {len(columns)} columns; a matrix has at least one of each")
        self._rows = tuple(rows)
        self._columns = tuple(columns)
        self.count = len(rows) * len(columns)
        outputs = [(row, output(row, factory, active_high=False)) for row in rows]
        self._group = PinGroup("switches", outputs + [(pin, pulled_up_input(pin, factory)) for pin in columns])

    def read(self) -> int:
        """Return one raw sample, as `Switches.read`."""
        closed = 0
        with self._group as devices:
            rows, columns = devices[: len(self._rows)], devices[len(self._rows) :]
            bit = 0
            for row in rows:
                row.on()
                _settle()
                for column in columns:
                    closed |= column.value << bit
                    bit += 1
                row.off()
        return closed

    def place(self, number: int) -> str:
        """Return an input's place for people, as `Switches.place`: "row 2, column 5 (GPIO 13, GPIO 21)"."""
        check_input(number, self.count)
        row, column = divmod(number, len(self._columns))
        return f"row {row + 1}, column {column + 1} (GPIO {self._rows[row]}, GPIO {self._columns[column]})"

    def close(self) -> None:
        """Release the pins. May be called twice."""
        self._group.close()


def _settle() -> None:
    """Wait actively: a sleep takes at least three times as long, and blocks the loop as well."""
    until = perf_counter() + SETTLE
    while perf_counter() < until:
        pass
