"""Where the computer players of a table come from, and how long each of them takes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from firmware_host.players.levels.levels import LEVELS
from firmware_host.players.seats import PlayerName

if TYPE_CHECKING:  # a table of people makes neither
    from firmware_host.players.coach.coach_port import Coach
    from firmware_host.players.player_port import Player


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """How long a player takes, whatever the position.

    Attributes:
        ms: milliseconds of processor time that it has for an answer.
        think_s: seconds after which the table shows its answer: never when it happened to be found.
        first_s: seconds after which one that has not answered before has failed: a first compile takes a while.
        late_s: seconds after which one that has answered before has failed.
    """

    ms: int
    think_s: float
    first_s: float = 120.0
    late_s: float = 15.0


class PlayerMaker(Protocol):
    """Makes the players that sit at a table."""

    @property
    def programs(self) -> Collection[str]:
        """The names of the players that the configuration adds to our own."""

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a player takes."""

    def make(self, name: PlayerName) -> Player:
        """Make a player; it has begun no game yet.

        Raises:
            PlayerFailed: it cannot be had.
        """

    def coach(self) -> Coach:
        """Make a coach; it has looked at no game yet."""


PACES: Mapping[str, ThinkingTime] = {
    level.name: ThinkingTime(ms=level.ms, think_s=level.think_ms / 1000) for level in LEVELS.values()
}
"""How long our own players take, by their levels."""


class LevelMaker:
    """Makes our own players, without a process for each: they think while they are asked. Implements `PlayerMaker`."""

    programs: Collection[str] = ()

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a player of our own takes."""
        return PACES[name.level]

    def make(self, name: PlayerName) -> Player:
        """Make a player."""
        from firmware_host.players.levels.level_player import LevelPlayer  # noqa: PLC0415 - a board has processes

        return LevelPlayer(LEVELS[name.level])

    def coach(self) -> Coach:
        """Make a coach."""
        from firmware_host.players.coach.coach import OwnCoach  # noqa: PLC0415 - few ask for one

        return OwnCoach()


def substitute() -> Player:
    """Make the player that takes over where one has failed: it needs no program, and has nothing that can fail."""
    from firmware_host.players.heuristic.heuristic import HeuristicPlayer  # noqa: PLC0415 - players seldom fail

    return HeuristicPlayer()
