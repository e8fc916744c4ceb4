"""A server that really runs, and what knocks at it: pages, foreign pages, tokens, and those who mean no good."""

from __future__ import annotations

import http.client
import json
import logging
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.responses import Response
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from firmware_host.web.feeds.websocket_session import FOREIGN, NOT_ALLOWED
from firmware_host.web.pages.static_files import STATIC
from firmware_host.web.seats import seat_requests
from firmware_host.web.seats.handset_token import TRIES
from firmware_host.web.server import Server
from firmware_host.web.transport.listening_sockets import CannotServe
from firmware_host.web.transport.security_headers import DRAWING_POLICY, HEADERS
from tests.waiting import until
from tests.web.served import PATIENCE, Idle, Served, farewell, hear, put, served

CANARY = "Canary Wharf 9174"
N = "n" * 22


@pytest.fixture
def table() -> Iterator[Served]:
    with served() as opened:
        yield opened


# ---- what every answer carries ----


BESIDE = Path(seat_requests.__file__).name
"""A file that lies beside the folder of those that pages may have."""


ANSWERS = [
    ("GET", "/", 200), ("GET", "/handset", 200), ("GET", "/spectate", 200), ("HEAD", "/", 200),
    ("GET", "/static/page/connection.js", 200), ("GET", "/static/styles/handset.css", 200),
    ("GET", "/static/icon.svg", 200),
    ("GET", "/nothing", 404), ("GET", "/static/nothing.js", 404), ("GET", f"/static/../{BESIDE}", 404),
    ("GET", f"/static/%2e%2e/{BESIDE}", 404), ("GET", "/static//etc/passwd", 404), ("GET", "/boards/x.svg", 404),
    ("GET", "/handset/session", 405), ("POST", "/", 405), ("PUT", "/handset/session", 405), ("TRACE", "/", 405),
    ("OPTIONS", "/", 405), ("BREW", "/", 405), ("DELETE", "/static/page/connection.js", 405),
    ("POST", "/handset/session", 403),
]  # fmt: skip


def test_every_answer_carries_the_strict_headers(table: Served) -> None:
    strict = {name: value for name, value in HEADERS.items() if name != "cache-control"}
    for method, path, status in ANSWERS:
        answer, headers, _ = table.fetch(path, method)
        assert answer == status, (method, path)
        assert {name: headers.get(name) for name in strict} == strict, (method, path)
        assert headers["cache-control"] in ("no-cache", "no-store")
        assert "server" not in headers


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [
        ("GET", "/nothing", "This table has nothing at this address; its first page is at /"),
        ("GET", "/games/abc.json", "This table has nothing at this address; its first page is at /"),
        ("POST", "/spectate", "POST is not possible at this address; use GET"),
        ("GET", "/boards/x.svg", "There is no such drawing; load the page again"),
    ],
)
def test_a_request_for_a_wrong_address_or_by_a_wrong_method_is_answered_in_words(
    table: Served, method: str, path: str, told: str
) -> None:
    _, _, body = table.fetch(path, method)
    assert body in (told, told.encode())


def test_even_an_answer_to_our_own_mistake_does_and_says_nothing_of_it(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def mistake(*_: object) -> Response:
        raise ZeroDivisionError(CANARY)

    monkeypatch.setattr(seat_requests, "_session", mistake)
    status, headers, body = table.knock("x")
    assert status == 500
    assert headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert CANARY not in body + str(headers)


def test_a_drawing_may_bring_its_own_looks_and_nothing_else(table: Served) -> None:
    table.server.boards._drawn["drawn"] = "<svg xmlns='http://www.w3.org/2000/svg'/>"
    status, headers, _ = table.fetch("/boards/drawn.svg")
    assert (status, headers["content-security-policy"]) == (200, DRAWING_POLICY)
    assert "script-src" not in DRAWING_POLICY
    assert headers["x-content-type-options"] == "nosniff"


def test_the_pages_run_no_script_of_any_other_place() -> None:
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy
    for page in STATIC.glob("languages/en/*.html"):
        text = page.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", text), page
        assert not re.search(r'(?:src|href)=(?!"(?:/[^/]|#))', text), page


def test_pages_are_kept_by_nobody(table: Served) -> None:
    for path in ("/", "/handset", "/spectate"):
        assert table.fetch(path)[1]["cache-control"] == "no-store"
    assert table.knock(table.server.handset_token.new_token())[1]["cache-control"] == "no-store"


# ---- names and origins ----


def test_to_a_foreign_name_nothing_is_told(table: Served) -> None:
    for host in ("evil.example", f"evil.example:{table.port}", "127.0.0.1.evil.example", "", None):
        for path in ("/", "/handset", "/static/page/connection.js"):
            status, headers, body = table.fetch(path, host=host)
            assert status in (400, 421)
            assert "<" not in body
            assert status == 400 or "content-security-policy" in headers


def test_the_answer_to_a_foreign_name_says_how_the_table_is_opened_and_none_of_its_names(table: Served) -> None:
    status, headers, body = table.fetch("/", host="Table.Example:8080")
    assert (status, headers["content-type"]) == (421, "text/plain; charset=utf-8")
    assert body == (
        f'This table does not answer to the name table.example. Open {table.home}/, or write names = ["table.example"] '
        "in the section [web] of its configuration"
    )
    assert socket.gethostname() not in body
    body = table.fetch("/", host="<b>evil</b>")[2]
    assert body in ("Invalid HTTP request received.", f"This table does not answer to that name. Open {table.home}/")


def test_a_tunnel_and_a_proxy_have_ports_of_their_own(table: Served) -> None:
    for host in ("localhost:9000", "127.0.0.1", f"[::1]:{table.port}"):
        assert table.fetch("/", host=host)[0] == 200
        token = table.server.handset_token.new_token()
        assert table.knock(token, host=host)[0] == 403, "its page is of another place"
        assert table.knock(token, host=host, origin=f"http://{host}")[0] == 200


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_name_that_the_configuration_lists_opens_the_pages_also_behind_a_proxy(scheme: str) -> None:
    server = Server("127.0.0.1", 0, Idle(), names=["table.example"])
    server.handset_token.offer_seat(free=True)
    try:
        server.start()
        table, origin = Served(server, Idle()), f"{scheme}://table.example"
        assert table.fetch("/", host="table.example")[0] == 200
        with table.line(host="table.example", origin=origin) as line:
            line.send(json.dumps({"do": "hello", "page": "spectator"}))
            assert hear(line, "beat")
        with table.line(host="table.example", origin=f"{scheme}://table.example:9000") as line:
            assert farewell(line)[0] == FOREIGN
        for path, said in (("/handset/seat", json.dumps({"nonce": "x" * 22})), ("/network", "")):
            status, _, body = table.fetch(path, "POST", said, host="table.example", origin=origin)
            assert status == 403, f"whoever comes through a proxy is not at the table's own machine: {body}"
    finally:
        server.stop()


def test_whoever_comes_through_a_proxy_does_not_pass_for_the_tables_own_machine_by_its_name(table: Served) -> None:
    table.server.handset_token.offer_seat(free=True)
    home = {"host": f"localhost:{table.port}", "origin": f"http://localhost:{table.port}"}
    seat = json.dumps({"nonce": "x" * 22})
    for header in ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"):
        for path, said in (("/handset/seat", seat), ("/network", "")):
            assert table.fetch(path, "POST", said, **home, **{header: "198.51.100.7"})[0] == 403
    assert table.fetch("/handset/seat", "POST", seat, **home)[0] == 200


def test_a_foreign_page_opens_neither_a_line_nor_the_handset(table: Served) -> None:
    put(table, "scene", secret=CANARY)
    token = table.server.handset_token.new_token()
    for origin in (None, "null", "http://evil.example", "http://127.0.0.1:1", f"https://{table.host}"):
        with table.line(origin=origin) as line:
            assert farewell(line)[0] == FOREIGN
        assert table.knock(token, origin=origin)[0] == 403
    evil = f"evil.example:{table.port}"  # a name that was given our address
    with table.line(host=evil, origin=f"http://{evil}") as line:
        assert farewell(line)[0] == FOREIGN
    assert table.knock(token)[0] == 200, "what a foreign page did has not used it up"


def test_an_address_of_the_newer_family_will_do_or_is_refused_with_the_reason() -> None:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            pass
    except OSError:  # this machine has none
        with pytest.raises(CannotServe, match="web: cannot listen on ::1"):
            Server("::1", 0, Idle())
        return
    opened = Server("::1", 0, Idle())
    opened.start()
    try:
        home = opened.url.rstrip("/")
        opened.public.put("scene", lambda: '{"kind":"scene"}')
        address = f"{home.replace('http', 'ws')}/ws"
        with connect(address, origin=home, open_timeout=60) as line:  # type: ignore[arg-type]
            line.send('{"do":"hello","page":"spectator"}')
            assert hear(line, "scene")
    finally:
        opened.stop()


# ---- the handset ----


def test_a_token_is_changed_for_a_session_and_no_cookie_is_set(table: Served) -> None:
    status, headers, body = table.knock(table.server.handset_token.new_token())
    assert status == 200
    assert table.server.handset_token.holds_handset(json.loads(body)["session"])
    assert "set-cookie" not in headers, "it would go to whatever else is served on this machine"


def test_a_newer_line_of_a_session_ends_the_older_which_says_so(table: Served) -> None:
    put(table, "handset", private=True, lines=["before"])
    session = table.session()
    with table.page("handset", session) as first:
        hear(first, "handset")
        with table.page("handset", session) as second:
            code, reason = farewell(first)
            assert code == NOT_ALLOWED
            assert "another page" in reason
            put(table, "handset", private=True, lines=[CANARY])
            until(lambda: hear(second, "handset")["lines"] == [CANARY], "the newest screen")
        with table.page("handset", session) as third:  # as after a reload
            assert hear(third, "handset")["lines"] == [CANARY]


def test_another_page_with_the_session_ends_no_line_but_the_handsets(table: Served) -> None:
    put(table, "handset", private=True, lines=["before"])
    session = table.session()
    with table.page("handset", session) as handset, table.page("table", session) as page:
        hear(handset, "handset")
        put(table, "scene")
        hear(page, "scene")
        put(table, "handset", private=True, lines=[CANARY])
        assert hear(handset, "handset")["lines"] == [CANARY]


def test_the_handset_is_told_what_is_private_and_nobody_else_is(table: Served) -> None:
    put(table, "handset", private=True, lines=[CANARY])
    put(table, "scene", prompt="all may know")
    with table.page("handset", table.session()) as handset:
        assert hear(handset, "handset")["lines"] == [CANARY]
    for kind in ("table", "spectator"):
        with table.page(kind, table.session()) as page:
            put(table, "handset", private=True, lines=[CANARY])
            put(table, f"end of {kind}")
            heard = []
            while f"end of {kind}" not in heard:
                heard.append(json.loads(page.recv(timeout=20))["kind"])
            assert "handset" not in heard


def test_without_a_session_there_is_no_handset_but_advice(table: Served) -> None:
    session = table.session()
    put(table, "handset", private=True, lines=[CANARY])
    cookie = {"cookie": f"session={session}; yardboard-handset-{table.port}={session}"}
    for wrong, headers in ((None, {}), ("", {}), ("wrong", {}), ("é" * 22, {}), (None, cookie)):
        with table.page("handset", wrong, additional_headers=headers) as page:
            code, reason = farewell(page)
        assert code == NOT_ALLOWED
        assert "scan the code" in reason


def test_when_another_phone_takes_over_the_first_is_told_so_at_once_and_nothing_else(table: Served) -> None:
    put(table, "handset", private=True, lines=["before"])
    with table.page("handset", table.session()) as first:
        assert hear(first, "handset")["lines"] == ["before"]
        second = table.session()
        code, reason = farewell(first)  # though there is nothing to be shown
        put(table, "handset", private=True, lines=[CANARY])
        assert code == NOT_ALLOWED
        assert "no longer" in reason
        with table.page("handset", second) as handset:
            assert hear(handset, "handset")["lines"] == [CANARY]


def test_whoever_has_no_session_any_more_is_sent_nothing_private(table: Served) -> None:
    put(table, "handset", private=True, lines=["before"])
    with table.page("handset", table.session()) as first:
        hear(first, "handset")
        table.server.handset_token.exchange(table.server.handset_token.new_token(), "elsewhere")
        put(table, "handset", private=True, lines=[CANARY])
        with pytest.raises(ConnectionClosed):
            hear(first, "handset")


def test_a_phone_that_was_taken_over_moves_nothing_any_more(table: Served) -> None:
    put(table, "handset", private=True, lines=[])
    with table.page("handset", table.session()) as first:
        hear(first, "handset")
        table.server.handset_token.exchange(table.server.handset_token.new_token(), "elsewhere")
        first.send('{"do":"key","key":"handset.select","down":true}')
        assert farewell(first)[0] == NOT_ALLOWED
    assert table.table.asked == []


# ---- wrong tokens ----


def test_wrong_tokens_are_told_to_wait_and_the_right_one_opens(table: Served) -> None:
    token = table.server.handset_token.new_token()
    for _ in range(TRIES):
        assert table.knock("wrong")[0] == 403
    status, headers, body = table.knock("wrong")
    assert status == 429
    assert 1 <= int(headers["retry-after"]) <= 60
    assert headers["retry-after"] in json.loads(body)["error"]
    assert table.knock(token)[0] == 200


NO_TOKENS = [
    ("", 400), ("{}", 400), ("[]", 400), ('{"token":1}', 400), ('{"token":"x"', 400), ("\0", 400),
    ('{"token":"x"}', 400), (f'{{"token":"x","nonce":"{N}","more":1}}', 400), ('{"token":"x","nonce":""}', 400),
    (f'{{"token":1,"nonce":"{N}"}}', 400), (f'{{"token":"\\ud800","nonce":"{N}"}}', 400), ("[" * 500, 400),
    (f'{{"token":"x","nonce":"{3 * N}"}}', 400), ('{"token":"' + "x" * 600 + '"}', 413),
]  # fmt: skip


def test_what_is_no_token_opens_nothing(table: Served) -> None:
    for body, status in NO_TOKENS:
        answer, _, said = table.fetch("/handset/session", "POST", body, origin=table.home)
        assert answer == status, body
        assert "x" * 20 not in said


# ---- coming and going ----


def test_a_port_that_is_taken_is_told_of_in_one_line(table: Served) -> None:
    with pytest.raises(
        CannotServe, match=rf"cannot listen on 127.0.0.1, port {table.port}: another program has taken it"
    ):
        Server("127.0.0.1", table.port, Idle())
    with pytest.raises(CannotServe, match="a port is a number from 0 to 65535"):
        Server("127.0.0.1", 70000, Idle())
    with pytest.raises(CannotServe, match=r"cannot listen on 192\.0\.2\.1"):
        Server("192.0.2.1", 0, Idle())


def test_the_port_is_free_again_as_soon_as_a_server_has_stopped() -> None:
    with served() as first, first.page("spectator") as line:
        put(first, "scene")
        hear(line, "scene")
        first.server.stop()
        with served(port=first.port) as second:
            assert second.fetch("/")[0] == 200
        first.server.stop()


def test_no_secret_of_the_door_is_in_any_log_or_answer(
    table: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "asyncio", "websockets"):
        caplog.set_level(logging.DEBUG, name)
    for name in logging.root.manager.loggerDict:
        if not name.startswith("websockets.client"):  # that is this test's own end of the line
            caplog.set_level(logging.DEBUG, name)
    monkeypatch.setattr(logging.getLogger("websockets.client"), "disabled", True)
    token = table.server.handset_token.new_token()
    answers = [table.knock("wrong"), table.knock(token), table.knock(token)]
    session = json.loads(answers.pop(1)[2])["session"]
    put(table, "handset", private=True, lines=[CANARY])
    with table.page("handset", session) as page:
        hear(page, "handset")
        page.send('{"do":"nonsense"}')
        answers.append((0, {}, str(hear(page, "refused"))))
        page.send(b"\xff\xfe")
        answers.append((0, {}, str(hear(page, "refused"))))
    answers += [table.fetch(path) for path in ("/", "/handset", "/nothing", "/static/handset.js")]
    answers.append(table.fetch(f"/handset#{token}"))
    table.server.stop()
    told = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    for secret in (session, CANARY):
        assert secret not in told
    assert token not in told
    for secret in (token, session, CANARY):
        assert secret not in str(answers)


def test_no_static_file_is_missing_its_type(table: Served) -> None:
    wanted = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
    wanted |= {".json": "application/json", ".png": "image/png", ".webmanifest": "application/manifest+json"}
    wanted |= {".woff2": "font/woff2", ".txt": "text/plain"}
    again = set(STATIC.glob("languages/*/*")) - set(STATIC.glob("languages/de/*"))  # the same pages
    with closing(http.client.HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)) as line:
        for file in set(STATIC.rglob("*.*")) - again:
            line.request("HEAD", f"/static/{file.relative_to(STATIC).as_posix()}", headers={"host": table.host})
            answer = line.getresponse()
            answer.read()
            assert (answer.getheader("content-type") or "").partition(";")[0] == wanted[Path(file).suffix]
