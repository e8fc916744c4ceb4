"""Name how well our own players play, and say which games they play at which level."""

from __future__ import annotations

import importlib.util
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.search_settings import DEFAULT, SearchSettings
from firmware_host.rules.engines import ENGINES
from firmware_host.rules.setup import Box
from firmware_host.system.language import gettext_noop
from firmware_host.system.translatable_text import translatable


@dataclass(frozen=True, slots=True)
class Level:
    """How well a player plays.

    Attributes:
        name: the word for it.
        errs: a sentence that says how it errs.
        ms: milliseconds of processor time that an answer takes at most, unless a game says otherwise.
        think_ms: after how many milliseconds a table shows its answer, whenever it is found: time tells nothing.
        iterations: games that a search plays in its mind before an answer; None: as many as the time allows.
        settings: the numbers that a search goes by.
    """

    name: str
    errs: str
    ms: int
    think_ms: int
    iterations: int | None = None
    settings: SearchSettings = DEFAULT


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("easy", "Runs to where Mister X was seen last and forgets the log; spends its cards too soon.", 50, 1500),
        Level("medium", "Knows every station at which Mister X may be, but looks one move ahead alone.", 50, 1500),
        Level(
            "hard",
            "Searches, but not for long; without the extra `players` it looks two moves ahead in pursuit games.",
            150,
            2000,
            200,
        ),
        Level("expert", "Searches for as long as it may.", 500, 2500),
    )
}
"""The levels by their names, the weakest first."""


SEARCHING = ("hard", "expert")
"""The levels that search pursuit games on compiled code, where the machine can."""


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


INSTALL = "pip install '.[players]'"
"""The command that installs the extra, in yardboard's folder."""

_NEEDS_EXTRA = gettext_noop(
    "level {level} needs the extra `players`; install with: {command} in yardboard's folder; "
    "{game} can be played at {levels}"
)
_OF_PURSUIT = gettext_noop("level {level} is for pursuit games; {game} can be played at {levels}")


def check_level(level: str, box: Box) -> None:
    """Check that this machine plays a box at a level.

    Raises:
        CannotPlay: there is no such level, or it does not.
    """
    if level not in LEVELS:
        raise CannotPlay(f"level {level!r}: there are {', '.join(LEVELS)}")
    if level not in levels_of(box):
        why, levels = _NEEDS_EXTRA if is_pursuit(box) else _OF_PURSUIT, ", ".join(levels_of(box))
        raise CannotPlay(translatable(why, level=repr(level), game=box.name, levels=levels, command=INSTALL))
