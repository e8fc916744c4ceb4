"""Track how likely Mister X is to be at each station, given how he usually chooses his moves.

The stations with a weight are exactly those that the log allows. A model of his choices gives the weights.

Each of his moves has an appeal, a weighted sum of features. Its probability is the softmax over all his moves
(conditional logit, McFadden 1974). The model uses public knowledge only. `choice_weights.json` holds the weights and
describes how they were learned.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    BARE,
    BLACK_TICKET,
    BLACKS,
    IN_SIGHT,
    OCCUPIED,
    PAWNS,
    RIDES,
    ROUND,
    SHIFT,
    STATIONS,
    SURFACING,
    WIDTH,
    WINDOWS_FILLED,
    Game,
    Row,
    X,
)
from firmware_host.players.search.rules_kernel import is_open

Belief = NDArray[np.float64]
Distances = NDArray[np.int8]


@compiled
def nearest(game: Game, row: Row, distance: Distances, station: int) -> int:
    """Return how many moves the detective nearest to a station needs to reach it."""
    least = 99
    for pawn in range(game[PAWNS]):
        least = min(least, int(distance[row[AT + pawn], station]))
    return least


@compiled
def may_go(game: Game, row: Row, station: int, to: int, ticket: int, ride: int) -> bool:
    """Return whether Mister X may have taken a ride with this ticket. A black ticket pays for every ride."""
    if row[OCCUPIED + to] or (ticket != BLACK_TICKET and ride & 3 != ticket):
        return False
    return is_open(game, row, station, to, ticket)


@compiled
def taxis_alone(game: Game, station: int) -> bool:
    """Return whether only taxis leave a station."""
    base = RIDES + (station << SHIFT)
    for n in range(base + 1, base + 1 + game[base]):
        if game[n] & 3:
            return False
    return game[RIDES + ((game[STATIONS] + station) << SHIFT)] == game[base]


@compiled
def hides_nothing(game: Game, row: Row, station: int) -> bool:
    """Return whether a black ticket would hide nothing of Mister X's next move from a station.

    That is so in the first two rounds, where he surfaces, and where only taxis leave (Nijssen & Winands). If his pawn
    is in sight, a black ticket hides each move that is not hidden anyway (BE-06, BE-07).
    """
    shows = game[SURFACING + row[WINDOWS_FILLED] + 1] > 0
    if game[IN_SIGHT]:
        return not shows
    return row[ROUND] <= 2 or shows or row[BARE] > 0 or taxis_alone(game, station)


@njit(cache=True)
def normalized(belief: Belief) -> Belief:
    """Return the weights scaled to a sum of one. If all are zero, they stay zero."""
    total = belief.sum()
    return belief / total if total > 0.0 else belief


@compiled
def draw(cumulated: Belief, drawn: float) -> int:
    """Return the station that a random number selects from cumulated weights."""
    low, high = 0, len(cumulated) - 1
    while low < high:
        middle = (low + high) // 2
        if cumulated[middle] > drawn:
            high = middle
        else:
            low = middle + 1
    return low


FEATURES = (
    "nearest_1",
    "nearest_2",
    "nearest_3",
    "nearest_4",
    "nearest_further",
    "mean_distance",
    "second_distance",
    "ways_on",
    "bus",
    "underground",
    "black",
    "leads_to_underground",
    "black_in_vain",
    "mean_distance_when_seen",
)
"""The features of a move.

Whether the nearest detective needs 1, 2, 3, 4 or more moves to its destination. The mean distance of all detectives,
and the second nearest's (at most 5). The logarithm of the number of neighbours plus one. The ticket, unless it is a
taxi ticket. Whether an underground leaves. Whether a black ticket hides nothing. The mean distance again if he will be
seen.
"""

Weights = NDArray[np.float64]

_FURTHEST = 5

_STRAYS = 0.02
"""The share of Mister X's moves that follow no model: all moves that his ticket allows are equally likely."""


@lru_cache(maxsize=1)
def learned() -> Weights:
    """Return the learned weights in the order of `FEATURES`. Do not modify the result."""
    found = json.loads(Path(__file__).with_name("choice_weights.json").read_bytes())["weights"]
    return np.array([found[name] for name in FEATURES])


@compiled
def ways(game: Game, station: int, black: bool) -> int:
    """Return where the list of a station's ways on starts: its rides or, for a black ticket, its neighbours."""
    return RIDES + (((game[STATIONS] if black else 0) + station) << SHIFT)


@compiled
def describe(game: Game, row: Row, distance: Distances, at: int, to: int, ticket: int, features: Weights) -> None:
    """Compute the features of Mister X's move, in the order of `FEATURES`.

    `row` is the position before the move.
    """
    nearest, second, total = 99, 99, 0
    for pawn in range(game[PAWNS]):
        away = int(distance[row[AT + pawn], to])
        total += away
        if away < nearest:
            nearest, second = away, nearest
        elif away < second:
            second = away
    shows = game[SURFACING + row[WINDOWS_FILLED] + 1] > 0 and not (game[IN_SIGHT] and ticket == BLACK_TICKET)  # BE-07
    features[:] = 0.0
    features[min(max(nearest, 1), _FURTHEST) - 1] = 1.0
    features[5] = total / game[PAWNS]
    features[6] = min(second, _FURTHEST)
    features[7] = np.log(1.0 + game[ways(game, to, True)])
    if ticket:
        features[7 + ticket] = 1.0
    features[11] = _leads_on_by(game, to, 2)
    if ticket == BLACK_TICKET:
        features[12] = hides_nothing(game, row, at)
    if shows:
        features[13] = features[5]


@compiled
def _leads_on_by(game: Game, station: int, ticket: int) -> bool:
    base = ways(game, station, False)
    for n in range(base + 1, base + 1 + game[base]):  # noqa: SIM110 - compiled
        if game[n] & 3 == ticket:
            return True
    return False


@compiled
def _appeal(weights: Weights, features: Weights) -> float:
    """Return how attractive a move is to Mister X: e to the power of its weighted features."""
    appeal = 0.0
    for n in range(len(weights)):
        appeal += weights[n] * features[n]
    return np.exp(appeal)


@compiled
def likelihood(
    game: Game, row: Row, distance: Distances, weights: Weights, to: int, ticket: int, features: Weights
) -> float:
    """Return how likely Mister X is to make a move from his station, relative to his other moves."""
    describe(game, row, distance, row[X], to, ticket, features)
    return _appeal(weights, features)


@compiled
def _appeals(
    game: Game, row: Row, distance: Distances, weights: Weights, at: int, black: bool, features: Weights, found: Weights
) -> float:
    """Write into `found` how attractive each way from a station is, 0 if it is blocked. Return the sum."""
    base, together = ways(game, at, black), 0.0
    for n in range(1, 1 + game[base]):
        to = game[base + n] >> (1 if black else 2)
        ticket = BLACK_TICKET if black else game[base + n] & 3
        found[n] = 0.0
        if may_go(game, row, at, to, ticket, game[base + n]):
            describe(game, row, distance, at, to, ticket, features)
            found[n] = _appeal(weights, features)
            together += found[n]
    return together


@njit(cache=True)
def after_move(game: Game, row: Row, distance: Distances, weights: Weights, belief: Belief, ticket: int) -> Belief:
    """Return the probability of each station after Mister X's move with a ticket, from the position `row`."""
    black = ticket == BLACK_TICKET
    after, features = np.zeros(len(belief)), np.zeros(len(weights))
    plain, dark = np.zeros(WIDTH), np.zeros(WIDTH)
    for at in range(len(belief)):
        if belief[at] <= 0.0:
            continue
        together = _appeals(game, row, distance, weights, at, False, features, plain)
        if black or row[BLACKS] > 0:
            together += _appeals(game, row, distance, weights, at, True, features, dark)
        if together <= 0.0:
            continue
        base, found = ways(game, at, black), dark if black else plain
        fit = 0
        for n in range(1, 1 + game[base]):
            found[n] *= black or game[base + n] & 3 == ticket
            fit += found[n] > 0.0
        for n in range(1, 1 + game[base]):
            if found[n] > 0.0:
                likely = (1.0 - _STRAYS) * found[n] / together + _STRAYS / fit
                after[game[base + n] >> (1 if black else 2)] += belief[at] * likely
    return normalized(after)
