"""The edition "us", the game as it is printed: US-01 to US-09. What is advanced play stands in test_us_advanced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.views import Outcome, Skipped
from tests.rules.data.boxes import game, london_us, play, refusal, setup_of, small, us
from tests.rules.pursuit.notation import actions, shorts

FAR = (26, 29, 34, 50, 53)
"""Start stations far from Mister X on 197 and from each other."""

RINGS = "taxi 1-2 2-3 3-1 11-12 21-22 31-32 41-42 51-52, bus 3-11 12-21 22-31 32-41 42-51"
"""Mister X's triangle, and a pair of stations for each pawn to go back and forth on."""
RING_STARTS = (11, 21, 31, 41, 51)


def rich(taxi: int = 99, bus: int = 0, underground: int = 0) -> Edition:
    """The American edition with other hands for the detectives."""
    return replace(us(), hand=(taxi, bus, underground))


def round_again(table: Game) -> Game:
    """Every detective moves to the other of his two stations."""
    for name in table.public.order:
        if table.public.turn == (name,):
            here = table.public.pawns[name]
            play(table, f"{name[0]}{here + 1 if here % 10 == 1 else here - 1}t")
    return table


def onward(table: Game) -> Game:
    """Mister X moves on to the next station of his triangle."""
    return play(table, f"{table.private.at.value % 3 + 1}t")


def rounds(table: Game, count: int) -> Game:
    """Mister X goes round his triangle, every pawn back and forth."""
    for _ in range(count):
        round_again(onward(table))
    return table


# ---- US-01 ----


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (3, [["purple", "yellow", "blue"], ["red", "green"]]),
        (4, [["purple", "yellow"], ["red", "green"], ["blue"]]),
        (5, [["purple", "yellow"], ["red"], ["green"], ["blue"]]),
        (6, [["purple"], ["red"], ["green"], ["yellow"], ["blue"]]),
    ],
)
def test_us_01_five_pawns_are_shared_out_by_the_owners_table(players: int, seats: list[list[str]]) -> None:
    view = game(us(), london_us(), 197, *FAR, players=players).public
    assert len(view.order) == 5
    shared = [[pawn for pawn in view.order if view.owners[pawn] == player] for player in range(1, players)]
    assert shared == seats


def test_us_01_a_player_moves_his_own_pawns_in_the_order_he_likes() -> None:
    for first in ("p15t y41b", "y41b p15t"):
        table = game(us(), london_us(), 197, *FAR, players=4, played="184t")
        assert table.public.turn == ("purple", "yellow")
        one, two = first.split()
        play(table, one)
        assert len(table.public.turn) == 1
        play(table, two)
        assert table.public.turn == ("red", "green")


def test_us_01_across_players_the_order_is_fixed() -> None:
    table = game(us(), london_us(), 197, *FAR, players=4, played="184t")
    assert "red asked to move, but it is purple or yellow's turn" in refusal(table, "r48t")
    assert "blue asked to move" in refusal(table, "b69t")
    play(table, "y41b p15t")
    assert "blue asked to move, but it is red or green's turn" in refusal(table, "b69t")
    turns = []
    for word in ("g37t", "r48t", "b69t", "185t", "p26t"):
        turns.append(table.public.turn)
        play(table, word)
    assert turns == [("red", "green"), ("red",), ("blue",), (MR_X,), ("purple", "yellow")]


def test_us_01_no_pawn_moves_twice_in_its_owners_turn() -> None:
    table = game(us(), london_us(), 197, *FAR, players=3, played="184t y41b")
    assert table.public.turn == ("purple", "blue")
    assert "yellow asked to move, but it is purple or blue's turn" in refusal(table, "y29b")


def test_us_01_a_pawn_is_blocked_until_his_owners_other_pawn_has_moved() -> None:
    board = small("taxi 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10")
    table = game(us(), board, 9, 1, 2, 4, 5, 6, players=4, played="10t")
    assert table.public.turn == ("yellow",)
    assert shorts(table.public.moves) == {"y3t"}
    play(table, "y3t")
    assert table.public.turn == ("purple",)
    assert shorts(table.public.moves) == {"p2t"}
    assert not table.public.skipped


def test_us_01_pawns_that_stay_blocked_are_passed_over_when_their_owner_is_through() -> None:
    board = small("taxi 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10")
    table = game(us(), board, 9, 1, 5, 2, 3, 7, players=4, played="10t y4t")
    assert table.public.turn == ("blue",)
    assert table.public.skipped == tuple(Skipped(pawn, "blocked") for pawn in ("purple", "red", "green"))


# ---- US-02, US-03 ----


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_us_02_mister_x_has_five_black_tickets_whatever_the_number_of_players(players: int) -> None:
    tickets = game(us(), london_us(), 197, *FAR, players=players).public.tickets
    assert tickets[MR_X] == {"taxi": 4, "bus": 3, "underground": 3, "black": 5, "double": 2}
    assert tickets["purple"] == {"taxi": 10, "bus": 8, "underground": 4}


def test_us_03_mister_x_surfaces_at_five_windows_of_twenty_four_the_last_among_them() -> None:
    table = game(rich(), small(RINGS), 1, *RING_STARTS)
    assert (table.public.windows, table.public.surfacing) == (24, {3, 8, 13, 18, 24})
    shown = []
    while table.public.outcome is None:
        onward(table)
        if MR_X in table.public.pawns:
            shown.append(len(table.public.log))
            assert table.public.log[-1].station == table.private.at.value
        round_again(table)
    assert shown == [3, 8, 13, 18, 24]


# ---- US-04 ----


def test_us_04_after_the_last_window_the_detectives_still_move_and_then_mister_x_wins() -> None:
    table = onward(rounds(game(rich(), small(RINGS), 1, *RING_STARTS), 23))
    assert len(table.public.log) == 24
    assert table.public.outcome is None
    play(table, "p11t r21t g31t y41t")
    assert table.public.turn == ("blue",)
    play(table, "b51t")
    assert table.public.outcome == Outcome(MR_X, "log_full")
    assert len(table.public.route) == 25


def test_us_04_in_the_round_of_the_last_window_he_can_still_be_caught() -> None:
    table = onward(rounds(game(rich(bus=1), small(RINGS), 3, 12, *RING_STARTS[1:]), 23))
    assert table.public.outcome is None
    play(table, "p3b")
    assert table.public.outcome == Outcome("detectives", "captured")


def test_us_04_mister_x_wins_when_no_detective_can_move_any_more() -> None:
    table = rounds(game(rich(2), small(RINGS), 1, *RING_STARTS), 2)
    assert table.public.outcome == Outcome(MR_X, "immobilised")


def test_us_04_tickets_that_fit_nothing_are_as_good_as_none() -> None:
    table = rounds(game(rich(1, 0, 4), small(RINGS), 1, *RING_STARTS), 1)
    assert table.public.tickets["red"] == {"taxi": 0, "bus": 0, "underground": 4}
    assert table.public.outcome == Outcome(MR_X, "immobilised")


# ---- US-05 ----


def test_us_05_a_detectives_station_is_never_offered_to_mister_x() -> None:
    board = small("taxi 1-2 1-3 1-4 3-5, bus 1-2, taxi 6-7 7-8 8-9 9-6 5-6")
    table = game(us(), board, 1, 2, 4, 7, 8, 9)
    assert shorts(table.legal) == {"3t", "3k", "D"}
    refusal(table, "2t")
    refusal(table, "2k")
    play(table, "D 3t")
    assert shorts(table.legal) == {"1t", "1k", "5t", "5k"}


def test_us_05_where_nothing_else_exists_the_game_is_over_at_once() -> None:
    board = small("taxi 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-1")
    assert game(us(), board, 1, 2, 8, 4, 5, 6).public.outcome == Outcome("detectives", "trapped")


def test_us_05_he_is_trapped_when_the_last_free_station_beside_him_is_taken() -> None:
    board = small("taxi 1-2 1-3 3-4 4-5 2-6 11-12 21-22 31-32, bus 5-11 11-21 21-31")
    table = game(us(), board, 3, 6, 5, 11, 21, 31, played="1t p2t r4t g12t y22t b32t")
    assert shorts(table.legal) == {"3t", "3k", "D"}
    caught = game(us(), board, 3, 6, 4, 11, 21, 31, played="1t p2t r3t g12t y22t b32t")
    assert caught.public.outcome == Outcome("detectives", "trapped")
    assert caught.public.pawns[MR_X] == 1


# ---- US-06, US-07, US-08, US-09 ----


def test_us_06_a_stranded_pawn_stays_on_the_board_and_is_out_of_the_game() -> None:
    stranded = game(rich(9, 0, 1), small(RINGS + ", underground 61-62 62-1"), 1, 61, 21, 31, 41, 51)
    play(stranded, "2t p62u r22t g32t y42t b52t")
    for home in (1, 2, 1):
        onward(stranded)
        assert stranded.public.skipped == (Skipped("purple", "immobilised"),)
        assert stranded.public.turn == ("red",)
        play(stranded, " ".join(f"{name}{ten}{home}t" for name, ten in zip("rgyb", "2345", strict=True)))
        assert stranded.public.pawns["purple"] == 62


def test_us_06_a_stranded_pawns_station_stays_shut_to_all_others() -> None:
    board = small(RINGS + ", underground 61-62 62-1, taxi 21-63, boat 62-63")
    table = game(rich(9, 0, 1), board, 1, 61, 21, 31, 41, 51, played="2t p62u r22t g32t y42t b52t 1t")
    assert table.public.skipped == (Skipped("purple", "immobilised"),)
    play(table, "r21t g31t y41t b51t")
    assert not {"62u", "62k"} & shorts(table.legal)


def test_us_07_other_pawns_are_passed_over_on_bus_and_underground_routes() -> None:
    table = game(us(), london_us(), 26, 153, 154, 34, 50, 152, played="15t")
    assert {"p140u", "p124b"} <= shorts(table.public.moves)
    play(table, "p140u")
    assert table.public.pawns["purple"] == 140
    passed = game(us(), london_us(), 153, 154, 29, 34, 50, 53)
    assert {"140u", "140k"} & shorts(passed.legal) == {"140u", "140k"}


def test_us_08_the_boats_of_its_own_map_run_194_157_115_118() -> None:
    network = london_us().network
    boats = {(link.a, link.b) for link in network.links if link.transport == "boat"}
    assert boats == {(157, 194), (115, 157), (115, 118)}
    assert len(network.stations) == 199
    assert 108 not in network.stations
    assert 200 in network.stations
    for here, there in ((194, 157), (157, 115), (115, 118)):
        for a, b in ((here, there), (there, here)):
            legal = shorts(game(us(), london_us(), a, *FAR).legal)
            assert f"{b}k" in legal
            assert f"{b}t" not in legal


def test_us_09_a_double_move_takes_a_card_out_of_play_and_there_are_two() -> None:
    table = game(rich(), small(RINGS), 1, *RING_STARTS)
    for left in (1, 0):
        play(table, "D")
        assert table.public.tickets[MR_X]["double"] == left
        assert "D" not in shorts(table.legal)
        onward(table)
        rounds(table, 1)
    assert "D" not in shorts(table.legal)
    assert [entry.double for entry in table.public.log] == [1, 2, 1, 2]


def test_us_09_he_surfaces_on_the_half_that_fills_the_surfacing_window() -> None:
    first = play(rounds(game(rich(), small(RINGS), 1, *RING_STARTS), 2), "D 1t")
    assert first.public.pawns[MR_X] == first.public.log[2].station == 1
    play(first, "2t")
    assert MR_X not in first.public.pawns
    second = play(rounds(game(rich(), small(RINGS), 1, *RING_STARTS), 1), "D 3t")
    assert MR_X not in second.public.pawns
    play(second, "1t")
    assert second.public.pawns[MR_X] == second.public.log[2].station == 1
    assert second.public.log[1].station is None


def test_us_09_the_last_two_windows_may_be_a_double_move() -> None:
    table = rounds(game(rich(), small(RINGS), 1, *RING_STARTS), 22)
    assert "D" in shorts(table.legal)
    onward(play(table, "D"))
    assert MR_X not in table.public.pawns
    onward(table)
    assert MR_X in table.public.pawns
    assert table.public.turn == ("purple",)
    full = rounds(game(rich(), small(RINGS), 1, *RING_STARTS), 23)
    assert "D" not in shorts(full.legal)


def test_the_options_of_us_are_those_of_the_rules_page_and_advanced_play_is_off() -> None:
    assert dict(us().options) == {
        "x_fares": "unlimited", "voluntary_surfacing": False, "cut_off": False
    }  # fmt: skip
    assert setup_of(us(), london_us(), 197, *FAR).pawns == ("purple", "red", "green", "yellow", "blue")
    assert "S" not in shorts(game(us(), london_us(), 197, *FAR).legal)
    assert actions("S +rb")[1].pawn == "red"  # type: ignore[union-attr]
