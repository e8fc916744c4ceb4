"""All open pages: who is let in, how many, and who has to go."""

from __future__ import annotations

import asyncio
import contextlib
from itertools import count

from starlette.websockets import WebSocket, WebSocketDisconnect

from firmware_host.web.door import Door
from firmware_host.web.feed import Feed
from firmware_host.web.hosts import is_loopback
from firmware_host.web.visit import FOREIGN, FULL, NOT_ALLOWED, PATIENCE, GoodBye, Table, Visit

MOST, MOST_OF_ONE = 64, 16
"""How many pages may be open at once, in all and from one address; this machine itself counts only in all."""

SCAN = "Scan the code that the table's terminal shows now"
"""What the handset's page is told that has no session, and why."""


class Visitors:
    """All open pages.

    Args:
        door: who may be what.
        public: what everyone is sent.
        private: what only the handset is sent.
        table: what does what they ask for.
    """

    def __init__(self, door: Door, public: Feed, private: Feed, table: Table) -> None:
        self._door, self._public, self._private, self._table = door, public, private, table
        self._numbers = count(1)
        self._open: dict[Visit, str] = {}

    @property
    def open(self) -> dict[int, str]:
        """The pages that are open: number -> what it is, "" until it has said so."""
        return {visit.number: visit.page for visit in self._open}

    def check(self) -> None:
        """Another handset has taken over: the one before is told so, and is told nothing else any more."""
        for visit in list(self._open):
            visit.check()

    async def welcome(self, socket: WebSocket) -> None:
        """Serve one WebSocket until it is closed."""
        await socket.accept()
        visit = Visit(socket, next(self._numbers), self._table, lambda page: self._feed(page, socket))
        try:
            self._let_in(socket)
            self._open[visit] = _sender(socket)
            await visit.serve()
        except GoodBye as bye:
            await _close(socket, bye.code, bye.reason)
        except (WebSocketDisconnect, TimeoutError):
            pass  # gone, or so slow that it is as good as gone; the connection ends with this call
        finally:
            if self._open.pop(visit, None) is not None:
                self._table.left(visit.number)

    def _let_in(self, socket: WebSocket) -> None:
        if not self._door.knows_origin(socket.headers.get("origin"), socket.headers.get("host")):
            raise GoodBye(FOREIGN, "this table takes no orders from foreign pages")
        if self._holds_handset(socket):
            return  # no crowd keeps Mister X out
        sender = _sender(socket)
        mine = 0 if is_loopback(sender) else sum(sender == other for other in self._open.values())
        if len(self._open) >= MOST or mine >= MOST_OF_ONE:
            raise GoodBye(FULL, "too many pages are open; close one")

    def _feed(self, page: str, socket: WebSocket) -> Feed:
        """What a page of that kind is sent.

        Raises:
            GoodBye: it may not be that, or not any more.
        """
        if page not in self._table.pages:
            raise GoodBye(NOT_ALLOWED, "there is no such page at this table")
        if page != "handset":
            return self._public
        if not self._holds_handset(socket):
            raise GoodBye(NOT_ALLOWED, f"{SCAN}: this is not, or no longer, Mister X's handset")
        return self._private

    def _holds_handset(self, socket: WebSocket) -> bool:
        return self._door.holds_handset(socket.cookies.get(self._door.cookie))


def _sender(socket: WebSocket) -> str:
    """Where a WebSocket was opened; "" if that is not known."""
    return "" if socket.client is None else socket.client.host


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await socket.close(code, reason)
