"""The detectives' part of a round of the dice game (DI-03 to DI-06, DI-12 to DI-16, DI-24)."""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import MR_X, RollAgain
from firmware_host.rules.views import Skipped
from tests.rules.dice.dice_boards import dice, game, idle, idle_and, legal, other_box, play, refusal

# ---- where a die leads


def test_di_03_a_transport_can_be_used_only_from_a_place_that_has_it() -> None:
    assert legal(game(12, "!tbux")) == {"r2t", "r3t", "R"}  # on 1 only taxis stop
    on_three = play(game(12, "!tttt r3t !ttt y14t !tt g35t 22t"), "!tttt y13t !ttt g36t !bu")
    assert legal(on_three) == {"r11b", "r10u", "r20u", "r25u", "r32u", "R"}


def test_di_05_a_bus_passes_over_a_taxi_only_place_that_holds_a_pawn() -> None:
    table = play(game(12, "!tttt r3t !ttt y4t !tt g35t 22t", yellow=7), "!tttt y7t !ttt g36t !bb")
    assert table.public.pawns == {"red": 3, "yellow": 7, "green": 36}
    assert "r11b" in legal(table)  # over 4, 7 and 8
    assert table.public.network.via(3, 11, "bus") == (4, 7, 8)


def test_di_06_detectives_never_ride_against_a_one_way_street() -> None:
    table = game(12, "!tbx", players=2, layout="fCe BDA", red=22, yellow=6)
    assert table.public.network.around(21)[22] == ("taxi",)
    assert legal(table) == {"r9t", "r24t", "y5t", "y13t", "y24t", "R"}
    assert "red cannot go to 21 by taxi" in refusal(table, "r21t")


# ---- whose turn it is


def test_di_12_all_detectives_move_and_then_mister_x() -> None:
    table, turns = game(12), []
    for word in ["!tttt", "r3t", "!ttt", "y14t", "!tt", "g35t", "22t"]:
        turns.append(table.public.turn)
        play(table, word)
    assert turns == [("red",), ("red",), ("yellow",), ("yellow",), ("green",), ("green",), (MR_X,)]
    assert (table.public.round, table.public.turn) == (2, ("yellow",))


@pytest.mark.parametrize(
    ("players", "turns"),
    [
        (4, ["red yellow green", "yellow green red", "green red yellow", "red yellow green"]),
        (3, ["red yellow", "yellow red", "red yellow", "yellow red"]),
    ],
)
def test_di_12_another_detective_begins_in_each_round(players: int, turns: list[str]) -> None:
    table = game(12, players=players)
    for number, expected in enumerate(turns, 1):
        found = []
        while not table.public.mr_x_to_move:
            found += [*table.public.turn]
            play(table, "!" + "x" * dice(table).to_roll)
            table.play(table.public.moves[0])
        assert (table.public.round, " ".join(found)) == (number, expected)
        play(table, "P")
    assert table.public.order == ("red", "yellow", "green")[: players - 1]


def test_di_12_only_the_detective_on_turn_moves() -> None:
    table = game(12, "!tttt r3t !ttt")
    for word in ("r4t", "g34t", "22t", "P", "D"):
        assert refusal(table, word)
    assert "legal is yellow to 14 by taxi" in refusal(table, "g34t")
    assert refusal(table, "22t") == "it is yellow's turn to move a pawn: Mister X has to wait"


# ---- dice


def test_di_13_the_first_detective_rolls_the_whole_hand_and_the_next_what_is_left() -> None:
    table = game(12)
    assert (dice(table).to_roll, dice(table).rolled, table.legal, table.public.moves) == (4, (), (), ())
    play(table, "!xutt")
    assert (dice(table).to_roll, dice(table).rolled) == (0, ("taxi", "taxi", "underground", "x"))
    play(table, "r3t")
    assert (dice(table).to_roll, dice(table).rolled, dice(table).used) == (3, (), (("red", "taxi"),))
    play(table, "!ttt y14t")
    assert (dice(table).to_roll, dice(table).used) == (2, (("red", "taxi"), ("yellow", "taxi")))
    play(table, "!tx g35t")
    assert (dice(table).to_roll, dice(table).rolled) == (0, ("x",))
    assert (len(dice(table).used), dice(table).taken) == (3, 0)


@pytest.mark.parametrize("word", ["!ttt", "!ttttt", "r3t", "r1-", "R", "P", "22t", "D"])
def test_di_13_nothing_but_a_roll_of_all_dice_in_hand_can_be_played_before_it(word: str) -> None:
    complaint = "4 dice are to be rolled now, each of which shows one of taxi, bus, underground, x"
    assert refusal(game(12), word) == complaint


def test_di_14_who_can_use_a_die_must() -> None:
    table = game(12, "!txxx")
    assert legal(table) == {"r2t", "r3t", "R"}
    assert "red cannot go to 1 by stay" in refusal(table, "r1-")


def test_di_14_who_can_use_none_stays_and_the_next_rolls_all_that_is_left() -> None:
    table = game(12, "!bbux")
    assert legal(table) == {"r1-", "R"}
    play(table, "r1-")
    assert (table.public.turn, dice(table).to_roll, dice(table).used) == (("yellow",), 4, ())
    assert table.public.skipped == ()


def test_di_14_without_a_token_who_can_use_none_is_passed_over_at_once() -> None:
    table = game(12, "!xxxx R !xxxx R !xxxx R !bbbb")
    assert table.public.skipped == (Skipped("red", "no_die"),)
    assert (table.public.turn, dice(table).to_roll, dice(table).used) == (("yellow",), 4, ())
    play(table, "!xxxx !xxxx")
    assert [skipped.pawn for skipped in table.public.skipped] == ["red", "yellow", "green"]
    assert table.public.turn == (MR_X,)
    play(table, "P")
    assert table.public.skipped == ()


def test_di_14_a_die_that_leads_only_to_other_detectives_cannot_be_used() -> None:
    table = game(12, "!xxxx R !xxxx R !xxxx R !bbbb !tttt y2t !ttt g3t 22t", yellow=4, green=13)
    assert table.public.network.around(1) == {2: ("taxi",), 3: ("taxi",)}
    play(table, "!xxxx !xxxx !tttt")
    assert [skipped.pawn for skipped in table.public.skipped] == ["yellow", "green", "red"]


def test_di_14_nobody_rolls_who_has_no_dice_left() -> None:
    table = play(game(12, of=other_box(detectives={"hand": 2})), "!tt r3t !t y14t")
    assert table.public.skipped == (Skipped("green", "no_die"),)
    assert (table.public.turn, dice(table).to_roll, len(dice(table).used)) == ((MR_X,), 0, 2)


def test_di_15_a_token_has_all_dice_that_nobody_has_used_rolled_anew() -> None:
    table = game(12, "!tttt r3t !bbb")
    assert table.public.extras == {"table.back": RollAgain()}
    play(table, "R")
    assert (dice(table).to_roll, dice(table).rolled, dice(table).tokens) == (3, (), 2)
    assert dice(table).used == (("red", "taxi"),)
    assert (table.public.turn, table.public.extras, table.legal) == (("yellow",), {}, ())
    assert legal(play(table, "!ttt")) == {"y14t", "y15t", "y19t", "y26t", "R"}


def test_di_15_there_are_three_tokens_for_all_detectives_and_the_whole_game() -> None:
    table = game(12, "!tttt R !tttt r3t !ttt R !ttt y14t !tt R !tt")
    assert dice(table).tokens == 0
    assert table.public.extras == {}
    assert "with a token" in refusal(table, "R")
    play(table, "g35t 22t !tttt")
    assert "R" not in legal(table)


# ---- a detective player alone


def test_di_16_a_detective_alone_chooses_which_pawn_uses_a_die() -> None:
    table = game(10, players=2)
    assert (table.public.turn, dice(table).to_roll) == (("red", "yellow"), 3)
    play(table, "!tbx")
    assert table.public.turn == ("red", "yellow")
    assert legal(table) == {"r2t", "r3t", "y20t", "y21t", "y24t", "R"}


@pytest.mark.parametrize(("first", "other"), [("r3t", "yellow"), ("y20t", "red")])
def test_di_16_he_rolls_the_rest_for_the_other_pawn_and_never_moves_one_twice(first: str, other: str) -> None:
    table = play(game(10, players=2), f"!ttt {first}")
    assert (table.public.turn, dice(table).to_roll) == ((other,), 2)
    play(table, "!tu")
    assert {move.pawn for move in table.public.moves} == {other}
    table.play(table.public.moves[0])
    assert table.public.turn == (MR_X,)
    assert (table.public.round, len(dice(table).used)) == (1, 2)


def test_di_16_while_one_pawn_can_use_a_die_that_one_must() -> None:
    table = play(game(10, "!ttt r2t !tt y21t 17t", players=2), "!bxx")
    assert (table.public.pawns["red"], table.public.pawns["yellow"]) == (2, 21)
    assert legal(table) == {"y14b", "y19b", "R"}
    assert table.public.turn == ("yellow",)
    play(table, "y14b")
    assert (table.public.turn, dice(table).to_roll) == (("red",), 2)


@pytest.mark.parametrize(("stays", "other"), [("r1-", "yellow"), ("y22-", "red")])
def test_di_16_without_tokens_he_chooses_too_and_nobody_is_passed_over_before(stays: str, other: str) -> None:
    table = game(10, "!xxx R !xxx R !xxx R !bxx", players=2)
    assert (table.public.turn, legal(table)) == (("red", "yellow"), {"r1-", "y22-"})
    play(table, stays)
    assert (table.public.turn, dice(table).to_roll, table.public.skipped) == ((other,), 3, ())
    play(table, "!bxx")
    assert table.public.skipped == (Skipped(other, "no_die"),)
    assert table.public.turn == (MR_X,)


# ---- the next round


@pytest.mark.parametrize(("players", "hand"), [(2, 3), (3, 3), (4, 4)])
def test_di_24_the_hand_is_full_in_every_round(players: int, hand: int) -> None:
    table, supplies = game(10, players=players), []
    while table.public.outcome is None:
        assert dice(table).to_roll == hand
        supplies.append(dice(table).supply)
        idle(table)
        if table.public.outcome is None:
            play(table, "P")
    covered = [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2]
    assert supplies == [7 - hand - count for count in covered]


def test_di_24_with_too_few_dice_they_roll_what_there_is() -> None:
    table = idle_and(game(10, of=other_box(surfacing=[5, 9], detectives={"hand": 4})), "P", "P", "P")
    assert (dice(table).to_roll, dice(table).supply, len(dice(table).covers)) == (3, 0, 4)
    idle_and(table, "P")
    assert (dice(table).to_roll, dice(table).supply, len(dice(table).covers)) == (2, 0, 5)
    idle_and(table, "P")
    assert (dice(table).to_roll, dice(table).supply, len(dice(table).covers)) == (4, 3, 0)
