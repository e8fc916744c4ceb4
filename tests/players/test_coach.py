"""The coach knows exactly what the log allows, and says what a move cost, in this process and in one of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from firmware_host.players.coach import coach as coaches
from firmware_host.players.coach.coach import CoachMind, ReviewingMind
from firmware_host.players.coach.coach_port import NextAction, Review
from firmware_host.players.levels import levels
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol import player_session
from firmware_host.players.protocol.coach_process import LEVEL, PATIENCE, CoachProcess, ReviewerProcess
from firmware_host.players.protocol.player_session import PlayerSession
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line, short_record
from firmware_host.players.protocol.protocol_messages import CoachAnswer, Hint, Ready, ReviewMessage, line
from firmware_host.rules.actions import MrXMove, PawnMove, Surface, to_record
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish
from firmware_host.table.playable_games import deal
from tests.players.too_large import game_of_six_pawns, game_with_high_numbers
from tests.table.cases import shipped
from tests.waiting import until

RULES = ("classic", "current", "us", "beginners")


def begun(rules: str, seed: int) -> Game:
    return Game(deal(shipped(rules), rules, Wish(), random.Random(seed)))


def told(game: Game) -> NewGame:
    return NewGame.of(game.setup, game.public.order, seed=0, level="", ms=0)


def played(game: Game, seed: int, most: int = 25) -> list[PublicHistory]:
    """Play at random, and return what everyone had seen at each moment."""
    chance = random.Random(seed)
    histories = [PublicHistory.begin(game.public)]
    while game.public.outcome is None and len(histories) < most:
        game.play(chance.choice(game.legal))
        histories.append(histories[-1].see(game.public, game.actions[-1]))
    return histories[:-1] if game.public.outcome is not None else histories


@pytest.mark.parametrize("rules", RULES)
def test_mister_x_is_always_on_one_of_the_stations_that_it_tells(rules: str) -> None:
    for seed in range(3):
        game = begun(rules, seed)
        mind, chance = CoachMind(told(game)), random.Random(seed)
        history = PublicHistory.begin(game.public)
        while game.public.outcome is None and len(history.views) < 40:
            insight = mind.find_insight(history, advice=False)
            assert game.private.at.value in insight.stations
            assert sum(insight.stations.values()) == pytest.approx(1, abs=0.02)
            game.play(chance.choice(game.legal))
            history = history.see(game.public, game.actions[-1])


def test_without_compiled_code_it_tells_the_same_stations_and_advises_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun("classic", 1)
    histories = played(game, 1)
    with_search = [CoachMind(told(game)).find_insight(history, advice=False).stations.keys() for history in histories]
    monkeypatch.setattr(coaches, "can_search", lambda: False)
    mind = CoachMind(told(game))
    plain = [mind.find_insight(history, advice=True) for history in histories]
    assert [insight.stations.keys() for insight in plain] == with_search
    assert any(insight.advice is not None for insight in plain)


@pytest.mark.parametrize("begun", [game_of_six_pawns, game_with_high_numbers])
def test_where_a_game_is_too_large_for_the_search_it_advises_by_rule(begun: Callable[[], Game]) -> None:
    game = begun()
    compiled, by_rule = CoachMind(told(game)), CoachMind(told(game), compiled=False)
    for history in played(game, 1):
        insight = compiled.find_insight(history, advice=True)
        assert insight == by_rule.find_insight(history, advice=True)
        assert insight.advice is not None or history.now.mr_x_to_move


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.long_but_first
def test_behind_the_protocol_it_finds_the_same(rules: str) -> None:
    game = begun(rules, 2)
    histories = played(game, 2)
    mind, session = CoachMind(told(game)), PlayerSession(LEVEL)
    session.answer(line(new_game_line(told(game))).strip())
    for history in histories:
        session.answer(line(position_line(told(game), Position(history))).strip())
        answer = session.answer(line(Hint(advice=True)).strip())
        insight = mind.find_insight(history, advice=True)
        assert isinstance(answer, CoachAnswer)
        assert answer.stations == insight.stations
        move = insight.advice
        assert answer.move == (short_record(move) if move is not None else CoachAnswer().move)


@pytest.mark.parametrize("rules", [*RULES, "dice", "junior"])
def test_without_the_extra_the_coachs_program_begins_every_game_and_advises(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (levels, coaches, player_session):
        monkeypatch.setattr(module, "can_search", lambda: False)
    game, session = begun(rules, 2), PlayerSession(LEVEL)
    assert session.answer(line(new_game_line(told(game))).strip()) == Ready(ok=True)
    history = played(game, 2, most=2)[-1]
    session.answer(line(position_line(told(game), Position(history))).strip())
    answer = session.answer(line(Hint(advice=True)).strip())
    assert isinstance(answer, CoachAnswer)
    assert bool(answer.stations) == (rules in RULES)


def test_in_a_process_of_its_own_it_finds_the_same() -> None:
    game = begun("classic", 3)
    history = played(game, 3, most=4)[-1]
    coach = CoachProcess()
    try:
        coach.begin(told(game))
        coach.ask(history, advice=True)
        until(coach.insight, "what it has found out", seconds=PATIENCE, every=0.02)
        assert coach.insight() == CoachMind(told(game)).find_insight(history, advice=True)
    finally:
        coach.close()


# ---- what a move cost ----


def steps(game: Game, seed: int, most: int = 25) -> Iterator[tuple[PublicHistory, NextAction]]:
    """Play at random; yield what everyone had seen at each moment, and what was done next."""
    chance = random.Random(seed)
    history = PublicHistory.begin(game.public)
    while game.public.outcome is None and len(history.views) <= most:
        done = NextAction(
            chance.choice(game.legal),
            game.private.at.value,
            bool(game.actions) and isinstance(game.actions[-1], Surface),
        )
        yield history, done
        game.play(done.action)
        history = history.see(game.public, done.action)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.long_but_first
def test_every_step_has_a_chance_a_cost_and_an_advice_that_is_legal(rules: str) -> None:
    game = begun(rules, 3)
    mind = ReviewingMind(told(game))
    reviews: list[Review] = []
    for history, done in steps(game, 3):
        review = mind.review(history, done)
        assert review.advice in game.legal
        assert done.mr_x in review.stations
        assert review.chance is not None
        assert review.cost is not None
        assert 0 <= review.chance <= 1
        assert 0 <= review.cost <= 1
        if review.advice == done.action:
            assert review.cost == 0
        reviews.append(review)
    assert any(review.cost for review in reviews)


def test_a_detective_who_lets_him_go_pays_for_it_and_one_who_catches_him_does_not() -> None:
    """He was just seen beside a detective: whoever is there catches him for sure."""
    for seed in range(200):
        game = begun("classic", seed)
        mind = ReviewingMind(told(game))
        for history, _ in steps(game, seed, most=60):
            at = history.now.pawns.get("mr_x")
            catches = [move for move in history.now.moves if move.to == at]
            others = [move for move in history.now.moves if move.to != at]
            if not catches or not others or len(history.now.turn) != 1 or history.now.turn[0] != history.now.order[-1]:
                continue
            caught, let_go = (mind.review(history, NextAction(move, at or 0)) for move in (catches[0], others[0]))
            assert caught.cost == 0
            assert isinstance(caught.advice, PawnMove)
            assert caught.advice.to == at
            assert (let_go.cost or 0) > 0.2
            return
    pytest.fail("nobody could ever catch him")


def test_mister_x_who_moves_by_chance_pays_for_it() -> None:
    game, dear = begun("classic", 1), 0.0
    mind = ReviewingMind(told(game))
    for history, done in steps(game, 1, most=40):
        if isinstance(done.action, MrXMove):
            dear = max(dear, mind.review(history, done).cost or 0.0)
    assert dear > 0.05


def test_without_compiled_code_it_advises_detectives_by_rule_and_tells_no_costs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coaches, "can_search", lambda: False)
    game = begun("classic", 2)
    mind = ReviewingMind(told(game))
    reviews = [(mind.review(history, done), history.now.mr_x_to_move) for history, done in steps(game, 2)]
    assert {(review.chance, review.cost) for review, _ in reviews} == {(None, None)}
    assert any(review.advice for review, _ in reviews)
    assert not any(review.advice for review, mr_x_to_move in reviews if mr_x_to_move)


@pytest.mark.long
def test_behind_the_protocol_the_review_is_the_same_and_a_hint_beside_it_too() -> None:
    game = begun("classic", 2)
    mind, session = ReviewingMind(told(game)), PlayerSession(LEVEL)
    session.answer(line(new_game_line(told(game))).strip())
    for history, done in steps(game, 2, most=8):
        session.answer(line(position_line(told(game), Position(history))).strip())
        asked = ReviewMessage(done=to_record(done.action), mr_x=done.mr_x, shows=done.shows)
        answer, hint = (session.answer(line(one).strip()) for one in (asked, Hint(advice=False)))
        review = mind.review(history, done)
        assert isinstance(answer, CoachAnswer)
        assert review.advice is not None
        assert (answer.chance, answer.cost, answer.move) == (review.chance, review.cost, to_record(review.advice))
        assert isinstance(hint, CoachAnswer)
        assert hint.stations == answer.stations == review.stations


def test_in_a_process_of_its_own_the_review_is_the_same() -> None:
    game = begun("classic", 3)
    history, done = next(steps(game, 3))
    reviewer = ReviewerProcess()
    try:
        reviewer.begin(told(game))
        reviewer.review(history, done)
        until(reviewer.reviewed, "its review", seconds=PATIENCE, every=0.02)
        assert reviewer.reviewed() == ReviewingMind(told(game)).review(history, done)
    finally:
        reviewer.close()
