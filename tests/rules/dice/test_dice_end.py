"""How a dice game ends (DI-25, DI-26), and taking moves back."""

from __future__ import annotations

import random

import pytest

from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.views import Outcome
from tests.rules.dice.dice_boards import dice, game, idle, idle_and, legal, other_box, play, refusal

ESCAPED = Outcome(MR_X, "escaped")


def cornered(played: str = "") -> Game:
    """Mister X on 27, from which the only street leads to 25, where red has gone by taxi."""
    return game(27, f"!tttt r25t !xxx y16- !xxx g36- {played}", red=26)


def dead_end(**changed: dict[str, int]) -> Game:
    """The same, without a helicopter."""
    bare = other_box(mr_x={"helicopter": 0, **changed.get("mr_x", {})})
    return game(27, "!tttt r25t !xxx y16- !xxx g36-", red=26, of=bare)


def last_part(**changed: int) -> Game:
    """Mister X has made his last move, by black tickets from 20 to 11 and else by passing."""
    return idle_and(game(20, **changed), "10k", "9k", "11k", *["P"] * 10)


# ---- caught


def test_di_25_a_detective_who_enters_his_place_has_caught_him() -> None:
    table = game(3, "!tttt")
    assert "r3t" in legal(table)
    play(table, "r3t")
    assert table.public.outcome == Outcome("detectives", "captured")
    assert (table.public.turn, table.legal, table.public.moves, table.public.extras) == ((), (), (), {})
    assert table.public.pawns == {"red": 3, "yellow": 16, "green": 36, MR_X: 3}
    assert table.public.route == (3,)
    assert dice(table).used == (("red", "taxi"),)


def test_di_25_onto_a_detective_he_may_go_only_if_he_has_no_other_move_at_all() -> None:
    assert "3t" not in legal(game(13, "!tttt r3t !xxx y16- !xxx g36-"))
    assert legal(game(13, "!tttt r3t !xxx y16- !xxx g36-")) == {"14t", "14k", "22h", "D"}
    assert legal(cornered()) == {"1h", "D"}
    assert legal(dead_end()) == {"25t"}


def test_di_25_he_who_goes_onto_a_detective_has_lost() -> None:
    table = play(dead_end(), "25t")
    assert table.public.outcome == Outcome("detectives", "walked_in")
    assert (table.public.turn, table.legal) == ((), ())
    assert table.public.pawns[MR_X] == table.public.pawns["red"] == 25
    assert table.public.route == (27, 25)
    assert [(e.ticket, e.station) for e in table.public.log] == [("taxi", 25)]


def test_di_25_black_ticket_and_helicopter_never_lead_onto_a_detective() -> None:
    table = cornered()
    assert legal(dead_end(mr_x={"black": 3})) == {"25t"}
    assert "25k" not in legal(table)
    assert "25k" in legal(idle(game(27)))
    assert refusal(table, "36h") == refusal(table, "25k")


def test_di_25_a_double_move_never_begins_or_is_offered_onto_a_detective() -> None:
    assert legal(cornered("D")) == {"1h"}
    assert "D" not in legal(dead_end())


def test_di_22_black_ticket_and_helicopter_are_forced_on_him_only_to_spare_him_a_detective() -> None:
    assert "25t" not in legal(cornered())
    assert "P" in legal(idle(game(27)))  # no die leads anywhere: he keeps them, and passes


# ---- escaped


def test_di_26_after_his_thirteenth_move_each_detective_has_one_more_turn() -> None:
    table = last_part()
    assert (len(table.public.log), table.public.round) == (13, 14)
    assert table.public.outcome is None
    turns = []
    while table.public.turn:
        turns += [table.public.turn] if dice(table).to_roll else []
        play(table, "!" + "x" * dice(table).to_roll)
        table.play(table.public.moves[0])
    assert turns == [("yellow",), ("green",), ("red",)]
    assert table.public.outcome == ESCAPED
    assert (table.legal, table.private.choices.value) == ((), ())


def test_di_26_the_last_detective_who_can_use_no_die_ends_the_game_too() -> None:
    table = play(idle_and(game(20), *["P"] * 13), "!xxxx R !xxxx R !xxxx R !xxxx")
    assert table.public.turn == ("green",)
    play(table, "!bbbb !uuuu")
    assert table.public.outcome == ESCAPED
    assert len(table.public.skipped) == 3


def test_di_26_where_all_dice_lie_on_the_log_nobody_can_move_and_he_has_escaped() -> None:
    table = idle_and(game(20, of=other_box(windows=6, surfacing=[])), *["P"] * 6)
    assert len(dice(table).covers) == 7
    assert table.public.outcome == ESCAPED
    assert [skipped.pawn for skipped in table.public.skipped] == ["red", "yellow", "green"]


def test_di_26_after_the_end_the_log_is_open() -> None:
    public = idle(last_part()).public
    assert public.route == (20, 10, 9, 11, *[11] * 10)
    assert [entry.station for entry in public.log] == list(public.route[1:])
    assert public.pawns[MR_X] == 11


@pytest.mark.parametrize("word", ["r2t", "!tttt", "R", "P", "10k", "D"])
def test_di_after_the_end_nothing_can_be_done(word: str) -> None:
    table = game(3, "!tttt r3t")
    assert refusal(table, word) == "the game is over: detectives won (captured)"
    assert table.roll(random.Random(1)) is None


# ---- taking back


def test_di_a_pawn_s_move_is_taken_back_to_the_dice_as_they_lay() -> None:
    table = game(20, "!tbux")
    before = table.public
    play(table, "r3t")
    assert isinstance(table.returnable, PawnMove)
    table.take_back()
    assert table.public == before


def test_di_what_was_rolled_is_not_taken_back() -> None:
    table = game(20, "!tbux r3t !ttt")
    assert table.returnable is None
    with pytest.raises(IllegalAction):
        table.take_back()
