"""Pass the newest message of each kind from the table's thread to the loop that serves browsers.

Only the newest message counts: a slow client gets fewer messages and never an old one, and nothing queues up. The
table's thread only stores a reference. The clients' loop builds each message once for all clients of a language, and
only if there is a client.
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
"""The kind of message with the lamps' colours, by the page's choice of colours."""


def message(kind: str, **fields: object) -> str:
    """Return a message of a kind, such as "lamps", with these fields as compact JSON."""
    return json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class _Slot:
    version: int
    before: int  # the version of the replaced message; 0 for none
    make: Callable[[], Message]
    made: dict[str, Message] = field(default_factory=dict)  # language -> message


class Feed:
    """The newest message of each kind, for all browsers.

    Any thread may call `put` and `drop`, one thread for each kind. Call everything else on the clients' loop.
    """

    def __init__(self) -> None:
        self._slots: dict[str, _Slot] = {}
        self._versions = count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Future[None] | None = None
        self._called = False

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Serve browsers on this event loop from now on."""
        self._news = loop.create_future()
        self._loop = loop

    def detach(self) -> None:
        """Stop waking browsers' tasks, because their event loop ends."""
        self._loop = None

    def put(self, kind: str, make: Callable[[], Message]) -> None:
        """Replace the message of a kind. `make` creates the new one when the first browser fetches it."""
        replaced = self._slots.get(kind)
        self._slots[kind] = _Slot(next(self._versions), 0 if replaced is None else replaced.version, make)
        loop = self._loop
        if loop is None or self._called:  # the scheduled call runs later and finds the slot
            return
        self._called = True
        try:
            loop.call_soon_threadsafe(self._notify)
        except RuntimeError:  # the loop has just been closed
            self._called = False

    def drop(self, kind: str) -> None:
        """Remove the message of a kind, so that no browser gets it any more.

        Only the thread that puts this kind may call this.
        """
        self._slots.pop(kind, None)

    def _notify(self) -> None:
        self._called = False
        if self._news is not None and self._loop is not None:
            self._news.set_result(None)
            self._news = self._loop.create_future()

    def next(self, seen: Mapping[str, int]) -> tuple[str, int, Message] | None:
        """Return the message that a browser has waited for longest, or None.

        Each call returns only one message, so a slow client always gets the newest message of the next kind. The
        message is in the caller's current language.

        Args:
            seen: the version of each kind that the client has received.

        Returns:
            Kind, version and message; None if the client has received everything.
        """
        due = [(_due_since(seen.get(kind, 0), slot), slot.version, kind, slot) for kind, slot in self._unseen(seen)]
        if not due:
            return None
        _, version, kind, slot = min(due, key=lambda one: one[:2])
        if language() not in slot.made:
            slot.made[language()] = slot.make()
        return kind, version, slot.made[language()]

    async def changed(self, seen: Mapping[str, int]) -> None:
        """Wait until there is a message that a browser has not received."""
        while self._news is not None and not self._unseen(seen):
            await asyncio.shield(self._news)

    def _unseen(self, seen: Mapping[str, int]) -> list[tuple[str, _Slot]]:
        # Copying is atomic, whatever another thread stores meanwhile.
        return [(kind, slot) for kind, slot in self._slots.copy().items() if slot.version > seen.get(kind, 0)]


def _due_since(had: int, slot: _Slot) -> int:
    """Return a rank for the messages of a kind: the kind with the lowest rank is sent to a browser first.

    The rank is the version of the newest message, or of the last one that the browser received if it has missed some.
    The rank is 0 if the browser has received none of this kind.
    """
    return slot.version if had and had >= slot.before else had
