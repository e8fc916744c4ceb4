"""The last game's Mister X learns nothing of the next game, unless the same person plays him again."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from firmware_host.rules.actions import MR_X, to_record
from firmware_host.simulator import SimulatedTable, browser_server
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.table.commands import GiveUpGame
from firmware_host.web.feeds.page_orders import (
    AgainOrder,
    ChooseOrder,
    HandsOrder,
    KeyOrder,
    NewGameOrder,
    PageOrderQueue,
    UserOrder,
)
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.kept_seat import KeptSeat
from firmware_host.web.server import Server
from tests.table.cases import shipped
from tests.web.at_once import PRESS, AtOnce
from tests.web.open_table import PATIENCE, OpenTable
from tests.web.served import Idle, Served, farewell, hear

HIS, OTHER = 1, 2
"""Two pages."""

OVER = {MR_X: 2, "red": 10, "yellow": 20}
"""Where a game of three is over as soon as it begins, with `last_chance`: he cannot move."""


def over(p: SimulatedTable, **seats: str) -> None:
    """A game that has just ended."""
    p.new_game(players=3, start=OVER, options={"last_chance": True}, seats=seats)
    p.set_up()
    assert p.public.outcome is not None


class Watched(AtOnce):
    """A room in which the last Mister X's page stays open: all that is put for it while it has the seat is kept."""

    def __init__(self) -> None:
        super().__init__(shipped("classic"), seed=4)
        over(self.simulated)
        self.wait(1000)
        token = self.server.handset_token
        self.his = token.exchange(token.new_token(), secrets.token_urlsafe(16)) or ""
        self.invitation = token.invite(self.his) or ""
        self.sent: list[str] = []
        put = self.private.put

        def watched(kind: str, make: Callable[[], str]) -> None:
            put(kind, make)
            if self.has_seat:
                self.sent.append(str(make()))

        self.private.put = watched  # type: ignore[method-assign, assignment]

    @property
    def has_seat(self) -> bool:
        return self.server.handset_token.holds_handset(self.his)

    def ask_by(self, page: str, order: UserOrder) -> None:
        self.requests.ask(page, HIS if page == "handset" else OTHER, order, self.refused.append)
        self.browser.turn()

    def press(self, key: str) -> None:
        for down in (True, False):
            self.ask_by(key.partition(".")[0], KeyOrder(key, down=down))
            self.wait(PRESS)


@pytest.fixture
def room() -> Iterator[Watched]:
    with Watched() as opened:
        yield opened


def by_table(room: Watched) -> None:
    room.ask_by("table", NewGameOrder("classic", players=4))


def on_another_board(room: Watched) -> None:
    room.ask_by("table", NewGameOrder("junior", players=4))


def by_confirm(room: Watched) -> None:
    room.ask_by("table", HandsOrder(real=True))
    room.wait(6000)
    room.press("table.confirm")


def after_giving_up(room: Watched) -> None:
    by_itself(room)
    room.wait(1500)
    room.simulated.do(GiveUpGame())
    room.wait(500)
    assert room.has_seat, "nobody else is invited before the next game"
    by_table(room)


def by_itself(room: Watched) -> None:
    room.ask_by("handset", AgainOrder())


def again_by_detective(room: Watched) -> None:
    room.browser._player_of = lambda _: 1
    room.ask_by("detective", AgainOrder())


def again_at_table(room: Watched) -> None:
    room.ask_by("table", AgainOrder())


def by_his_menu(room: Watched) -> None:
    room.wait(5000)
    for key in ("back", "back", "up", "select", "select", "select", "select"):
        room.press(f"handset.{key}")


@pytest.mark.parametrize("begin", [by_table, on_another_board, by_confirm, after_giving_up])
def test_a_game_that_another_person_may_play_is_hidden_from_the_last_mister_x(
    room: Watched, begin: Callable[[Watched], None]
) -> None:
    begun, token = room.simulated.table.journal.newest_begun, room.server.handset_token
    terminal = None if begin is after_giving_up else room.invitation
    begin(room)
    assert room.simulated.table.journal.newest_begun > begun or begin is on_another_board
    assert room.refused == []
    assert not room.has_seat
    assert token.waiting is None, "invitations and the terminal's code are void"
    assert terminal is None or token.exchange(terminal, secrets.token_urlsafe(16)) is None
    assert token.invite(room.his) is None
    room.sent.clear()
    room.simulated.set_up()
    room.wait(3000)
    assert room.sent == []
    assert token.take_seat(secrets.token_urlsafe(16)) is not None, "whoever plays him now may take the seat"


AGAIN = [by_itself, again_by_detective, again_at_table]
"""Who may press "Again", which leaves everyone in the same seat."""


@pytest.mark.parametrize("begin", [*AGAIN, by_his_menu])
def test_mister_x_keeps_the_seat_of_a_game_in_which_he_plays_him_again(
    room: Watched, begin: Callable[[Watched], None]
) -> None:
    begun = room.simulated.table.journal.newest_begun
    begin(room)
    assert room.refused == []
    assert room.simulated.table.journal.newest_begun == begun + 1
    assert room.has_seat
    assert room.server.handset_token.waiting == room.invitation
    assert room.server.handset_token.take_seat(secrets.token_urlsafe(16)) is None, "nobody takes it from him"


@pytest.mark.parametrize("begin", AGAIN)
def test_after_again_whoever_sees_the_secret_is_the_only_one_who_can_play_him(
    room: Watched, begin: Callable[[Watched], None]
) -> None:
    begin(room)
    token = room.server.handset_token
    room.browser._has_seat = lambda visitor: visitor == HIS and room.has_seat
    room.simulated.set_up()
    room.wait(3000)
    move = to_record(room.simulated.private.choices.value[0])
    room.requests.ask("handset", OTHER, ChooseOrder(move), room.refused.append)
    room.wait(500)
    assert room.refused == ["This page does not have Mister X's seat, or has lost it"]
    assert room.simulated.actions == []
    assert token.exchange(room.invitation, secrets.token_urlsafe(16)) is not None, "he hands the seat on"
    assert not room.has_seat, "who has handed it on sees nothing more"
    room.sent.clear()
    room.ask_by("handset", ChooseOrder(move))
    room.wait(3000)
    assert room.refused == ["This page does not have Mister X's seat, or has lost it"] * 2
    assert room.simulated.actions == []
    assert room.sent == []


@pytest.mark.parametrize("begin", AGAIN)
def test_again_does_not_keep_the_seat_beyond_its_own_game(room: Watched, begin: Callable[[Watched], None]) -> None:
    begin(room)
    assert room.has_seat
    room.wait(1500)
    by_table(room)
    assert room.refused == []
    assert not room.has_seat


def test_again_gives_nobody_the_seat_of_a_computer(room: Watched) -> None:
    over(room.simulated, mr_x="easy")
    room.wait(1500)
    assert not room.has_seat
    again_at_table(room)
    assert room.refused == []
    assert room.server.handset_token.session is None
    assert room.server.handset_token.take_seat(secrets.token_urlsafe(16)) is None


def test_what_the_last_mister_x_was_sent_is_not_sent_to_the_next_one(room: Watched) -> None:
    room.press("handset.back")  # his screen shines
    room.wait(1000)
    before = kinds(room)
    assert before["handset"]["pixels"]
    assert before["seat"]["mr_x"]
    by_table(room)
    after = kinds(room)
    assert after["seat"]["scene"]["phase"] == "set_up", "nothing of the game before"
    assert (after["handset"]["pixels"], after["handset"]["lines"]) == (None, [])
    room.simulated.set_up()
    room.wait(3000)
    room.press("handset.back")
    room.wait(1000)
    assert kinds(room)["handset"]["pixels"]
    assert kinds(room)["seat"]["mr_x"]["at"] == room.simulated.private.at.value


def kinds(room: Watched) -> dict[str, Any]:
    """What a page of his that comes now is sent."""
    seen: dict[str, int] = {}
    told = {}
    while (due := room.private.next(seen)) is not None:
        kind, seen[kind], message = due
        told[kind] = json.loads(message)
    return told


def test_before_the_first_game_of_an_evening_the_seat_is_his_who_has_scanned_the_terminals_code() -> None:
    with AtOnce(shipped("classic"), seed=4) as room:
        room.wait(100)
        token = room.server.handset_token
        his = token.exchange(token.new_token(), secrets.token_urlsafe(16))
        shown = token.new_token()
        room.ask("table", NewGameOrder("classic", players=4))
        room.wait(100)
        assert token.holds_handset(his)
        assert token.waiting == shown
        assert token.take_seat(secrets.token_urlsafe(16)) is None


def in_play(p: SimulatedTable) -> None:
    """A game that goes on."""
    p.new_game(players=3)


def given_up(p: SimulatedTable) -> None:
    """A game that nobody wants to end."""
    in_play(p)
    p.do(GiveUpGame())


@pytest.mark.parametrize("before", [in_play, over, given_up])
def test_a_restart_does_not_leave_him_the_seat_of_the_next_game(
    tmp_path: Path, before: Callable[[SimulatedTable], None]
) -> None:
    journal = tmp_path / "games.sqlite"
    with started(journal) as (browser, token):
        before(browser.simulated)
        browser.turn()
        his = token.exchange(token.new_token(), secrets.token_urlsafe(16))
    with started(journal) as (browser, token):
        browser.turn()
        assert token.holds_handset(his)
        browser.simulated.new_game(players=4)
        browser.turn()
        assert token.session is None


@contextmanager
def started(journal: Path) -> Iterator[tuple[BrowserSession, HandsetToken]]:
    """A table in a browser as the program starts and ends it."""
    requests = PageOrderQueue()
    server = Server("127.0.0.1", 0, requests)
    simulated = SimulatedTable(shipped("classic"), seed=4, journal=journal, audience=server.spectators)
    seat = KeptSeat(server.handset_token, journal)
    try:
        yield browser_server._session(simulated, requests, server, seat), server.handset_token
        seat.follow_game(simulated.table.journal.newest_begun, simulated.table.journal.begun_at)
        seat.keep()
    finally:
        simulated.close()
        server.stop()


# ---- over the line ----


def until_closed(line: ClientConnection) -> list[str]:
    """All that comes over a line until it is closed from the other end."""
    said = []
    ends = time.monotonic() + PATIENCE  # for all together: a line that stays open goes on beating
    with suppress(ConnectionClosed):
        while True:
            said.append(str(line.recv(timeout=max(0.0, ends - time.monotonic()))))
    return said


def test_his_open_page_is_closed_its_session_is_refused_and_its_codes_are_dead() -> None:
    with OpenTable(shipped("classic"), seed=5, begin=over) as table:
        web = Served(table.server, Idle())
        his = web.session()
        with web.page("handset", his) as line, web.page("table") as others:
            begun = hear(line, "seat")["scene"]["log"]
            told = json.dumps({"session": his})
            _, _, body = web.fetch("/handset/invitation", "POST", told, origin=web.home)
            invitation = json.loads(body)["link"].partition("#")[2]
            others.send(json.dumps({"do": "new_game", "rules": "classic", "players": 5}))
            said = [json.loads(one) for one in until_closed(line)]
        seats = [one for one in said if one["kind"] == "seat"]
        assert all(len(one["scene"]["owners"]) == 2 for one in seats), f"no seat of the new game: {begun}"
        with web.page("handset", his) as line:
            assert farewell(line)[0] == 4401
        assert web.knock(invitation)[0] == 403
        assert web.fetch("/handset/invitation", "POST", told, origin=web.home)[0] == 403


def test_what_he_chose_before_he_lost_the_seat_is_not_done_in_the_next_game() -> None:
    with AtOnce(shipped("classic"), seed=4) as room:
        over(room.simulated)
        room.wait(100)
        room.browser._has_seat = lambda _: room.server.handset_token.holds_handset(his)
        token = room.server.handset_token
        his = token.exchange(token.new_token(), secrets.token_urlsafe(16))
        room.requests.ask("table", OTHER, NewGameOrder("classic", players=4), room.refused.append)
        room.requests.ask("handset", HIS, ChooseOrder({"kind": "double"}), room.refused.append)
        room.requests.ask("handset", HIS, KeyOrder("handset.select", down=True), room.refused.append)
        room.browser.turn()
        assert room.refused == ["This page does not have Mister X's seat, or has lost it"] * 2
        assert room.simulated.hardware.keys.held == set()
