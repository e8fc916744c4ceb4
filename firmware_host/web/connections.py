"""Connections to the server, bounded: how many there are, how long one may take, and how much comes and waits in one.

Whoever opens them and says nothing, asks and does not read, or talks without end, costs the others nothing.

Uvicorn has public ways for less than that, so this goes into what is uvicorn's own, and websockets' (0.53 to 0.54 and
14 to 17.4; `.ci/web-versions` tries both ends).
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

from firmware_host.web.connection_limit import Rush, Seats
from firmware_host.web.pages import HEADERS
from firmware_host.web.rate_limit import Pace

SEATS = Seats(most=256, of_one=32)
"""How many connections there may be."""

LONGEST = 30.0
"""Seconds after which a connection that fetches files ends: a browser opens another. While it is we who make it wait,
they do not count."""

LINGER = 5.0
"""Seconds that a WebSocket which was closed here may take to end."""

UNSENT = 32 * 1024
"""Bytes that the system may keep for a page that does not read; what is newer waits where it can still grow old."""

STEPS = 4
"""How many frames and deliveries of the network there may be for each order that a page may send: two are usual."""

_MESSAGES = (Opcode.TEXT, Opcode.BINARY)
_TICKS = 10  # in which LONGEST is counted
_BREATH = 0.1  # seconds until connections are let in again after the system would not have one more
_REST = 0.002  # seconds until another is looked at after one was refused: in a rush that is what costs the table


class Fetching(H11Protocol):
    """A connection over which files are fetched."""

    _clock: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.access_log = False  # nobody's business, however the loggers are set
        self.came = self.loop.time()
        self._ticks = 0

    @property
    def is_spare(self) -> bool:
        """Whether the other side is to ask, to go on asking, or to take the answer."""
        return self.cycle is None or self.cycle.more_body or self.cycle.response_started

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody calls."""
        super().connection_made(transport)
        self._tick()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._stay()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It becomes a WebSocket, and may stay."""
        self._stay()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """What came is no request: say so, unless an answer to an earlier one is on its way."""
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

    def _stay(self) -> None:
        if self._clock is not None:
            self._clock.cancel()


class Talking(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    _end: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.came = self.loop.time()
        self._pace = Pace(time.monotonic, STEPS)
        self.conn: _Frames = _Frames(self._pace, max_size=self.config.ws_max_size, logger=self.logger)

    @property
    def is_spare(self) -> bool:
        """Whether it has said nothing yet, or is ending anyhow."""
        return not self.conn.has_spoken or self.conn.close_sent is not None or self.transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is one from now on."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        super().connection_lost(exc)
        if self._end is not None:
            self._end.cancel()

    def data_received(self, data: bytes) -> None:
        """The network has delivered something. The first delivery is all of the request that opens the line."""
        if not self._pace.allows():
            self.transport.abort()
            return
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def handle_ping(self) -> None:
        """It wants to hear something; whoever does not listen is cut off."""
        if self.transport.get_write_buffer_size() > UNSENT:
            self.transport.abort()
        else:
            super().handle_ping()

    async def run_asgi(self) -> None:
        """Serve it; whoever then neither reads nor hangs up is cut off."""
        await super().run_asgi()
        if self in self.connections:
            self._end = self.loop.call_later(LINGER, self.transport.abort)


class _Frames(ServerProtocol):
    """What comes over a WebSocket: messages in one piece, texts that are such, and no more than a page has to say."""

    def __init__(self, pace: Pace, **told: Any) -> None:
        super().__init__(**told)
        self.debug = False  # or it would write headers and messages to the log at level debug: all of them secrets
        self._pace = pace
        self.has_spoken = False

    def send_response(self, response: Response) -> None:
        """Answer the request for a WebSocket."""
        for name, value in HEADERS.items():
            if name not in response.headers:
                response.headers[name] = value
        super().send_response(response)

    def recv_frame(self, frame: Frame) -> None:
        """Take a frame; what is raised here ends the line with the code for it.

        Raises:
            ProtocolError: there are too many, or it is a piece of a message: what pages say needs no pieces.
            UnicodeDecodeError: it is no text.
        """
        if not self._pace.allows():
            raise ProtocolError("too fast")
        if frame.opcode is Opcode.CONT or not frame.fin:
            raise ProtocolError("a message in pieces")
        if frame.opcode is Opcode.TEXT:
            str(frame.data, "utf-8")
        self.has_spoken |= frame.opcode in _MESSAGES
        super().recv_frame(frame)


async def let_in(listening: socket.socket, connections: Collection[Any], new: Callable[[], Fetching]) -> None:
    """Let connections in, for ever, one at a time; what else there is to do is done in between.

    Args:
        listening: where they come; it does not block.
        connections: those that are open.
        new: makes what serves another one.
    """
    loop = asyncio.get_running_loop()
    rush = Rush(loop.time)
    while True:
        try:
            way, (host, *_) = await loop.sock_accept(listening)
        except OSError:  # it is gone already, or no more files may be open
            await asyncio.sleep(_BREATH)
            continue
        if rush.is_made_by(host) or not _has_seat(host, connections):
            way.close()
            await asyncio.sleep(_REST)
        else:
            await loop.connect_accepted_socket(new, way)


def cut_off(connections: Iterable[Any]) -> None:
    """End connections at once, whatever still waits in them."""
    for connection in list(connections):
        connection.transport.abort()


def _has_seat(host: str, connections: Collection[Fetching | Talking]) -> bool:
    """Whether a new connection may be had; for it the oldest ends that nothing is done for, if all seats are taken."""
    hosts = [other.client[0] if other.client else "" for other in connections]
    if SEATS.are_taken_by(host, hosts):
        return False
    if SEATS.are_taken(hosts):
        spare = min((other for other in connections if other.is_spare), key=lambda one: one.came, default=None)
        if spare is None:
            return False
        spare.transport.abort()
    return True
