"""Replace a device that cannot be created on this machine, or that a table lacks."""

from __future__ import annotations

from typing import NoReturn

from PIL import Image

from hardware.ports import DeviceLost


class Absent:
    """A device that is lost for good: every call raises the reason. Implements all the ports.

    Args:
        why: the reason, such as the message of a `NotInstalled`.
        count: how many inputs or lamps it would have.
        names: the keys it would have.
        size: width and height that it would have.
    """

    def __init__(
        self, why: str, *, count: int = 0, names: tuple[str, ...] = (), size: tuple[int, int] = (128, 64)
    ) -> None:
        self.count = count
        self.names = names
        self.size = size
        self._why = why

    def ready(self) -> bool:
        """Return True, so that no caller waits."""
        return True

    def place(self, number: int) -> str:
        """Return an input's number; nothing else is known about it."""
        return f"input {number}"

    def read(self) -> int:
        """Raise `DeviceLost`."""
        raise DeviceLost(self._why)

    def show(self, _: object) -> NoReturn:
        """Raise `DeviceLost`."""
        raise DeviceLost(self._why)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class NoPanel:
    """A screen that a table lacks: its pictures are discarded. Implements `Panel`."""

    size = (128, 64)

    def ready(self) -> bool:
        """Return True, so that no caller waits."""
        return True

    def show(self, picture: Image.Image | None) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
