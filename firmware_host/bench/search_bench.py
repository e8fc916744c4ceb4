"""Measure the search for moves in pursuit games, by random games and by games that it simulates."""

from __future__ import annotations

import statistics
from collections.abc import Callable

from firmware_host.bench.measurements import cpu_seconds, repeatable_rng
from firmware_host.config.loader import simulator
from firmware_host.players.search import random_numbers, rules_kernel
from firmware_host.players.search.game_numbers import X, game_numbers, row_of_view
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.rules.engines import system
from firmware_host.rules.setup import Setup, Wish


def _dealt() -> Setup:
    """Return the start of a classic game."""
    config = simulator()
    return system(config.edition).deal(config.ground, Wish(), repeatable_rng(1))


def _games_a_second(play: Callable[[], object], games: int, rounds: int) -> float:
    """Return how many games are played per second, as the median of several rounds.

    Time for compiling and loading does not count.
    """
    play()
    return games / statistics.median(cpu_seconds(play) for _ in range(rounds))


def random_games_a_second(*, games: int, rounds: int) -> float:
    """Return how many random classic games a second one core plays with compiled rules."""
    setup = _dealt()
    rules = system(setup.edition)
    state = rules.begin(setup)
    numbers, row = game_numbers(state.terms), row_of_view(rules.public(state), state.terms)
    row[X], rng = rules.private(state).at.value, random_numbers.begin(1)
    return _games_a_second(lambda: rules_kernel.random_games(numbers, row, games, rng), games, rounds)


def searched_games_a_second(*, games: int, rounds: int) -> float:
    """Return how many games a second Mister X's search simulates before his first move on one core."""
    setup = _dealt()
    rules = system(setup.edition)
    state = rules.begin(setup)
    player = SearchPlayer(setup, rng=repeatable_rng(1), enough=lambda played, _: played >= games)
    player.see(rules.public(state))
    return _games_a_second(lambda: player.flee(rules.private(state)), games, rounds)
