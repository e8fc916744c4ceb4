"""Shares and Elo points are those of the books."""

from __future__ import annotations

import math

import pytest

from firmware_host.players.levels.levels import LEVELS
from firmware_host.tournament.entrants import Entrant, Pairing, Terms
from firmware_host.tournament.one_game import Result
from firmware_host.tournament.standings import AS_DETECTIVES, AS_MR_X, TOGETHER, Share, elo, meetings

TERMS = Terms("classic", 0, (), 1)
ONE, OTHER, THIRD = (
    Entrant("easy", LEVELS["easy"]),
    Entrant("medium", LEVELS["medium"]),
    Entrant("hard", LEVELS["hard"]),
)


def game(mr_x: Entrant, detectives: Entrant, winner: str, deal: int = 0) -> Result:
    return Result(Pairing(TERMS, deal, mr_x, detectives), winner, "captured", 9, 1.0, 1.0, 0.1, "this one")


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (50, 100, 0.4038, 0.5962), (400, 400, 0.9905, 1.0)],
)
def test_the_interval_of_a_share_is_wilsons(won: int, games: int, low: float, high: float) -> None:
    assert Share(won, games).interval == pytest.approx((low, high), abs=1e-4)


def test_nothing_is_known_of_no_games() -> None:
    assert Share(0, 0).interval == (0.0, 1.0)
    assert Share(0, 0).rate == 0.0


def test_a_meeting_tells_both_sides_apart() -> None:
    results = [game(ONE, OTHER, "mr_x"), game(ONE, OTHER, "detectives"), game(OTHER, ONE, "detectives")]
    (meeting,) = meetings(["easy", "medium"], results)
    assert meeting.shares == {AS_MR_X: Share(1, 2), AS_DETECTIVES: Share(1, 1), TOGETHER: Share(2, 3)}


def test_three_wins_of_four_are_a_difference_of_191_points() -> None:
    results = [game(ONE, OTHER, "mr_x" if n % 4 else "detectives", n) for n in range(4000)]
    points = elo(["easy", "medium"], results)
    assert points["easy"] - points["medium"] == pytest.approx(400 * math.log10(3), abs=0.5)
    assert sum(points.values()) == pytest.approx(0)


def test_who_wins_always_is_ahead_by_a_finite_number_of_points() -> None:
    results = [game(ONE, OTHER, "detectives"), game(OTHER, THIRD, "detectives"), game(THIRD, ONE, "mr_x")] * 50
    points = elo(["easy", "medium", "hard"], results)
    assert points["easy"] < points["medium"] < points["hard"] < math.inf
