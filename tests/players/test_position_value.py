"""The network that guesses how likely Mister X is to win: what it is shown, what it works out, how well it guesses."""

from __future__ import annotations

import random

import numpy as np
import pytest

from firmware_host.players.search import position_value
from firmware_host.players.search.game_numbers import SURFACING, Row, X, distances, game_numbers, row_of_view
from firmware_host.players.search.position_value import FEATURES, describe, learned, value_of
from firmware_host.rules.game import Game
from tests.players.test_search_player import dealt
from tools.tune.position_value import guesses, loss, positions

RULES = ("classic", "us", "current", "beginners")


def described(game: Game, ghosts: list[int]) -> dict[str, float]:
    """What the network is shown of a position, by name."""
    terms = game.system.begin(game.setup).terms
    row, inputs = row_of_view(game.public, terms), np.zeros(len(FEATURES), np.float32)
    row[X] = game.private.at.value
    describe(game_numbers(terms), row, distances(terms.network), np.array(ghosts, np.int16), inputs)
    return dict(zip(FEATURES, map(float, inputs), strict=True))


def in_play(rules: str, seed: int, moves: int) -> Game:
    game, chance = dealt(rules, seed), random.Random(seed)
    for _ in range(moves):
        if game.public.outcome is None:
            game.play(chance.choice(game.legal))
    return game


@pytest.mark.parametrize("rules", RULES)
def test_every_position_is_described_by_numbers_of_about_one(rules: str) -> None:
    for seed in range(6):
        game = in_play(rules, seed, 4 * seed)
        shown = described(game, [game.private.at.value] * 5)
        assert all(0 <= value <= 4 for value in shown.values()), shown
        assert sum(shown[name] for name in FEATURES if name.startswith("nearest")) == 1
        assert sum(shown[name] for name in FEATURES if name.startswith("shows")) == 1
        assert shown["spread"] == 0, "they take him to be where he is"


def test_the_terms_of_a_game_are_told_apart() -> None:
    shown = {rules: described(in_play(rules, 1, 0), [1] * 5) for rules in RULES}
    assert [shown[rules]["paying"] for rules in RULES] == [1, 1, 1, 0]
    assert [shown[rules]["in_sight"] for rules in RULES] == [0, 0, 0, 1]
    assert shown["classic"]["windows"] == 1


def test_detectives_are_told_by_how_far_they_are_and_what_they_hold() -> None:
    game = in_play("classic", 2, 0)
    view, at, away = game.public, game.private.at.value, distances(game.setup.network)
    far = sorted(int(away[view.pawns[pawn], at]) for pawn in view.order)
    shown = described(game, [at] * 5)
    nearest = "nearest_further" if far[0] >= 5 else f"nearest_{far[0]}"
    assert shown[nearest] == 1
    assert shown["second_distance"] == pytest.approx(min(far[1], 8) / 6)
    assert shown["mean_distance"] == pytest.approx(np.mean([min(one, 8) for one in far]) / 8)
    assert shown["fewest_tickets"] == pytest.approx(22 / 22)
    assert shown["underground_tickets"] == pytest.approx(4 * len(view.order) / 20)
    assert shown["chase"] == pytest.approx(np.mean([min(one, 10) for one in far]) / 10)


def test_the_moves_until_he_shows_himself_are_counted_from_the_next_on() -> None:
    game = in_play("classic", 3, 0)
    numbers = game_numbers(game.system.begin(game.setup).terms)
    first = next(move for move in range(1, 25) if numbers[SURFACING + move])
    assert described(game, [1] * 5)[f"shows_in_{first}"] == 1


def test_what_it_works_out_is_what_its_weights_say() -> None:
    network, chance = learned(), np.random.default_rng(5)
    for _ in range(20):
        network.inputs[:] = chance.random(len(FEATURES))
        first, bias, second, last = position_value._weights()
        (meant,) = guesses([first, bias, second, np.array([last], np.float32)], network.inputs[np.newaxis])
        assert value_of(network) == pytest.approx(meant, rel=1e-4)


def test_two_who_search_at_once_have_room_of_their_own() -> None:
    assert learned().inputs is not learned().inputs
    assert learned().first is learned().first


def test_games_that_it_was_not_learned_from_are_guessed_better_than_by_chance() -> None:
    first, bias, second, last = position_value._weights()
    played = [positions(deal, seed=778, iterations=60) for deal in range(24)]
    inputs = np.concatenate([found for found, _ in played])
    won = np.concatenate([np.full(len(found), has_won, np.float32) for found, has_won in played])
    assert loss([first, bias, second, np.array([last], np.float32)], inputs, won) < 0.64 < np.log(2)


def test_mister_x_far_away_and_unseen_is_likelier_to_win_than_beside_those_who_know() -> None:
    def value(at: int, ghosts: list[int]) -> float:
        row: Row = row_of_view(game.public, terms)
        row[X], network = at, learned()
        describe(game_numbers(terms), row, away, np.array(ghosts, np.int16), network.inputs)
        return value_of(network)

    game = in_play("classic", 4, 0)
    terms = game.system.begin(game.setup).terms
    away, taken = distances(terms.network), [*game.public.pawns.values()]
    nearest = {station: min(int(away[pawn, station]) for pawn in taken) for station in terms.network.stations}
    far = max(nearest, key=lambda station: nearest[station])
    beside = next(station for station, moves in nearest.items() if moves == 1)
    assert value(far, [beside] * 5) > value(beside, [beside] * 5) + 0.1
