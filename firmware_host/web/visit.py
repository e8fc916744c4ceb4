"""One page's WebSocket: it says what it is, gets what it may see, and asks for what it may do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from firmware_host.web import orders
from firmware_host.web.feed import Feed
from firmware_host.web.orders import BadOrder, ByHand
from firmware_host.web.pace import RATE, Pace

PATIENCE = 15.0
"""Seconds that a page may take to say what it is, or to take a message, before it is given up."""

NOT_ALLOWED, FOREIGN, TOO_FAST, FULL = 4401, 4403, 4408, 4429
"""Why a WebSocket was closed: the page may not be what it says, is a foreign one, asks too fast, or is one too many."""

REFUSALS = 16
"""How many refusals may wait for a page to take them; what it is told then are the newest."""


class Table(Protocol):
    """What can be asked of the table behind the pages. Called in the clients' loop; must return at once."""

    @property
    def pages(self) -> frozenset[str]:
        """What a page can be here: "spectator", and "table" and "handset" where it is a simulated one."""

    def ask(self, page: str, visitor: int, order: ByHand, refuse: Callable[[str], None]) -> None:
        """Hand an order over; `refuse` may be called later, from any thread, with the reason why not."""

    def left(self, visitor: int) -> None:
        """A page is gone: whatever it held is let go."""


class GoodBye(Exception):
    """The visit ends, for a reason that the page is told.

    Args:
        code: one of those above.
        reason: a sentence for whoever looks at the page; at most 120 bytes.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Visit:
    """One page, from its first word to its last.

    Args:
        socket: its WebSocket, accepted.
        number: tells it from all others.
        table: what does what it asks for.
        admit: gives the feed for a kind of page; raises GoodBye if this one may not be that, or not any more.
    """

    def __init__(self, socket: WebSocket, number: int, table: Table, admit: Callable[[str], Feed]) -> None:
        self.number = number
        self.page = ""
        self._socket, self._table, self._admit = socket, table, admit
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._refusals: deque[str] = deque(maxlen=REFUSALS)
        self._refused = asyncio.Event()

    def check(self) -> None:
        """End the visit at once if the page may not be what it is any more."""
        try:
            if self.page:
                self._admit(self.page)
        except GoodBye as bye:
            if not self._ended.done():
                self._ended.set_exception(bye)

    async def serve(self) -> None:
        """Until the page is gone.

        Raises:
            GoodBye: it has to go.
            TimeoutError: it says nothing, or takes nothing.
            WebSocketDisconnect: it went while it was sent something.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                page = orders.hello(await self._received()).page
        except BadOrder:
            raise GoodBye(NOT_ALLOWED, "a page's first word is hello, and what it is") from None
        feed = self._admit(page)
        self.page = page
        works = [asyncio.ensure_future(it) for it in (self._tell(feed), self._answer(), self._listen(), self._ended)]
        try:
            ended, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
            for work in ended:
                work.result()
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    async def _tell(self, feed: Feed) -> None:
        """All that is new, as fast as it is taken; what grew old meanwhile is never sent."""
        seen: dict[str, int] = {}
        while True:
            await feed.changed(seen)
            self._admit(self.page)
            if (due := feed.next(seen)) is not None:
                kind, seen[kind], message = due
                await self._send(message)

    async def _answer(self) -> None:
        while True:
            await self._refused.wait()
            self._refused.clear()
            while self._refusals:
                await self._send(json.dumps({"kind": "refused", "text": self._refusals.popleft()}))

    async def _send(self, message: str | bytes) -> None:
        socket = self._socket
        async with asyncio.timeout(PATIENCE):
            await (socket.send_bytes(message) if isinstance(message, bytes) else socket.send_text(message))

    async def _listen(self) -> None:
        pace = Pace(time.monotonic)
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await self._received()
                if not pace.allows():
                    raise GoodBye(TOO_FAST, f"orders come too fast: at most {RATE:.0f} a second")
                self._admit(self.page)
                self._take(message)

    def _take(self, message: str | bytes) -> None:
        try:
            order = orders.order(message)
        except BadOrder as error:
            self._refuse(str(error))
            return
        if self.page == "spectator":
            self._refuse("a spectator looks on")
        else:
            self._table.ask(self.page, self.number, order, self._refuse_from_afar)

    def _refuse_from_afar(self, why: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended
            self._loop.call_soon_threadsafe(self._refuse, why)

    def _refuse(self, why: str) -> None:
        self._refusals.append(why)
        self._refused.set()

    async def _received(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        said: str | bytes | None = message.get("text")
        return bytes(message["bytes"]) if said is None else said
