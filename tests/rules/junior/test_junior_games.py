"""Ten thousand random junior games come to an end, and nothing goes wrong on the way."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X, STAY, Action, Commit, PawnMove
from firmware_host.rules.engines import System, system
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.network import TRANSPORTS
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from tests.rules.batches import in_batches
from tests.rules.junior.junior_boards import LinkedMap, junior, lanes, london, random_setup

BATCH, BATCHES = 500, 20
DETECTIVES = ("white", "yellow")


def _leads(board: LinkedMap, start: int, end: int, ticket: str) -> bool:
    return (start, end, ticket) in board.links or (start == end and ticket == STAY)


def _check_view(view: PublicView) -> None:
    """What must hold at every moment."""
    (fled, to_flee), (caught, to_catch) = view.chips[MR_X], view.chips["detectives"]
    over = view.outcome is not None
    assert fled + caught == view.round - (not over)
    assert over is (fled == to_flee or caught == to_catch)
    assert max(fled - to_flee, caught - to_catch) <= 0
    assert view.round <= to_flee + to_catch - 1
    assert set(view.pawns) == {*DETECTIVES, *view.fugitives} == set(view.tickets)
    assert not view.stale & {view.pawns[name] for name in view.fugitives}
    assert all(set(view.tickets[name].values()) == {1} for name in view.fugitives)
    assert len(view.route) == (view.round + 1 if over else 0)
    assert bool(view.moves) is (set(view.turn) <= set(DETECTIVES) and not over)
    assert bool(view.turn) is not over
    assert {move.pawn for move in view.moves} <= set(view.turn)


def _check_step(board: LinkedMap, before: PublicView, action: Action, after: PublicView, picks: dict[str, str]) -> None:
    """What must hold between two moments."""
    moved = {name for name in before.pawns if before.pawns[name] != after.pawns[name]}
    if isinstance(action, Commit):
        assert (moved, after.round, after.chips) == (set(), before.round, before.chips)
        assert action.pawn in before.turn
        assert action.pawn not in after.turn
        return
    assert isinstance(action, PawnMove)
    assert _leads(board, before.pawns[action.pawn], after.pawns[action.pawn], action.ticket)
    if len(before.turn) > 1:
        assert moved <= {action.pawn}
        assert after.turn == tuple(name for name in before.turn if name != action.pawn)
        assert after.tickets[action.pawn] == {ticket: int(ticket != action.ticket) for ticket in TRANSPORTS}
        return
    assert moved <= {action.pawn, *before.fugitives}
    for name in before.fugitives:
        assert _leads(board, before.pawns[name], after.pawns[name], picks[name])
    meeting = {after.pawns[name] for name in DETECTIVES} & {after.pawns[name] for name in after.fugitives}
    side = "detectives" if meeting else MR_X
    assert {name: after.chips[name][0] - before.chips[name][0] for name in after.chips} == {
        name: int(name == side) for name in after.chips
    }
    assert all(set(hand.values()) == {1} for hand in after.tickets.values())


def _anything(view: PublicView, chance: random.Random) -> Action:
    """Anything someone might try, near where they stand, so that much of it is nearly legal."""
    pawn = chance.choice([*view.pawns, *view.turn])
    here = view.pawns[pawn]
    ticket = chance.choice([*TRANSPORTS, STAY, "black"])
    if chance.random() < 0.4:
        return Commit(pawn, Secret(ticket))
    return PawnMove(pawn, chance.choice([here, *view.network.around(here), *view.network.stations]), ticket)


def _try_something(rules: System, state: Any, legal: tuple[Action, ...], tried: Action) -> bool:
    """Legal is what `legal` holds, and nothing else can be played."""
    if tried in legal:
        rules.play(state, tried)
    else:
        with pytest.raises(IllegalAction):
            rules.play(state, tried)
    return tried not in legal


def _play_one(seed: int, seen: Counter[str]) -> None:
    chance = random.Random(seed)
    board = london() if seed % 2 else lanes(seed % 500)
    rules: System = system(junior())
    state: Any = rules.begin(random_setup(board, chance))
    view, picks = rules.public(state), dict[str, str]()
    _check_view(view)
    while legal := rules.legal(state):
        assert len(set(legal)) == len(legal)
        assert legal == (view.moves or rules.private(state).choices.value)
        seen["refused"] += _try_something(rules, state, legal, _anything(view, chance))
        action = chance.choice(legal)
        if isinstance(action, Commit):
            picks[action.pawn] = action.ticket.value
        before, state = view, rules.play(state, action)
        view = rules.public(state)
        assert rules.private(state).public == view
        _check_view(view)
        _check_step(board, before, action, view, picks)
        seen["actions"] += 1
        seen["shared"] += len(set(view.pawns.values())) < len(view.pawns)
    assert view.outcome is not None
    seen[view.outcome.winner] += 1
    seen[f"{len(view.fugitives)} fugitives"] += 1
    way = rules.private(state).route.value
    assert view.route == way
    assert all(any(_leads(board, a, b, t) for t in (*TRANSPORTS, STAY)) for a, b in pairwise(way))


@in_batches(BATCHES)
@pytest.mark.long
def test_random_games_end_by_the_rules_and_keep_every_invariant(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        _play_one(seed, seen)
    assert seen[MR_X] + seen["detectives"] == BATCH
    for happening in (MR_X, "detectives", "1 fugitives", "2 fugitives", "shared"):
        assert seen[happening] > 0, happening
    assert seen["refused"] > seen["actions"] / 2


@pytest.mark.parametrize("seed", range(30))
def test_replaying_and_taking_back_gives_equal_views(seed: int) -> None:
    chance = random.Random(seed)
    table = Game(random_setup(london() if seed % 2 else lanes(seed), chance))
    for _ in range(chance.randrange(40)):
        if table.legal:
            table.play(chance.choice(table.legal))
    again = Game(table.setup, table.actions)
    assert (again.public, again.private, again.legal) == (table.public, table.private, table.legal)
    if table.returnable is not None:
        move = table.returnable
        table.take_back()
        shorter = Game(table.setup, table.actions)
        assert (shorter.public, shorter.private, shorter.legal) == (table.public, table.private, table.legal)
        table.play(move)
        assert (again.public, again.private) == (table.public, table.private)
