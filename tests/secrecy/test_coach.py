"""PB-07 with a coach: what it tells, and when, is the same wherever Mister X hides."""

from __future__ import annotations

import inspect
import re
from typing import get_type_hints

import pytest

from firmware_host.players.coach.coach import CoachMind
from firmware_host.players.coach.coach_port import Coach
from firmware_host.players.player_port import NewGame, PublicHistory
from firmware_host.rules.actions import Action
from firmware_host.table.ask_coach import COACH_TICK
from tests.amount import amount
from tests.rules.boards import london
from tests.table.played_table import Watched
from tests.table.test_table_secrecy import Hand, assert_alike, by_itself, by_keys, outwardly
from tests.table.twins import twins

SEEDS = range(amount(1, 6))


def until_the_coach_is_heard(hand: Hand) -> Hand:
    """The same hand, which then waits longer than the coach's beat."""

    def act(p: Watched, action: Action, twin: Action) -> None:
        hand(p, action, twin)
        p.advance(1000 * COACH_TICK + 500)

    return act


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("hand", [by_itself, by_keys])
@pytest.mark.long
def test_pb_07_twins_look_alike_with_a_coach(seed: int, hand: Hand) -> None:
    pair = twins(london().network, seed)
    act = until_the_coach_is_heard(hand)
    one, other = (outwardly(pair, side, act, game={"coach": "advice"}) for side in (0, 1))
    assert_alike(one, other)
    assert any(re.search(r"tells=<CoachMode.ADVICE: 'advice'>, stations={\d", moment) for moment in one[2])


@pytest.mark.parametrize("kind", [Coach, CoachMind])
def test_a_coach_can_be_handed_what_everyone_knows_and_nothing_else(kind: type) -> None:
    public = {NewGame, PublicHistory, bool, type(None)}
    for name, function in inspect.getmembers(kind, inspect.isfunction):
        if name == "__init__" and kind is Coach:
            continue  # a protocol's own
        if not name.startswith("_") or name == "__init__":
            hints = get_type_hints(function)
            hints.pop("return", None)
            assert set(hints.values()) <= public, name
