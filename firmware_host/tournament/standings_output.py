"""Print the standings of a tournament, and write them as JSON."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from firmware_host.rules.actions import MR_X
from firmware_host.system.printable import printable
from firmware_host.tournament.entrants import Entrant, TournamentError
from firmware_host.tournament.one_game import Result
from firmware_host.tournament.pairings import Terms


@dataclass(frozen=True, slots=True)
class Played:
    """The games of a tournament.

    Attributes:
        terms: what all games have in common.
        entrants: the entrants.
        results: each game's result.
    """

    terms: Terms
    entrants: Sequence[Entrant]
    results: Sequence[Result]

    @property
    def versions(self) -> Counter[str]:
        """The number of games that each version of yardboard played."""
        return Counter(result.version for result in self.results)


def check_writable(path: Path, others: Mapping[str, Path | None]) -> None:
    """Check before the first game that the standings can be written and overwrite no other file.

    Args:
        path: the file for the standings.
        others: the files to protect, by the option that names each.

    Raises:
        TournamentError: they cannot.
    """
    for option, other in others.items():
        if other is not None and _is_same(path, other):
            raise TournamentError(f"--json: {path}: is the file of {option}; name another")
    if not path.parent.is_dir():
        raise TournamentError(f"--json: {path}: there is no folder {path.parent}")
    was_there = os.path.lexists(path)
    try:
        with path.open("ab"):
            pass
        if not was_there:
            path.unlink()
    except OSError as error:
        raise TournamentError(f"--json: {path}: cannot be written: {error.strerror}") from None


def _is_same(one: Path, other: Path) -> bool:
    """Return whether two paths are the same file, which may not exist yet."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def print_standings(played: Played) -> None:
    """Print who has won how often, and other results."""
    from firmware_host.tournament.standings import elo, meetings  # noqa: PLC0415 - an extra that others lack

    names, results = [who.name for who in played.entrants], played.results
    for meeting in meetings(names, results):
        click.echo(f"{meeting.one} against {meeting.other}")
        for where, share in meeting.shares.items():
            click.echo(f"  won {where:<15}{share}")
    points = elo(names, results)
    click.echo("Elo with mean 0: " + ", ".join(f"{name} {value:+.0f}" for name, value in points.items()))
    for who in played.entrants:
        took = max((result.longest(who.name) for result in results if who.name in result.names), default=0.0)
        click.echo(f"longest answer of {who.name}: {took:.0f} ms {who.timed_by}")
        if failed := _failures(who.name, results):
            click.echo(printable(f"{who.name} failed in {len(failed)} games, and lost them; {_most_often(failed)}"))
    if len(played.versions) > 1:
        click.echo("Different versions of yardboard played these games, which may not be comparable:")
        for version, count in played.versions.most_common():
            click.echo(printable(f"  {count} by {version}"))


def write(played: Played, path: Path) -> None:
    """Write the standings and the terms of the tournament as JSON.

    Raises:
        OSError: the file cannot be written.
    """
    path.write_text(json.dumps(_record(played), indent=2) + "\n", encoding="utf-8")


def _record(played: Played) -> dict[str, Any]:
    from firmware_host.tournament.standings import elo, meetings  # noqa: PLC0415 - an extra that others lack

    names, terms = [who.name for who in played.entrants], played.terms
    return {
        "rules": terms.rules,
        "players": terms.players,
        "options": dict(terms.options),
        "seed": terms.seed,
        "versions": dict(played.versions),
        "failed": {name: len(_failures(name, played.results)) for name in names},
        "elo": elo(names, played.results),
        "meetings": [meeting.record() for meeting in meetings(names, played.results)],
    }


def _most_often(reasons: Sequence[str]) -> str:
    """Return the most frequent reason."""
    (reason, count), *others = Counter(reasons).most_common()
    return f"in {count} of them: {reason}" if others else reason


def _failures(name: str, results: Sequence[Result]) -> list[str]:
    """Return the reason of each failure of an entrant's player."""
    lost = [(result.names[result.winner == MR_X], result.why_failed) for result in results]
    return [why for who, why in lost if who == name and why is not None]
