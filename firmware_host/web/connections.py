"""Connections to the server, bounded: how many there are, how long one may take, and how much waits in one.

Whoever opens them and says nothing, or asks and does not read, costs the others nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from firmware_host.web.hosts import is_loopback

MOST, MOST_OF_ONE = 256, 32
"""How many connections there may be, in all and from one address; this machine itself counts only in all."""

LONGEST = 30.0
"""Seconds after which a connection that fetches files ends, whatever it is doing: a browser opens another."""

LINGER = 5.0
"""Seconds that a WebSocket which was closed here may take to end."""

UNSENT = 32 * 1024
"""Bytes that the system may keep for a page that does not read; what is newer waits where it can still grow old."""


class Fetching(H11Protocol):
    """A connection over which files are fetched."""

    _ends: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.access_log = False  # nobody's business, however the loggers are set

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody calls."""
        super().connection_made(transport)
        if _is_too_many(self.client, self.connections):
            transport.abort()
        else:
            self._ends = self.loop.call_later(LONGEST, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._stay()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It becomes a WebSocket, and may stay."""
        self._stay()
        super().handle_websocket_upgrade(event)

    def _stay(self) -> None:
        if self._ends is not None:
            self._ends.cancel()


class Talking(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn.debug = False  # or it would write headers and messages to the log at level debug: all of them secrets

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is one from now on."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended, and nobody waits for it to take anything."""
        super().connection_lost(exc)
        self.writable.set()

    def pause_writing(self) -> None:
        """It takes nothing more for now. Uvicorn knows of that since 0.53 only; before, all would be kept for it."""
        self.writable.clear()

    def resume_writing(self) -> None:
        """It has taken everything."""
        self.writable.set()

    async def run_asgi(self) -> None:
        """Serve it; whoever then neither reads nor hangs up is cut off."""
        await super().run_asgi()
        self.loop.call_later(LINGER, self.transport.abort)


def cut_off(connections: Iterable[Any]) -> None:
    """End connections at once, whatever still waits in them."""
    for connection in list(connections):
        connection.transport.abort()


def _is_too_many(client: tuple[str, int] | None, connections: Iterable[Any]) -> bool:
    """Whether a new connection, which is among them already, is one too many."""
    hosts = [other.client[0] for other in connections if other.client]
    if client is None or is_loopback(client[0]):
        return len(hosts) > MOST
    return len(hosts) > MOST or hosts.count(client[0]) > MOST_OF_ONE
