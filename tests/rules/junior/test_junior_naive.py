"""The engine and the naive referee of the junior game never disagree: on random games, and in counting them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.amount import amount
from tests.rules.counting import Counted, play_all
from tests.rules.junior.junior_boards import LinkedMap, game, lanes, london, naive_of, plain, random_setup, small
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


def _play_side_by_side(board: LinkedMap, chance: random.Random) -> Counter[str]:
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


def _row(
    board: LinkedMap, players: int, played: str, turn: str, counts: tuple[int, ...], start: dict[str, int] | None = None
) -> Counted:
    return Counted(board, lambda: game(board, played, players, **(start or {})), (turn,), counts)


ROWS = {
    "the first round of two players": _row(london(), 2, "", "mr_x", (4, 32, 128, 576)),
    "the first round of four players": _row(london(), 4, "", "mr_x", (4, 20, 160, 640)),
    "the accomplice is to pick, late": _row(
        london(), 4, "xt jf wt yt xu ju wb yu xf jt wu y- x-", "mr_x_junior", (5, 40, 160, 800)
    ),
    "in the middle of a round, one detective left": _row(
        london(), 3, "xb wu yb xt wf yu xb y-", "white", (5, 25, 240, 1150)
    ),
    "the last round: either side needs one chip": _row(
        london(), 2, "x- w- y- " * 2 + "x- wt y- " + "x- w- y- " * 7, "mr_x", (4, 36, 160, 0), {"white": 13}
    ),
    "a map with few links": _row(POOR, 4, "xu j- w- yf", "mr_x", (3, 9, 45, 108)),
}


@pytest.mark.parametrize("name", ROWS)
def test_engine_and_naive_referee_count_as_many_sequences_as_are_written_here(name: str) -> None:
    ROWS[name].check(lambda board, table: play_all(naive_of(board, table.setup), map(plain, table.actions)))


def test_the_last_round_is_what_its_name_says() -> None:
    row = ROWS["the last round: either side needs one chip"]
    assert row.begin().public.chips == {MR_X: (8, 9), "detectives": (2, 3)}


# ---- played again, and taken back ----


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
