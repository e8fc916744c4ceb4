"""Mister X's seat, taken from the table's page: by one page on the table's own machine, while nobody has it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from firmware_host.simulator import SimulatedTable, browser_server
from firmware_host.simulator.browser_session import TURN, BrowserSession
from firmware_host.web.feeds.page_orders import PageOrderQueue, PowerOrder
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.kept_seat import KeptSeat
from firmware_host.web.seats.qr_modules import qr_modules
from firmware_host.web.seats.seat_requests import TAKEN
from firmware_host.web.server import Server
from firmware_host.web.transport.host_names import is_loopback
from tests.table.cases import shipped
from tests.waiting import until
from tests.web.page_table import Pages
from tests.web.served import Idle, Served, farewell, hear, put, served


@pytest.fixture
def table() -> Iterator[Served]:
    with served() as opened:
        put(opened, "handset", private=True, pixels=None, lines=["You are at 46"], language="en")
        opened.server.handset_token.offer_seat(free=True)
        yield opened


def ask(table: Served, nonce: str = "", **headers: str | None) -> tuple[int, str]:
    """The answer to a page that wants the seat: its status, and the session or why not."""
    said = json.dumps({"nonce": nonce or secrets.token_urlsafe(16)})
    status, told, body = table.fetch("/handset/seat", "POST", said, **{"origin": table.home, **headers})
    assert told["cache-control"] == "no-store"
    answer = json.loads(body)
    return status, answer["session"] if status == 200 else answer["error"]


def test_a_free_seat_is_given_once_and_its_page_sees_his_screen(table: Served) -> None:
    status, session = ask(table)
    assert status == 200
    assert ask(table) == (409, TAKEN)
    with table.page("handset", session) as line:
        assert hear(line, "handset")["lines"] == ["You are at 46"]


def test_a_page_that_has_lost_the_answer_is_given_it_again_and_no_other_is(table: Served) -> None:
    nonce = secrets.token_urlsafe(16)
    status, session = ask(table, nonce)
    assert (status, session) == ask(table, nonce)
    assert ask(table)[0] == 409


def test_whoever_was_invited_has_the_seat_and_no_page_takes_it_away(table: Served) -> None:
    session = table.session()
    assert ask(table) == (409, TAKEN)
    with table.page("handset", session) as line:
        assert hear(line, "handset")["lines"] == ["You are at 46"]


@pytest.mark.parametrize("alone", [False, True])
def test_who_opened_it_at_the_table_and_has_closed_his_page_opens_it_there_again(table: Served, *, alone: bool) -> None:
    table.server.handset_token.offer_seat(free=True, alone=alone)
    _, session = ask(table)
    with table.page("handset", session) as line:
        hear(line, "handset")
        assert ask(table) == (409, TAKEN)
    until(lambda: not table.server.sessions.open, "his page to be gone")
    status, again = ask(table)
    assert status == 200
    assert again != session
    with table.page("handset", session) as line:
        assert farewell(line)[0] == 4401  # whoever had it before sees that another has it
    with table.page("handset", again) as line:
        hear(line, "handset")


def test_a_seat_on_a_phone_is_nobody_elses_though_its_page_is_closed(table: Served) -> None:
    with table.page("handset", table.session()) as line:
        hear(line, "handset")
    until(lambda: not table.server.sessions.open, "his page to be gone")
    assert ask(table) == (409, TAKEN)


def test_the_terminal_can_give_a_taken_seat_to_another_and_the_page_before_goes_dark(table: Served) -> None:
    _, session = ask(table)
    with table.page("handset", session) as line:
        hear(line, "handset")
        table.session()
        assert farewell(line)[0] == 4401


def test_a_token_that_was_shown_before_the_seat_was_taken_still_works(table: Served) -> None:
    token = table.server.handset_token.new_token()
    assert ask(table)[0] == 200
    assert table.knock(token)[0] == 200


def test_nobody_takes_it_from_another_machine(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("firmware_host.web.transport.host_names.is_loopback", lambda host: host != "127.0.0.1")
        status, why = ask(table)
    assert (status, why) == (403, "From another machine Mister X's screen opens by the code in the table's terminal")
    assert ask(table)[0] == 200


def test_where_he_is_alone_another_machine_takes_a_seat_that_nobody_has_had_and_no_other(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.server.handset_token.offer_seat(free=True, alone=True)
    with monkeypatch.context() as patch:
        patch.setattr("firmware_host.web.transport.host_names.is_loopback", lambda host: host != "127.0.0.1")
        status, session = ask(table)
        assert status == 200
        with table.page("handset", session) as line:
            hear(line, "handset")
        until(lambda: not table.server.sessions.open, "his page to be gone")
        assert ask(table)[0] == 403
    assert ask(table)[0] == 200  # at the table's own machine


def test_what_is_no_wish_for_a_seat_and_what_a_foreign_page_wishes_is_refused_and_the_seat_stays_free(
    table: Served,
) -> None:
    for body in ("", "{}", '{"nonce": "short"}', '{"nonce": "' + "x" * 30 + '", "token": ""}', "[1]", "x" * 600):
        status, _, _ = table.fetch("/handset/seat", "POST", body, origin=table.home)
        assert status in (400, 413)
    for origin in (None, "http://elsewhere.example", "null", "http://127.0.0.1:1"):
        assert ask(table, origin=origin) == (403, "This page does not belong to the table; open the table's own page")
    assert table.fetch("/handset/seat")[0] == 405, "a look at the address takes nothing"
    assert ask(table)[0] == 200


def test_at_a_real_board_there_is_no_such_seat() -> None:
    class Spectated(Idle):
        pages = frozenset(("spectator",))

    server = Server("127.0.0.1", 0, Spectated())
    server.handset_token.offer_seat(free=True)
    try:
        server.start()
        opened = Served(server, Spectated())
        assert opened.fetch("/handset/seat", "POST", "{}", origin=opened.home)[0] == 404
    finally:
        server.stop()


def test_the_seat_is_free_with_each_new_game_but_never_where_a_computer_plays_him() -> None:
    token = HandsetToken(lambda: 0.0)
    pages = Pages()
    simulated = SimulatedTable(shipped("classic"), seed=5, audience=pages.spectators)
    browser = BrowserSession(simulated, PageOrderQueue(), pages, offer_seat=token.offer_seat)

    def taken(**seats: str) -> str | None:
        simulated.new_game(seats=seats)
        browser.turn()
        simulated.advance(TURN)
        return token.take_seat("made up here")

    browser.turn()
    assert token.take_seat("made up here") is None  # there is no game
    first = taken()
    assert token.holds_handset(first)
    second = taken(detectives="easy")
    assert token.holds_handset(second)
    assert not token.holds_handset(first)
    assert taken(mr_x="easy") is None or token.holds_handset(second)
    assert token.take_seat("made up here again", page_closed=True) is None
    alone = taken(detectives="easy")
    assert token.take_seat("made up elsewhere", page_closed=True) not in (None, alone)
    among_others = taken()
    assert token.take_seat("made up by others") is None
    assert token.take_seat("made up by others", page_closed=True) not in (None, among_others)
    simulated.close()


def test_a_power_cut_frees_nobody_s_seat_in_the_midst_of_a_game() -> None:
    token = HandsetToken(lambda: 0.0)
    pages, requests = Pages(), PageOrderQueue()
    simulated = SimulatedTable(shipped("classic"), seed=5, audience=pages.spectators)
    browser = BrowserSession(simulated, requests, pages, offer_seat=token.offer_seat)
    simulated.new_game(players=4)
    browser.turn()
    his = token.take_seat("made up here")
    for on in (False, True):
        requests.ask("table", 1, PowerOrder(on), print)
        browser.turn()
    browser.turn()
    assert token.take_seat("made up there") is None
    assert token.holds_handset(his)
    simulated.new_game(players=4)
    browser.turn()
    assert token.take_seat("made up there") is not None
    simulated.close()


@contextmanager
def program(journal: Path, **seats: str) -> Iterator[Served]:
    """A table in a browser as the program starts and ends it; with `seats` it begins a game."""
    requests = PageOrderQueue()
    server = Server("127.0.0.1", 0, requests)
    simulated = SimulatedTable(shipped("classic"), seed=5, journal=journal, audience=server.spectators)
    if seats:
        simulated.new_game(players=4, seats=seats)
    seat = KeptSeat(server.handset_token, journal)
    try:
        browser = browser_server._session(simulated, requests, server, seat)
        browser.turn()
        server.start()
        yield Served(server, Idle())
        seat.follow_game(simulated.table.journal.newest_begun, simulated.table.journal.begun_at)
        seat.keep()
    finally:
        server.stop()
        simulated.close()


@pytest.mark.parametrize("detectives", ["easy", "person"])
def test_who_opened_it_at_the_table_opens_it_there_again_after_a_restart_too(tmp_path: Path, detectives: str) -> None:
    journal = tmp_path / "games.sqlite"
    with program(journal, detectives=detectives) as table:
        _, session = ask(table)
    for _ in range(2):
        with program(journal) as table, table.page("handset", session) as line:
            hear(line, "handset")
            assert ask(table) == (409, TAKEN), "his page has come back"
    with program(journal) as table:
        assert not table.server.sessions.open, "his page was closed meanwhile"
        status, again = ask(table)
        assert status == 200
        assert ask(table) == (409, TAKEN)
        with table.page("handset", session) as line:
            assert farewell(line)[0] == 4401
        with table.page("handset", again) as line:
            hear(line, "handset")


def test_a_seat_on_a_phone_is_nobody_elses_after_a_restart_either(tmp_path: Path) -> None:
    journal = tmp_path / "games.sqlite"
    with program(journal, mr_x="person") as table:
        session = table.session()
    with program(journal) as table:
        assert ask(table) == (409, TAKEN)
        with table.page("handset", session) as line:
            hear(line, "handset")


def invited(table: Served, session: str, **headers: str | None) -> tuple[int, dict[str, object]]:
    """The answer to a page that wants its seat on another screen."""
    said = json.dumps({"session": session})
    status, told, body = table.fetch("/handset/invitation", "POST", said, **{"origin": table.home, **headers})
    assert told["cache-control"] == "no-store"
    return status, json.loads(body)


def test_whoever_has_the_seat_is_given_a_link_that_passes_it_on_once(table: Served) -> None:
    _, session = ask(table)
    status, told = invited(table, session)
    assert (status, told["here"]) == (200, True)
    address, _, token = str(told["link"]).partition("#")
    assert address == f"{table.home}/seat"
    assert told["code"] == qr_modules(str(told["link"]))
    with table.page("handset", session) as line:
        hear(line, "handset")
        assert table.knock(token)[0] == 200
        assert farewell(line)[0] == 4401
    assert table.knock(token)[0] == 403
    assert invited(table, session)[0] == 403


def test_a_table_in_a_network_is_not_for_this_machine_alone() -> None:
    with served("0.0.0.0") as opened:  # noqa: S104 - other machines are what is asked about
        opened.server.handset_token.offer_seat(free=True)
        _, session = ask(opened)
        _, told = invited(opened, session)
        host = urlsplit(str(told["link"])).hostname or ""
        assert told["here"] == is_loopback(host)
        assert host != "0.0.0.0"  # noqa: S104 - compared


def test_a_link_is_void_once_somebody_else_has_the_seat(table: Served) -> None:
    _, session = ask(table)
    _, told = invited(table, session)
    table.server.handset_token.offer_seat(free=True, ends=True)  # another game
    _, other = ask(table)
    assert table.knock(str(told["link"]).partition("#")[2])[0] == 403
    assert table.server.handset_token.holds_handset(other)


def test_nobody_else_is_given_one(table: Served) -> None:
    strangers = ("", "made up here", "x" * 64)
    assert {invited(table, session)[0] for session in strangers} == {403}
    _, own = ask(table)
    assert {invited(table, session)[0] for session in strangers} == {403}
    assert invited(table, own, origin="http://elsewhere.example")[0] == 403
    for body in ("", "{}", '{"session": 1}', "[1]", "x" * 600):
        assert table.fetch("/handset/invitation", "POST", body, origin=table.home)[0] in (400, 413)
    assert table.fetch("/handset/invitation")[0] == 405
