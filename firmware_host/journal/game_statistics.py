"""Define what has come of finished games: how often people, computers and boxes played, who won, how long it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware_host.journal.game_record import Summary
from firmware_host.rules.actions import MR_X

SIDES = (MR_X, "detectives")
"""The sides of a game, as an outcome calls them."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a game was.

    Attributes:
        moves: how many actions were played.
        number: which game of the journal it is.
    """

    moves: int
    number: int


@dataclass(slots=True)
class Tally:
    """What has come of some finished games.

    Attributes:
        label: whose or which they are, for people.
        shortest: the one of the fewest moves, the oldest of these.
        longest: the one of the most moves, likewise.
        games: how many there are.
        played: side -> how many of them were played on it.
        won: side -> how many of these it won.
    """

    label: str
    shortest: Length
    longest: Length
    games: int = 0
    played: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    won: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))

    def add(self, game: Summary, sides: Iterable[str]) -> None:
        """Count a game that was played on these sides."""
        length = Length(game.moves, game.number)
        self.games += 1
        self.shortest = min(self.shortest, length, key=lambda one: (one.moves, one.number))
        self.longest = min(self.longest, length, key=lambda one: (-one.moves, one.number))
        for side in sides:
            self.played[side] += 1
            self.won[side] += game.outcome is not None and game.outcome.winner == side


@dataclass(frozen=True, slots=True)
class Statistics:
    """What has come of the finished games of a table; in each list those with the most games first.

    Attributes:
        games: how many could be counted.
        people: by name; names compare without case, and are written as they were last.
        computers: by level or program.
        boxes: by rule system -> its tally.
    """

    games: int
    people: list[Tally]
    computers: list[Tally]
    boxes: Mapping[str, Tally]
