"""Define the ports, which are the interfaces of all devices, with their errors and checks of arguments.

An *input* is one contact of a device of switches, a *lamp* one lamp of a chain, each counted from 0 by the device's own
wires. The game side maps them to places on the board and to stations.

Every device is polled from one loop and none may block it: `read` returns at once, and an output device must be `ready`
before it is shown something new.
"""

from __future__ import annotations

import sys
from typing import Protocol, Self, runtime_checkable

from PIL import Image


class HardwareError(Exception):
    """Base class of all hardware errors."""


class DeviceLost(HardwareError, OSError):
    """The error that a device does not answer, but may come back. The message names the device and the failure."""


class BadDevice(HardwareError, ValueError):
    """The error of a request that a device can never carry out, such as a frame of the wrong length."""


PACKAGED, ADDED = "/usr/lib/yardboard", "/usr/local/lib/yardboard"
"""The folder of the Debian package's environment, and the folder for packages that its owner adds."""


def pip(*words: str) -> str:
    """Return the command that runs pip with these words in this environment.

    It names a folder, so it may be printed on a terminal, but not on a page.
    """
    if sys.prefix == PACKAGED and words[0] == "install":
        return " ".join(("sudo python3 -m pip install --target", ADDED, *words[1:]))
    return f"{sys.executable} -m pip {' '.join(words)}"


def install_extra(extras: str) -> str:
    """Return the command that installs extras of yardboard in this environment, and the folder to run it in."""
    return f"{pip('install')} '.[{extras}]' in yardboard's folder"


def extra_command(extra: str) -> str:
    """Return the command that installs one of yardboard's extras. Pages may show it: it names no user's folder."""
    command = pip("install") if sys.prefix == PACKAGED else "pip install"
    return f"{command} '.[{extra}]'"


class NotInstalled(HardwareError, ImportError):
    """The error that a driver's package is missing. The message names it, and says how to install it."""

    @classmethod
    def needing(cls, what: str, package: str, extra: str) -> Self:
        """Return the error that the device `what` needs a package. It advises to install `extra`."""
        command = extra_command(extra)
        return cls(f"{what} needs {package}; install with: {command} in yardboard's folder; or choose another driver")


class Closeable(Protocol):
    """The interface that all devices share."""

    def close(self) -> None:
        """Release the device. May be called twice. Afterwards no other method may be called."""


@runtime_checkable
class Switches(Closeable, Protocol):
    """The interface of the contacts under the board."""

    @property
    def count(self) -> int:
        """The number of inputs, at least 1."""

    def read(self) -> int:
        """Return one sample, in which bit *i* is 1 while the contact on input *i* is closed.

        The table debounces the samples. A Pico's are debounced already.

        Raises:
            DeviceLost: the contacts cannot be read now.
        """

    def place(self, number: int) -> str:
        """Return where a person finds an input: "chip 8, pin F", "row 2, column 5", "GPIO 17".

        Raises:
            BadDevice: there is no such input.
        """


@runtime_checkable
class Lamps(Closeable, Protocol):
    """The interface of a chain of lamps, each with its own colour."""

    @property
    def count(self) -> int:
        """The number of lamps, at least 1."""

    def ready(self) -> bool:
        """Return whether a frame can be shown now without making the caller wait."""

    def show(self, frame: bytes) -> None:
        """Show a frame: red, green and blue (0-255) for each lamp, lamp 0 first, `3 * count` bytes.

        Raises:
            BadDevice: the frame has another length.
            DeviceLost: the lamps cannot be reached now, or the last frame did not reach them.
        """


@runtime_checkable
class Panel(Closeable, Protocol):
    """The interface of a small screen with one bit a pixel."""

    @property
    def size(self) -> tuple[int, int]:
        """The width and height in pixels."""

    def ready(self) -> bool:
        """Return whether a picture can be shown now without making the caller wait."""

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture of mode "1" and of the panel's size. None turns the panel dark.

        Raises:
            BadDevice: another mode or size.
            DeviceLost: the panel cannot be reached now, or the last picture did not reach it.
        """


@runtime_checkable
class Keys(Closeable, Protocol):
    """The interface of push buttons, the table's and the handset's."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys, such as "table.confirm". A key's position is the number of its bit in `read`."""

    def read(self) -> int:
        """Return one raw sample, in which bit *k* is 1 while key *k* is down. Not debounced.

        Raises:
            DeviceLost: the keys cannot be read now.
        """


@runtime_checkable
class Supply(Closeable, Protocol):
    """The interface of a check of the machine's power supply."""

    def trouble(self) -> str:
        """Return what is wrong with the power, and what would help, or "". Returns at once."""


@runtime_checkable
class Clock(Protocol):
    """The interface of a clock that never goes backwards."""

    def now(self) -> float:
        """Return the seconds since an arbitrary moment. They never decrease."""


def check_frame(frame: bytes, count: int) -> None:
    """Check that a frame has three bytes for each of `count` lamps.

    Raises:
        BadDevice: the frame has another length.
    """
    if len(frame) != 3 * count:
        raise BadDevice(f"lamps: a frame of {len(frame)} bytes; {count} lamps take {3 * count}, three bytes a lamp")


def check_picture(picture: Image.Image | None, size: tuple[int, int], what: str) -> None:
    """Check that a picture has mode "1" and a panel's size, or is None.

    Raises:
        BadDevice: the picture has another mode or size; the message begins with `what`.
    """
    if picture is not None and (picture.mode != "1" or picture.size != size):
        raise BadDevice(
            f'{what}: a picture of mode "{picture.mode}", {picture.size[0]}x{picture.size[1]}; '
            f'it takes mode "1", {size[0]}x{size[1]}'
        )


def check_input(number: int, count: int) -> None:
    """Check that an input has a number from 0 to `count` - 1.

    Raises:
        BadDevice: there is no such input.
    """
    if not 0 <= number < count:
        raise BadDevice(f"switches: there is no input {number}; inputs are 0 to {count - 1}")
