"""Claim the Pi's pins by gpiozero, read contacts on them, and give drivers SPI and the kernel's files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from time import perf_counter
from typing import Any, Protocol, TypeVar

from hardware.drivers.spi import KernelSpi, Spi
from hardware.ports import BadDevice, DeviceLost, HardwareError, check_input
from hardware.raspberry_pi.kernel_devices import KernelDevices


class PinGroup:
    """A group of pins that are claimed and released together, and claimed again after a loss.

    Use as a context: `with lines as devices:` returns gpiozero's devices in the order of the pins, and converts the
    libraries' exceptions within the `with` into this package's errors.

    Args:
        what: the device's name in messages ("switches").
        makers: BCM GPIO numbers, each with a function that creates its gpiozero device.

    Raises:
        BadDevice: a pin is named twice, does not exist, cannot do this, or serves another device of this program. If a
            pin is unavailable for another reason, `with` raises `DeviceLost`.
    """

    def __init__(self, what: str, makers: Sequence[tuple[int, Callable[[], Any]]]) -> None:
        pins = [pin for pin, _ in makers]
        for pin in pins:
            if pins.count(pin) > 1:
                raise BadDevice(f"{what}: GPIO {pin} is named twice; give each wire a pin of its own")
        self._what = what
        self._makers = makers
        self._devices: list[Any] = []
        with suppress(DeviceLost):
            self._take()

    def __enter__(self) -> list[Any]:
        if not self._devices:
            try:
                self._take()
            except BadDevice as error:  # it worked once: the current holder may release the pin again
                raise DeviceLost(str(error)) from error
        return self._devices

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, HardwareError) or not isinstance(error, _faults()):
            return
        self.close()
        raise self._error_for("a pin", error) from error

    def close(self) -> None:
        """Release the pins, which become inputs. May be called twice. Entering the group claims them again."""
        while self._devices:
            with suppress(*_faults()):
                self._devices.pop().close()

    def _take(self) -> None:
        failed: HardwareError | None = None
        for pin, make in self._makers:
            try:
                self._devices.append(make())
            except _faults() as error:
                # The error's traceback would keep the incomplete device alive, and so the pin claimed.
                failed = self._error_for(f"GPIO {pin}", error.with_traceback(None))
                break
        if failed is not None:
            self.close()
            raise failed

    def _error_for(self, where: str, error: BaseException) -> HardwareError:
        from gpiozero import GPIOPinInUse, GPIOZeroError, PinInvalidPin  # noqa: PLC0415 - only a Pi has it

        if isinstance(error, PinInvalidPin):
            return BadDevice(f"{self._what}: there is no {where} on the header; pins are GPIO 0 to GPIO 27")
        if isinstance(error, GPIOPinInUse):
            return BadDevice(f"{self._what}: {where} serves another device already; give each a pin of its own")
        if isinstance(error, GPIOZeroError):
            return BadDevice(f"{self._what}: {where} cannot serve here: {error}")
        return DeviceLost(
            f"{self._what}: {where} does not answer: {error}; see that no other program, overlay or bus "
            "holds it, and that the user is in the group gpio"
        )


def pulled_up_input(pin: int, factory: Any) -> Callable[[], Any]:
    """Return a function that creates an input with a pull-up. The input is active while its pin is low."""
    from gpiozero import InputDevice  # noqa: PLC0415 - only a Pi has it

    # Not `DigitalInputDevice` or `Button`: each of these watches every edge, on a thread of its own.
    return partial(InputDevice, pin, pull_up=True, pin_factory=factory)


def output(pin: int, factory: Any, *, active_high: bool = True) -> Callable[[], Any]:
    """Return a function that creates an output, which is off at first."""
    from gpiozero import OutputDevice  # noqa: PLC0415 - only a Pi has it

    return partial(OutputDevice, pin, active_high=active_high, pin_factory=factory)


def _faults() -> tuple[type[Exception], ...]:
    """Return the exceptions that gpiozero and the libraries below it may raise."""
    from gpiozero import GPIOZeroError  # noqa: PLC0415 - only a Pi has it

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError, RuntimeError, *([lgpio.error] if lgpio else []))


_S = TypeVar("_S")


class OpenSpi(Protocol):
    """The interface of a function that opens an SPI device such as "0.0"."""

    def __call__(self, device: str, hz: int, mode: int, what: str) -> Spi:
        """Return an SPI device that is not opened yet. `what` names it in messages."""


class PiAccess:
    """One process's access to the Pi: pins, SPI, the kernel's files, and devices with several users.

    Args:
        pins: returns the gpiozero factory of the pins; called once, and only if pins are used.
        open_spi: returns an SPI device; by default the kernel's.
        kernel: finds the header's buses; this machine's by default.

    Attributes:
        shared_devices: the objects that `shared` has created, by name.
    """

    def __init__(
        self, pins: Callable[[], Any], open_spi: OpenSpi | None = None, kernel: KernelDevices | None = None
    ) -> None:
        self._pins = pins
        self.kernel = kernel or KernelDevices()
        self.open_spi: OpenSpi = open_spi or partial(KernelSpi, kernel=self.kernel)
        self.shared_devices: dict[str, Any] = {}

    def shared(self, name: str, create: Callable[[], _S]) -> _S:
        """Return the shared object of this name. The first call creates it."""
        if name not in self.shared_devices:
            self.shared_devices[name] = create()
        return self.shared_devices[name]  # type: ignore[no-any-return]

    @cached_property
    def pins(self) -> Any:
        """The pin factory of gpiozero.

        Raises:
            BadDevice: the factory does not run on this machine.
            NotInstalled: its package is missing.
        """
        return self._pins()


class GpioSwitches:
    """Contacts between a pin and ground, with the Pi's pull-ups. Implements `Switches`.

    The number of an input is the BCM number of its GPIO, so a wiring names pins; the inputs between are never closed.

    Args:
        pins: BCM GPIO numbers, at least one.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: no pins, or a pin that is named twice, does not exist or serves another device.
    """

    def __init__(self, pins: Sequence[int], factory: Any) -> None:
        if not pins:
            raise BadDevice("switches: no pins are named; name a GPIO for each station")
        self._pins = tuple(pins)
        self.count = max(pins) + 1
        self._group = PinGroup("switches", [(pin, pulled_up_input(pin, factory)) for pin in self._pins])

    def read(self) -> int:
        """Return one raw sample, in which bit *n* is the contact on GPIO *n*. See `Switches.read`."""
        with self._group as devices:
            return sum(device.value << pin for pin, device in zip(self._pins, devices, strict=True))

    def place(self, number: int) -> str:
        """Return where a person finds an input: "GPIO 17". See `Switches.place`."""
        if number not in self._pins:
            raise BadDevice(
                f"switches: there is no input {number}; inputs are the GPIOs {', '.join(map(str, sorted(self._pins)))}"
            )
        return f"GPIO {number}"

    def close(self) -> None:
        """Release the pins. This may be called twice."""
        self._group.close()


SETTLE = 20e-6
"""Seconds between selecting a row and reading it.

The pull-up of the Pi, some 50 kOhm, lifts 200 pF (two metres of wire) to 1.8 V in 8 µs, and it may be weaker. Two calls
of gpiozero on RPi.GPIO may take less. Longer wires want 4.7 kOhm from each column to 3.3 V.
"""


class MatrixSwitches:
    """A matrix of contacts with a diode each. Implements `Switches`.

    Columns are inputs that the Pi pulls up. Rows are outputs; all are high except the row that is being read. At every
    crossing, contact and diode lie in series between column and row, **the diode's cathode (its ring) on the row's
    side**: current flows from the column's pull-up through the closed contact into the low row, and never out of a row.
    So three closed contacts cannot look like a fourth, and a high row is never connected to the low one. Without diodes
    both could happen, and in the second case two outputs of the Pi would work against each other.

    The low row pulls a column down at once. A released column rises by its pull-up alone, so `read` waits `SETTLE` s.

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
        """Return one raw sample of all contacts. See `Switches.read`."""
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
        """Return where a person finds an input: "row 2, column 5 (GPIO 13, GPIO 21)". See `Switches.place`."""
        check_input(number, self.count)
        row, column = divmod(number, len(self._columns))
        return f"row {row + 1}, column {column + 1} (GPIO {self._rows[row]}, GPIO {self._columns[column]})"

    def close(self) -> None:
        """Release the pins. This may be called twice."""
        self._group.close()


def _settle() -> None:
    """Wait in a loop until the lines have settled, because a sleep would take at least three times as long."""
    until = perf_counter() + SETTLE
    while perf_counter() < until:
        pass
