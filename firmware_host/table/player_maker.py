"""How a table creates its computer players, and how long each of them takes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from firmware_host.players.levels.levels import LEVELS
from firmware_host.players.seats import PlayerName

if TYPE_CHECKING:  # a table of people needs neither
    from firmware_host.players.coach.coach_port import Coach
    from firmware_host.players.player_port import Player


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """The time a player takes, whatever the position.

    Attributes:
        ms: milliseconds of processor time that the player has for an answer.
        think_s: seconds after which the table plays the answer, however early it was found.
        first_s: seconds after which a player that has not answered before has failed; the first compile takes a while.
        late_s: seconds after which a player that has answered before has failed.
    """

    ms: int
    think_s: float
    first_s: float = 120.0
    late_s: float = 15.0


class PlayerMaker(Protocol):
    """A source of computer players and coaches for a table."""

    @property
    def programs(self) -> Collection[str]:
        """Return the names of the players that the configuration adds to the built-in ones."""

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a player takes."""

    def make(self, name: PlayerName) -> Player:
        """Create a player that has not started a game yet.

        Raises:
            PlayerFailed: the player is not available.
        """

    def coach(self) -> Coach:
        """Create a coach that has not seen a game yet."""


PACES: Mapping[str, ThinkingTime] = {
    level.name: ThinkingTime(ms=level.ms, think_s=level.think_ms / 1000) for level in LEVELS.values()
}
"""How long the built-in players take, by level."""


class LevelMaker:
    """A maker of built-in players that think in this process. Implements `PlayerMaker`."""

    programs: Collection[str] = ()

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return how long a built-in player takes."""
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
    """Create the player that replaces a failed one: it needs no program and has nothing that can fail."""
    from firmware_host.players.heuristic.heuristic import HeuristicPlayer  # noqa: PLC0415 - players seldom fail

    return HeuristicPlayer()
