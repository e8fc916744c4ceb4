"""The server: pages and WebSockets on a thread of their own, beside the table's."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time

import uvicorn

from firmware_host.web.boards import Boards
from firmware_host.web.door import Door
from firmware_host.web.feed import Feed
from firmware_host.web.onlookers import Onlookers
from firmware_host.web.pages import application
from firmware_host.web.visitors import Table, Visitors

STARTING = 10.0
"""Seconds in which the server must be up."""


class CannotServe(OSError):
    """The pages cannot be served here: the port is taken, the address is none of this machine's, and such."""


class Server:
    """The pages of one table, served from `start` until `stop`.

    Args:
        host: the address to listen on; the loopback one keeps the table to this machine.
        port: the port; 0 for any that is free.
        table: what does what the pages ask for.

    Raises:
        CannotServe: it cannot listen there.
    """

    def __init__(self, host: str, port: int, table: Table) -> None:
        self._socket = _listening(host, port)
        self.host, self.port = host, self._socket.getsockname()[1]
        self.public, self.private = Feed(), Feed()
        self.boards = Boards()
        self.door = Door(host, self.port, time.monotonic)
        self.onlookers = Onlookers(self.public, self.boards)
        self.visitors = Visitors(self.door, self.public, self.private, table)
        app = application(self.door, self.boards, self.visitors, table)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_config=None,
                log_level="warning",
                access_log=False,
                lifespan="off",
                ws="websockets-sansio",
                ws_max_size=8192,
                ws_per_message_deflate=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="web", daemon=True)

    @property
    def url(self) -> str:
        """Where the pages are, for a browser on this machine."""
        name = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - compared, not bound
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/"

    def start(self) -> None:
        """Serve; returns when pages can be fetched.

        Raises:
            CannotServe: it does not come up.
        """
        self._thread.start()
        ends = time.monotonic() + STARTING
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > ends:
                raise CannotServe(f"web: the server at {self.url} does not start")
            time.sleep(0.005)

    def stop(self) -> None:
        """End all connections and let go of the port. May be called twice."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(5)
        self._socket.close()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        for feed in (self.public, self.private):
            feed.attach(loop)
        with contextlib.suppress(asyncio.CancelledError):
            await self._server.serve(sockets=[self._socket])
        for feed in (self.public, self.private):
            feed.detach()


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, reuse_port=False
        )
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else "a port is a number from 0 to 65535"
        raise CannotServe(f"web: cannot listen on {host}, port {port}: {why}") from None
