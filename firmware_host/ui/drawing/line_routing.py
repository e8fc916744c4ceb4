"""Route the lines of a map on paper: side by side where they share a stretch, in gentle bends at stations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from firmware_host.rules.network import TRANSPORTS, Link, Network

Point: TypeAlias = tuple[float, float]
Places: TypeAlias = Mapping[int, Point]


@dataclass(frozen=True, slots=True)
class Track:
    """The drawn line of one link."""

    link: Link
    points: tuple[Point, ...]


def tracks(network: Network, places: Places, gap: float) -> list[Track]:
    """Return the drawn line of each link, in the order of the links.

    `gap` is the distance between lines side by side.

    Boats follow the river. Taxis run straight; a bus or an underground line that shares a stretch with another
    transport runs beside it.
    """
    on_water = {(a, b): points for a, b, points in _river_stretches(network, places)}
    lanes = _Lanes(network, places)
    found = {}
    for link in sorted(network.links, key=lambda link: (-TRANSPORTS.index(link.transport), -len(link.via))):
        found[link] = on_water[link.a, link.b] if link.transport == "boat" else lanes.beside(link, gap)
    return [Track(link, found[link]) for link in network.links]


def river(network: Network, places: Places, reach: float) -> list[tuple[Point, ...]]:
    """Return the centre lines of the river, along the boat links and `reach` beyond the last station at each end."""
    return [flow([places[number] for number in course], reach) for course in _river_courses(network)]


def flow(points: Sequence[Point], reach: float) -> tuple[Point, ...]:
    """Return a smooth centre line of a river through these points, extended at both ends by `reach`."""
    first, last = _extend(points[1], points[0], reach), _extend(points[-2], points[-1], reach)
    return (first, *smooth(points), last)


def smooth(points: Sequence[Point], steps: int = 6) -> tuple[Point, ...]:
    """Return a smooth curve through all the points (Catmull-Rom). Two points give a straight line."""
    if len(points) < 3:
        return tuple(points)
    ends = [points[0], *points, points[-1]]
    curve = [points[0]]
    for p0, p1, p2, p3 in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(1, steps + 1):
            t = step / steps
            x, y = (
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
                for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
            )
            curve.append((x, y))
    return tuple(curve)


def bow(start: Point, end: Point, bulge: float, trim: float) -> tuple[Point, ...]:
    """Return a line bent into an arc to its right, shortened by `trim` at each end.

    The bend is given as a share of the line's length.
    """
    length = math.dist(start, end)
    side = _unit_right(start, end)
    at = (
        (start[0] + end[0]) / 2 + side[0] * length * bulge * 2,
        (start[1] + end[1]) / 2 + side[1] * length * bulge * 2,
    )
    first, steps = min(0.4, trim / length), 14
    curve = []
    for step in range(steps + 1):
        t = first + (1 - 2 * first) * step / steps
        x, y = (a * (1 - t) ** 2 + 2 * m * t * (1 - t) + b * t**2 for a, m, b in zip(start, at, end, strict=True))
        curve.append((x, y))
    return tuple(curve)


class _Lanes:
    """The sides on which lines run: each line keeps one side of the middle, if possible without another transport."""

    def __init__(self, network: Network, places: Places) -> None:
        self._places = places
        self._company: dict[frozenset[int], set[str]] = {}
        self._taken: dict[tuple[int, int], str] = {}  # the right side of the stretch from one station to the next
        for link in network.links:
            for a, b in _stretches(link):
                self._company.setdefault(frozenset((a, b)), set()).add(link.transport)

    def beside(self, link: Link, gap: float) -> tuple[Point, ...]:
        """Return a link's line, shifted to its side of every stretch, with bends between the stretches."""
        stretches = _stretches(link)
        side = self._side(link.transport, stretches)
        stops = [self._places[number] for number in (link.a, *link.via, link.b)]
        moved: list[list[Point]] = [[] for _ in stops]
        bends = []
        for n, (a, b) in enumerate(stretches):
            self._taken.setdefault((a, b) if side > 0 else (b, a), link.transport)
            lane = self._lane(link.transport, a, b)
            away, (x, y) = gap * lane * side, _unit_right(stops[n], stops[n + 1])
            for end in (n, n + 1):
                moved[end].append((stops[end][0] + x * away, stops[end][1] + y * away))
            # Beside another line it stays straight up to the plate; alone it may turn slowly.
            bends.append(gap * 3 if lane else gap * 9)
        middle = [(sum(x for x, _ in some) / len(some), sum(y for _, y in some) / len(some)) for some in moved]
        return _round_corners(middle, bends)

    def _side(self, transport: str, stretches: Sequence[tuple[int, int]]) -> int:
        """Return the side with fewer foreign lines and more of its own: 1 right, -1 left, or 0 for a taxi."""

        def merit(side: int) -> tuple[int, int, float]:
            there = [self._taken.get(way if side > 0 else way[::-1]) for way in stretches]
            strangers = sum(other not in (None, transport) for other in there)
            rightward = sum(_unit_right(self._places[a], self._places[b])[1] for a, b in stretches)
            return -strangers, there.count(transport), -rightward * side  # all else equal, the upper side

        return 0 if transport == "taxi" else max((1, -1), key=merit)

    def _lane(self, transport: str, a: int, b: int) -> float:
        """Return how far from the middle of a stretch a transport's line is. Taxi lines are in the middle."""
        others = self._company[frozenset((a, b))] - {transport, "boat"}
        if transport == "taxi" or not others:
            return 0
        return 1 if "taxi" in others else 0.6


def _stretches(link: Link) -> list[tuple[int, int]]:
    stops = (link.a, *link.via, link.b)
    return list(pairwise(stops))


def _round_corners(points: Sequence[Point], bends: Sequence[float]) -> tuple[Point, ...]:
    """Return a line with round corners.

    `bends` has for each segment the distance from its corners at which bends begin and end.
    """
    line, steps = [points[0]], 5
    for n in range(1, len(points) - 1):
        corner = points[n]
        start = _towards(corner, points[n - 1], bends[n - 1])
        end = _towards(corner, points[n + 1], bends[n])
        for step in range(steps + 1):
            t = step / steps
            x, y = (
                a * (1 - t) ** 2 + 2 * m * t * (1 - t) + b * t**2 for a, m, b in zip(start, corner, end, strict=True)
            )
            line.append((x, y))
    return (*line, points[-1])


def _towards(point: Point, other: Point, way: float) -> Point:
    """Return the point at a distance from one point towards another, at most half-way."""
    share = min(0.5, way / math.dist(point, other))
    return (point[0] + (other[0] - point[0]) * share, point[1] + (other[1] - point[1]) * share)


def _river_courses(network: Network) -> list[list[int]]:
    """Return the boat links joined to one course from end to end if possible, else one course each."""
    links = [(link.a, link.b) for link in network.links if link.transport == "boat"]
    around: dict[int, list[int]] = {}
    for a, b in links:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    course = [number for number, near in sorted(around.items()) if len(near) == 1][:1]
    while course:
        onward = [number for number in around[course[-1]] if number not in course]
        if len(onward) != 1:
            break
        course.append(onward[0])
    return [course] if links and len(course) == len(links) + 1 else [[a, b] for a, b in links]


def _river_stretches(network: Network, places: Places) -> list[tuple[int, int, tuple[Point, ...]]]:
    """Return the stretch of river that belongs to each boat link."""
    steps, found = 10, []
    for course in _river_courses(network):
        curve = smooth([places[number] for number in course], steps)
        for n, (a, b) in enumerate(pairwise(course)):
            part = curve if len(course) == 2 else curve[n * steps : (n + 1) * steps + 1]
            found.append((a, b, part) if a < b else (b, a, part[::-1]))
    return found


def _extend(before: Point, point: Point, reach: float) -> Point:
    length = math.dist(before, point)
    return (
        point[0] + (point[0] - before[0]) / length * reach,
        point[1] + (point[1] - before[1]) / length * reach,
    )


def _unit_right(start: Point, end: Point) -> Point:
    """Return the vector of length 1 to the right of the direction from start to end."""
    length = math.dist(start, end)
    return ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
