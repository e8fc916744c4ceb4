"""The newest message of each kind, handed from the table's thread to the clients' loop.

Only the newest counts: whoever is slow gets fewer messages and never an old one, and nothing queues up. The table's
thread does no more than put a reference down; messages are made on the other side, once for all clients, and only
where there is a client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count

Message = str | bytes
"""What goes over a WebSocket: text, or bytes."""


@dataclass(slots=True)
class _Slot:
    version: int
    make: Callable[[], Message]
    made: Message | None = None


class Feed:
    """Messages by their kind. `put` may be called from any thread, one for a kind; all else from the clients' loop."""

    def __init__(self) -> None:
        self._slots: dict[str, _Slot] = {}
        self._versions = count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Future[None] | None = None
        self._called = False

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Clients live on this loop from now on."""
        self._news = loop.create_future()
        self._loop = loop

    def detach(self) -> None:
        """The loop ends: nobody is told any more."""
        self._loop = None

    def put(self, kind: str, make: Callable[[], Message]) -> None:
        """A newer message of a kind, in the place of the one before; `make` is called later, or never."""
        self._slots[kind] = _Slot(next(self._versions), make)
        loop = self._loop
        if loop is None or self._called:  # the call that is under way comes after this slot, and finds it
            return
        self._called = True
        try:
            loop.call_soon_threadsafe(self._tell)
        except RuntimeError:  # the loop was closed just now
            self._called = False

    def _tell(self) -> None:
        self._called = False
        if self._news is not None and self._loop is not None:
            self._news.set_result(None)
            self._news = self._loop.create_future()

    def next(self, seen: Mapping[str, int]) -> tuple[str, int, Message] | None:
        """Of the messages that a client has not had, the one of the kind that it has waited for longest.

        One at a time, so that a client that is slow to take it gets the newest of the others afterwards.

        Args:
            seen: the version of each kind that it has had.

        Returns:
            Kind, version and message; None if it has had everything.
        """
        due = [(seen.get(kind, 0), slot.version, kind, slot) for kind, slot in self._unseen(seen)]
        if not due:
            return None
        _, version, kind, slot = min(due, key=lambda one: one[:2])
        if slot.made is None:
            slot.made = slot.make()
        return kind, version, slot.made

    async def changed(self, seen: Mapping[str, int]) -> None:
        """Returns as soon as there is something that a client has not had."""
        while self._news is not None and not self._unseen(seen):
            await asyncio.shield(self._news)

    def _unseen(self, seen: Mapping[str, int]) -> list[tuple[str, _Slot]]:
        # A copy is made in one step, whatever another thread puts down meanwhile.
        return [(kind, slot) for kind, slot in self._slots.copy().items() if slot.version > seen.get(kind, 0)]
