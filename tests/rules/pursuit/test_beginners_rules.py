"""The beginners version, set-up, moving and the end: BE-01 to BE-04, BE-08 to BE-11."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest

from firmware_host.rules.actions import BLACK, FREE, MR_X, TICKETS, MrXMove, PawnMove
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, Wish
from firmware_host.rules.views import Outcome, Skipped
from tests.rules.data.boxes import away, beginners, game, london, play, refusal, small, turns
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


def test_be_01_there_is_one_pawn_a_station_at_the_start() -> None:
    for start in ((41, 41, 124), (41, 82, 124)):
        with pytest.raises(BadSetup, match="station of its own"):
            over_london(82, *start)


# ---- BE-02 ----


def test_be_02_mister_x_moves_first_in_every_round() -> None:
    table = away()
    for number in (1, 2, 3):
        assert (table.public.round, table.public.turn) == (number, (MR_X,))
        turns(table, "2f" if number % 2 else "1f")


@pytest.mark.parametrize("order", list(permutations(("r54f", "y45f", "g109f"))))
def test_be_02_the_detectives_move_in_any_order(order: tuple[str, ...]) -> None:
    table = over_london(played="81f")
    for done, word in enumerate(order):
        left = {pawn for pawn in table.public.order if pawn[0] in {later[0] for later in order[done:]}}
        assert set(table.public.turn) == left
        assert {move.pawn for move in table.public.moves} == left
        play(table, word)
    assert (table.public.turn, table.public.round) == ((MR_X,), 2)


def test_be_02_nobody_moves_twice_in_a_round() -> None:
    table = over_london(played="81f y45f")
    assert "yellow asked to move, but it is red or green's turn" in refusal(table, "y46f")


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


def test_be_02_a_round_in_which_no_detective_can_move_is_no_end() -> None:
    board = small("taxi 1-2 2-3 1-3, boat 3-31 31-32 32-33 33-34")
    table = game(beginners(), board, 1, 31, 32, 33, players=4, played="2f")
    assert (table.public.round, table.public.turn, table.public.outcome) == (2, (MR_X,), None)
    assert [s.why for s in table.public.skipped] == ["blocked"] * 3


# ---- BE-03 ----


def test_be_03_the_rulebooks_example_from_100_by_taxi_and_by_bus() -> None:
    by_taxi, by_bus = {80, 81, 101, 113, 112}, {63, 82, 111}
    table = over_london(82, 100, 46, 124, played="66f")
    assert {move.to for move in table.public.moves if move.pawn == "red"} == by_taxi | by_bus
    table = over_london(100)
    assert {word for word in shorts(table.legal) if word.endswith("f")} == {f"{n}f" for n in by_taxi | by_bus}


def test_be_03_a_destination_is_offered_once_though_taxi_and_bus_lead_there() -> None:
    assert london().network.around(82)[65] == ("taxi", "bus")
    table = over_london()
    moves = [(a.to.value, a.ticket) for a in table.legal if isinstance(a, MrXMove)]
    assert sorted(moves) == sorted((n, t) for n in (65, 66, 67, 81, 100, 101, 140) for t in (FREE, BLACK))
    table = over_london(100, 82, 46, 124, played="113f")
    assert [move.to for move in table.public.moves if move.pawn == "red"].count(65) == 1


@pytest.mark.parametrize("ticket", [*TICKETS, "boat", "stay", ""])
def test_be_03_no_ticket_pays_for_a_detectives_move(ticket: str) -> None:
    table = over_london(played="81f")
    with pytest.raises(IllegalAction, match="red cannot go to 54"):
        table.play(PawnMove("red", 54, ticket))


@pytest.mark.parametrize("ticket", ["taxi", "bus", "underground", "boat", ""])
def test_be_03_nor_any_but_the_black_one_for_mister_x_move(ticket: str) -> None:
    with pytest.raises(IllegalAction):
        over_london().play(MrXMove(Secret(81), ticket))


def test_be_03_the_underground_is_closed_to_everyone_whatever_is_paid() -> None:
    assert london().network.around(46)[79] == ("underground",)
    table = over_london(46, 82, 41, 124)
    refusal(table, "79f")
    refusal(table, "79k")
    table = over_london(played="81f")
    refusal(table, "y79f")
    refusal(table, "y79u")


def test_be_03_so_is_the_boat_even_for_a_black_ticket() -> None:
    table = over_london(194)
    assert {word[:-1] for word in shorts(table.legal) - {"D"}} == {"192", "193", "195"}
    refusal(table, "157k")


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


def test_be_03_no_one_holds_tickets_and_none_are_paid() -> None:
    table = over_london()
    expected = {"red": {}, "yellow": {}, "green": {}, MR_X: {"black": 1, "double": 1}}
    assert table.public.tickets == expected
    play(table, "81f r54f y45f g109f")
    assert table.public.tickets == expected


def test_be_03_detectives_never_run_out_of_moves() -> None:
    table = away("2f 1f " * 6)
    assert table.public.round == 13
    assert table.public.outcome is None
    assert table.public.skipped == ()


# ---- BE-04 ----


def test_be_04_no_pawn_enters_a_detectives_station() -> None:
    table = over_london(82, 65, 66, 100)
    assert {word[:-1] for word in shorts(table.legal) - {"D"}} == {"67", "81", "101", "140"}
    for word in ("65f", "66f", "100f", "65k"):
        refusal(table, word)
    play(table, "81f")
    refusal(table, "r66f")


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


def test_be_08_there_is_one_double_move_a_game() -> None:
    table = away("D")
    refusal(table, "D")
    play(table, "2f")
    refusal(table, "D")
    turns(table, "3f")
    assert table.public.tickets[MR_X] == {"black": 1, "double": 0}
    refusal(table, "D")


def test_be_08_both_moves_have_to_be_made() -> None:
    table = over_london(played="D 81f")
    with pytest.raises(IllegalAction, match="red asked to move, but it is mr_x's turn"):
        table.play(PawnMove("red", 54, FREE))


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


def test_be_09_a_game_in_which_the_double_was_used_has_14_moves_in_13_rounds() -> None:
    table = away("2f")
    play(table, "D 1f")
    turns(table, "2f" + " 1f 2f" * 5)
    assert (table.public.round, len(table.public.log), table.public.outcome) == (13, 13, None)
    turns(table, "1f")
    assert (table.public.round, len(table.public.log)) == (13, 14)
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


def test_be_10_he_is_not_caught_where_he_has_only_passed() -> None:
    table = over_london(82, 64, 46, 124, played="D 81f 100f r81f")
    assert table.public.outcome is None


def test_be_10_without_a_free_station_to_move_to_he_is_trapped() -> None:
    table = over_london(82, 64, 65, 113, played="81f y82f g100f r63f")
    assert table.public.outcome is None
    table = over_london(82, 63, 65, 113, played="81f y82f g100f r64f")
    assert table.public.outcome == Outcome("detectives", "trapped")
    assert table.public.turn == ()


def test_be_10_he_can_be_trapped_where_nobody_knew_him_to_be() -> None:
    table = over_london(82, 63, 65, 113, played="81k y82f g100f")
    assert table.public.outcome is None
    play(table, "r64f")
    assert table.public.outcome == Outcome("detectives", "trapped")
    assert table.public.pawns[MR_X] == 81


def test_be_10_who_cannot_move_at_all_has_lost_before_the_first_move() -> None:
    board = small("taxi 1-2 1-3 1-4 2-5 3-5 4-5")
    table = game(beginners(), board, 1, 2, 3, 4, players=4)
    assert table.public.outcome == Outcome("detectives", "trapped")


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


def test_be_11_the_last_detective_may_still_catch_him_in_round_13() -> None:
    table = over_london(82, 64, 46, 124)
    for word in ("81f r63f", "82f r64f") * 6:
        play(table, word)
        while table.public.turn != (MR_X,):
            table.play(next(move for move in table.public.moves if move.pawn != "red"))
    play(table, "81f")
    while len(table.public.turn) > 1:
        table.play(next(move for move in table.public.moves if move.pawn != "red"))
    play(table, "r81f")
    assert table.public.round == 13
    assert table.public.outcome == Outcome("detectives", "captured")
