"""Compute from results who is stronger: winning shares with intervals, and Elo points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import choix
from scipy.stats import binomtest

from firmware_host.rules.actions import MR_X
from firmware_host.tournament.one_game import Result

TOGETHER, AS_MR_X, AS_DETECTIVES = "together", "as Mister X", "as detectives"
"""The groups of games for which shares are computed."""

_PULL = 0.01
"""How strongly strengths are pulled together, so that winning every game gives finite points."""

_POINTS = 400 / math.log(10)
"""Elo points of one step on the Bradley-Terry model's natural scale."""


@dataclass(frozen=True, slots=True)
class Share:
    """The number of won games out of all. `low` and `high` are the bounds of Wilson's 95 % interval."""

    won: int
    games: int

    @property
    def rate(self) -> float:
        """The share, from 0 to 1; 0 without games."""
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The interval's bounds; 0 and 1 without games."""
        if not self.games:
            return 0.0, 1.0
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
        other: the other's.
        shares: "together", "as Mister X" or "as detectives" -> the games of that kind that `one` has won.
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
    """Return the results of each pair of entrants."""
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
    """Return each entrant's Elo points over both sides, by the Bradley-Terry model. Their mean is 0."""
    place = {name: number for number, name in enumerate(names)}
    wins = []
    for result in results:
        pair = place[result.pairing.mr_x.name], place[result.pairing.detectives.name]
        wins.append(pair if result.winner == MR_X else pair[::-1])
    if not wins:
        return dict.fromkeys(names, 0.0)
    strengths = choix.opt_pairwise(len(names), wins, alpha=_PULL)
    return {name: _POINTS * float(strength - strengths.mean()) for name, strength in zip(names, strengths, strict=True)}
