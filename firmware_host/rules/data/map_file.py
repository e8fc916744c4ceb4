"""Read and strictly check the file of a map. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from firmware_host.rules.data.file_reader import Complaints
from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import (
    COLOURS,
    TRANSPORTS,
    Link,
    Network,
    Station,
    list_problems,
    parse_link,
    problems_of_links,
    shorten,
)

_NUMBER = re.compile(r"[1-9][0-9]{0,4}")


def parse(name: str, data: Mapping[str, Any], source: str) -> Network:
    """Return the map that the parsed TOML `data` describes. `source` names the file in messages. Pure.

    Raises:
        BadMap: the file is wrong. The message lists up to ten reasons, each with the file and the entry.
    """
    reader = _MapReader(source)
    network = reader.network(name, data)
    if reader.problems:
        raise BadMap(list_problems(source, reader.problems))
    return network


class _MapReader(Complaints):
    """A reader of one map file that collects its mistakes."""

    def network(self, name: str, data: Mapping[str, Any]) -> Network:
        known = ("title", "aspect", "start_cards", "stations", "via", "starts", "river")
        for key in sorted(set(data) - set(known)):
            self.problems.append(f"unknown entry {shorten(key)}; known are {', '.join(known)}")
        title = self._typed(data, "title", str, "a text", "")
        raw = self._typed(data, "stations", dict, "a section [stations] with a line for each station", {})
        found = (self._station(key, row) for key, row in raw.items())
        stations = {station.number: station for station in found if station is not None}
        links = self._links(stations, raw, self._via(data.get("via", []), stations))
        aspect, cards = self._aspect(data), self._cards(data, stations)
        starts, river = self._starts(data.get("starts", {}), stations), self._river(data.get("river", []))
        if not self.problems:
            self.problems.extend(problems_of_links(stations, links))
        return Network(name, title, aspect, cards, stations, tuple(sorted(links)), starts, river)

    def _typed(self, data: Mapping[str, Any], key: str, wanted: type, what: str, instead: Any) -> Any:
        value = data.get(key)
        if type(value) is wanted or (wanted is float and type(value) is int):
            return value
        self.problems.append(
            f"{key}: " + (f"is missing; write {what}" if value is None else f"{shorten(value)} is not {what}")
        )
        return instead

    def _aspect(self, data: Mapping[str, Any]) -> float:
        aspect = self._typed(data, "aspect", float, "a number, width divided by height, such as 1.4", 1.0)
        if not 0.2 <= aspect <= 5:
            self.problems.append(f"aspect: {shorten(aspect)} is out of range; write a number from 0.2 to 5")
            return 1.0
        return float(aspect)

    def _station(self, key: str, row: Any) -> Station | None:
        where = f"station {key if len(key) < 20 else shorten(key)}"
        if not _NUMBER.fullmatch(key):
            self.problems.append(f"{where}: is not a station; write a number from 1 to 99999")
            return None
        if not isinstance(row, dict):
            self.problems.append(f"{where}: {shorten(row)} is not a table with 'at' and lists of links")
            return None
        for foreign in sorted(set(row) - {"at", "name", *TRANSPORTS}):
            known = ", ".join(TRANSPORTS)
            self.problems.append(f"{where}: unknown transport {shorten(foreign)}; known are {known}")
        name = row.get("name", "")
        if not isinstance(name, str):
            self.problems.append(f"{where}: name: {shorten(name)} is not a text")
        at = row.get("at")
        if isinstance(at, list) and len(at) == 4 and all(type(part) is int for part in at):
            right = f"[{at[0]}.{at[1]}, {at[2]}.{at[3]}]"
            self.problems.append(f"{where}: at: {shorten(at)} has decimal commas: write {right}")
            return Station(int(key), 0.0, 0.0, str(name))
        if not (isinstance(at, list) and len(at) == 2 and all(map(_is_share, at))):
            right = "[x, y] with both from 0 to 1"
            what = f"is missing; write {right}" if at is None else f"{shorten(at)} is not {right}"
            self.problems.append(f"{where}: at: {what}")
            at = [0.0, 0.0]
        return Station(int(key), float(at[0]), float(at[1]), str(name))

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
                        self.problems.append(f"station {number}: {transport} to {to} is listed twice; list it once")
                    ends.add((number, to, transport))
        for a, b, transport in sorted(ends):
            if (b, a, transport) not in ends:
                missing = f"station {b} does not list {a}; add {a} there, or remove {b} here"
                self.problems.append(f"station {a}: {transport} to {b} is one-sided: {missing}")
        for a, b, transport in sorted(set(via) - ends):
            self.problems.append(
                f"via: there is no {transport} link {a}-{b}; add it to both stations, or delete this line"
            )
        return [Link(a, b, t, via.get((a, b, t), ())) for a, b, t in ends if a < b]

    def _ends(self, number: int, transport: str, row: Any, stations: Mapping[int, Station]) -> list[int]:
        if not isinstance(row, list):
            such = f"[{row}]" if type(row) is int else "[46, 58]"
            what = f"{shorten(row)} is not a list of stations; write it as {such}"
            self.problems.append(f"station {number}: {transport}: {what}")
            row = [row] if type(row) is int and row in stations else []
        good = []
        for to in row:
            if type(to) is not int or to not in stations:
                self.problems.append(
                    f"station {number}: {transport} to {shorten(to)}: there is no such station; name one of this map"
                )
            elif to == number:
                self.problems.append(f"station {number}: {transport} leads to itself; remove it")
            else:
                good.append(to)
        return good

    def _via(self, rows: Any, stations: Mapping[int, Station]) -> dict[tuple[int, int, str], tuple[int, ...]]:
        found: dict[tuple[int, int, str], tuple[int, ...]] = {}
        if not isinstance(rows, list):
            self.problems.append(
                f"via: {shorten(rows)} is not a list of lines such as {{ link = 'bus 1-46', over = [9] }}"
            )
            return found
        for row in rows:
            link, over = self._via_row(row)
            if link is None:
                continue
            key = (link.a, link.b, link.transport)
            if not over or not all(_is_other(station, link, stations) for station in over):
                what = "is not a list of other stations of this map"
                self.problems.append(f"via: {link}: {shorten(over)} {what}")
            elif len(set(over)) < len(over):
                self.problems.append(f"via: {link}: {shorten(over)} names a station twice; name each once")
            elif key in found:
                self.problems.append(f"via: {link} is listed twice; list it once")
            else:
                found[key] = tuple(over)
        return found

    def _via_row(self, row: Any) -> tuple[Link | None, list[Any]]:
        """Return a row's link, and its list `over` unchecked. The link is None if the row or its link is malformed."""
        shaped = isinstance(row, dict) and set(row) == {"link", "over"}
        if not (shaped and isinstance(row["link"], str) and isinstance(row["over"], list)):
            self.problems.append(f"via: {shorten(row)} is not like {{ link = 'bus 1-46', over = [9] }}")
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
        for card in self._typed(data, "start_cards", list, "a list of stations, such as [13, 26]", []):
            if type(card) is not int or card not in stations:
                self.problems.append(f"start_cards: {shorten(card)}: there is no such station; name one of this map")
            elif card in good:
                self.problems.append(f"start_cards: card {card} is listed twice; list it once")
            else:
                good.append(card)
        return tuple(good)

    def _starts(self, table: Any, stations: Mapping[int, Station]) -> dict[str, int]:
        good: dict[str, int] = {}
        if not isinstance(table, dict):
            self.problems.append(f"starts: {shorten(table)} is not like {{ white = 3, yellow = 9 }}")
            return good
        for colour, station in table.items():
            if colour not in COLOURS:
                self.problems.append(f"starts: unknown colour {shorten(colour)}; known are {', '.join(COLOURS)}")
            elif type(station) is not int or station not in stations:
                self.problems.append(
                    f"starts: {colour}: {shorten(station)}: there is no such station; name one of this map"
                )
            elif station in good.values():
                other = next(pawn for pawn, start in good.items() if start == station)
                self.problems.append(
                    f"starts: {colour}: {station} is the start of {other} already; name another station"
                )
            else:
                good[colour] = station
        return good

    def _river(self, points: Any) -> tuple[tuple[float, float], ...]:
        whole = isinstance(points, list) and len(points) != 1
        if not (whole and all(isinstance(p, list) and len(p) == 2 and all(map(_is_share, p)) for p in points)):
            self.problems.append(f"river: {shorten(points)} is not a list of two or more [x, y] with both from 0 to 1")
            return ()
        for point, following in pairwise(points):
            if point == following:
                self.problems.append(f"river: {shorten(point)} is listed twice in a row")
        return tuple((float(x), float(y)) for x, y in points)


def _is_share(value: Any) -> bool:
    """Return whether a value is a number from 0 to 1."""
    return type(value) in (int, float) and 0 <= value <= 1


def _is_other(value: Any, link: Link, stations: Mapping[int, Station]) -> bool:
    """Return whether a value is a station other than the link's ends. `true` and 8.0 are not station numbers."""
    return type(value) is int and value in stations and value not in (link.a, link.b)
