"""Mister X's turn in the dice game (DI-17 to DI-23)."""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.rules.dice.dice_boards import dice, game, idle, idle_and, legal, other_box, play, refusal

ALL_TAXI = "!tttt r3t !ttt y14t !tt g35t"


def by(table: Game, *tickets: str) -> set[str]:
    return {word for word in legal(table) if word[-1] in tickets}


# ---- dice


def test_di_17_mister_x_moves_by_a_die_that_the_detectives_have_used() -> None:
    table = game(20, ALL_TAXI)
    around = table.public.network.around(20)
    assert by(table, "t", "b", "u") == {"18t", "19t", "23t", "30t"} == {f"{n}t" for n in around if "taxi" in around[n]}
    table = play(game(20, ALL_TAXI), "19t !tttt y13t !ttt g36t !bx r11b")
    assert by(table, "b", "t") == {"5b", "15b", "24b", "16t", "17t", "20t", "29t"}


def test_di_17_dice_that_nobody_used_are_not_his() -> None:
    table = idle(game(20))
    assert by(table, "t", "b", "u") == set()
    table = game(20, "!tuuu r3t !uuu y16- !uuu g36-")
    assert dice(table).rolled == ("underground",) * 3
    assert by(table, "t", "b", "u") == {"18t", "19t", "23t", "30t"}
    assert "his choices are on the handset" in refusal(table, "10u")


def test_di_17_the_die_covers_the_place_that_he_entered() -> None:
    table = game(20, ALL_TAXI)
    assert (len(dice(table).used), dice(table).taken, dice(table).covers) == (3, 0, ("x",))
    play(table, "19t")
    assert dice(table).covers == ("x", "taxi")
    entry = table.public.log[0]
    assert (entry.window, entry.ticket, entry.station, entry.double) == (1, "taxi", None, 0)
    assert MR_X not in table.public.pawns
    assert (table.private.at.value, table.private.route.value) == (19, (20, 19))
    assert (table.public.round, table.private.choices.value) == (2, ())


def test_di_17_one_way_streets_bind_him_too() -> None:
    table = game(21, "!ttt r14t !tt y5t", players=2, layout="fCe BDA", red=13, yellow=6)
    assert by(table, "t") == {"22t"}
    assert by(table, "k") == {"22k", "23k"}  # 5 is yellow's


# ---- passing


def test_di_18_he_passes_if_he_can_use_none_of_them() -> None:
    table = idle(game(20))
    assert "P" in legal(table)
    play(table, "P")
    assert (dice(table).covers, dice(table).supply) == (("x", "x"), 1)
    assert [(e.window, e.ticket, e.station) for e in table.public.log] == [(1, "pass", None)]
    assert table.private.route.value == (20, 20)
    assert (table.public.round, table.public.turn) == (2, ("yellow",))


def test_di_18_who_can_use_a_die_does_not_pass() -> None:
    assert "only if no die lets him move" in refusal(game(20, ALL_TAXI), "P")


# ---- black tickets


def test_di_19_a_black_ticket_pays_for_any_transport_and_does_not_tell_which() -> None:
    table = idle(game(20))
    assert by(table, "k") == {f"{to}k" for to in table.public.network.around(20)}
    assert {"3k", "10k", "18k"} <= legal(table)
    play(table, "10k")
    assert [(e.ticket, e.station) for e in table.public.log] == [("black", None)]
    assert table.public.tickets[MR_X]["black"] == 2
    assert dice(table).covers == ("x", "x")


def test_di_19_with_it_he_may_go_against_a_one_way_street() -> None:
    table = idle(game(21, players=2, layout="fCe BDA", red=13, yellow=6))
    assert by(table, "k") == {"22k", "23k", "5k"}
    assert 23 not in table.public.network.around(21)


def test_di_19_the_die_on_it_is_one_that_nobody_used() -> None:
    table = game(20, "!ttbx r3t !tbx y14t !bx g36-")
    assert (dice(table).rolled, dice(table).supply) == (("bus", "x"), 2)
    play(table, "D 10k")
    assert (dice(table).rolled, dice(table).supply, dice(table).taken) == (("bus",), 2, 0)
    assert dice(table).covers == ("x", "x")


def test_di_19_where_all_others_are_in_use_the_last_used_one_covers_it() -> None:
    small = other_box(dice=5, surfacing=[], windows=4, detectives={"hand": 3})
    table = game(20, "!txx r3t !xx y16- !xx g36- 23t !ttu y14t !tu g35t !u r25u D", of=small)
    assert (dice(table).rolled, dice(table).supply, dice(table).taken) == ((), 0, 0)
    play(table, "20k")
    assert (dice(table).taken, len(dice(table).used), dice(table).covers) == (1, 3, ("x", "taxi", "x"))
    assert by(table, "t", "b", "u") == {"18t", "19t", "23t", "30t"}  # red's underground covers the place


# ---- a double move


def test_di_20_a_double_move_is_two_dice_one_after_the_other_and_two_entries() -> None:
    table = game(20, "!tttt r3t !ttt y14t !bx g36- D")
    assert (table.public.double, table.public.tickets[MR_X]["double"], table.public.turn) == (1, 0, (MR_X,))
    play(table, "18t")
    assert (table.public.double, dice(table).taken, dice(table).covers) == (2, 1, ("x", "taxi"))
    assert table.public.turn == (MR_X,)
    play(table, "8t")
    assert [(e.ticket, e.double) for e in table.public.log] == [("taxi", 1), ("taxi", 2)]
    assert dice(table).covers == ("x", "taxi", "taxi")
    assert (table.public.round, table.public.double) == (2, 0)
    assert table.private.route.value == (20, 18, 8)


def test_di_20_its_first_half_has_to_leave_a_second() -> None:
    table = idle_and(game(20), "10k", "9k", "11k")
    play(table, "!txxx r2t !xxx y16- !xxx g36-")
    assert legal(table) == {"8t", "9t", "12t", "21t", "D"}
    play(table, "D")
    assert legal(table) == {"9t", "12t"}  # from these the helicopter leads on, and there is no other die
    assert legal(play(table, "9t")) == {"35h"}


def test_di_20_to_pass_is_no_half_of_a_double_move() -> None:
    table = idle(game(20))
    assert {"P", "D"} <= legal(table)
    play(table, "D")
    assert {word[-1] for word in legal(table)} == {"k"}
    assert refusal(table, "P")
    assert {word[-1] for word in legal(play(table, "18k"))} == {"k"}


def test_di_20_he_shows_himself_in_the_middle_of_it() -> None:
    table = play(idle(idle_and(game(20), "P", "P")), "D 10k")
    assert table.public.pawns[MR_X] == 10
    assert (table.public.double, dice(table).covers) == (2, ())
    play(table, "9k")
    assert MR_X not in table.public.pawns
    assert table.public.stale == {10}
    assert dice(table).covers == ("x",)


# ---- the helicopter


@pytest.mark.parametrize(("edge", "flights"), [(13, {"22h"}), (2, {"28h"}), (35, {"9h"}), (24, {"15h"})])
def test_di_21_the_helicopter_flies_to_the_opposite_edge(edge: int, flights: set[str]) -> None:
    assert by(idle(game(edge)), "h") == flights


def test_di_21_from_a_corner_it_flies_either_way_and_from_within_it_does_not() -> None:
    assert by(idle(game(10, red=13, green=17)), "h") == {"1h", "36h"}
    assert by(idle(game(20)), "h") == set()


def test_di_21_it_is_there_once() -> None:
    table = play(idle(game(13)), "22h")
    assert table.public.tickets[MR_X]["helicopter"] == 0
    assert [(e.ticket, e.station) for e in table.public.log] == [("helicopter", None)]
    assert dice(table).covers == ("x", "x")
    assert table.private.at.value == 22
    assert by(idle(table), "h") == set()


# ---- must and may


def test_di_22_he_must_move_by_a_die_if_he_can() -> None:
    table = game(20, ALL_TAXI)
    assert "P" not in legal(table)
    assert legal(table) == {"18t", "19t", "23t", "30t", "10k", "18k", "19k", "23k", "25k", "30k", "32k", "D"}


# ---- showing himself


def test_di_23_he_shows_himself_after_his_third_seventh_and_eleventh_move() -> None:
    table, shown, announced = game(20), [], []
    for move in range(1, 14):
        idle(table)
        announced += [move] if table.private.shows else []
        play(table, "P")
        shown += [move] if MR_X in table.public.pawns else []
    assert shown == announced == [3, 7, 11]
    assert table.public.surfacing == {3, 7, 11}
    assert table.public.windows == 13


def test_di_23_his_pawn_stays_on_the_board_until_he_moves_again() -> None:
    table = idle_and(game(20), "10k", "9k", "11k")
    assert table.public.pawns[MR_X] == 11
    assert [entry.station for entry in table.public.log] == [None, None, 11]
    assert table.public.stale == frozenset()
    idle(table)
    assert table.public.pawns[MR_X] == 11
    play(table, "P")
    assert MR_X not in table.public.pawns
    assert [entry.station for entry in table.public.log] == [None, None, 11, None]
    assert table.public.stale == {11}
