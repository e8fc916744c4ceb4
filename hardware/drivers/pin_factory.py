"""Choose the library by which gpiozero reaches the Pi's pins, which gpiozero calls a pin factory.

The configuration names it; this module does not try one after another. Create one factory per process for all drivers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import chdir, suppress
from importlib import import_module
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from hardware.ports import BadDevice, NotInstalled, extra_command
from hardware.raspberry_pi.host_facts import PythonBuild
from hardware.raspberry_pi.kernel_devices import KernelDevices
from hardware.raspberry_pi.machine_checks import lgpio_of_system

FACTORIES = ("rpigpio", "lgpio", "mock")
"""The values of `pin_factory`: RPi.GPIO for Pis up to the 4, lgpio for any Pi, and pins in memory.

On a Pi 5, rpi-lgpio is installed under the name RPi.GPIO.
"""

_PI_5_CHIP = "BCM2712"

_IMPORTING = Lock()
"""Held while lgpio is imported, because that changes the process's working folder for a moment."""

_INSTALL = f"install with: {extra_command('pi')} in yardboard's folder"
_INSTALL_RPIGPIO = f"install with: {extra_command('rpigpio')} in yardboard's folder"


def pin_factory(name: str, kernel: KernelDevices | None = None) -> Any:
    """Start gpiozero's pin factory of that name, and return it.

    If a factory cannot start, trying again is useless: a missing package, the wrong model of Pi or a missing group
    stays so while the program runs. So this raises `BadDevice`, not `DeviceLost`.

    By default, gpiozero's lgpio factory uses /dev/gpiochip4 on a Pi 5 that has it and /dev/gpiochip0 otherwise
    (`LGPIOFactory.__init__`, gpiozero 2.0.1). On a Pi 5 with a kernel of 2026 the header is neither of these, so this
    function passes the number of the header's chip.

    Args:
        name: one of `FACTORIES`.
        kernel: finds the header's GPIO chip; this machine's by default.

    Raises:
        BadDevice: there is no factory of that name, or it cannot start here; the message says which one fits.
        NotInstalled: its package is not installed.
    """
    try:
        start = _STARTS[name]
    except KeyError:
        raise BadDevice(f'pins: there is no pin factory "{name}"; choose one of {", ".join(FACTORIES)}') from None
    return start(kernel or KernelDevices())


def lgpio_module() -> Any:
    """Import the module `lgpio`, which would otherwise leave a file behind, and return it.

    lgpio's import creates a FIFO in the working directory, or in $LG_WD, which it then makes the working directory, and
    never removes it. So the import happens in a temporary folder (lgpio keeps both ends of the FIFO open and no longer
    needs its name), and the working directory is restored.

    Raises:
        BadDevice: no folder can be written to.
        NotInstalled: the package is not installed.
    """
    with _IMPORTING:
        if sys.modules.get("lgpio") is None:
            _import_lgpio()
    return sys.modules["lgpio"]


def _import_lgpio() -> None:
    # systemd may list several, separated by colons; None is the system's own temporary folder.
    parent = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or None
    try:
        with TemporaryDirectory(prefix="lgpio-", dir=parent) as folder, chdir(folder):
            import_module("lgpio")
    except ImportError as error:
        remedy = lgpio_of_system(PythonBuild.current()) or _INSTALL
        raise NotInstalled(f"pins: the package lgpio is missing; {remedy}") from error
    except OSError as error:
        raise BadDevice(
            f"pins: lgpio needs a folder to write to while it starts ({error.strerror}: {error.filename}); "
            "set RuntimeDirectory= in the systemd unit, or TMPDIR"
        ) from error


def _start_rpigpio(kernel: KernelDevices) -> Any:
    # The Pi 5's replacement imports lgpio: import it first, without leaving a file.
    with suppress(NotInstalled):
        lgpio_module()
    try:
        from gpiozero.pins import local  # noqa: PLC0415 - only a Pi has it
        from gpiozero.pins.rpigpio import RPiGPIOFactory  # noqa: PLC0415 - only a Pi has it

        if not _is_compiled():  # the replacement opens a GPIO chip, and gets its number here
            local.get_pi_revision()
            os.environ["RPI_LGPIO_CHIP"] = str(kernel.header_chip().number)
        factory = RPiGPIOFactory()
        board = factory.board_info
    except ImportError as error:
        raise NotInstalled(
            'pins: pin factory "rpigpio" needs gpiozero and RPi.GPIO (rpi-lgpio on a Pi 5); '
            f'{_INSTALL_RPIGPIO}; or set [pi] pin_factory = "lgpio"'
        ) from error
    except RuntimeError as error:
        raise BadDevice(
            f'pins: pin factory "rpigpio" does not run here ({error}); RPi.GPIO needs a Raspberry Pi up to the 4: '
            'on a Pi 5 set [pi] pin_factory = "lgpio"; on a machine without pins run: yardboard sim'
        ) from error
    # Otherwise it would fail only at the first pin.
    if board.soc == _PI_5_CHIP and _is_compiled():
        factory.close()
        raise BadDevice(
            f'pins: pin factory "rpigpio": RPi.GPIO cannot control the pins of this Pi ({board.model}); '
            'set [pi] pin_factory = "lgpio", or put rpi-lgpio in its place'
        )
    return factory


def _is_compiled() -> bool:
    """Return whether the module RPi.GPIO is the original in C, and not rpi-lgpio."""
    return "RPi._GPIO" in sys.modules


def _start_lgpio(kernel: KernelDevices) -> Any:
    lgpio = lgpio_module()
    try:
        from gpiozero.pins import local  # noqa: PLC0415 - only a Pi has it
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - only a Pi has it

        local.get_pi_revision()  # otherwise the factory would read it only at the first pin
        chip = kernel.header_chip()
        return LGPIOFactory(chip=chip.number)
    except ImportError as error:
        raise NotInstalled(f'pins: pin factory "lgpio" needs gpiozero; {_INSTALL}') from error
    except RuntimeError as error:
        raise BadDevice(
            f'pins: pin factory "lgpio" does not run here, which does not seem to be a Raspberry Pi ({error}); '
            "on a machine without pins run: yardboard sim"
        ) from error
    except lgpio.error as error:
        raise BadDevice(
            f'pins: pin factory "lgpio" cannot open {chip} ({error}); see that the user is in the group gpio; '
            'up to the Pi 4, [pi] pin_factory = "rpigpio" does without it'
        ) from error


def _start_mock(_: KernelDevices) -> Any:
    try:
        from gpiozero.pins.mock import MockFactory  # noqa: PLC0415 - a laptop may do without
    except ImportError as error:
        raise NotInstalled(f'pins: pin factory "mock" needs gpiozero; {_INSTALL}') from error
    return MockFactory()


_STARTS: dict[str, Callable[[KernelDevices], Any]] = {
    "rpigpio": _start_rpigpio,
    "lgpio": _start_lgpio,
    "mock": _start_mock,
}
