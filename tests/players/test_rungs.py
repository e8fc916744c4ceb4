"""Each level beats the one below, already in a few games; figures of many are in docs/players.md."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.players.levels.levels import LEVELS
from firmware_host.tournament.entrants import Entrant, Pairing, Terms
from firmware_host.tournament.one_game import play


def entrant(level: str) -> Entrant:
    """Who plays at a level, by a count of iterations and not by time."""
    return Entrant(level, replace(LEVELS[level], ms=60_000, iterations=100))


@pytest.mark.parametrize(
    ("rules", "players", "weaker", "stronger", "deals"),
    [
        ("junior", 3, "easy", "medium", 15),
        ("junior", 4, "medium", "hard", 15),
        ("dice", 4, "easy", "medium", 10),
        ("dice", 4, "medium", "hard", 10),
        ("beginners", 5, "easy", "medium", 6),
    ],
)
@pytest.mark.long_but_first
def test_a_level_wins_more_games_than_the_one_below(
    rules: str, players: int, weaker: str, stronger: str, deals: int
) -> None:
    terms, (one, other) = Terms(rules, players, (), 1), map(entrant, (weaker, stronger))
    games = [Pairing(terms, deal, *sides) for deal in range(deals) for sides in ((one, other), (other, one))]
    winners = [(game, play(game).winner) for game in games]
    won = sum((game.mr_x if winner == "mr_x" else game.detectives).name == stronger for game, winner in winners)
    assert won > 0.55 * len(games)
