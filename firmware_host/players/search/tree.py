"""Search with one tree over what is public (single-observer information-set Monte Carlo tree search).

Each iteration draws where Mister X may be, walks down the tree by upper confidence bounds, adds one edge, and plays the
game to its end by a simple policy. Detectives decide on what is public alone; Mister X also by his station. In the
playout each detective chases a *ghost*: a station that he may be at by all that was seen, so that hiding pays.

Sources: Cowling, Powley & Whitehouse 2012 (information sets); Nijssen & Winands 2012 (coalition reduction, move
filtering).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.belief import Belief, Distances, draw, nearest
from firmware_host.players.search.game_numbers import (
    BLACK_TICKET,
    DOUBLE,
    MOST_PAWNS,
    MOVE,
    OCCUPIED,
    OUTCOME,
    PAWN,
    PAWNS,
    RIDES,
    ROUND,
    SEEN,
    SHIFT,
    STATIONS,
    SURFACE,
    SURFACING,
    TURN,
    WINDOWS_FILLED,
    Game,
    Row,
    X,
)
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, Actions, legal, play

EDGES = 1 << 20
"""Places of the table of edges, a power of two."""

DEEPEST = 512
"""Edges that one iteration may walk."""

CAPTURED_OUTCOME, TRAPPED_OUTCOME, IMMOBILISED_OUTCOME = 1, 2, 3
"""Outcomes by their number in a row; from the last on Mister X has won."""

COALITION = 0.25
"""What a capture by another detective is worth less (Nijssen & Winands)."""


class EdgeTable(NamedTuple):
    """Actions that were tried in the tree, each at the place that its key leads to.

    Attributes:
        keys: what tells edges apart, 0 where nothing is.
        visits: how often each was walked.
        values: the sum of what came of it, for whoever walked it.
        seen: how often it could have been walked.
    """

    keys: NDArray[np.uint64]
    visits: NDArray[np.float32]
    values: NDArray[np.float32]
    seen: NDArray[np.float32]

    @classmethod
    def empty(cls) -> EdgeTable:
        """Return a table with `EDGES` places."""
        visits, values, seen = (np.zeros(EDGES, np.float32) for _ in range(3))
        return cls(np.zeros(EDGES, np.uint64), visits, values, seen)

    def clear(self) -> None:
        """Forget all edges."""
        for column in self:
            column[:] = 0


@njit(cache=True)
def _mix(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return a hash of two numbers (splitmix64)."""
    z = a + np.uint64(0x9E3779B97F4A7C15) * (b + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True)
def _edge(keys: NDArray[np.uint64], key: np.uint64) -> int:
    """Return the place of an edge in the table; a new one is taken up."""
    mask = len(keys) - 1
    place = np.int64(key & np.uint64(mask))
    while keys[place] != key and keys[place] != 0:
        place = (place + 1) & mask
    keys[place] = key
    return int(place)


@njit(cache=True)
def sensible(game: Game, row: Row, found: Actions, count: int) -> int:
    """Leave out black tickets where they hide nothing, if anything else is left; return how many are left.

    In the first two rounds, where he shows himself, and where a taxi alone leads on (Nijssen & Winands).
    """
    if row[TURN] >= 0 or count < 2:
        return count
    window = row[WINDOWS_FILLED] + 1
    wasted = row[ROUND] <= 2 or game[SURFACING + window] == 1 or _taxis_alone(game, int(row[X]))
    if not wasted:
        return count
    kept = 0
    for n in range(count):
        if found[n] < MOVE or (found[n] - MOVE) & 3 != BLACK_TICKET:
            found[kept], found[n] = found[n], found[kept]
            kept += 1
    plain = 0
    for n in range(kept):
        plain += found[n] >= MOVE
    return kept if plain else count


@njit(cache=True)
def _taxis_alone(game: Game, station: int) -> bool:
    base = RIDES + (station << SHIFT)
    for n in range(base + 1, base + 1 + game[base]):
        if game[n] & 3:
            return False
    return game[RIDES + ((game[STATIONS] + station) << SHIFT)] == game[base]


@njit(cache=True)
def _likely_action(
    game: Game, row: Row, distance: Distances, ghosts: Row, found: Actions, count: int, random_share: float
) -> int:
    """Return the action of the playout's policy."""
    if count == 1 or np.random.random() < random_share:
        return found[np.random.randint(count)]
    best, best_value = found[0], -1e9
    if row[TURN] >= 0:
        for n in range(count):
            pawn, to = found[n] // PAWN - 1, (found[n] % PAWN - MOVE) >> 2
            value = -float(distance[to, ghosts[pawn]]) + 0.5 * np.random.random()
            if value > best_value:
                best, best_value = found[n], value
        return best
    near = nearest(game, row, distance, int(row[X]))
    shown = row[SEEN] != 0
    for n in range(count):
        action = found[n]
        if action < MOVE:
            value = 1.2 if action == DOUBLE and near <= 1 else -1.0
            value += 1.5 * np.random.random() if action != SURFACE else 0.0
        else:
            to, ticket = (action - MOVE) >> 2, (action - MOVE) & 3
            value = min(4.0, float(nearest(game, row, distance, to))) - (0.0 if shown else 0.7) * (
                ticket == BLACK_TICKET
            )
            value += 1.5 * np.random.random()
        if value > best_value:
            best, best_value = action, value
    return best


@njit(cache=True)
def _follow(game: Game, row: Row, ghosts: Row, action: int) -> None:
    """Move the ghosts on by what everyone has seen of Mister X's action; the row is the position after it."""
    if action < MOVE:
        return
    ticket = (action - MOVE) & 3
    size = game[STATIONS]
    for pawn in range(game[PAWNS]):
        if row[SEEN]:
            ghosts[pawn] = row[X]
            continue
        black = ticket == BLACK_TICKET
        base = RIDES + (((size if black else 0) + ghosts[pawn]) << SHIFT)
        count, chosen = 0, -1
        for n in range(base + 1, base + 1 + game[base]):
            to = game[n] >> (1 if black else 2)
            if (black or game[n] & 3 == ticket) and not row[OCCUPIED + to]:
                count += 1
                if np.random.randint(count) == 0:
                    chosen = to
        ghosts[pawn] = chosen if chosen >= 0 else row[X]  # what was seen does not fit: chase him himself


@njit(cache=True)
def _public(row: Row, action: int) -> int:
    """Return what everyone sees of an action; the row is the position after it."""
    if action >= PAWN or action < MOVE:
        return action
    return 2 * PAWN * PAWN + ((action - MOVE) & 3) * 1024 + row[SEEN]


@njit(cache=True)
def _choose(table: EdgeTable, node: np.uint64, found: Actions, count: int, explore: float) -> tuple[int, int, bool]:
    """Return an action's place in the buffer, its edge, and whether it was never tried before."""
    best, best_edge, best_value, untried = 0, -1, -1e9, 0
    for n in range(count):
        edge = _edge(table.keys, _mix(node, np.uint64(found[n])))
        table.seen[edge] += 1.0
        visits = table.visits[edge]
        if visits == 0.0:
            untried += 1
            if np.random.randint(untried) == 0:
                best, best_edge = n, edge
        elif untried == 0:
            value = table.values[edge] / visits + explore * np.sqrt(np.log(table.seen[edge]) / visits)
            if value > best_value:
                best, best_edge, best_value = n, edge, value
    return best, best_edge, untried > 0


@njit(cache=True, nogil=True)
def search(
    game: Game,
    root: Row,
    distance: Distances,
    cumulated: Belief,
    known: float,
    table: EdgeTable,
    iterations: int,
    explore: float,
    random_share: float,
) -> None:
    """Run iterations from a position.

    Args:
        game: the game.
        root: the position; Mister X's place in it counts in a share of `known` of the iterations.
        distance: between stations.
        cumulated: the belief of everyone, cumulated.
        known: 0 for detectives; for Mister X the share of iterations in which he is where he is.
        table: the edges, changed in place.
        iterations: how many.
        explore: how far rarely tried actions are preferred.
        random_share: the share of random actions in playouts.
    """
    found = np.empty(MOST_ACTIONS, np.int32)
    row, ghosts = root.copy(), np.zeros(MOST_PAWNS, np.int16)
    edges, movers = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    for _ in range(iterations):
        row[:] = root
        if np.random.random() >= known:
            row[X] = draw(cumulated, np.random.random())
        for pawn in range(game[PAWNS]):
            ghosts[pawn] = draw(cumulated, np.random.random())
        node, depth, in_tree, catcher = np.uint64(1), 0, True, -1
        while not row[OUTCOME]:
            his = row[TURN] < 0
            count = sensible(game, row, found, legal(game, row, found))
            if count == 0:  # drawn where he would be trapped: he is not there
                row[OUTCOME] = TRAPPED_OUTCOME
                break
            if in_tree and depth < DEEPEST:
                here = _mix(node, np.uint64(row[X])) if his else node
                n, edge, new = _choose(table, here, found, count, explore)
                action = found[n]
                edges[depth], movers[depth] = edge, -1 if his else action // PAWN - 1
                depth += 1
                in_tree = not new
            else:
                action = _likely_action(game, row, distance, ghosts, found, count, random_share)
            play(game, row, action)
            if his:
                _follow(game, row, ghosts, action)
            else:
                catcher = action // PAWN - 1
            node = _mix(node, np.uint64(_public(row, action)))
        for n in range(depth):
            table.visits[edges[n]] += 1.0
            table.values[edges[n]] += _value(row[OUTCOME], movers[n], catcher)


@njit(cache=True)
def _value(outcome: int, mover: int, catcher: int) -> float:
    """Return what an outcome is worth to whoever moved: -1 for Mister X, else a pawn."""
    if mover < 0 or outcome >= IMMOBILISED_OUTCOME:
        return 1.0 if (outcome >= IMMOBILISED_OUTCOME) == (mover < 0) else 0.0
    return 1.0 - COALITION * (outcome == CAPTURED_OUTCOME and mover != catcher)


@njit(cache=True)
def root_edges(game: Game, root: Row, his: bool, table: EdgeTable, found: Actions) -> tuple[int, NDArray[np.int64]]:
    """Return how many actions the root has, left in the buffer, and the edge of each."""
    count = sensible(game, root, found, legal(game, root, found))
    node = _mix(np.uint64(1), np.uint64(root[X])) if his else np.uint64(1)
    edges = np.empty(count, np.int64)
    for n in range(count):
        edges[n] = _edge(table.keys, _mix(node, np.uint64(found[n])))
    return count, edges


@njit(cache=True)
def seed(number: int) -> None:
    """Seed the compiled code's own chance."""
    np.random.seed(number)
