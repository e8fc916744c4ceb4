"""Create computer players, in this process or in their own, and estimate how long each thinks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from firmware_host.config.loader import Config
from firmware_host.config.player_programs import full_command
from firmware_host.players.levels.levels import LEVELS
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.seats import PlayerName

if TYPE_CHECKING:  # a table of people needs neither
    from firmware_host.players.coach.coach_port import Coach
    from firmware_host.players.player_port import Player


FIRST, LATE = 120.0, 15.0
"""Seconds in which a player must give its first answer, and each later one. The first compile takes a while."""


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """The time that a player thinks, whatever the position.

    Attributes:
        ms: milliseconds of processor time that the player has for an answer.
        think_s: seconds after which the table plays the answer, however early it was found.
        first_s: seconds after which a player that has not answered before has failed.
        late_s: seconds after which a player that has answered before has failed.
    """

    ms: int
    think_s: float
    first_s: float = FIRST
    late_s: float = LATE


class PlayerMaker(Protocol):
    """The interface of a source of computer players and coaches for a table."""

    @property
    def programs(self) -> Collection[str]:
        """The names of the programs that the configuration adds to the built-in players."""

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long the player with that name thinks."""

    def make(self, name: PlayerName) -> Player:
        """Return a new player with that name.

        Raises:
            PlayerFailed: the player is not available.
        """

    def coach(self) -> Coach:
        """Return a new coach."""


PACES: Mapping[str, ThinkingTime] = {
    level.name: ThinkingTime(ms=level.ms, think_s=level.think_ms / 1000) for level in LEVELS.values()
}
"""How long the built-in players take, by level."""


class LevelMaker:
    """A source of built-in players that think in this process. Implements `PlayerMaker`."""

    programs: Collection[str] = ()

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long the built-in player with that name thinks."""
        return PACES[name.level]

    def make(self, name: PlayerName) -> Player:
        """Create a built-in player."""
        from firmware_host.players.levels.level_player import LevelPlayer  # noqa: PLC0415 - a board has processes

        return LevelPlayer(LEVELS[name.level])

    def coach(self) -> Coach:
        """Create the built-in coach."""
        from firmware_host.players.coach.coach import OwnCoach  # noqa: PLC0415 - few ask for one

        return OwnCoach()


def substitute() -> Player:
    """Return the player that replaces a failed one: it runs in this process and cannot fail."""
    from firmware_host.players.heuristic.heuristic import HeuristicPlayer  # noqa: PLC0415 - players seldom fail

    return HeuristicPlayer()


OWN_MEMORY = 512
"""Megabytes of data that a built-in player may use. An expert uses 150, and more while it is compiled."""

_PROGRAM_START = 1.0
"""Extra seconds for a program to start thinking and to send its answer."""

_SHARE = 2.0
"""The factor by which a program takes longer than its processor time, because it has the lowest priority."""


class ProcessMaker:
    """A source of players that run as processes of their own. Implements `PlayerMaker`.

    Args:
        config: the table's configuration; `[players.NAME]` are its player programs.
    """

    def __init__(self, config: Config) -> None:
        self._folder, self._programs = config.folder.absolute(), config.players
        self._kept = config.private_folders() if config.players else ()

    @property
    def programs(self) -> Collection[str]:
        """The names of the programs that the configuration adds to the built-in players."""
        return self._programs.keys()

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a player thinks: a built-in one by its level, a program by its configured time."""
        if not name.name:
            return PACES[name.level]
        ms = self._programs[name.name].ms
        think = _PROGRAM_START + _SHARE * ms / 1000
        return ThinkingTime(ms=ms, think_s=think, first_s=think + FIRST, late_s=think + LATE)

    def make(self, name: PlayerName) -> Player:
        """Create a player. Its process starts with the player's first game.

        Raises:
            PlayerFailed: the configuration has no such player.
        """
        from firmware_host.players.protocol.limited_process import own_command, own_environment  # noqa: PLC0415 - people need none
        from firmware_host.players.protocol.player_process import Command, PlayerProcess  # noqa: PLC0415 - people need none

        if not name.name:
            own = own_command("player", "--level", name.level)
            return PlayerProcess(Command(own, Path("/"), own_environment(), OWN_MEMORY))
        section = self._programs.get(name.name)
        if section is None:
            raise PlayerFailed("it is no longer in the configuration; add it, or choose another player")
        words = full_command(section, self._folder)
        return PlayerProcess(Command(words, self._folder, {}, section.memory_mb, name.name, self._kept))

    def coach(self) -> Coach:
        """Create a coach. Its process starts with the coach's first game."""
        from firmware_host.players.protocol.coach_process import CoachProcess  # noqa: PLC0415 - few ask for one

        return CoachProcess()
