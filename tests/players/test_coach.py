"""The coach knows exactly what the log allows, in this process and in one of its own alike."""

from __future__ import annotations

import random

import pytest

from firmware_host.players.coach import coach as coaches
from firmware_host.players.coach.coach import CoachMind
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.coach_process import PATIENCE, CoachProcess
from firmware_host.players.protocol.player_session import PlayerSession
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line, short_record
from firmware_host.players.protocol.protocol_messages import CoachAnswer, Hint, line
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish
from firmware_host.table.playable_games import deal
from tests.table.cases import shipped
from tests.waiting import until

RULES = ("classic", "current", "us", "beginners")


def begun(rules: str, seed: int) -> Game:
    return Game(deal(shipped(rules), rules, Wish(), random.Random(seed)))


def told(game: Game) -> NewGame:
    return NewGame.of(game.setup, game.public.order, seed=0, level="hard", ms=0)


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
            insight = mind.look(history, advice=False)
            assert game.private.at.value in insight.stations
            assert sum(insight.stations.values()) == pytest.approx(1, abs=0.02)
            game.play(chance.choice(game.legal))
            history = history.see(game.public, game.actions[-1])


def test_without_compiled_code_it_tells_the_same_stations_and_advises_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun("classic", 1)
    histories = played(game, 1)
    with_search = [CoachMind(told(game)).look(history, advice=False).stations.keys() for history in histories]
    monkeypatch.setattr(coaches, "can_search", lambda: False)
    mind = CoachMind(told(game))
    plain = [mind.look(history, advice=True) for history in histories]
    assert [insight.stations.keys() for insight in plain] == with_search
    assert any(insight.advice is not None for insight in plain)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.long_but_first
def test_behind_the_protocol_it_finds_the_same(rules: str) -> None:
    game = begun(rules, 2)
    histories = played(game, 2)
    mind, session = CoachMind(told(game)), PlayerSession("hard")
    session.answer(line(new_game_line(told(game))).strip())
    for history in histories:
        session.answer(line(position_line(told(game), Position(history))).strip())
        answer = session.answer(line(Hint(advice=True)).strip())
        insight = mind.look(history, advice=True)
        assert isinstance(answer, CoachAnswer)
        assert answer.stations == insight.stations
        move = insight.advice
        assert answer.move == (short_record(move) if move is not None else CoachAnswer().move)


def test_in_a_process_of_its_own_it_finds_the_same() -> None:
    game = begun("classic", 3)
    history = played(game, 3, most=4)[-1]
    coach = CoachProcess()
    try:
        coach.begin(told(game))
        coach.ask(history, advice=True)
        until(coach.insight, "what it has found out", seconds=PATIENCE, every=0.02)
        assert coach.insight() == CoachMind(told(game)).look(history, advice=True)
    finally:
        coach.close()
