"""Store the statistics of tried actions: an open-addressing table of edges, and a history per action."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import MOST_PAWNS, PAWN, PAWN_SHIFT
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, Actions

EDGES = 1 << 20
"""Places in the table of edges, a power of two."""

MOST_EDGES = EDGES * 3 // 4 - MOST_ACTIONS
"""The number of edges at which the tree stops growing; the search continues in the existing tree.

The last node may have added `MOST_ACTIONS` more.
"""

ROOT = np.uint64(1)
"""The root node of a tree."""

TIMES, WORTH = range(2)
"""The places of an action's numbers in the history."""

VISITS, VALUES, SEEN_TIMES = range(3)
"""The places of an edge's numbers."""


class EdgeTable(NamedTuple):
    """The tried actions of a tree, each at the place given by its key.

    Attributes:
        keys: the keys of the edges, 0 for an empty place.
        stats: for each place the edge's visits (`VISITS`), the sum of its mover's results (`VALUES`), and how often it
            was available (`SEEN_TIMES`).
        used: the occupied places, after their number.
        history: for each mover, Mister X first, and each action: how often it was taken anywhere (`TIMES`), and the sum
            of its results (`WORTH`).
    """

    keys: NDArray[np.uint64]
    stats: NDArray[np.float32]
    used: NDArray[np.int32]
    history: NDArray[np.float32]

    @classmethod
    def empty(cls) -> EdgeTable:
        """Create a table with `EDGES` places."""
        used = np.zeros(1 + MOST_EDGES + MOST_ACTIONS, np.int32)
        history = np.zeros((MOST_PAWNS + 1, PAWN, 2), np.float32)
        table = cls(np.zeros(EDGES, np.uint64), np.zeros((EDGES, 4), np.float32), used, history)
        for numbers in table:
            numbers.fill(0)  # write every page now, or the system allocates during the first answer
        return table

    def clear(self) -> None:
        """Remove all edges; fewer edges take less time."""
        places = self.used[1 : 1 + self.used[0]]
        self.keys[places] = 0
        self.stats[places] = 0
        self.used[0] = 0
        self.history[:] = 0

    def is_roomy(self) -> bool:
        """Return whether another search fits beside the stored edges."""
        return bool(self.used[0] <= MOST_EDGES * 3 // 4)

    def visits(self, edges: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the number of visits of each given edge."""
        return self.stats[edges, VISITS]


@compiled
def mix(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return a hash of two numbers (splitmix64)."""
    z = a + np.uint64(0x9E3779B97F4A7C15) * (b + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def edge_at(table: EdgeTable, key: np.uint64) -> np.int64:
    """Return an edge's place in the table; a new edge is added."""
    mask = np.uint64(EDGES - 1)
    place = key & mask
    while table.keys[place] != key:
        if table.keys[place] == 0:
            table.keys[place] = key
            table.used[0] += 1
            table.used[table.used[0]] = place
            break
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@compiled
def is_expanded(table: EdgeTable, node: np.uint64, found: Actions, count: int) -> bool:
    """Return whether all actions of a node are in the table."""
    mask = np.uint64(EDGES - 1)
    for n in range(count):
        key = mix(node, np.uint64(found[n]))
        place = key & mask
        while table.keys[place] != key:
            if table.keys[place] == 0:
                return False
            place = (place + np.uint64(1)) & mask
    return True


@compiled
def past_of(table: EdgeTable, action: int) -> float:
    """Return an action's mean result everywhere minus a half; 0 if it was never taken."""
    mover, what = action >> PAWN_SHIFT, action & (PAWN - 1)
    return (table.history[mover, what, WORTH] + 0.5) / (table.history[mover, what, TIMES] + 1.0) - 0.5


@compiled
def value_of_choice(
    table: EdgeTable, edge: np.int64, untried_value: float, prior: float, past: float, explore: float
) -> float:
    """Return an edge's value in the choice: its mean result plus a bonus for few visits.

    Few visits also make its prior count, and the action's results elsewhere; those longer, the better the edge is.
    """
    visits = table.stats[edge, VISITS]
    if visits == 0.0:
        return untried_value + prior + past
    seen, values = table.stats[edge, SEEN_TIMES], table.stats[edge, VALUES]
    value = values / visits + explore * np.sqrt(np.log(seen) / visits)
    return value + prior / (1.0 + visits) + past / (1.0 + visits - values)


@compiled
def learn(table: EdgeTable, edge: np.int64, action: int, worth: float) -> None:
    """Record the result of an edge, and of its action everywhere."""
    mover, what = action >> PAWN_SHIFT, action & (PAWN - 1)
    table.stats[edge, VISITS] += 1.0
    table.stats[edge, VALUES] += worth
    table.history[mover, what, TIMES] += 1.0
    table.history[mover, what, WORTH] += worth
