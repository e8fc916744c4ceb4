"""Create yardboard's own players for a game and level, and run them in this process."""

from __future__ import annotations

import math
import random
from typing import Protocol

from firmware_host.players.heuristic.heuristic import of_pawns
from firmware_host.players.levels.dice_strategy import DiceStrategy
from firmware_host.players.levels.junior_strategy import JuniorBeginner, JuniorGuesser, JuniorReckoner
from firmware_host.players.levels.levels import (
    CLOCKS,
    INSTALL,
    LEVELS,
    AnswerTime,
    Level,
    Strategy,
    can_search,
    check_level,
    is_pursuit,
)
from firmware_host.players.levels.pursuit_strategies import (
    EasyStrategy,
    MediumStrategy,
    PossibleStations,
    whole_turn,
)
from firmware_host.players.levels.skilled_strategy import LikelyStations, SkilledStrategy
from firmware_host.players.player_errors import NO_GAME, CannotPlay, PlayerFailed
from firmware_host.players.player_port import InstantPlayer, NewGame, Position
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.engines import ENGINES
from firmware_host.rules.views import MrXView, PublicView


class Chooser(Protocol):
    """The interface of strategies that choose one side's actions.

    The same seed and position give the same answer.
    """

    def choose(self, position: Position, *, ms: int = 0, used: float = 0.0) -> tuple[Action, ...]:
        """Return what to do now: one action, or Mister X's whole turn, such as a double move.

        Args:
            position: the current position.
            ms: milliseconds for the answer; 0: as many as the game allows.
            used: the seconds of that time that are already spent.

        Raises:
            CannotPlay: this side has no action now.
        """


def player_of(level: str, game: NewGame) -> Chooser:
    """Return the chooser of a side's actions in a game, at one of the `LEVELS`.

    Raises:
        CannotPlay: there is no such level, or this machine cannot play the game at it.
    """
    check_level(level, game.box)
    return chooser_at(LEVELS[level], game)


def chooser_at(level: Level, game: NewGame) -> Chooser:
    """Return the chooser of a side's actions in a game, at any `Level`, even one that is not in `LEVELS`.

    Raises:
        CannotPlay: this machine cannot play the game at this level.
    """
    return _StrategyChooser(level, game)


class _StrategyChooser:
    """A chooser that asks a strategy, after showing it the new views."""

    def __init__(self, level: Level, game: NewGame) -> None:
        self._level, self._game, self._ms = level, game, game.ms or level.ms
        his = level.his_iterations if game.role == MR_X and is_pursuit(game.box) else None
        self._time = AnswerTime(CLOCKS[game.clock], his or level.iterations or math.inf)
        self._begin()

    def _begin(self) -> None:
        self._rng = random.Random(self._game.seed)  # noqa: S311 - a game has to repeat itself
        self._strategy = _strategy(self._level, self._game, self._rng, self._time)
        self._seen: tuple[PublicView, ...] = ()

    def choose(self, position: Position, *, ms: int = 0, used: float = 0.0) -> tuple[Action, ...]:
        """Return what to do now."""
        asked = self._time.clock() - used
        self._see(position.history.views)
        self._rng.seed(f"{self._game.seed} {len(self._seen)}")
        self._time.begin((ms or self._ms) / 1000, asked)
        if self._game.role == MR_X:
            return whole_turn(self._game, position, self._flee)
        own = of_pawns(position.history.now, self._game.pawns)
        if not own.moves and not own.extras:
            raise CannotPlay("none of its pawns has a legal action now; ask only a player on turn")
        return (self._strategy.pursue(own),)

    def _see(self, views: tuple[PublicView, ...]) -> None:
        if self._seen and (len(views) < len(self._seen) or views[len(self._seen) - 1] != self._seen[-1]):
            self._begin()  # an action was taken back: start over
        for view in views[len(self._seen) :]:
            self._strategy.see(view)
        self._seen = views

    def _flee(self, view: MrXView) -> Action:
        action = self._strategy.flee(view)
        self._time.go_on()
        return action


def _strategy(level: Level, game: NewGame, rng: random.Random, time: AnswerTime) -> Strategy:
    if isinstance(game.box, ENGINES["junior"].box):
        return _junior_strategy(level, game, rng)
    if level.name == "easy":
        return EasyStrategy(rng)
    if isinstance(game.box, ENGINES["dice"].box) and level.name != "medium":
        return DiceStrategy(game, rng, time.is_over, time.clock)
    if level.name in ("medium", "skilled"):
        cards = {*game.cards} - {*game.start.values()}
        cut_off = bool(game.options.get("cut_off", game.box.options.get("cut_off")))
        if level.name == "skilled":
            return SkilledStrategy(rng, LikelyStations(cards, cut_off=cut_off))
        return MediumStrategy(rng, PossibleStations(cards, cut_off=cut_off))
    if not can_search():
        raise CannotPlay(f"level {level.name!r} searches, which needs the extra `players`; install with: {INSTALL}")
    from firmware_host.players.search.search_player import SearchPlayer  # noqa: PLC0415 - an extra that others lack

    settings = level.settings
    return SearchPlayer(game.setup, rng=rng, enough=time.is_over, clock=time.clock, settings=settings)


def _junior_strategy(level: Level, game: NewGame, rng: random.Random) -> Strategy:
    if level.name == "easy":
        return JuniorBeginner(rng)
    return JuniorGuesser(rng) if level.name == "medium" else JuniorReckoner(rng, game.seed, game.network)


class LevelPlayer(InstantPlayer):
    """A player at one level, whose `ask` returns only when the answer is found. Implements `Player`.

    Args:
        level: how well it plays; the level that a game asks for is ignored.
    """

    def __init__(self, level: Level) -> None:
        super().__init__()
        self._level = level
        self._chooser: Chooser | None = None

    def begin(self, game: NewGame) -> None:
        """Start a game.

        Raises:
            PlayerFailed: the game cannot be played at this level.
        """
        try:
            self._chooser, self._answer = chooser_at(self._level, game), None
        except CannotPlay as error:
            raise PlayerFailed(str(error)) from None

    def ask(self, position: Position) -> None:
        """Find the answer before returning.

        Raises:
            PlayerFailed: no game was begun, or this side has no action now.
        """
        if self._chooser is None:
            raise PlayerFailed(NO_GAME)
        try:
            self._answer = self._chooser.choose(position)
        except CannotPlay as error:
            raise PlayerFailed(str(error)) from None
