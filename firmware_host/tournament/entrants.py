"""Read who takes part in a tournament, and make them players."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.players.levels.level_player import LevelPlayer
from firmware_host.players.levels.levels import LEVELS, Level, levels_of
from firmware_host.players.player_port import Player
from firmware_host.rules.setup import Box


class TournamentError(ValueError):
    """A tournament cannot be played like this; the message says why, and what would be right."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part: a player of our own.

    Attributes:
        name: its name in results.
        level: how it plays, with the time that it has.
    """

    name: str
    level: Level

    def player(self) -> Player:
        """Return a player, for any number of games."""
        return LevelPlayer(self.level)


def entrant(text: str, box: Box, ms: int | None = None) -> Entrant:
    """Return who is meant by "LEVEL" or "LEVEL@MS".

    Args:
        text: what was written.
        box: what is played.
        ms: the time of who has none of its own; None: the level's.

    Raises:
        TournamentError: nobody is meant, or it does not play this box.
    """
    name, at, own = text.partition("@")
    if name not in levels_of(box):
        raise TournamentError(f"{text}: who plays {box.name} here is {', '.join(levels_of(box))}")
    if at and (not own.isascii() or not own.isdigit() or not 1 <= int(own) <= 600_000):
        raise TournamentError(f"{text}: after @ write milliseconds from 1 to 600000, such as {name}@100")
    level = LEVELS[name]
    time = int(own) if at else ms or level.ms
    return Entrant(name if time == level.ms else f"{name}@{time}", replace(level, ms=time))
