"""Find short orders for a board's wires: which reeds share a chip, and the way of each chain.

The stations' numbers say nothing of their places on London, so wires in the order of the numbers cross the board again
and again. Here eight reeds that are near each other share a chip, and each chain goes on to a near place. The same
board always gets the same order. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Place = tuple[float, float]
Key = TypeVar("Key", int, str)

_NEIGHBOURS = 12  # how many of the nearest places are tried as the next one


def length(way: Sequence[Place]) -> float:
    """Return the length of a way from its first place to its last, in the unit of the places."""
    return sum(math.dist(one, other) for one, other in pairwise(way))


def middle(places: Sequence[Place]) -> Place:
    """Return the middle of some places."""
    xs, ys = zip(*places, strict=True)
    return sum(xs) / len(places), sum(ys) / len(places)


def short_way(places: Mapping[Key, Place], start: Place) -> list[Key]:
    """Return an order in which a chain visits all places, beginning near a start, and is short.

    It first goes to the nearest place again and again, and then turns parts of the way and moves places until nothing
    makes it shorter (2-opt and or-opt).
    """
    left = dict(places)
    way: list[Key] = []
    at = start
    while left:
        nearest = min(left, key=lambda key: (math.dist(at, left[key]), str(key)))
        at = left.pop(nearest)
        way.append(nearest)
    near = {
        key: sorted(places, key=lambda other: math.dist(places[key], places[other]))[1:_NEIGHBOURS] for key in places
    }

    def step(one: Key | None, other: Key | None) -> float:
        """Return the length from place to place; None before the first is the start, after the last nothing."""
        if other is None:
            return 0.0
        return math.dist(start if one is None else places[one], places[other])

    while _turn_a_part(way, near, step) or _move_a_part(way, step):
        pass
    return way


Step = Callable[[Key | None, Key | None], float]


def _turn_a_part(way: list[Key], near: Mapping[Key, Sequence[Key]], step: Step[Key]) -> bool:
    """Turn parts of the way around wherever that makes it shorter; return whether it did once."""
    turned = False
    at = {key: n for n, key in enumerate(way)}
    for key in list(way):
        for other in near[key]:
            i, j = sorted((at[key], at[other]))
            for first, last in ((i + 1, j), (i, j - 1)):  # so that the two places become neighbours
                if first >= last:
                    continue
                before = way[first - 1] if first else None
                after = way[last + 1] if last + 1 < len(way) else None
                now = step(before, way[first]) + step(way[last], after)
                if step(before, way[last]) + step(way[first], after) < now - 1e-9:
                    way[first : last + 1] = way[first : last + 1][::-1]
                    at.update((way[n], n) for n in range(first, last + 1))
                    turned = True
                    break
    return turned


def _move_a_part(way: list[Key], step: Step[Key]) -> bool:
    """Move one to three places to another part of the way where that makes it shorter; return whether it did."""
    for size in (1, 2, 3):
        for first in range(len(way) - size + 1):
            part, rest = way[first : first + size], way[:first] + way[first + size :]
            before = rest[first - 1] if first else None
            after = rest[first] if first < len(rest) else None
            saved = step(before, part[0]) + step(part[-1], after) - step(before, after)
            for n in range(len(rest) + 1):
                one, other = (rest[n - 1] if n else None), (rest[n] if n < len(rest) else None)
                for piece in (part, part[::-1]):
                    added = step(one, piece[0]) + step(piece[-1], other) - step(one, other)
                    if added < saved - 1e-9:
                        way[:] = rest[:n] + piece + rest[n:]
                        return True
    return False


def group_by_place(places: Mapping[Key, Place], sizes: Sequence[int], start: Place) -> list[list[Key]]:
    """Divide places into groups of given sizes so that each place is near its group's middle.

    It cuts a short way through all places into pieces, and then swaps places between groups until no swap makes the
    wires to the middles shorter.

    Args:
        places: key -> place.
        sizes: how many places each group has; together as many as there are places.
        start: where the way through all places begins.
    """
    way = short_way(places, start)
    groups, first = [], 0
    for size in sizes:
        groups.append(way[first : first + size])
        first += size
    best = math.inf
    while (now := sum(_to_middle(group, places) for group in groups)) < best - 1e-6:
        best = now
        _swap(groups, places)
    return groups


def _to_middle(group: Sequence[Key], places: Mapping[Key, Place]) -> float:
    """Return the squares of all wires from a group's middle to its places: a long wire counts more than two short."""
    centre = middle([places[key] for key in group])
    return sum(math.dist(centre, places[key]) ** 2 for key in group)


def _swap(groups: list[list[Key]], places: Mapping[Key, Place]) -> None:
    """Swap places of two groups wherever that makes the wires to the middles shorter."""
    for one in groups:
        for other in groups:
            if one is other or math.dist(middle([places[k] for k in one]), middle([places[k] for k in other])) > 250:
                continue
            for i in range(len(one)):
                for j in range(len(other)):
                    before = _to_middle(one, places) + _to_middle(other, places)
                    one[i], other[j] = other[j], one[i]
                    if _to_middle(one, places) + _to_middle(other, places) >= before - 1e-9:
                        one[i], other[j] = other[j], one[i]
