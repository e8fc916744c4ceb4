"""Mister X's page: what he knows goes to it alone, and nobody sees or times anything of what he does there."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from firmware_host.rules.actions import MR_X, Action, MrXMove, to_record
from firmware_host.web.feeds.page_orders import ChooseOrder
from tests.table.cases import SOME, Case, shipped
from tests.web.at_once import AtOnce, Steady, kinds, texts
from tests.web.twins import by, twins


class ByPage(Steady):
    """People of whom Mister X plays on his own page; one of two tries what he may not do as well.

    Args:
        room: the table.
        curious: whether he does so.
    """

    def __init__(self, room: AtOnce, curious: bool) -> None:
        super().__init__(room)
        self._curious = curious

    def choose(self, action: Action) -> None:
        if self._curious:
            for wrong in ({"kind": "move", "to": 9999, "ticket": "taxi"}, {"kind": "pass"}, {"kind": "nonsense"}):
                self.room.ask("handset", ChooseOrder(wrong))
        else:
            self.room.wait(15)
        self.room.ask("handset", ChooseOrder(to_record(action)))
        self.room.wait(1000)
        self._check(action)


def assert_private_alike(case: Case, one: AtOnce, two: AtOnce) -> None:
    """His page, which says other things, is told them at the same times; only in one game he tried what he may not."""
    assert not one.refused
    assert two.refused
    assert "seat" not in kinds(one.public.heard)
    if case.rules != "junior":
        assert texts(one.private.heard) != texts(two.private.heard)
    seats = [[at for at, kind, _ in room.private.heard if kind == "seat"] for room in (one, two)]
    assert seats[0] == seats[1], "nor is it told at another time"
    assert len(seats[0]) > 5


@pytest.mark.parametrize("case", SOME, ids=str)
@pytest.mark.long
def test_pb_07_games_played_on_his_page_send_the_same_to_everyone_at_the_same_times(case: Case) -> None:
    with twins(case, by(ByPage)) as (one, two):
        assert_private_alike(case, one, two)


@pytest.fixture
def room() -> Iterator[AtOnce]:
    with AtOnce(shipped("classic"), seed=4) as opened:
        opened.simulated.new_game(players=4, start={MR_X: 94, "red": 13, "yellow": 26, "green": 174})
        opened.simulated.set_up()
        opened.wait(2000)
        yield opened


def his_choice(room: AtOnce) -> dict[str, str | int]:
    """One of the moves that his page was told."""
    said = json.loads(next(m for _, kind, m in reversed(room.private.heard) if kind == "seat"))
    return dict(random.Random(1).choice([one for one in said["mr_x"]["choices"] if one["kind"] == "move"]))


def test_no_other_page_chooses_for_him(room: AtOnce) -> None:
    for page in ("table", "spectator"):
        room.ask(page, ChooseOrder(his_choice(room)))
    assert room.refused == ["this is done on a player's own page", "a spectator looks on"]
    assert not room.simulated.actions


NONE_OF_HIS: tuple[dict[str, str | int], ...] = (
    {"kind": "move", "to": 9999, "ticket": "taxi"},
    {"kind": "move", "to": "75", "ticket": "taxi"},
    {"kind": "move", "to": 75, "ticket": "taxi", "pawn": "red"},
    {"kind": "pawn", "pawn": "red", "to": 23, "ticket": "taxi"},
    {"kind": "surface"},
    {"to": 75},
)


def test_what_is_none_of_his_choices_is_refused_and_the_refusal_names_no_station(room: AtOnce) -> None:
    for action in NONE_OF_HIS:
        room.ask("handset", ChooseOrder(action))
    assert len(room.refused) == len(NONE_OF_HIS)
    assert not any(digit in why for why in room.refused for digit in "0123456789")
    assert not room.simulated.actions


def test_when_the_table_waits_for_something_else_he_is_told_so_and_nothing_happens(room: AtOnce) -> None:
    choice = his_choice(room)
    room.simulated.hardware.lift(13, "red")
    room.simulated.hardware.put(46, "red")
    room.wait(3000)
    room.ask("handset", ChooseOrder(choice))
    assert room.refused == ["Not now: wait until the pawns on the board are put right"]
    assert not room.simulated.actions


def test_a_detectives_move_is_not_his_to_make_when_it_is_legal(room: AtOnce) -> None:
    room.ask("handset", ChooseOrder(his_choice(room)))
    room.wait(500)
    assert [type(action) for action in room.simulated.actions] == [MrXMove]
    move = room.simulated.public.moves[0]
    room.ask("handset", ChooseOrder(dict(to_record(move))))
    assert room.refused == ["this cannot be chosen now; choose what is shown"]


def test_where_a_computer_plays_him_his_page_is_told_nothing_of_it() -> None:
    with AtOnce(shipped("classic"), seed=4) as room:
        room.simulated.new_game(players=4, seats={MR_X: "easy"})
        room.simulated.set_up()
        room.wait(3000)
        assert all(json.loads(m)["mr_x"] is None for _, kind, m in room.private.heard if kind == "seat")


def test_his_page_is_sent_the_news_that_everyone_is_sent_at_the_same_times(room: AtOnce) -> None:
    room.ask("handset", ChooseOrder(his_choice(room)))
    room.wait(1000)
    public, private = ([one for one in feed.heard if one[1] == "news"] for feed in (room.public, room.private))
    assert any("Mister X" in str(message) for _, _, message in public)
    assert public == private
