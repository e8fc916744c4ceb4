"""Run the web server for the table's pages on a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import uvicorn
from starlette.routing import BaseRoute

from firmware_host.system.boot_clock import boot_seconds
from firmware_host.web.feeds.board_outline import BoardCache
from firmware_host.web.feeds.latest_feed import Feed, message
from firmware_host.web.feeds.page_orders import AT_REAL_BOARD, LONGEST, PageOrderQueue
from firmware_host.web.feeds.spectator_feed import SpectatorFeed
from firmware_host.web.feeds.websocket_session import ServedTable
from firmware_host.web.pages.game_pages import ArchivedGames, announcement, routes
from firmware_host.web.pages.page_routes import application, metrics_route
from firmware_host.web.pages.tutorial import LessonTables, tutorial_routes
from firmware_host.web.seats.detective_seats import DetectiveSeats
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.owner_routes import OwnerDesk, owner_routes
from firmware_host.web.seats.sessions import Sessions
from firmware_host.web.transport.connections import FileConnection, WebSocketConnection, abort_all, accept_connections
from firmware_host.web.transport.host_names import AllowedHosts, own_names
from firmware_host.web.transport.listening_sockets import CannotServe, ListeningSockets
from firmware_host.web.transport.server_error_log import LEVEL, log_errors_once

STARTING = 10.0
"""Seconds within which the server must have started."""

ENDING = 0.5
"""Seconds that clients have to close their connections when the server stops."""

TURN = 0.001
"""Seconds after which a thread yields to a waiting one. Python's 0.005 would last a whole scan."""


class Server:
    """The web server for one table's pages, from `start` to `stop`.

    Args:
        host: the address to listen on; with the loopback address only this machine can open the pages.
        port: the port; 0 for any free one.
        table: carries out the pages' orders.
        games: the table's finished games, if they can be viewed.
        token: gives Mister X's handset to pages; by default one for a simulated table.
        practice: opens a practice table for each lesson, if lessons are offered.
        names: further names by which browsers open the pages, besides this machine's own.
        owner: carries out the requests of the owner's pages, if there are any.
        metrics: returns the table's metrics in Prometheus's text format, if they are served.

    Raises:
        CannotServe: the server cannot listen at this address.
    """

    def __init__(
        self,
        host: str,
        port: int,
        table: ServedTable,
        games: ArchivedGames | None = None,
        token: HandsetToken | None = None,
        practice: LessonTables | None = None,
        names: Sequence[str] = (),
        owner: OwnerDesk | None = None,
        metrics: Callable[[], bytes] | None = None,
    ) -> None:
        self._sockets = ListeningSockets(host, port)
        self.port = self._sockets.port
        self.public, self.private = Feed(), Feed()
        self.boards = BoardCache()
        hosts = AllowedHosts(own_names(host), names)
        self.handset_token = token or HandsetToken(boot_seconds)
        self.spectators = SpectatorFeed(self.public, self.boards, self.private)
        self.detectives = DetectiveSeats(table, self.public, lambda: self.spectators.scene)
        self.sessions = Sessions(
            hosts, self.handset_token, self.public, self.private, table, self.detectives,
            None if owner is None else owner.access,
        )  # fmt: skip
        self._games = games
        self._last_progress = 0.0
        further: list[BaseRoute] = [] if games is None else [*routes(games, hosts)]
        if metrics is not None:
            further.append(metrics_route(metrics))
        if practice is not None:
            further += tutorial_routes(hosts, self.boards, practice)
        if owner is not None:
            further += owner_routes(hosts, owner, self.sessions.check)
        self._server = uvicorn.Server(
            uvicorn.Config(
                application(hosts, self.handset_token, self.boards, self.sessions, table, further, self._sockets),
                http=FileConnection,
                ws=WebSocketConnection,
                log_config=None,
                log_level=LEVEL,
                access_log=False,
                lifespan="off",
                proxy_headers=False,  # a client could use them to fake its address
                server_header=False,
                ws_max_size=LONGEST,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="web", daemon=True)

    @property
    def url(self) -> str:
        """The address of the pages for a browser on this machine."""
        return self._sockets.url

    @property
    def address(self) -> str:
        """The address of the pages for every machine that can reach them."""
        return self._sockets.address

    @property
    def is_alone(self) -> bool:
        """Whether only this machine can reach the pages."""
        return self._sockets.is_alone

    def late(self) -> float:
        """Return the seconds since the server's thread last made progress. Any thread may call it.

        A running server makes progress ten times a second.
        """
        return time.monotonic() - self._last_progress

    def announce_games(self) -> None:
        """Notify the pages that the list of finished games may have changed. Any thread may call it."""
        if self._games is not None:
            for feed in (self.public, self.private):
                feed.put("games", partial(announcement, self._games))

    def start(self) -> None:
        """Start the server, and wait until pages can be fetched.

        Raises:
            CannotServe: the server does not start.
        """
        self._last_progress = time.monotonic()
        self._thread.start()
        ends = time.monotonic() + STARTING
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > ends:
                raise CannotServe(f"web: the server at {self.url} does not start within {STARTING:g} s; see the log")
            time.sleep(0.005)

    def stop(self) -> None:
        """Close all connections and the port, and stop all analyses of games. This may be called twice."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(5)
        self._sockets.close()
        if self._games is not None:
            self._games.close()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        for feed in (self.public, self.private):
            feed.attach(loop)
        tasks = [asyncio.create_task(work) for work in (self._accept(), self._abort_at_end())]
        with log_errors_once(), _short_turns(), contextlib.suppress(asyncio.CancelledError):
            await self._server.serve(sockets=[])
        for task in tasks:
            task.cancel()
        for feed in (self.public, self.private):
            feed.detach()

    async def _accept(self) -> None:
        config, state = self._server.config, self._server.server_state

        async def accept(listening: socket.socket) -> None:
            await accept_connections(listening, state.connections, lambda: FileConnection(config, state, {}))

        await self._sockets.serve(accept)

    async def _abort_at_end(self) -> None:
        """Wait until the server stops, then close the connections that browsers have left open."""
        while not self._server.should_exit:
            self._last_progress = time.monotonic()
            await asyncio.sleep(0.1)
        await asyncio.sleep(ENDING)
        abort_all(self._server.server_state.connections)


@contextlib.contextmanager
def _short_turns() -> Iterator[None]:
    """Switch threads more often within the `with`, because the server's thread runs beside the table's.

    This setting applies to the whole Python process, so a process may have only one server.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def serve_spectators(
    host: str,
    port: int,
    devices: Sequence[str],
    games: ArchivedGames | None = None,
    table: ServedTable | None = None,
    token: HandsetToken | None = None,
    *,
    names: Sequence[str] = (),
    owner: OwnerDesk | None = None,
    metrics: Callable[[], bytes] | None = None,
) -> Server:
    """Start the server for the spectators' pages of a real table, and for its finished games.

    Args:
        host: the address to listen on.
        port: the port.
        devices: the table's devices.
        games: the table's finished games, if they are saved.
        table: takes the orders from Mister X's and the owner's pages, if there are any.
        token: gives Mister X's seat to a page.
        names: further names by which browsers open the pages, besides this machine's own.
        owner: carries out the requests of the owner's pages, if there are any.
        metrics: returns the table's metrics, if they are served.

    Raises:
        CannotServe: the server cannot start at this address.
    """
    orders = table or PageOrderQueue(AT_REAL_BOARD)
    server = Server(host, port, orders, games, token, names=names, owner=owner, metrics=metrics)
    said = message("table", simulated=False, devices=list(devices))
    server.public.put("table", lambda: said)
    try:
        server.start()
    except CannotServe:
        server.stop()
        raise
    return server
