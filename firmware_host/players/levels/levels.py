"""Define the levels of yardboard's own players, the games that each can play, and how long each thinks."""

from __future__ import annotations

import gc
import importlib.util
import math
import mmap
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.search_settings import DEFAULT, SearchSettings
from firmware_host.rules.actions import Action
from firmware_host.rules.engines import ENGINES
from firmware_host.rules.setup import Box
from firmware_host.rules.views import MrXView, PublicView
from firmware_host.system.language import gettext_noop, translatable


@dataclass(frozen=True, slots=True)
class Level:
    """The strength of a player.

    Attributes:
        name: its name, such as "hard".
        ms: most milliseconds of processor time for an answer, unless a game sets its own.
        think_ms: milliseconds after which a table shows the answer, however early it is found, so that the time reveals
            nothing.
        iterations: how many games a search simulates for an answer; None: as many as the time allows.
        his_iterations: the same for Mister X's own search in pursuit games, if it differs.
        settings: the settings of the search.
    """

    name: str
    ms: int
    think_ms: int
    iterations: int | None = None
    his_iterations: int | None = None
    settings: SearchSettings = DEFAULT


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        # Runs to where Mister X was seen last and forgets the log; spends its cards too soon.
        Level("easy", 50, 1500),
        # Knows every station at which Mister X may be, but looks one move ahead only.
        Level("medium", 50, 1500),
        # Knows how likely Mister X is where, and looks two moves ahead.
        Level("skilled", 300, 1500),
        # Searches, but not for long, and Mister X without knowing how he usually chooses.
        Level("hard", 150, 2000, 200, 60, SearchSettings(his_urgency=1e6, his_pull=0.0)),
        # Searches for as long as it may.
        Level("expert", 500, 2500),
    )
}
"""The levels by name, the weakest first."""


SEARCHING = ("hard", "expert")
"""The levels that use the compiled search in pursuit games. Other games are played at `hard`, too, without it."""

_OF_PURSUIT_ALONE = ("skilled", "expert")
"""The levels of pursuit games alone."""


def levels_of(box: Box) -> tuple[str, ...]:
    """Return the levels at which this machine can play a game, the weakest first."""
    if not is_pursuit(box):
        return tuple(name for name in LEVELS if name not in _OF_PURSUIT_ALONE)
    return tuple(name for name in LEVELS if name not in SEARCHING or can_search())


def level_for(player: str, box: Box) -> str:
    """Return the wanted player or, if this machine cannot play that level, the best level below it."""
    if player not in LEVELS:
        return player
    names, playable = [*LEVELS], levels_of(box)
    return [name for name in names[: names.index(player) + 1] if name in playable][-1]


def is_pursuit(box: Box) -> bool:
    """Return whether a box uses the pursuit rules, the only ones that the search knows."""
    return isinstance(box, ENGINES["pursuit"].box)


@lru_cache(maxsize=1)
def can_search() -> bool:
    """Return whether the search can run: the extra `players` is installed, and compiled code may run here."""
    if importlib.util.find_spec("numba") is None:
        return False
    try:
        mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()
    except OSError:
        return False
    return True


INSTALL = "pip install '.[players]'"
"""The command that installs the extra, run in yardboard's folder."""

_NEEDS_EXTRA = gettext_noop(
    "level {level} needs the extra `players`; install with: {command} in yardboard's folder; "
    "{game} can be played at {levels}"
)
_FOR_PURSUIT = gettext_noop("level {level} is for pursuit games; {game} can be played at {levels}")


def check_level(level: str, box: Box) -> None:
    """Check that this machine can play a game at this level.

    Raises:
        CannotPlay: there is no such level, or this machine cannot play it.
    """
    if level not in LEVELS:
        raise CannotPlay(f"level: unknown level {level!r}; levels are {', '.join(LEVELS)}")
    if level not in levels_of(box):
        why, levels = _NEEDS_EXTRA if is_pursuit(box) else _FOR_PURSUIT, ", ".join(levels_of(box))
        raise CannotPlay(translatable(why, level=repr(level), game=box.name, levels=levels, command=INSTALL))


class Strategy(Protocol):
    """The interface of a strategy for either side, which chooses one action at a time.

    `see` gets every public view, in order.
    """

    def see(self, view: PublicView) -> None:
        """Update the strategy from the next public view."""

    def pursue(self, view: PublicView) -> Action:
        """Return the detectives' next action."""

    def flee(self, view: MrXView) -> Action:
        """Return Mister X's next action."""


CLOCKS: Mapping[str, Callable[[], float]] = {"cpu": time.thread_time, "wall": time.monotonic}
"""The clocks that can count an answer's time: the processor time of this thread, or wall-clock time."""


def leave_loaded_alone() -> None:
    """Exclude everything loaded so far from garbage collection, to save time.

    Scanning the search's libraries and prepared maps takes 40 to 80 ms and would happen in the middle of an answer.
    """
    gc.collect()
    gc.freeze()


@contextmanager
def no_collection() -> Iterator[Callable[[], object]]:
    """Collect garbage only when the given function is called, so that no answer waits for it."""
    gc.disable()
    try:
        yield gc.collect
    finally:
        gc.enable()


_TO_SEND = 0.0015
"""Seconds of an answer's time that are kept for checking and sending it."""


class AnswerTime:
    """The time limit for one answer.

    Args:
        clock: the clock that counts the time, in seconds.
        games: the number of simulated games after which an answer is due.

    Attributes:
        clock: as above.
    """

    def __init__(self, clock: Callable[[], float], games: float) -> None:
        self.clock, self._games = clock, games
        self._seconds, self._ends, self._spent = math.inf, math.inf, 0.0

    def begin(self, seconds: float, asked: float) -> None:
        """Start the time for an answer: `seconds`, counted from the clock's reading `asked`."""
        self._seconds, self._ends = seconds - _TO_SEND, asked + seconds - _TO_SEND
        self._spent = self.clock() - asked

    def go_on(self) -> None:
        """Start the time for the next action of the same turn: a share of the limit, counted from now."""
        self._spent = 0.0

    def is_over(self, played: int, used: float) -> bool:
        """Return whether enough games were simulated, or enough seconds used, to answer now."""
        return played >= self._games or self._spent + used >= self._seconds or self.clock() >= self._ends
