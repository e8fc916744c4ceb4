"""Serve the WebSocket of one page: receive its kind and its orders, and send it messages."""

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
from firmware_host.web.feeds.page_orders import Alive, PageHello, UserOrder
from firmware_host.web.transport.connection_limits import RATE, order_limit


class ClosedLine(Exception):
    """The error that a WebSocket is closed, by either side."""


@contextmanager
def closing_as_one_error() -> Iterator[None]:
    """Raise `ClosedLine` for any error within the `with` that a closed WebSocket causes.

    Starlette and uvicorn raise RuntimeError if they closed the WebSocket themselves, or have reported its end before. A
    TimeoutError is an OSError, and also means that the WebSocket is closed.
    """
    try:
        yield
    except (WebSocketDisconnect, WebSocketException, OSError, RuntimeError):
        raise ClosedLine from None


_NEVER = sys.maxsize
"""The version of a message that a page never gets, because no newer version can exist."""

PATIENCE = 15.0
"""Seconds that a page may take to send its `PageHello`, or to accept a message, before it is dropped."""

SOCKET_TICK = 1.0
"""Seconds between two ticks on a WebSocket. A page that gets none knows that it has lost the table."""

LATE = 2.5
"""Seconds after a tick in which a page's orders are valid.

A page closes its connection after three seconds without a tick, sooner if its timers were late before. The orders still
under way on it must not be carried out.
"""

NOT_ALLOWED, FOREIGN, TOO_FAST, TOO_LATE, FULL = 4401, 4403, 4408, 4410, 4429
"""Close codes of a WebSocket: not allowed, foreign page, orders too fast, order too late, page limit."""

LONGEST_REASON = 120
"""Maximum bytes of the reason for closing a WebSocket, in any language. The protocol allows 123."""

REFUSALS = 16
"""How many refusals may wait for a page to take them; older ones are dropped."""


class ServedTable(Protocol):
    """The interface by which the pages' server sends orders to the table. Its methods must return at once."""

    @property
    def pages(self) -> frozenset[str]:
        """The kinds of pages that this table has.

        Always "spectator" and "detective", except in a lesson, which has only its own page. Also "handset" if Mister X
        has a page, "owner" if the owner has one, and "table" if the table is simulated.
        """

    def ask(self, page: str, visitor: int, order: UserOrder, refuse: Callable[[str], None]) -> None:
        """Pass an order on to the table. To refuse it, the table calls `refuse` with a reason, on any thread."""

    def disconnect(self, visitor: int) -> None:
        """Release everything that a page held, such as a key or a pawn, because the page has closed."""


class SessionEnded(Exception):
    """The error that ends the session of a page.

    The page shows the reason. After `TOO_FAST` and `TOO_LATE` it only connects again.

    Args:
        code: a close code such as `NOT_ALLOWED`.
        reason: a sentence for the person at the page, in the page's language; at most `LONGEST_REASON` bytes.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def receive_hello(socket: WebSocket) -> PageHello:
    """Receive a page's first message, which says its kind.

    Args:
        socket: the page's WebSocket, accepted.

    Raises:
        SessionEnded: the first message is not a valid one.
        TimeoutError: the page sends nothing.
        ClosedLine: the page closed without a message.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            return page_orders.hello(await _received(socket))
    except BadOrder:
        raise SessionEnded(NOT_ALLOWED, gettext("a page must first say hello and what it is")) from None


class WebSocketSession:
    """The session of one page, from its first message to its last.

    Args:
        socket: the page's WebSocket.
        number: identifies the page.
        hello: the page's first message.
        feed: the messages for the page.
        table: carries out the page's orders.
        check_right: raises SessionEnded if the page has lost its right.
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
        self._answered_at = 0.0
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._refusals: deque[str] = deque(maxlen=REFUSALS)
        self._refused = asyncio.Event()

    def check(self) -> None:
        """End the session now if the page has lost its right. Call this on the browsers' loop."""
        try:
            with in_language(self._language):
                self._check_right(self)
        except SessionEnded as end:
            if not self._ended.done():
                self._ended.set_exception(end)

    async def serve(self) -> None:
        """Serve the page until its session ends.

        Raises:
            SessionEnded: the table ends the session; the error has the reason.
            ClosedLine: the page closes the WebSocket, or accepts no more messages.
        """
        doing = self._send_news(), self._send_refusals(), self._send_ticks(), self._listen(), self._ended
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
        """Send each new message as fast as the page can receive it, unless a newer one has replaced it."""
        seen = {kind: _NEVER for palette, kind in LAMPS.items() if palette != self.hello.palette}
        while True:
            await self._feed.changed(seen)
            due = self._feed.next(seen)
            self._check_right(self)  # after it was taken, as another game may have started meanwhile
            if due is not None:
                kind, seen[kind], news = due
                await self._send(news)

    async def _send_refusals(self) -> None:
        while True:
            await self._refused.wait()
            self._refused.clear()
            while self._refusals:
                await self._send(message("refused", text=self._refusals.popleft()))

    async def _send_ticks(self) -> None:
        """Send the page a tick at fixed intervals, independent of events at the table."""
        while True:
            await asyncio.sleep(SOCKET_TICK)
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
        if isinstance(order, Alive):
            self._answered_at = order.at
        elif self._age() - self._answered_at > LATE:
            raise SessionEnded(TOO_LATE, gettext("the request of this page came too late"))
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
