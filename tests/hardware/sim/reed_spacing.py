"""Check how far apart reeds are on a board, and how large a board they need.

The model is that of `hardware.sim.physics`: a reed closes while a magnet is within its reach and opens
beyond its release, and a hand sets a pawn down a little off the middle. Lengths are in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from heapq import nsmallest
from itertools import combinations
from typing import TypeVar

from hardware.sim.physics import Physics, Point

Name = TypeVar("Name")
Pair = tuple[float, Name, Name]
"""A distance in mm, and the two stations at this distance."""


def closest(positions: Mapping[Name, Point], n: int) -> list[Pair[Name]]:
    """Return the `n` closest pairs, the closest first; fewer if there are fewer.

    Args:
        positions: station -> x and y in mm.
        n: how many pairs.
    """
    return nsmallest(n, _pairs(positions), key=lambda pair: pair[0])


def nearer_than(positions: Mapping[Name, Point], apart: float) -> list[Pair[Name]]:
    """Return the pairs that are nearer to each other than `apart` mm, the closest first."""
    return sorted((pair for pair in _pairs(positions) if pair[0] < apart), key=lambda pair: pair[0])


def width_for(positions: Mapping[Name, Point], width: float, apart: float) -> float:
    """Return the width in mm of the smallest board on which every pair is at least `apart` mm apart.

    Args:
        positions: station -> x and y in mm, on a board of `width`; at least two, no two in one place.
        width: mm.
        apart: mm.
    """
    return width * apart / closest(positions, 1)[0][0]


def isolation_distance(physics: Physics) -> float:
    """Return the distance in mm from which on no reed reacts to a pawn on its neighbour.

    That is the release of the most sensitive reed (which holds a magnet that slid away from it) plus the farthest that
    a hand sets a pawn off the middle, even if another pawn is there already.
    """
    return physics.release * (1 + physics.spread) + max(physics.error[1], physics.beside[1])


def _pairs(positions: Mapping[Name, Point]) -> list[Pair[Name]]:
    return [(math.dist(positions[a], positions[b]), a, b) for a, b in combinations(positions, 2)]
