"""In the junior game easy goes by where all stand, medium guesses, and hard answers guessers."""

from __future__ import annotations

import random
from itertools import product

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.levels.junior_strategy import (
    Joint,
    JuniorBeginner,
    JuniorGuesser,
    JuniorReckoner,
    JuniorRound,
    detectives_shares,
    fugitives_shares,
    prospects,
    safe_answer,
    worth_of,
)
from firmware_host.rules.actions import Commit, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Wish


def dealt(start: dict[str, int], players: int = 3) -> Game:
    config = with_rules(simulator(), "junior")
    wish = Wish(players=players, start=start)
    return Game(system(config.edition).deal(config.ground, wish, random.Random(1)))


@pytest.fixture(scope="module")
def small_london() -> Network:
    return dealt({}).public.network


def picked(game: Game, strategy: JuniorBeginner) -> int:
    """Return where a strategy's pick leads Mister X."""
    strategy.see(game.public)
    action = strategy.flee(game.private)
    assert isinstance(action, Commit)
    around = game.public.network.around(game.private.at.value)
    return next((to for to, ways in around.items() if action.ticket.value in ways), game.private.at.value)


def test_the_beginners_detective_runs_to_where_mister_x_stands() -> None:
    game = dealt({"white": 9, "yellow": 4, "mr_x": 13})
    game.play(game.legal[0])
    for seed in range(10):
        strategy = JuniorBeginner(random.Random(seed))
        strategy.see(game.public)
        assert strategy.pursue(game.public) == PawnMove("white", 13, "taxi")


def test_the_beginners_mister_x_leaves_but_does_not_see_that_detectives_move_first() -> None:
    game = dealt({"white": 9, "yellow": 4, "mr_x": 13})
    went = {picked(game, JuniorBeginner(random.Random(seed))) for seed in range(30)}
    assert went == {12, 14}  # white can come to both; 9 is where white stands


def test_a_guesser_takes_mister_x_to_avoid_what_detectives_reach_and_to_stay_seldom(small_london: Network) -> None:
    likely = JuniorRound(small_london, detectives=(9, 4), fugitives=(10,)).guess_fugitive(10)
    assert sum(likely.values()) == pytest.approx(1)
    assert likely[5] == max(likely.values())  # nobody reaches it
    assert likely[14] < likely[5]  # white reaches it
    assert likely[10] < likely[5]  # to stay


def test_a_guessers_detective_leaves_to_another_where_that_one_goes(small_london: Network) -> None:
    now = JuniorRound(small_london, detectives=(14, 14), fugitives=(13,))
    assert now.guess_detective(14, taken=(9,))[9] < now.guess_detective(14)[9] / 5


def test_both_guessers_play_as_guessed() -> None:
    game = dealt({"white": 9, "yellow": 4, "mr_x": 10})
    now = JuniorRound.of(game.public)
    fled = [picked(game, JuniorGuesser(random.Random(seed))) for seed in range(400)]
    for to, share in now.guess_fugitive(10).items():
        assert fled.count(to) / 400 == pytest.approx(share, abs=0.1)


def expected(now: JuniorRound, detectives: dict[Joint, float], fugitives: dict[Joint, float]) -> float:
    """Return what a round is worth to the detectives on the mean, in chips now and later."""
    return sum(
        theirs * his * worth_of(now, joint, fled)
        for (joint, theirs), (fled, his) in product(detectives.items(), fugitives.items())
    )


def guessed(now: JuniorRound) -> tuple[dict[Joint, float], dict[Joint, float]]:
    """What guessers on both sides do."""
    theirs, his = now.joints(now.detectives), now.joints(now.fugitives)
    return (
        dict(zip(theirs, now.guess_detectives(theirs), strict=True)),
        dict(zip(his, now.guess_fugitives(his), strict=True)),
    )


@pytest.mark.parametrize("fugitives", [1, 2])
def test_the_reckoner_gains_more_against_guessers_than_they_do_and_risks_less_against_anybody(
    small_london: Network, fugitives: int
) -> None:
    chance = random.Random(5)
    even = gained = lost = risked = floor = 0.0
    for _ in range(10):
        stand = tuple(chance.choices([*small_london.stations], k=2 + fugitives))
        now = JuniorRound(small_london, stand[:2], stand[2:])
        (theirs, his), ours = guessed(now), detectives_shares(now)
        even += expected(now, theirs, his)
        gained += expected(now, ours, his)
        lost += expected(now, theirs, fugitives_shares(now))
        risked += min(expected(now, theirs, {fled: 1.0}) for fled in his)
        floor += min(expected(now, ours, {fled: 1.0}) for fled in his)
    assert gained > even > lost
    assert floor > risked


def test_a_position_is_worth_more_to_detectives_who_stand_near(small_london: Network) -> None:
    worth = prospects(small_london)
    assert worth[13, 12, 14] > worth[13, 3, 4] + 0.5
    assert worth[10, 6, 14] > worth[10, 1, 1]
    assert sum(worth.values()) / len(worth) == pytest.approx(0, abs=0.01)


def test_two_reckoners_on_one_station_go_on_together_for_then_they_are_caught_as_seldom_as_one() -> None:
    game = dealt({"white": 9, "yellow": 4, "mr_x": 10, "mr_x_junior": 10}, players=4)
    for seed in range(8):
        strategy = JuniorReckoner(random.Random(), seed, game.public.network)
        first = picked(game, strategy)
        branch = game.branch()
        branch.play(strategy.flee(branch.private))
        assert picked(branch, JuniorReckoner(random.Random(), seed, game.public.network)) == first


def test_a_reckoners_detective_plays_on_sensibly_after_a_person_moved_the_other() -> None:
    game = dealt({"white": 9, "yellow": 4, "mr_x": 13})
    strategy = JuniorReckoner(random.Random(1), 1, game.public.network)
    strategy.see(game.public)
    game.play(game.legal[0])
    game.play(PawnMove("white", 8, "boat"))
    strategy.see(game.public)
    assert strategy.pursue(game.public) in game.legal


# ---- an answer in a game of two who choose at once ----


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
