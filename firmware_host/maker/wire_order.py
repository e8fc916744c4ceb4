"""Find orders that keep a board's wires short: which reeds share a chip, and how each chain runs.

On London, stations with near numbers can be far apart, so wires in the order of the numbers would cross the board again
and again. Here eight reeds that are near each other share a chip, and each chain goes on to a near place. A board
always gets the same order. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import TypeVar

Place = tuple[float, float]
Key = TypeVar("Key", int, str)

_NEIGHBOURS = 12  # how many of the nearest places are tried as the next one
_GROUPS = 6  # and of the groups, for an exchange


def length(way: Sequence[Place]) -> float:
    """Return the length of a way through all its places, in the unit of the places."""
    return sum(math.dist(one, other) for one, other in pairwise(way))


def middle(places: Sequence[Place]) -> Place:
    """Return the middle of several places."""
    xs, ys = zip(*places, strict=True)
    return sum(xs) / len(places), sum(ys) / len(places)


def short_way(places: Mapping[Key, Place], start: Place) -> list[Key]:
    """Return a short way for a chain through all places, which begins near `start`.

    The way first goes from each place to the nearest place that it has not reached yet. Then the function reverses and
    moves parts of the way until this makes it no shorter (2-opt and or-opt).
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

    away: _Distances[Key] = {
        key: {other: math.dist(place, places[other]) for other in places} | {None: 0.0} for key, place in places.items()
    }
    away[None] = {key: math.dist(start, place) for key, place in places.items()} | {None: 0.0}

    while _turn_a_part(way, near, away) or _move_a_part(way, away):
        pass
    return way


_Distances = dict[Key | None, dict[Key | None, float]]
"""Distances from place to place. None is the way's start as the first key, and its open end (0.0) as the second."""


def _turn_a_part(way: list[Key], near: Mapping[Key, Sequence[Key]], away: _Distances[Key]) -> bool:
    """Reverse parts of the way wherever that makes the way shorter. Return whether any part was reversed."""
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
                now = away[before][way[first]] + away[way[last]][after]
                if away[before][way[last]] + away[way[first]][after] < now - 1e-9:
                    way[first : last + 1] = way[first : last + 1][::-1]
                    at.update((way[n], n) for n in range(first, last + 1))
                    turned = True
                    break
    return turned


def _move_a_part(way: list[Key], away: _Distances[Key]) -> bool:
    """Move one to three places to another position where that makes the way shorter. Return whether any moved."""
    for size in (1, 2, 3):
        for first in range(len(way) - size + 1):
            part, rest = way[first : first + size], way[:first] + way[first + size :]
            before = rest[first - 1] if first else None
            after = rest[first] if first < len(rest) else None
            head, tail = part[0], part[-1]
            saved = away[before][head] + away[tail][after] - away[before][after]
            from_head, from_tail = away[head], away[tail]
            for n in range(len(rest) + 1):
                other = rest[n] if n < len(rest) else None
                to = away[rest[n - 1] if n else None]
                gap = to[other]
                if to[head] + from_tail[other] - gap < saved - 1e-9:
                    way[:] = rest[:n] + part + rest[n:]
                    return True
                if to[tail] + from_head[other] - gap < saved - 1e-9:
                    way[:] = rest[:n] + part[::-1] + rest[n:]
                    return True
    return False


def group_by_place(places: Mapping[Key, Place], sizes: Sequence[int], start: Place) -> list[list[Key]]:
    """Divide places into groups of the given sizes, so that each place is near its group's middle.

    The function cuts a short way through all places into pieces. Then two or three groups exchange one place each, as
    long as that shortens the wires to the groups' middles. Further exchanges shorten the longest wire. Groups of the
    same size are in the order of a short way through their middles.

    Args:
        places: key -> place.
        sizes: how many places each group has; their sum is the number of all places.
        start: where the way through all places begins.
    """
    way = short_way(places, start)
    groups, first = [], 0
    for size in sizes:
        groups.append(way[first : first + size])
        first += size
    _shorten_all(groups, places)
    _shorten_the_longest(groups, places)
    middles = {n: middle([places[key] for key in group]) for n, group in enumerate(groups)}
    in_order = [groups[n] for n in short_way(middles, start)]
    return [in_order.pop(next(n for n, group in enumerate(in_order) if len(group) == size)) for size in sizes]


def _rings(groups: Sequence[Sequence[Key]], places: Mapping[Key, Place], most: int = 3) -> list[tuple[int, ...]]:
    """Return the rings of two or three near groups. In a ring, each group may give a place to the next group.

    Args:
        groups: the groups; a ring is a sequence of their numbers.
        places: key -> place.
        most: how many groups a ring may have.
    """
    middles = [middle([places[key] for key in group]) for group in groups]
    near = {
        n: sorted(range(len(groups)), key=lambda other: (other != n, math.dist(here, middles[other])))[1 : _GROUPS + 1]
        for n, here in enumerate(middles)
    }
    pairs: list[tuple[int, int]] = [(one, other) for one in near for other in near[one]]
    found: list[tuple[int, ...]] = [*pairs]
    if most > 2:
        found += [(one, other, third) for one, other in pairs for third in near[other] if third != one]
    return list(dict.fromkeys(_turned(ring, min(ring)) for ring in found))


def _turned(ring: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return the same ring, starting at its group `first`."""
    at = ring.index(first)
    return ring[at:] + ring[:at]


def _shorten_all(groups: list[list[Key]], places: Mapping[Key, Place]) -> None:
    """Exchange places between groups until the sum of the squares of all wires' lengths gets no smaller.

    This sum is the sum of the squares of the places, minus, for each group, the square of its sum of places divided by
    its size. So only the groups' sums count. A group's gain depends only on the place it gives and the place it gets.
    """

    def gains(n: int, others: Iterable[Key]) -> dict[tuple[Key, Key], float]:
        x, y = (sum(places[key][axis] for key in groups[n]) for axis in (0, 1))
        found = {}
        for out, new in product(groups[n], others):
            dx, dy = places[new][0] - places[out][0], places[new][1] - places[out][1]
            found[out, new] = (dx * dx + dy * dy + 2 * (x * dx + y * dy)) / len(groups[n])
        return found

    settled = set[tuple[tuple[Key, ...], ...]]()  # groups that had nothing to gain from each other
    for most in (2, 3):
        changed = True
        while changed:
            changed = False
            for ring in _rings(groups, places, most):
                members = tuple(tuple(groups[n]) for n in ring)
                if members in settled:
                    continue
                given, gained = _best([gains(n, groups[ring[m - 1]]) for m, n in enumerate(ring)], groups, ring)
                if gained > 1e-6:
                    _exchange(groups, ring, given)
                    changed = True
                else:
                    settled.add(members)


def _best(
    gains: Sequence[Mapping[tuple[Key, Key], float]], groups: Sequence[Sequence[Key]], ring: Sequence[int]
) -> tuple[tuple[Key, ...], float]:
    """Return the exchange of places in a ring by which the groups gain most, and that gain."""

    def gained(given: tuple[Key, ...]) -> float:
        total, before = 0.0, given[-1]
        for table, key in zip(gains, given, strict=True):
            total += table[key, before]
            before = key
        return total

    given = max(product(*(groups[n] for n in ring)), key=gained)
    return given, gained(given)


def _shorten_the_longest(groups: list[list[Key]], places: Mapping[Key, Place]) -> None:
    """Exchange places between groups as long as the longest wire becomes shorter."""
    while True:
        longest = [max(_wires(group, places)) for group in groups]
        worst = longest.index(max(longest))
        found = [
            (added, ring, given)
            for ring in (_turned(ring, worst) for ring in _rings(groups, places) if worst in ring)
            for added, given in _exchanges_below(longest[worst] - 0.5, [groups[n] for n in ring], places)
        ]
        if not found:
            return
        _, ring, given = min(found, key=lambda one: one[0])
        _exchange(groups, ring, given)


def _exchanges_below(
    most: float, groups: Sequence[list[Key]], places: Mapping[Key, Place]
) -> Iterator[tuple[float, tuple[Key, ...]]]:
    """Yield the exchanges in a ring after which all its wires are shorter than `most` mm.

    Each is a pair: by how much the sum of the squared lengths of wires grows, and the places that the groups give.
    """
    before = sum(wire * wire for group in groups for wire in _wires(group, places))
    for out, new in product(groups[0], groups[-1]):
        if max(_wires([new if key == out else key for key in groups[0]], places)) >= most:
            continue
        for given in product([out], *groups[1:-1], [new]):
            tried = [list(group) for group in groups]
            _exchange(tried, range(len(groups)), given)
            found = [wire for group in tried for wire in _wires(group, places)]
            if max(found) < most:
                yield sum(wire * wire for wire in found) - before, given


def _wires(group: Sequence[Key], places: Mapping[Key, Place]) -> list[float]:
    """Return the lengths of the wires from a group's middle to its places."""
    centre = middle([places[key] for key in group])
    return [math.dist(centre, places[key]) for key in group]


def _exchange(groups: list[list[Key]], ring: Sequence[int], given: Sequence[Key]) -> None:
    """Let each group of a ring give one place to the next group."""
    for m, (n, key) in enumerate(zip(ring, given, strict=True)):
        groups[n][groups[n].index(key)] = given[m - 1]
