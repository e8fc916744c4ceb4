"""The engine and the naive referee of the junior game never disagree: on random games, and in counting them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.amount import amount
from tests.rules.counting import perft, play_all
from tests.rules.junior.junior_boards import Board, game, lanes, london, naive_of, plain, random_setup, small
from tests.rules.junior.naive_junior import NaiveJunior


def _agree(table: Game, naive: NaiveJunior) -> None:
    view = table.public
    assert sorted(map(plain, table.legal)) == sorted(naive.moves())  # sorted, so that nothing is offered twice
    assert (view.outcome.winner if view.outcome else None) == naive.winner
    assert set(view.turn) == naive.waiting()
    assert view.pawns == naive.where
    assert {side: won for side, (won, _) in view.chips.items()} == naive.chips
    assert view.round == naive.rounds_over + (naive.winner is None)
    assert view.stale == naive.to_be_taken_off()
    left = {name: {ticket for ticket, count in hand.items() if count} for name, hand in view.tickets.items()}
    assert left == naive.hands


def _play_side_by_side(board: Board, chance: random.Random) -> Counter[str]:
    """One random game; counts positions and ends."""
    table = Game(random_setup(board, chance))
    naive = naive_of(board, table.setup)
    seen: Counter[str] = Counter()
    while True:
        _agree(table, naive)
        seen["positions"] += 1
        seen["stale"] += bool(table.public.stale)
        if not table.legal:
            assert naive.winner is not None
            seen[naive.winner] += 1
            return seen
        action = chance.choice(table.legal)
        table.play(action)
        naive.do(plain(action))


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_the_naive_referee_agrees_on_random_games(seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(100):
        board = london() if number % 2 else lanes(100 * seed + number)
        seen += _play_side_by_side(board, random.Random(1000 * seed + number))
    assert seen["positions"] > 2000
    for happening in (MR_X, "detectives", "stale"):
        assert seen[happening] > 0, happening


POOR = small("taxi 1-2, bus 2-3 4-5, underground 3-4, boat 5-6 2-3", (1, 6, 3, 4))


@dataclass(frozen=True)
class Row:
    """A position, and how many sequences of one, two, three and four actions lead on from it."""

    board: Board
    players: int
    played: str
    turn: tuple[str, ...]
    counts: tuple[int, int, int, int]
    start: dict[str, int] = field(default_factory=dict)

    def game(self) -> Game:
        return game(self.board, self.played, self.players, **self.start)


ROWS = {
    "the first round of two players": Row(london(), 2, "", ("mr_x",), (4, 32, 128, 576)),
    "the first round of four players": Row(london(), 4, "", ("mr_x",), (4, 20, 160, 640)),
    "the accomplice is to pick, late": Row(
        london(), 4, "xt jf wt yt xu ju wb yu xf jt wu y- x-", ("mr_x_junior",), (5, 40, 160, 800)
    ),
    "in the middle of a round, one detective left": Row(
        london(), 3, "xb wu yb xt wf yu xb y-", ("white",), (5, 25, 240, 1150)
    ),
    "the last round: either side needs one chip": Row(
        london(), 2, "x- w- y- " * 2 + "x- wt y- " + "x- w- y- " * 7, ("mr_x",), (4, 36, 160, 0), {"white": 13}
    ),
    "a map with few links": Row(POOR, 4, "xu j- w- yf", ("mr_x",), (3, 9, 45, 108)),
}


def _count(table: Game, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    rules = table.system
    return sum(_count(table, rules.play(state, action), depth - 1) for action in rules.legal(state))


@pytest.mark.parametrize("name", ROWS)
def test_the_engine_counts_as_many_sequences_as_are_written_here(name: str) -> None:
    row = ROWS[name]
    table = row.game()
    assert table.public.turn == row.turn
    assert tuple(_count(table, table._states[-1], depth) for depth in (1, 2, 3, 4)) == row.counts


@pytest.mark.parametrize("name", ROWS)
def test_the_naive_referee_counts_as_many_too(name: str) -> None:
    row = ROWS[name]
    table = row.game()
    naive = play_all(naive_of(row.board, table.setup), map(plain, table.actions))
    assert tuple(perft(naive, depth) for depth in (1, 2, 3, 4)) == row.counts


def test_the_last_round_is_what_its_name_says() -> None:
    row = ROWS["the last round: either side needs one chip"]
    assert row.game().public.chips == {MR_X: (8, 9), "detectives": (2, 3)}
