"""System "classic", moving: CL-06 to CL-10, and CL-19, the detectives who cannot."""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.views import Skipped
from tests.rules.boards import game, london, small
from tests.rules.data.boxes import refusal
from tests.rules.pursuit.notation import actions, shorts

FORK = "underground 1-2 2-3 2-4, taxi 5-6 6-7 7-8 8-9 9-5 4-6, bus 10-11 11-12 12-10 12-5"


def test_cl_06_mister_x_moves_first_then_the_detectives_in_order_round_after_round() -> None:
    table = game(london(), 197, 26, 29, 34, 50, 53)
    turns = []
    for _ in range(12):
        turns.append((table.public.round, *table.public.turn))
        table.play(table.legal[0])
    names = [MR_X, "red", "yellow", "green", "blue", "purple"]
    assert turns == [(n, name) for n in (1, 2) for name in names]


def test_cl_06_two_pawns_of_one_player_keep_their_places_in_the_order() -> None:
    table = game(london(), 197, 26, 29, 34, 50, players=3, played="184t")
    assert "red" in refusal(table, "y41b")
    assert table.public.order == ("red", "yellow", "green", "blue")


def test_cl_06_no_one_moves_out_of_turn() -> None:
    table = game(london(), 197, 26, 29, 34)
    assert MR_X in refusal(table, "r15t")
    table.play(actions("184t")[0])
    assert "yellow asked to move" in refusal(table, "y41b")
    assert "red's turn" in refusal(table, "185t")
    assert "red's turn" in refusal(table, "D")
    table.play(actions("r15t")[0])
    assert "it is yellow's turn" in refusal(table, "r26t")


def test_cl_06_a_pawn_that_is_not_in_the_game_cannot_move() -> None:
    table = game(london(), 197, 26, 29, 34, played="184t")
    assert "purple asked to move" in refusal(table, "p54t")


def test_cl_07_a_detective_goes_along_one_link_with_a_ticket_of_its_transport() -> None:
    table = game(london(), 197, 29, 13, 26, played="184t")
    assert shorts(table.legal) == {"r6t", "r16t", "r17t", "r41t", "r42t", "r55b", "r15b", "r41b", "r42b"}
    table.play(actions("r41b")[0])
    # No one rides on to the second station of a line.
    assert shorts(table.legal) == {"y4t", "y23t", "y24t", "y14b", "y23b", "y52b", "y46u", "y67u", "y89u"}
    table.play(actions("y46u")[0])
    assert table.public.pawns == {"red": 41, "yellow": 46, "green": 26}


@pytest.mark.parametrize("word", ["r29t", "r41u", "r55t", "r6b", "r54t", "r41k", "r199t", "r777t", "r0t"])
def test_cl_07_anything_else_is_refused_with_what_would_be_legal(word: str) -> None:
    table = game(london(), 197, 29, 13, 26, played="184t")
    complaint = refusal(table, word)
    assert "red cannot go to" in complaint
    assert "41 by bus" in complaint


def test_cl_07_who_can_move_must() -> None:
    table = game(london(), 197, 29, 13, 26, played="184t")
    refusal(table, "r29t")
    refusal(table, "y14b")
    table = game(london(), 197, 29, 13, 26)
    refusal(table, "197t")
    assert "r29t" not in shorts(table.legal)


def test_cl_07_the_rulebooks_examples_hold_on_the_map() -> None:
    table = game(london(), 1, 153, 74, 197, played="8t")
    taxis = {m.to for m in table.public.moves if m.ticket == "taxi"}
    assert taxis == {139, 154, 167, 166, 152}
    table.play(actions("r139t")[0])
    assert {(m.to, m.ticket) for m in table.public.moves} == {
        *((46, "underground"), (92, "taxi"), (73, "taxi"), (58, "taxi"), (75, "taxi"), (58, "bus"), (94, "bus"))
    }


def test_cl_07_no_detective_ever_takes_the_boat() -> None:
    table = game(london(), 1, 194, 157, 115, 108, played="8t")
    for word, pawn in (("r192t", "r"), ("y156t", "y"), ("g114t", "g"), ("b119t", "b")):
        assert all(move.ticket != "black" for move in table.public.moves)
        for station in (194, 157, 115, 108):
            refusal(table, f"{pawn}{station}k")
        table.play(actions(word)[0])


def test_cl_08_a_detectives_ticket_goes_to_mister_x() -> None:
    table = game(london(), 197, 29, 13, 34, played="184t")
    assert table.public.tickets[MR_X] == {"taxi": 3, "bus": 3, "underground": 3, "black": 3, "double": 2}
    for word in ("r41b", "y46u", "g22t"):
        table.play(actions(word)[0])
    assert table.public.tickets == {
        "red": {"taxi": 10, "bus": 7, "underground": 4},
        "yellow": {"taxi": 10, "bus": 8, "underground": 3},
        "green": {"taxi": 9, "bus": 8, "underground": 4},
        MR_X: {"taxi": 4, "bus": 4, "underground": 4, "black": 3, "double": 2},
    }


def test_cl_08_a_used_up_ticket_is_gone_though_other_detectives_still_hold_some() -> None:
    # Red rides the only underground to and fro until its tickets are gone; the rest walk to and fro beside it.
    table = game(small("underground 1-2, taxi 1-3 2-3 3-4 4-5 5-6 6-7 7-8 8-9"), 9, 1, 4, 6)
    for there, back in (("8t r2u y5t g7t", "9t r1u y4t g6t"),) * 2:
        for action in actions(f"{there} {back}"):
            table.play(action)
    assert table.public.tickets["red"] == {"taxi": 10, "bus": 8, "underground": 0}
    assert table.public.tickets["yellow"]["underground"] == 4
    table.play(actions("8t")[0])
    assert shorts(table.legal) == {"r3t"}
    assert "red cannot go to 2 by underground" in refusal(table, "r2u")


def test_cl_09_a_detective_may_not_enter_another_ones_station() -> None:
    table = game(london(), 197, 29, 41, 42, played="184t")
    assert shorts(table.legal) == {"r6t", "r16t", "r17t", "r55b", "r15b"}
    refusal(table, "r41t")
    refusal(table, "r42b")


def test_cl_09_a_station_just_left_by_another_detective_may_be_entered() -> None:
    table = game(london(), 197, 41, 29, 42, played="184t r28t y41t")
    assert table.public.pawns["yellow"] == 41


def test_cl_10_going_back_and_forth_is_allowed_to_everyone_and_costs_a_ticket_each_time() -> None:
    played = "184t r15t y41t g47t 197t r26t y29t g34t 184t r15t"
    table = game(london(), 197, 26, 29, 34, played=played)
    assert table.public.pawns["red"] == 15
    assert table.public.tickets["red"]["taxi"] == 7
    assert table.private.route.value == (197, 184, 197, 184)


# ---- CL-19 ----


def test_cl_19_a_blocked_detective_is_skipped_and_may_move_again_later() -> None:
    # Red at 1 can only go to 2, where yellow stands; yellow goes away after red was passed over.
    table = game(small(FORK), 8, 1, 2, 10, played="9t")
    assert table.public.skipped == (Skipped("red", "blocked"),)
    assert table.public.turn == ("yellow",)
    assert "yellow" in refusal(table, "r2u")
    for word in ("y3u", "g11b", "8t"):
        table.play(actions(word)[0])
    assert table.public.skipped == ()
    assert table.public.turn == ("red",)
    assert shorts(table.legal) == {"r2u"}


def test_cl_19_a_detective_freed_by_the_one_before_it_is_not_skipped() -> None:
    table = game(small(FORK), 8, 2, 1, 10, played="9t r3u")
    assert table.public.turn == ("yellow",)
    assert shorts(table.legal) == {"y2u"}
    assert table.public.skipped == ()


def test_cl_19_a_detective_blocked_by_the_one_before_it_is_skipped() -> None:
    table = game(small(FORK), 8, 3, 1, 10, played="9t r2u")
    assert table.public.skipped == (Skipped("yellow", "blocked"),)
    assert table.public.turn == ("green",)


def test_cl_19_an_immobilised_detective_stays_for_good_while_the_others_go_on() -> None:
    # Red rides its four underground tickets down where nothing but the underground stops.
    table = game(small(FORK), 8, 1, 10, 5)
    for word in ("7t r2u y12b g6t 8t r1u y10b g5t " * 2).split():
        table.play(actions(word)[0])
    assert table.public.tickets["red"]["underground"] == 0
    for word in ("7t y12b g6t 8t y10b g5t " * 2).split():
        table.play(actions(word)[0])
        assert table.public.skipped == (Skipped("red", "immobilised"),)
        assert table.public.pawns["red"] == 1
    assert table.public.outcome is None


def test_cl_19_an_immobilised_pawn_is_not_merely_blocked_though_others_stand_all_around() -> None:
    played = "9t r2u y12b g6t 8t r1u y10b g4t " * 2 + "9t y12b g2u 8t"
    table = game(small(FORK), 8, 1, 10, 5, played=played)
    assert (table.public.pawns["red"], table.public.pawns["green"]) == (1, 2)
    assert table.public.skipped == (Skipped("red", "immobilised"),)


def test_cl_19_the_last_detective_of_a_round_can_be_skipped_too() -> None:
    table = game(small(FORK), 8, 10, 3, 1, played="9t r11b y2u")
    assert table.public.turn == (MR_X,)
    assert table.public.round == 2
    assert table.public.skipped == (Skipped("green", "blocked"),)


def test_cl_19_nothing_is_paid_by_a_skipped_detective() -> None:
    table = game(small(FORK), 8, 1, 2, 10, played="9t y3u g11b")
    assert table.public.tickets["red"] == {"taxi": 10, "bus": 8, "underground": 4}
