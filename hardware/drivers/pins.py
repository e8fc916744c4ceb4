"""Hold the Pi's pins through gpiozero, and give drivers its SPI and the kernel's files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, Protocol

from hardware.drivers.spi import KernelSpi, Spi
from hardware.ports import BadDevice, DeviceLost, HardwareError
from hardware.raspberry_pi.kernel_devices import KernelDevices


class PinGroup:
    """Pins that are claimed and released together, and claimed again after a loss.

    Use as a context: `with lines as devices:` returns gpiozero's devices in the order of the pins, and converts the
    libraries' exceptions inside into this package's errors.

    Args:
        what: the device's name in messages ("switches").
        makers: BCM GPIO numbers, each with a function that creates its gpiozero device.

    Raises:
        BadDevice: a pin is named twice, does not exist, cannot do this, or serves another device of this program. Other
            unavailable pins only count as lost.
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
        """Release the pins: all become inputs. May be called twice. Entering again claims them again."""
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
    """Return a function that creates an input with the Pi's pull-up: on while the pin is low.

    gpiozero's `DigitalInputDevice` and `Button` would watch every edge on a thread of their own.
    """
    from gpiozero import InputDevice  # noqa: PLC0415 - only a Pi has it

    return partial(InputDevice, pin, pull_up=True, pin_factory=factory)


def output(pin: int, factory: Any, *, active_high: bool = True) -> Callable[[], Any]:
    """Return a function that creates an output, initially off."""
    from gpiozero import OutputDevice  # noqa: PLC0415 - only a Pi has it

    return partial(OutputDevice, pin, active_high=active_high, pin_factory=factory)


def _faults() -> tuple[type[Exception], ...]:
    """Return the exceptions of gpiozero and the libraries below it, and lgpio.error once it is imported."""
    from gpiozero import GPIOZeroError  # noqa: PLC0415 - only a Pi has it

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError, RuntimeError, *([lgpio.error] if lgpio else []))


class OpenSpi(Protocol):
    """A function that opens the SPI device of a name such as "0.0". `what` is its name in messages."""

    def __call__(self, device: str, hz: int, mode: int, what: str) -> Spi:
        """Return the device, not opened yet."""


class PiAccess:
    """Pins, SPI and the kernel's files, for one process.

    Args:
        pins: returns the gpiozero factory of the pins; called once, and only if pins are used.
        open_spi: returns an SPI device; by default the kernel's.
        kernel: finds the header's buses; this machine's by default.
    """

    def __init__(
        self, pins: Callable[[], Any], open_spi: OpenSpi | None = None, kernel: KernelDevices | None = None
    ) -> None:
        self._pins = pins
        self.kernel = kernel or KernelDevices()
        self.open_spi: OpenSpi = open_spi or partial(KernelSpi, kernel=self.kernel)

    @cached_property
    def pins(self) -> Any:
        """The gpiozero factory.

        Raises:
            BadDevice: the factory does not run on this machine.
            NotInstalled: its package is missing.
        """
        return self._pins()
