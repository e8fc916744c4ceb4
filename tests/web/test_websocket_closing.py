"""A WebSocket that closes, at whatever moment and however that is told, is a closed line and no mistake of ours."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK, InvalidState

from firmware_host.web.feeds import websocket_session
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.seats.detective_seats import DetectiveSeats
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.sessions import Sessions
from firmware_host.web.transport.host_names import AllowedHosts
from tests.waiting import until
from tests.web.served import Idle, put, served
from tests.web.test_connections import frame, line

WAYS: list[Callable[[], Exception]] = [
    OSError,
    ConnectionResetError,
    TimeoutError,
    lambda: RuntimeError("Unexpected ASGI message 'websocket.send', after sending 'websocket.close'."),
    lambda: WebSocketDisconnect(1006),
    lambda: ConnectionClosedError(None, None),
    lambda: ConnectionClosedOK(None, None),
    lambda: InvalidState("connection is CLOSING"),
]
"""How the libraries say that a line is closed."""

HOST = "127.0.0.1:8199"


class Line:
    """The server's side of a WebSocket that closes when something is done over it for the n-th time."""

    def __init__(self, says: str, closes: str, at: int, how: Callable[[], Exception]) -> None:
        self._says, self._closes, self._at, self._how = says, closes, at, how
        self._received = 0
        self._never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sent: list[str] = []

    async def receive(self) -> dict[str, Any]:
        self._received += 1
        if self._closes == "receive" and self._received == self._at:
            raise self._how()
        match self._received:
            case 1:
                return {"type": "websocket.connect"}
            case 2:
                return {"type": "websocket.receive", "text": self._says}
        await self._never
        raise AssertionError

    async def send(self, message: Any) -> None:
        self.sent.append(message["type"])
        if self._closes == "send" and len(self.sent) >= self._at:
            raise self._how()

    def socket(self) -> WebSocket:
        headers = [(b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode())]
        scope = {"type": "websocket", "headers": headers, "client": ("127.0.0.1", 7), "path": "/ws"}
        return WebSocket(scope, self.receive, self.send)


async def _welcomed(says: str, closes: str, at: int, how: Callable[[], Exception]) -> tuple[Line, Idle, Sessions]:
    table, public = Idle(), Feed()
    public.attach(asyncio.get_running_loop())
    for kind in ("scene", "board", "games"):
        public.put(kind, lambda: "{}")
    token, seats = HandsetToken(time.monotonic), DetectiveSeats(table, Feed(), lambda: None)
    pages = Sessions(AllowedHosts({"localhost"}), token, public, Feed(), table, seats)
    line = Line(says, closes, at, how)
    await pages.welcome(line.socket())
    return line, table, pages


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize(("closes", "at"), [("send", 1), ("send", 2), ("send", 4), ("receive", 2), ("receive", 3)])
def test_however_a_line_closes_its_page_is_gone_without_a_word(
    how: Callable[[], Exception], closes: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_session, "SOCKET_TICK", 0.0)
    hello = json.dumps({"do": "hello", "page": "spectator"})
    _, table, pages = asyncio.run(_welcomed(hello, closes, at, how))
    assert pages.open == {}
    assert table.gone == ([] if at < 3 and (closes, at) != ("send", 2) else [1])


@pytest.mark.parametrize("how", WAYS)
def test_a_page_that_has_to_go_may_be_gone_already(how: Callable[[], Exception]) -> None:
    line, table, _ = asyncio.run(_welcomed('{"do": "dance"}', "send", 2, how))
    assert line.sent == ["websocket.accept", "websocket.close"]
    assert table.gone == []


@pytest.mark.parametrize("last", [frame(1, b'{"do":', last=False), frame(1, b"\xff"), frame(8), b"\xff" * 9, b""])
def test_lines_that_close_while_much_is_sent_leave_nothing_in_the_log(
    last: bytes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_session, "SOCKET_TICK", 0.0005)
    with served() as table, caplog.at_level(logging.DEBUG):
        for _ in range(10):
            way = line(table)
            way.sendall(frame(1, b'{"do": "hello", "page": "spectator"}'))
            until(lambda: table.server.sessions.open, "a page")
            for number in range(20):
                put(table, f"kind {number}", text="x" * 5000)
            way.sendall(last)
            way.close()
            until(lambda: not table.server.sessions.open, "its end")
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
