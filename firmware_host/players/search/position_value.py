"""Estimate how likely Mister X is to win a position, with a small neural network.

A playout gives one possible end, played by simple policies. The network gives the average result of similar positions
in games between searching players. `position_value.json` holds the weights and describes how they were learned.

Source: Silver and others 2016 (playouts and a learned value, mixed at the leaves of the tree).
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware_host.players.search.belief import Distances
from firmware_host.players.search.compiling import compiled
from firmware_host.players.search.game_numbers import (
    AT,
    BLACKS,
    DOUBLES,
    HANDS,
    IN_SIGHT,
    LAST_CHANCE,
    MOVED,
    OCCUPIED,
    PAWNS,
    PAYING,
    RIDES,
    SEEN,
    SHIFT,
    SUPPLY,
    SURFACING,
    TURN,
    UNLIMITED,
    VOLUNTARY,
    WINDOWS,
    WINDOWS_FILLED,
    Game,
    Row,
    X,
)

FEATURES = (
    "paying", "unlimited", "last_chance", "voluntary", "in_sight", "windows", "pawns",
    "his_turn", "moved", "windows_left", "seen", "blacks", "doubles", "supply",
    "shows_in_1", "shows_in_2", "shows_in_3", "shows_in_4", "shows_later",
    "nearest_1", "nearest_2", "nearest_3", "nearest_4", "nearest_further",
    "second_distance", "third_distance", "mean_distance", "pawns_near", "spread", "chase",
    "safe_ways", "ways", "leads_to_underground",
    "fewest_tickets", "tickets", "bus_tickets", "underground_tickets", "poor_pawns",
)  # fmt: skip
"""The features of a position, each about 0 to 1.

In this order:

- the terms of the game
- whose turn it is, and how many detectives have moved
- the windows left, whether Mister X is seen, his cards, and the moves until he surfaces
- the distances of the three nearest detectives from him, the mean distance, and how many are within two moves
- the detectives' ghosts: their distance from him, and the detectives' distance from them
- how many rides he has to stations that no detective can reach next, how many to free stations, and whether one of
  these is by underground
- the detectives' tickets, and how many pawns have fewer of them than windows are left
"""

Inputs = NDArray[np.float32]

_FIRST_SHOWS, _FIRST_NEAREST, _FIRST_DISTANCES, _FIRST_WAYS, _FIRST_TICKETS = 14, 19, 24, 30, 33
_FURTHEST = 8
_MOST_ASTRAY = 10
"""The largest distance of Mister X or a detective from a ghost that counts, in moves."""
_FULL_HAND = 22
"""The most tickets of a kind that count: a hand that never empties has far more."""


class ValueNetwork(NamedTuple):
    """A neural network with one hidden layer, and a buffer for its inputs.

    Attributes:
        first: the hidden layer's weights, a row per unit.
        bias: the hidden units' biases.
        second: the output weights of the hidden units.
        last: the output bias.
        inputs: the features of the current position, in the order of `FEATURES`.
    """

    first: Inputs
    bias: Inputs
    second: Inputs
    last: float
    inputs: Inputs


@lru_cache(maxsize=1)
def _weights() -> tuple[Inputs, Inputs, Inputs, float]:
    found = json.loads(Path(__file__).with_name("position_value.json").read_bytes())
    columns = [found["features"].index(name) for name in FEATURES]
    first = np.ascontiguousarray(np.array(found["first"], np.float32)[:, columns])
    return first, np.array(found["bias"], np.float32), np.array(found["second"], np.float32), float(found["last"])


def learned() -> ValueNetwork:
    """Return the trained network with an input buffer of its own."""
    return ValueNetwork(*_weights(), np.zeros(len(FEATURES), np.float32))


@compiled
def describe(game: Game, row: Row, distance: Distances, ghosts: Row, inputs: Inputs) -> None:
    """Compute the features of a position in which Mister X's station is known, in the order of `FEATURES`.

    Args:
        game: the game.
        row: the position.
        distance: the distances between stations.
        ghosts: for each pawn a station that the public record allows for Mister X.
        inputs: the buffer to fill.
    """
    inputs[:] = 0.0
    _describe_game(game, row, inputs)
    _describe_distances(game, row, distance, ghosts, inputs)
    _describe_ways(game, row, distance, inputs)
    _describe_tickets(game, row, inputs)


@compiled
def _describe_game(game: Game, row: Row, inputs: Inputs) -> None:
    inputs[0], inputs[1], inputs[2] = game[PAYING], game[UNLIMITED], game[LAST_CHANCE]
    inputs[3], inputs[4], inputs[5] = game[VOLUNTARY], game[IN_SIGHT], game[WINDOWS] / 24.0
    inputs[6] = game[PAWNS] / 5.0
    inputs[7] = row[TURN] < 0
    for pawn in range(game[PAWNS]):
        inputs[8] += ((row[MOVED] >> pawn) & 1) / game[PAWNS]
    inputs[9] = (game[WINDOWS] - row[WINDOWS_FILLED]) / 24.0
    inputs[10] = row[SEEN] != 0
    inputs[11], inputs[12] = row[BLACKS] / 5.0, row[DOUBLES] / 2.0
    if not game[UNLIMITED]:
        inputs[13] = min(30, row[SUPPLY] + row[SUPPLY + 1] + row[SUPPLY + 2]) / 30.0
    away = 0
    while away < 4 and game[SURFACING + row[WINDOWS_FILLED] + 1 + away] == 0:
        away += 1
    inputs[_FIRST_SHOWS + away] = 1.0


@compiled
def _describe_distances(game: Game, row: Row, distance: Distances, ghosts: Row, inputs: Inputs) -> None:
    nearest, second, third, total, near, spread, chase = _FURTHEST, _FURTHEST, _FURTHEST, 0, 0, 0, 0
    for pawn in range(game[PAWNS]):
        at = row[AT + pawn]
        away = min(_FURTHEST, int(distance[at, row[X]]))
        total += away
        near += away <= 2
        if away < nearest:
            nearest, second, third = away, nearest, second
        elif away < second:
            second, third = away, second
        elif away < third:
            third = away
        spread += min(_MOST_ASTRAY, int(distance[ghosts[pawn], row[X]]))
        chase += min(_MOST_ASTRAY, int(distance[at, ghosts[pawn]]))
    inputs[_FIRST_NEAREST + min(max(nearest, 1), 5) - 1] = 1.0
    base = _FIRST_DISTANCES
    inputs[base], inputs[base + 1] = second / 6.0, third / 6.0
    inputs[base + 2], inputs[base + 3] = total / (8.0 * game[PAWNS]), near / 5.0
    inputs[base + 4], inputs[base + 5] = spread / (10.0 * game[PAWNS]), chase / (10.0 * game[PAWNS])


@compiled
def _describe_ways(game: Game, row: Row, distance: Distances, inputs: Inputs) -> None:
    base, ways, safe = RIDES + (int(row[X]) << SHIFT), 0, 0
    for n in range(base + 1, base + 1 + game[base]):
        to = game[n] >> 2
        if row[OCCUPIED + to]:
            continue
        reached = 0
        for pawn in range(game[PAWNS]):
            reached += distance[row[AT + pawn], to] <= 1
        ways += 1
        safe += reached == 0
        if game[n] & 3 == 2:
            inputs[_FIRST_WAYS + 2] = 1.0
    inputs[_FIRST_WAYS], inputs[_FIRST_WAYS + 1] = np.log(1.0 + safe), np.log(1.0 + ways)


@compiled
def _describe_tickets(game: Game, row: Row, inputs: Inputs) -> None:
    left, fewest, together, bus, underground, poor = game[WINDOWS] - row[WINDOWS_FILLED], 99, 0, 0, 0, 0
    for pawn in range(game[PAWNS]):
        hand, own = HANDS + 3 * pawn, 0
        for kind in range(3):
            own += min(_FULL_HAND, int(row[hand + kind]))
        fewest = min(fewest, own)
        together += own
        bus += min(_FULL_HAND, int(row[hand + 1]))
        underground += min(_FULL_HAND, int(row[hand + 2]))
        poor += own < left
    base = _FIRST_TICKETS
    inputs[base], inputs[base + 1] = fewest / 22.0, together / 110.0
    inputs[base + 2], inputs[base + 3], inputs[base + 4] = bus / 40.0, underground / 20.0, poor / 5.0


@compiled
def value_of(network: ValueNetwork) -> float:
    """Return the probability that Mister X wins the position whose features are in the network's buffer."""
    total = network.last
    for unit in range(len(network.bias)):
        sum_of_inputs = network.bias[unit]
        for n in range(len(network.inputs)):
            sum_of_inputs += network.first[unit, n] * network.inputs[n]
        total += network.second[unit] * max(sum_of_inputs, np.float32(0.0))
    return 1.0 / (1.0 + np.exp(-total))
