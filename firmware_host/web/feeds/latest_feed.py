"""Hand the newest message of each kind from the table's thread to the clients' loop.

Only the newest counts: a slow client gets fewer messages and never an old one, and nothing queues up. The table's
thread only stores a reference. Messages are made on the other side, once for all clients of a language, and only if
there is one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from firmware_host.system.language import language

Message = str | bytes
"""The content of a WebSocket message: text, or bytes."""

LAMPS = {"usual": "lamps", "colour-blind": "lamps for the colour-blind"}
"""The kind of message by which a page hears of the lamps, by the colours that it wants."""


def message(kind: str, **fields: object) -> str:
    """Return a message of one kind, a JSON object as short as it can be said."""
    return json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class _Slot:
    version: int
    before: int  # the version of the message that it has replaced; 0 for none
    make: Callable[[], Message]
    made: dict[str, Message] = field(default_factory=dict)  # language -> message


class Feed:
    """Holds the newest message of each kind.

    `put` may be called from any thread, one per kind; everything else from the clients' loop.
    """

    def __init__(self) -> None:
        self._slots: dict[str, _Slot] = {}
        self._versions = count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Future[None] | None = None
        self._called = False

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Serve clients on this loop from now on."""
        self._news = loop.create_future()
        self._loop = loop

    def detach(self) -> None:
        """Stop notifying: the loop ends."""
        self._loop = None

    def put(self, kind: str, make: Callable[[], Message]) -> None:
        """Replace the message of a kind by a newer one; `make` is called later, or never."""
        replaced = self._slots.get(kind)
        self._slots[kind] = _Slot(next(self._versions), 0 if replaced is None else replaced.version, make)
        loop = self._loop
        if loop is None or self._called:  # the scheduled call runs after this, and finds the slot
            return
        self._called = True
        try:
            loop.call_soon_threadsafe(self._tell)
        except RuntimeError:  # the loop has just been closed
            self._called = False

    def drop(self, kind: str) -> None:
        """Take the message of a kind away: nobody who comes now is sent it. By the thread that puts it."""
        self._slots.pop(kind, None)

    def _tell(self) -> None:
        self._called = False
        if self._news is not None and self._loop is not None:
            self._news.set_result(None)
            self._news = self._loop.create_future()

    def next(self, seen: Mapping[str, int]) -> tuple[str, int, Message] | None:
        """Return, of the messages that a client has not had, the one whose kind has waited longest.

        It gives one at a time, so that a slow client gets the newest of the others afterwards. It is in the language
        of whoever calls.

        Args:
            seen: the version of each kind that the client has had.

        Returns:
            Kind, version and message; None if it has had everything.
        """
        due = [(_due_since(seen.get(kind, 0), slot), slot.version, kind, slot) for kind, slot in self._unseen(seen)]
        if not due:
            return None
        _, version, kind, slot = min(due, key=lambda one: one[:2])
        if language() not in slot.made:
            slot.made[language()] = slot.make()
        return kind, version, slot.made[language()]

    async def changed(self, seen: Mapping[str, int]) -> None:
        """Wait until there is something that a client has not had."""
        while self._news is not None and not self._unseen(seen):
            await asyncio.shield(self._news)

    def _unseen(self, seen: Mapping[str, int]) -> list[tuple[str, _Slot]]:
        # Copying is atomic, whatever another thread stores meanwhile.
        return [(kind, slot) for kind, slot in self._slots.copy().items() if slot.version > seen.get(kind, 0)]


def _due_since(had: int, slot: _Slot) -> int:
    """Return since which version a client lacks a kind, or an earlier one where it has missed some."""
    return slot.version if had and had >= slot.before else had
