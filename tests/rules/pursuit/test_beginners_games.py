"""The beginners version: random games end by the rules, and a naive referee agrees with the engine."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.amount import amount
from tests.rules.batches import in_batches
from tests.rules.counting import Counted
from tests.rules.data.boxes import RawMap, beginners, game, lanes, london, random_setup, small
from tests.rules.pursuit.naive_beginners import NaiveBeginners
from tests.rules.pursuit.notation import actions, short

WINNERS = {"captured": "detectives", "trapped": "detectives", "rounds_over": MR_X}


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
    for seed in range(60 * batch, 60 * (batch + 1)):
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
    assert positions >= 1200
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
        london(),
        82,
        (41, 46, 124, 142),
        "100f",
        ("red", "yellow", "green", "blue"),
        amount((31, 718), (31, 718, 11046)),
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
