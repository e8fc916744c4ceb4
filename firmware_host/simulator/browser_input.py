"""The fingers of many pages on the keys of one table."""

from __future__ import annotations

from collections import deque

from firmware_host.simulator.simulated_table import ParlourError
from hardware.sim import SimTable

SAMPLES = 6
"""How many samples a press lasts at the least: keys bounce, and three equal ones must follow each other."""

AHEAD = 8
"""How many presses and releases of one key may wait for the ones before."""


class Fingers:
    """Which page holds down which key. Only that page can release it.

    A click comes down and goes up within a moment, or both come at once over a slow line, and a second one comes at
    its heels: each press lasts for `SAMPLES` scans at the least, and so does each pause, as with a real finger.

    Args:
        table: whose keys they are.
        hz: how often they are scanned.
    """

    def __init__(self, table: SimTable, hz: float) -> None:
        self._table, self._shortest = table, round(SAMPLES * 1_000_000 / hz)
        self._on: dict[str, int] = {}
        self._waiting: dict[str, deque[bool]] = {}
        self._due: dict[str, int] = {}

    def press(self, page: int, key: str) -> None:
        """A finger goes down on a key.

        Raises:
            ParlourError: there is no such key, a finger is on it, or too much is waiting.
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
        """The finger comes off the key.

        Raises:
            ParlourError: this page has no finger on it.
        """
        if self._on.get(key) != page:
            raise ParlourError(f"{key} is not held down by this page")
        del self._on[key]
        self._waiting.setdefault(key, deque()).append(False)

    def leave(self, page: int) -> None:
        """Takes all fingers of a page off their keys."""
        for key in [key for key, holder in self._on.items() if holder == page]:
            self.release(page, key)

    def move(self) -> None:
        """Does what is due now."""
        now = self._table.clock.microseconds  # whole numbers: a press lasts as long at any hour
        for key, waiting in list(self._waiting.items()):
            if now < self._due.get(key, now):
                continue
            (self._table.hold if waiting.popleft() else self._table.release)(key)
            self._due[key] = now + self._shortest
            if not waiting:
                del self._waiting[key]
