"""The editions "us" and "current": random games end by the rules, and a naive referee agrees with the engine."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from firmware_host.rules.actions import FREE, MR_X, TICKETS, Action, Double, MrXMove, PawnMove, Surface, Take
from firmware_host.rules.engines import System, system
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.position import Hand, PursuitState
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import PublicView
from tests.amount import amount
from tests.rules.batches import in_batches
from tests.rules.counting import Counted
from tests.rules.data.boxes import RawMap, current, game, lanes, london, london_us, random_setup, small, us
from tests.rules.pursuit.naive_us import NaiveUs
from tests.rules.pursuit.notation import actions, short, shorts

WINNERS = {
    "captured": "detectives",
    "trapped": "detectives",
    "immobilised": MR_X,
    "stalled": MR_X,
    "log_full": MR_X,
    "rounds_over": MR_X,
}
BATCH, BATCHES = amount((500, 1), (2000, 5))  # some ends are rare


def _total(state: PursuitState) -> tuple[int, ...]:
    """All tickets there are, kind by kind: with the detectives, with Mister X, and paid for entries of the log."""
    laid = [entry.ticket for entry in state.log if entry.paid]
    held = (*map(sum, zip(*_counted(state), state.supply, strict=True)), state.blacks)
    return tuple(laid.count(kind) + count for kind, count in zip(TICKETS, held, strict=True))


def _counted(state: PursuitState) -> list[Hand]:
    """The hands of those that pay: Bobbies do not (ED-01)."""
    return [hand for hand, pays in zip(state.hands, state.terms.pays, strict=True) if pays]


def _check_move(before: PursuitState, action: Action, after: PursuitState) -> None:
    assert len(after.log) - len(before.log) == (type(action) is MrXMove)
    assert after.log[: len(before.log)] == before.log
    assert after.doubles == before.doubles - (type(action) is Double)
    paid = type(action) is Take or (type(action) is PawnMove and action.ticket != FREE)
    assert sum(map(sum, before.hands)) - sum(map(sum, after.hands)) == paid
    moved = [pawn for pawn, (a, b) in enumerate(zip(before.at, after.at, strict=True)) if a != b]
    assert len(moved) == (type(action) is PawnMove)


def _check_state(state: PursuitState, total: tuple[int, ...]) -> None:
    reason = state.outcome.reason if state.outcome else ""
    assert _total(state) == total
    assert len(set(state.at)) == len(state.at)
    assert (state.x in state.at) is (reason == "captured")
    assert min(map(min, (*state.hands, state.supply))) >= 0
    assert min(state.blacks, state.doubles) >= 0
    assert len(state.log) <= state.terms.windows
    assert state.outcome is None or state.outcome.winner == WINNERS[reason]


def _check_views(rules: System, state: PursuitState, shown: set[int]) -> None:
    """Whoever is to act can act; Mister X's stations are public where he has shown himself, and nowhere else."""
    view: PublicView = rules.public(state)
    legal, over = rules.legal(state), state.outcome is not None
    assert bool(legal) is bool(view.turn) is not over
    if view.turn != (MR_X,):
        assert {move.pawn for move in view.moves} == set(view.turn)
        assert view.moves == legal
    assert (MR_X in view.pawns) is (over or len(state.log) in shown)
    for entry, laid in zip(view.log, state.log, strict=True):
        assert entry.station == (laid.station if over or entry.window in shown else None)
    assert view.stale <= {state.log[n - 1].station for n in shown}
    assert len(view.route) == (len(state.log) + 1 if over else 0)
    assert bool(view.giving) is any(type(action) is Take for action in legal)


def _play_one(setup: Setup, chance: random.Random, seen: Counter[str]) -> None:
    rules = system(setup.edition)
    state: Any = rules.begin(setup)
    total, wary, announced = _total(state), chance.random() < 0.7, False
    shown: set[int] = set()
    _check_state(state, total)
    _check_views(rules, state, shown)
    while legal := rules.legal(state):
        if wary and state.turn >= 0:
            legal = tuple([a for a in legal if type(a) is PawnMove and a.to != state.x]) or legal
        action = legal[-1] if chance.random() < 0.1 else chance.choice(legal)
        before, state = state, rules.play(state, action)
        announced = announced or type(action) is Surface
        if type(action) is MrXMove:
            if announced or len(state.log) in setup.edition.surfacing:
                shown.add(len(state.log))
            announced = False
        _check_move(before, action, state)
        _check_state(state, total)
        _check_views(rules, state, shown)
        seen[type(action).__name__] += 1
    assert state.outcome is not None
    seen[state.outcome.reason] += 1


def _batch(edition: Edition, board: RawMap, seeds: range, seen: Counter[str]) -> None:
    for seed in seeds:
        chance = random.Random(f"{edition.name}/{seed}")
        played_on = board if seed % 2 else lanes(seed % 1000)
        _play_one(random_setup(edition, played_on, chance), chance, seen)


@in_batches(BATCHES)
@pytest.mark.long
def test_random_games_of_us_end_by_the_rules_and_keep_every_invariant(batch: int) -> None:
    seen: Counter[str] = Counter()
    _batch(us(), london_us(), range(BATCH * batch, BATCH * (batch + 1)), seen)
    ends = WINNERS.keys() - {"rounds_over"}
    assert sum(seen[reason] for reason in ends) == BATCH
    assert all(seen[happening] for happening in (*ends, "Double", "Surface", "Take")), seen


@in_batches(BATCHES)
@pytest.mark.long
def test_random_games_of_current_end_by_the_rules_and_keep_every_invariant(batch: int) -> None:
    seen: Counter[str] = Counter()
    _batch(current(), london(), range(BATCH * batch, BATCH * (batch + 1)), seen)
    ends = WINNERS.keys() - {"log_full"}
    assert sum(seen[reason] for reason in ends) == BATCH
    assert all(seen[happening] for happening in (*ends, "Double")), seen
    assert not seen["Surface"]


def _naive_of(board: RawMap, setup: Setup) -> NaiveUs:
    players = len(set(setup.owners.values())) + 1
    return NaiveUs(board.data, setup.start, setup.mr_x.value, players=players, **setup.options)  # type: ignore[arg-type]


@in_batches(4)
def test_the_naive_referee_agrees_on_what_is_legal_and_on_how_it_ends(batch: int) -> None:
    positions = 0
    for seed in range(40 * batch, 40 * (batch + 1)):
        chance = random.Random(f"naive/{seed}")
        board = lanes(seed) if seed % 4 else london_us()
        table = Game(random_setup(us(), board, chance))
        naive = _naive_of(board, table.setup)
        while True:
            view, legal = table.public, shorts(table.legal)
            assert legal == naive.moves()
            assert (view.outcome.reason if view.outcome else "") == naive.end
            assert view.tickets[MR_X] == {**naive.supply, "double": naive.doubles}
            assert all(view.tickets[name] == hand for name, hand in naive.hands.items())
            assert {name: view.pawns[name] for name in view.order} == naive.where
            assert (MR_X in view.pawns) is (naive.seen or bool(naive.end))
            positions += 1
            if not legal:
                break
            words = sorted(word for word in legal if naive.to_go and int(word[1:-1]) != naive.x) or sorted(legal)
            word = chance.choice(words)
            naive.do(word)
            table.play(actions(word)[0])
    assert positions >= 1000


LANES = "taxi 1-2 2-3 3-4 4-5 5-6, bus 1-6 2-7 7-8, underground 3-8 8-9 1-9, boat 5-9"


def _row(
    board: RawMap,
    mr_x: int,
    start: tuple[int, ...],
    played: str,
    turn: tuple[str, ...],
    counts: tuple[int, ...],
    **options: Any,
) -> Counted:
    return Counted(board, lambda: game(us(), board, mr_x, *start, played=played, **options), turn, counts)


ROWS = {
    "a game of three after his first move": _row(
        london_us(), 117, (26, 29, 34, 50, 53), "116t", ("purple", "yellow", "blue"), (19, 220, 1092), players=3
    ),
    "every option on, on a small map, in the first half of a double move": _row(
        small(LANES, "bus 1-6 3, underground 1-9 2, bus 2-7 4"),
        5,
        (1, 2, 3, 7, 8),
        "D",
        (MR_X,),
        (6, 19, 42),
        voluntary_surfacing=True,
        cut_off=True,
        x_fares="counted",
    ),
}


def _naive_after(board: RawMap, table: Game) -> NaiveUs:
    naive = _naive_of(board, table.setup)
    for action in table.actions:
        naive.do(short(action))
    return naive


@pytest.mark.parametrize("name", ROWS)
def test_engine_and_naive_referee_count_as_many_sequences_as_are_written_here(name: str) -> None:
    ROWS[name].check(_naive_after)
