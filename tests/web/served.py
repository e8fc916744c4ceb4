"""Pages of an idle table, and functions that send requests to their server."""

from __future__ import annotations

import http.client
import json
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from firmware_host.web.feeds import websocket_session
from firmware_host.web.feeds.page_orders import PageOrderQueue, UserOrder
from firmware_host.web.server import Server

PATIENCE = 60.0
"""Real seconds that any step may take."""


class Clock:
    """A clock that advances only when a test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Idle:
    """A table that records its orders and does nothing. Implements `ServedTable`."""

    pages = frozenset(("table", "handset", "detective", "spectator"))

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, UserOrder]] = []
        self.gone: list[int] = []
        self.answer: str | None = None

    def ask(self, page: str, visitor: int, order: UserOrder, refuse: Callable[[str], None]) -> None:
        self.asked.append((page, visitor, order))
        if self.answer is not None:
            refuse(self.answer)

    def disconnect(self, visitor: int) -> None:
        self.gone.append(visitor)


class Served:
    """A running server, and its table."""

    def __init__(self, server: Server, table: Any) -> None:
        self.server, self.table = server, table
        self.port = server.port
        self.host = f"127.0.0.1:{self.port}"
        self.home = f"http://{self.host}"

    def fetch(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str | None
    ) -> tuple[int, dict[str, str], str]:
        """Return an answer: its status, its headers and its body. A header that is None is not sent."""
        said = {"host": self.host, **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in said.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.putheader("content-length", str(len((body or "").encode())))
            connection.endheaders((body or "").encode())
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, told, answer.read().decode()
        finally:
            connection.close()

    def knock(self, token: str, **headers: str | None) -> tuple[int, dict[str, str], str]:
        """Return the answer to a token that is sent for the first time."""
        return self.ask_again(token, secrets.token_urlsafe(16), **headers)

    def ask_again(self, token: str, nonce: str, **headers: str | None) -> tuple[int, dict[str, str], str]:
        """Return the answer to a token that was sent with that nonce before."""
        said = json.dumps({"token": token, "nonce": nonce})
        return self.fetch("/handset/session", "POST", said, **{"origin": self.home, **headers})

    def session(self) -> str:
        """Return a newly opened session."""
        status, _, body = self.knock(self.server.handset_token.new_token())
        assert status == 200, body
        return str(json.loads(body)["session"])

    @contextmanager
    def line(self, host: str = "", **told: Any) -> Iterator[ClientConnection]:
        """Open a WebSocket as this server's own pages do, or as a page of another host."""
        known = {"origin": self.home, "open_timeout": PATIENCE, **told}
        with (
            socket.create_connection(("127.0.0.1", self.port)) as way,
            connect(f"ws://{host or self.host}/ws", sock=way, **known) as line,
        ):
            yield line

    @contextmanager
    def page(self, kind: str, session: str | None = None, **told: Any) -> Iterator[ClientConnection]:
        """Open a WebSocket and send the kind of its page."""
        with self.line(**told) as line:
            line.send(json.dumps({"do": "hello", "page": kind, "session": session}))
            yield line


@contextmanager
def served(host: str = "127.0.0.1", port: int = 0, table: Idle | PageOrderQueue | None = None) -> Iterator[Served]:
    """Run a server within the `with`."""
    table = table or Idle()
    server = Server(host, port, table)
    with pytest.MonkeyPatch.context() as patient:
        patient.setattr(websocket_session, "LATE", PATIENCE)  # lines of tests tell of no beat that they have heard it
        try:
            server.start()
            yield Served(server, table)
        finally:
            server.stop()


def put(served: Served, kind: str, *, private: bool = False, **fields: Any) -> None:
    """Put a message of the table into a feed."""
    feed = served.server.private if private else served.server.public
    feed.put(kind, lambda: json.dumps({"kind": kind, **fields}))


def hear(line: ClientConnection, kind: str) -> Any:
    """Return the next message of a kind, and skip frames of lamps, which are bytes."""
    end = time.monotonic() + PATIENCE
    while True:
        said = line.recv(timeout=max(0.0, end - time.monotonic()))
        message = json.loads(said) if isinstance(said, str) else {"kind": "lamps"}
        if message["kind"] == kind:
            return message


def send_together(line: ClientConnection, *said: str) -> None:
    """Send messages in one piece, so that all are on their way before the other end can answer the first."""
    with line.protocol_mutex:
        for message in said:
            line.protocol.send_text(message.encode())
        line.socket.sendall(b"".join(line.protocol.data_to_send()))


def _hear_all(line: ClientConnection) -> None:
    end = time.monotonic() + PATIENCE  # for all together: a line that stays open goes on beating
    while True:
        line.recv(timeout=max(0.0, end - time.monotonic()))


def farewell(line: ClientConnection) -> tuple[int, str]:
    """Return the code and the reason with which the other end closes a line."""
    with pytest.raises(ConnectionClosed) as closed:
        _hear_all(line)
    said = closed.value.rcvd
    assert said is not None, "it was not closed, but broken off"
    return said.code, said.reason
