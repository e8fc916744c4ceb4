"""Route the tracks of a two-layer circuit board over a grid, each net by the shortest free way.

If a net finds no free way, the tracks that block it are removed and laid again later. Places that several nets want
become more expensive until all nets have a way. The same circuit always gets the same tracks.

All are numbers, row by row: a *point* is a crossing of the grid; a *node* is a point on one layer, the upper layer's
first; a *place* is a node for a track, or a point for a via. The vias' places are numbered after all nodes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from firmware_host.maker.circuit import VIA, VIA_HOLE, Circuit, CopperTrack, Pad
from firmware_host.maker.maker_errors import NoWay

GRID = 0.635
"""Millimetres between the grid's points: a quarter of the step from pin to pin."""
CLEARANCE = 0.3
"""Millimetres that tracks keep from other nets. Between the points of the grid a slanted track may be 0.1 mm nearer."""
EDGE = 0.5
"""Millimetres that tracks keep from the board's edge, which may be a V-cut."""
SIGNAL = 0.3
"""Width of a track in millimetres, unless the circuit gives another."""
_LAYERS = ("F.Cu", "B.Cu")
_HOLES_APART = 0.3
_VIA_COST = 8.0
_ACROSS = 1.7  # how much dearer a step is against the layer's direction: lengthwise above, upright below
_TRIES = 600
_HASTE = 1.3  # above 1 the search looks less around, and ways may become a little longer
_FIGHT = 60.0  # the cost of a step where another net's track would have to go away

_Point = tuple[float, float]


class _Thing:
    """A piece of copper or a hole, from which tracks must keep a distance."""

    def __init__(self, net: str, layers: Sequence[int], start: _Point, end: _Point, half: _Point, hole: float) -> None:
        self.net_name, self.layers, self.hole = net, layers, hole
        self.start, self.end, self.half = start, end, half

    def distance(self, point: _Point) -> float:
        """Return how many mm a point is from the edge of the thing, 0 or less inside it."""
        (x, y), (x1, y1), (x2, y2) = point, self.start, self.end
        length = (x2 - x1) ** 2 + (y2 - y1) ** 2
        along = max(0.0, min(1.0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length)) if length else 0.0
        dx, dy = abs(x - x1 - along * (x2 - x1)), abs(y - y1 - along * (y2 - y1))
        if self.half[1]:  # a rectangle
            return math.hypot(max(0.0, dx - self.half[0]), max(0.0, dy - self.half[1]))
        return math.hypot(dx, dy) - self.half[0]


def _of_pad(net: str, pad: Pad) -> _Thing:
    at = pad.x, pad.y
    half = (pad.width / 2, pad.height / 2 if pad.is_square else 0.0)
    return _Thing(net, (0, 1) if pad.drill else (0,), at, at, half, pad.drill)


def _of_track(track: CopperTrack) -> _Thing:
    if track.is_via:
        return _Thing(track.net_name, (0, 1), track.start, track.end, (VIA / 2, 0.0), VIA_HOLE)
    return _Thing(track.net_name, (_LAYERS.index(track.layer),), track.start, track.end, (track.width / 2, 0.0), 0)


class _Ways(NamedTuple):
    """Where the tracks and vias of a net can go.

    Attributes:
        tracks: for each node, 1 if a track can never be there.
        vias: for each point, 1 if a via can never be there.
        others: place -> nets whose tracks would have to make room.
        through: points where a pad of the net joins both layers.
    """

    tracks: bytearray
    vias: bytearray
    others: Mapping[int, set[str]]
    through: set[int]


def _places(way: Sequence[int], size: int) -> Iterator[int]:
    """Yield the places that a way takes up: its nodes, and those of its vias."""
    yield from way
    yield from (2 * size + one % size for one, other in pairwise(way) if one % size == other % size)


class _Board:
    """The grid of a circuit board, with everything on it and the tracks of each net so far."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.wide, self.high = (math.floor(size / GRID + 1e-6) + 1 for size in circuit.size)
        self.size = self.wide * self.high
        self.pads = [(net, _of_pad(net, pad)) for net, pad in circuit.pads()]
        self.fixed = [thing for _, thing in self.pads] + [_of_track(track) for track in circuit.tracks]
        self.laid: dict[str, list[tuple[CopperTrack, _Thing]]] = {}
        self.fought: defaultdict[int, float] = defaultdict(float)
        self._near: dict[tuple[_Thing, float], list[int]] = {}

    def point(self, node: int) -> _Point:
        """Return where a node of the grid is, in mm."""
        return node % self.wide * GRID, node // self.wide % self.high * GRID

    def near(self, thing: _Thing, reach: float) -> list[int]:
        """Return the points of the upper layer that are less than `reach` from a thing."""
        key = thing, round(reach, 3)
        if key not in self._near:
            more = reach + max(thing.half)
            columns, rows = (
                range(
                    max(0, math.ceil((min(one, other) - more) / GRID)),
                    min(count - 1, math.floor((max(one, other) + more) / GRID)) + 1,
                )
                for one, other, count in zip(thing.start, thing.end, (self.wide, self.high), strict=True)
            )
            self._near[key] = [
                row * self.wide + column
                for row in rows
                for column in columns
                if thing.distance((column * GRID, row * GRID)) < reach - 1e-6
            ]
        return self._near[key]

    def covered(self, thing: _Thing, reach: float) -> Iterator[int]:
        """Yield the nodes on a thing's own layers that are less than `reach` from it."""
        for layer in thing.layers:
            yield from (layer * self.size + node for node in self.near(thing, reach))

    def ways(self, net: str, width: float) -> _Ways:
        """Return where tracks and vias of a net cannot be, and where other nets would have to make room."""
        tracks, vias = bytearray(2 * self.size), bytearray(self.size)
        edge = math.ceil((EDGE + width / 2) / GRID)
        for row in range(self.high):
            inner = range(edge, self.wide - edge) if edge <= row < self.high - edge else ()
            for column in {*range(self.wide)}.difference(inner):
                node = row * self.wide + column
                tracks[node] = tracks[self.size + node] = vias[node] = 1
        for thing in self.fixed:
            if thing.net_name != net or not thing.net_name:
                for node in self.covered(thing, CLEARANCE + width / 2):
                    tracks[node] = 1
                for node in self.near(thing, CLEARANCE + VIA / 2):
                    vias[node] = 1
            elif thing.hole or thing.half[1]:  # no via in a pad: two holes would meet, or solder would run away
                for node in self.near(thing, _HOLES_APART + VIA_HOLE / 2):
                    vias[node] = 1
        others = self._others(width)
        through = {
            node % self.size for of, thing in self.pads if of == net and thing.hole for node in self.inside(thing)
        }
        return _Ways(tracks, vias, others, through)

    def _others(self, width: float) -> dict[int, set[str]]:
        """Return for each place the nets that would have to make room for another track or via."""
        others = defaultdict[int, set[str]](set)
        for other, laid in self.laid.items():
            for _, thing in laid:
                for node in self.covered(thing, CLEARANCE + width / 2):
                    others[node].add(other)
                for node in self.near(thing, CLEARANCE + VIA / 2):
                    others[2 * self.size + node].add(other)
        return others

    def inside(self, thing: _Thing) -> list[int]:
        """Return the nodes within a track, or the node nearest to a pad's middle, on each of its layers."""
        if thing.start == thing.end:
            x, y = thing.start
            points = [round(y / GRID) * self.wide + round(x / GRID)]
        else:
            points = self.near(thing, max(0.05, thing.half[0] / 2) - thing.half[0])
        return [layer * self.size + node for layer in thing.layers for node in points]

    def lay(self, net: str) -> set[str] | None:
        """Lay the tracks of a net. Return the nets that had to make room, or None if a pad cannot be reached."""
        width = self.circuit.widths.get(net, SIGNAL)
        ways = self.ways(net, width)
        left = [thing for thing in self.fixed if thing.net_name == net]
        tree = set(self.inside(left.pop()))
        mine: list[CopperTrack] = []
        gone: set[str] = set()
        far = dict.fromkeys(left, math.inf)
        new: Iterable[int] = tree
        while far:
            at = [self.point(node) for node in new]
            far = {one: min(before, *map(one.distance, at)) for one, before in far.items()}
            thing = min(far, key=far.__getitem__)
            del far[thing]
            way = self._way(tree, thing, ways)
            if way is None:
                return None
            new = {*self._joints(way), *self.inside(thing)}
            tree |= new
            mine += self._tracks(net, way, width, ways.through)
            end = self.point(way[-1])
            if len(way) > 1 and thing.start == thing.end and math.dist(end, thing.start) > 1e-6:
                mine.append(CopperTrack(net, end, thing.start, width, _LAYERS[way[-1] >= self.size]))
            for place in _places(way, self.size):
                if ways.others.get(place):
                    gone |= ways.others[place]
                    self.fought[place] += _FIGHT
        for other in gone:
            del self.laid[other]
        self.laid[net] = [(track, _of_track(track)) for track in mine]
        return gone

    def _way(self, tree: set[int], goal: _Thing, ways: _Ways) -> list[int] | None:
        """Return the cheapest way from a net's tracks to another pad or track of the net."""
        wide, high, others = self.wide, self.high, ways.others
        goals = {*self.inside(goal)}
        taken = bytearray(ways.tracks)  # whether a straight step cannot end there
        for node in goals:
            taken[node] = 0
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(goal.start, goal.end, strict=True))
        left, right, top, bottom = left / GRID, right / GRID, top / GRID, bottom / GRID
        columns = [max(left - x, x - right, 0.0) for x in range(wide)]  # how far each is from the goal
        rows = [max(top - y, y - bottom, 0.0) for y in range(high)]
        costs = dict.fromkeys(tree, 0.0)
        before: dict[int, int] = {}
        queue: list[tuple[float, int]] = []
        done: set[int] = set()

        def wait(node: int, cost: float) -> None:
            dx, dy = columns[node % wide], rows[node // wide % high]
            heappush(queue, (cost + _HASTE * (dx + 0.414 * dy if dx > dy else dy + 0.414 * dx), node))

        for node in sorted(tree):
            wait(node, 0.0)
        while queue:
            _, node = heappop(queue)
            if node in goals:
                way = [node]
                while way[-1] in before:
                    way.append(before[way[-1]])
                return way[::-1]
            if node in done:
                continue
            done.add(node)
            for to, more, place in self._steps(node, taken, ways):
                cost = costs[node] + more
                if place in others:
                    cost += (_FIGHT + self.fought[place]) * len(others[place])
                if cost < costs.get(to, math.inf) - 1e-9:
                    costs[to], before[to] = cost, node
                    wait(to, cost)
        return None

    def _steps(self, node: int, taken: bytearray, ways: _Ways) -> Iterator[tuple[int, float, int]]:
        """Yield how a track can go on from a node: the next node, the cost, and the place that it takes."""
        wide, size = self.wide, self.size
        tracks, vias, others, through = ways
        flat, upright = (_ACROSS, 1.0) if node >= size else (1.0, _ACROSS)
        beside = [by for by in (-1, 1) if not taken[node + by]]
        ends = [down for down in (-wide, wide) if not taken[node + down]]
        for by in beside:
            yield node + by, flat, node + by
        for down in ends:
            yield node + down, upright, node + down
            for by in beside:
                to = node + by + down
                if not tracks[to] and node + by not in others and node + down not in others:
                    yield to, 0.707 * (1 + _ACROSS), to
        other_side = (node + size) % (2 * size)
        if node % size in through:
            yield other_side, 0.01, other_side
        elif not vias[node % size] and not tracks[other_side]:
            yield other_side, _VIA_COST, 2 * size + node % size

    def _joints(self, way: Sequence[int]) -> Iterator[int]:
        """Yield the nodes of a way that other tracks may join: all except those within a slanted piece."""
        steps = [0, *(abs(other - one) not in {1, self.wide, self.size} for one, other in pairwise(way)), 0]
        yield from (node for node, before, after in zip(way, steps, steps[1:], strict=False) if not (before and after))

    def _tracks(self, net: str, way: Sequence[int], width: float, through: set[int]) -> Iterator[CopperTrack]:
        """Yield the tracks and vias along a way, each straight stretch as one piece."""
        size, start = self.size, way[0]
        for n, (one, other) in enumerate(pairwise(way)):
            if other % size == one % size:
                if one % size not in through:
                    yield CopperTrack(net, self.point(one), self.point(one), VIA, "")
                start = other
            elif n + 2 == len(way) or way[n + 2] - other != other - one:
                yield CopperTrack(net, self.point(start), self.point(other), width, _LAYERS[one >= size])
                start = other


def route(circuit: Circuit) -> tuple[CopperTrack, ...]:
    """Return the copper of a circuit board: its own tracks, and those that join all pads of each net.

    Raises:
        NoWay: the router finds no way for some net.
    """
    ends = defaultdict[str, list[_Point]](list)
    for net, pad in circuit.pads():
        if pad.number:
            ends[net].append((pad.x, pad.y))
    waiting = sorted((net for net, pads in ends.items() if len(pads) > 1), key=lambda net: (_spread(ends[net]), net))
    board = _Board(circuit)
    for _ in range(_TRIES):
        if not waiting:
            return (*circuit.tracks, *(track for net in ends for track, _ in board.laid.get(net, ())))
        net = waiting.pop(0)
        gone = board.lay(net)
        if gone is None:
            break
        waiting += sorted(gone)
    raise NoWay(f"{circuit.title}: there is no room for the tracks of {net}; place its components further apart")


def _spread(points: Iterable[_Point]) -> float:
    xs, ys = zip(*points, strict=True)
    return float(max(xs) - min(xs) + max(ys) - min(ys))
