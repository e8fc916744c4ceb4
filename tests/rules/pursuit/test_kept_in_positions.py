"""Positions keep what they have found, and games on the same terms share them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.rules.actions import PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.setup import Wish

BOXES = ("beginners", "classic", "current", "us")


def begun(name: str, seed: int = 1, **options: Any) -> tuple[Any, Any]:
    """The rules of a box, and a position before the first move."""
    box = shipped_files.load_edition(name)
    rules, chance = system(box), random.Random(seed)
    return rules, rules.begin(rules.deal(shipped_files.load_ground(box.map), Wish(options=options), chance))


@pytest.mark.parametrize("name", BOXES)
def test_legal_actions_are_found_once_for_each_position_of_a_game(name: str) -> None:
    rules, state = begun(name)
    chance = random.Random(2)
    while state.outcome is None:
        legal = rules.legal(state)
        assert rules.legal(state) is legal
        state = rules.play(state, chance.choice(legal))
    assert rules.legal(state) == ()


@pytest.mark.parametrize("name", BOXES)
def test_a_changed_copy_of_a_position_finds_legal_actions_of_its_own(name: str) -> None:
    rules, state = begun(name)
    chance = random.Random(3)
    while not (moves := [action for action in rules.legal(state) if isinstance(action, PawnMove)]):
        state = rules.play(state, chance.choice(rules.legal(state)))
    there = moves[0].to
    blocked = state._replace(
        at=tuple(there if pawn != moves[0].pawn else at for pawn, at in zip(state.terms.order, state.at, strict=True))
    )
    assert [move for move in rules.legal(blocked) if move.pawn == moves[0].pawn and move.to == there] == []
    assert moves[0] in rules.legal(state)
    assert state._replace(round=state.round) == state


def test_games_with_equal_settings_share_them_wherever_they_begin() -> None:
    _, one = begun("classic", 1)
    _, two = begun("classic", 2)
    _, other = begun("classic", 1, x_fares="counted")
    assert one.at != two.at
    assert one.terms is two.terms
    assert other.terms is not one.terms
    assert (one.terms.unlimited, other.terms.unlimited) == (True, False)
