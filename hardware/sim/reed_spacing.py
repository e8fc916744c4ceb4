"""How far apart reeds lie on a board, and how large a board they need.

The model is that of `hardware.sim.physics`: a reed closes while a magnet is within its reach, lets go beyond its
release, and a hand sets a pawn down a little beside the middle. Lengths are in millimetres.
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
"""A distance in mm and the two that lie so far apart."""


def closest(positions: Mapping[Name, Point], n: int) -> list[Pair[Name]]:
    """The `n` closest pairs, the closest first; fewer if there are fewer.

    Args:
        positions: station -> x and y in mm.
        n: how many pairs.
    """
    return nsmallest(n, _pairs(positions), key=lambda pair: pair[0])


def nearer_than(positions: Mapping[Name, Point], apart: float) -> list[Pair[Name]]:
    """The pairs that are nearer to each other than `apart` mm, the closest first."""
    return sorted((pair for pair in _pairs(positions) if pair[0] < apart), key=lambda pair: pair[0])


def width_for(positions: Mapping[Name, Point], width: float, apart: float) -> float:
    """The width in mm of the smallest board on which every pair is at least `apart` mm apart.

    Args:
        positions: station -> x and y in mm, on a board of `width`; at least two, no two in one place.
        width: mm.
        apart: mm.
    """
    return width * apart / closest(positions, 1)[0][0]


def alone_from(physics: Physics) -> float:
    """The distance in mm from which on no reed feels a pawn that stands on its neighbour.

    That is the release of the most sensitive reed (it holds a magnet that slid away from it) plus the farthest that
    a hand sets a pawn from the middle, as the second one on a place too.
    """
    return physics.release * (1 + physics.spread) + max(physics.error[1], physics.beside[1])


def at_width(positions: Mapping[Name, Point], width: float, new: float) -> dict[Name, Point]:
    """The positions on a board `new` mm wide, for those on one of `width` mm."""
    return {name: (x * new / width, y * new / width) for name, (x, y) in positions.items()}


def _pairs(positions: Mapping[Name, Point]) -> list[Pair[Name]]:
    return [(math.dist(positions[a], positions[b]), a, b) for a, b in combinations(positions, 2)]
