"""Serve one page's WebSocket: the page says what it is, gets what it may see, and asks for what it may do."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.exceptions import WebSocketException

from firmware_host.system.boot_clock import boot_seconds
from firmware_host.system.language import gettext, in_language, language
from firmware_host.system.orders import BadOrder
from firmware_host.web.feeds import page_orders
from firmware_host.web.feeds.latest_feed import LAMPS, Feed, message
from firmware_host.web.feeds.page_orders import ByHand, Heard, PageHello
from firmware_host.web.transport.connection_limits import RATE, order_limit


class ClosedLine(Exception):
    """The line is closed, by whichever side."""


@contextmanager
def closing_as_one_error() -> Iterator[None]:
    """Raise `ClosedLine` for whatever is raised in the block because the WebSocket has closed.

    Starlette and uvicorn say it by a RuntimeError where they have closed the line themselves or told of it once.
    A TimeoutError is an OSError, and no less the end of a line.
    """
    try:
        yield
    except (WebSocketDisconnect, WebSocketException, OSError, RuntimeError):
        raise ClosedLine from None


_NEVER = sys.maxsize
"""The version of a message that a page has nothing to do with: no newer one will ever be."""

PATIENCE = 15.0
"""Seconds that a page may take to say what it is, or to take a message, before it is given up."""

BEAT = 1.0
"""Seconds between two beats on a WebSocket: a page that gets none knows that it has lost the table."""

LATE = 2.5
"""Seconds after a beat in which orders of a page are valid. A page that hears nothing for three closes the connection,
sooner where its timers were late before, and what is still under way on it must not happen."""

NOT_ALLOWED, FOREIGN, TOO_FAST, TOO_LATE, FULL = 4401, 4403, 4408, 4410, 4429
"""Close codes of a WebSocket: the page may not be what it says, is foreign, asks too fast, asked too long ago, or is
one too many."""

LONGEST_REASON = 120
"""Bytes that the reason may have for which a WebSocket is closed, in any language: it has room for 123."""

REFUSALS = 16
"""How many refusals may wait for a page to take them; older ones are dropped."""


class ServedTable(Protocol):
    """The orders that the table behind the pages takes. Called on the clients' loop; must return at once."""

    @property
    def pages(self) -> frozenset[str]:
        """Return the kinds of pages here.

        They are "spectator", "detective", "handset" where Mister X has a page, and "table" if it is simulated.
        """

    def ask(self, page: str, visitor: int, order: ByHand, refuse: Callable[[str], None]) -> None:
        """Hand over an order; `refuse` may be called later, from any thread, with the reason for a refusal."""

    def left(self, visitor: int) -> None:
        """Release whatever a page held, as the page is gone."""


class SessionEnded(Exception):
    """The session ends, for a reason that the page gets.

    Args:
        code: a close code such as `NOT_ALLOWED`.
        reason: a sentence for the person at the page, in the page's language; at most `LONGEST_REASON` bytes.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def receive_hello(socket: WebSocket) -> PageHello:
    """Receive what a page says that it is.

    Args:
        socket: its WebSocket, accepted.

    Raises:
        SessionEnded: its first message is another.
        TimeoutError: it sends nothing.
        ClosedLine: it closed without a message.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            return page_orders.hello(await _received(socket))
    except BadOrder:
        raise SessionEnded(NOT_ALLOWED, gettext("a page's first word is hello, and what it is")) from None


class WebSocketSession:
    """One page, from when it was let in to its last message.

    Args:
        socket: its WebSocket.
        number: identifies the page.
        hello: what it said that it is.
        feed: the messages for it.
        table: carries out what it asks for.
        check_right: raises SessionEnded if the page may not be what it is any more.
    """

    def __init__(
        self,
        socket: WebSocket,
        number: int,
        hello: PageHello,
        feed: Feed,
        table: ServedTable,
        check_right: Callable[[WebSocketSession], None],
    ) -> None:
        self.number, self.hello = number, hello
        self._socket, self._feed, self._table, self._check_right = socket, feed, table, check_right
        self._loop, self._language = asyncio.get_running_loop(), language()
        self._began = boot_seconds()  # an order that waited while the machine slept is too old
        self._heard = 0.0
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._refusals: deque[str] = deque(maxlen=REFUSALS)
        self._refused = asyncio.Event()

    def check(self) -> None:
        """End the session at once if the page may not be what it is any more; on the clients' loop, for any page."""
        try:
            with in_language(self._language):
                self._check_right(self)
        except SessionEnded as end:
            if not self._ended.done():
                self._ended.set_exception(end)

    async def serve(self) -> None:
        """Serve the page until it is gone.

        Raises:
            SessionEnded: the page has to go.
            ClosedLine: it closed during a message, or takes nothing.
        """
        doing = self._send_news(), self._send_refusals(), self._send_beats(), self._listen(), self._ended
        works = [asyncio.ensure_future(it) for it in doing]
        try:
            ended, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
            for work in ended:
                work.result()
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    async def _send_news(self) -> None:
        """Send everything new as fast as the page takes it; outdated messages are never sent."""
        seen = {kind: _NEVER for palette, kind in LAMPS.items() if palette != self.hello.palette}
        while True:
            await self._feed.changed(seen)
            due = self._feed.next(seen)
            self._check_right(self)  # once it was taken: another game may have come in between
            if due is not None:
                kind, seen[kind], news = due
                await self._send(news)

    async def _send_refusals(self) -> None:
        while True:
            await self._refused.wait()
            self._refused.clear()
            while self._refusals:
                await self._send(message("refused", text=self._refusals.popleft()))

    async def _send_beats(self) -> None:
        """Send a beat at fixed intervals to every page, whatever happens at the table."""
        while True:
            await asyncio.sleep(BEAT)
            await self._send(message("beat", at=round(self._age(), 3)))

    def _age(self) -> float:
        return boot_seconds() - self._began

    async def _send(self, said: str | bytes) -> None:
        socket = self._socket
        with closing_as_one_error():
            async with asyncio.timeout(PATIENCE):
                await (socket.send_bytes(said) if isinstance(said, bytes) else socket.send_text(said))
        await asyncio.sleep(0)  # a broken connection is noticed before anything else is written to it

    async def _listen(self) -> None:
        limit = order_limit(time.monotonic())
        with contextlib.suppress(ClosedLine):
            while True:
                said = await _received(self._socket)
                if not limit.take(time.monotonic()):
                    why = gettext("orders come too fast: at most {rate} a second", rate=round(RATE))
                    raise SessionEnded(TOO_FAST, why)
                self._check_right(self)
                self._take_order(said)

    def _take_order(self, said: str | bytes) -> None:
        try:
            order = page_orders.order(said)
        except BadOrder as error:
            self._refuse(str(error))
            return
        if isinstance(order, Heard):
            self._heard = order.at
        elif self._age() - self._heard > LATE:
            raise SessionEnded(TOO_LATE, gettext("what this page has asked for came too late"))
        else:
            self._table.ask(self.hello.page, self.number, order, self._refuse_from_thread)

    def _refuse_from_thread(self, why: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended
            self._loop.call_soon_threadsafe(self._refuse, why)

    def _refuse(self, why: str) -> None:
        self._refusals.append(why)
        self._refused.set()


async def _received(socket: WebSocket) -> str | bytes:
    with closing_as_one_error():
        event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise ClosedLine
    said: str | bytes | None = event.get("text")
    return bytes(event["bytes"]) if said is None else said
