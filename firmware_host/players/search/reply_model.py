"""Predict, in Mister X's search, how the detectives answer his moves, given their knowledge of his station.

A simulated detective looks one move ahead. It does not know his station. It has only a belief, which follows from his
visible tickets and is updated with each move. Detectives differ, so each simulated game draws a style for all of them,
and one of two beliefs: the learned belief, or the plain belief, in which all possible stations are equally likely.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from firmware_host.players.search.belief import Belief, Distances, nearest, ways
from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    BLACK_TICKET,
    MOVE,
    OCCUPIED,
    PAWN,
    PAWN_SHIFT,
    PAWNS,
    WIDTH,
    Game,
    Row,
)
from firmware_host.players.search.random_numbers import RngState, share
from firmware_host.players.search.rules_kernel import Actions

STYLES = 4
"""The number of styles."""

_COVER = (1.0, 1.0, 0.0, 0.0)
_APPROACH = (0.15, 0.15, 1.0, 1.0)
_CATCH = (2.0, 2.0, 0.0, 4.0)
"""For each style, the weights of what a detective's move is worth.

To cover: how near the nearest detective is to him, on average. To approach: by how much the pawn gets nearer to him, on
average. To catch: the probability that he is there.
"""

_FURTHEST = 12
"""The largest distance that counts, in moves."""

_APPEALS = (0.0, 0.2, 0.7, 1.0)
"""The weights with which Mister X goes where the nearest detective is 0, 1, 2, and 3 or more moves away."""


class Suspicion(NamedTuple):
    """The belief of simulated detectives about Mister X's station, and buffers.

    Attributes:
        weights: the probability of each station.
        places: the stations with a weight, one after another from the beginning; what follows them is unused.
        after: a buffer of zeros for the next weights.
        found: a buffer for the next places.
        appeals: a buffer for how attractive each way from a station is.
        nearest, further: for each place the distance of the nearest detective and of the second nearest.
        whose: for each place the nearest detective's pawn.
    """

    weights: Belief
    places: Row
    after: Belief
    found: Row
    appeals: Belief
    nearest: Row
    further: Row
    whose: Row

    @classmethod
    def empty(cls, stations: int) -> Suspicion:
        """Create buffers for station numbers below `stations`, in which no station has a weight yet."""
        rows = [np.zeros(stations, np.int16) for _ in range(5)]
        return cls(np.zeros(stations), rows[0], np.zeros(stations), rows[1], np.zeros(WIDTH), *rows[2:])


@compiled
def believe(suspicion: Suspicion, count: int, belief: Belief, plain: bool) -> int:
    """Replace the `count` suspected stations and their weights by those of a belief. Return how many there are now.

    If `plain`, all stations of the belief get the same weight.
    """
    weights, places = suspicion.weights, suspicion.places
    for n in range(count):
        weights[places[n]] = 0.0
    count = 0
    for station in range(len(belief)):
        if belief[station] > 0.0:
            weights[station] = belief[station]
            places[count] = station
            count += 1
    if plain:
        level(suspicion, count)
    return count


@compiled
def level(suspicion: Suspicion, count: int) -> None:
    """Make all places equally likely."""
    for n in range(count):
        suspicion.weights[suspicion.places[n]] = 1.0 / count


@compiled
def know(suspicion: Suspicion, count: int, station: int) -> int:
    """Make it certain that Mister X is at a station. Return the number of places: 1."""
    for n in range(count):
        suspicion.weights[suspicion.places[n]] = 0.0
    suspicion.weights[station] = 1.0
    suspicion.places[0] = station
    return 1


@compiled
def rule_out(suspicion: Suspicion, count: int, station: int) -> int:
    """Remove a station where a detective has not found him. Return how many places are left, at least one."""
    weights, places = suspicion.weights, suspicion.places
    without = weights[station]
    if without == 0.0 or count == 1:
        return count
    kept, left = 0, max(1e-9, 1.0 - without)
    weights[station] = 0.0
    for n in range(count):
        if places[n] != station:
            places[kept] = places[n]
            weights[places[n]] /= left
            kept += 1
    return kept


@compiled
def carry_on(game: Game, row: Row, distance: Distances, suspicion: Suspicion, count: int, ticket: int) -> int:
    """Update the weights after a move of Mister X with a ticket. `row` is the position before the move.

    Each station's weight is divided among the ways on from there, by their appeal. Return the number of stations where
    he may be, 0 if no such move is possible.
    """
    weights, after, found, appeals = suspicion.weights, suspicion.after, suspicion.found, suspicion.appeals
    black, reached, total = ticket == BLACK_TICKET, 0, 0.0
    for place in range(count):
        at = suspicion.places[place]
        base, weight, together = ways(game, at, black), weights[at], 0.0
        weights[at] = 0.0
        for n in range(1, 1 + game[base]):
            near = nearest(game, row, distance, game[base + n] >> (1 if black else 2))
            appeals[n] = _APPEALS[min(3, near)]
            together += appeals[n]
        for n in range(1, 1 + game[base]):
            to = game[base + n] >> (1 if black else 2)
            if row[OCCUPIED + to] or not (black or game[base + n] & 3 == ticket):
                continue
            if after[to] == 0.0:
                found[reached] = to
                reached += 1
            part = weight * appeals[n] / together
            after[to] += part
            total += part
    for n in range(reached):
        to = found[n]
        weights[to], after[to] = after[to] / total, 0.0
        suspicion.places[n] = to
    return reached


@compiled
def likely_reply(
    game: Game,
    row: Row,
    distance: Distances,
    suspicion: Suspicion,
    count: int,
    style: int,
    noise: float,
    found: Actions,
    actions: int,
    rng: RngState,
) -> int:
    """Return the action that detectives of a style choose.

    Args:
        game: the game.
        row: the position.
        distance: the distances between stations.
        suspicion: the weights of Mister X's possible stations.
        count: the number of places in `suspicion`.
        style: from 0 to below `STYLES`.
        noise: how much chance adds at most to an action's worth, in moves.
        found: the legal actions, ordered by pawn and destination.
        actions: their number.
        rng: the random number generator.
    """
    if actions == 1:
        return found[0]
    covers = _COVER[style] > 0.0
    if covers:
        _look_around(game, row, distance, suspicion, count)
    best, best_worth, worth, pawn, to, here = found[0], -1e9, 0.0, -1, -1, 0.0
    for n in range(actions):
        mover, goal = (found[n] >> PAWN_SHIFT) - 1, ((found[n] & (PAWN - 1)) - MOVE) >> 2
        if mover != pawn:
            pawn, to = mover, -1
            here = _mean_distance(distance, suspicion, count, row[AT + pawn])
        if goal != to:  # another ticket to the same station is worth as much
            to = goal
            worth = _APPROACH[style] * (here - _mean_distance(distance, suspicion, count, to))
            worth += _CATCH[style] * suspicion.weights[to]
            if covers:
                worth -= _COVER[style] * _uncovered(distance, suspicion, count, pawn, to)
        drawn = worth + noise * share(rng)
        if drawn > best_worth:
            best, best_worth = found[n], drawn
    return best


@compiled
def _look_around(game: Game, row: Row, distance: Distances, suspicion: Suspicion, count: int) -> None:
    """Store for each possible station the distances of the two nearest detectives, and the nearest pawn."""
    for n in range(count):
        first, second, whose = 99, 99, -1
        for pawn in range(game[PAWNS]):
            away = int(distance[row[AT + pawn], suspicion.places[n]])
            if away < first:
                first, second, whose = away, first, pawn
            elif away < second:
                second = away
        suspicion.nearest[n], suspicion.further[n], suspicion.whose[n] = first, second, whose


@compiled
def _mean_distance(distance: Distances, suspicion: Suspicion, count: int, station: int) -> float:
    """Return how many moves a station is away from Mister X on average."""
    mean = 0.0
    for n in range(count):
        place = suspicion.places[n]
        mean += suspicion.weights[place] * min(_FURTHEST, int(distance[station, place]))
    return mean


@compiled
def _uncovered(distance: Distances, suspicion: Suspicion, count: int, pawn: int, to: int) -> float:
    """Return how many moves the nearest detective is away from Mister X on average once a pawn is at `to`."""
    mean = 0.0
    for n in range(count):
        place = suspicion.places[n]
        others = suspicion.further[n] if suspicion.whose[n] == pawn else suspicion.nearest[n]
        mean += suspicion.weights[place] * min(_FURTHEST, int(distance[to, place]), int(others))
    return mean
