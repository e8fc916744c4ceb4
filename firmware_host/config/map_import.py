"""Convert a map from lists of stations and links, in CSV or JSON, to yardboard's format. Pure.

Maps that people share name their columns in various ways, list each link once or twice, and measure in pixels.
`ForeignMap` reads such files in any order and notes its changes.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from firmware_host.config.allowed_values import as_toml
from firmware_host.config.toml_file import ConfigError
from firmware_host.rules.data import map_file
from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import TRANSPORTS, Link, Network, shorten
from firmware_host.system.plain_faults import plain_json_fault

_TRANSPORTS: Mapping[str, str] = {
    **dict.fromkeys(("taxi", "taxis", "t", "cab", "yellow"), "taxi"),
    **dict.fromkeys(("bus", "buses", "b", "green"), "bus"),
    **dict.fromkeys(
        ("underground", "undergrounds", "u", "ug", "metro", "m", "subway", "tube", "train", "red", "pink"),
        "underground",
    ),
    **dict.fromkeys(("boat", "boats", "ferry", "f", "river", "ship", "s", "water", "black", "secret"), "boat"),
}
"""A foreign word for a transport -> ours."""

_COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("station", "id", "number", "no", "nr", "node", "stop"), "number"),
    **dict.fromkeys(("from", "source", "start", "station1", "node1", "a", "u"), "from"),
    **dict.fromkeys(("to", "target", "end", "destination", "dest", "station2", "node2", "b", "v"), "to"),
    **dict.fromkeys(
        ("transport", "type", "mode", "kind", "by", "ticket", "vehicle", "means", "colour", "color", "types"), "by"
    ),
    **dict.fromkeys(("x", "left", "cx", "px", "xpos", "x_px"), "x"),
    **dict.fromkeys(("y", "top", "cy", "py", "ypos", "y_px"), "y"),
    **dict.fromkeys(("at", "position", "pos", "coordinates", "coords", "location", "point"), "at"),
    **dict.fromkeys(("name", "label", "title"), "name"),
    **dict.fromkeys(
        ("links", "edges", "connections", "neighbours", "neighbors", "neighbour", "neighbor", "adjacent", "moves"),
        "links",
    ),
}
"""A foreign name of a column or key -> its meaning."""

_STATIONS = ("stations", "nodes", "vertices", "stops")
_LINKS = ("links", "edges", "connections", "routes")
_SHAPES = "write columns from, to, transport for links, and station, x, y for stations"


class ForeignMap:
    """The stations and links of a map in a foreign format, collected file by file.

    Attributes:
        notes: a line for each thing that was changed or left out.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._places: dict[int, tuple[float, float]] = {}
        self._names: dict[int, str] = {}
        self._aspect: float | None = None
        self._numbers: set[int] = set()
        self._ends: dict[tuple[int, int, str], int] = defaultdict(int)  # from, to, transport -> how often

    # ---- reading ----

    def read(self, text: str, source: str) -> None:
        """Read a file, as JSON if it looks like JSON, else as CSV. `source` names it in messages.

        Raises:
            ConfigError: the form of the file is unknown, or a row is wrong; the message names the file and the row.
        """
        if source.endswith(".toml"):
            raise ConfigError(f"{source}: is a TOML file; {_SHAPES}")
        if text.lstrip()[:1] in ("{", "["):
            try:
                value = json.loads(text)
            except json.JSONDecodeError as error:
                where = f"{source}: line {error.lineno}, column {error.colno}"
                raise ConfigError(f"{where}: is not valid JSON: {plain_json_fault(error)}; correct it there") from None
            except (ValueError, RecursionError):
                what = f"{source}: has a number that is too long, or lists that are nested too deep"
                raise ConfigError(f"{what}; {_SHAPES}") from None
            self._take_json(value, source)
        else:
            self._take_csv(text, source)

    def _take_csv(self, text: str, source: str) -> None:
        lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip() and line[0] != "#"]
        if not lines:
            raise ConfigError(f"{source}: is empty; {_SHAPES}")
        first = lines[0][1]
        # "1 190 40 taxi,bus": blanks separate the cells, and commas the values within one
        marks = ("\t", ";") if re.match(r"\s*\d+ +\d", first) else ("\t", ";", ",")
        mark = next((mark for mark in marks if mark in first), " ")
        rows = csv.reader((line for _, line in lines), delimiter=mark, skipinitialspace=True)
        cells = [[cell.strip() for cell in row if cell.strip() or mark != " "] for row in rows]
        head = [_role(cell) for cell in cells[0]]
        by = _transport_of_file(source)
        named = not any(cell.isdecimal() for cell in cells[0])
        if named and not {"number", "from"} & {*head}:
            raise ConfigError(f"{source}: line {lines[0][0]}: unknown columns {', '.join(cells[0])}; {_SHAPES}")
        counts = len(cells[0]) < 3 and len(cells) > 1 and len(cells[1]) != len(cells[0])
        if not named and counts and all(map(_is_number, cells[0])):
            self.notes.append(f"{source}: line {lines[0][0]}: {' '.join(cells[0])} are taken for counts and left out")
            del lines[0], cells[0]
        for (at, _), row in zip(lines[named:], cells[named:], strict=True):
            where = f"{source}: line {at}"
            plain = [re.sub(r"^(-?\d+),(\d+)$", r"\1.\2", cell) for cell in row] if mark == ";" else row
            if named:
                self._take_row(dict(zip(head, plain, strict=False)), where)
            elif len(plain) == 2 and by and all(map(_is_number, plain)):
                self._take_link((*plain, by), where)
            elif len(plain) == 1:  # some list the stations before their links
                self._numbers.add(_number(plain[0], where))
            else:
                self._take_cells(plain, where)

    def _take_json(self, value: Any, where: str) -> None:
        if isinstance(value, list):
            for number, item in enumerate(value, 1):
                self._take_item(item, f"{where}: entry {number}")
            return
        if not isinstance(value, dict):
            raise ConfigError(f"{where}: {shorten(value)} is neither a list nor an object; {_SHAPES}")
        parts = {key: part for key, part in value.items() if key.lower() in (*_STATIONS, *_LINKS)}
        by_transport = {key: part for key, part in value.items() if key.lower() in _TRANSPORTS}
        if parts:
            aspect: Any = value.get("aspect", value.get("aspect_ratio"))
            if _is_number(aspect) and 0.2 <= float(aspect) <= 5:
                self._aspect = float(aspect)
            for key, part in parts.items():
                self._take_json(part, f"{where}: {key}")
        elif value and all(key.isdecimal() for key in value):
            for key, part in value.items():
                self._take_station(key, part, f"{where}: {key}")
        elif by_transport:
            for key, part in by_transport.items():
                for pair in part if isinstance(part, list) else [part]:
                    self._take_link([*_listed(pair), key], f"{where}: {key}")
        else:
            raise ConfigError(f"{where}: has neither stations nor links; {_SHAPES}")

    def _take_item(self, item: Any, where: str) -> None:
        if isinstance(item, dict):
            self._take_row(_by_role(item), where)
        elif isinstance(item, list):
            self._take_cells(item, where)
        else:
            raise ConfigError(f"{where}: {shorten(item)} is neither a list nor an object; {_SHAPES}")

    def _take_cells(self, cells: Sequence[Any], where: str) -> None:
        """Read a row of a table without header.

        It is a link if it has two numbers and a word, else a station.
        """
        words = [cell for cell in cells if not _is_number(cell)]
        if len(cells) == 3 and len(words) == 1 and words[0] is not cells[0]:
            self._take_link((*(cell for cell in cells if cell is not words[0]), words[0]), where)
        elif len(cells) == 3 or (len(cells) == 4 and words == [cells[3]]):  # a fourth: its transports
            self._take_row({"number": cells[0], "x": cells[1], "y": cells[2]}, where)
        else:
            raise ConfigError(f"{where}: {_listing(cells)} has {len(cells)} values; {_SHAPES}")

    def _take_row(self, row: Mapping[str, Any], where: str) -> None:
        if "from" in row:
            self._take_link((row["from"], row.get("to"), row.get("by")), where)
        elif "number" in row:
            self._take_station(row["number"], row, where)
        else:
            raise ConfigError(f"{where}: has neither a station nor a link; {_SHAPES}")

    def _take_station(self, key: Any, value: Any, where: str) -> None:
        number = _number(key, where)
        self._numbers.add(number)
        if isinstance(value, list):
            if len(value) == 2 and (all(map(_is_number, value)) or any(isinstance(part, float) for part in value)):
                self._take_place(number, value[0], value[1], where)
            else:
                self._take_neighbours(number, value, where)
            return
        if not isinstance(value, dict):
            raise ConfigError(f"{where}: {shorten(value)} is neither a place nor a list of links; {_SHAPES}")
        row = _by_role(value)
        x, y = _pair(row.get("at")) or (row.get("x"), row.get("y"))
        if x not in (None, "") or y not in (None, ""):
            self._take_place(number, x, y, where)
        if isinstance(row.get("name"), str) and row["name"] and row["name"] != str(number):
            self._names[number] = row["name"]
        self._take_neighbours(number, row.get("links", []), where)
        self._take_neighbours(number, {name: part for name, part in row.items() if name in TRANSPORTS}, where)

    def _take_neighbours(self, number: int, value: Any, where: str) -> None:
        """Read a station's links, given as transport -> stations, or as a list of stations with transports."""
        if isinstance(value, dict):
            for transport, part in value.items():
                for to in re.findall(r"\d+", part) if isinstance(part, str) else _listed(part):
                    self._take_link((number, to, transport), where)
            return
        for item in _listed(value):
            if isinstance(item, dict):
                row = _by_role(item)
                self._take_link((number, row.get("to", row.get("number")), row.get("by")), where)
            else:
                self._take_link((number, *_listed(item)), where)

    def _take_place(self, number: int, x: Any, y: Any, where: str) -> None:
        if not (_is_number(x) and _is_number(y)):
            raise ConfigError(
                f"{where}: x and y are {shorten(x)} and {shorten(y)}; write two numbers, such as 310, 42.5"
            )
        self._places[number] = float(x), float(y)

    def _take_link(self, cells: Sequence[Any], where: str) -> None:
        if len(cells) != 3 or cells[2] in (None, ""):
            raise ConfigError(
                f"{where}: {_listing(cells)} is not a link; write from, to and transport, as in 1, 8, taxi"
            )
        a, b = _number(cells[0], where), _number(cells[1], where)
        if a == b:
            raise ConfigError(f"{where}: {a} leads to itself; a link joins two different stations")
        kinds = cells[2] if isinstance(cells[2], list) else re.split(r"[\s,;/|+]+", str(cells[2]).strip())
        for kind in kinds:
            transport = _TRANSPORTS.get(str(kind).lower())
            if transport is None:
                raise ConfigError(f"{where}: unknown transport {shorten(kind)}; known are {', '.join(TRANSPORTS)}")
            self._ends[a, b, transport] += 1
        self._numbers |= {a, b}

    # ---- writing ----

    def links(self) -> list[Link]:
        """Return all links. Note unusual ones in `notes`.

        A link listed twice is unusual. So is a link that only one of its stations lists, if most links are listed by
        both.
        """
        both = {(a, b, by) for a, b, by in self._ends if (b, a, by) in self._ends}
        if len(both) > len(self._ends) / 2:
            for a, b, by in sorted(self._ends.keys() - both):
                self.notes.append(f"one-sided: {by} {min(a, b)}-{max(a, b)}: only {a} lists it; added to {b}")
        twice = sum(times - 1 for times in self._ends.values())
        if twice:
            self.notes.append(f"{twice} links were listed twice; each is taken once")
        return sorted({Link(min(a, b), max(a, b), by) for a, b, by in self._ends})

    @property
    def stations(self) -> frozenset[int]:
        """The stations in the files."""
        return frozenset(self._numbers)

    def text(self, name: str, against: Network | None) -> str:
        """Return the text of a map's file in yardboard's format, after checking it.

        Args:
            name: the map's name.
            against: a map to compare with, which also supplies missing places and start cards.

        Raises:
            ConfigError: stations lack a place, or the map contradicts itself.
        """
        links = self.links()
        places, aspect = self._scaled(against)
        lost = sorted(self._numbers - places.keys())
        if lost and against is not None and not places and self._numbers <= against.stations.keys():
            places = {number: (against.stations[number].x, against.stations[number].y) for number in lost}
            aspect, lost = against.aspect, []
            self.notes.append(f"no file has places: those of {against.name} are taken")
        if lost:
            remedy = "add a file with columns station, x, y"
            raise ConfigError(f"the map {name}: no file has a place for station {_some(lost)}; {remedy}")
        cards = [] if against is None else [card for card in against.start_cards if card in places]
        if cards and against is not None:
            self.notes.append(f"start_cards: {len(cards)} of {against.name} are taken; change them if yours differ")
        else:
            self.notes.append("start_cards: they are unknown; write those of your box, at least one for each pawn")
        if against is not None:
            self._compare(links, against)
        text = _text(name, aspect, cards, places, self._names, links)
        data = {
            "title": name, "aspect": aspect, "start_cards": cards, "stations": _rows(places, links),
        }  # fmt: skip
        try:
            map_file.parse(name, data, name)
        except BadMap as error:
            raise ConfigError(*str(error).splitlines()) from None
        return text

    def _scaled(self, against: Network | None) -> tuple[dict[int, tuple[float, float]], float]:
        """Return the stations' places as fractions of the board, and the board's aspect: width by height.

        Places in pixels are converted as if the margins left and right were equal, and those above and below.
        """
        if not self._places:
            return {}, 1.0
        xs, ys = zip(*self._places.values(), strict=True)
        if min(*xs, *ys) >= 0 and max(*xs, *ys) <= 1:
            if self._aspect is not None:
                return dict(self._places), self._aspect
            if against is not None and against.stations.keys() == self._places.keys():
                self.notes.append(f"aspect: {against.aspect:g} is taken from {against.name}")
                return dict(self._places), against.aspect
            self.notes.append("places are fractions of the board already; its aspect is unknown: change it from 1.0")
            return dict(self._places), 1.0
        left, top = min(0.0, *xs), min(0.0, *ys)
        wide, high = max(xs) + min(xs) - 2 * left, max(ys) + min(ys) - 2 * top
        aspect = round(min(5.0, max(0.2, wide / (high or 1.0))), 4)
        self.notes.append(f"places are in pixels: scaled from a picture of {wide:g} by {high:g}, aspect {aspect:g}")
        return {
            number: (round((x - left) / (wide or 1.0), 4), round((y - top) / (high or 1.0), 4))
            for number, (x, y) in self._places.items()
        }, aspect

    def _compare(self, links: Iterable[Link], against: Network) -> None:
        mine, theirs = {str(link) for link in links}, {str(link) for link in against.links}
        for what, found in (("missing", theirs - mine), ("beyond", mine - theirs)):
            if found:
                ordered = [str(link) for link in sorted((*links, *against.links)) if str(link) in found]
                self.notes.append(f"{what} against {against.name}: {', '.join(dict.fromkeys(ordered))}")
        if mine == theirs:
            self.notes.append(f"all {len(mine)} links are those of {against.name}")


def _role(name: str) -> str:
    """Return the meaning of a column or key, such as "x" or "links". Return an unknown name unchanged."""
    word = name.strip().strip('"').lower()
    if word in _COLUMNS or (len(word) > 1 and word in _TRANSPORTS):
        return _COLUMNS.get(word) or _TRANSPORTS[word]
    words = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+", name)]  # such as "neighbourTaxis", "guiCoordinates"
    by = [_TRANSPORTS[part] for part in words if part in _TRANSPORTS]
    if len(by) == 1 and all(part in _TRANSPORTS or _COLUMNS.get(part) == "links" for part in words):
        return by[0]
    return "at" if words and _COLUMNS.get(words[-1]) == "at" else word


def _by_role(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object's values by the meaning of their keys. See `_role`.

    Of several pairs of coordinates, take the one with the larger extent.
    """
    row: dict[str, Any] = {}
    for name, part in item.items():
        role = _role(name)
        if role != "at" or _extent(part) >= _extent(row.get(role)):
            row[role] = part
    return row


def _pair(at: Any) -> tuple[Any, Any] | None:
    """Return x and y of a place in a file, or None if the value is neither an object nor a list of two."""
    if isinstance(at, dict):
        return at.get("x"), at.get("y")
    return (at[0], at[1]) if isinstance(at, list) and len(at) == 2 else None


def _extent(at: Any) -> float:
    return sum(float(part) for part in _pair(at) or () if _is_number(part))


def _transport_of_file(source: str) -> str:
    """Return the transport in a file's name such as "taxi_map.txt", or "" if it contains none or several."""
    words = re.split(r"[^a-z]+", PurePath(source).stem.lower())
    found = {_TRANSPORTS[word] for word in words if len(word) > 1 and word in _TRANSPORTS}
    return found.pop() if len(found) == 1 else ""


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value] if value not in (None, "") else []


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", value) is not None
    return type(value) in (int, float)


def _number(value: Any, where: str) -> int:
    if re.fullmatch(r"\s*[1-9]\d{0,4}(\.0)?\s*", str(value)) is None:
        raise ConfigError(f"{where}: {shorten(value)} is not a station; stations are whole numbers from 1 to 99999")
    return int(float(value))


def _listing(cells: Sequence[Any]) -> str:
    """Format the cells of a row for an error message, as in a CSV file."""
    return ", ".join(cell[:40] if isinstance(cell, str) else shorten(cell) for cell in cells if cell is not None)


def _some(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
    return ", ".join(map(str, numbers[:8])) + more


def _rows(places: Mapping[int, tuple[float, float]], links: Iterable[Link]) -> dict[str, dict[str, Any]]:
    """Return the stations in yardboard's format, each with its links."""
    rows: dict[str, dict[str, Any]] = {str(number): {"at": [*places[number]]} for number in sorted(places)}
    for link in links:
        for one, other in ((link.a, link.b), (link.b, link.a)):
            rows[str(one)].setdefault(link.transport, []).append(other)
    return rows


def _text(
    name: str, aspect: float, cards: list[int], places: Mapping[int, tuple[float, float]], names: Mapping[int, str],
    links: Iterable[Link],
) -> str:  # fmt: skip
    """Return the text of a map's file in yardboard's format."""
    lines = [f"title = {as_toml(name)}", f"aspect = {aspect}", f"start_cards = {cards}", "", "[stations]"]
    for number, row in _rows(places, links).items():
        parts = [f"at = {row['at']}"]
        parts += [f"{by} = {sorted(row[by])}" for by in TRANSPORTS if by in row]
        parts += [f"name = {as_toml(names[int(number)])}"] if int(number) in names else []
        lines.append(f"{number} = {{ {', '.join(parts)} }}")
    return "\n".join(lines) + "\n"
