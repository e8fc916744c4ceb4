"""Read files for KiCad without the code that wrote them: the nets of a schematic and of copper."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

Node = list[Any]
Nets = dict[str, set[tuple[str, str]]]
"""Name of a net -> its pins: a component's name and the pin's number."""


def parse(text: str) -> Node:
    """Return the lists in a file of KiCad. Text in quotes is a word."""
    stack: list[Node] = [[]]
    for quoted, word, mark in re.findall(r'"((?:[^"\\]|\\.)*)"|([^\s()"]+)|([()])', text):
        if mark == "(":
            stack.append([])
        elif mark == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(quoted or word)
    (whole,) = stack[0]
    return list(whole)


def every(node: Node, name: str) -> Iterator[Node]:
    return (one for one in node if isinstance(one, list) and one and one[0] == name)


def one(node: Node, name: str) -> Node:
    (found,) = every(node, name)
    return found


def point(node: Node) -> tuple[float, float]:
    x, y = node[1:3]
    return round(float(x), 4), round(float(y), 4)


def fields(node: Node) -> dict[str, str]:
    return {field[1]: field[2] for field in every(node, "property")}


class Joined:
    """A set of things that are joined one by one, and the resulting groups."""

    def __init__(self) -> None:
        self._of: dict[Hashable, Hashable] = {}

    def find(self, thing: Hashable) -> Hashable:
        while self._of.setdefault(thing, thing) != thing:
            thing = self._of[thing]
        return thing

    def join(self, this: Hashable, that: Hashable) -> None:
        self._of[self.find(this)] = self.find(that)


def schematic_nets(text: str) -> Nets:
    """Return the nets of a schematic: things that meet in a point, are joined by a wire, or have the same name."""
    sheet, joined = parse(text), Joined()
    library = {symbol[1]: symbol for symbol in every(one(sheet, "lib_symbols"), "symbol")}
    pins: dict[tuple[str, str], tuple[float, float]] = {}
    names: dict[str, tuple[float, float]] = {}
    for symbol in every(sheet, "symbol"):
        of = library[one(symbol, "lib_id")[1]]
        x, y = point(one(symbol, "at"))
        ref, value = fields(symbol)["Reference"], fields(symbol)["Value"]
        for part in every(of, "symbol"):
            for pin in every(part, "pin"):
                dx, dy = point(one(pin, "at"))
                at = round(x + dx, 4), round(y - dy, 4)
                if list(every(of, "power")):
                    if value != "PWR_FLAG":
                        joined.join(at, names.setdefault(value, at))
                else:
                    pins[ref, one(pin, "number")[1]] = at
    for wire in every(sheet, "wire"):
        start, end = every(one(wire, "pts"), "xy")
        joined.join(point(start), point(end))
    for label in every(sheet, "label"):
        at = point(one(label, "at"))
        joined.join(at, names.setdefault(label[1], at))
    called = {joined.find(at): name for name, at in names.items()}
    assert len(called) == len(names), "two names for one net"
    crosses = {point(one(cross, "at")) for cross in every(sheet, "no_connect")}
    nets: Nets = defaultdict(set)
    for of_part, at in pins.items():
        if at in crosses:
            assert joined.find(at) == at, f"{of_part} has a cross and a wire"
        else:
            nets[called[joined.find(at)]].add(of_part)
    return dict(nets)


class Copper(NamedTuple):
    """Copper on some layers: a pad, a via or a track, as a line with round ends or as a rectangle."""

    net_name: str
    layers: frozenset[str]
    start: tuple[float, float]
    end: tuple[float, float]
    across: float
    down: float = 0.0

    def outline(self) -> Iterator[tuple[float, float]]:
        """Yield points of its middle line, or of its edge if it is a rectangle."""
        (x, y), (x2, y2) = self.start, self.end
        if self.down:
            for n in range(9):
                dx, dy = self.across / 2 * (n / 4 - 1), self.down / 2 * (n / 4 - 1)
                yield from ((x + dx, y - self.down / 2), (x + dx, y + self.down / 2))
                yield from ((x - self.across / 2, y + dy), (x + self.across / 2, y + dy))
        for n in range(33):
            yield x + (x2 - x) * n / 32, y + (y2 - y) * n / 32

    def gap(self, other: Copper) -> float:
        """Return the millimetres between two pieces of copper; 0 or less if they touch."""
        if self.down and not other.down:
            return other.gap(self)
        return min(other.distance(at) for at in self.outline()) - (0.0 if self.down else self.across / 2)

    def distance(self, at: tuple[float, float]) -> float:
        (x, y), (x1, y1), (x2, y2) = at, self.start, self.end
        if self.down:
            return math.hypot(max(0.0, abs(x - x1) - self.across / 2), max(0.0, abs(y - y1) - self.down / 2))
        length = math.dist(self.start, self.end)
        along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length if length else 0.0
        share = max(0.0, min(length, along)) / length if length else 0.0
        return math.dist(at, (x1 + share * (x2 - x1), y1 + share * (y2 - y1))) - self.across / 2


BOTH = frozenset({"F.Cu", "B.Cu"})


class WrittenBoard:
    """The content of a board's file: `pads` by component and pin, `copper`, and the size of its outline."""

    def __init__(self, text: str) -> None:
        self.board = parse(text)
        self.pads: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        self.nets: Nets = defaultdict(set)
        self.copper: list[Copper] = []
        self.bare_holes = 0
        numbers = {net[1]: net[2] if len(net) > 2 else "" for net in every(self.board, "net")}
        for footprint in every(self.board, "footprint"):
            x, y = point(one(footprint, "at"))
            ref = fields(footprint)["Reference"]
            for pad in every(footprint, "pad"):
                (dx, dy), (wide, high) = point(one(pad, "at")), point(one(pad, "size"))
                at, layers = (round(x + dx, 4), round(y + dy, 4)), one(pad, "layers")[1:]
                self.pads[ref, pad[1]].append(at)
                if not pad[1]:
                    self.bare_holes += 1
                else:
                    net = one(pad, "net")[2]
                    self.nets[net].add((ref, pad[1]))
                    on = BOTH if "*.Cu" in layers else BOTH & set(layers)
                    self.copper.append(Copper(net, on, at, at, wide, high if pad[3] == "rect" else 0.0))
        for segment in every(self.board, "segment"):
            ends = point(one(segment, "start")), point(one(segment, "end"))
            wide = float(one(segment, "width")[1])
            on = frozenset({one(segment, "layer")[1]})
            self.copper.append(Copper(numbers[one(segment, "net")[1]], on, *ends, wide))
        for via in every(self.board, "via"):
            at = point(one(via, "at"))
            self.copper.append(Copper(numbers[one(via, "net")[1]], BOTH, at, at, float(one(via, "size")[1])))
        edges = [point(one(line, end)) for line in every(self.board, "gr_line") for end in ("start", "end")]
        self.size = max(x for x, _ in edges), max(y for _, y in edges)

    def pieces(self, net: str) -> int:
        """Return into how many pieces the copper of a net falls."""
        mine, joined = [copper for copper in self.copper if copper.net_name == net], Joined()
        for this, that in combinations(mine, 2):
            if this.layers & that.layers and this.gap(that) <= 0:
                joined.join(this, that)
        return len({joined.find(copper) for copper in mine})

    def nearest(self) -> tuple[float, Copper, Copper]:
        """Return the two nearest pieces of copper of different nets, and their distance."""
        found = []
        for this, that in combinations(self.copper, 2):
            if this.net_name != that.net_name and this.layers & that.layers and _near(this, that):
                found.append((this.gap(that), this, that))
        return min(found)


def _near(this: Copper, that: Copper) -> bool:
    reach = (max(this.across, this.down) + max(that.across, that.down)) / 2 + 0.5
    return all(
        min(this.start[n], this.end[n]) - reach < max(that.start[n], that.end[n])
        and min(that.start[n], that.end[n]) - reach < max(this.start[n], this.end[n])
        for n in (0, 1)
    )
