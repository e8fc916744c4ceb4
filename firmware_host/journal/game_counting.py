"""Count finished games from their summaries. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from firmware_host.journal.game_record import Summary
from firmware_host.journal.game_statistics import SIDES, Length, Statistics, Tally
from firmware_host.players.person_names import same_person
from firmware_host.players.seats import DETECTIVES, PERSON
from firmware_host.rules.actions import MR_X


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
