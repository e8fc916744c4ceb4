"""Search with one tree over public positions (single-observer information-set Monte Carlo tree search).

The detectives choose with it; Mister X has a search of his own, in `mr_x_search`. Each iteration draws Mister X's
station from the belief, walks down the tree by upper confidence bounds, adds one edge, and plays the game to its end by
a simple policy. The result is mixed with the network's value of the position after the new edge. Simulated detectives
decide by public information only; the simulated Mister X also by his station. A detective's action gets a bonus for
coming nearer to Mister X's likely stations, and another for its results elsewhere in the tree. Both bonuses shrink with
visits.

Sources: Cowling, Powley & Whitehouse 2012 (information sets); Nijssen & Winands 2011 (progressive history) and 2012
(coalition reduction); Silver and others 2016 (playouts mixed with a learned value); Gelly & Wang 2006 (first-play
urgency); Chaslot and others 2008 (progressive bias).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.belief import Belief, Distances, draw
from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    MOST_PAWNS,
    MOVE,
    OUTCOME,
    PAWN,
    PAWN_SHIFT,
    PAWNS,
    SEEN,
    TURN,
    Game,
    Row,
    X,
)
from firmware_host.players.search.playout_policy import Weights, follow_ghosts, likely_action, sensible
from firmware_host.players.search.position_value import ValueNetwork, describe, value_of
from firmware_host.players.search.random_numbers import RngState, below, share
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, Actions, legal, play

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

VISITS, VALUES, SEEN_TIMES, LIKELY = range(4)
"""The places of an edge's numbers."""


class EdgeTable(NamedTuple):
    """The table of the actions that a search tree has tried. A key says where an action is in the table.

    Attributes:
        keys: the keys of the edges, 0 for an empty place.
        stats: for each place the edge's visits (`VISITS`), the sum of its mover's results (`VALUES`), how often it was
            available (`SEEN_TIMES`), and in Mister X's search how likely he is to choose it (`LIKELY`): 1 on average.
        used: first the number of occupied places, then these places.
        history: for each mover, Mister X first, and each action: how often it was taken anywhere (`TIMES`), and the sum
            of its results (`WORTH`).
    """

    keys: NDArray[np.uint64]
    stats: NDArray[np.float32]
    used: NDArray[np.int32]
    history: NDArray[np.float32]

    @classmethod
    def empty(cls) -> EdgeTable:
        """Create an empty table with `EDGES` places."""
        used = np.zeros(1 + MOST_EDGES + MOST_ACTIONS, np.int32)
        history = np.zeros((MOST_PAWNS + 1, PAWN, 2), np.float32)
        table = cls(np.zeros(EDGES, np.uint64), np.zeros((EDGES, 4), np.float32), used, history)
        for numbers in table:
            numbers.fill(0)  # write every page now, or the system allocates during the first answer
        return table

    def clear(self) -> None:
        """Remove all edges and the history. The fewer edges there are, the less time this takes."""
        few = self.used[0] < EDGES // 32  # else it is faster to write every place
        places = self.used[1 : 1 + self.used[0]] if few else slice(None)
        self.keys[places] = 0
        self.stats[places] = 0
        self.used[0] = 0
        self.history[:] = 0

    def is_roomy(self) -> bool:
        """Return whether the table has room for another search."""
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
    """Return where an edge is in the table. Add the edge if it is new."""
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
    """Return an action's mean result over the whole tree and one made-up result of a half, minus a half."""
    mover, what = action >> PAWN_SHIFT, action & (PAWN - 1)
    return (table.history[mover, what, WORTH] + 0.5) / (table.history[mover, what, TIMES] + 1.0) - 0.5


@compiled
def value_of_choice(
    table: EdgeTable, edge: np.int64, untried_value: float, prior: float, past: float, explore: float
) -> float:
    """Return how attractive an edge is to choose: its mean result plus a bonus for few visits.

    While the edge has few visits, its prior bonus and the action's results elsewhere in the tree (`past`) count, too.
    The better the edge's own results are, the longer `past` counts.
    """
    visits = table.stats[edge, VISITS]
    if visits == 0.0:
        return untried_value + prior + past
    seen, values = table.stats[edge, SEEN_TIMES], table.stats[edge, VALUES]
    value = values / visits + explore * np.sqrt(np.log(seen) / visits)
    return value + prior / (1.0 + visits) + past / (1.0 + visits - values)


@compiled
def learn(table: EdgeTable, edge: np.int64, action: int, worth: float) -> None:
    """Record the result of an edge, and of its action in all positions."""
    mover, what = action >> PAWN_SHIFT, action & (PAWN - 1)
    table.stats[edge, VISITS] += 1.0
    table.stats[edge, VALUES] += worth
    table.history[mover, what, TIMES] += 1.0
    table.history[mover, what, WORTH] += worth


DEEPEST = 512
"""The most edges in one iteration."""

CAPTURED_OUTCOME, TRAPPED_OUTCOME, IMMOBILISED_OUTCOME = 1, 2, 3
"""Outcomes by their number in a row; from the last on, Mister X has won."""

_IMPOSSIBLE = -2
"""Stands for the mover of an iteration that does not count: Mister X would be trapped at the drawn station."""

_NOT_GUESSED = -1.0
"""The network's value if it was not asked: the game ended, no new edge was added, or `value_share` is 0."""

_OTHER_CATCHES = 0.75
"""The estimated probability that, if Mister X is captured, another detective than the mover captures him."""

UNTRIED_FIRST = 1e6
"""The value of Mister X's untried actions: more than any tried one's."""


class Guess(NamedTuple):
    """The belief of everyone about Mister X's station.

    Attributes:
        cumulated: the sums of the probabilities up to each station.
        far: each station's mean distance from him, in moves.
    """

    cumulated: Belief
    far: Belief

    @classmethod
    def of(cls, belief: Belief, distance: Distances) -> Guess:
        """Return a `Guess`, given the probability of each station and the distances between stations."""
        return cls(np.cumsum(belief), distance @ belief)


@compiled
def _public(row: Row, action: int) -> int:
    """Return a number that stands for the public part of an action. `row` is the position after the action."""
    if action >= PAWN or action < MOVE:
        return action
    return 2 * PAWN * PAWN + ((action - MOVE) & 3) * 1024 + row[SEEN]


@compiled
def _goal(action: int) -> int:
    """Return the station to which a detective's action leads."""
    return ((action & (PAWN - 1)) - MOVE) >> 2


@compiled
def _nearer(row: Row, distance: Distances, far: Belief, action: int) -> float:
    """Return how much nearer an action brings its pawn to Mister X, in moves on average."""
    here, to, seen = row[AT + (action >> PAWN_SHIFT) - 1], _goal(action), row[SEEN]
    if seen:
        return float(distance[here, seen]) - float(distance[to, seen])
    return far[here] - far[to]


@compiled
def _choose(
    distance: Distances,
    table: EdgeTable,
    node: np.uint64,
    found: Actions,
    count: int,
    row: Row,
    far: Belief,
    weights: Weights,
    rng: RngState,
) -> tuple[int, int, bool]:
    """Choose an action. Return its index in `found`, its edge, and whether it was never tried before."""
    best, best_edge, best_value, equal = 0, np.int64(-1), -1e9, 0
    his = row[TURN] < 0
    untried_value = UNTRIED_FIRST if his else weights.urgency
    for n in range(count):
        edge = edge_at(table, mix(node, np.uint64(found[n])))
        table.stats[edge, SEEN_TIMES] += 1.0
        tried = table.stats[edge, VISITS] > 0.0
        if not his and row[SEEN] and _goal(found[n]) == row[SEEN]:  # a detective who sees him always captures
            return n, int(edge), not tried
        prior = 0.0 if his else weights.pull * _nearer(row, distance, far, found[n])
        past = weights.history * past_of(table, found[n])
        value = value_of_choice(table, edge, untried_value, prior, past, weights.explore)
        if value < best_value or (tried and value == best_value):
            continue
        equal = 1 if value > best_value else equal + 1
        if tried or below(rng, equal) == 0:
            best, best_edge, best_value = n, edge, value
    return best, int(best_edge), table.stats[best_edge, VISITS] == 0.0


@compiled
def _walk(
    game: Game,
    row: Row,
    distance: Distances,
    far: Belief,
    ghosts: Row,
    top: np.uint64,
    table: EdgeTable,
    found: Actions,
    edges: NDArray[np.int64],
    walked: NDArray[np.int32],
    weights: Weights,
    network: ValueNetwork,
    rng: RngState,
) -> tuple[int, int, float]:
    """Go down the tree by choosing actions, then play `row` to the end of the game.

    Return three numbers: the edges walked; the detectives' pawn that moved last, -1 if none has, or `_IMPOSSIBLE`; and
    the network's probability that Mister X wins from the position where the walk left the tree, or `_NOT_GUESSED`.
    """
    node, depth, in_tree, catcher, guessed = top, 0, True, -1, _NOT_GUESSED
    while not row[OUTCOME]:
        his = row[TURN] < 0
        count = sensible(game, row, found, legal(game, row, found))
        if count == 0:
            row[OUTCOME] = TRAPPED_OUTCOME
            return depth, _IMPOSSIBLE, guessed
        here = mix(node, np.uint64(row[X])) if his and in_tree else node
        if table.used[0] >= MOST_EDGES:
            in_tree = in_tree and is_expanded(table, here, found, count)
        new = False
        if in_tree and depth < DEEPEST:
            n, edge, new = _choose(distance, table, here, found, count, row, far, weights, rng)
            action = found[n]
            edges[depth], walked[depth] = edge, action
            depth += 1
            in_tree = not new
        else:
            action = likely_action(game, row, distance, ghosts, found, count, weights, rng)
        play(game, row, action)
        if his:
            follow_ghosts(game, row, ghosts, action, rng)
        else:
            catcher = (action >> PAWN_SHIFT) - 1
        node = mix(node, np.uint64(_public(row, action)))
        if new and weights.value_share > 0.0 and not row[OUTCOME]:
            describe(game, row, distance, ghosts, network.inputs)
            guessed = value_of(network)
    return depth, catcher, guessed


@njit(cache=True, nogil=True)
def search(
    game: Game,
    root: Row,
    distance: Distances,
    guess: Guess,
    first: int,
    top: np.uint64,
    table: EdgeTable,
    iterations: int,
    weights: Weights,
    network: ValueNetwork,
    rng: RngState,
) -> tuple[int, int]:
    """Run iterations of the detectives' search. Return the number of valid games, and how many Mister X won.

    A game is not valid if Mister X would be trapped at the station that was drawn for him.

    Args:
        game: the game.
        root: the position; Mister X's place in it does not count.
        distance: the distances between stations.
        guess: the belief about his station.
        first: the detective's action with which each iteration begins, or 0.
        top: the position's node.
        table: the edges, changed in place.
        iterations: the number of iterations.
        weights: the settings of the search.
        network: the network that estimates Mister X's probability of winning.
        rng: the random number generator.
    """
    found = np.empty(MOST_ACTIONS, np.int32)
    row, ghosts = root.copy(), np.zeros(MOST_PAWNS, np.int16)
    edges, walked = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int32)
    games, won = 0, 0
    for _ in range(iterations):
        row[:] = root
        row[X] = draw(guess.cumulated, share(rng))
        for pawn in range(game[PAWNS]):
            ghosts[pawn] = draw(guess.cumulated, share(rng))
        if first:
            play(game, row, first)
        depth, catcher, guessed = _walk(
            game, row, distance, guess.far, ghosts, top, table, found, edges, walked, weights, network, rng
        )
        for n in range(depth):
            mover = (walked[n] >> PAWN_SHIFT) - 1
            worth = _worth(row[OUTCOME], mover, catcher, weights.coalition)
            if guessed != _NOT_GUESSED and catcher != _IMPOSSIBLE:
                worth += weights.value_share * (_guessed_worth(guessed, mover, weights.coalition) - worth)
            learn(table, edges[n], walked[n], worth)
        counts = catcher != _IMPOSSIBLE
        games += counts
        won += counts and row[OUTCOME] >= IMMOBILISED_OUTCOME
    return games, won


@compiled
def _worth(outcome: int, mover: int, catcher: int, coalition: float) -> float:
    """Return an outcome's value to the side `mover`: -1 is Mister X, else a pawn."""
    if mover < 0 or outcome >= IMMOBILISED_OUTCOME:
        return 1.0 if (outcome >= IMMOBILISED_OUTCOME) == (mover < 0) else 0.0
    return 1.0 - coalition * (outcome == CAPTURED_OUTCOME and mover != catcher)


@compiled
def _guessed_worth(guessed: float, mover: int, coalition: float) -> float:
    """Return a position's value to the side `mover`, given Mister X's estimated probability of winning."""
    return guessed if mover < 0 else (1.0 - guessed) * (1.0 - coalition * _OTHER_CATCHES)


@njit(cache=True)
def root_edges(
    game: Game, root: Row, top: np.uint64, table: EdgeTable, found: Actions
) -> tuple[int, NDArray[np.int64]]:
    """Write the top position's sensible actions into `found`. Return their number and the edge of each."""
    count = sensible(game, root, found, legal(game, root, found))
    edges = np.empty(count, np.int64)
    for n in range(count):
        edges[n] = edge_at(table, mix(top, np.uint64(found[n])))
    return count, edges


@njit(cache=True)
def node_after(game: Game, row: Row, top: np.uint64, action: int) -> int:
    """Play an action of the searching side from the top position. Return the node after the action.

    `row`, the top position, becomes the position after the action.
    """
    play(game, row, action)
    return int(mix(top, np.uint64(action)))
