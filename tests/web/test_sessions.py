"""Many pages at once: slow ones, silent ones, too many, and those that ask too fast."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from firmware_host.web.feeds import websocket_session
from firmware_host.web.feeds.latest_feed import LAMPS, message
from firmware_host.web.feeds.page_orders import (
    AT_REAL_BOARD,
    AT_SIMULATED_TABLE,
    WITH_MR_X_PHONE,
    KeyOrder,
    PageOrderQueue,
    Rights,
)
from firmware_host.web.feeds.websocket_session import FULL, NOT_ALLOWED, TOO_FAST, TOO_LATE
from firmware_host.web.seats import sessions
from firmware_host.web.transport import connection_limits, connections
from firmware_host.web.transport.connection_limits import BURST, RATE, CountLimit, order_limit
from tests.waiting import until
from tests.web.served import PATIENCE, Served, farewell, hear, put, send_together, served


@pytest.fixture
def table() -> Iterator[Served]:
    with served() as opened:
        yield opened


def deaf(table: Served, page: str = "spectator") -> socket.socket:
    """The way of a page that has said what it is, and reads nothing from then on."""
    way = socket.socket()
    way.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
    way.settimeout(PATIENCE)
    way.connect(("127.0.0.1", table.port))
    shake = [
        "GET /ws HTTP/1.1", f"Host: {table.host}", f"Origin: {table.home}", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==", "", "",
    ]  # fmt: skip
    way.sendall("\r\n".join(shake).encode())
    shaken = b""
    while not shaken.endswith(b"\r\n\r\n"):
        shaken += way.recv(1)
    hello = json.dumps({"do": "hello", "page": page}).encode()
    way.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    return way


# ---- what one page does to another ----


def test_a_page_that_does_not_read_delays_nobody_and_costs_little(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_session, "PATIENCE", 1e6)
    filler = "x" * 20_000
    with deaf(table), table.page("spectator") as reader:
        for n in range(100):
            put(table, "scene", n=n, filler=filler)
            until(lambda n=n: hear(reader, "scene")["n"] == n, "the newest scene")  # type: ignore[misc]
        waiting = [
            connection.transport.get_write_buffer_size()  # type: ignore[union-attr]
            for connection in table.server._server.server_state.connections
        ]
        assert max(waiting) <= len(filler) + 1000, "one message waits, however many have come since"


def test_a_page_that_is_slow_gets_the_newest_once_it_reads(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_session, "PATIENCE", 1e6)
    filler, last = "x" * 20_000, 200
    with deaf(table) as slow, table.page("spectator") as reader:
        for n in range(last + 1):
            put(table, "scene", n=n, filler=filler)
            until(lambda n=n: hear(reader, "scene")["n"] == n, "the newest scene")  # type: ignore[misc]
        read = b""
        while f'"n": {last}'.encode() not in read:
            more = slow.recv(65536)
            assert more, "the line was closed"
            read += more
        assert read.count(b'"kind"') < last / 4, "what grew old meanwhile was never sent"


def test_a_page_is_sent_the_lamps_in_the_colours_that_it_wants_and_in_no_others(table: Served) -> None:
    with table.line() as usual, table.line() as blind:
        usual.send(json.dumps({"do": "hello", "page": "spectator"}))
        blind.send(json.dumps({"do": "hello", "page": "spectator", "palette": "colour-blind"}))
        until(lambda: len(table.server.sessions.open) == 2, "both pages to come")
        for n in range(3):
            for palette, kind in LAMPS.items():
                table.server.public.put(kind, lambda palette=palette, n=n: f"{palette} {n}".encode())  # type: ignore[misc]
            told = [hear_bytes(line) for line in (usual, blind)]
            assert told == [f"usual {n}".encode(), f"colour-blind {n}".encode()]


def hear_bytes(line: ClientConnection) -> bytes:
    """The next message of bytes."""
    while True:
        said = line.recv(PATIENCE)
        if isinstance(said, bytes):
            return said


def test_a_page_that_does_not_read_is_given_up(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LINGER", 0.1)
    with deaf(table):
        until(lambda: list(table.server.sessions.open.values()) == ["spectator"], "the page to come")
        monkeypatch.setattr(websocket_session, "PATIENCE", 0.3)  # not before: it has as long to say what it is

        def full() -> bool:
            put(table, "scene", filler="x" * 100_000)
            return not table.server.sessions.open

        until(full, "it to be given up")
        until(lambda: not table.server._server.server_state.connections, "its connection to end")
    assert len(table.table.gone) == 1


def test_a_page_that_does_not_say_what_it_is_is_given_up(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_session, "PATIENCE", 0.2)
    put(table, "scene")
    with table.line() as line, pytest.raises(ConnectionClosed):
        line.recv(timeout=PATIENCE)
    until(lambda: not table.server._server.server_state.connections, "its connection to end")


NO_PAGES = [
    '{"do":"shake"}', "hello", "", "[]", '{"do":"hello"}', '{"do":"hello","page":"god"}',
    *(json.dumps({"do": "hello", "page": "spectator", "palette": one}) for one in ("pink", "", 1, None, ["usual"])),
]  # fmt: skip


def test_a_page_that_is_none_or_wants_colours_that_there_are_not_is_sent_away(table: Served) -> None:
    for first in NO_PAGES:
        with table.line() as line:
            line.send(first)
            assert farewell(line)[0] == NOT_ALLOWED, first


def test_a_message_that_is_too_long_is_not_even_read(table: Served) -> None:
    with table.page("table") as line:
        line.send("x" * 10_000)
        assert farewell(line)[0] == 1009
    assert table.table.asked == []


# ---- what pages ask for ----


def test_orders_reach_the_table_with_who_asked_and_refusals_come_back(table: Served) -> None:
    table.table.answer = "not today"
    with table.page("table") as page, table.page("table") as other:
        page.send('{"do":"key","key":"table.taxi","down":true}')
        assert hear(page, "refused")["text"] == "not today"
        other.send('{"do":"key","key":"table.bus","down":true}')
        assert hear(other, "refused")["text"] == "not today"
    (kind, one, first), (_, two, second) = table.table.asked
    assert (kind, first, second) == ("table", KeyOrder("table.taxi", down=True), KeyOrder("table.bus", down=True))
    assert one != two
    until(lambda: sorted(table.table.gone) == sorted((one, two)), "the table to hear that they are gone")


def test_a_refusal_is_said_as_all_messages_are(table: Served) -> None:
    table.table.answer = "Größe"
    with table.page("table") as page:
        page.send('{"do":"shake"}')
        while '"refused"' not in (said := str(page.recv(timeout=PATIENCE))):
            pass
        assert said == message("refused", text="Größe")


@pytest.mark.parametrize("rights", [AT_SIMULATED_TABLE, AT_REAL_BOARD, WITH_MR_X_PHONE], ids=len)
def test_a_spectator_asks_for_nothing(rights: Rights) -> None:
    queue = PageOrderQueue(rights)
    with served(table=queue) as table, table.page("spectator") as page:
        page.send('{"do":"shake"}')
        assert "looks on" in hear(page, "refused")["text"]
    assert [*queue.orders()] == []


def test_orders_that_come_too_fast_end_the_line(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "RATE", 0.001)
    with table.page("table") as page:
        for _ in range(int(BURST) + 1):
            page.send('{"do":"drag","pawn":"red","x":0.5,"y":0.5}')
        code, reason = farewell(page)
    assert (code, "too fast" in reason) == (TOO_FAST, True)
    assert len(table.table.asked) == BURST


def test_every_page_hears_the_table_though_nothing_happens(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_session, "SOCKET_TICK", 0.05)
    for kind, session in (("table", None), ("spectator", None), ("handset", table.session())):
        with table.page(kind, session) as page:
            first, second = hear(page, "beat"), hear(page, "beat")
            assert first.keys() == second.keys() == {"kind", "at"}
            assert 0 < first["at"] < second["at"]


class Watch:
    """The clock of visits, which goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The clock by which lines grow old from now on; they have many beats a second of real time."""
    stands = Watch()
    monkeypatch.setattr(websocket_session, "boot_seconds", stands)
    monkeypatch.setattr(websocket_session, "SOCKET_TICK", 0.01)
    return stands


def test_an_order_that_was_held_up_on_its_way_is_not_done_and_ends_the_line(table: Served, watch: Watch) -> None:
    with table.page("table") as page:
        assert hear(page, "beat")["at"] == 0
        watch.now = websocket_session.LATE + 0.1
        # As if they had been sent at once, long ago: after the first there may be no line any more.
        send_together(
            page, '{"do":"key","key":"table.confirm","down":true}', '{"do":"key","key":"table.taxi","down":true}'
        )
        assert farewell(page)[0] == TOO_LATE
    assert table.table.asked == []
    assert len(table.table.gone) == 1, "what it held is let go"


def test_a_page_that_hears_the_table_is_heard(table: Served, watch: Watch) -> None:
    with table.page("table") as page:
        hear(page, "beat")
        watch.now = websocket_session.LATE + 0.1
        while (at := hear(page, "beat")["at"]) <= websocket_session.LATE:
            pass
        page.send(json.dumps({"do": "heard", "at": at}))
        page.send('{"do":"key","key":"table.confirm","down":true}')
        until(lambda: table.table.asked, "the key")


def test_a_pawn_may_be_dragged_at_every_frame_for_ever() -> None:
    limit = order_limit(0.0)
    assert all(limit.take(frame / RATE) for frame in range(10_000))


def test_nobody_can_save_up_more_than_a_burst() -> None:
    limit = order_limit(0.0)
    assert [limit.take(1e6) for _ in range(int(BURST) + 1)] == [True] * int(BURST) + [False]


# ---- too many ----


def test_of_too_many_pages_the_last_is_sent_away_until_one_leaves(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "PAGES", CountLimit(2, 2))
    put(table, "scene")
    with table.page("spectator") as one:
        hear(one, "scene")
        with table.page("spectator") as two:
            hear(two, "scene")
            with table.page("spectator") as three:
                assert farewell(three)[0] == FULL
        until(lambda: len(table.server.sessions.open) == 1, "the second to leave")
        with table.page("spectator") as four:
            hear(four, "scene")


def test_one_address_may_have_some_pages_and_no_crowd_keeps_mister_x_out(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "PAGES", CountLimit(64, 1))
    monkeypatch.setattr(connection_limits, "is_loopback", lambda _: False)
    put(table, "scene")
    put(table, "handset", private=True)
    with table.page("spectator") as one:
        hear(one, "scene")
        with table.page("spectator") as two:
            assert farewell(two)[0] == FULL
        with table.page("handset", table.session()) as handset:
            hear(handset, "handset")


def test_connections_are_counted_before_they_say_a_word(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS", CountLimit(256, 3))
    monkeypatch.setattr(connection_limits, "is_loopback", lambda _: False)
    with ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(socket.create_connection(("127.0.0.1", table.port), PATIENCE))
        until(lambda: len(table.server._server.server_state.connections) == 3, "three connections")
        fourth = opened.enter_context(socket.create_connection(("127.0.0.1", table.port), PATIENCE))
        assert ended(fourth)
    until(lambda: not table.server._server.server_state.connections, "all to be gone")
    assert table.fetch("/")[0] == 200


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nHo", b"POST /handset/session HTTP/1.1\r\ncontent-length: 9\r\n"]
)
def test_a_request_that_does_not_come_to_its_end_is_given_up(
    table: Served, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(connections, "LONGEST", 0.2)
    with socket.create_connection(("127.0.0.1", table.port), PATIENCE) as slow:
        slow.sendall(
            said + (f"host: {table.host}\r\norigin: {table.home}\r\n\r\n".encode() if b"POST" in said else b"")
        )
        assert ended(slow)
    until(lambda: not table.server._server.server_state.connections, "it to be forgotten")


def test_a_line_stays_however_long_it_takes(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LONGEST", 0.2)
    with table.page("spectator") as page, socket.create_connection(("127.0.0.1", table.port), PATIENCE) as idle:
        assert ended(idle), "by now a connection as old as the line would be over"
        put(table, "scene")
        hear(page, "scene")


def ended(way: socket.socket) -> bool:
    """Whether a connection is ended from the other side, before anything came over it."""
    try:
        return way.recv(1) == b""
    except ConnectionResetError:
        return True


# ---- the end ----


def test_the_server_stops_within_a_second_whoever_is_there(table: Served) -> None:
    put(table, "scene", filler="x" * 1_000_000)
    with ExitStack() as here:
        here.enter_context(deaf(table))
        page = here.enter_context(table.page("spectator"))
        hear(page, "scene")
        here.enter_context(table.line())
        here.enter_context(socket.create_connection(("127.0.0.1", table.port)))
        stopping = threading.Thread(target=table.server.stop)
        began = time.monotonic()
        stopping.start()
        stopping.join(PATIENCE)
        took = time.monotonic() - began
    assert not table.server._thread.is_alive()
    assert not stopping.is_alive()
    assert took < 10, "a second, and what a machine that is busy takes besides; a deaf page alone has longer"
