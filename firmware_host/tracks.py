"""Where the lines of a map run on paper: side by side where they share a stretch, gently bent over their stations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from firmware_host.canvas import Point
from firmware_host.rules.network import Link, Network

Places = Mapping[int, Point]


@dataclass(frozen=True, slots=True)
class Track:
    """The way one link's line takes."""

    link: Link
    points: tuple[Point, ...]


def tracks(network: Network, places: Places, gap: float) -> list[Track]:
    """The track of every link, in the order of the links; `gap` is what lies between lines side by side.

    Boats follow the river. Taxis run straight; a bus or an underground line that shares a stretch with another
    transport keeps to its own side of it.
    """
    on_water = {(a, b): points for a, b, points in _reaches(network, places)}
    shared: dict[frozenset[int], set[str]] = {}
    for link in network.links:
        for stretch in _stretches(link):
            shared.setdefault(stretch, set()).add(link.transport)
    return [
        Track(link, on_water[link.a, link.b] if link.transport == "boat" else _beside(link, places, shared, gap))
        for link in network.links
    ]


def river(network: Network, places: Places, reach: float) -> list[tuple[Point, ...]]:
    """The banks' middle line, which the boats follow; each end runs on by `reach`, off the board."""
    found = []
    for course in _courses(network):
        points = [places[number] for number in course]
        first, last = _beyond(points[1], points[0], reach), _beyond(points[-2], points[-1], reach)
        middle = smooth(points)
        found.append((first, *middle, last))
    return found


def smooth(points: Sequence[Point], steps: int = 6) -> tuple[Point, ...]:
    """A soft curve through all the points (Catmull-Rom); two points stay a straight line."""
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


def bow(start: Point, end: Point, bulge: float, trim: float, steps: int = 14) -> tuple[Point, ...]:
    """A bent line between two points, bulging to its right by a share of its length, `trim` short of either end."""
    length = math.dist(start, end)
    side = _right(start, end)
    at = (
        (start[0] + end[0]) / 2 + side[0] * length * bulge * 2,
        (start[1] + end[1]) / 2 + side[1] * length * bulge * 2,
    )
    first = min(0.4, trim / length)
    curve = []
    for step in range(steps + 1):
        t = first + (1 - 2 * first) * step / steps
        x, y = (a * (1 - t) ** 2 + 2 * m * t * (1 - t) + b * t**2 for a, m, b in zip(start, at, end, strict=True))
        curve.append((x, y))
    return tuple(curve)


def _stretches(link: Link) -> list[frozenset[int]]:
    stops = (link.a, *link.via, link.b)
    return [frozenset(pair) for pair in zip(stops, stops[1:], strict=False)]


def _beside(
    link: Link, places: Places, shared: Mapping[frozenset[int], set[str]], gap: float
) -> tuple[Point, ...]:  # fmt: skip
    """Each stretch moved to the line's own side, the moved stretches joined by a curve."""
    stops = [places[number] for number in (link.a, *link.via, link.b)]
    moved: list[list[Point]] = [[] for _ in stops]
    for n, stretch in enumerate(_stretches(link)):
        side = _upper(stops[n], stops[n + 1])
        away = gap * _lane(link.transport, shared[stretch])
        for end in (n, n + 1):
            moved[end].append((stops[end][0] + side[0] * away, stops[end][1] + side[1] * away))
    middle = [(sum(x for x, _ in some) / len(some), sum(y for _, y in some) / len(some)) for some in moved]
    return smooth(middle)


def _lane(transport: str, company: set[str]) -> float:
    """How far from the middle of a shared stretch a transport runs: the taxi in the middle, if there is one."""
    others = company - {transport, "boat"}
    if transport == "taxi" or not others:
        return 0
    side = 1 if transport == "bus" else -1
    return side if "taxi" in others else side * 0.6


def _courses(network: Network) -> list[list[int]]:
    """The boat links as one way from mouth to source, where they are one; else each link for itself."""
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


def _reaches(network: Network, places: Places) -> list[tuple[int, int, tuple[Point, ...]]]:
    """The stretch of river of each boat link."""
    steps, found = 10, []
    for course in _courses(network):
        curve = smooth([places[number] for number in course], steps)
        for n, (a, b) in enumerate(zip(course, course[1:], strict=False)):
            part = curve if len(course) == 2 else curve[n * steps : (n + 1) * steps + 1]
            found.append((a, b, part) if a < b else (b, a, part[::-1]))
    return found


def _beyond(before: Point, point: Point, reach: float) -> Point:
    length = math.dist(before, point)
    return (
        point[0] + (point[0] - before[0]) / length * reach,
        point[1] + (point[1] - before[1]) / length * reach,
    )


def _right(start: Point, end: Point) -> Point:
    """One unit to the right of the way from start to end."""
    length = math.dist(start, end)
    return ((start[1] - end[1]) / length, (end[0] - start[0]) / length)


def _upper(start: Point, end: Point) -> Point:
    """One unit to the upper side of a stretch, in whichever direction it is run."""
    x, y = _right(start, end)
    return (x, y) if (y, x) < (0, 0) else (-x, -y)
