"""Define the six small protocols of devices, their errors, and the checks of their arguments.

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
    """The base of all hardware errors."""


class DeviceLost(HardwareError, OSError):
    """A device does not answer. The message names the device and the failed action. It may come back."""


class BadDevice(HardwareError, ValueError):
    """A request that the device can never fulfil: wrong frame length, unknown key, wrong picture."""


PACKAGED, ADDED = "/usr/lib/yardboard", "/usr/local/lib/yardboard"
"""The environment of the Debian package, and the folder of what its owner adds."""


def pip(*words: str) -> str:
    """Return the command of pip that changes this environment, for a terminal: pages show no folder."""
    if sys.prefix == PACKAGED and words[0] == "install":
        return " ".join(("sudo python3 -m pip install --target", ADDED, *words[1:]))
    return f"{sys.executable} -m pip {' '.join(words)}"


def install_extra(extras: str) -> str:
    """Return the command, and its folder, that installs extras of yardboard into this environment."""
    return f"{pip('install')} '.[{extras}]' in yardboard's folder"


class NotInstalled(HardwareError, ImportError):
    """A driver needs a package that is missing. The message says which, and how to install it."""

    @classmethod
    def needing(cls, what: str, package: str, extra: str) -> Self:
        """Return the error that `what` needs a package, from an extra of yardboard's."""
        command = f"pip install '.[{extra}]'"
        return cls(f"{what} needs {package}; install with: {command} in yardboard's folder; or choose another driver")


class Closeable(Protocol):
    """The base of all devices."""

    def close(self) -> None:
        """Release the device. May be called twice. No other call is allowed afterwards."""


@runtime_checkable
class Switches(Closeable, Protocol):
    """The contacts under the board."""

    @property
    def count(self) -> int:
        """The number of inputs, at least 1."""

    def read(self) -> int:
        """Return one raw sample: bit *i* is 1 while the contact on input *i* is closed. Not debounced.

        Raises:
            DeviceLost: the contacts cannot be read now.
        """

    def place(self, number: int) -> str:
        """Return an input's place for people: "chip 8, pin F", "row 2, column 5", "GPIO 17".

        Raises:
            BadDevice: there is no such input.
        """


@runtime_checkable
class Lamps(Closeable, Protocol):
    """Addressable lamps, in one logical chain."""

    @property
    def count(self) -> int:
        """The number of lamps, at least 1."""

    def ready(self) -> bool:
        """Return whether a frame can be accepted now without blocking the caller."""

    def show(self, frame: bytes) -> None:
        """Show a frame: three bytes (red, green, blue; 0-255) a lamp, lamp 0 first, `3 * count` bytes.

        Raises:
            BadDevice: the frame has another length.
            DeviceLost: the lamps cannot be reached now, or the last frame did not reach them.
        """


@runtime_checkable
class Panel(Closeable, Protocol):
    """A small one-bit screen."""

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""

    def ready(self) -> bool:
        """Return whether a picture can be accepted now without blocking the caller."""

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture of mode "1" and of this panel's size, or go dark for None.

        Raises:
            BadDevice: another mode or size.
            DeviceLost: the panel cannot be reached now, or the last picture did not reach it.
        """


@runtime_checkable
class Keys(Closeable, Protocol):
    """Push buttons."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys, such as "table.confirm". A key's index here is its bit in `read`."""

    def read(self) -> int:
        """Return one raw sample: bit *k* is 1 while key *k* is held down. Not debounced.

        Raises:
            DeviceLost: the keys cannot be read now.
        """


@runtime_checkable
class Supply(Closeable, Protocol):
    """The power supply of the machine that runs the table."""

    def trouble(self) -> str:
        """Return the power trouble and a remedy, or "" for none. Returns at once."""


@runtime_checkable
class Clock(Protocol):
    """A source of time."""

    def now(self) -> float:
        """Return monotonic seconds. Their zero means nothing."""


def check_frame(frame: bytes, count: int) -> None:
    """Check that a frame has three bytes for each of `count` lamps.

    Raises:
        BadDevice: its length is another.
    """
    if len(frame) != 3 * count:
        raise BadDevice(f"lamps: a frame of {len(frame)} bytes; {count} lamps take {3 * count}, three bytes a lamp")


def check_picture(picture: Image.Image | None, size: tuple[int, int], what: str) -> None:
    """Check that a picture has mode "1" and a panel's size, or is None for dark.

    Raises:
        BadDevice: it does not; the message begins with `what`.
    """
    if picture is not None and (picture.mode != "1" or picture.size != size):
        raise BadDevice(
            f'{what}: a picture of mode "{picture.mode}", {picture.size[0]}x{picture.size[1]}; '
            f'it takes mode "1", {size[0]}x{size[1]}'
        )


def check_input(number: int, count: int) -> None:
    """Check the number of an input: 0 to `count` - 1.

    Raises:
        BadDevice: there is no such input.
    """
    if not 0 <= number < count:
        raise BadDevice(f"switches: there is no input {number}; inputs are 0 to {count - 1}")
