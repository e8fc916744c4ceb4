"""The engine and the naive referee play the same games and never disagree."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware_host.rules.game import Game
from tests.amount import amount
from tests.rules.boards import LinkedMap, lanes, london, naive_of, plain, random_setup


def _play_side_by_side(board: LinkedMap, chance: random.Random) -> Counter[str]:
    """One random game; counts positions, ends and what happened on the way."""
    setup = random_setup(board, chance)
    game, naive = Game(setup), naive_of(board, setup)
    wary = chance.random() < 0.5  # detectives who would rather not catch him let games grow old
    seen: Counter[str] = Counter()
    while True:
        legal = game.legal
        seen["positions"] += 1
        assert sorted(map(plain, legal)) == sorted(naive.moves())  # sorted, so that nothing is offered twice
        public = game.public
        assert (public.outcome.reason if public.outcome else None) == naive.end
        assert {s.pawn: s.why for s in public.skipped} == naive.skipped
        assert {p: s for p, s in public.pawns.items() if p != "mr_x"} == naive.where
        assert public.tickets == naive.hands | {"mr_x": naive.supply | {"double": naive.doubles}}
        seen.update(naive.skipped.values())
        seen["in a double"] += public.double == 1
        if naive.end is not None:
            seen[naive.end] += 1
            return seen
        if wary and naive.waiting[0] != "mr_x":
            legal = tuple(a for a in legal if plain(a)[2] != naive.x) or legal
        # Doubles are rare among many moves: announce every fourth that is to be had.
        action = legal[-1] if chance.random() < 0.25 else chance.choice(legal)
        game.play(action)
        naive.do(plain(action))


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_the_naive_referee_agrees_on_random_games_over_london(seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(30):
        seen += _play_side_by_side(london(), random.Random(1000 * seed + number))
    assert seen["positions"] > 1000
    assert seen["in a double"] > 10


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_the_naive_referee_agrees_on_small_maps_where_pawns_starve_and_block_each_other(seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(400):
        seen += _play_side_by_side(lanes(1000 * seed + number), random.Random(number))
    assert seen["positions"] > 4000
    for happening in ("captured", "trapped", "immobilised", "stalled", "log_full", "blocked", "in a double"):
        assert seen[happening] > 0, happening
