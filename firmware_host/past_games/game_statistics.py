"""Count who won how often, and how long games were, by person, computer and box. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware_host.config.person_names import fold_name
from firmware_host.past_games.game_analysis import Summary
from firmware_host.players.seats import PERSON
from firmware_host.rules.actions import DETECTIVES, MR_X, SIDES


@dataclass(frozen=True, slots=True)
class Length:
    """The length of a game.

    Attributes:
        moves: how many actions were played.
        number: the game's number in the journal.
    """

    moves: int
    number: int


@dataclass(slots=True)
class Tally:
    """The results of a group of games.

    Attributes:
        label: the name of the person, computer or box, for people.
        shortest: the game with the fewest moves, the oldest of these.
        longest: the game with the most moves, the oldest of these.
        games: how many there are.
        played: side -> games played on it.
        won: side -> games won on it.
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
    """The results of a table's finished games. In each list, those with most games come first.

    Attributes:
        games: how many games counted.
        people: the tallies by name, ignoring case; each is spelled as in its last game.
        computers: the tallies by level or program.
        boxes: the name of a box -> its tally.
    """

    games: int
    people: list[Tally]
    computers: list[Tally]
    boxes: Mapping[str, Tally]


def count_games(summaries: Iterable[Summary]) -> Statistics:
    """Count finished games, except those whose outcome can no longer be read."""
    games = sorted((game for game in summaries if game.outcome is not None), key=lambda game: -game.number)
    people: dict[str, Tally] = {}
    computers: dict[str, Tally] = {}
    boxes: dict[str, Tally] = {}
    for game in games:
        _count(boxes, game, {game.rules: (game.title, SIDES)})
        _count(people, game, _sides((seat, fold_name(name), name) for seat, name in game.names.items()))
        _count(computers, game, _sides((seat, who, who) for seat, who in game.seats.items() if who != PERSON))
    return Statistics(
        len(games),
        _most_first(people.values()),
        _most_first(computers.values()),
        dict(sorted(boxes.items(), key=lambda box: (-box[1].games, box[1].label))),
    )


def _sides(players: Iterable[tuple[str, str, str]]) -> dict[str, tuple[str, set[str]]]:
    """Return on which sides each player was: key -> label and sides."""
    found: dict[str, tuple[str, set[str]]] = {}
    for seat, key, label in players:
        found.setdefault(key, (label, set()))[1].add(MR_X if seat == MR_X else DETECTIVES)
    return found


def _count(tallies: dict[str, Tally], game: Summary, players: Mapping[str, tuple[str, Iterable[str]]]) -> None:
    length = Length(game.moves, game.number)
    for key, (label, sides) in players.items():
        tallies.setdefault(key, Tally(label, length, length)).add(game, sides)


def _most_first(tallies: Iterable[Tally]) -> list[Tally]:
    return sorted(tallies, key=lambda tally: (-tally.games, fold_name(tally.label)))
