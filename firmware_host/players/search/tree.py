"""Search with one tree over what is public (single-observer information-set Monte Carlo tree search).

Each iteration draws where Mister X may be, walks down the tree by upper confidence bounds, adds one edge, and plays the
game to its end by a simple policy. Detectives decide on what is public alone; Mister X also by his station. In the
playout each detective chases a *ghost*: a station that he may be at by all that was seen, so that hiding pays. What
leads a detective nearer to where Mister X may be has a prior, which counts the less the more often it was walked.

Sources: Cowling, Powley & Whitehouse 2012 (information sets); Nijssen & Winands 2012 (coalition reduction, move
filtering); Gelly & Wang 2006 (first-play urgency); Chaslot and others 2008 (progressive bias).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.belief import Belief, Distances, draw, nearest, taxis_alone
from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    BLACK_TICKET,
    DOUBLE,
    MOST_PAWNS,
    MOVE,
    OCCUPIED,
    OUTCOME,
    PAWN,
    PAWN_SHIFT,
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
from firmware_host.players.search.random_numbers import Chance, below, share
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, Actions, legal, play

EDGES = 1 << 20
"""Places of the table of edges, a power of two."""

MOST_EDGES = EDGES * 3 // 4 - MOST_ACTIONS
"""How many edges the tree may have; then it grows no more, and the search goes on in what there is."""

VISITS, VALUES, SEEN_TIMES = range(3)
"""The places of an edge's numbers."""

DEEPEST = 512
"""Edges that one iteration may walk."""

CAPTURED_OUTCOME, TRAPPED_OUTCOME, IMMOBILISED_OUTCOME = 1, 2, 3
"""Outcomes by their number in a row; from the last on Mister X has won."""

UNTRIED_FIRST = 1e6
"""What Mister X's untried actions count: more than any that was tried."""


class Weights(NamedTuple):
    """The numbers that a search goes by; `SearchSettings` tells what they mean."""

    explore: float
    random_share: float
    coalition: float
    urgency: float
    pull: float
    noise: float


class Guess(NamedTuple):
    """Where Mister X may be by the belief of everyone.

    Attributes:
        cumulated: the belief, cumulated.
        far: for each station how many moves lie between it and him, on average.
    """

    cumulated: Belief
    far: Belief

    @classmethod
    def of(cls, belief: Belief, distance: Distances) -> Guess:
        """Return what a belief says, by the distances between stations."""
        return cls(np.cumsum(belief), distance @ belief)


class EdgeTable(NamedTuple):
    """Actions that were tried in the tree, each at the place that its key leads to.

    Attributes:
        keys: what tells edges apart, 0 where nothing is.
        stats: for each place how often the edge was walked (`VISITS`), the sum of what came of it for whoever walked it
            (`VALUES`), and how often it could have been walked (`SEEN_TIMES`).
        used: the places that are taken, after their number.
    """

    keys: NDArray[np.uint64]
    stats: NDArray[np.float32]
    used: NDArray[np.int32]

    @classmethod
    def empty(cls) -> EdgeTable:
        """Return a table with `EDGES` places."""
        used = np.zeros(1 + MOST_EDGES, np.int32)
        return cls(np.zeros(EDGES, np.uint64), np.zeros((EDGES, 4), np.float32), used)

    def clear(self) -> None:
        """Forget all edges; the fewer there are, the faster."""
        places = self.used[1 : 1 + self.used[0]]
        self.keys[places] = 0
        self.stats[places] = 0
        self.used[0] = 0

    def visits(self, edges: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return how often each of some edges was walked."""
        return self.stats[edges, VISITS]


@compiled
def _mix(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return a hash of two numbers (splitmix64)."""
    z = a + np.uint64(0x9E3779B97F4A7C15) * (b + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def _edge(table: EdgeTable, key: np.uint64) -> np.int64:
    """Return the place of an edge in the table; a new one is taken up."""
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
def _is_expanded(table: EdgeTable, node: np.uint64, found: Actions, count: int) -> bool:
    """Whether all actions of a node are in the table."""
    mask = np.uint64(EDGES - 1)
    for n in range(count):
        key = _mix(node, np.uint64(found[n]))
        place = key & mask
        while table.keys[place] != key:
            if table.keys[place] == 0:
                return False
            place = (place + np.uint64(1)) & mask
    return True


@compiled
def sensible(game: Game, row: Row, found: Actions, count: int) -> int:
    """Leave out black tickets where they hide nothing, if anything else is left; return how many are left.

    In the first two rounds, where he shows himself, and where a taxi alone leads on (Nijssen & Winands).
    """
    if row[TURN] >= 0 or count < 2:
        return count
    window = row[WINDOWS_FILLED] + 1
    wasted = row[ROUND] <= 2 or game[SURFACING + window] == 1 or taxis_alone(game, int(row[X]))
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


@compiled
def _likely_action(
    game: Game,
    row: Row,
    distance: Distances,
    ghosts: Row,
    found: Actions,
    count: int,
    weights: Weights,
    chance: Chance,
) -> int:
    """Return the action of the playout's policy."""
    if count == 1 or share(chance) < weights.random_share:
        return found[below(chance, count)]
    best, best_value = found[0], -1e9
    if row[TURN] >= 0:
        for n in range(count):
            pawn, to = (found[n] >> PAWN_SHIFT) - 1, ((found[n] & (PAWN - 1)) - MOVE) >> 2
            value = -float(distance[to, ghosts[pawn]]) + 0.5 * share(chance)
            if value > best_value:
                best, best_value = found[n], value
        return best
    near = nearest(game, row, distance, int(row[X]))
    shown = row[SEEN] != 0
    for n in range(count):
        action = found[n]
        if action < MOVE:
            value = 1.2 if action == DOUBLE and near <= 1 else -1.0
            value += weights.noise * share(chance) if action != SURFACE else 0.0
        else:
            to, ticket = (action - MOVE) >> 2, (action - MOVE) & 3
            value = min(4.0, float(nearest(game, row, distance, to))) - (0.0 if shown else 0.7) * (
                ticket == BLACK_TICKET
            )
            value += weights.noise * share(chance)
        if value > best_value:
            best, best_value = action, value
    return best


@compiled
def _follow(game: Game, row: Row, ghosts: Row, action: int, chance: Chance) -> None:
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
                if below(chance, count) == 0:
                    chosen = to
        ghosts[pawn] = chosen if chosen >= 0 else row[X]  # what was seen does not fit: chase him himself


@compiled
def _public(row: Row, action: int) -> int:
    """Return what everyone sees of an action; the row is the position after it."""
    if action >= PAWN or action < MOVE:
        return action
    return 2 * PAWN * PAWN + ((action - MOVE) & 3) * 1024 + row[SEEN]


@compiled
def _nearer(row: Row, far: Belief, action: int) -> float:
    """Return how much nearer to where Mister X may be a detective's action leads, in moves on average."""
    pawn, to = (action >> PAWN_SHIFT) - 1, ((action & (PAWN - 1)) - MOVE) >> 2
    return far[row[AT + pawn]] - far[to]


@compiled
def _choose(
    table: EdgeTable,
    node: np.uint64,
    found: Actions,
    count: int,
    row: Row,
    far: Belief,
    weights: Weights,
    chance: Chance,
) -> tuple[int, int, bool]:
    """Return an action's place in the buffer, its edge, and whether it was never tried before."""
    best, best_edge, best_value, equal = 0, np.int64(-1), -1e9, 0
    his = row[TURN] < 0
    untried_value = UNTRIED_FIRST if his else weights.urgency
    for n in range(count):
        edge = _edge(table, _mix(node, np.uint64(found[n])))
        table.stats[edge, SEEN_TIMES] += 1.0
        tried = table.stats[edge, VISITS] > 0.0
        prior = 0.0 if his else weights.pull * _nearer(row, far, found[n])
        value = _value_of_choice(table, edge, untried_value, prior, weights.explore)
        if value < best_value or (tried and value == best_value):
            continue
        equal = 1 if value > best_value else equal + 1
        if tried or below(chance, equal) == 0:
            best, best_edge, best_value = n, edge, value
    return best, int(best_edge), table.stats[best_edge, VISITS] == 0.0


@compiled
def _value_of_choice(table: EdgeTable, edge: np.int64, untried_value: float, prior: float, explore: float) -> float:
    """Return what an edge counts: by what came of it, how rarely it was walked, and, while it was seldom, its prior."""
    visits = table.stats[edge, VISITS]
    if visits == 0.0:
        return untried_value + prior
    seen = table.stats[edge, SEEN_TIMES]
    return table.stats[edge, VALUES] / visits + explore * np.sqrt(np.log(seen) / visits) + prior / (1.0 + visits)


@njit(cache=True, nogil=True)
def search(
    game: Game,
    root: Row,
    distance: Distances,
    guess: Guess,
    known: float,
    first: int,
    table: EdgeTable,
    iterations: int,
    weights: Weights,
    chance: Chance,
) -> tuple[int, int]:
    """Run iterations from a position; return how many games count, and how many of these Mister X won.

    Where he is known, only those count in which he is where he is.

    Args:
        game: the game.
        root: the position; Mister X's place in it counts in a share of `known` of the iterations.
        distance: between stations.
        guess: where he may be.
        known: 0 for detectives; for Mister X the share of iterations in which he is where he is.
        first: the detective's action with which each iteration begins, or 0.
        table: the edges, changed in place.
        iterations: how many.
        weights: the numbers that it goes by.
        chance: where all chance comes from.
    """
    found = np.empty(MOST_ACTIONS, np.int32)
    row, ghosts = root.copy(), np.zeros(MOST_PAWNS, np.int16)
    edges, movers = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    games, won = 0, 0
    for _ in range(iterations):
        row[:] = root
        there = share(chance) < known
        counts = there or known == 0.0
        if not there:
            row[X] = draw(guess.cumulated, share(chance))
        for pawn in range(game[PAWNS]):
            ghosts[pawn] = draw(guess.cumulated, share(chance))
        node, depth, in_tree, catcher = np.uint64(1), 0, True, -1
        if first:
            play(game, row, first)
        while not row[OUTCOME]:
            his = row[TURN] < 0
            count = sensible(game, row, found, legal(game, row, found))
            if count == 0:  # drawn where he would be trapped: he is not there
                row[OUTCOME], counts = TRAPPED_OUTCOME, False
                break
            here = _mix(node, np.uint64(row[X])) if his and in_tree else node
            if table.used[0] >= MOST_EDGES:
                in_tree = in_tree and _is_expanded(table, here, found, count)
            if in_tree and depth < DEEPEST:
                n, edge, new = _choose(table, here, found, count, row, guess.far, weights, chance)
                action = found[n]
                edges[depth], movers[depth] = edge, -1 if his else (action >> PAWN_SHIFT) - 1
                depth += 1
                in_tree = not new
            else:
                action = _likely_action(game, row, distance, ghosts, found, count, weights, chance)
            play(game, row, action)
            if his:
                _follow(game, row, ghosts, action, chance)
            else:
                catcher = (action >> PAWN_SHIFT) - 1
            node = _mix(node, np.uint64(_public(row, action)))
        for n in range(depth):
            table.stats[edges[n], VISITS] += 1.0
            table.stats[edges[n], VALUES] += _value(row[OUTCOME], movers[n], catcher, weights.coalition)
        games += counts
        won += counts and row[OUTCOME] >= IMMOBILISED_OUTCOME
    return games, won


@compiled
def _value(outcome: int, mover: int, catcher: int, coalition: float) -> float:
    """Return what an outcome is worth to whoever moved: -1 for Mister X, else a pawn."""
    if mover < 0 or outcome >= IMMOBILISED_OUTCOME:
        return 1.0 if (outcome >= IMMOBILISED_OUTCOME) == (mover < 0) else 0.0
    return 1.0 - coalition * (outcome == CAPTURED_OUTCOME and mover != catcher)


@njit(cache=True)
def root_edges(game: Game, root: Row, his: bool, table: EdgeTable, found: Actions) -> tuple[int, NDArray[np.int64]]:
    """Return how many actions the root has, left in the buffer, and the edge of each."""
    count = sensible(game, root, found, legal(game, root, found))
    node = _mix(np.uint64(1), np.uint64(root[X])) if his else np.uint64(1)
    edges = np.empty(count, np.int64)
    for n in range(count):
        edges[n] = _edge(table, _mix(node, np.uint64(found[n])))
    return count, edges
