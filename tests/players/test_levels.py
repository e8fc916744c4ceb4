"""Every level answers legally, in whole games of all systems and options, and the same seed plays the same game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import NoReturn

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.levels import level_player, levels
from firmware_host.players.levels.level_player import Chooser, LevelPlayer, chooser_at, player_of
from firmware_host.players.levels.levels import LEVELS, level_for, levels_of
from firmware_host.players.levels.skilled_strategy import LikelyStations
from firmware_host.players.player_errors import CannotPlay, PlayerFailed
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.rules.actions import BLACK, MR_X, Double, MrXMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Option, Wish
from firmware_host.tournament import one_game
from firmware_host.tournament.entrants import Entrant, Pairing, Terms
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


def play(game: Game, level: str, theirs: str = "") -> Game:
    """Play a game to its end, by a level on both sides or another for the detectives; what is not legal raises."""
    mr_x, detectives = chooser(game, MR_X, level), chooser(game, "detectives", theirs or level)
    history, dice = PublicHistory.begin(game.public), random.Random(1)
    while game.public.outcome is None:
        roll = game.roll(dice)
        if roll is not None:
            actions = (roll,)
        elif game.public.mr_x_to_move:
            actions = mr_x.choose(Position(history, game.private))
        else:
            actions = detectives.choose(Position(history))
        for action in actions:
            game.play(action)
            history = history.see(game.public, action)
    return game


PLAYED = amount(
    [(game, [*LEVELS][(n + 3 * half) % 5]) for n, game in enumerate(GAMES) for half in (0, 1)],
    [*product(GAMES, LEVELS)],
)
"""Which game is played at which level: each at two of them, all at every one in the long tests."""


@pytest.mark.parametrize("seed", range(amount(1, 25)))
@pytest.mark.parametrize(("game", "level"), PLAYED)
def test_what_a_level_answers_is_legal_on_both_sides_to_the_end(
    game: tuple[str, int, dict[str, Option]], level: str, seed: int
) -> None:
    rules, players, options = game
    table = dealt(rules, players, seed, options)
    if level not in levels_of(table.setup.edition):
        with pytest.raises(CannotPlay, match="can be played at easy, medium, hard"):
            player_of(level, told(table, MR_X))
        return
    assert play(table, level).public.outcome is not None


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same_game(level: str) -> None:
    assert play(dealt("us", 5, 3, {}), level).actions == play(dealt("us", 5, 3, {}), level).actions


@pytest.mark.parametrize("rules", ["classic", "us", "beginners"])
def test_without_the_extra_skilled_plays_as_with_it_and_the_levels_that_search_are_refused(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_the_extra = play(dealt(rules, 5, 2, {}), "skilled").actions
    for module in (levels, level_player):
        monkeypatch.setattr(module, "can_search", lambda: False)
    game = dealt(rules, 5, 2, {})
    assert play(dealt(rules, 5, 2, {}), "skilled").actions == with_the_extra
    for level in ("hard", "expert"):
        with pytest.raises(
            CannotPlay, match=r"install '\.\[players\]' in .*; \w+ can be played at easy, medium, skilled$"
        ):
            player_of(level, told(game, MR_X))
        with pytest.raises(PlayerFailed, match="needs the extra `players`"):
            LevelPlayer(LEVELS[level]).begin(told(game, MR_X))


@pytest.mark.parametrize(
    ("rules", "extra", "wanted", "played"),
    [
        ("classic", False, "expert", "skilled"),
        ("classic", False, "hard", "skilled"),
        ("classic", True, "hard", "hard"),
        ("dice", True, "expert", "hard"),
        ("dice", False, "hard", "hard"),
        ("junior", True, "skilled", "medium"),
        ("classic", False, "deep/strong", "deep/strong"),
    ],
)
def test_a_level_that_cannot_be_played_becomes_the_next_below_it(
    rules: str, extra: bool, wanted: str, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "can_search", lambda: extra)
    assert level_for(wanted, with_rules(simulator(), rules).edition) == played


@pytest.mark.parametrize(("rules", "players"), [("classic", 6), ("us", 6), ("beginners", 5)])
def test_mister_x_is_always_among_his_likely_stations_whose_shares_add_up_to_one(rules: str, players: int) -> None:
    for seed in range(amount(3, 40)):
        game, dice = dealt(rules, players, seed, {}), random.Random(seed)
        as_told = told(game, "detectives")
        likely = LikelyStations({*as_told.cards} - {*as_told.start.values()})
        likely.see(game.public)
        while game.public.outcome is None:
            game.play(dice.choice(game.legal))
            likely.see(game.public)
            assert sum(likely.shares.values()) == pytest.approx(1.0)
            assert likely.shares.keys() == likely.stations
            assert likely.shares.get(game.private.at.value, 0.0) > 0.0 or game.public.outcome is not None


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


@pytest.mark.parametrize("level", LEVELS)
def test_mister_x_who_is_asked_in_the_detectives_turn_says_that_he_has_no_action(level: str) -> None:
    game = dealt("classic", 6, 4, {})
    mr_x, history = chooser(game, MR_X, level), PublicHistory.begin(game.public)
    game.play(next(move for move in game.legal if isinstance(move, MrXMove)))
    with pytest.raises(CannotPlay, match="has no legal action now"):
        mr_x.choose(Position(history.see(game.public, game.actions[-1]), game.private))


def test_a_double_move_is_answered_with_both_halves() -> None:
    for seed in range(20):
        game = dealt("classic", 6, seed, {})
        mr_x, chance = chooser(game, MR_X, "easy"), random.Random(seed)
        history = PublicHistory.begin(game.public)
        while game.public.outcome is None:
            actions = mr_x.choose(Position(history, game.private)) if game.public.mr_x_to_move else None
            if actions and actions[0] == Double():
                assert [type(action) for action in actions] == [Double, MrXMove, MrXMove]
                return
            for action in actions or (chance.choice(game.legal),):
                game.play(action)
                history = history.see(game.public, action)
    pytest.fail("he never doubled")


def test_easy_detectives_keep_tickets_to_go_on() -> None:
    """Where they only ran to where he was last seen, every other game ended because none had a ticket to move with."""
    ended = [play(dealt("current", 6, seed, {}), "medium", "easy").public.outcome for seed in range(20)]
    assert sum(outcome is not None and outcome.reason in ("immobilised", "stalled") for outcome in ended) <= 2


def test_a_medium_mister_x_spends_black_tickets() -> None:
    logs = [play(dealt("classic", 6, seed, {}), "medium").public.log for seed in range(20)]
    assert sum(entry.ticket == BLACK for log in logs for entry in log) >= 20


def test_where_no_memory_may_be_written_and_run_nothing_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def shut(*_: object, **__: object) -> NoReturn:
        raise PermissionError

    levels.can_search.cache_clear()
    monkeypatch.setattr(levels.mmap, "mmap", shut)
    assert not levels.can_search()
    monkeypatch.undo()
    levels.can_search.cache_clear()
    assert levels.can_search()


# ---- each level beats the one below ----


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
        ("us", 6, "medium", "skilled", 10),
        ("beginners", 5, "medium", "skilled", 10),
    ],
)
@pytest.mark.long_but_first
def test_a_level_wins_more_games_than_the_one_below(
    rules: str, players: int, weaker: str, stronger: str, deals: int
) -> None:
    terms, (one, other) = Terms(rules, players, (), 1), map(entrant, (weaker, stronger))
    games = [Pairing(terms, deal, *sides) for deal in range(deals) for sides in ((one, other), (other, one))]
    winners = [(game, one_game.play(game).winner) for game in games]
    won = sum((game.mr_x if winner == "mr_x" else game.detectives).name == stronger for game, winner in winners)
    assert won > 0.55 * len(games)
