"""Who has which seat: one phone each, told to everyone by a mark, and kept over lost lines and further games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.referee.scene import Scene
from firmware_host.system.language import gettext
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.page_orders import KeyOrder, RiseOrder, SitOrder, UndoOrder, UserOrder
from firmware_host.web.feeds.websocket_session import NOT_ALLOWED
from firmware_host.web.seats.detective_seats import DetectiveSeats
from tests.table.cases import shipped
from tests.web.at_once import AtOnce
from tests.web.page_table import all_of
from tests.web.served import Idle, Served, farewell, hear, served

ADA, BEN = "a" * 32, "b" * 32


class Seats:
    """Seats at a table, and what everyone is told of them.

    Args:
        scene: how the table looks.
    """

    def __init__(self, scene: Scene) -> None:
        self.table, self.feed, self.refused = Idle(), Feed(), list[str]()
        self.scene = scene
        self.seats = DetectiveSeats(self.table, self.feed, lambda: self.scene)

    def ask(self, visitor: int, order: UserOrder) -> None:
        self.seats.ask("detective", visitor, order, self.refused.append)

    @property
    def told(self) -> Any:
        return json.loads(all_of(self.feed)["phones"])["seats"]


@pytest.fixture(scope="module")
def scene() -> Scene:
    """A game of three detectives' players, of whom the second is a computer."""
    with AtOnce(shipped("classic"), seed=1) as room:
        room.simulated.new_game(players=4, seats={"2": "easy"})
        return room.simulated.scene


@pytest.fixture
def room(scene: Scene) -> Seats:
    room = Seats(scene)
    room.seats.connect(1, ADA)
    room.seats.connect(2, BEN)
    return room


def test_a_seat_is_told_by_a_mark_and_never_by_all_that_its_phone_is_known_by(room: Seats) -> None:
    assert room.told == {}
    room.ask(1, SitOrder(3))
    assert room.told == {"3": {"mark": "a" * 8, "here": True}}
    assert ADA not in str(all_of(room.feed))
    assert (room.seats.player_of(1), room.seats.player_of(2)) == (3, None)


def test_a_phone_gives_no_orders_while_a_computer_plays_its_seat(room: Seats) -> None:
    with_people = room.scene
    room.ask(1, SitOrder(3))
    room.scene = replace(with_people, seats={**with_people.seats, "3": "easy"})
    room.ask(1, UndoOrder())
    assert room.refused == [gettext("choose first whom you play")]
    assert room.seats.player_of(1) is None
    room.scene = with_people
    assert room.seats.player_of(1) == 3, "it keeps the seat for a further game"


def test_a_phone_has_one_seat(room: Seats) -> None:
    room.ask(1, SitOrder(1))
    room.ask(1, SitOrder(3))
    assert room.told.keys() == {"3"}


def test_a_seat_has_one_phone_unless_another_takes_it_over(room: Seats) -> None:
    room.ask(1, SitOrder(1))
    room.ask(2, SitOrder(1))
    assert room.refused == [gettext("another phone has this seat already")]
    room.ask(2, SitOrder(1, over=True))
    assert (room.seats.player_of(1), room.seats.player_of(2)) == (None, 1)


def test_a_seat_whose_phone_is_away_is_its_own_until_somebody_wants_it(room: Seats) -> None:
    room.ask(1, SitOrder(1))
    room.seats.disconnect(1)
    assert room.told == {"1": {"mark": "a" * 8, "here": False}}
    room.seats.connect(3, ADA)
    assert room.seats.player_of(3) == 1
    room.seats.disconnect(3)
    room.ask(2, SitOrder(1))
    assert room.seats.player_of(2) == 1
    room.seats.connect(4, ADA)
    assert room.seats.player_of(4) is None
    assert room.table.gone == [1, 3], "the table lets go of what they held"


def test_a_seat_is_given_back(room: Seats) -> None:
    room.ask(1, SitOrder(1))
    room.ask(1, RiseOrder())
    assert room.told == {}
    room.ask(2, SitOrder(1))
    assert room.refused == []


@pytest.mark.parametrize("player", [2, 4, 6])
def test_nobody_sits_where_a_computer_plays_or_nobody(room: Seats, player: int) -> None:
    room.ask(1, SitOrder(player))
    assert room.refused == [gettext("no person plays this seat, so no phone can have it")]
    assert room.told == {}


def test_without_a_seat_nothing_reaches_the_table(room: Seats) -> None:
    room.ask(1, UndoOrder())
    assert room.table.asked == []
    room.ask(1, SitOrder(1))
    room.ask(1, UndoOrder())
    assert room.table.asked == [("detective", 1, UndoOrder())]


def test_a_phone_that_has_lost_its_seat_still_releases_the_key_that_it_holds(room: Seats) -> None:
    press, release = KeyOrder("table.confirm", down=True), KeyOrder("table.confirm", down=False)
    room.ask(1, SitOrder(1))
    room.ask(1, press)
    room.ask(2, SitOrder(1, over=True))
    room.ask(1, press)
    assert room.refused == [gettext("choose first whom you play")]
    room.ask(1, release)
    assert room.table.asked == [("detective", 1, press), ("detective", 1, release)]


# ---- over the line ----


@pytest.fixture
def table() -> Iterator[Served]:
    with served() as opened:
        yield opened


def test_a_phone_that_nobody_could_tell_from_others_is_not_let_in(table: Served) -> None:
    for session in (None, "", "a" * 31, "a" * 33, "A" * 32, "a" * 31 + "\n"):
        with table.page("detective", session) as page:
            assert farewell(page)[0] == NOT_ALLOWED


def test_a_phone_comes_as_it_likes_and_is_told_who_sits_where(table: Served) -> None:
    with table.page("detective", ADA) as page:
        assert hear(page, "phones") == {"kind": "phones", "seats": {}}
        page.send('{"do":"sit","player":1}')
        assert hear(page, "refused")["text"] == gettext("no person plays this seat, so no phone can have it")


def test_the_address_for_phones_is_told_with_its_code(table: Served) -> None:
    status, _, body = table.fetch("/detective/link")
    told = json.loads(body)
    assert (status, told["link"], told["here"]) == (200, f"{table.home}/detective", True)
    assert len({len(row) for row in told["code"]} | {len(told["code"])}) == 1


def test_mister_xs_phone_that_comes_and_goes_is_told_to_nobody(table: Served) -> None:
    session = table.session()
    before = all_of(table.server.public)
    with table.page("spectator") as onlooker:
        hear(onlooker, "phones")
        for _ in range(2):
            with table.page("handset", session) as phone:
                hear(phone, "beat")
            assert all_of(table.server.public) == before
            hear(onlooker, "beat")
            assert all_of(table.server.public) == before
