"""Hold the Pi's pins through gpiozero, and take them anew after a loss."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from hardware.ports import BadDevice, DeviceLost, HardwareError


class PinGroup:
    """Pins that are taken together, let go together, and taken anew after a loss.

    Use as a context: `with lines as devices:` hands out gpiozero's devices in the order of the pins, and turns what
    the libraries raise inside into this package's errors.

    Args:
        what: the device's name in messages ("switches").
        makers: BCM GPIO numbers, each with what makes the gpiozero device on it.

    Raises:
        BadDevice: a pin is named twice, does not exist, cannot do this, or serves another device of this program.
            Pins that cannot be had for another reason are only lost until they can.
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
            except BadDevice as error:  # it could be taken once: whoever has the pin now may let it go again
                raise DeviceLost(str(error)) from error
        return self._devices

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, HardwareError) or not isinstance(error, _faults()):
            return
        self.close()
        raise self._error_for("a pin", error) from error

    def close(self) -> None:
        """Release the pins: all are inputs again. May be called twice; entering again takes them anew."""
        while self._devices:
            with suppress(*_faults()):
                self._devices.pop().close()

    def _take(self) -> None:
        failed: HardwareError | None = None
        for pin, make in self._makers:
            try:
                self._devices.append(make())
            except _faults() as error:
                # Kept, the error or its traceback would keep the half-made device, and so the pin, from being freed.
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
    """Return what makes an input that the Pi pulls up: on while the pin is low.

    gpiozero's `DigitalInputDevice` and `Button` would watch every edge on a thread of their own.
    """
    from gpiozero import InputDevice  # noqa: PLC0415 - only a Pi has it

    return partial(InputDevice, pin, pull_up=True, pin_factory=factory)


def output(pin: int, factory: Any, *, active_high: bool = True) -> Callable[[], Any]:
    """Return what makes an output, at first off."""
    from gpiozero import OutputDevice  # noqa: PLC0415 - only a Pi has it

    return partial(OutputDevice, pin, active_high=active_high, pin_factory=factory)


def _faults() -> tuple[type[Exception], ...]:
    """Return what gpiozero and the libraries below it raise: lgpio.error too, a bare Exception, once it is imported."""
    from gpiozero import GPIOZeroError  # noqa: PLC0415 - only a Pi has it

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError, RuntimeError, *([lgpio.error] if lgpio else []))
