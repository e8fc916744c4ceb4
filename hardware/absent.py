"""A device that cannot be made on this machine, for whoever can do without it."""

from __future__ import annotations

from typing import NoReturn

from hardware.ports import DeviceLost


class Absent:
    """A device that is lost for good: whatever is asked of it says why. Implements all the ports.

    Args:
        why: why there is none, such as the message of a `NotInstalled`.
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
        """Always: it makes nobody wait."""
        return True

    def place(self, number: int) -> str:
        """An input's number is all that is known of it."""
        return f"input {number}"

    def read(self) -> int:
        """Never gives a sample.

        Raises:
            DeviceLost: always.
        """
        raise DeviceLost(self._why)

    def show(self, _: object) -> NoReturn:
        """Never shows anything.

        Raises:
            DeviceLost: always.
        """
        raise DeviceLost(self._why)

    def close(self) -> None:
        """Nothing is held."""
