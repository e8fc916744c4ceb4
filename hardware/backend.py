"""Group all devices of one table, with substitutes for those that the table lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NoReturn

from PIL import Image

from hardware.current_limit import LimitedLamps
from hardware.ports import Clock, DeviceLost, Keys, Panel, Supply, Switches


@dataclass(frozen=True, slots=True)
class Backend:
    """The devices of one table: real, simulated or mixed.

    Attributes:
        switches: the contacts under the board.
        lamps: the lamps of the board, always with their current limit, which no caller can bypass.
        handset: the private panel.
        display: the public panel, or None without one.
        keys: the push buttons of table and handset.
        clock: the devices' clock.
        threads: device's name -> function that returns how many seconds the device's thread has made no progress. A
            thread that retries a lost device makes progress.
        power: the machine's power supply, or None if nothing reports it.
    """

    switches: Switches
    lamps: LimitedLamps
    handset: Panel
    display: Panel | None
    keys: Keys
    clock: Clock
    threads: Mapping[str, Callable[[], float]] = field(default_factory=dict)
    power: Supply | None = None

    def close(self) -> None:
        """Close every device. This may be called twice. Real lamps keep their last frame, and real screens go dark."""
        with ExitStack() as last_first:  # closes all even if one fails; the handset first
            for device in (self.power, self.keys, self.switches, self.lamps, self.display, self.handset):
                if device is not None:
                    last_first.callback(device.close)


class Absent:
    """A stand-in for switches, lamps, a panel or keys that are lost for good: `read` and `show` raise the reason.

    Args:
        why: the reason, such as the message of a `NotInstalled`.
        count: how many inputs or lamps the device would have.
        names: the keys that the device would have.
        size: width and height that the device would have.
    """

    def __init__(
        self, why: str, *, count: int = 0, names: tuple[str, ...] = (), size: tuple[int, int] = (128, 64)
    ) -> None:
        self.count = count
        self.names = names
        self.size = size
        self._why = why

    def ready(self) -> bool:
        """Return True, so that the caller does not wait."""
        return True

    def place(self, number: int) -> str:
        """Return an input's number, because nothing more is known about it."""
        return f"input {number}"

    def read(self) -> int:
        """Raise `DeviceLost`."""
        raise DeviceLost(self._why)

    def show(self, _: object) -> NoReturn:
        """Raise `DeviceLost`."""
        raise DeviceLost(self._why)

    def close(self) -> None:
        """Do nothing: there is no device to release."""


class NoPanel:
    """The screen of a table that has none. It discards all pictures. Implements `Panel`."""

    size = (128, 64)

    def ready(self) -> bool:
        """Return True, so that the caller does not wait."""
        return True

    def show(self, picture: Image.Image | None) -> None:
        """Discard a picture."""

    def close(self) -> None:
        """Do nothing: there is no device to release."""
