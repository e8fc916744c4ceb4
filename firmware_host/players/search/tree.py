"""Search with one tree over what is public (single-observer information-set Monte Carlo tree search).

Each iteration draws where Mister X may be, walks down the tree by upper confidence bounds, adds one edge, and plays the
game to its end by a simple policy; what comes of it is mixed with what a network makes of the position that the new
edge leads to. Detectives decide on what is public alone; Mister X also by his station. What leads a detective nearer to
where Mister X may be has a prior, which counts the less the more often it was walked; so has what came of the same
action elsewhere in the tree.

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
from firmware_host.players.search.edge_table import (
    MOST_EDGES,
    SEEN_TIMES,
    VISITS,
    EdgeTable,
    edge_at,
    is_expanded,
    learn,
    mix,
    past_of,
    value_of_choice,
)
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
from firmware_host.players.search.random_numbers import Chance, below, share
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, Actions, legal, play

DEEPEST = 512
"""Edges that one iteration may walk."""

CAPTURED_OUTCOME, TRAPPED_OUTCOME, IMMOBILISED_OUTCOME = 1, 2, 3
"""Outcomes by their number in a row; from the last on Mister X has won."""

_IMPOSSIBLE = -2
"""Says of an iteration that Mister X was drawn where he would be trapped: he is not there."""

_NOT_GUESSED = -1.0
"""Says that the network was not asked: the game was over in the tree, or the tree was not left by a new edge."""

_OTHER_CATCHES = 0.75
"""How likely a detective who catches Mister X is another than the one that is asked about."""

UNTRIED_FIRST = 1e6
"""What Mister X's untried actions count: more than any that was tried."""


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


@compiled
def _public(row: Row, action: int) -> int:
    """Return what everyone sees of an action; the row is the position after it."""
    if action >= PAWN or action < MOVE:
        return action
    return 2 * PAWN * PAWN + ((action - MOVE) & 3) * 1024 + row[SEEN]


@compiled
def _goal(action: int) -> int:
    """Return the station to which a detective's action leads."""
    return ((action & (PAWN - 1)) - MOVE) >> 2


@compiled
def _nearer(row: Row, distance: Distances, far: Belief, action: int) -> float:
    """Return how much nearer to Mister X an action leads: to where he is seen, or else may be, in moves on average."""
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
    chance: Chance,
) -> tuple[int, int, bool]:
    """Return an action's place in the buffer, its edge, and whether it was never tried before."""
    best, best_edge, best_value, equal = 0, np.int64(-1), -1e9, 0
    his = row[TURN] < 0
    untried_value = UNTRIED_FIRST if his else weights.urgency
    for n in range(count):
        edge = edge_at(table, mix(node, np.uint64(found[n])))
        table.stats[edge, SEEN_TIMES] += 1.0
        tried = table.stats[edge, VISITS] > 0.0
        if not his and row[SEEN] and _goal(found[n]) == row[SEEN]:  # nobody who sees him lets him go
            return n, int(edge), not tried
        prior = 0.0 if his else weights.pull * _nearer(row, distance, far, found[n])
        past = weights.history * past_of(table, found[n])
        value = value_of_choice(table, edge, untried_value, prior, past, weights.explore)
        if value < best_value or (tried and value == best_value):
            continue
        equal = 1 if value > best_value else equal + 1
        if tried or below(chance, equal) == 0:
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
    chance: Chance,
) -> tuple[int, int, float]:
    """Walk down the tree and play to the game's end, in the row; return how many edges were walked, and who moved last.

    That is a pawn, -1 if none has moved, or `_IMPOSSIBLE`. The third is how likely Mister X was to win where the tree
    was left, by the network.
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
            n, edge, new = _choose(distance, table, here, found, count, row, far, weights, chance)
            action = found[n]
            edges[depth], walked[depth] = edge, action
            depth += 1
            in_tree = not new
        else:
            action = likely_action(game, row, distance, ghosts, found, count, weights, chance)
        play(game, row, action)
        if his:
            follow_ghosts(game, row, ghosts, action, chance)
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
    known: float,
    first: int,
    top: np.uint64,
    table: EdgeTable,
    iterations: int,
    weights: Weights,
    network: ValueNetwork,
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
        top: the node of the position.
        table: the edges, changed in place.
        iterations: how many.
        weights: the numbers that it goes by.
        network: what guesses how likely Mister X is to win.
        chance: where all chance comes from.
    """
    found = np.empty(MOST_ACTIONS, np.int32)
    row, ghosts = root.copy(), np.zeros(MOST_PAWNS, np.int16)
    edges, walked = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int32)
    games, won = 0, 0
    for _ in range(iterations):
        row[:] = root
        there = share(chance) < known
        if not there:
            row[X] = draw(guess.cumulated, share(chance))
        for pawn in range(game[PAWNS]):
            ghosts[pawn] = draw(guess.cumulated, share(chance))
        if first:
            play(game, row, first)
        depth, catcher, guessed = _walk(
            game, row, distance, guess.far, ghosts, top, table, found, edges, walked, weights, network, chance
        )
        for n in range(depth):
            mover = (walked[n] >> PAWN_SHIFT) - 1
            worth = _worth(row[OUTCOME], mover, catcher, weights.coalition)
            if guessed != _NOT_GUESSED and catcher != _IMPOSSIBLE:
                worth += weights.value_share * (_guessed_worth(guessed, mover, weights.coalition) - worth)
            learn(table, edges[n], walked[n], worth)
        counts = (there or known == 0.0) and catcher != _IMPOSSIBLE
        games += counts
        won += counts and row[OUTCOME] >= IMMOBILISED_OUTCOME
    return games, won


@compiled
def _worth(outcome: int, mover: int, catcher: int, coalition: float) -> float:
    """Return what an outcome is worth to whoever moved: -1 for Mister X, else a pawn."""
    if mover < 0 or outcome >= IMMOBILISED_OUTCOME:
        return 1.0 if (outcome >= IMMOBILISED_OUTCOME) == (mover < 0) else 0.0
    return 1.0 - coalition * (outcome == CAPTURED_OUTCOME and mover != catcher)


@compiled
def _guessed_worth(guessed: float, mover: int, coalition: float) -> float:
    """Return what a position is worth to whoever moved if Mister X is so likely to win."""
    return guessed if mover < 0 else (1.0 - guessed) * (1.0 - coalition * _OTHER_CATCHES)


@njit(cache=True)
def root_edges(
    game: Game, root: Row, his: bool, top: np.uint64, table: EdgeTable, found: Actions
) -> tuple[int, NDArray[np.int64]]:
    """Return how many actions the position at the top has, left in the buffer, and the edge of each."""
    count = sensible(game, root, found, legal(game, root, found))
    node = mix(top, np.uint64(root[X])) if his else top
    edges = np.empty(count, np.int64)
    for n in range(count):
        edges[n] = edge_at(table, mix(node, np.uint64(found[n])))
    return count, edges


@njit(cache=True)
def node_after(game: Game, row: Row, top: np.uint64, action: int) -> int:
    """Play an action in the position at the top, in place, and return the node to which it leads."""
    play(game, row, action)
    return int(mix(top, np.uint64(_public(row, action))))
