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


def test_cl_06_no_one_moves_out_of_turn() -> None:
    table = game(london(), 197, 26, 29, 34)
    assert refusal(table, "r15t") == "red asked to move, but it is Mister X's turn"
    table.play(actions("184t")[0])
    assert "yellow asked to move" in refusal(table, "y41b")
    assert "red's turn" in refusal(table, "185t")
    assert "red's turn" in refusal(table, "D")
    table.play(actions("r15t")[0])
    assert "it is yellow's turn" in refusal(table, "r26t")


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


def test_cl_07_the_rulebooks_examples_hold_on_the_map() -> None:
    table = game(london(), 1, 153, 74, 197, played="8t")
    taxis = {m.to for m in table.public.moves if m.ticket == "taxi"}
    assert taxis == {139, 154, 167, 166, 152}
    table.play(actions("r139t")[0])
    assert {(m.to, m.ticket) for m in table.public.moves} == {
        *((46, "underground"), (92, "taxi"), (73, "taxi"), (58, "taxi"), (75, "taxi"), (58, "bus"), (94, "bus"))
    }


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


def test_cl_09_a_detective_may_not_enter_another_ones_station() -> None:
    table = game(london(), 197, 29, 41, 42, played="184t")
    assert shorts(table.legal) == {"r6t", "r16t", "r17t", "r55b", "r15b"}
    refusal(table, "r41t")
    refusal(table, "r42b")


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
