"""The editions "us" and "current": random games end by the rules, and a naive referee agrees with the engine."""

from __future__ import annotations

import random
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from tests.rules.batches import in_batches
from tests.rules.counting import Counted
from tests.rules.data.boxes import RawMap, game, lanes, london_us, random_setup, small, us
from tests.rules.pursuit.naive_us import NaiveUs
from tests.rules.pursuit.notation import actions, short, shorts


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
