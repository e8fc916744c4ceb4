"""Connections that mean no good: floods of frames and of connections, garbage, and silence. The table stays quiet."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.responses import Response

from firmware_host.web.feeds import websocket_session
from firmware_host.web.seats import seat_requests
from firmware_host.web.transport import connection_limits, connections
from firmware_host.web.transport.connection_limits import ArrivalLimit, CountLimit
from firmware_host.web.transport.security_headers import HEADERS
from tests.waiting import until
from tests.web.served import PATIENCE, Served, hear, put, served

TEXT, PING, PONG, CONT = 1, 9, 10, 0
POST = b"POST /handset/session HTTP/1.1\r\n{host}transfer-encoding: chunked\r\n\r\n"


@pytest.fixture
def table() -> Iterator[Served]:
    with served() as opened:
        yield opened


def frame(kind: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """A frame as a page sends it."""
    assert len(data) < 126
    return bytes([kind | (0x80 if last else 0), 0x80 | len(data), 0, 0, 0, 0]) + data


def upgrade(table: Served, path: str = "/ws", **other: str | None) -> bytes:
    """The request for a WebSocket; headers can be changed or, with None, left out."""
    headers: dict[str, str | None] = {
        "host": table.host, "origin": table.home, "connection": "Upgrade", "upgrade": "websocket",
        "sec-websocket-version": "13", "sec-websocket-key": "MDEyMzQ1Njc4OWFiY2RlZg==",
        **{name.replace("_", "-"): value for name, value in other.items()},
    }  # fmt: skip
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode("latin-1")


def knock(table: Served) -> socket.socket:
    """A connection that has said nothing."""
    way = socket.socket()
    way.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    way.settimeout(PATIENCE)
    way.connect(("127.0.0.1", table.port))
    return way


def line(table: Served) -> socket.socket:
    """A spectator's WebSocket, without anything that would read it."""
    way = knock(table)
    way.sendall(upgrade(table))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += way.recv(1)
    way.sendall(frame(TEXT, b'{"do":"hello","page":"spectator"}'))
    until(lambda: "spectator" in table.server.sessions.open.values(), "the page to come")
    return way


def rest(way: socket.socket) -> bytes:
    """All that comes until the other side ends the connection."""
    said = b""
    try:
        while more := way.recv(65536):
            said += more
    except ConnectionError:
        pass
    return said


def flood(table: Served, way: socket.socket, said: bytes) -> None:
    """Say something again and again without reading, until the page is gone."""
    way.setblocking(False)

    def gone() -> bool:
        try:
            way.send(said)
        except BlockingIOError:
            pass
        except ConnectionError:
            return True
        return not table.server.sessions.open

    until(gone, "it to be cut off")


# ---- too much in one ----


@pytest.mark.parametrize("kind", [PING, PONG, TEXT])
def test_a_page_that_talks_without_end_is_cut_off(table: Served, kind: int) -> None:
    with line(table) as way:
        flood(table, way, frame(kind, b"x" * 125) * 100)
    until(lambda: not table.server._server.server_state.connections, "it to be forgotten")


def test_frames_are_counted_however_many_come_at_once(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = connections.ServerProtocol.recv_frame

    def counted(self: Any, frame_: Any) -> None:
        taken.append(1)
        take(self, frame_)

    monkeypatch.setattr(connections.ServerProtocol, "recv_frame", counted)
    with line(table) as way:
        flood(table, way, frame(PONG) * 20_000)
    assert len(taken) < 10_000


def test_messages_in_pieces_are_not_gathered(table: Served) -> None:
    with line(table) as way:
        way.sendall(frame(TEXT, b"", last=False) + frame(CONT, b"", last=False))
        assert struct.pack("!H", 1002) in rest(way)


def test_whoever_asks_to_hear_something_and_does_not_listen_is_cut_off(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_session, "PATIENCE", 1e6)
    monkeypatch.setattr(connections, "UNSENT", 1000)
    with line(table) as way:
        (connection,) = table.server._server.server_state.connections

        def is_full() -> bool:
            put(table, "scene", filler="x" * 100_000)
            return connection.transport.get_write_buffer_size() > 1000  # type: ignore[union-attr]

        until(is_full, "something to wait for it")
        way.sendall(frame(PING))
        until(lambda: not table.server._server.server_state.connections, "it to be cut off")


def test_a_page_may_send_as_many_orders_as_it_is_allowed_to(table: Served) -> None:
    with table.page("table") as page:
        for _ in range(480):
            page.send('{"do":"shake"}')
        until(lambda: len(table.table.asked) == 480, "all of them")


# ---- too many ----


def test_when_all_seats_are_taken_the_oldest_that_has_said_nothing_makes_room(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS", CountLimit(4, 4))
    put(table, "scene")
    with ExitStack() as opened:
        page = opened.enter_context(table.page("spectator"))
        hear(page, "scene")
        silent = [opened.enter_context(knock(table)) for _ in range(3)]
        until(lambda: len(table.server._server.server_state.connections) == 4, "four connections")
        assert table.fetch("/handset")[0] == 200
        assert rest(silent[0]) == b"", "the oldest has made room"
        put(table, "scene", n=2)
        assert hear(page, "scene")["n"] == 2, "a page that is open has not"
        silent[2].sendall(f"GET / HTTP/1.1\r\nhost: {table.host}\r\nconnection: close\r\n\r\n".encode())
        assert rest(silent[2]).startswith(b"HTTP/1.1 200"), "nor has the newest"


def test_lines_over_which_no_page_has_come_make_room_too(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS", CountLimit(2, 2))
    with ExitStack() as opened:
        for _ in range(2):
            way = opened.enter_context(knock(table))
            way.sendall(upgrade(table))
            assert way.recv(12) == b"HTTP/1.1 101"
        assert table.fetch("/handset")[0] == 200


def test_an_address_that_opens_connections_without_end_is_refused_and_comes_in_again_later(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "ARRIVALS", 0)
    with knock(table) as way:
        assert rest(way) == b""
    monkeypatch.undo()
    assert table.fetch("/")[0] == 200


def test_a_rush_is_counted_by_the_second_and_the_address() -> None:
    now = [0.0]
    arrivals = ArrivalLimit(lambda: now[0])
    most = connection_limits.ARRIVALS
    assert [arrivals.exceeded_by("a") for _ in range(most + 1)] == [False] * most + [True]
    assert not arrivals.exceeded_by("b")
    now[0] = 1.0
    assert not arrivals.exceeded_by("a")


def test_connections_are_let_in_again_after_the_system_had_none_to_give(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def accept(_: socket.socket) -> Any:
        refused.set()
        raise OSError(24, os.strerror(24))

    refused = threading.Event()
    with monkeypatch.context() as patch:
        patch.setattr(socket.socket, "accept", accept)
        way = knock(table)
        assert refused.wait(PATIENCE)
    way.close()
    assert table.fetch("/")[0] == 200


# ---- how long one may take ----


def test_while_an_answer_is_worked_out_the_clock_of_its_connection_stands_still(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "LONGEST", 0.1)

    async def slow(*_: object) -> Response:
        with knock(table) as other:  # as old as this request
            await asyncio.to_thread(rest, other)
        return Response("after all")

    monkeypatch.setattr(seat_requests, "_session", slow)
    assert table.knock("x")[2] == "after all"


# ---- the log ----


RUBBISH = [
    frame(TEXT, b"\xff"), frame(TEXT, b"\xff") + frame(8), frame(3, b"?"), frame(8, b"\0"), b"\x01\x01",
    frame(CONT), frame(TEXT, b"hello", last=False), frame(8) + frame(TEXT, b"\xff"),
]  # fmt: skip
"""What is said over a WebSocket, and is none of its frames."""

GARBAGE = [
    POST + b"5\r\nhello\r\nno number\r\n",
    POST + b"400\r\n" + 1024 * b"x" + b"\0",
    b"GET / HTTP/1.1\r\n{host}\r\n\0\0\r\n\r\n",
]
"""What comes after a request, and is none."""


def test_nothing_that_a_page_says_is_written_to_the_log(table: Served, caplog: pytest.LogCaptureFixture) -> None:
    for said in RUBBISH:
        with line(table) as way:
            way.sendall(said)
            rest(way)
        until(lambda: not table.server.sessions.open, "the page to be gone")
    home = f"host: {table.host}\r\norigin: {table.home}\r\n".encode()
    for said in GARBAGE:
        with knock(table) as way:
            way.sendall(said.replace(b"{host}", home))
            rest(way)
    until(lambda: not table.server._server.server_state.connections, "all to be forgotten")
    table.server.stop()
    assert caplog.records == []


def refusals(table: Served) -> list[tuple[int, bytes]]:
    """What is no request, or none that can be granted, and with what it is refused."""
    host = f"host: {table.host}\r\n".encode()
    return [
        (400, b"\0\xff\r\n\r\n"), (400, b"GET / HTTP/1.1\r\n\r\n"), (400, b"BREW\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\n" + host + b"x" * 70_000), (400, b"POST / HTTP/1.1\r\ntransfer-encoding: x\r\n\r\n"),
        (200, b"GET / HTTP/1.1\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n" + host + b"\r\n"),
        (403, upgrade(table, "/elsewhere")), (400, upgrade(table, sec_websocket_key=None)),
        (400, upgrade(table, sec_websocket_key="short")), (400, upgrade(table, sec_websocket_version="1")),
    ]  # fmt: skip


def test_every_refusal_carries_the_strict_headers_and_none_is_written_to_the_log(
    table: Served, caplog: pytest.LogCaptureFixture
) -> None:
    for status, said in refusals(table):
        with knock(table) as way:
            way.sendall(said)
            answer = rest(way)
        head = answer.partition(b"\r\n\r\n")[0].decode().lower().split("\r\n")
        assert head[0].split()[1] == str(status), said
        told = {name: value for name, _, value in (field.partition(": ") for field in head[1:])}
        for name, value in HEADERS.items():
            assert name == "cache-control" or told[name] == value.lower()
    table.server.stop()
    assert caplog.records == []


def test_a_request_of_too_many_headers_ends_instead_of_staying_for_ever(table: Served) -> None:
    with knock(table) as way:
        way.sendall(upgrade(table, **{f"x-{n}": "y" for n in range(300)}))
        rest(way)
    until(lambda: not table.server._server.server_state.connections, "it to be forgotten")


def test_a_mistake_of_our_own_is_written_to_the_log_once(
    table: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def mistake(*_: object) -> Response:
        raise ZeroDivisionError

    def another(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr(seat_requests, "_session", mistake)
    for _ in range(3):
        assert table.knock("x")[0] == 500
    monkeypatch.setattr(connections.WebSocketConnection, "handle_ping", another)
    for _ in range(3):
        with line(table) as way:
            way.sendall(frame(PING))
            rest(way)
        until(lambda: not table.server.sessions.open, "the page to be gone")
    table.server.stop()
    kinds = [record.exc_info and record.exc_info[0] for record in caplog.records]
    assert kinds == [ZeroDivisionError, LookupError]
    assert all(record.levelno == logging.ERROR for record in caplog.records)


# ---- the table's thread ----
