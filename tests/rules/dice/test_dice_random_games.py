"""Random games of the dice game from start to end, with what must hold in every position of them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, Pass, PawnMove, Roll, RollAgain
from firmware_host.rules.dice.dice_position import DiceState
from firmware_host.rules.engines import System, system
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from tests.rules.batches import in_batches
from tests.rules.dice.dice_boards import box, random_setup

REASONS = {"captured": "detectives", "walked_in": "detectives", "escaped": MR_X}
SEEN = (3, 7, 11)
BATCH, BATCHES = 500, 20


def _check_state(state: DiceState) -> None:
    """What must hold in every position."""
    pool, reason = state.pool, state.outcome.reason if state.outcome else None
    placed = [place for place in state.at if place]
    on_log = len(pool.covers)
    assert len(set(placed)) == len(placed)
    assert (state.x in placed) is (reason in ("captured", "walked_in"))
    assert pool.to_roll + len(pool.rolled) + len(pool.used) - pool.taken.bit_count() + pool.supply + on_log == 7
    assert min(pool.supply, state.tokens, state.blacks, state.doubles, state.helicopters) >= 0
    assert not (pool.to_roll and pool.rolled)
    # DI-24: with one die a move there are always enough of them to fill the hand.
    hand = pool.to_roll + len(pool.rolled) + len(pool.used)
    assert state.round == 0 or state.turn < 0 or reason or hand == state.terms.hand
    last = max((n for n in SEEN if n <= len(state.log)), default=-1)
    assert on_log == (len(state.log) - last if state.start else 0)
    assert len(state.log) <= 13
    assert state.round <= 14
    assert (state.outcome.winner if state.outcome else None) == REASONS.get(reason or "")


def _check_step(before: DiceState, action: Action, after: DiceState) -> None:
    """What must hold between a position and the next."""
    entered = isinstance(action, Pass) or (isinstance(action, MrXMove) and action.ticket != "start")
    assert len(after.log) - len(before.log) == entered
    assert after.log[: len(before.log)] == before.log
    assert after.doubles == before.doubles - isinstance(action, Double)
    assert after.tokens == before.tokens - isinstance(action, RollAgain)
    assert after.x == before.x or isinstance(action, MrXMove)
    moved = [pawn for pawn, (a, b) in enumerate(zip(before.at, after.at, strict=True)) if a != b]
    assert len(moved) == (isinstance(action, PawnMove) and action.ticket != "stay")
    assert after.round - before.round in (0, 1)


def _check_public(view: PublicView, state: DiceState) -> None:
    """What everyone is shown holds Mister X's place only while he is visible or after the end."""
    over = state.outcome is not None
    assert (MR_X in view.pawns) is (len(state.log) in SEEN or over)
    assert view.pawns.get(MR_X, state.x) == state.x
    for entry, laid in zip(view.log, state.log, strict=True):
        assert entry.station == (laid.station if over or entry.window in SEEN else None)
    assert len(view.route) == (len(state.log) + 1 if over else 0)
    assert {move.pawn for move in view.moves} == (set(view.turn) if view.moves else set())
    assert bool(view.moves) is (state.turn >= 0 and not over and not state.pool.to_roll)
    assert bool(view.turn) is not over
    assert view.his_turn is (state.turn < 0 and not over)


def _check_legal(rules: System, state: DiceState, legal: tuple[Action, ...], view: PublicView) -> None:
    """Somebody can act, or there are dice to roll, or the game is over."""
    assert bool(legal) is (state.outcome is None and not state.pool.to_roll)
    assert len(set(legal)) == len(legal)
    if state.turn >= 0 and legal:
        assert legal == (*view.moves, *view.extras.values())
    else:
        assert not view.extras
    if state.turn < 0:
        assert rules.private(state).choices.value == legal


def _anything(state: DiceState, chance: random.Random, places: list[int]) -> Action:
    """Anything someone might try, so that much of it is nearly legal."""
    ticket = chance.choice(("taxi", "bus", "underground", "x", "black", "helicopter", "start", "stay", "pass"))
    here = state.x if state.turn < 0 else state.at[0]
    near = list(state.terms.network.around(here)) if here else []
    to = chance.choice([*near, *state.at, here, chance.choice(places)])
    faces = tuple(chance.choice(("taxi", "bus", "x")) for _ in range(chance.randrange(1, 5)))
    pawn = chance.choice((*state.terms.order, MR_X))
    return chance.choice(
        [MrXMove(Secret(to), ticket), PawnMove(pawn, to, ticket), Double(), Pass(), RollAgain(), Roll(faces)]
    )


def _try_something(rules: System, state: DiceState, legal: tuple[Action, ...], tried: Action) -> bool:
    """Legal is what `legal` holds, or a roll of as many dice as are in hand; nothing else can be played."""
    rollable = isinstance(tried, Roll) and state.outcome is None and 0 < state.pool.to_roll == len(tried.faces)
    if tried in legal or rollable:
        rules.play(state, tried)
        return False
    with pytest.raises(IllegalAction):
        rules.play(state, tried)
    return True


def _play_one(seed: int, seen: Counter[str]) -> None:
    chance = random.Random(seed)
    rules: System = system(box())
    state: Any = rules.begin(random_setup(chance))
    places, wary = list(state.terms.network.stations), chance.random() < 0.4
    while True:
        legal = rules.legal(state)
        _check_state(state)
        if state.outcome is not None or chance.random() < 0.5:
            view = rules.public(state)
            _check_public(view, state)
            _check_legal(rules, state, legal, view)
        if state.outcome is not None or chance.random() < 0.25:
            seen["refused"] += _try_something(rules, state, legal, _anything(state, chance, places))
        if state.outcome is not None:
            break
        roll = rules.roll(state, chance)
        if wary and state.turn >= 0:
            legal = tuple([a for a in legal if not (type(a) is PawnMove and a.to == state.x)]) or legal
        action = roll or (legal[-1] if chance.random() < 0.1 else chance.choice(legal))
        before, state = state, rules.play(state, action)
        _check_step(before, action, state)
        seen["actions"] += 1
        seen[type(action).__name__] += 1
    seen[state.outcome.reason] += 1
    seen["skipped"] += bool(state.skipped)


@in_batches(BATCHES)
def test_di_random_games_end_by_the_rules_and_keep_every_invariant(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        _play_one(seed, seen)
    assert sum(seen[reason] for reason in REASONS) == BATCH
    for happening in (*REASONS, "Double", "Pass", "RollAgain", "skipped"):
        assert seen[happening] > 0, happening
    assert seen["refused"] > seen["actions"] / 8
