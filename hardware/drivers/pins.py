"""Reach the Pi's pins through gpiozero: choose the library that moves them, and take them anew after a loss.

The library (gpiozero calls it a pin factory) is always named, never found by trial. Make one factory a process and
hand it to every driver.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import chdir, suppress
from functools import partial
from importlib import import_module
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from hardware.ports import BadDevice, DeviceLost, HardwareError, NotInstalled

FACTORIES = ("rpigpio", "lgpio", "mock")
"""The names that `pin_factory` knows: RPi.GPIO for Pis up to the 4 (or rpi-lgpio, which bears its name, on a
Pi 5), lgpio for any Pi, and pins in memory."""

_PI_5_CHIP = "BCM2712"

_IMPORTING = Lock()
"""Held while lgpio is imported, for that moves the whole process to another folder for a moment."""

_INSTALL = "install with: pip install '.[pi]' in yardboard's folder"
_INSTALL_RPIGPIO = "install with: pip install '.[rpigpio]' in yardboard's folder"


def pin_factory(name: str) -> Any:
    """Start the gpiozero pin factory of that name, and return it.

    A factory that cannot start is a `BadDevice`, not a lost one: a missing package, the wrong model of Pi or a
    missing group do not mend while the program runs, so nothing is gained by trying again every half second.

    On a Pi 5, gpiozero's lgpio factory takes /dev/gpiochip4 where the kernel has it and /dev/gpiochip0 otherwise,
    and gpiochip0 on every other model (`LGPIOFactory.__init__`, gpiozero 2.0.1).

    Args:
        name: one of `FACTORIES`.

    Raises:
        BadDevice: there is no factory of that name, or it cannot start here; the message says which one fits.
        NotInstalled: its package is not here.
    """
    try:
        start = _STARTS[name]
    except KeyError:
        raise BadDevice(f'pins: there is no pin factory "{name}"; choose one of {", ".join(FACTORIES)}') from None
    return start()


def lgpio_module() -> Any:
    """Import the module `lgpio` without leaving a file behind, and return it.

    At its import lgpio makes a FIFO in the working directory, or in $LG_WD, which it then makes the working
    directory, and never removes it. So the import happens in a folder that is gone afterwards (lgpio keeps both
    ends of the FIFO open and needs its name no more), and the working directory is put back.

    Raises:
        BadDevice: there is no folder to write to, even for a moment.
        NotInstalled: the package is not here.
    """
    with _IMPORTING:
        if sys.modules.get("lgpio") is None:
            _import_lgpio()
    return sys.modules["lgpio"]


def _import_lgpio() -> None:
    # systemd may give several, colons between them; None is the system's own folder for such things.
    parent = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or None
    try:
        with TemporaryDirectory(prefix="lgpio-", dir=parent) as folder, chdir(folder):
            import_module("lgpio")
    except ImportError as error:
        raise NotInstalled(f"pins: the package lgpio is missing; {_INSTALL}") from error
    except OSError as error:
        raise BadDevice(
            f"pins: lgpio needs a folder to write to while it starts ({error}); "
            "set RuntimeDirectory= in the systemd unit, or TMPDIR"
        ) from error


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


def _start_rpigpio() -> Any:
    # Its drop-in for the Pi 5 imports lgpio; then it shall find it imported without a trace.
    with suppress(NotInstalled):
        lgpio_module()
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory  # noqa: PLC0415 - only a Pi has it

        factory = RPiGPIOFactory()
        board = factory.board_info
    except ImportError as error:
        raise NotInstalled(
            'pins: pin factory "rpigpio" needs gpiozero and RPi.GPIO (rpi-lgpio on a Pi 5); '
            f'{_INSTALL_RPIGPIO}; or set [pi] pin_factory = "lgpio"'
        ) from error
    except RuntimeError as error:
        raise BadDevice(
            f'pins: pin factory "rpigpio" does not run here ({error}); RPi.GPIO wants a Raspberry Pi up to the 4: '
            'on a Pi 5 set [pi] pin_factory = "lgpio"; on a machine without pins play by: yardboard sim'
        ) from error
    # RPi.GPIO itself has this C half, rpi-lgpio has not. Unasked, it would fail at the first pin only.
    if board.soc == _PI_5_CHIP and "RPi._GPIO" in sys.modules:
        factory.close()
        raise BadDevice(
            f'pins: pin factory "rpigpio": RPi.GPIO cannot move the pins of this Pi ({board.model}); '
            'set [pi] pin_factory = "lgpio", or put rpi-lgpio in its place'
        )
    return factory


def _start_lgpio() -> Any:
    lgpio = lgpio_module()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - only a Pi has it

        return LGPIOFactory()
    except ImportError as error:
        raise NotInstalled(f'pins: pin factory "lgpio" needs gpiozero; {_INSTALL}') from error
    except RuntimeError as error:
        raise BadDevice(
            f'pins: pin factory "lgpio" does not run here, which seems to be no Raspberry Pi ({error}); '
            "on a machine without pins play by: yardboard sim"
        ) from error
    except lgpio.error as error:
        raise BadDevice(
            f'pins: pin factory "lgpio" cannot open /dev/gpiochip0, nor gpiochip4 on a Pi 5 ({error}); '
            "see that it is there and that the user is in the group gpio; "
            'up to the Pi 4, [pi] pin_factory = "rpigpio" does without it'
        ) from error


def _start_mock() -> Any:
    try:
        from gpiozero.pins.mock import MockFactory  # noqa: PLC0415 - a laptop may do without
    except ImportError as error:
        raise NotInstalled(f'pins: pin factory "mock" needs gpiozero; {_INSTALL}') from error
    return MockFactory()


_STARTS: dict[str, Callable[[], Any]] = {"rpigpio": _start_rpigpio, "lgpio": _start_lgpio, "mock": _start_mock}


def _faults() -> tuple[type[Exception], ...]:
    """Return what gpiozero and the libraries below it raise: lgpio.error too, a bare Exception, once it is imported."""
    from gpiozero import GPIOZeroError  # noqa: PLC0415 - only a Pi has it

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError, RuntimeError, *([lgpio.error] if lgpio else []))
