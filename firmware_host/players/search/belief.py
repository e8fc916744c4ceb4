"""Track the public belief about Mister X's station: a weight for each station.

The stations with a weight are exactly those that the log allows. A model of his choices gives the weights.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    BLACK_TICKET,
    OCCUPIED,
    PAWNS,
    RIDES,
    SHIFT,
    STATIONS,
    Game,
    Row,
)
from firmware_host.players.search.rules_kernel import is_open

Belief = NDArray[np.float64]
Distances = NDArray[np.int8]


@compiled
def nearest(game: Game, row: Row, distance: Distances, station: int) -> int:
    """Return how many moves the nearest detective needs to a station."""
    least = 99
    for pawn in range(game[PAWNS]):
        least = min(least, int(distance[row[AT + pawn], station]))
    return least


@compiled
def may_go(game: Game, row: Row, station: int, to: int, ticket: int, ride: int) -> bool:
    """Return whether Mister X may have taken a ride; its number gives its ticket unless his was black."""
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


@njit(cache=True)
def normalized(belief: Belief) -> Belief:
    """Return the weights scaled to a sum of one; all zero if nothing is possible."""
    total = belief.sum()
    return belief / total if total > 0.0 else belief


@compiled
def draw(cumulated: Belief, chance: float) -> int:
    """Draw a station from cumulated weights."""
    low, high = 0, len(cumulated) - 1
    while low < high:
        middle = (low + high) // 2
        if cumulated[middle] > chance:
            high = middle
        else:
            low = middle + 1
    return low
