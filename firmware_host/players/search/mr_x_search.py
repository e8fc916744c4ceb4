"""Search for Mister X's moves: a tree of his own moves, with simulated detectives that answer them.

Mister X knows where everybody is; he does not know how the detectives think. So his nodes are identified by his own
moves alone, and the detectives' answers are drawn (open-loop search). Each iteration draws a style of detectives, walks
down the tree by upper confidence bounds, and adds one edge. The detectives answer this edge, and the network estimates
the value of the resulting position. Moves that the learned model of his choices expects are tried first.

Sources: Perez, Dieskau, Hünermund, Mostaghim & Lucas 2015 (open loop); Nijssen & Winands 2011 (progressive history);
Chaslot and others 2008 (progressive bias).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from firmware_host.players.search.belief import Belief, Distances, likelihood
from firmware_host.players.search.belief import Weights as ChoiceWeights
from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    BLACK_TICKET,
    MOST_PAWNS,
    MOVE,
    OUTCOME,
    PAWN,
    PAWNS,
    SEEN,
    TURN,
    Game,
    Row,
    X,
)
from firmware_host.players.search.playout_policy import Weights, likely_action, sensible
from firmware_host.players.search.position_value import ValueNetwork, describe, value_of
from firmware_host.players.search.random_numbers import RngState, below, share
from firmware_host.players.search.reply_model import (
    STYLES,
    Suspicion,
    believe,
    carry_on,
    know,
    level,
    likely_reply,
    rule_out,
)
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, Actions, legal, play
from firmware_host.players.search.tree import (
    DEEPEST,
    IMMOBILISED_OUTCOME,
    LIKELY,
    MOST_EDGES,
    SEEN_TIMES,
    TRAPPED_OUTCOME,
    VISITS,
    EdgeTable,
    edge_at,
    is_expanded,
    learn,
    mix,
    past_of,
    value_of_choice,
)

Beliefs = NDArray[np.float64]
"""The belief about Mister X's station after his next move, a row for each ticket."""


_MOST_LIKELY = 4.0
"""The largest prior of an action, as a multiple of the average action's prior."""


@compiled
def _expect(
    game: Game,
    row: Row,
    distance: Distances,
    choices: ChoiceWeights,
    features: ChoiceWeights,
    table: EdgeTable,
    node: np.uint64,
    found: Actions,
    count: int,
) -> None:
    """Store at each edge of a node how likely Mister X is to choose it, compared with his average move.

    An announcement gets 1, as the average move does.
    """
    total, moves = 0.0, 0
    for n in range(count):
        if found[n] >= MOVE:
            to, ticket = (found[n] - MOVE) >> 2, (found[n] - MOVE) & BLACK_TICKET
            likely = likelihood(game, row, distance, choices, to, ticket, features)
            table.stats[edge_at(table, mix(node, np.uint64(found[n]))), LIKELY] = likely
            total += likely
            moves += 1
    for n in range(count):
        edge = edge_at(table, mix(node, np.uint64(found[n])))
        likely = table.stats[edge, LIKELY] * moves / total if found[n] >= MOVE and total > 0.0 else 1.0
        table.stats[edge, LIKELY] = min(likely, _MOST_LIKELY)


@compiled
def _choose(
    game: Game,
    row: Row,
    distance: Distances,
    choices: ChoiceWeights,
    features: ChoiceWeights,
    table: EdgeTable,
    node: np.uint64,
    found: Actions,
    count: int,
    weights: Weights,
    rng: RngState,
) -> tuple[int, int, bool]:
    """Choose an action. Return its index in `found`, its edge, and whether it was never tried before.

    Likely actions are preferred while they were seldom tried (progressive bias).
    """
    best, best_edge, best_value, equal, expected = 0, np.int64(-1), -1e9, 0, False
    for n in range(count):
        edge = edge_at(table, mix(node, np.uint64(found[n])))
        if table.stats[edge, SEEN_TIMES] == 0.0 and not expected:
            _expect(game, row, distance, choices, features, table, node, found, count)
            expected = True
        table.stats[edge, SEEN_TIMES] += 1.0
        prior = weights.his_pull * table.stats[edge, LIKELY]
        past = weights.history * past_of(table, found[n])
        value = value_of_choice(table, edge, weights.his_urgency, prior, past, weights.his_explore)
        if value < best_value:
            continue
        equal = 1 if value > best_value else equal + 1
        if below(rng, equal) == 0:
            best, best_edge, best_value = n, edge, value
    return best, int(best_edge), table.stats[best_edge, VISITS] == 0.0


@compiled
def _draw_ghosts(game: Game, suspicion: Suspicion, count: int, ghosts: Row, rng: RngState) -> None:
    """Draw a station for each pawn from the detectives' belief."""
    for pawn in range(game[PAWNS]):
        rest, n = share(rng), 0
        while n < count - 1 and rest >= suspicion.weights[suspicion.places[n]]:
            rest -= suspicion.weights[suspicion.places[n]]
            n += 1
        ghosts[pawn] = suspicion.places[n]


@compiled
def _carry_on(
    game: Game,
    row: Row,
    distance: Distances,
    suspicion: Suspicion,
    count: int,
    plain: bool,
    moved: bool,
    after: Beliefs,
    action: int,
) -> int:
    """Update the detectives' belief for Mister X's action. Return the number of stations where he may be.

    `row` is the position before the action.
    """
    if action < MOVE:
        return count
    ticket = (action - MOVE) & BLACK_TICKET
    if not moved and not plain:
        return believe(suspicion, count, after[ticket], False)
    count = carry_on(game, row, distance, suspicion, count, ticket)
    if plain:
        level(suspicion, count)
    return count


@compiled
def _walk(
    game: Game,
    row: Row,
    distance: Distances,
    suspicion: Suspicion,
    count: int,
    plain: bool,
    after: Beliefs,
    first: int,
    ghosts: Row,
    top: np.uint64,
    table: EdgeTable,
    found: Actions,
    edges: NDArray[np.int64],
    walked: NDArray[np.int32],
    choices: ChoiceWeights,
    features: ChoiceWeights,
    weights: Weights,
    network: ValueNetwork,
    rng: RngState,
) -> tuple[int, int, float]:
    """Go down the tree until the detectives have answered a new edge, or the game is over.

    Returns the number of edges walked, the number of places in `suspicion`, and Mister X's probability of winning.
    """
    node, depth, in_tree, answered, moved, style = top, 0, True, False, False, below(rng, STYLES)
    while not row[OUTCOME]:
        actions = sensible(game, row, found, legal(game, row, found))
        if actions == 0:
            row[OUTCOME] = TRAPPED_OUTCOME
        elif row[TURN] >= 0:
            noise = weights.reply_noise
            action = likely_reply(game, row, distance, suspicion, count, style, noise, found, actions, rng)
            play(game, row, action)
            count = rule_out(suspicion, count, ((action & (PAWN - 1)) - MOVE) >> 2)
            answered = True
        elif answered and not in_tree:
            _draw_ghosts(game, suspicion, count, ghosts, rng)
            describe(game, row, distance, ghosts, network.inputs)
            return depth, count, value_of(network)
        else:
            if in_tree and table.used[0] >= MOST_EDGES:
                in_tree = is_expanded(table, node, found, actions)
            if first:
                action = first
            elif in_tree and depth < DEEPEST:
                n, edge, new = _choose(
                    game, row, distance, choices, features, table, node, found, actions, weights, rng
                )
                action = found[n]
                edges[depth], walked[depth] = edge, action
                depth += 1
                in_tree = not new
                node = mix(node, np.uint64(action))
            else:
                action = likely_action(game, row, distance, ghosts, found, actions, weights, rng)
            count = _carry_on(game, row, distance, suspicion, count, plain, moved, after, action)
            moved, first = moved or action >= MOVE, 0
            play(game, row, action)
            answered = False
        if row[SEEN] or count == 0:
            count = know(suspicion, count, row[SEEN] or row[X])
    return depth, count, 1.0 if row[OUTCOME] >= IMMOBILISED_OUTCOME else 0.0


@njit(cache=True, nogil=True)
def flee(
    game: Game,
    root: Row,
    distance: Distances,
    belief: Belief,
    after: Beliefs,
    first: int,
    suspicion: Suspicion,
    top: np.uint64,
    table: EdgeTable,
    iterations: int,
    choices: ChoiceWeights,
    weights: Weights,
    network: ValueNetwork,
    rng: RngState,
) -> float:
    """Run iterations of Mister X's search. Return the sum of his probabilities of winning.

    Args:
        game: the game.
        root: the position, with his station; it is his turn.
        distance: the distances between stations.
        belief: the public belief about his station.
        after: the public belief after his next move, by ticket.
        first: his action with which each iteration begins, or 0.
        suspicion: buffers for the simulated detectives' belief.
        top: the position's node.
        table: the edges, changed in place.
        iterations: how many.
        choices: the weights of the model of his choices.
        weights: the numbers of the search.
        network: the network that estimates his probability of winning.
        rng: the random number generator.
    """
    found, count = np.empty(MOST_ACTIONS, np.int32), 0
    total, suspicion.weights[:] = 0.0, 0.0
    row, ghosts = root.copy(), np.zeros(MOST_PAWNS, np.int16)
    edges, walked = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int32)
    features = np.zeros(len(choices))
    for _ in range(iterations):
        row[:] = root
        plain = share(rng) < weights.plain_share
        count = believe(suspicion, count, belief, plain)
        depth, count, worth = _walk(
            game, row, distance, suspicion, count, plain, after, first, ghosts, top, table, found, edges, walked,
            choices, features, weights, network, rng,
        )  # fmt: skip
        total += worth
        for n in range(depth):
            learn(table, edges[n], walked[n], worth)
    return total
