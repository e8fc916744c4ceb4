"""Phones are let in by a button on the table's page, where its machine alone could open it so far."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Callable, Iterator

import pytest

from firmware_host.web.transport import host_names
from firmware_host.web.transport.listening_sockets import CannotServe, ListeningSockets
from tests.table.cases import shipped
from tests.web.chromium import GONE, Visit, Visitor
from tests.web.open_table import OpenTable
from tests.web.served import PATIENCE, Idle, Served, served

NETWORK = "127.0.0.2"
"""Stands for this machine's address in its network: a phone is what comes to it."""

CONNECTED = "() => document.querySelector('#line').textContent === ''"

Own = Callable[[str], None]


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Own:
    """Sets the address at which other machines find this one."""

    def at(address: str) -> None:
        everywhere = dict.fromkeys(host_names.EVERYWHERE, address)
        monkeypatch.setattr(host_names, "reachable", lambda host: everywhere.get(host, host))

    at(NETWORK)
    return at


@pytest.fixture
def table(own: Own) -> Iterator[Served]:  # noqa: ARG001 - sets the address
    with served() as opened:
        yield opened


def let_in(table: Served, **headers: str | None) -> tuple[int, dict[str, str]]:
    """The answer to a page that wants phones let in."""
    status, told, body = table.fetch("/network", "POST", **{"origin": table.home, **headers})
    assert told["cache-control"] == "no-store"
    return status, json.loads(body)


def link(table: Served) -> dict[str, object]:
    """What a page is told of the phones of detectives' players."""
    return dict(json.loads(table.fetch("/detective/link")[2]))


def press(page: Visitor, *buttons: str) -> None:
    page.wait("() => document.querySelector('#prompt').textContent")  # the first scene closes what was opened before it
    for name in buttons:
        page.page.get_by_role("button", name=name).click()


def status_for_a_phone(port: int) -> int:
    """How a phone's request for its page is answered; 0 if nobody is there."""
    connection = http.client.HTTPConnection(NETWORK, port, timeout=PATIENCE)
    try:
        connection.request("GET", "/detective")
        return connection.getresponse().status
    except ConnectionRefusedError:
        return 0
    finally:
        connection.close()


def test_no_phone_comes_in_before_and_each_after(table: Served) -> None:
    before = link(table)
    assert (before["here"], before["opens"]) == (True, True)
    assert status_for_a_phone(table.port) == 0
    assert [let_in(table), let_in(table)] == [(200, {})] * 2, "twice is no mistake"
    assert status_for_a_phone(table.port) == 200
    told = link(table)
    assert (told["here"], told["opens"], told["link"]) == (False, False, f"http://{NETWORK}:{table.port}/detective")
    assert table.fetch("/")[0] == 200  # at the table's own machine all is as it was


def test_no_foreign_page_lets_anybody_in(table: Served) -> None:
    for origin in (None, "http://elsewhere.example", "null", "http://127.0.0.1:1"):
        assert let_in(table, origin=origin) == (
            403,
            {"error": "This page does not belong to the table; open the table's own page"},
        )
    assert status_for_a_phone(table.port) == 0


def test_nobody_lets_phones_in_from_another_machine(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(host_names, "is_loopback", lambda host: host != "127.0.0.1")
        assert let_in(table) == (403, {"error": "Only a page on the table's own machine can let phones in"})
    assert status_for_a_phone(table.port) == 0


def test_a_real_board_is_opened_by_its_configuration_alone(own: Own) -> None:  # noqa: ARG001 - sets the address
    class Spectated(Idle):
        pages = frozenset(("detective", "spectator"))

    with served(table=Spectated()) as opened:
        told = link(opened)
        assert (told["here"], told["opens"]) == (True, False)
        assert opened.fetch("/network", "POST", origin=opened.home)[0] == 404


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1", "This machine is in no network that a phone could share with it"),
        ("8.8.8.8", "This machine's address, 8.8.8.8, is open to the whole internet."),
    ],
)
def test_without_a_network_of_its_own_a_machine_stays_alone_and_says_why(own: Own, address: str, why: str) -> None:
    own(address)
    with served() as opened:
        status, told = let_in(opened)
        assert status == 409
        assert told["error"].startswith(why)
        assert link(opened)["here"]


def test_a_port_that_is_taken_there_is_told_and_may_be_free_later(table: Served) -> None:
    with socket.create_server((NETWORK, table.port)):
        status, told = let_in(table)
        assert status == 409
        assert told["error"].startswith(f"Port {table.port} at {NETWORK} is taken by another program.")
        assert link(table)["here"]
    assert let_in(table) == (200, {})
    assert status_for_a_phone(table.port) == 200


def test_sockets_that_nobody_serves_yet_can_be_opened_and_are_closed(own: Own) -> None:  # noqa: ARG001
    sockets = ListeningSockets("127.0.0.1", 0)
    sockets.open_to_network()
    assert not sockets.is_alone
    sockets.close()
    again = ListeningSockets(NETWORK, sockets.port)  # it is free again
    again.close()
    with pytest.raises(CannotServe):
        ListeningSockets("127.0.0.1", 70_000)


@pytest.mark.long
def test_on_the_first_page_phones_are_let_in_by_a_button_and_one_comes(own: Own, visit: Visit) -> None:  # noqa: ARG001
    with OpenTable(shipped("classic"), seed=5) as table:
        page = visit(table.url)
        page.excuse(GONE)  # the table may end before its page
        press(page, "New game", "Join by phone", "Let phones in")
        page.see("#welcome .qr")
        address = page.read("#welcome .invitation code")
        assert address == f"http://{NETWORK}:{table.server.port}/detective"
        phone = visit(address, touch=True, size=(390, 844))
        phone.wait(CONNECTED)


def test_a_refusal_is_read_on_the_page_where_the_button_was_pressed(own: Own, visit: Visit) -> None:
    own("8.8.8.8")
    with OpenTable(shipped("classic"), seed=5) as table:
        page = visit(table.url)
        page.excuse(GONE)  # the table may end before its page
        page.excuse("409")
        press(page, "New game", "Join by phone", "Let phones in")
        page.says("#welcome .invitation", "8.8.8.8")
