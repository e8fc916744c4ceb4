"""Stations and the links between them: a map, checked and ready to be asked.

A map comes as plain data (see `config/maps/`). Every station lists its links itself, so each link stands
twice, once at either end; a slip of the pen at one end is found because the other end does not agree.
"""

from __future__ import annotations

import hashlib
import math
import re
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from firmware_host.rules.errors import BadMap

TRANSPORTS = ("taxi", "bus", "underground", "boat")
"""The transports a link can have, in the order of tickets; only a black ticket pays for a boat."""

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
    """

    name: str
    title: str
    aspect: float
    start_cards: tuple[int, ...]
    stations: Mapping[int, Station] = field(repr=False)
    links: tuple[Link, ...] = field(repr=False)
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
        """Sixteen characters that differ between maps with other stations or links, whatever their names."""
        content = (sorted(self.stations), self.links)
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
        problems += _problems_of_links(self.stations, list(links.values()))
        if problems:
            raise BadMap("\n".join(f"{self.name}: {problem}" for problem in problems))
        joined = tuple(sorted(links.values()))
        return Network(self.name, self.title, self.aspect, self.start_cards, self.stations, joined)


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


def parse(name: str, data: Mapping[str, Any], source: str) -> Network:
    """The network that a map file describes. Pure: `data` is the file's content, `source` names it in messages.

    Raises:
        BadMap: the file contradicts itself; the message names the file, the entry and the reason, and lists up
            to ten such reasons.
    """
    reader = _Reader(source)
    network = reader.network(name, data)
    if reader.problems:
        lines = reader.problems[:10]
        if len(reader.problems) > len(lines):
            lines.append(f"and {len(reader.problems) - len(lines)} more")
        raise BadMap("\n".join(f"{source}: {line}" for line in lines))
    return network


class _Reader:
    """Reads one map file and gathers what is wrong with it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[str] = []

    def network(self, name: str, data: Mapping[str, Any]) -> Network:
        known = ("title", "aspect", "start_cards", "stations", "via")
        for key in sorted(set(data) - set(known)):
            self.problems.append(f"unknown entry {shown(key)}; known are {', '.join(known)}")
        title = self._typed(data, "title", str, "a text", "")
        raw = self._typed(data, "stations", dict, "a table of stations", {})
        found = (self._station(key, row) for key, row in raw.items())
        stations = {station.number: station for station in found if station is not None}
        links = self._links(stations, raw, self._via(data.get("via", []), stations))
        aspect, cards = self._aspect(data), self._cards(data, stations)
        if not self.problems:
            self.problems.extend(_problems_of_links(stations, links))
        return Network(name, title, aspect, cards, stations, tuple(sorted(links)))

    def _typed(self, data: Mapping[str, Any], key: str, wanted: type, what: str, instead: Any) -> Any:
        value = data.get(key)
        if type(value) is wanted or (wanted is float and type(value) is int):
            return value
        self.problems.append(f"{key}: " + ("is missing" if value is None else f"{shown(value)} is not {what}"))
        return instead

    def _aspect(self, data: Mapping[str, Any]) -> float:
        aspect = self._typed(data, "aspect", float, "a number, width by height", 1.0)
        if not 0.2 <= aspect <= 5:
            self.problems.append(f"aspect: {shown(aspect)} is not between 0.2 and 5")
            return 1.0
        return float(aspect)

    def _station(self, key: str, row: Any) -> Station | None:
        where = f"station {key if len(key) < 20 else shown(key)}"
        if not _NUMBER.fullmatch(key):
            self.problems.append(f"{where}: a station is called by a number from 1 to 99999")
            return None
        if not isinstance(row, dict):
            self.problems.append(f"{where}: {shown(row)} is not a table with 'at' and lists of links")
            return None
        for foreign in sorted(set(row) - {"at", *TRANSPORTS}):
            known = ", ".join(TRANSPORTS)
            self.problems.append(f"{where}: unknown transport {shown(foreign)}; known are {known}")
        at = row.get("at")
        if not (isinstance(at, list) and len(at) == 2 and all(map(_is_share, at))):
            self.problems.append(f"{where}: at: {shown(at)} is not [x, y] with both from 0 to 1")
            return None
        return Station(int(key), float(at[0]), float(at[1]))

    def _links(
        self,
        stations: Mapping[int, Station],
        raw: Mapping[str, Any],
        via: Mapping[tuple[int, int, str], tuple[int, ...]],
    ) -> list[Link]:
        ends: set[tuple[int, int, str]] = set()
        for number in stations:
            for transport in TRANSPORTS:
                for to in self._ends(number, transport, raw[str(number)].get(transport, []), stations):
                    if (number, to, transport) in ends:
                        self.problems.append(f"station {number}: {transport} to {to} stands twice")
                    ends.add((number, to, transport))
        for a, b, transport in sorted(ends):
            if (b, a, transport) not in ends:
                missing = f"station {b} does not list {a}"
                self.problems.append(f"station {a}: {transport} to {b} is one-sided: {missing}")
        for a, b, transport in sorted(set(via) - ends):
            self.problems.append(f"via: there is no {transport} link {a}-{b}")
        return [Link(a, b, t, via.get((a, b, t), ())) for a, b, t in ends if a < b]

    def _ends(self, number: int, transport: str, row: Any, stations: Mapping[int, Station]) -> list[int]:
        if not isinstance(row, list):
            self.problems.append(f"station {number}: {transport}: {shown(row)} is not a list of stations")
            return []
        good = []
        for to in row:
            if type(to) is not int or to not in stations:
                self.problems.append(f"station {number}: {transport} to {shown(to)}: there is no such station")
            elif to == number:
                self.problems.append(f"station {number}: {transport} leads to itself")
            else:
                good.append(to)
        return good

    def _via(self, rows: Any, stations: Mapping[int, Station]) -> dict[tuple[int, int, str], tuple[int, ...]]:
        found: dict[tuple[int, int, str], tuple[int, ...]] = {}
        if not isinstance(rows, list):
            self.problems.append(f"via: {shown(rows)} is not a list")
            return found
        for row in rows:
            link, over = self._via_row(row)
            if link is None:
                continue
            key = (link.a, link.b, link.transport)
            if not over or not all(_is_other(station, link, stations) for station in over):
                what = "is not a list of other stations of this map"
                self.problems.append(f"via: {link}: {shown(over)} {what}")
            elif len(set(over)) < len(over):
                self.problems.append(f"via: {link}: {shown(over)} names a station twice")
            elif key in found:
                self.problems.append(f"via: {link} stands twice")
            else:
                found[key] = tuple(over)
        return found

    def _via_row(self, row: Any) -> tuple[Link | None, list[Any]]:
        """The link of a row and what stands under `over`, unchecked; no link where the row is not shaped so."""
        shaped = isinstance(row, dict) and set(row) == {"link", "over"}
        if not (shaped and isinstance(row["link"], str) and isinstance(row["over"], list)):
            self.problems.append(f"via: {shown(row)} is not like {{ link = 'bus 1-46', over = [9] }}")
            return None, []
        try:
            link = parse_link(row["link"])
        except BadMap as error:
            self.problems.append(f"via: {error}")
            return None, []
        if str(link) != row["link"]:
            what = "its stations stand in order from the lower number to the higher"
            self.problems.append(f"via: {row['link']}: write it as {link}: {what}")
        return link, row["over"]

    def _cards(self, data: Mapping[str, Any], stations: Mapping[int, Station]) -> tuple[int, ...]:
        good: list[int] = []
        for card in self._typed(data, "start_cards", list, "a list of stations", []):
            if type(card) is not int or card not in stations:
                self.problems.append(f"start_cards: {shown(card)}: there is no such station")
            elif card in good:
                self.problems.append(f"start_cards: card {card} stands twice")
            else:
                good.append(card)
        return tuple(good)


def _is_share(value: Any) -> bool:
    """Whether it is a number from 0 to 1."""
    return type(value) in (int, float) and 0 <= value <= 1


def _is_other(value: Any, link: Link, stations: Mapping[int, Station]) -> bool:
    """Whether it is a station that is neither end of the link; `true` is not station 1, nor 8.0 station 8."""
    return type(value) is int and value in stations and value not in (link.a, link.b)


def _problems_of_links(stations: Mapping[int, Station], links: list[Link]) -> list[str]:
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
