"""Turn the key presses of many pages into presses at one simulated table."""

from __future__ import annotations

from collections import deque

from firmware_host.simulator.simulated_table import ParlourError
from hardware.sim import SimTable

SAMPLES = 6
"""The shortest press in samples: keys bounce, and three equal samples must follow each other."""

AHEAD = 8
"""How many presses and releases of one key may wait for earlier ones."""


class Fingers:
    """Holds which page presses which key. Only that page can release it.

    A click may press and release within a moment, or both may arrive at once over a slow line, with a second one right
    behind. So each press lasts at least `SAMPLES` scans, and so does each pause, as with a real finger.

    Args:
        table: the table with the keys.
        hz: scans a second.
    """

    def __init__(self, table: SimTable, hz: float) -> None:
        self._table, self._shortest = table, round(SAMPLES * 1_000_000 / hz)
        self._on: dict[str, int] = {}
        self._waiting: dict[str, deque[bool]] = {}
        self._due: dict[str, int] = {}

    def press(self, page: int, key: str) -> None:
        """Press a key.

        Raises:
            ParlourError: there is no such key, it is held already, or too much is waiting.
        """
        if key not in self._table.keys.names:
            raise ParlourError(f"there is no key {key!r}; keys are {', '.join(self._table.keys.names)}")
        if key in self._on:
            raise ParlourError(f"{key} is held down already")
        if len(self._waiting.get(key, ())) >= AHEAD:
            raise ParlourError(f"{key}: more presses than a finger can make; slow down")
        self._on[key] = page
        self._waiting.setdefault(key, deque()).append(True)

    def release(self, page: int, key: str) -> None:
        """Release a key.

        Raises:
            ParlourError: this page does not hold it.
        """
        if self._on.get(key) != page:
            raise ParlourError(f"{key} is not held down by this page")
        del self._on[key]
        self._waiting.setdefault(key, deque()).append(False)

    def leave(self, page: int) -> None:
        """Release all keys that a page holds."""
        for key in [key for key, holder in self._on.items() if holder == page]:
            self.release(page, key)

    def move(self) -> None:
        """Carry out what is due now."""
        now = self._table.clock.microseconds  # whole numbers: a press lasts as long at any hour
        for key, waiting in list(self._waiting.items()):
            if now < self._due.get(key, now):
                continue
            (self._table.hold if waiting.popleft() else self._table.release)(key)
            self._due[key] = now + self._shortest
            if not waiting:
                del self._waiting[key]
