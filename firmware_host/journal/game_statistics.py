"""Count who has won how often among finished games: people, computers, boxes, and how long games took. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from firmware_host.journal.game_record import Summary
from firmware_host.players.person_names import same_person
from firmware_host.players.seats import DETECTIVES, PERSON
from firmware_host.rules.actions import MR_X

SIDES = (MR_X, DETECTIVES)
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


def count_games(summaries: Iterable[Summary]) -> Statistics:
    """Count finished games; those whose end cannot be read any more are left out."""
    games = sorted((game for game in summaries if game.outcome is not None), key=lambda game: -game.number)
    people: dict[str, Tally] = {}
    computers: dict[str, Tally] = {}
    boxes: dict[str, Tally] = {}
    for game in games:
        _count(boxes, game, {game.rules: (game.title, SIDES)})
        _count(people, game, _sides(_named(game)))
        _count(computers, game, _sides((seat, who, who) for seat, who in game.seats.items() if who != PERSON))
    return Statistics(
        len(games),
        _most_first(people.values()),
        _most_first(computers.values()),
        dict(sorted(boxes.items(), key=lambda box: (-box[1].games, box[1].label))),
    )


def _named(game: Summary) -> Iterator[tuple[str, str, str]]:
    for seat, name in game.names.items():
        yield seat, same_person(name), name


def _sides(players: Iterable[tuple[str, str, str]]) -> dict[str, tuple[str, set[str]]]:
    """Return who played: of seats, each with who sits there and how that is written, key -> label and sides."""
    found: dict[str, tuple[str, set[str]]] = {}
    for seat, key, label in players:
        found.setdefault(key, (label, set()))[1].add(MR_X if seat == MR_X else DETECTIVES)
    return found


def _count(tallies: dict[str, Tally], game: Summary, players: Mapping[str, tuple[str, Iterable[str]]]) -> None:
    length = Length(game.moves, game.number)
    for key, (label, sides) in players.items():
        tallies.setdefault(key, Tally(label, length, length)).add(game, sides)


def _most_first(tallies: Iterable[Tally]) -> list[Tally]:
    return sorted(tallies, key=lambda tally: (-tally.games, same_person(tally.label)))
