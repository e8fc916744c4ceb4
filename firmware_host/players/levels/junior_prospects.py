"""Compute the value of every position of the junior game by fictitious play.

In each position both sides answer the mean of the other's past choices, a few times a sweep. The positions' values then
enter the next sweep (Leslie, Perkins and Xu, "Best-response dynamics in zero-sum stochastic games", 2020).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.rules.network import Network

_SWEEPS = 10
_AT_MOST = 15_000
"""The most positions visited, in all sweeps together: about a second of processor time."""

_STEPS = 10
"""Rounds of fictitious play in a position per sweep."""

_FADES = 0.8
"""The factor on the answers of earlier sweeps."""

_LATER = 0.9
"""The factor on a chip of the next round."""

_PACE = 0.5
"""How fast a position's value follows the latest sweep."""

_NEAR = 0.15
"""The first estimate of the value of being one move nearer, in chips."""

Standing = tuple[int, int, int]
"""The stations of one of Mister X's pawns and of the two detectives, the lower number first."""


@lru_cache(maxsize=4)
def prospects(network: Network) -> Mapping[Standing, float]:
    """Return the value of each position to the detectives, in chips above the mean."""
    positions = {standing: _Position(network, standing) for standing in _standings(network)}
    worth = {(x, a, b): -_NEAR * min(distances(network, x).get(at, 9) for at in (a, b)) for x, a, b in positions}
    for _ in range(max(1, min(_SWEEPS, _AT_MOST // len(positions)))):
        found = {standing: position.sweep(worth) for standing, position in positions.items()}
        mean = sum(found.values()) / len(found)
        worth = {standing: old + _PACE * (found[standing] - mean - old) for standing, old in worth.items()}
    return worth


def options(network: Network, station: int) -> tuple[int, ...]:
    """Return where a pawn can go from a station; staying comes first."""
    return (station, *network.around(station))


def standing(x: int, joint: tuple[int, ...]) -> Standing:
    """Return the `Standing` of a pawn of Mister X's and the detectives."""
    return (x, min(joint), max(joint))


def _standings(network: Network) -> Iterator[Standing]:
    stations = sorted(network.stations)
    for x in stations:
        for a, b in combinations_with_replacement(stations, 2):
            yield x, a, b


class _Position:
    """One position and both sides' past choices in it."""

    def __init__(self, network: Network, at: Standing) -> None:
        fled, joints = options(network, at[0]), list(product(options(network, at[1]), options(network, at[2])))
        self._next = [[standing(x, joint) for joint in joints] for x in fled]
        self._caught = [[float(x in joint) for joint in joints] for x in fled]
        self._his, self._theirs = [1.0, *[0.0] * (len(fled) - 1)], [1.0, *[0.0] * (len(joints) - 1)]

    def sweep(self, worth: Mapping[Standing, float]) -> float:
        """Let both sides answer each other some times; return the resulting value of the position."""
        rows = [
            [chip + _LATER * worth[to] for chip, to in zip(chips, after, strict=True)]
            for chips, after in zip(self._caught, self._next, strict=True)
        ]
        his, theirs = self._his, self._theirs
        lost = [sum(map(float.__mul__, row, theirs)) for row in rows]
        gained = [sum(map(float.__mul__, column, his)) for column in zip(*rows, strict=True)]
        for _ in range(_STEPS):
            mine, best = lost.index(min(lost)), gained.index(max(gained))
            his[mine] += 1
            theirs[best] += 1
            lost = [sum_ + row[best] for sum_, row in zip(lost, rows, strict=True)]
            gained = list(map(float.__add__, gained, rows[mine]))
        value = (min(lost) + max(gained)) / 2 / sum(his)
        self._his, self._theirs = [_FADES * count for count in his], [_FADES * count for count in theirs]
        return value
