"""Play the junior game by its odds: in each round both sides choose without knowing what the other does.

So whoever always does the same is found out. Each side's shares are found by fictitious play: both answer the mean of
what the other did so far, many times. A round is worth a caught Mister X, and how well he can be caught in the next.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TypeVar

from firmware_host.rules.actions import Action, Commit
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView

_TIMES = 300
"""Answers of each side in fictitious play: within some hundredths of the true shares."""

_LATER = 0.5
"""What the chance to catch him in the next round counts."""

T = TypeVar("T")
Joint = tuple[int, ...]


class JuniorStrategy:
    """Plays each round by its odds."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._began: PublicView | None = None

    def see(self, view: PublicView) -> None:
        """Take note of where everyone stands as a round begins."""
        if self._began is None or view.round != self._began.round:
            self._began = view

    def pursue(self, view: PublicView) -> Action:
        """Move one of the detectives as all of them do by the odds, those that have moved already counted in."""
        began = self._began or view
        theirs, _ = shares(began)
        moved = {place: view.pawns[pawn] for place, pawn in enumerate(view.order) if pawn in view.moved}
        fits = {joint: share for joint, share in theirs.items() if all(joint[p] == to for p, to in moved.items())}
        if not fits:  # people have moved some of the pawns otherwise than by the odds
            fits = theirs
        joint = self._draw(fits)
        wanted = [move for move in view.moves if move.to == joint[view.order.index(move.pawn)]]
        return self._chance.choice(wanted or view.moves)

    def flee(self, view: MrXView) -> Action:
        """Pick a ticket by the odds."""
        public, here = view.public, view.at.value
        _, his = shares(self._began or public)
        to = self._draw(his[public.fugitives.index(view.actor)])
        commits = [action for action in view.choices.value if isinstance(action, Commit)]
        wanted = [commit for commit in commits if leads_to(public.network, here, commit) == to]
        return self._chance.choice(wanted or commits)

    def _draw(self, of: Mapping[T, float]) -> T:
        return self._chance.choices(list(of), list(of.values()))[0]


def leads_to(network: Network, here: int, commit: Commit) -> int:
    """Return the station that a picked ticket leads to."""
    return next((to for to, ways in network.around(here).items() if commit.ticket.value in ways), here)


def shares(view: PublicView) -> tuple[dict[Joint, float], list[dict[int, float]]]:
    """Return how often the detectives should go where, all together, and each of Mister X's pawns, by itself."""
    ways = [_options(view.network, view.pawns[pawn]) for pawn in view.fugitives]
    joints = list(product(*(_options(view.network, view.pawns[pawn]) for pawn in view.order)))
    worth = [[[_worth(view.network, to, joint) for joint in joints] for to in options] for options in ways]
    gained = [0.0] * len(joints)
    lost = [[0.0] * len(options) for options in ways]
    count_theirs, count_his = [0] * len(joints), [[0] * len(options) for options in ways]
    for _ in range(_TIMES):
        best = max(range(len(joints)), key=gained.__getitem__)
        count_theirs[best] += 1
        for pawn, rows in enumerate(worth):
            mine = min(range(len(rows)), key=lost[pawn].__getitem__)
            count_his[pawn][mine] += 1
            for n, value in enumerate(rows[mine]):
                gained[n] += value
            for n, row in enumerate(rows):
                lost[pawn][n] += row[best]
    theirs = {joint: count / _TIMES for joint, count in zip(joints, count_theirs, strict=True) if count}
    his = [
        {to: count / _TIMES for to, count in zip(options, counts, strict=True) if count}
        for options, counts in zip(ways, count_his, strict=True)
    ]
    return theirs, his


def _options(network: Network, station: int) -> Sequence[int]:
    return (station, *network.around(station))


def _worth(network: Network, to: int, joint: Joint) -> float:
    """Return what it is worth to the detectives that he goes to a station and they to others."""
    if to in joint:
        return 1.0 + _LATER
    options = {*_options(network, to)}
    reach = [options.intersection(_options(network, station)) for station in joint]
    covered = min(sum(map(bool, reach)), len(set().union(*reach)))
    return _LATER * min(1.0, covered / len(options))
