"""The beginners version, set-up, moving and the end: BE-01 to BE-04, BE-08 to BE-11."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest

from firmware_host.rules.actions import MR_X, TICKETS, PawnMove
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.setup import Setup, Wish
from firmware_host.rules.views import Outcome, Skipped
from tests.rules.data.boxes import away, beginners, game, london, play, refusal, small
from tests.rules.pursuit.notation import shorts


def over_london(mr_x: int = 82, *start: int, played: str = "") -> Game:
    stations = start or (41, 46, 124)
    return game(beginners(), london(), mr_x, *stations, players=len(stations) + 1, played=played)


def dealt(seed: int, **wish: object) -> Setup:
    return Pursuit(beginners()).deal(london().network, Wish(**wish), random.Random(seed))  # type: ignore[arg-type]


# ---- BE-01 ----


def test_be_01_one_mister_x_plays_against_three_or_four_detectives_with_a_pawn_each() -> None:
    assert {players: beginners().owners(players) for players in beginners().seats} == {
        4: {"red": 1, "yellow": 2, "green": 3},
        5: {"red": 1, "yellow": 2, "green": 3, "blue": 4},
    }


@pytest.mark.parametrize("players", [2, 3, 6])
def test_be_01_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(BadSetup, match="4 to 5"):
        dealt(1, players=players)


@pytest.mark.parametrize(("detectives", "posts"), [(3, (41, 46, 124)), (4, (41, 46, 124, 142))])
def test_be_01_mister_x_starts_on_82_and_the_detectives_on_their_posts_in_any_order(
    detectives: int, posts: tuple[int, ...]
) -> None:
    seen = set()
    for seed in range(400):
        setup = dealt(seed, detectives=detectives)
        assert setup.mr_x.value == 82
        seen.add(tuple(setup.start.values()))
    assert seen == set(permutations(posts))


def test_be_01_a_detective_chooses_his_post_and_the_others_share_the_rest() -> None:
    for seed in range(50):
        setup = dealt(seed, detectives=3, start={"yellow": 124})
        assert setup.start["yellow"] == 124
        assert {setup.start["red"], setup.start["green"]} == {41, 46}
        assert setup.mr_x.value == 82


def test_be_01_another_start_can_be_wished_for_mister_x_too() -> None:
    setup = dealt(1, detectives=3, start={MR_X: 100, "red": 142})
    assert (setup.mr_x.value, setup.start["red"]) == (100, 142)
    assert {setup.start["yellow"], setup.start["green"]} < {41, 46, 124}


def test_be_01_where_his_station_is_taken_there_is_none_left_for_him() -> None:
    with pytest.raises(BadSetup, match="0 start cards do not suffice for 1 pawns"):
        dealt(1, detectives=3, start={"red": 82})


# ---- BE-02 ----


@pytest.mark.parametrize("order", list(permutations(("r54f", "y45f", "g109f"))))
def test_be_02_the_detectives_move_in_any_order(order: tuple[str, ...]) -> None:
    table = over_london(played="81f")
    for done, word in enumerate(order):
        left = {pawn for pawn in table.public.order if pawn[0] in {later[0] for later in order[done:]}}
        assert set(table.public.turn) == left
        assert {move.pawn for move in table.public.moves} == left
        play(table, word)
    assert (table.public.turn, table.public.round) == ((MR_X,), 2)


def test_be_02_everyone_has_to_move_to_another_station() -> None:
    table = over_london()
    refusal(table, "82f")
    play(table, "81f")
    refusal(table, "r41f")
    with pytest.raises(IllegalAction):
        table.play(PawnMove("red", 41, "stay"))


def test_be_02_who_cannot_move_stays_and_may_move_again_later() -> None:
    # 21 is a dead end behind 22, where red stands.
    board = small("taxi 21-22 22-23 23-24 24-25 22-24 1-2 2-3 1-3, boat 3-25")
    table = game(beginners(), board, 1, 22, 21, 23, players=4, played="2f")
    assert table.public.turn == ("red", "green")
    play(table, "g24f")
    assert table.public.turn == ("red",)
    play(table, "r23f")
    assert table.public.turn == ("yellow",)  # the way is free, and the round not over
    play(table, "y22f")
    assert (table.public.round, table.public.skipped) == (2, ())
    play(table, "1f g25f y21f r22f")
    assert (table.public.round, table.public.skipped) == (3, ())


def test_be_02_who_is_still_blocked_when_all_others_have_moved_is_passed_over() -> None:
    board = small("taxi 21-22 22-23 23-24 24-25 1-2 2-3 1-3, boat 3-25")
    table = game(beginners(), board, 1, 23, 21, 24, players=4, played="2f r22f")
    assert table.public.turn == ("green",)
    play(table, "g23f")
    assert table.public.round == 2
    assert table.public.skipped == (Skipped("yellow", "blocked"),)
    play(table, "1f")
    assert table.public.skipped == ()
    assert table.public.turn == ("green",)
    play(table, "g24f r23f y22f")
    assert (table.public.round, table.public.skipped) == (3, ())


# ---- BE-03 ----


def test_be_03_the_rulebooks_example_from_100_by_taxi_and_by_bus() -> None:
    by_taxi, by_bus = {80, 81, 101, 113, 112}, {63, 82, 111}
    table = over_london(82, 100, 46, 124, played="66f")
    assert {move.to for move in table.public.moves if move.pawn == "red"} == by_taxi | by_bus
    table = over_london(100)
    assert {word for word in shorts(table.legal) if word.endswith("f")} == {f"{n}f" for n in by_taxi | by_bus}


@pytest.mark.parametrize("ticket", [*TICKETS, "boat", "stay", ""])
def test_be_03_no_ticket_pays_for_a_detectives_move(ticket: str) -> None:
    table = over_london(played="81f")
    with pytest.raises(IllegalAction, match="red cannot go to 54"):
        table.play(PawnMove("red", 54, ticket))


def test_be_03_the_underground_is_closed_to_everyone_whatever_is_paid() -> None:
    assert london().network.around(46)[79] == ("underground",)
    table = over_london(46, 82, 41, 124)
    refusal(table, "79f")
    refusal(table, "79k")
    table = over_london(played="81f")
    refusal(table, "y79f")
    refusal(table, "y79u")


def test_be_03_the_map_in_view_has_no_closed_lines_and_the_setup_has_the_whole_map() -> None:
    table = over_london()
    assert {link.transport for link in table.public.network.links} == {"taxi", "bus"}
    assert set(table.public.network.stations) == set(london().network.stations)
    assert table.public.network.transports(46) == ("taxi", "bus")
    assert table.public.network is over_london().public.network  # networks are told apart by identity
    assert table.setup.network is london().network
    record = table.setup.to_record()
    assert record["map"] == ["london", london().network.digest]
    again = Setup.from_record(record, beginners(), london().network)
    assert Game(again).public == table.public


# ---- BE-04 ----


def test_be_04_nor_does_mister_x_in_either_half_of_a_double_move() -> None:
    table = over_london(82, 65, 66, 100, played="D")
    refusal(table, "100f")
    refusal(table, "100k")
    play(table, "81f")
    assert shorts(table.legal) == {"64f", "64k", "82f", "82k"}
    refusal(table, "100f")


@pytest.mark.parametrize("word", ["81f", "81k"])
def test_be_04_a_detective_may_enter_mister_x_station_and_that_wins(word: str) -> None:
    table = over_london(82, 64, 66, 124, played=word)
    play(table, "r81f")
    assert table.public.outcome == Outcome("detectives", "captured")


# ---- BE-08, BE-09 ----


def test_be_08_a_double_move_is_two_moves_in_one_turn_and_two_windows() -> None:
    table = over_london(played="D")
    assert (table.public.double, table.public.turn, table.public.log) == (1, (MR_X,), ())
    play(table, "81f")
    assert (table.public.double, table.public.turn) == (2, (MR_X,))
    assert table.public.round == 1
    play(table, "64f")
    assert (table.public.double, set(table.public.turn)) == (0, {"red", "yellow", "green"})
    assert [(e.window, e.station, e.double) for e in table.public.log] == [(1, 81, 1), (2, 64, 2)]
    assert table.public.pawns[MR_X] == 64


def test_be_08_where_no_second_move_can_follow_there_is_no_first_half() -> None:
    # With boats open, the black ticket is the only way off 3, and back from there.
    edition = replace(beginners(), closed=("underground",))
    board = small("taxi 1-2 2-4 4-1, boat 1-3 2-11, taxi 11-12 12-13 13-14 14-11")
    table = game(edition, board, 1, 11, 12, 13, players=4)
    assert shorts(table.legal) == {"2f", "4f", "2k", "3k", "4k", "D"}
    play(table, "D")
    assert shorts(table.legal) == {"2f", "4f", "2k", "4k"}
    refusal(table, "3k")


def test_be_09_a_double_move_in_round_13_gives_a_14th_move_and_the_detectives_move_once_more() -> None:
    table = away("2f 1f " * 6)
    assert (table.public.round, len(table.public.log)) == (13, 12)
    play(table, "D 2f")
    assert table.public.turn == (MR_X,)
    play(table, "3f")
    assert len(table.public.log) == 14
    assert (table.public.round, table.public.outcome) == (13, None)
    for left in (3, 2, 1):
        assert len(table.public.turn) == left
        table.play(table.public.moves[0])
    assert table.public.outcome == Outcome(MR_X, "rounds_over")


# ---- BE-10, BE-11 ----


def test_be_10_a_hidden_mister_x_is_caught_too_and_has_to_show_himself() -> None:
    table = over_london(82, 64, 66, 124, played="81k")
    assert MR_X not in table.public.pawns
    play(table, "g109f r81f")
    assert table.public.outcome == Outcome("detectives", "captured")
    assert table.public.pawns[MR_X] == 81
    assert [entry.station for entry in table.public.log] == [81]
    assert table.public.route == (82, 81)


def test_be_10_without_a_free_station_to_move_to_he_is_trapped() -> None:
    table = over_london(82, 64, 65, 113, played="81f y82f g100f r63f")
    assert table.public.outcome is None
    table = over_london(82, 63, 65, 113, played="81f y82f g100f r64f")
    assert table.public.outcome == Outcome("detectives", "trapped")
    assert table.public.turn == ()


def test_be_11_mister_x_wins_when_round_13_is_over_the_detectives_moves_included() -> None:
    table = away("2f 1f " * 6)
    play(table, "2f")
    assert (table.public.round, len(table.public.log), table.public.outcome) == (13, 13, None)
    for _ in range(2):
        table.play(table.public.moves[0])
    assert table.public.outcome is None
    table.play(table.public.moves[0])
    assert table.public.outcome == Outcome(MR_X, "rounds_over")
    assert table.public.turn == ()
    assert table.legal == ()
