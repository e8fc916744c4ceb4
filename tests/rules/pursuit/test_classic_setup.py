"""System "classic", set-up: CL-01 to CL-05, and what cannot be a set-up."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.edition import deal
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import owners_of
from tests.rules.boards import CLASSIC, game, london, setup_of, small

SEATS = (*CLASSIC.owners(6), MR_X)
CARDS = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198)
FIVE = (26, 29, 34, 50, 53)


@pytest.mark.parametrize(("players", "pawns"), [(4, 3), (5, 4), (6, 5)])
def test_cl_01_four_to_six_players_move_one_detective_pawn_each(players: int, pawns: int) -> None:
    owners = owners_of(CLASSIC, players=players)
    assert list(owners.values()) == list(range(1, pawns + 1))
    assert list(owners) == ["red", "yellow", "green", "blue", "purple"][:pawns]


def test_cl_01_three_players_move_four_pawns_two_each() -> None:
    owners = owners_of(CLASSIC, players=3)
    assert owners == {"red": 1, "yellow": 1, "green": 2, "blue": 2}


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        *[({"players": players}, "3 to 6") for players in (-1, 0, 1, 2, 7)],
        *[({"detectives": detectives}, "3 to 5") for detectives in (0, 1, 2, 6)],
        *[({"players": p, "detectives": d}, "do not fit") for p, d in ((3, 3), (4, 4), (6, 4))],
    ],
)
def test_cl_01_other_numbers_of_players_or_pawns_are_refused(wish: dict[str, int], why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        owners_of(CLASSIC, **wish)


def test_cl_01_four_pawns_belong_to_four_players_unless_three_are_said_to_play() -> None:
    assert max(owners_of(CLASSIC, detectives=4).values()) == 4
    assert max(owners_of(CLASSIC).values()) == 4
    assert max(owners_of(CLASSIC, detectives=4, players=3).values()) == 2


def test_cl_01_two_players_may_seat_their_pawns_alternately() -> None:
    owners = owners_of(CLASSIC, players=3, owners=(1, 2, 1, 2))
    assert list(owners.values()) == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("players", "owners"),
    [
        (3, (1, 1, 1, 2)),
        (3, (1, 1, 1, 1)),
        (3, (1, 2, 3, 4)),
        (3, (1, 1, 2)),
        (5, (1, 1, 2, 2)),
        (4, (0, 1, 2)),
        (4, (1, 2, 4)),
    ],
)
def test_cl_01_other_sharings_of_pawns_are_refused(players: int, owners: tuple[int, ...]) -> None:
    with pytest.raises(BadSetup, match="owners"):
        owners_of(CLASSIC, players=players, owners=owners)


@pytest.mark.parametrize("pawns", [3, 4, 5])
def test_cl_02_mister_x_holds_his_supply_and_a_black_ticket_for_each_pawn(pawns: int) -> None:
    table = game(london(), 197, *FIVE[:pawns])
    assert table.public.tickets[MR_X] == {"taxi": 4, "bus": 3, "underground": 3, "black": pawns, "double": 2}


@pytest.mark.parametrize("pawns", [3, 4, 5])
def test_cl_03_each_detective_pawn_holds_ten_eight_and_four(pawns: int) -> None:
    table = game(london(), 197, *FIVE[:pawns])
    hands = [hand for owner, hand in table.public.tickets.items() if owner != MR_X]
    assert hands == [{"taxi": 10, "bus": 8, "underground": 4}] * pawns


def test_cl_04_all_start_stations_come_from_the_deck_and_differ() -> None:
    for seed in range(300):
        dealt = deal(CLASSIC, london().network, SEATS, random.Random(seed))
        assert list(dealt) == list(SEATS)
        assert len(set(dealt.values())) == 6
        assert set(dealt.values()) <= set(CARDS)


def test_cl_04_every_card_can_fall_to_every_seat() -> None:
    chance = random.Random(4)
    seen = {item for _ in range(1500) for item in deal(CLASSIC, london().network, SEATS, chance).items()}
    assert seen == {(name, card) for name in SEATS for card in CARDS}


def test_cl_04_a_deck_that_is_too_small_is_refused() -> None:
    with pytest.raises(BadSetup, match="3 start cards"):
        deal(CLASSIC, small("taxi 1-2 2-3").network, ("red", "yellow", "green", MR_X), random.Random(1))


def test_cl_04_a_card_that_is_on_the_table_already_is_not_dealt_again() -> None:
    wished = dict(zip(SEATS, CARDS[:4], strict=False))
    for seed in range(300):
        dealt = deal(CLASSIC, london().network, SEATS, random.Random(seed), wished)
        assert list(dealt) == list(SEATS)
        assert {name: dealt[name] for name in wished} == wished
        assert {dealt["purple"], dealt[MR_X]} < set(CARDS[4:])
    few = small("taxi 1-2 2-3").network
    with pytest.raises(BadSetup, match="1 start cards do not suffice for 2 pawns"):
        deal(CLASSIC, few, ("red", "yellow", "green", MR_X), random.Random(1), {"red": 1, MR_X: 2})


def test_cl_04_mister_x_start_stays_secret_until_the_end_and_is_told_then() -> None:
    table = game(london(), 197, 26, 29, 34, log_windows=3, played="184t r15t y41b g47t 185t r26t y29b g34t")
    assert table.public.route == ()
    assert "197" not in repr(table.public)
    table.play(table.legal[0])
    assert table.public.route[0] == 197


def test_cl_05_mister_x_pawn_is_not_on_the_board_and_his_start_fills_no_window() -> None:
    public = game(london(), 197, 26, 29, 34).public
    assert public.pawns == {"red": 26, "yellow": 29, "green": 34}
    assert public.log == ()
    assert public.stale == frozenset()
    assert public.round == 1


# ---- what cannot begin ----


@pytest.mark.parametrize(
    ("mr_x", "start", "why"),
    [
        (197, (26, 26, 34), "have the same station"),
        (26, (26, 29, 34), "have the same station"),
        (197, (26, 777, 34), "yellow.*777"),
    ],
)
def test_a_pawn_on_no_station_of_its_own_is_refused(mr_x: int, start: tuple[int, ...], why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        game(london(), mr_x, *start)


def test_mister_x_on_no_station_is_refused_without_telling_the_number() -> None:
    with pytest.raises(BadSetup) as refused:
        game(london(), 777, 26, 29, 34)
    assert "777" not in str(refused.value)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        *[
            ({"owners": {name: n for n, name in enumerate(names, 1)}}, "pawns")
            for names in (("yellow", "red", "green"), ("red", "yellow", "blue"), ("red", "yellow", "white"))
        ],
        ({"owners": {"red": 1, "yellow": 1, "green": 2}}, "owners"),
        ({"owners": {"red": 1, "yellow": 1, "green": 1}}, "owners"),
        ({"start": {"red": 26, "yellow": 29}}, "start"),
        ({"start": {"red": 26, "yellow": 29, "green": 34, "blue": 50}}, "start"),
    ],
)
def test_cl_01_a_game_with_other_pawns_starts_or_sharings_of_pawns_cannot_begin(changed: Any, named: str) -> None:
    with pytest.raises(BadSetup, match=named):
        Game(replace(setup_of(london(), 197, 26, 29, 34), **changed))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"x_fares": "free"}, "x_fares"),
        ({"x_fares": True}, "x_fares"),
        ({"last_chance": 1}, "last_chance"),
        ({"last_chance": "yes"}, "last_chance"),
        ({"log_windows": 2}, "log_windows"),
        ({"log_windows": 25}, "log_windows"),
        ({"log_windows": True}, "log_windows"),
        ({"log_windows": "24"}, "log_windows"),
        ({"cut_off": True}, "cut_off"),
    ],
)
def test_unknown_options_and_values_are_refused_by_name(options: dict[str, str | int | bool], named: str) -> None:
    with pytest.raises(BadSetup, match=named):
        Game(replace(setup_of(london(), 197, 26, 29, 34), options=options))


def test_options_left_out_are_the_defaults() -> None:
    plain = game(london(), 197, 26, 29, 34).public
    said = game(london(), 197, 26, 29, 34, x_fares="unlimited", last_chance=False, log_windows=24).public
    assert plain == said
    assert plain.windows == 24


def test_a_setup_never_prints_mister_x_start() -> None:
    setup = replace(setup_of(london(), 197, 26, 29, 34), mr_x=Secret(197))
    assert "197" not in f"{setup} {setup!r} {setup.mr_x} {setup.mr_x:>20}"
    assert "29" in repr(setup)
