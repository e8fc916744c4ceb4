"""Choose moves by rules of thumb that fit all games, as average people would.

Detectives use public knowledge; Mister X uses his secrets, too. They chase, flee and spend their cards like people at a
table, so that a game is worth watching.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import ClassVar, Generic, TypeVar

from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    FREE,
    FUGITIVES,
    HELICOPTER,
    MR_X,
    START,
    Action,
    Double,
    MrXMove,
    PawnMove,
)
from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.rules.views import MrXView, PublicView

V = TypeVar("V", bound=PublicView)


FAR = 99
"""The distance to a station that cannot be reached: more moves than any real distance on a board."""

CARDS = (BLACK, HELICOPTER)
"""Mister X's special cards, which computer players save."""


@lru_cache(maxsize=1024)  # more than all stations of London
def distances(network: Network, start: int, *, boats: bool = True) -> Mapping[int, int]:
    """Return the number of moves from `start` to each reachable station; without boats, as detectives move."""
    away, edge = {start: 0}, deque([start])
    while edge:
        here = edge.popleft()
        for there, ways in network.around(here).items():
            if there not in away and (boats or ways != (BOAT,)):
                away[there] = away[here] + 1
                edge.append(there)
    return away


class GameHeuristic(Generic[V]):
    """The default rules of thumb for both sides. Each game may override parts.

    Attributes:
        view: the class of the game's public view.
    """

    view: ClassVar[type[PublicView]] = PublicView

    # ---- detectives ----

    def possible_stations(self, view: V) -> frozenset[int]:
        """Return the stations where Mister X may be, judging by the log, or none if nothing is known."""
        if MR_X in view.pawns:
            return frozenset({view.pawns[MR_X]})
        taken = frozenset(view.pawns.values())
        stations, since = self.last_seen(view)
        for entry in view.log[since:]:
            reached = (self.reachable(view.network, station, entry.ticket) for station in stations)
            stations = frozenset(to for found in reached for to in found)
        return stations - taken or stations

    def last_seen(self, view: V) -> tuple[frozenset[int], int]:
        """Return Mister X's last known stations, and how many windows of the log were filled by then."""
        for entry in reversed(view.log):
            if entry.station is not None:
                return frozenset({entry.station}), entry.window
        return frozenset(), 0

    def reachable(self, network: Network, station: int, ticket: str) -> Collection[int]:
        """Return the stations that one move of Mister X with this public ticket may lead to."""
        row = network.around(station)
        if ticket == BLACK:
            return {*row}
        if ticket == FREE:
            return {to for to, ways in row.items() if set(ways) - {BOAT}}
        if ticket not in TRANSPORTS:  # he passed
            return (station,)
        return [to for to, ways in row.items() if ticket in ways]

    def pursue(self, view: V, rng: random.Random) -> Action:
        """Choose an action that brings a detective nearer to where Mister X may be."""
        there = self.possible_stations(view)
        if not there or not view.moves or view.moves[0].ticket == START:
            return rng.choice([*view.moves, *view.extras.values()])
        far = {move: distance(view, move, there) for move in view.moves}
        best = min(far.values())
        if (other := self.instead(view, best, there)) is not None:
            return other
        moves = sorted(view.moves, key=lambda move: (far[move], rng.random()))
        if best == 0 and len(there) == 1:
            return moves[0]
        # He may be at any of these, so the nearest few are equally good.
        return moves[min(int(rng.expovariate(2.0)), len(moves) - 1)]

    def instead(self, view: V, best: float, there: Collection[int]) -> Action | None:  # noqa: ARG002 - for others
        """Return an action that is better than moving, or None. `best` is the distance after the best move."""
        return None

    # ---- Mister X ----

    def flee(self, view: MrXView, rng: random.Random) -> Action:
        """Choose an action by which Mister X flees. He may use special cards if detectives are near or just saw him."""
        choices = view.choices.value
        near = _detective_distances(view.public)
        pressed = near.get(view.at.value, FAR) <= 1
        if Double() in choices and pressed and rng.random() < 0.4:
            return Double()
        moves = [action for action in choices if isinstance(action, MrXMove)]
        if not moves:
            return rng.choice(choices)
        usable = _sensible_moves(view, moves, pressed, rng)
        return max(usable, key=lambda move: (min(near[move.to.value], 3), move.ticket in CARDS, rng.random()))


def distance(view: PublicView, move: PawnMove, there: Collection[int]) -> float:
    """Return a pawn's distance from where Mister X may be, after a move.

    For several stations it is the distance of the nearest one plus a quarter of their mean distance. It is 2 more if
    another detective is at the move's destination.
    """
    away = distances(view.network, move.to)
    others = {station for pawn, station in view.pawns.items() if pawn not in (*FUGITIVES, move.pawn)}
    watched = 2.0 if move.to in others else 0.0
    steps = [away.get(station, FAR) for station in there]
    return min(steps) + sum(steps) / len(steps) / 4 + watched if len(there) > 1 else steps[0] + watched


def _detective_distances(view: PublicView) -> Mapping[int, int]:
    """Return each station's distance from the nearest detective."""
    stand = [view.pawns[pawn] for pawn in view.order if pawn in view.pawns]
    return {to: min(distances(view.network, s).get(to, FAR) for s in stand) for to in view.network.stations}


def _sensible_moves(view: MrXView, moves: list[MrXMove], pressed: bool, rng: random.Random) -> list[MrXMove]:
    """Return Mister X's moves without those that would waste a special card."""
    plain = [move for move in moves if move.ticket not in CARDS]
    log = view.public.log
    seen = bool(log) and log[-1].window in view.public.surfacing and not view.public.in_sight
    wanted = pressed and rng.random() < 0.5 if view.public.in_sight else pressed or seen
    return moves if wanted or not plain else plain
