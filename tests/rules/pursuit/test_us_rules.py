"""The edition "us": the game as it is printed, US-01 to US-09, and advanced play, US-10 and US-11."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.setup import Setup, owners_of
from firmware_host.rules.views import Outcome, Skipped
from tests.rules.data.boxes import current, game, london, london_us, play, refusal, setup_of, small, us
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


def test_us_01_a_players_pawns_follow_each_other_also_where_players_say_who_moves_which() -> None:
    assert [*owners_of(us(), players=4, owners=(2, 2, 1, 1, 3)).values()] == [2, 2, 1, 1, 3]
    with pytest.raises(BadSetup, match="in us each player's pawns must be next to each other in the list"):
        owners_of(us(), players=4, owners=(1, 2, 1, 2, 3))


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


# ---- US-05 ----


def test_us_05_a_detectives_station_is_never_offered_to_mister_x() -> None:
    board = small("taxi 1-2 1-3 1-4 3-5, bus 1-2, taxi 6-7 7-8 8-9 9-6 5-6")
    table = game(us(), board, 1, 2, 4, 7, 8, 9)
    assert shorts(table.legal) == {"3t", "3k", "D"}
    refusal(table, "2t")
    refusal(table, "2k")
    play(table, "D 3t")
    assert shorts(table.legal) == {"1t", "1k", "5t", "5k"}


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


# ---- advanced play (US-10, US-11) ----


TAKEN = "+pt +rb +gu +yt +bb"
TAKEN_TAXIS = "+pt +rt +gt +yt +bt"
DETECTIVES = "p15t r41b g48t y49t b69t"


def bare(played: str = "", **more: object) -> Game:
    """A game by the option, with Mister X starting on 197 and the detectives far away."""
    return game(us(), london_us(), 197, *FAR, played=played, voluntary_surfacing=True, **more)  # type: ignore[arg-type]


# ---- US-10 ----


def test_us_10_surfacing_is_offered_by_the_option_alone() -> None:
    assert "S" in shorts(bare().legal)
    plain = game(us(), london_us(), 197, *FAR)
    assert "option" in refusal(plain, "S")


def test_us_10_it_is_no_option_of_other_boxes() -> None:
    start = (29, 34, 50, 53, 91)
    with pytest.raises(BadSetup, match="unknown option 'voluntary_surfacing' of current"):
        Game(setup_of(current(), london(), 35, *start, voluntary_surfacing=True))


def test_us_10_it_is_announced_once_and_for_one_move() -> None:
    table = bare("S")
    refusal(table, "S")
    play(table, f"184t {TAKEN} {DETECTIVES}")
    assert "S" in shorts(table.legal)
    play(table, "196t")
    assert MR_X not in table.public.pawns
    assert table.public.turn == ("purple",)


def test_us_10_it_is_never_offered_for_a_window_at_which_he_has_to_surface() -> None:
    table = bare(f"184t {DETECTIVES} 196t p26t r29b g34t y50t b53t")
    assert len(table.public.log) == 2
    refusal(table, "S")
    play(table, "184t")
    assert table.public.pawns[MR_X] == 184
    assert table.public.giving == ()
    assert table.public.turn == ("purple",)


def test_us_10_the_announcement_shows_nowhere_in_public_before_the_move() -> None:
    table, other = bare(), bare()
    play(table, "S")
    assert table.public == other.public
    assert (table.private.shows, other.private.shows) == (True, False)


def test_us_10_after_the_move_his_station_is_public() -> None:
    table = bare("S 184t")
    assert table.public.pawns[MR_X] == 184
    assert table.public.log[0].station == 184
    play(table, f"{TAKEN} {DETECTIVES} 196t")
    assert MR_X not in table.public.pawns
    assert [entry.station for entry in table.public.log] == [184, None]
    assert table.public.stale == {184}


def test_us_10_he_takes_a_ticket_of_his_choice_from_each_pawn_in_order() -> None:
    table = bare("S 184t")
    for word, pawn in zip(TAKEN.split(), ("purple", "red", "green", "yellow", "blue"), strict=True):
        assert table.public.giving[0] == pawn
        assert shorts(table.legal) == {f"+{pawn[0]}{ticket}" for ticket in "tbu"}
        play(table, word)
    hands = table.public.tickets
    assert hands["purple"] == {"taxi": 9, "bus": 8, "underground": 4}
    assert hands["red"] == {"taxi": 10, "bus": 7, "underground": 4}
    assert hands["green"] == {"taxi": 10, "bus": 8, "underground": 3}


def test_us_10_nothing_else_is_taken_from_a_pawn_out_of_turn_or_twice() -> None:
    table = bare("S 184t")
    assert "one ticket from each pawn, in playing order" in refusal(table, "+rt")
    play(table, "+pt")
    refusal(table, "+pt")
    refusal(bare(), "+pt")


def test_us_10_a_pawn_without_tickets_gives_none() -> None:
    edition = replace(us(), hand=(2, 0, 0))
    board = small("taxi 1-2 2-3 3-1 11-12 21-51 31-32 41-42 51-52, bus 3-11 12-31 32-41 42-51")  # blue bars red's way
    table = game(edition, board, 1, 11, 21, 31, 41, 51, voluntary_surfacing=True)
    play(table, "S 2t +pt +rt +gt +yt +bt p12t g32t y42t b52t")
    assert [pawn for pawn in table.public.order if table.public.tickets[pawn]["taxi"]] == ["red"]
    play(table, "S 3t")
    assert table.public.giving == ("red",)
    play(table, "+rt")
    assert table.public.outcome == Outcome(MR_X, "immobilised")


def test_us_10_where_no_pawn_has_a_ticket_the_game_goes_on_at_once() -> None:
    edition = replace(us(), hand=(1, 0, 0))
    table = game(edition, london_us(), 197, *FAR, voluntary_surfacing=True, played=f"D S 184t {TAKEN_TAXIS} S")
    play(table, "196t")
    assert table.public.giving == ()
    assert table.public.pawns[MR_X] == 196
    assert table.public.outcome == Outcome(MR_X, "immobilised")


def test_us_10_he_may_surface_in_either_half_of_a_double_move_or_in_both() -> None:
    first = bare(f"D S 184t {TAKEN}")
    assert (first.public.turn, first.public.double) == ((MR_X,), 2)
    assert first.public.pawns[MR_X] == 184
    play(first, "196t")
    assert MR_X not in first.public.pawns
    assert first.public.turn == ("purple",)
    second = bare("D 184t S 196t")
    assert second.public.giving == ("purple", "red", "green", "yellow", "blue")
    assert [entry.station for entry in second.public.log] == [None, 196]
    assert play(second, TAKEN).public.turn == ("purple",)
    both = bare(f"D S 184t {TAKEN} S 196t {TAKEN}")
    assert both.public.tickets["purple"]["taxi"] == 8
    assert both.public.turn == ("purple",)


def test_us_10_who_shows_himself_twice_running_may_have_left_his_pawn_behind() -> None:
    table = bare(f"S 184t {TAKEN} {DETECTIVES} S 196t")
    assert (table.public.pawns[MR_X], table.public.stale) == (196, {184})
    table = bare(f"D S 184t {TAKEN} S 196t")
    assert (table.public.pawns[MR_X], table.public.stale) == (196, {184})
    table = bare(f"S 184t {TAKEN} {DETECTIVES} D S 196t {TAKEN}")
    assert (table.public.pawns[MR_X], table.public.stale) == (196, {184})
    play(table, "184t")  # window 3: back where he has been
    assert (table.public.pawns[MR_X], table.public.stale) == (184, {196})


def test_us_10_announced_before_the_double_move_it_holds_for_the_first_half() -> None:
    table = bare("S D 184t")
    assert table.public.pawns[MR_X] == 184
    assert table.public.double == 2
    refusal(table, "196t")
    play(table, f"{TAKEN} 196t")
    assert MR_X not in table.public.pawns


# ---- US-11 ----


def _cut(mr_x: int, *start: int, **options: object) -> Setup:
    return setup_of(us(), london_us(), mr_x, *start, cut_off=True, **options)  # type: ignore[arg-type]


def test_us_11_from_153_by_underground_to_140_is_shut_while_a_detective_stands_on_154() -> None:
    shut = Game(_cut(153, 154, 29, 34, 50, 53))
    refusal(shut, "140u")
    assert "140u" in shorts(Game(_cut(153, 155, 29, 34, 50, 53)).legal)
    assert "140u" in shorts(game(us(), london_us(), 153, 154, 29, 34, 50, 53).legal)


def test_us_11_detectives_are_not_bound_by_it() -> None:
    table = Game(_cut(26, 153, 154, 34, 50, 152))
    play(table, "15t")
    assert {"p140u", "p124b"} <= shorts(table.public.moves)
    play(table, "p140u")


def test_us_11_a_black_ticket_goes_where_another_line_is_open() -> None:
    board = small("taxi 1-2 2-3 3-4 4-5 5-6 6-7 7-8, bus 1-3 8-1, underground 1-3 1-4", "bus 1-3 2, underground 1-4 2")
    table = game(us(), board, 1, 2, 5, 6, 7, 8, cut_off=True)
    assert shorts(table.legal) == {"3u", "3k", "D"}
    refusal(table, "3b")
    refusal(table, "4k")


def test_us_10_a_double_move_after_announcing_is_planned_to_its_first_half_and_then_to_its_end() -> None:
    announced = bare("S").double_moves.value
    assert announced
    assert set(announced.values()) == {()}  # what he takes in between comes first
    plain = bare().double_moves.value
    assert plain.keys() == announced.keys()
    assert all(isinstance(second, MrXMove) for seconds in plain.values() for second in seconds)
    assert all(plain.values())
    after = bare(f"S D 184t {TAKEN}")
    assert any(isinstance(action, MrXMove) for action in after.legal)
    assert play(after, "196t").public.turn == ("purple",)
