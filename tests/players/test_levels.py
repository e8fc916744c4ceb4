"""Every level answers legally, in whole games of all systems and options, and the same seed plays the same game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.levels import levels
from firmware_host.players.levels.level_player import Chooser, chooser_at, player_of
from firmware_host.players.levels.levels import LEVELS, levels_of
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.rules.actions import MR_X, Double, MrXMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Option, Wish
from tests.amount import amount

GAMES: list[tuple[str, int, dict[str, Option]]] = [
    ("classic", 3, {}),
    ("classic", 4, {"x_fares": "counted", "log_windows": 13}),
    ("classic", 6, {"last_chance": True}),
    ("current", 5, {}),
    ("us", 5, {"voluntary_surfacing": True}),
    ("us", 3, {"cut_off": True, "x_fares": "counted", "voluntary_surfacing": True}),
    ("beginners", 5, {}),
    ("beginners", 4, {"uncover_half": True}),
    ("dice", 4, {}),
    ("dice", 2, {"experts": True}),
    ("junior", 3, {}),
    ("junior", 4, {}),
]


def dealt(rules: str, players: int, seed: int, options: Mapping[str, Option]) -> Game:
    config = with_rules(simulator(), rules)
    box = config.edition
    known = {name: value for name, value in options.items() if name in box.options}
    wish = Wish(players=players if players in box.seats else None, options=known)
    return Game(system(box).deal(config.ground, wish, random.Random(seed)))


def told(game: Game, role: str, level: str = "", seed: int = 1) -> NewGame:
    pawns = game.public.fugitives if role == MR_X else game.public.order
    return NewGame.of(game.setup, pawns, seed=seed, level=level, ms=60_000)


def chooser(game: Game, role: str, level: str, iterations: int | None = 50) -> Chooser:
    """A player that counts iterations, not time, so that its games repeat themselves."""
    return chooser_at(replace(LEVELS[level], iterations=iterations), told(game, role, level))


def play(game: Game, level: str) -> Game:
    """Play a game to its end, a level on both sides; what is not legal raises."""
    mr_x, detectives = chooser(game, MR_X, level), chooser(game, "detectives", level)
    history, dice = PublicHistory.begin(game.public), random.Random(1)
    while game.public.outcome is None:
        roll = game.roll(dice)
        if roll is not None:
            actions = (roll,)
        elif game.public.his_turn:
            actions = mr_x.choose(Position(history, game.private))
        else:
            actions = detectives.choose(Position(history))
        for action in actions:
            game.play(action)
            history = history.see(game.public, action)
    return game


@pytest.mark.parametrize("seed", range(amount(1, 25)))
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("rules", "players", "options"), GAMES)
def test_what_a_level_answers_is_legal_on_both_sides_to_the_end(
    rules: str, players: int, options: Mapping[str, Option], level: str, seed: int
) -> None:
    game = dealt(rules, players, seed, options)
    if level not in levels_of(game.setup.edition):
        with pytest.raises(CannotPlay, match="easy, medium, hard"):
            player_of(level, told(game, MR_X))
        return
    assert play(game, level).public.outcome is not None


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same_game(level: str) -> None:
    assert play(dealt("us", 5, 3, {}), level).actions == play(dealt("us", 5, 3, {}), level).actions


@pytest.mark.parametrize("rules", ["classic", "us", "beginners"])
def test_without_the_extra_hard_plays_by_a_plain_search_and_expert_is_refused(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "can_search", lambda: False)
    game = dealt(rules, 5, 2, {})
    assert play(game, "hard").public.outcome is not None
    with pytest.raises(CannotPlay, match=r"pip install '\.\[players\]' in yardboard's folder"):
        player_of("expert", told(game, MR_X))


def test_an_unknown_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(CannotPlay, match="easy, medium, hard, expert"):
        player_of("grandmaster", told(dealt("classic", 6, 1, {}), MR_X))


@pytest.mark.parametrize("level", LEVELS)
def test_asked_again_after_a_move_was_taken_back_it_answers_as_before(level: str) -> None:
    game = dealt("classic", 6, 4, {})
    game.play(next(move for move in game.legal if isinstance(move, MrXMove)))
    before = PublicHistory.begin(dealt("classic", 6, 4, {}).public).see(game.public, None)
    detectives = chooser(game, "detectives", level)
    (first,) = detectives.choose(Position(before))
    game.play(first)
    detectives.choose(Position(before.see(game.public, first)))
    assert detectives.choose(Position(before)) == (first,)


def test_a_double_move_is_answered_with_both_halves() -> None:
    for seed in range(20):
        game = dealt("classic", 6, seed, {})
        mr_x, chance = chooser(game, MR_X, "easy"), random.Random(seed)
        history = PublicHistory.begin(game.public)
        while game.public.outcome is None:
            actions = mr_x.choose(Position(history, game.private)) if game.public.his_turn else None
            if actions and actions[0] == Double():
                assert [type(action) for action in actions] == [Double, MrXMove, MrXMove]
                return
            for action in actions or (chance.choice(game.legal),):
                game.play(action)
                history = history.see(game.public, action)
    pytest.fail("he never doubled")


def test_levels_say_how_they_err_and_are_shown_later_than_they_think() -> None:
    for name, level in LEVELS.items():
        assert level.name == name
        assert level.errs.endswith(".")
        assert level.ms < level.think_ms


def test_where_no_memory_may_be_written_and_run_nothing_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def shut(*_: object, **__: object) -> NoReturn:
        raise PermissionError

    levels.can_search.cache_clear()
    monkeypatch.setattr(levels.mmap, "mmap", shut)
    assert not levels.can_search()
    monkeypatch.undo()
    levels.can_search.cache_clear()
    assert levels.can_search()
