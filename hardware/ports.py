"""Define what the game asks of devices: six small protocols, their errors, and the checks of what they are given.

An *input* is one contact of a device of switches, a *lamp* one lamp of a chain, each counted from 0 by the device's own
wires. Which of them serves which place on the board, and which station lies there, is the game side's business.

Every device is polled from one loop and none may hold it up: `read` returns at once, and an output device is asked
`ready` before it is handed something new.
"""

from __future__ import annotations

import sys
from typing import Protocol, Self, runtime_checkable

from PIL import Image


class HardwareError(Exception):
    """Any error of the wire side."""


class DeviceLost(HardwareError, OSError):
    """A device does not answer. The message names the device and what was tried; it may come back."""


class BadDevice(HardwareError, ValueError):
    """A device was asked for something that it can never do (wrong frame length, unknown key, wrong picture)."""


def pip(*words: str) -> str:
    """Return the command by which this environment's own pip does something, for a terminal: pages show no folder."""
    return f"{sys.executable} -m pip {' '.join(words)}"


def install_extra(extras: str) -> str:
    """Return the command, and where to say it, that installs extras of yardboard into this environment."""
    return f"{pip('install')} '.[{extras}]' in yardboard's folder"


class NotInstalled(HardwareError, ImportError):
    """A driver needs a package that is missing. The message says which, and how to install it."""

    @classmethod
    def needing(cls, what: str, package: str, extra: str) -> Self:
        """Return the error that says which package `what` needs, and in which extra of yardboard's it comes."""
        command = f"pip install '.[{extra}]'"
        return cls(f"{what} needs {package}; install with: {command} in yardboard's folder; or choose another driver")


class Closeable(Protocol):
    """Anything on wires."""

    def close(self) -> None:
        """Release the wires. May be called twice; no other call is allowed afterwards."""


@runtime_checkable
class Switches(Closeable, Protocol):
    """The contacts under the board."""

    @property
    def count(self) -> int:
        """Return the number of inputs, at least 1."""

    def read(self) -> int:
        """Return one raw sample: bit *i* is 1 while the contact on input *i* is closed. Not debounced.

        Raises:
            DeviceLost: the contacts cannot be read now.
        """

    def place(self, number: int) -> str:
        """Return where a person finds an input on the electronics: "chip 8, pin F", "row 2, column 5", "GPIO 17".

        Raises:
            BadDevice: there is no such input.
        """


@runtime_checkable
class Lamps(Closeable, Protocol):
    """Addressable lamps, in one logical chain."""

    @property
    def count(self) -> int:
        """Return the number of lamps, at least 1."""

    def ready(self) -> bool:
        """Return whether a frame can be taken now without making the caller wait."""

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
        """Return whether a picture can be taken now without making the caller wait."""

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
        """Return the names of the keys, such as "table.confirm"; a key's index here is its bit in `read`."""

    def read(self) -> int:
        """Return one raw sample: bit *k* is 1 while key *k* is held down. Not debounced.

        Raises:
            DeviceLost: the keys cannot be read now.
        """


@runtime_checkable
class Supply(Closeable, Protocol):
    """The power supply of the machine that the table runs on."""

    def trouble(self) -> str:
        """Return what is wrong with the power and what to do about it; "" for nothing. Returns at once."""


@runtime_checkable
class Clock(Protocol):
    """A source of time."""

    def now(self) -> float:
        """Return the seconds of a clock that never runs backwards; its zero means nothing."""


def check_frame(frame: bytes, count: int) -> None:
    """Refuse a frame that does not have three bytes for each of `count` lamps.

    Raises:
        BadDevice: its length is another.
    """
    if len(frame) != 3 * count:
        raise BadDevice(f"lamps: a frame of {len(frame)} bytes; {count} lamps take {3 * count}, three bytes a lamp")


def check_picture(picture: Image.Image | None, size: tuple[int, int], what: str) -> None:
    """Refuse a picture that is not of mode "1" and of a panel's size. None is dark, and fits.

    Raises:
        BadDevice: it does not fit; the message begins with `what`.
    """
    if picture is not None and (picture.mode != "1" or picture.size != size):
        raise BadDevice(
            f'{what}: a picture of mode "{picture.mode}", {picture.size[0]}x{picture.size[1]}; '
            f'it takes mode "1", {size[0]}x{size[1]}'
        )


def check_input(number: int, count: int) -> None:
    """Refuse an input that is not one of `count`.

    Raises:
        BadDevice: there is no such input.
    """
    if not 0 <= number < count:
        raise BadDevice(f"switches: there is no input {number}; inputs are 0 to {count - 1}")
