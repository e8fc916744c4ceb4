"""Ten thousand random games come to an end, and nothing goes wrong on the way."""

from __future__ import annotations

import gc
import random
from collections import Counter
from typing import Any

from firmware_host.rules.actions import MR_X, TICKETS, Action, Double, MrXMove, PawnMove
from firmware_host.rules.engines import System, system
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.position import PursuitState, Rides
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from tests.rules.batches import in_batches
from tests.rules.boards import CLASSIC, lanes, london, random_setup, setup_of
from tests.rules.refusals import refused_if_not_legal

REASONS = {
    "captured": "detectives",
    "trapped": "detectives",
    "immobilised": MR_X,
    "stalled": MR_X,
    "log_full": MR_X,
}
BATCH, BATCHES = 500, 20


def _total(state: PursuitState) -> tuple[int, int]:
    """All tickets there are, black ones apart: with the detectives, with Mister X, and laid on the log."""
    laid = [entry.ticket for entry in state.log if entry.paid]
    blacks = laid.count("black")
    return sum(map(sum, state.hands)) + sum(state.supply) + len(laid) - blacks, state.blacks + blacks


def _check_move(before: PursuitState, action: Action, after: PursuitState) -> None:
    """What must hold between a position and the next."""
    grown = len(after.log) - len(before.log)
    assert grown == (type(action) is MrXMove)
    assert after.log[: len(before.log)] == before.log
    assert after.doubles == before.doubles - (type(action) is Double)
    assert after.round - before.round in (0, 1)
    assert (after.x == before.x) or type(action) is MrXMove
    moved = [pawn for pawn, (a, b) in enumerate(zip(before.at, after.at, strict=True)) if a != b]
    assert len(moved) == (type(action) is PawnMove)


def _check_state(state: PursuitState, total: tuple[int, int]) -> None:
    """What must hold in every position."""
    reason = state.outcome.reason if state.outcome else None
    assert _total(state) == total
    assert len(set(state.at)) == len(state.at)
    assert (state.x in state.at) is (reason == "captured")
    assert min(map(min, state.hands)) >= 0
    assert min(*state.supply, state.blacks, state.doubles) >= 0
    assert len(state.log) <= state.terms.windows
    assert state.round <= 24
    assert state.turn < len(state.at) or reason is not None
    assert (state.outcome.winner if state.outcome else None) == REASONS.get(reason or "")


def _check_public(view: PublicView, state: PursuitState, *, seen: bool) -> None:
    """What everyone is shown holds Mister X's station only while he is visible or after the end."""
    over = state.outcome is not None
    assert (MR_X in view.pawns) is (seen or over)
    assert view.pawns.get(MR_X, state.x) == state.x
    for entry, laid in zip(view.log, state.log, strict=True):
        assert entry.station == (laid.station if over or entry.window in (3, 8, 13, 18) else None)
    last = max((n for n in (3, 8, 13, 18) if n <= len(state.log)), default=0)
    assert view.stale <= ({state.log[last - 1].station} if last else set())
    assert view.pawns.get(MR_X) not in view.stale
    assert len(view.route) == (len(state.log) + 1 if over else 0)
    assert all(type(move) is PawnMove and (move.pawn,) == view.turn for move in view.moves)
    assert bool(view.moves) is (state.turn >= 0 and not over)
    assert len(view.turn) == (not over)


def _anything(state: PursuitState, chance: random.Random, stations: list[int]) -> Action:
    """Anything someone might try, near where they stand, so that much of it is nearly legal."""
    kind, ticket = chance.random(), chance.choice(TICKETS)
    here = state.x if state.turn < 0 else state.at[state.turn]
    near = chance.choice([*state.terms.network.around(here), *state.at, here, chance.choice(stations)])
    if kind < 0.1:
        return Double()
    if kind < 0.5:
        return MrXMove(Secret(near), ticket)
    pawn = state.terms.order[state.turn] if kind < 0.9 else chance.choice(state.terms.order)
    return PawnMove(pawn, near, ticket)


def _play_one(seed: int, seen: Counter[str]) -> None:
    chance = random.Random(seed)
    board = london() if seed % 2 else lanes(seed)
    rules: System = system(CLASSIC)
    state: Any = rules.begin(random_setup(board, chance))
    stations, total, wary = list(board.network.stations), _total(state), chance.random() < 0.6
    _check_state(state, total)
    visible = False
    while legal := rules.legal(state):
        assert state.outcome is None
        seen["refused"] += refused_if_not_legal(rules, state, legal, _anything(state, chance, stations))
        if wary and state.turn >= 0:
            legal = tuple([a for a in legal if type(a) is PawnMove and a.to != state.x]) or legal
        action = legal[-1] if chance.random() < 0.1 else chance.choice(legal)
        before, state = state, rules.play(state, action)
        if type(action) is MrXMove:
            visible = len(state.log) in (3, 8, 13, 18)
        _check_move(before, action, state)
        _check_state(state, total)
        _check_public(rules.public(state), state, seen=visible)
        seen["actions"] += 1
    assert state.outcome is not None
    seen[state.outcome.reason] += 1


@in_batches(BATCHES)
def test_random_games_end_by_the_rules_and_keep_every_invariant(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        _play_one(seed, seen)
    assert sum(seen[reason] for reason in REASONS) == BATCH
    for happening in REASONS:
        assert seen[happening] > 0, happening
    assert seen["refused"] > seen["actions"] / 2


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
