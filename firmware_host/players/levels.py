"""Name how well our own players play, and make one for a game."""

from __future__ import annotations

import importlib.util
import mmap
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from firmware_host.players.easy_strategy import EasyStrategy
from firmware_host.players.hard_strategy import HardStrategy
from firmware_host.players.heuristic_player import of_pawns
from firmware_host.players.junior_strategy import JuniorStrategy
from firmware_host.players.medium_strategy import MediumStrategy
from firmware_host.players.mr_x_turn import whole_turn
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.possible_stations import PossibleStations
from firmware_host.players.strategy import Strategy
from firmware_host.players.tactics import CannotPlay
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.engines import ENGINES
from firmware_host.rules.setup import Box
from firmware_host.rules.views import PublicView


@dataclass(frozen=True, slots=True)
class Level:
    """How well a player plays.

    Attributes:
        name: the word for it.
        errs: a sentence that says how it errs.
        ms: milliseconds of processor time that an answer takes at most, unless a game says otherwise.
        think_ms: after how many milliseconds a table shows its answer, whenever it is found: time tells nothing.
        iterations: games that a search plays in its mind before an answer; None: as many as the time allows.
    """

    name: str
    errs: str
    ms: int
    think_ms: int
    iterations: int | None = None


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("easy", "Runs to where Mister X was seen last and forgets the log; spends its cards too soon.", 50, 1500),
        Level("medium", "Knows every station at which Mister X may be, but looks one move ahead alone.", 50, 1500),
        Level(
            "hard",
            "Searches, but not for long; or, without the extra `players`, looks two moves ahead.",
            150,
            2000,
            1000,
        ),
        Level("expert", "Searches for as long as it may.", 500, 2500),
    )
}
"""The levels by their names, the weakest first."""


class Chooser(Protocol):
    """Chooses what one side of one game does. The same seed and position bring about the same answer."""

    def choose(self, position: Position) -> tuple[Action, ...]:
        """Return what to do now: one action, or all of Mister X's turn, such as a double move.

        Raises:
            CannotPlay: nobody of this side can do anything now.
        """


def levels_of(box: Box) -> tuple[str, ...]:
    """Return the names of the levels at which this machine plays a box, the weakest first."""
    return tuple(name for name in LEVELS if name != "expert" or (is_pursuit(box) and can_search()))


def level_for(player: str, box: Box) -> str:
    """Return a player; but for a level of our own at which this machine does not play a box, the best that it does."""
    return player if player not in LEVELS or player in levels_of(box) else levels_of(box)[-1]


def is_pursuit(box: Box) -> bool:
    """Whether a box is played by the rules that the search knows."""
    return isinstance(box, ENGINES["pursuit"].box)


@lru_cache(maxsize=1)
def can_search() -> bool:
    """Whether the packages of the extra `players` are here, and what they compile may be run (systemd/players.conf)."""
    if importlib.util.find_spec("numba") is None:
        return False
    try:
        mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()
    except OSError:
        return False
    return True


def check_level(level: str, box: Box) -> None:
    """Check that this machine plays a box at a level.

    Raises:
        CannotPlay: there is no such level, or it does not.
    """
    if level not in LEVELS:
        raise CannotPlay(f"level {level!r}: there are {', '.join(LEVELS)}")
    if level not in levels_of(box):
        missing = "needs the extra: pip install 'yardboard[players]'" if is_pursuit(box) else "is for pursuit games"
        raise CannotPlay(f"level {level!r} {missing}; {box.name} can be played at {', '.join(levels_of(box))}")


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
    if level.name == "easy":
        return EasyStrategy(chance)
    possible = PossibleStations(
        {*game.cards} - {*game.start.values()},
        cut_off=bool(game.options.get("cut_off", game.box.options.get("cut_off"))),
    )
    if level.name == "medium":
        return MediumStrategy(chance, possible)
    if isinstance(game.box, ENGINES["junior"].box):
        return JuniorStrategy(chance)
    if not (is_pursuit(game.box) and can_search()):
        return HardStrategy(chance, possible)
    from firmware_host.players.search.search_player import SearchPlayer  # noqa: PLC0415 - an extra that others lack

    seconds = (game.ms or level.ms) / 1000

    def enough(played: int, used: float) -> bool:
        return used >= seconds or (level.iterations is not None and played >= level.iterations)

    return SearchPlayer(game.setup, chance=chance, enough=enough)
