"""Manage all open pages: let them in, limit how many there are, and close those that lose their right."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from itertools import count

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from firmware_host.system.language import gettext, gettext_noop
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.page_orders import PageHello
from firmware_host.web.feeds.websocket_session import (
    FOREIGN,
    FULL,
    NOT_ALLOWED,
    PATIENCE,
    ClosedLine,
    ServedTable,
    SessionEnded,
    WebSocketSession,
    closing_as_one_error,
    receive_hello,
)
from firmware_host.web.seats.detective_seats import PAGE, SESSION, DetectiveSeats
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.owner_access import OwnerAccess
from firmware_host.web.transport import host_names
from firmware_host.web.transport.connection_limits import CountLimit
from firmware_host.web.transport.host_names import AllowedHosts

PAGES = CountLimit(most=64, of_one=16)
"""The limits on the number of open pages."""

OUTSIDE = gettext_noop("Mister X's screen opens from inside this house alone")
"""The message for a request for the handset from an internet address."""

OWNER_OUTSIDE = gettext_noop("The owner's page opens from inside this house alone")
"""The message for a request for the owner's page from an internet address."""

LOGGED_OUT = gettext_noop("This page is logged out; log in again")
"""The message for an owner's page whose session has ended."""

ELSEWHERE = gettext_noop("Mister X's handset is open in another page now. Not yours? Then scan a new code")
"""The message for a handset page whose session another page uses."""

NO_SEAT = gettext_noop("This page does not have Mister X's seat, or has lost it")
"""The message for an order or a request that only the page with Mister X's seat may send."""


class Sessions:
    """All open pages of one table.

    Args:
        hosts: knows which pages are this table's own.
        token: knows who has the handset.
        public: the messages for everyone.
        private: the messages for the handset alone.
        table: carries out the pages' orders.
        detectives: manages the phones of the detectives' players.
        owner: knows the owner's sessions, if the owner has pages.
    """

    def __init__(
        self,
        hosts: AllowedHosts,
        token: HandsetToken,
        public: Feed,
        private: Feed,
        table: ServedTable,
        detectives: DetectiveSeats,
        owner: OwnerAccess | None = None,
    ) -> None:
        self._hosts, self._token, self._table, self._detectives = hosts, token, table, detectives
        self._owner = owner
        self._public, self._private = public, private
        self._numbers = count(1)
        self._open: dict[WebSocketSession, str] = {}
        self._handset: WebSocketSession | None = None

    @property
    def open(self) -> dict[int, str]:
        """The open pages: their number -> their kind."""
        return {visit.number: visit.hello.page for visit in tuple(self._open)}  # any thread may ask

    @property
    def handset_left(self) -> bool:
        """Whether the page that has the handset was open and is closed now, or has not returned after a restart."""
        last = self._handset
        if last is None:
            return self._token.is_restored
        return last is not None and last not in self._open and self._token.holds_handset(last.hello.session)

    def has_seat(self, visitor: int) -> bool:
        """Return whether a page has Mister X's seat, even if it is closed. Any thread may call it."""
        last = self._handset
        return last is not None and last.number == visitor and self._token.holds_handset(last.hello.session)

    def check(self) -> None:
        """Close the pages that have lost their right, such as a handset page that another page has replaced."""
        for visit in list(self._open):
            visit.check()

    async def welcome(self, socket: WebSocket) -> None:
        """Serve a WebSocket until it is closed."""
        await serve_socket(socket, self._hosts, lambda: self._serve(socket))

    async def _serve(self, socket: WebSocket) -> None:
        hello = await receive_hello(socket)
        table = self._detectives if hello.page == PAGE else self._table
        visit = WebSocketSession(
            socket, next(self._numbers), hello, self._let_in(hello, socket), table, self._check_right
        )
        self._open[visit] = sender(socket)
        if hello.page == PAGE:
            self._detectives.connect(visit.number, hello.session or "")
        try:
            if hello.page == "handset":
                self._handset = visit
                self.check()
            await visit.serve()
        finally:
            del self._open[visit]
            table.disconnect(visit.number)

    def _let_in(self, hello: PageHello, socket: WebSocket) -> Feed:
        """Return the messages for a page, after checking that it may have them.

        Raises:
            SessionEnded: the page is not allowed to be of its kind, or too many pages are open.
        """
        if hello.page not in self._table.pages:
            raise SessionEnded(NOT_ALLOWED, gettext("there is no such page at this table"))
        if hello.page == "handset":  # never refused because of too many pages
            if not is_from_home(socket):
                raise SessionEnded(NOT_ALLOWED, gettext(OUTSIDE))
            self._check_session(hello)
            return self._private
        if hello.page == "owner":
            if not is_from_home(socket):
                raise SessionEnded(NOT_ALLOWED, gettext(OWNER_OUTSIDE))
            self._check_owner(hello)
            return self._public  # the owner is never refused because of too many pages, either
        if hello.page == PAGE and not SESSION.fullmatch(hello.session or ""):
            raise SessionEnded(NOT_ALLOWED, gettext("load this page again"))
        others = list(self._open.values())
        if PAGES.is_reached(others) or PAGES.is_reached_by(sender(socket), others):
            raise SessionEnded(FULL, gettext("too many pages are open; close one"))
        return self._public

    def _check_right(self, visit: WebSocketSession) -> None:
        """Raise SessionEnded if a page has lost its right to stay open.

        A handset's page loses it when another page opens with the same session, or when the session ends. An owner's
        page loses it when its session ends.
        """
        if visit.hello.page == "handset":
            self._check_session(visit.hello)
            if visit is not self._handset:
                raise SessionEnded(NOT_ALLOWED, gettext(ELSEWHERE))
        elif visit.hello.page == "owner":
            self._check_owner(visit.hello)

    def _check_owner(self, hello: PageHello) -> None:
        if self._owner is None or not self._owner.is_owner(hello.session):
            raise SessionEnded(NOT_ALLOWED, gettext(LOGGED_OUT))

    def _check_session(self, hello: PageHello) -> None:
        if not self._token.holds_handset(hello.session):
            raise SessionEnded(NOT_ALLOWED, gettext(self._token.terms.no_session))


async def serve_socket(socket: WebSocket, hosts: AllowedHosts, serve: Callable[[], Awaitable[None]]) -> None:
    """Accept a WebSocket from one of this table's own pages, and serve it until it is closed.

    Args:
        socket: the new WebSocket.
        hosts: knows which pages are this table's own.
        serve: serves the WebSocket; may raise SessionEnded, ClosedLine or TimeoutError.
    """
    try:
        with closing_as_one_error():
            await socket.accept()
        _check_origin(socket, hosts)
        await serve()
    except SessionEnded as end:
        await _close(socket, end.code, end.reason)
    except (ClosedLine, TimeoutError):
        pass  # gone or too slow; the connection ends with this call


def _check_origin(socket: WebSocket, hosts: AllowedHosts) -> None:
    if not hosts.knows_origin(socket.headers.get("origin"), socket.headers.get("host")):
        raise SessionEnded(FOREIGN, gettext("this table takes no orders from foreign pages"))


def is_from_home(asked: HTTPConnection) -> bool:
    """Return whether a request or a WebSocket comes from a device in the same home network."""
    here: tuple[str, int] | None = asked.scope.get("server")
    return asked.client is not None and here is not None and host_names.is_at_home(asked.client.host, here[0])


def sender(asked: HTTPConnection) -> str:
    """Return the address that a request or a WebSocket comes from, or "" if it is unknown."""
    return "" if asked.client is None else asked.client.host


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(ClosedLine), closing_as_one_error():
        async with asyncio.timeout(PATIENCE):
            await socket.close(code, reason)
