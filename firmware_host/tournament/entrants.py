"""Read who takes part in a tournament, and make them players."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.players.level_player import LevelPlayer
from firmware_host.players.levels import LEVELS, levels_of
from firmware_host.players.player_port import Player
from firmware_host.rules.setup import Box


class TournamentError(ValueError):
    """A tournament cannot be played like this; the message says why, and what would be right."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part: one of our own levels, with its time.

    Attributes:
        level: the level's name.
        ms: milliseconds of processor time an answer.
    """

    level: str
    ms: int

    @property
    def name(self) -> str:
        """The name in results: the level, and its time where that is not the level's own."""
        return self.level if self.ms == LEVELS[self.level].ms else f"{self.level}@{self.ms}"

    def player(self) -> Player:
        """Return a player, for any number of games."""
        return LevelPlayer(replace(LEVELS[self.level], ms=self.ms))


def entrant(text: str, box: Box, ms: int | None = None) -> Entrant:
    """Return who is meant by "LEVEL" or "LEVEL@MS".

    Args:
        text: what was written.
        box: what is played.
        ms: the time of who has none of its own; None: the level's.

    Raises:
        TournamentError: nobody is meant, or it does not play this box.
    """
    level, at, own = text.partition("@")
    if level not in levels_of(box):
        raise TournamentError(f"{text}: who plays {box.name} here is {', '.join(levels_of(box))}")
    if at and (not own.isascii() or not own.isdigit() or not 1 <= int(own) <= 600_000):
        raise TournamentError(f"{text}: after @ write milliseconds from 1 to 600000, such as {level}@100")
    return Entrant(level, int(own) if at else ms or LEVELS[level].ms)
