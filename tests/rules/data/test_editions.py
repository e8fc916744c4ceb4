"""Editions as data files (ED-01): what the shipped ones say, the common pile, and what a box asks of a map."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.rules.actions import MR_X
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.edition import deal
from firmware_host.rules.setup import Wish
from tests.rules.data.boxes import NAMES, classic, complaints, current, london, setup_of, shipped, us
from tests.rules.dice.dice_boards import yard
from tests.shipped_grounds import ground_names, load_map

CLASSIC_CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198}
CURRENT_CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174}
CURRENT_X_CARDS = {35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172}


# ---- what the shipped ones say ----


def test_ed_01_three_pursuit_editions_are_shipped_and_load() -> None:
    assert set(NAMES) <= set(shipped_files.edition_names())
    for name in NAMES:
        edition = shipped_files.load_edition(name)
        assert edition.name == name
        assert edition.title
        assert edition.map in ground_names()


def test_cl_01_classic_gives_each_detective_a_pawn_and_with_three_players_two() -> None:
    edition = classic()
    assert {players: len(edition.owners(players)) for players in edition.seats} == {3: 4, 4: 3, 5: 4, 6: 5}
    assert [list(edition.owners(3).values()), edition.order] == [[1, 1, 2, 2], "fixed"]
    assert edition.sizes == [3, 4, 5]


def test_cl_02_cl_03_classic_has_these_tickets() -> None:
    edition = classic()
    assert (edition.mr_x_hand, edition.blacks, edition.doubles) == ((4, 3, 3), None, 2)
    assert edition.hand == (10, 8, 4)
    assert edition.mr_x_hand is not None
    together = [5 * own + his for own, his in zip(edition.hand, edition.mr_x_hand, strict=True)]
    assert together == [54, 43, 23]
    for players, pawns in ((3, 4), (4, 3), (5, 4), (6, 5)):
        start = sorted(CLASSIC_CARDS)[: pawns + 1]
        table = Game(setup_of(edition, london(), *start, players=players))
        assert table.public.tickets[MR_X]["black"] == pawns


def test_cl_04_cl_14_classic_has_one_deck_and_four_surfacings() -> None:
    edition = classic()
    assert (edition.cards, edition.mr_x_cards) == ((), ())
    assert set(london().network.start_cards) == CLASSIC_CARDS
    assert (edition.windows, edition.surfacing) == (24, {3, 8, 13, 18})
    assert dict(edition.options) == {"x_fares": "unlimited", "last_chance": False, "log_windows": 24}


def test_us_01_us_02_us_03_the_american_edition_has_these_numbers() -> None:
    edition = us()
    assert {players: len(edition.owners(players)) for players in edition.seats} == {3: 5, 4: 5, 5: 5, 6: 5}
    assert (edition.hand, edition.mr_x_hand, edition.blacks, edition.doubles) == ((10, 8, 4), (4, 3, 3), 5, 2)
    assert (edition.windows, edition.surfacing) == (24, {3, 8, 13, 18, 24})
    assert (edition.order, edition.map) == ("player", "london-us")
    assert {"voluntary_surfacing", "cut_off"} <= set(edition.options)
    assert not edition.options["voluntary_surfacing"]
    assert not edition.options["cut_off"]


def test_ed_01_current_has_these_numbers() -> None:
    edition = current()
    assert (edition.hand, edition.mr_x_hand, edition.blacks, edition.doubles) == ((11, 8, 4), None, 5, 2)
    assert (set(edition.cards), set(edition.mr_x_cards)) == (CURRENT_CARDS, CURRENT_X_CARDS)
    assert (edition.windows, edition.surfacing) == (24, {3, 8, 13, 18, 24})
    assert (edition.rounds, edition.order, edition.map) == (22, "free", "london")
    assert [*map(edition.owners, edition.seats)] == [
        {"red": 1, "green": 1, "yellow": 2, "blue": 2},
        {"red": 1, "blue": 1, "yellow": 2, "green": 3},
        *map(classic().owners, (5, 6)),
    ]
    assert edition.bobbies == {3: ("green", "blue"), 4: ("blue",)}
    assert dict(edition.options) == {}


def test_ed_01_in_current_mister_x_pays_from_the_common_pile_however_little_he_holds() -> None:
    table = Game(setup_of(current(), london(), 35, 13, 26, 29, 34, 50))
    assert {action.ticket for action in table.legal if hasattr(action, "ticket")} >= {"taxi", "black"}


@pytest.mark.parametrize("name", NAMES)
def test_cl_04_start_stations_come_from_the_editions_own_decks(name: str) -> None:
    edition = shipped(name)
    network = load_map(edition.map)
    pawns, his = set(), set()
    for seed in range(300):
        owners = edition.owners(3 + seed % 4)
        dealt = deal(edition, network, (*owners, MR_X), random.Random(seed))
        assert len(set(dealt.values())) == len(owners) + 1
        his.add(dealt.pop(MR_X))
        pawns |= set(dealt.values())
    decks = (CURRENT_CARDS, CURRENT_X_CARDS) if name == "current" else (CLASSIC_CARDS, CLASSIC_CARDS)
    assert (pawns, his) == decks


# ---- the common pile ----


def test_ed_01_who_pays_from_the_common_pile_has_no_tickets_to_count_but_black_and_double() -> None:
    table = Game(setup_of(current(), london(), 35, 13, 26, 29, 34, 50))
    tickets = table.public.tickets
    assert tickets[MR_X] == {"black": 5, "double": 2}
    assert tickets["red"] == {"taxi": 11, "bus": 8, "underground": 4}
    chance = random.Random(1)
    while table.public.outcome is None and table.public.round < 5:
        table.play(chance.choice(table.legal))
    assert table.public.round > 1
    assert set(table.public.tickets[MR_X]) == {"black", "double"}


def test_ed_01_what_is_in_the_common_pile_cannot_be_counted() -> None:
    for option, value in {"x_fares": "counted", "voluntary_surfacing": True}.items():
        lines = complaints(lambda data, o=option, v=value: data["options"].update({o: v}), "current")
        assert f"[options] {option}: is no option where he pays from the common pile; leave it out" in lines
    forced = replace(current(), options={"x_fares": "unlimited"})
    with pytest.raises(BadSetup, match="x_fares: in current he pays from the common pile, and nothing is counted"):
        Game(setup_of(forced, london(), 35, 13, 26, 29, 34, 50, x_fares="counted"))


# ---- what a box asks of a map ----


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"cards": (13, 26, 29, 34, 777)}, "current: start card 777: there is no such station on london"),
        ({"mr_x_cards": (35, 778)}, "current: start card 778: there is no such station on london"),
        ({"posts": (41, 46, 124, 142, 779), "cards": ()}, "current: start card 779: there is no such station on"),
        ({"cards": (13, 26, 29, 34)}, "current: 4 start cards do not suffice for 5 pawns"),
        ({"cards": (13, 26, 29, 34, 50), "mr_x_cards": ()}, "current: 5 start cards do not suffice for 6 pawns"),
        ({"mr_x_cards": (13, 26, 29, 34, 50)}, "current: 5 detectives may draw all 5 start cards of mr_x"),
        ({"mr_x_cards": (13,)}, "current: 5 detectives may draw all 1 start cards of mr_x"),
    ],
)
def test_a_box_whose_start_cards_may_fail_on_a_map_does_not_suit_it(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(BadSetup, match=told):
        system(replace(current(), **changed)).check_ground(london().network, 6)


@pytest.mark.parametrize(
    "changed", [{}, {"mr_x_cards": (13, 26, 29, 34, 50, 53)}, {"mr_x_cards": (1,)}, {"cards": (1, 2, 3, 4, 5)}]
)
def test_a_box_whose_start_cards_never_run_out_suits_a_map(changed: dict[str, Any]) -> None:
    edition = replace(current(), **changed)
    for players in edition.seats:
        system(edition).check_ground(london().network, players)
        for seed in range(20):
            system(edition).deal(london().network, Wish(players=players), random.Random(seed))


def test_a_pursuit_game_is_not_played_on_tiles() -> None:
    for asked in (
        lambda: system(classic()).check_ground(yard(), 4),
        lambda: system(classic()).deal(yard(), Wish(), random.Random(1)),
    ):
        with pytest.raises(BadSetup, match="map: yardboard are tiles; classic is played on a printed map"):
            asked()


@pytest.mark.parametrize("name", ["red", MR_X])
def test_a_start_that_is_no_number_is_refused_and_not_told(name: str) -> None:
    with pytest.raises(BadSetup, match=f"^deal: {name}: a station is a whole number$"):
        system(classic()).deal(london().network, Wish(start={name: True}), random.Random(1))
