"""Choose the actions of simulated games, which continue the game from a position of the search tree.

Each detective chases a *ghost*: a station that the public record allows for Mister X, so that hiding pays. He keeps
away from the nearest detective. Source: Nijssen & Winands 2012 (move filtering).
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.players.search.belief import Distances, hides_nothing, nearest
from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    BLACK_TICKET,
    DOUBLE,
    MOVE,
    OCCUPIED,
    PAWN,
    PAWN_SHIFT,
    PAWNS,
    RIDES,
    SEEN,
    SHIFT,
    STATIONS,
    SURFACE,
    TURN,
    Game,
    Row,
    X,
)
from firmware_host.players.search.random_numbers import RngState, below, share
from firmware_host.players.search.rules_kernel import Actions


class Weights(NamedTuple):
    """The settings of a search for compiled code. `SearchSettings` describes each of them."""

    explore: float
    random_share: float
    coalition: float
    urgency: float
    pull: float
    noise: float
    history: float
    value_share: float
    his_explore: float
    his_urgency: float
    his_pull: float
    plain_share: float
    reply_noise: float


@compiled
def sensible(game: Game, row: Row, found: Actions, count: int) -> int:
    """Remove black tickets that hide nothing, if other moves are left. Return how many actions are left."""
    if row[TURN] >= 0 or count < 2 or not hides_nothing(game, row, int(row[X])):
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
def likely_action(
    game: Game,
    row: Row,
    distance: Distances,
    ghosts: Row,
    found: Actions,
    count: int,
    weights: Weights,
    rng: RngState,
) -> int:
    """Choose a plausible action in a simulated game."""
    if count == 1 or share(rng) < weights.random_share:
        return found[below(rng, count)]
    best, best_value = found[0], -1e9
    if row[TURN] >= 0:
        for n in range(count):
            pawn, to = (found[n] >> PAWN_SHIFT) - 1, ((found[n] & (PAWN - 1)) - MOVE) >> 2
            value = -float(distance[to, ghosts[pawn]]) + 0.5 * share(rng)
            if value > best_value:
                best, best_value = found[n], value
        return best
    near = nearest(game, row, distance, int(row[X]))
    shown = row[SEEN] != 0
    for n in range(count):
        action = found[n]
        if action < MOVE:
            value = 1.2 if action == DOUBLE and near <= 1 else -1.0
            value += weights.noise * share(rng) if action != SURFACE else 0.0
        else:
            to, ticket = (action - MOVE) >> 2, (action - MOVE) & 3
            value = min(4.0, float(nearest(game, row, distance, to))) - (0.0 if shown else 0.7) * (
                ticket == BLACK_TICKET
            )
            value += weights.noise * share(rng)
        if value > best_value:
            best, best_value = action, value
    return best


@compiled
def follow_ghosts(game: Game, row: Row, ghosts: Row, action: int, rng: RngState) -> None:
    """Move the detectives' ghosts after an action of Mister X, by its ticket. `row` is the position after it."""
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
                if below(rng, count) == 0:
                    chosen = to
        ghosts[pawn] = chosen if chosen >= 0 else row[X]  # no ride fits what was seen: chase Mister X himself
