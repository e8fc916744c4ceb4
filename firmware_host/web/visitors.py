"""One page's WebSocket: it says what it is, gets what it may see, and asks for what it may do."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from itertools import count
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from firmware_host.web import orders
from firmware_host.web.door import COOKIE, Door
from firmware_host.web.feed import Feed
from firmware_host.web.orders import BadOrder, ByHand

PATIENCE = 15.0
"""Seconds that a page may take to say what it is, or to take a message, before it is given up."""

FOREIGN, NOT_ALLOWED, FULL = 4403, 4401, 4429
"""Why a WebSocket was closed: a foreign page, one that may not be what it says, or too many of them."""

MOST = 64
"""How many pages may be open at once."""


class Table(Protocol):
    """What can be asked of the table behind the pages. Called in the clients' loop; must return at once."""

    @property
    def pages(self) -> frozenset[str]:
        """What a page can be here: "spectator", and "table" and "handset" where it is a simulated one."""

    def ask(self, page: str, visitor: int, order: ByHand, refuse: Callable[[str], None]) -> None:
        """Hand an order over; `refuse` may be called later, from any thread, with the reason why not."""

    def left(self, visitor: int) -> None:
        """A page is gone: whatever it held is let go."""


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
        self.open: dict[int, str] = {}

    async def welcome(self, socket: WebSocket) -> None:
        """Serve one WebSocket until it is closed."""
        await socket.accept()
        if not self._door.knows_origin(socket.headers.get("origin"), socket.headers.get("host")):
            await socket.close(FOREIGN, "this table takes no orders from foreign pages")
            return
        if len(self.open) >= MOST:
            await socket.close(FULL, "too many pages are open; close one")
            return
        visitor = next(self._numbers)
        self.open[visitor] = ""
        try:
            await self._serve(socket, visitor)
        except (WebSocketDisconnect, TimeoutError):
            pass  # gone, or so slow that it is as good as gone
        finally:
            del self.open[visitor]
            self._table.left(visitor)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.close()

    async def _serve(self, socket: WebSocket, visitor: int) -> None:
        try:
            page = orders.hello(await asyncio.wait_for(_received(socket), PATIENCE)).page
        except BadOrder as error:
            await socket.close(NOT_ALLOWED, str(error)[:120])
            return
        if not self._may_be(page, socket):
            await socket.close(NOT_ALLOWED, "no such page at this table, or not without its token")
            return
        self.open[visitor] = page
        feed = self._private if page == "handset" else self._public
        both = [
            asyncio.create_task(self._send(socket, feed, page)),
            asyncio.create_task(self._listen(socket, visitor, page)),
        ]
        try:
            ended, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)

    def _may_be(self, page: str, socket: WebSocket) -> bool:
        if page not in self._table.pages:
            return False
        return page != "handset" or self._door.holds_handset(socket.cookies.get(COOKIE))

    async def _send(self, socket: WebSocket, feed: Feed, page: str) -> None:
        """All that is new, as fast as it is taken; what grew old meanwhile is never sent."""
        seen: dict[str, int] = {}
        while True:
            await feed.changed(seen)
            for kind, version, message in feed.newer(seen):
                seen[kind] = version
                if page == "handset" and not self._may_be(page, socket):
                    await socket.close(NOT_ALLOWED, "another handset took over")
                    return
                send = socket.send_bytes(message) if isinstance(message, bytes) else socket.send_text(message)
                await asyncio.wait_for(send, PATIENCE)

    async def _listen(self, socket: WebSocket, visitor: int, page: str) -> None:
        loop = asyncio.get_running_loop()

        def refuse(why: str) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended
                loop.call_soon_threadsafe(lambda: asyncio.ensure_future(_refuse(socket, why)))

        while True:
            try:
                message = await _received(socket)
            except WebSocketDisconnect:
                return
            try:
                order = orders.order(message)
            except BadOrder as error:
                await _refuse(socket, str(error))
                continue
            if page == "spectator":
                await _refuse(socket, "a spectator looks on")
            elif page == "handset" and not self._may_be(page, socket):
                await socket.close(NOT_ALLOWED, "another handset took over")
                return
            else:
                self._table.ask(page, visitor, order, refuse)


async def _received(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    said: str | bytes | None = message.get("text")
    return bytes(message["bytes"]) if said is None else said


async def _refuse(socket: WebSocket, why: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await asyncio.wait_for(socket.send_text(json.dumps({"kind": "refused", "text": why})), PATIENCE)
