"""Random games of every box: only what is legal can be played, and no station is told before its time."""

from __future__ import annotations

import gc
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove, Surface
from firmware_host.rules.engines import System, system
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.position import Rides
from firmware_host.rules.setup import Box, Setup, Wish
from firmware_host.rules.views import PublicView
from tests.amount import amount
from tests.rules.boards import london, random_setup, setup_of
from tests.rules.refusals import refused_if_not_legal

BOXES = shipped_files.edition_names()


def _setup(box: Box, chance: random.Random) -> Setup:
    """Any number of players, and some of the options that are on or off."""
    flags = [name for name, value in box.options.items() if type(value) is bool and name != "reveal_route"]
    options = {name: chance.random() < 0.5 for name in flags}
    wish = Wish(players=chance.choice([*box.seats]), options=options)
    return system(box).deal(shipped_files.load_ground(box.map), wish, chance)


def _nearly_legal(known: dict[Action, None], chance: random.Random) -> Action:
    """Something that was legal at some moment, perhaps by another's ticket."""
    tried, other = chance.choices([*known], k=2)
    if isinstance(tried, PawnMove) and isinstance(other, PawnMove) and chance.random() < 0.3:
        return replace(tried, ticket=other.ticket)
    return tried


def _check_turn(rules: System, state: Any, legal: tuple[Action, ...], view: PublicView) -> None:
    """Somebody can act, or there are dice to roll, or the game is over."""
    over = view.outcome is not None
    assert len(set(legal)) == len(legal)
    assert bool(legal) is (not over and view.to_roll is None)
    assert bool(view.turn) is not over
    if view.mr_x_to_move:
        assert (rules.private(state).choices.value, view.moves) == (legal, ())
    elif legal:
        assert (*view.moves, *view.extras.values()) == legal


def _check_secrets(state: Any, view: PublicView, shown: set[int]) -> None:
    """Mister X's stations are told in the windows in which he shows himself, and all of them after the end."""
    over = view.outcome is not None
    assert (MR_X in view.pawns) is (over or len(state.log) in shown)
    assert view.pawns.get(MR_X, state.x) == state.x
    assert [entry.station for entry in view.log] == [
        laid.station if over or window in shown else None for window, laid in enumerate(state.log, 1)
    ]
    assert view.stale <= {state.log[window - 1].station for window in shown}
    assert len(view.route) == (len(state.log) + 1 if over else 0)


def _play(box: Box, seed: int, seen: Counter[str]) -> None:
    chance = random.Random(f"{box.name}/{seed}")
    rules: System = system(box)
    state: Any = rules.begin(_setup(box, chance))
    known: dict[Action, None] = {}
    shown, announced, wary = set[int](), False, chance.random() < 0.7
    while True:
        legal, view = rules.legal(state), rules.public(state)
        _check_turn(rules, state, legal, view)
        if not view.in_sight:
            _check_secrets(state, view, shown)
        known |= dict.fromkeys(legal)
        if known and view.to_roll is None:
            seen["refused"] += refused_if_not_legal(rules, state, legal, _nearly_legal(known, chance))
        if view.outcome is not None:
            break
        safe = tuple([a for a in legal if not (isinstance(a, PawnMove) and a.to == state.x)]) or legal
        action = rules.roll(state, chance) or chance.choice(safe if wary else legal)
        announced = announced or isinstance(action, Surface)
        before, state = len(view.log), rules.play(state, action)
        if len(getattr(state, "log", ())) > before:
            if announced or before + 1 in view.surfacing:
                shown.add(before + 1)
            announced = announced and not isinstance(action, MrXMove)
        seen["actions"] += 1
    seen[view.outcome.winner] += 1


@pytest.mark.parametrize("name", BOXES)
def test_random_games_end_by_the_rules_and_tell_no_station_before_its_time(name: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(amount(40, 4000)):
        _play(shipped_files.load_edition(name), seed, seen)
    assert seen[MR_X] > 0 < seen["detectives"]
    assert seen["refused"] > seen["actions"] / 4


def test_no_game_leaves_rides_behind_that_the_first_has_not_built() -> None:
    """What is kept of a map is all there when its first game begins: a table that runs for months does not grow."""

    def kept() -> int:
        gc.collect()
        return sum(type(thing) in (Rides, PawnMove, MrXMove) for thing in gc.get_objects())

    Game(setup_of(london(), 45, 13, 26, 29, 34, 50))
    before = kept()
    for seed in range(20):
        rng = random.Random(seed)
        game = Game(random_setup(london(), rng))
        while game.public.outcome is None:
            game.play(rng.choice(game.legal))
        del game
    assert kept() == before
