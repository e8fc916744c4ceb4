"""An answer in a game of two who choose at once is the odds of the game, bent as far as a guess is trusted."""

from __future__ import annotations

import pytest

from firmware_host.players.levels.junior_strategy import safe_answer

ROCK_PAPER_SCISSORS = [[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]
EVENLY = [1 / 3, 1 / 3, 1 / 3]
MOSTLY_ROCK = [0.6, 0.2, 0.2]


def worst(shares: list[float]) -> float:
    """What we gain against whoever answers us best."""
    return min(sum(share * row[n] for share, row in zip(shares, ROCK_PAPER_SCISSORS, strict=True)) for n in range(3))


def test_without_trust_it_is_the_odds_of_the_game() -> None:
    assert safe_answer(ROCK_PAPER_SCISSORS, MOSTLY_ROCK, 0.0) == pytest.approx(EVENLY, abs=0.06)


def test_with_blind_trust_it_is_the_best_answer_to_the_guess() -> None:
    assert safe_answer(ROCK_PAPER_SCISSORS, MOSTLY_ROCK, 1.0) == [0.0, 1.0, 0.0]


def test_with_some_trust_it_gains_by_the_guess_and_risks_less_than_with_blind_trust() -> None:
    some = safe_answer(ROCK_PAPER_SCISSORS, [1.0, 0.0, 0.0], 0.5)
    assert some[1] > max(some[0], some[2])
    assert worst(some) > worst([0.0, 1.0, 0.0])


def test_what_always_gains_more_is_always_chosen() -> None:
    assert safe_answer([[1.0, 2.0], [0.0, 1.0]], [0.5, 0.5], 0.3) == [1.0, 0.0]
