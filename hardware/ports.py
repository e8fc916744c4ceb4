"""What the game asks of devices: five small protocols, one picture type, and the errors.

A *spot* is a place on the board that has one switch under it and one lamp in it. Spots are counted from 0 in
the order of the board's sheet; which station lies on which spot is the game side's business.

Every device is polled from one loop and none may hold it up: `read` returns at once, and an output device is
asked `ready` before it is handed something new.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PIL import Image


class HardwareError(Exception):
    """Anything the wire side has to complain of."""


class DeviceLost(HardwareError, OSError):
    """A device does not answer. The message names the device and what was tried; it may come back."""


class BadDevice(HardwareError, ValueError):
    """A device was asked for something it can never do (wrong frame length, unknown key, wrong picture)."""


@runtime_checkable
class Switches(Protocol):
    """The contacts under the board."""

    @property
    def count(self) -> int:
        """Number of spots, at least 1."""

    def read(self) -> int:
        """One raw sample: bit *s* is 1 while the contact of spot *s* is closed. Not debounced.

        Raises:
            DeviceLost: the contacts cannot be read now.
        """


@runtime_checkable
class Lamps(Protocol):
    """Addressable lamps, in one logical chain."""

    @property
    def count(self) -> int:
        """Number of lamps, at least 1."""

    def ready(self) -> bool:
        """Whether a frame can be taken now without making the caller wait."""

    def show(self, frame: bytes) -> None:
        """Shine: three bytes (red, green, blue; 0-255) a lamp, lamp 0 first, `3 * count` bytes.

        Raises:
            BadDevice: the frame has another length.
            DeviceLost: the lamps cannot be reached now.
        """


@runtime_checkable
class Panel(Protocol):
    """A small one-bit screen."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def ready(self) -> bool:
        """Whether a picture can be taken now without making the caller wait."""

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture of mode "1" and of this panel's size, or go dark for None.

        Raises:
            BadDevice: another mode or size.
            DeviceLost: the panel cannot be reached now.
        """


@runtime_checkable
class Keys(Protocol):
    """Push buttons."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys, such as "table.confirm"; a key's place here is its bit in `read`."""

    def read(self) -> int:
        """One raw sample: bit *k* is 1 while key *k* is held down. Not debounced.

        Raises:
            DeviceLost: the keys cannot be read now.
        """


@runtime_checkable
class Clock(Protocol):
    """Where time comes from."""

    def now(self) -> float:
        """Seconds on a clock that never runs backwards; its zero means nothing."""
