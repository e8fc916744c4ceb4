"""Limit the connections to the server: how many, for how long, and what they may send.

So a client cannot slow down others by sending nothing, by never reading its answers, or by sending endlessly.

Uvicorn, hypercorn and granian offer no public interface for this; see docs/performance.md. So this module uses
internals of uvicorn (0.53 to 0.54) and websockets (14 to 17.4). `.ci/web-versions` tests the first and last of these
versions.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Collection, Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.server import ServerProtocol

from firmware_host.system.rate_limit import RateLimit
from firmware_host.web.transport.connection_limits import ArrivalLimit, CountLimit, order_limit
from firmware_host.web.transport.listening_sockets import UNSENT
from firmware_host.web.transport.security_headers import HEADERS

CONNECTIONS = CountLimit(most=256, of_one=32)
"""The limits on the number of connections."""

LONGEST = 30.0
"""Seconds after which a connection that fetches files ends. A browser then opens another.

Time in which the server makes it wait does not count.
"""

LINGER = 5.0
"""Seconds that a WebSocket closed by the server may take to end."""

STEPS = 4
"""How many frames and network deliveries are allowed per order of a page: two are usual."""

_MESSAGES = (Opcode.TEXT, Opcode.BINARY)
_TICKS = 10  # steps in which LONGEST is counted
_BREATH = 0.1  # seconds without accepting connections after the system refused one
_REST = 0.002  # seconds between a refused connection and the next, because accepting costs the table time in a rush


class FileConnection(H11Protocol):
    """A connection by which a browser fetches files."""

    _clock: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.access_log = False  # private, however the loggers are set
        self.opened_at = self.loop.time()
        self._ticks = 0

    @property
    def is_spare(self) -> bool:
        """Whether the connection may be closed to make room: no request waits for an answer from the server."""
        return self.cycle is None or self.cycle.more_body or self.cycle.response_started

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer that limits how long the connection may last."""
        super().connection_made(transport)
        self._tick()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer when the connection is lost."""
        self._stop_clock()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop the timer, because the connection becomes a WebSocket, which has no time limit."""
        self._stop_clock()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Answer that the data is not a valid request. If an earlier answer is being sent, only disconnect."""
        if self.conn.our_state is not h11.IDLE:
            self.transport.abort()
            return
        headers = {"content-type": "text/plain; charset=utf-8", "connection": "close", **HEADERS}
        answer = h11.Response(status_code=400, headers=list(headers.items()), reason=b"Bad Request")
        for event in (answer, h11.Data(data=msg.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _tick(self) -> None:
        self._ticks += self.is_spare
        if self._ticks > _TICKS:
            self.transport.abort()
        else:
            self._clock = self.loop.call_later(LONGEST / _TICKS, self._tick)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    _end: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.opened_at = self.loop.time()
        self._limit = order_limit(time.monotonic(), STEPS)
        self.conn: _Frames = _Frames(self._limit, max_size=self.config.ws_max_size, logger=self.logger)

    @property
    def is_spare(self) -> bool:
        """Whether the connection may be closed to make room: its client has sent nothing yet, or it is ending."""
        return not self.conn.has_spoken or self.conn.close_sent is not None or self.transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over as a WebSocket."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer that would close the connection, because it is lost."""
        super().connection_lost(exc)
        if self._end is not None:
            self._end.cancel()

    def data_received(self, data: bytes) -> None:
        """Receive data from the network. The first call contains the whole request for the WebSocket."""
        if not self._limit.take(time.monotonic()):
            self.transport.abort()
            return
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def handle_ping(self) -> None:
        """Answer a ping, or close the connection if its client does not read."""
        if self.transport.get_write_buffer_size() > UNSENT:
            self.transport.abort()
        else:
            super().handle_ping()

    async def run_asgi(self) -> None:
        """Serve the WebSocket. Then close the connection if its client neither reads nor closes it."""
        await super().run_asgi()
        if self in self.connections:
            self._end = self.loop.call_later(LINGER, self.transport.abort)


class _Frames(ServerProtocol):
    """The WebSocket protocol, limited to messages of one frame and to the rate that a page needs."""

    def __init__(self, limit: RateLimit, **options: Any) -> None:
        super().__init__(**options)
        self.debug = False  # debug logging would write headers and messages to the log, all of them secrets
        self._limit = limit
        self.has_spoken = False

    def send_response(self, response: Response) -> None:
        """Answer the request for a WebSocket, with the security headers."""
        for name, value in HEADERS.items():
            if name not in response.headers:
                response.headers[name] = value
        super().send_response(response)

    def recv_frame(self, frame: Frame) -> None:
        """Receive a frame. Any error that this raises closes the WebSocket with the error's code.

        Raises:
            ProtocolError: there are too many frames, or this one is a fragment, which pages never send.
            UnicodeDecodeError: the frame's content is not valid text.
        """
        if not self._limit.take(time.monotonic()):
            raise ProtocolError("messages come too fast; send fewer a second")
        if frame.opcode is Opcode.CONT or not frame.fin:
            raise ProtocolError("a message came in several frames; send each in one")
        if frame.opcode is Opcode.TEXT:
            str(frame.data, "utf-8")
        self.has_spoken |= frame.opcode in _MESSAGES
        super().recv_frame(frame)


async def accept_connections(
    listening: socket.socket, connections: Collection[Any], new: Callable[[], FileConnection]
) -> None:
    """Accept connections one at a time, without end, and let other tasks run in between.

    Args:
        listening: the listening socket; it does not block.
        connections: the open connections.
        new: creates the protocol that serves a new connection.
    """
    loop = asyncio.get_running_loop()
    arrivals = ArrivalLimit(loop.time)
    while True:
        try:
            way, (host, *_) = await loop.sock_accept(listening)
        except OSError:  # the client is gone already, or the limit of open files is reached
            await asyncio.sleep(_BREATH)
            continue
        if arrivals.exceeded_by(host) or not _make_room(host, connections):
            way.close()
            await asyncio.sleep(_REST)
        else:
            await loop.connect_accepted_socket(new, way)


def abort_all(connections: Iterable[Any]) -> None:
    """Close connections at once, even if data still waits in them."""
    for connection in list(connections):
        connection.transport.abort()


def _make_room(host: str, connections: Collection[FileConnection | WebSocketConnection]) -> bool:
    """Return whether this host may open another connection.

    If the limit for all hosts is reached, first close the oldest spare connection.
    """
    hosts = [other.client[0] if other.client else "" for other in connections]
    if CONNECTIONS.is_reached_by(host, hosts):
        return False
    if CONNECTIONS.is_reached(hosts):
        spare = min((other for other in connections if other.is_spare), key=lambda one: one.opened_at, default=None)
        if spare is None:
            return False
        spare.transport.abort()
    return True
