"""Make a player of our own for a game: what chooses at its level, told what it has not seen yet."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Protocol

from firmware_host.players.dice_strategy import DICE_PLAYOUTS, DiceStrategy
from firmware_host.players.easy_strategy import EasyStrategy
from firmware_host.players.hard_strategy import HardStrategy
from firmware_host.players.heuristic_player import of_pawns
from firmware_host.players.junior_strategy import JuniorBeginner, JuniorGuesser, JuniorReckoner
from firmware_host.players.levels import LEVELS, Level, can_search, check_level
from firmware_host.players.medium_strategy import MediumStrategy
from firmware_host.players.mr_x_turn import whole_turn
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.possible_stations import PossibleStations
from firmware_host.players.strategy import Strategy
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.engines import ENGINES
from firmware_host.rules.views import PublicView


class Chooser(Protocol):
    """Chooses what one side of one game does. The same seed and position bring about the same answer."""

    def choose(self, position: Position) -> tuple[Action, ...]:
        """Return what to do now: one action, or all of Mister X's turn, such as a double move.

        Raises:
            CannotPlay: nobody of this side can do anything now.
        """


def player_of(level: str, game: NewGame) -> Chooser:
    """Return a player of a game.

    Raises:
        CannotPlay: there is no such level, or the game cannot be played at it on this machine.
    """
    check_level(level, game.box)
    return chooser_at(LEVELS[level], game)


def chooser_at(level: Level, game: NewGame) -> Chooser:
    """Return a player of a game at a level, which may be none of `LEVELS`, such as one with more iterations."""
    return _StrategyChooser(level, game)


class _StrategyChooser:
    """Lets a strategy see what it has not seen yet, and choose."""

    def __init__(self, level: Level, game: NewGame) -> None:
        self._level, self._game = level, game
        self._begin()

    def _begin(self) -> None:
        self._chance = random.Random(self._game.seed)  # noqa: S311 - a game has to repeat itself
        self._strategy = _strategy(self._level, self._game, self._chance)
        self._seen: tuple[PublicView, ...] = ()

    def choose(self, position: Position) -> tuple[Action, ...]:
        """Return what to do now."""
        views = position.history.views
        if self._seen and (len(views) < len(self._seen) or views[len(self._seen) - 1] is not self._seen[-1]):
            self._begin()  # something was taken back
        for view in views[len(self._seen) :]:
            self._strategy.see(view)
        self._seen = views
        self._chance.seed(f"{self._game.seed} {len(views)}")
        if self._game.role == MR_X:
            return whole_turn(self._game, position, self._strategy.flee)
        own = of_pawns(position.history.now, self._game.pawns)
        if not own.moves and not own.extras:
            raise CannotPlay("none of its pawns can do anything now")
        return (self._strategy.pursue(own),)


def _strategy(level: Level, game: NewGame, chance: random.Random) -> Strategy:
    if isinstance(game.box, ENGINES["junior"].box):
        return _junior_strategy(level, game, chance)
    if level.name == "easy":
        return EasyStrategy(chance)
    possible = PossibleStations(
        {*game.cards} - {*game.start.values()},
        cut_off=bool(game.options.get("cut_off", game.box.options.get("cut_off"))),
    )
    if level.name == "medium":
        return MediumStrategy(chance, possible)
    if isinstance(game.box, ENGINES["dice"].box):
        return DiceStrategy(game, chance, _enough(level, game, DICE_PLAYOUTS))
    if not can_search():
        return HardStrategy(chance, possible)
    from firmware_host.players.search.search_player import SearchPlayer  # noqa: PLC0415 - an extra that others lack

    return SearchPlayer(game.setup, chance=chance, enough=_enough(level, game), settings=level.settings)


def _enough(level: Level, game: NewGame, at_most: int | None = None) -> Callable[[int, float], bool]:
    """Return what says whether so many games in the mind, in so many seconds of processor time, are enough."""
    seconds = (game.ms or level.ms) / 1000
    games = min((count for count in (level.iterations, at_most) if count is not None), default=math.inf)
    return lambda played, used: played >= games or used >= seconds


def _junior_strategy(level: Level, game: NewGame, chance: random.Random) -> Strategy:
    if level.name == "easy":
        return JuniorBeginner(chance)
    return JuniorGuesser(chance) if level.name == "medium" else JuniorReckoner(chance, game.seed, game.network)
