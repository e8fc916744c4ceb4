"""Compute standings from results, with confidence intervals and Elo points, and print or save them."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from firmware_host.rules.actions import MR_X
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.terminal import echo
from firmware_host.tournament.entrants import Entrant, Terms, TournamentError
from firmware_host.tournament.one_game import Result

TOGETHER, AS_MR_X, AS_DETECTIVES = "together", "as Mister X", "as detectives"
"""The groups of games for which shares are computed."""

_PULL = 0.01
"""How strongly strengths are pulled together, so that winning every game gives finite points."""

_POINTS = 400 / math.log(10)
"""Elo points of one step on the Bradley-Terry model's natural scale."""


@dataclass(frozen=True, slots=True)
class Share:
    """The share of won games. Its `interval` is Wilson's 95 % interval."""

    won: int
    games: int

    @property
    def rate(self) -> float:
        """The share of won games, from 0 to 1, or 0 without games."""
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the confidence interval, or 0 and 1 without games."""
        if not self.games:
            return 0.0, 1.0
        from scipy.stats import binomtest  # noqa: PLC0415 - takes a second to load, once games are played

        bounds = binomtest(self.won, self.games).proportion_ci(method="wilson")
        return float(bounds.low), float(bounds.high)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:6.1%} ({low:.1%} to {high:.1%}, n = {self.games})"


@dataclass(frozen=True, slots=True)
class Meeting:
    """The results of one entrant against another.

    Attributes:
        one: an entrant's name.
        other: the other entrant's name.
        shares: "together", "as Mister X" or "as detectives" -> the share of such games that `one` has won.
    """

    one: str
    other: str
    shares: Mapping[str, Share]

    def record(self) -> dict[str, Any]:
        """Return the results as JSON values."""
        shares = {
            where: {"won": share.won, "games": share.games, "interval": share.interval}
            for where, share in self.shares.items()
        }
        return {"one": self.one, "other": self.other, "shares": shares}


def meetings(names: Sequence[str], results: Iterable[Result]) -> list[Meeting]:
    """Return the meeting of each pair of entrants, with its results."""
    played = list(results)
    found = []
    for one, other in combinations(names, 2):
        hunted = [r.winner for r in played if (r.pairing.mr_x.name, r.pairing.detectives.name) == (one, other)]
        hunting = [r.winner for r in played if (r.pairing.mr_x.name, r.pairing.detectives.name) == (other, one)]
        as_mr_x = Share(hunted.count(MR_X), len(hunted))
        as_detectives = Share(len(hunting) - hunting.count(MR_X), len(hunting))
        both = Share(as_mr_x.won + as_detectives.won, as_mr_x.games + as_detectives.games)
        found.append(Meeting(one, other, {TOGETHER: both, AS_MR_X: as_mr_x, AS_DETECTIVES: as_detectives}))
    return found


def elo(names: Sequence[str], results: Iterable[Result]) -> dict[str, float]:
    """Return each entrant's Elo points by the Bradley-Terry model, over both sides. Their mean is 0."""
    place = {name: number for number, name in enumerate(names)}
    wins = []
    for result in results:
        pair = place[result.pairing.mr_x.name], place[result.pairing.detectives.name]
        wins.append(pair if result.winner == MR_X else pair[::-1])
    if not wins:
        return dict.fromkeys(names, 0.0)
    import choix  # noqa: PLC0415 - loads scipy, too

    strengths = choix.opt_pairwise(len(names), wins, alpha=_PULL)
    return {name: _POINTS * float(strength - strengths.mean()) for name, strength in zip(names, strengths, strict=True)}


@dataclass(frozen=True, slots=True)
class Played:
    """All games of a tournament that were played, with their results.

    Attributes:
        terms: the settings that all games have in common.
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
    """Check, before the first game, that the standings can be written to `path` and overwrite no other file.

    Args:
        path: the file for the standings.
        others: the files to protect, by the option that names each.

    Raises:
        TournamentError: the file cannot be written, or is one of `others`.
    """
    for option, other in others.items():
        if other is not None and _is_same(path, other):
            raise TournamentError(f"--json: {path}: is also the file of {option}; name another")
    was_there = os.path.lexists(path)
    try:
        with path.open("ab"):
            pass
        if not was_there:
            path.unlink()
    except OSError as error:
        raise TournamentError(f"--json: {writing_fault(path, error)}") from None


def _is_same(one: Path, other: Path) -> bool:
    """Return whether two paths name the same file, even if the file does not exist yet."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def print_standings(played: Played) -> None:
    """Print how often each entrant has won, Elo points, longest answers, failures, and versions if they differ."""
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
            games = "1 game, and lost it" if len(failed) == 1 else f"{len(failed)} games, and lost them"
            echo(f"{who.name} failed in {games}; {_most_often(failed)}")
    if len(played.versions) > 1:
        click.echo("Different versions of yardboard played these games, which may not be comparable:")
        for version, count in played.versions.most_common():
            echo(f"  {count} by {version}")


def write(played: Played, path: Path) -> None:
    """Write the standings and the tournament's settings to a file as JSON.

    Raises:
        OSError: the file cannot be written.
    """
    path.write_text(json.dumps(_record(played), indent=2) + "\n", encoding="utf-8")


def _record(played: Played) -> dict[str, Any]:
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
    """Return a text with the most frequent of these reasons, and how frequent it is unless all are equal."""
    (reason, count), *others = Counter(reasons).most_common()
    return f"in {count} of them: {reason}" if others else reason


def _failures(name: str, results: Sequence[Result]) -> list[str]:
    """Return why an entrant's player failed, one reason for each failure."""
    lost = [(result.names[result.winner == MR_X], result.why_failed) for result in results]
    return [why for who, why in lost if who == name and why is not None]
