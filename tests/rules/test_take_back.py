"""`Game`: taking back a pawn's move, and refusing without a trace."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from tests.rules.boards import game, lanes, london, random_setup, small
from tests.rules.pursuit.notation import actions


def test_the_last_pawns_move_can_be_taken_back() -> None:
    table = game(london(), 197, 29, 26, 50, played="184t")
    before = table.public, table.private, table.legal
    table.play(actions("r41b")[0])
    assert table.returnable == PawnMove("red", 41, "bus")
    table.take_back()
    assert (table.public, table.private, table.legal) == before
    assert table.actions == actions("184t")


def test_what_was_only_checked_leaves_no_trace() -> None:
    table, twin = (game(london(), 197, 29, 26, 50, played="184t") for _ in range(2))
    red, other, yellow = *table.legal[:2], actions("y15t")[0]
    for checked in (red, other, red):
        table.check(checked)
    assert (table.public, table.private, table.actions) == (twin.public, twin.private, twin.actions)
    for one in (table, twin):
        one.play(red)
    assert (table.public, table.private, table.legal) == (twin.public, twin.private, twin.legal)
    table.check(yellow)
    table.take_back()
    with pytest.raises(IllegalAction):
        table.check(yellow)
    table.play(other)
    assert table.actions == [*actions("184t"), other]


def test_several_pawns_moves_can_be_taken_back_one_by_one_down_to_mister_x_move() -> None:
    table = game(london(), 197, 29, 26, 50, played="184t r41b y15t")
    table.take_back()
    assert table.public.turn == ("yellow",)
    table.take_back()
    assert table.public.turn == ("red",)
    assert table.returnable is None
    with pytest.raises(IllegalAction, match="nothing can be taken back"):
        table.take_back()
    assert table.actions == actions("184t")


def test_the_last_move_of_a_round_can_be_taken_back_until_mister_x_moves() -> None:
    table = game(london(), 197, 29, 26, 50, played="184t r41b y15t g49t")
    assert table.public.turn == (MR_X,)
    table.take_back()
    assert (table.public.turn, table.public.round) == (("green",), 1)


@pytest.mark.parametrize("played", ["", "184t", "D", "D 184t", "D 184t 197t", "184t r41b y15t g49t 197t"])
def test_nothing_of_mister_x_can_be_taken_back(played: str) -> None:
    table = game(london(), 197, 29, 26, 50, played=played)
    before = table.public
    assert table.returnable is None
    with pytest.raises(IllegalAction, match="nothing can be taken back"):
        table.take_back()
    assert table.public == before


def test_an_announced_double_move_closes_the_round_before_it() -> None:
    table = game(london(), 197, 29, 26, 50, played="184t r41b y15t g49t")
    assert table.returnable is not None
    table.play(actions("D")[0])
    assert table.returnable is None


def test_nothing_can_be_taken_back_after_the_end() -> None:
    table = game(london(), 1, 19, 29, 26, played="8t r8t")
    assert table.returnable is None
    with pytest.raises(IllegalAction, match="not after the end"):
        table.take_back()
    assert table.public.outcome is not None


def test_taking_back_undoes_passing_over_and_the_ticket_too() -> None:
    board = small("underground 1-2 2-3, taxi 7-8 8-9 7-9, bus 10-11 11-12, boat 3-7 10-3")
    table = game(board, 7, 3, 1, 10, played="8t")
    before = table.public
    table.play(actions("r2u")[0])
    assert [s.pawn for s in table.public.skipped] == ["yellow"]
    table.take_back()
    assert table.public == before
    assert table.public.skipped == ()


def test_check_complains_of_what_is_illegal_and_changes_nothing() -> None:
    table = game(london(), 197, 29, 26, 50)
    before = table.public
    for action in table.legal:
        table.check(action)
    with pytest.raises(IllegalAction):
        table.check(actions("1t")[0])
    assert table.public == before
    assert table.actions == []


def test_what_is_no_action_at_all_is_refused_and_no_double_move() -> None:
    table = game(london(), 197, 29, 26, 50)
    before = table.public
    for thing in (None, "double", 5, ("double",), object):
        with pytest.raises(IllegalAction):
            table.play(thing)  # type: ignore[arg-type]
    assert table.public == before


def test_a_game_cannot_be_made_of_actions_that_are_not_legal() -> None:
    with pytest.raises(IllegalAction):
        game(london(), 197, 29, 26, 50, played="184t y15t")


def _random_game(seed: int, length: int) -> Game:
    chance = random.Random(seed)
    table = Game(random_setup(london() if seed % 3 == 0 else lanes(seed), chance))
    while table.legal and len(table.actions) < length:
        table.play(chance.choice(table.legal))
    return table


@given(st.integers(0, 10_000), st.integers(0, 60))
def test_replaying_its_own_actions_gives_equal_views(seed: int, length: int) -> None:
    table = _random_game(seed, length)
    again = Game(table.setup, table.actions)
    assert again.public == table.public
    assert again.private == table.private
    assert again.legal == table.legal


@given(st.integers(0, 10_000), st.integers(0, 60))
def test_taking_back_and_replaying_gives_equal_views(seed: int, length: int) -> None:
    table = _random_game(seed, length)
    full, end = list(table.actions), (table.public, table.private, table.legal)
    while table.returnable is not None:
        table.take_back()
        shorter = Game(table.setup, full[: len(table.actions)])
        assert (table.public, table.private, table.legal) == (shorter.public, shorter.private, shorter.legal)
    for action in full[len(table.actions) :]:
        table.play(action)
    assert (table.public, table.private, table.legal) == end
