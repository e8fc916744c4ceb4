"""Stations and the links between them: a map, checked and ready to be asked.

A map comes as plain data (see `config/maps/`). Every station lists its links itself, so each link stands
twice, once at either end; a slip of the pen at one end is found because the other end does not agree.
"""

from __future__ import annotations

import hashlib
import math
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from firmware_host.rules.errors import BadMap, BadSetup

TRANSPORTS = ("taxi", "bus", "underground", "boat")
"""The transports a link can have, in the order of tickets; only a black ticket pays for a boat."""

COLOURS = ("red", "yellow", "green", "blue", "purple", "white", "black")
"""The colours of pawns for which a map can mark a start (JU-03)."""

_NUMBER = re.compile(r"[1-9][0-9]{0,4}")
_LINK = re.compile(r"(\S+) ([1-9][0-9]{0,4})-([1-9][0-9]{0,4})")


PAWN = 0.03
"""A pawn's width, as a share of the board's width."""


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """Joins two stations, `a < b`, by one transport; `via`: stations its line runs over, from a to b."""

    a: int
    b: int
    transport: str
    via: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.transport} {self.a}-{self.b}"


@dataclass(frozen=True, slots=True)
class Station:
    """A numbered place. `x` and `y` run from 0 to 1 over the board's width and height, `y` downwards."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Network:
    """A whole map. Two networks are the same only if they are one object.

    Attributes:
        name: the map's short name, such as "london".
        title: what it is, for people.
        aspect: width of the board divided by its height.
        start_cards: the stations of the start cards (CL-04).
        stations: number -> station, in the order of the file.
        links: every link, sorted.
        starts: pawn's colour -> its marked start; empty where a map marks none (JU-03).
        river: the points that its river flows through, each [x, y] like a station's; empty where it has none, or
            where the boats show well enough how it flows.
    """

    name: str
    title: str
    aspect: float
    start_cards: tuple[int, ...]
    stations: Mapping[int, Station] = field(repr=False)
    links: tuple[Link, ...] = field(repr=False)
    starts: Mapping[str, int] = field(default_factory=dict)
    river: tuple[tuple[float, float], ...] = field(default=(), repr=False)
    _rows: Mapping[int, Mapping[int, tuple[str, ...]]] = field(init=False, repr=False)
    _vias: Mapping[tuple[int, int, str], tuple[int, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        around: dict[int, dict[int, set[str]]] = {number: {} for number in self.stations}
        for link in self.links:
            around[link.a].setdefault(link.b, set()).add(link.transport)
            around[link.b].setdefault(link.a, set()).add(link.transport)
        rows = {
            number: {to: tuple(t for t in TRANSPORTS if t in found) for to, found in sorted(row.items())}
            for number, row in around.items()
        }
        object.__setattr__(self, "_rows", rows)
        object.__setattr__(self, "_vias", {(link.a, link.b, link.transport): link.via for link in self.links})

    @property
    def board(self) -> Network:
        """The spots of the board as it is wired: a printed map is its own."""
        return self

    def laid(self, layout: str = "") -> Network:
        """The network of one game: of a printed map, always this one.

        Raises:
            BadSetup: a layout was given.
        """
        if layout:
            raise BadSetup(f"layout: {self.name} is a printed map and needs none")
        return self

    def around(self, station: int) -> Mapping[int, tuple[str, ...]]:
        """The neighbours of a station: number -> what leads there, in the order of `TRANSPORTS`."""
        return self._rows[station]

    def lies_between(self, station: int, start: int, end: int) -> bool:
        """Whether a station lies on the straight way between two others, or within a pawn's width of it.

        A pawn's width is 3 % of the board's width here. Pure.
        """
        x, y = self._point(station)
        (ax, ay), (bx, by) = self._point(start), self._point(end)
        dx, dy = bx - ax, by - ay
        share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1.0)
        return 0 < share < 1 and math.dist((x, y), (ax + share * dx, ay + share * dy)) <= PAWN

    def _point(self, station: int) -> tuple[float, float]:
        """Where a station lies, in widths of the board."""
        place = self.stations[station]
        return place.x, place.y / self.aspect

    @property
    def digest(self) -> str:
        """Sixteen characters that differ between maps with other stations, links or starts, whatever their names."""
        content: tuple[object, ...] = (sorted(self.stations), self.links)
        if self.starts:  # left out where there are none, for the journals of older maps
            content = (*content, sorted(self.starts.items()))
        return hashlib.sha256(repr(content).encode()).hexdigest()[:16]

    def via(self, start: int, end: int, transport: str) -> tuple[int, ...]:
        """The stations that a link's line runs over; empty if it runs over none, or there is no such link."""
        return self._vias.get((min(start, end), max(start, end), transport), ())

    def transports(self, station: int) -> tuple[str, ...]:
        """The transports that stop at a station, in the order of `TRANSPORTS`."""
        found = {t for row in self.around(station).values() for t in row}
        return tuple(t for t in TRANSPORTS if t in found)

    def changed(self, *, add: Iterable[Link] = (), remove: Iterable[Link] = ()) -> Network:
        """The map with single links added and removed (ED-02).

        What is removed goes first, so that a link can be replaced.

        Raises:
            BadMap: a link to add is there already, one to remove is not, or the outcome is no good map; one line
                for each such reason.
        """
        links = {(link.a, link.b, link.transport): link for link in self.links}
        problems = []
        for link in remove:
            if links.pop((link.a, link.b, link.transport), None) is None:
                there = ", ".join(str(other) for other in self.links if link.a in (other.a, other.b)) or "none"
                problems.append(f"cannot remove {link}: there is no such link; at station {link.a}: {there}")
        for link in add:
            if (link.a, link.b, link.transport) in links:
                problems.append(f"cannot add {link}: it is there already")
            links[link.a, link.b, link.transport] = link
        problems += problems_of_links(self.stations, list(links.values()))
        if problems:
            raise BadMap("\n".join(f"{self.name}: {problem}" for problem in problems))
        return replace(self, links=tuple(sorted(links.values())))


def parse_link(text: str) -> Link:
    """The link written as "taxi 13-14".

    Raises:
        BadMap: it is not written so, or the transport is unknown.
    """
    match = _LINK.fullmatch(text)
    if match is None:
        raise BadMap(f"link {shown(text)}: write it as a transport and two stations, such as 'taxi 13-14'")
    transport = match[1]
    if transport not in TRANSPORTS:
        known = ", ".join(TRANSPORTS)
        raise BadMap(f"link {shown(text)}: unknown transport {shown(transport)}; known are {known}")
    first, second = sorted((int(match[2]), int(match[3])))
    return Link(first, second, transport)


def shown(value: object) -> str:
    """A value for a message, shortened where it is long or deep."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to write out whole numbers of thousands of digits
        return "a number of thousands of digits"


_MOST_TOLD = 10


def told(source: str, problems: Sequence[str]) -> str:
    """A message of what is wrong with a file or a map: a line for each of the first ten, each with its name."""
    lines = list(problems[:_MOST_TOLD])
    if len(problems) > len(lines):
        lines.append(f"and {len(problems) - len(lines)} more")
    return "\n".join(f"{source}: {line}" for line in lines)


def problems_of_links(stations: Mapping[int, Station], links: list[Link]) -> list[str]:
    """What is wrong with the links as a whole: unknown ends, isolated stations, a map in pieces."""
    problems = []
    for link in links:
        ends = (link.a, link.b)
        problems += [f"{link}: there is no station {end}" for end in ends if end not in stations]
        if link.a == link.b:
            problems.append(f"{link}: leads to itself")
    if problems:
        return problems
    if not stations:
        return ["stations: there are none"]
    around: dict[int, set[int]] = {number: set() for number in stations}
    for link in links:
        around[link.a].add(link.b)
        around[link.b].add(link.a)
    lonely = [number for number, near in around.items() if not near]
    if lonely:
        return [f"station {number}: is isolated: no link leads there" for number in lonely]
    first = next(iter(stations))
    apart = set(stations) - _reachable(around, first)
    if apart:
        return [f"station {min(apart)}: is cut off from station {first}: the map is in pieces"]
    return []


def _reachable(around: Mapping[int, set[int]], start: int) -> set[int]:
    reached: set[int] = set()
    edge = [start]
    while edge:
        number = edge.pop()
        if number not in reached:
            reached.add(number)
            edge.extend(around[number] - reached)
    return reached
