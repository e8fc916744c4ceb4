"""Guess how Mister X chooses, by what was learned from games of a Mister X who searches.

Each of his moves has an appeal, a sum of learned weights. How likely he makes it is the softmax of that over all that
he might do (conditional logit, McFadden 1974). It knows what everyone knows. `choice_weights.json` tells the weights,
and what they were learned from.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.belief import Belief, Distances, may_go, normalized, taxis_alone
from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    BLACK_TICKET,
    BLACKS,
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
)

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
"""What a move's appeal depends on: whether the nearest detective needs 1, 2, 3, 4 or more moves to where it leads; how
many all of them need on average, and the second nearest (5 at most); the logarithm of one more than the stations next
to it; the ticket, where it is no taxi's; whether an underground leads on; whether a black ticket hides nothing; the
average again where he will be seen."""

Weights = NDArray[np.float64]

_FURTHEST = 5

_STRAYS = 0.02
"""The share of his moves that follow no model: any that his ticket allows, as likely."""


@lru_cache(maxsize=1)
def learned() -> Weights:
    """Return the learned weights, in the order of `FEATURES`. Not to be changed."""
    found = json.loads(Path(__file__).with_name("choice_weights.json").read_bytes())["weights"]
    return np.array([found[name] for name in FEATURES])


@compiled
def _ways(game: Game, station: int, black: bool) -> int:
    """Return where a station's ways on are told: its rides, or its neighbours for a black ticket."""
    return RIDES + (((game[STATIONS] if black else 0) + station) << SHIFT)


@compiled
def describe(game: Game, row: Row, distance: Distances, at: int, to: int, ticket: int, features: Weights) -> None:
    """Fill in the features of a move, in the order of `FEATURES`; the row is the position before it."""
    nearest, second, total = 99, 99, 0
    for pawn in range(game[PAWNS]):
        away = int(distance[row[AT + pawn], to])
        total += away
        if away < nearest:
            nearest, second = away, nearest
        elif away < second:
            second = away
    shows = game[SURFACING + row[WINDOWS_FILLED] + 1] > 0
    features[:] = 0.0
    features[min(max(nearest, 1), _FURTHEST) - 1] = 1.0
    features[5] = total / game[PAWNS]
    features[6] = min(second, _FURTHEST)
    features[7] = np.log(1.0 + game[_ways(game, to, True)])
    if ticket:
        features[7 + ticket] = 1.0
    features[11] = _leads_on_by(game, to, 2)
    if ticket == BLACK_TICKET:
        features[12] = row[ROUND] <= 2 or shows or taxis_alone(game, at)
    if shows:
        features[13] = features[5]


@compiled
def _leads_on_by(game: Game, station: int, ticket: int) -> bool:
    base = _ways(game, station, False)
    for n in range(base + 1, base + 1 + game[base]):  # noqa: SIM110 - compiled
        if game[n] & 3 == ticket:
            return True
    return False


@compiled
def _appeal(weights: Weights, features: Weights) -> float:
    """Return e to the power of what the weights make of a move."""
    appeal = 0.0
    for n in range(len(weights)):
        appeal += weights[n] * features[n]
    return np.exp(appeal)


@compiled
def _appeals(
    game: Game, row: Row, distance: Distances, weights: Weights, at: int, black: bool, features: Weights, found: Weights
) -> float:
    """Fill in the appeal of each of a station's ways on, 0 where it is barred; return their sum."""
    base, together = _ways(game, at, black), 0.0
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
    """Return how likely he is at each station after a move by a ticket, the detectives standing as in the row."""
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
        base, found = _ways(game, at, black), dark if black else plain
        fit = 0
        for n in range(1, 1 + game[base]):
            found[n] *= black or game[base + n] & 3 == ticket
            fit += found[n] > 0.0
        for n in range(1, 1 + game[base]):
            if found[n] > 0.0:
                likely = (1.0 - _STRAYS) * found[n] / together + _STRAYS / fit
                after[game[base + n] >> (1 if black else 2)] += belief[at] * likely
    return normalized(after)
