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
    """Messages by their kind. `put` may be called from any thread, all else from the clients' loop alone."""

    def __init__(self) -> None:
        self._slots: dict[str, _Slot] = {}
        self._versions = count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Future[None] | None = None
        self._called = False

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Clients live on this loop from now on."""
        self._loop = loop
        self._news = loop.create_future()

    def detach(self) -> None:
        """The loop ends: nobody is told any more."""
        self._loop = None

    def put(self, kind: str, make: Callable[[], Message]) -> None:
        """A newer message of a kind, in the place of the one before; `make` is called later, or never. Any thread."""
        self._slots[kind] = _Slot(next(self._versions), make)
        loop = self._loop
        if loop is None or self._called:
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

    def newer(self, seen: Mapping[str, int]) -> list[tuple[str, int, Message]]:
        """The messages that a client has not had: kind, version and message, the oldest first."""
        due = [
            (slot.version, kind, slot) for kind, slot in list(self._slots.items()) if slot.version > seen.get(kind, 0)
        ]
        return [(kind, version, _made(slot)) for version, kind, slot in sorted(due, key=lambda one: one[0])]

    async def changed(self, seen: Mapping[str, int]) -> None:
        """Returns as soon as there is something that a client has not had."""
        while self._news is not None:
            news = self._news
            if any(slot.version > seen.get(kind, 0) for kind, slot in list(self._slots.items())):
                return
            await asyncio.shield(news)


def _made(slot: _Slot) -> Message:
    if slot.made is None:
        slot.made = slot.make()
    return slot.made
