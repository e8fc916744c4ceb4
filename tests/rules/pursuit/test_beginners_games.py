"""The beginners version: random games end by the rules, and a naive referee agrees with the engine."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from firmware_host.rules.actions import BLACK, FREE, MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.engines import System, system
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.position import PursuitState
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from tests.rules.batches import in_batches
from tests.rules.counting import Counted
from tests.rules.data.boxes import RawMap, beginners, game, lanes, london, random_setup, small
from tests.rules.pursuit.naive_beginners import NaiveBeginners
from tests.rules.pursuit.notation import actions, short
from tests.rules.refusals import refused_if_not_legal

WINNERS = {"captured": "detectives", "trapped": "detectives", "rounds_over": MR_X}
BATCH, BATCHES = 500, 20


def _check_move(before: PursuitState, action: Action, after: PursuitState) -> None:
    assert len(after.log) - len(before.log) == (type(action) is MrXMove)
    assert after.doubles == before.doubles - (type(action) is Double)
    assert after.blacks == before.blacks - (type(action) is MrXMove and action.ticket == BLACK)
    assert (after.x == before.x) or type(action) is MrXMove
    moved = [pawn for pawn, (a, b) in enumerate(zip(before.at, after.at, strict=True)) if a != b]
    assert len(moved) == (type(action) is PawnMove)
    assert after.round - before.round in (0, 1)
    assert after.round == before.round or after.turn == -1 or after.outcome


def _check_state(state: PursuitState) -> None:
    reason = state.outcome.reason if state.outcome else ""
    assert len(set(state.at)) == len(state.at)
    assert (state.x in state.at) is (reason == "captured")
    assert state.blacks in (0, 1)
    assert state.doubles in (0, 1)
    assert state.round <= 13
    assert len(state.log) <= state.round + (1 - state.doubles)
    assert state.outcome is None or state.outcome.winner == WINNERS[reason]


def _check_view(
    view: PublicView, state: PursuitState, legal: tuple[Action, ...], hidden: set[int], secret: set[int]
) -> None:
    """`hidden`: windows filled unseen since he was last set down; `secret`: those never told while the game goes on."""
    over = state.outcome is not None
    assert bool(legal) is bool(view.turn) is not over
    assert (MR_X in view.pawns) is (over or len(state.log) not in hidden)
    for entry, laid in zip(view.log, state.log, strict=True):
        told = over or entry.window not in hidden | secret
        assert (entry.station, entry.ticket) == (laid.station if told else None, laid.ticket)
    assert view.tickets[MR_X] == {"black": state.blacks, "double": state.doubles}
    open_to_all = {entry.station for entry in view.log} | {state.terms.setup.mr_x.value}
    assert view.stale <= open_to_all
    assert view.pawns.get(MR_X) not in view.stale
    own = [action for action in legal if type(action) is MrXMove and action.ticket == FREE]
    in_the_open = view.turn == (MR_X,) and MR_X in view.pawns and len(view.log) + 1 not in (3, 8, 13)
    assert view.open_moves == (tuple(PawnMove(MR_X, a.to.value, FREE) for a in own) if in_the_open else ())
    if view.turn != (MR_X,):
        assert view.moves == legal
        assert {move.pawn for move in view.moves} == set(view.turn)


def _anything(state: PursuitState, chance: random.Random) -> Action:
    """Anything someone might try, near where they stand."""
    here = chance.choice([state.x, *state.at])
    near = chance.choice([*state.terms.network.around(here), *state.terms.setup.network.around(here), here])
    ticket = chance.choice([FREE, FREE, BLACK, "taxi", "bus"])
    if chance.random() < 0.1:
        return Double()
    if chance.random() < 0.5:
        return MrXMove(Secret(near), ticket)
    return PawnMove(chance.choice([*state.terms.order, MR_X]), near, ticket)


def _play_one(seed: int, seen: Counter[str]) -> None:
    chance = random.Random(seed)
    rules: System = system(beginners())
    state: Any = rules.begin(random_setup(beginners(), london() if seed % 2 else lanes(seed % 1000), chance))
    wary, hidden, secret = chance.random() < 0.6, set[int](), set[int]()
    while True:
        legal, view = rules.legal(state), rules.public(state)
        _check_state(state)
        _check_view(view, state, legal, hidden, secret)
        if not legal:
            break
        seen["refused"] += refused_if_not_legal(rules, state, legal, _anything(state, chance))
        if wary and state.turn >= 0:
            legal = tuple([a for a in legal if type(a) is PawnMove and a.to != state.x]) or legal
        action = legal[-1] if chance.random() < 0.1 else chance.choice(legal)
        before, state = state, rules.play(state, action)
        _check_move(before, action, state)
        if type(action) is MrXMove and (len(state.log) in (3, 8, 13) or action.ticket == BLACK):
            hidden.add(len(state.log))
            if before.half == 1:
                secret.add(len(state.log))
        elif type(action) is MrXMove:
            hidden.clear()
        if state.round > before.round:
            hidden.clear()
            if state.terms.uncover_half:
                secret.clear()
        seen[type(action).__name__] += 1
        seen["actions"] += 1
        seen["passed over"] += bool(view.skipped)
        seen["fourteen moves"] += len(state.log) == 14
    assert state.outcome is not None
    seen[state.outcome.reason] += 1


@in_batches(BATCHES)
def test_random_games_of_beginners_end_by_the_rules_and_keep_every_invariant(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        _play_one(seed, seen)
    assert sum(seen[reason] for reason in WINNERS) == BATCH
    assert all(seen[happening] for happening in (*WINNERS, "Double", "passed over", "fourteen moves")), seen
    assert seen["refused"] > seen["actions"] / 2


def _naive_of(board: RawMap, table: Game) -> NaiveBeginners:
    return NaiveBeginners(board.data, table.setup.start, table.setup.mr_x.value, **table.setup.options)  # type: ignore[arg-type]


def _agree(table: Game, naive: NaiveBeginners) -> None:
    """Everything that both know is the same."""
    view, legal = table.public, [short(action) for action in table.legal]
    assert sorted(legal) == sorted(naive.moves())  # sorted, so that nothing is offered twice
    assert (view.outcome.reason if view.outcome else "") == naive.end
    assert {name: view.pawns[name] for name in view.order} == naive.where
    assert view.pawns.get(MR_X) == naive.seen_at()
    assert [(entry.ticket, entry.station) for entry in view.log] == naive.log()
    assert view.tickets == {name: {} for name in view.order} | {MR_X: {"black": naive.blacks, "double": naive.doubles}}
    assert [(s.pawn, s.why) for s in view.skipped] == [(name, "blocked") for name in naive.stuck]
    assert (view.round, view.double) == (naive.round, naive.half)
    assert {move.to for move in view.open_moves} == naive.moves_in_the_open()
    if not naive.end:
        able = [name for name in naive.waiting if naive._ways(naive.where[name])]
        assert list(view.turn) == (able or [MR_X])


@in_batches(4)
def test_the_naive_referee_agrees_on_what_is_legal_and_on_what_everyone_sees(batch: int) -> None:
    positions, ends = 0, Counter[str]()
    for seed in range(150 * batch, 150 * (batch + 1)):
        chance = random.Random(f"naive/{seed}")
        board = lanes(seed) if seed % 3 else london()
        table = Game(random_setup(beginners(), board, chance))
        naive = _naive_of(board, table)
        wary = seed % 2
        while True:
            _agree(table, naive)
            positions += 1
            words = sorted(naive.moves())
            if not words:
                break
            if wary and naive.waiting:
                words = [word for word in words if int(word[1:-1]) != naive.x] or words
            word = "D" if "D" in words and chance.random() < 0.1 else chance.choice(words)
            naive.do(word)
            table.play(actions(word)[0])
        ends[naive.end] += 1
    assert positions >= 3000
    assert set(ends) == set(WINNERS)


ROUND_13 = (
    "81f r54f y58f g130f 100f y44f r53f g131f 81f r54f y31f g125f 82f r41f y43f g112f 140f g125f r28f y57f "
    "82f r16f y58f g131f 81f r28f y44f g114f 82f g113f y58f r27f 65f y45f g100f r28f 64f r27f y46f g113f "
    "81f y33f r26f g125f 64f g112f y46f r39f"
)
LANES = (
    "bus 1-2 3-4 5-6 5-8 5-11 7-8 9-12, taxi 1-9 2-3 4-12 9-12, underground 1-7 4-5 8-10 8-12, boat 6-10"  # 10: no road
)


def _row(
    board: RawMap, mr_x: int, start: tuple[int, ...], played: str, turn: tuple[str, ...], counts: tuple[int, ...]
) -> Counted:
    players = len(start) + 1
    return Counted(board, lambda: game(beginners(), board, mr_x, *start, players=players, played=played), turn, counts)


ROWS = {
    "the first move against three": _row(london(), 82, (41, 46, 124), "", (MR_X,), (15, 322, 4634)),
    "four detectives after the first move": _row(
        london(), 82, (41, 46, 124, 142), "100f", ("red", "yellow", "green", "blue"), (31, 718, 11046)
    ),
    "round 13 with both cards": _row(london(), 82, (41, 46, 124), ROUND_13, (MR_X,), (7, 102, 1011)),
    "a small map, yellow blocked": _row(
        small(LANES), 6, (4, 10, 9, 3), "5f g12f b2f r3f 8f b1f g4f r2f", (MR_X,), (5, 20, 52)
    ),
}


def _naive_after(board: RawMap, table: Game) -> NaiveBeginners:
    naive = _naive_of(board, table)
    for action in table.actions:
        naive.do(short(action))
    _agree(table, naive)
    return naive


@pytest.mark.parametrize("name", ROWS)
def test_engine_and_naive_referee_count_as_many_sequences_as_are_written_here(name: str) -> None:
    ROWS[name].check(_naive_after)
