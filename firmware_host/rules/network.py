"""Define a map: its stations and the links between them, checked and prepared for queries.

A map comes as plain data (see `config/maps/`). Every station lists its own links, so each link is given twice, once at
each end, and a mistake at one end contradicts the other.
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
"""The transports of links, in the order of tickets. Only a black ticket or a junior boat ticket pays for a boat."""

COLOURS = ("red", "yellow", "green", "blue", "purple", "white", "black")
"""The pawn colours for which a map can mark a start (JU-03)."""

_LINK = re.compile(r"(\S+) ([1-9][0-9]{0,4})-([1-9][0-9]{0,4})")
_NEARLY = re.compile(r"\s*(\S+)\s+([1-9][0-9]{0,4})\s*[-\u2010-\u2015\u2212]\s*([1-9][0-9]{0,4})\s*")
"""A link with too many spaces, or with a dash."""


PAWN = 0.03
"""A pawn's width, as a share of the board's width."""


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """A link between stations `a < b` by one transport. `via` lists the stations that its printed line passes."""

    a: int
    b: int
    transport: str
    via: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.transport} {self.a}-{self.b}"


@dataclass(frozen=True, slots=True)
class Station:
    """A numbered station. `x` and `y` run from 0 to 1 over the board's width and height, `y` downwards.

    Its `name` is printed on the board; "" if it has none.
    """

    number: int
    x: float
    y: float
    name: str = ""


@dataclass(frozen=True, eq=False)
class Network:
    """A whole map. Two maps are equal only if they are the same object.

    Attributes:
        name: the map's short name, such as "london".
        title: the title, for people.
        aspect: width of the board divided by its height.
        start_cards: the stations of the start cards (CL-04).
        stations: number -> station, in the order of the file.
        links: every link, sorted.
        starts: pawn's colour -> its marked start; empty if a map marks none (JU-03).
        river: the points of the river, each [x, y] like a station's; empty without a river, or if boat links show its
            course.
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
        """The map of the wired board: this map itself, because it is printed on the board."""
        return self

    @property
    def to_lay(self) -> str:
        """The letters of the tiles to lay: always "", because a printed map has no tiles."""
        return ""

    def lay_tiles(self, layout: str = "") -> Network:
        """Return the network of a game: this map, because nothing is laid on it.

        Raises:
            BadSetup: a layout was given.
        """
        if layout:
            raise BadSetup(f"layout: {self.name} is a printed map and needs none; leave layout out")
        return self

    def around(self, station: int) -> Mapping[int, tuple[str, ...]]:
        """Return a station's neighbours: number -> transports there, in the order of `TRANSPORTS`."""
        return self._rows[station]

    def lies_between(self, station: int, start: int, end: int) -> bool:
        """Return whether a station is on the straight line between two others, or within a pawn's width of it."""
        x, y = self._point(station)
        (ax, ay), (bx, by) = self._point(start), self._point(end)
        dx, dy = bx - ax, by - ay
        share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1.0)
        return 0 < share < 1 and math.dist((x, y), (ax + share * dx, ay + share * dy)) <= PAWN

    def _point(self, station: int) -> tuple[float, float]:
        """Return a station's position in units of the board's width."""
        place = self.stations[station]
        return place.x, place.y / self.aspect

    @property
    def digest(self) -> str:
        """Sixteen characters that identify the map's stations, links and starts."""
        content: tuple[object, ...] = (sorted(self.stations), self.links)
        if self.starts:  # omitted if empty, so that older journals still match
            content = (*content, sorted(self.starts.items()))
        return digest_of(content)

    def via(self, start: int, end: int, transport: str) -> tuple[int, ...]:
        """Return the stations that a link's line passes. Empty if it passes none or does not exist."""
        return self._vias.get((min(start, end), max(start, end), transport), ())

    def transports(self, station: int) -> tuple[str, ...]:
        """Return the transports that stop at a station, in the order of `TRANSPORTS`."""
        found = {t for row in self.around(station).values() for t in row}
        return tuple(t for t in TRANSPORTS if t in found)

    def changed(self, *, add: Iterable[Link] = (), remove: Iterable[Link] = ()) -> Network:
        """Return a copy of the map with single links added and removed (ED-02).

        Links are removed first, so that one can be replaced.

        Raises:
            BadMap: a link to add exists already, one to remove does not, or the result is not a valid map; a line for
                each reason.
        """
        links = {(link.a, link.b, link.transport): link for link in self.links}
        problems = []
        for link in remove:
            if links.pop((link.a, link.b, link.transport), None) is None:
                known = ", ".join(str(other) for other in self.links if link.a in (other.a, other.b)) or "none"
                problems.append(f"cannot remove {link}: there is no such link; links at station {link.a} are {known}")
        for link in add:
            if (link.a, link.b, link.transport) in links:
                problems.append(f"cannot add {link}: it exists already; take it out of add")
            links[link.a, link.b, link.transport] = link
        problems += problems_of_links(self.stations, list(links.values()))
        if problems:
            raise BadMap("\n".join(f"{self.name}: {problem}" for problem in problems))
        return replace(self, links=tuple(sorted(links.values())))


def parse_link(text: str) -> Link:
    """Parse a link written as "taxi 13-14".

    Raises:
        BadMap: the text has another form, or the transport is unknown.
    """
    match = _LINK.fullmatch(text)
    if match is None and (nearly := _NEARLY.fullmatch(text)):
        meant = f"{nearly[1]} {nearly[2]}-{nearly[3]}"
        raise BadMap(f"link {shorten(text)}: write it as {shorten(meant)}, with one space and a hyphen")
    if match is None:
        raise BadMap(f"link {shorten(text)}: write it as a transport and two stations, such as 'taxi 13-14'")
    transport = match[1]
    if transport not in TRANSPORTS:
        known = ", ".join(TRANSPORTS)
        raise BadMap(f"link {shorten(text)}: unknown transport {shorten(transport)}; known are {known}")
    first, second = sorted((int(match[2]), int(match[3])))
    return Link(first, second, transport)


def digest_of(content: object) -> str:
    """Return a digest of an object, in sixteen characters. Journals store digests, so they must never change."""
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


class _Words(reprlib.Repr):
    """Formats values, with the words of JSON and TOML for those of Python."""

    def repr_bool(self, value: bool, _: int) -> str:
        return "true" if value else "false"

    def repr_NoneType(self, _value: None, _level: int) -> str:  # noqa: N802 - reprlib finds it by the type's name
        return "null"


_WORDS = _Words()


def shorten(value: object) -> str:
    """Format a value for an error message, shortened if it is long or nested."""
    try:
        return _WORDS.repr(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a number of thousands of digits"


_MOST_LISTED = 10


def list_problems(source: str, problems: Sequence[str]) -> str:
    """Format the first ten problems of a file or map, and count the others. Each line begins with its name `source`."""
    lines = list(problems[:_MOST_LISTED])
    if len(problems) > len(lines):
        lines.append(f"and {len(problems) - len(lines)} more")
    return "\n".join(f"{source}: {line}" for line in lines)


def problems_of_links(stations: Mapping[int, Station], links: list[Link]) -> list[str]:
    """Return the first kind of problems that a map has.

    The kinds are: links with unknown or equal ends; no stations; isolated stations; a map in several pieces.
    """
    problems, most = [], max(stations, default=0)
    for link in links:
        ends = (link.a, link.b)
        problems += [f"{link}: there is no station {end}; they go up to {most}" for end in ends if end not in stations]
        if link.a == link.b:
            problems.append(f"{link}: leads to itself; a link joins two different stations")
    if problems:
        return problems
    if not stations:
        return ["stations: there are none; write a line for each station"]
    around: dict[int, set[int]] = {number: set() for number in stations}
    for link in links:
        around[link.a].add(link.b)
        around[link.b].add(link.a)
    isolated = [number for number, near in around.items() if not near]
    if isolated:
        return [f"station {number}: no link leads there; each station needs at least one" for number in isolated]
    first = next(iter(stations))
    unreached = set(stations) - _reachable(around, first)
    if unreached:
        return [f"station {min(unreached)}: no way leads there from station {first}; add a link that joins them"]
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
