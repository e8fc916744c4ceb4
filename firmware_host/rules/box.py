"""Reads an edition's file: what a printed box says, strictly checked (ED-01). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.rules.actions import MR_X
from firmware_host.rules.edition import OPTIONS, Edition, Option
from firmware_host.rules.errors import BadEdition
from firmware_host.rules.network import shown

PAWNS = ("red", "yellow", "green", "blue", "purple")
"""The colours that detective pawns can have."""

_NEEDED: Mapping[str, type] = {
    "title": str,
    "map": str,
    "windows": int,
    "surfacing": list,
    "order": str,
    "seats": dict,
    "detective": dict,
    "mr_x": dict,
    "options": dict,
}
_HAND = ("taxi", "bus", "underground")


def parse(name: str, data: Mapping[str, Any], source: str) -> Edition:
    """The edition that a file describes. `data` is the file's content, `source` its name for messages.

    Raises:
        BadEdition: the file is wrong; the message names the file, each entry, and what would be right.
    """
    reader = _Reader(source)
    edition = reader.edition(name, data)
    if reader.problems:
        raise BadEdition("\n".join(f"{source}: {problem}" for problem in reader.problems))
    return edition


class _Reader:
    """Reads one file and gathers what is wrong with it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[str] = []

    def edition(self, name: str, data: Mapping[str, Any]) -> Edition:
        self._keys("", data, (*_NEEDED, "last_chance"))
        if type(data.get("last_chance", False)) is not bool:
            self.problems.append("last_chance: must be true or false")
        for key, kind in _NEEDED.items():
            if type(data.get(key)) is not kind:
                self.problems.append(f"{key}: " + ("is missing" if key not in data else f"must be a {kind.__name__}"))
        if self.problems:
            raise BadEdition("\n".join(f"{self.source}: {problem}" for problem in self.problems))
        windows = self._number("", data, "windows", 3, 24)
        detective, mr_x = data["detective"], data["mr_x"]
        self._keys("detective", detective, (*_HAND, "cards"))
        self._keys("mr_x", mr_x, (*_HAND, "black", "double", "cards"))
        if data["order"] not in ("fixed", "player"):
            self.problems.append(f"order: {shown(data['order'])} is neither 'fixed' nor 'player'")
        return Edition(
            name=name,
            title=data["title"],
            map=data["map"],
            seats=self._seats(data["seats"]),
            order=data["order"],
            hand=self._hand("detective", detective),
            mr_x_hand=self._hand("mr_x", mr_x),
            blacks=self._number("mr_x", mr_x, "black", 0, 24) if "black" in mr_x else None,
            doubles=self._number("mr_x", mr_x, "double", 0, 12),
            windows=windows,
            surfacing=frozenset(self._numbers("surfacing", data["surfacing"], windows)),
            last_chance=data.get("last_chance", False),
            cards=tuple(self._numbers("[detective] cards", detective.get("cards", []), 9999)),
            mr_x_cards=tuple(self._numbers("[mr_x] cards", mr_x.get("cards", []), 9999)),
            options=self._options(data["options"], windows),
        )

    def _keys(self, section: str, table: Mapping[str, Any], known: Any) -> None:
        where = f"[{section}] " if section else ""
        for key in table:
            if key not in known:
                self.problems.append(f"{where}{_word(key)}: unknown; known are {', '.join(known)}")

    def _number(self, section: str, table: Mapping[str, Any], key: str, low: int, high: int) -> int:
        value = table.get(key, low)
        if type(value) is int and low <= value <= high:
            return value
        where = f"[{section}] " if section else ""
        self.problems.append(f"{where}{key}: {shown(value)} is not a whole number from {low} to {high}")
        return low

    def _hand(self, section: str, table: Mapping[str, Any]) -> tuple[int, int, int]:
        taxi, bus, underground = (self._number(section, table, ticket, 0, 99) for ticket in _HAND)
        return taxi, bus, underground

    def _numbers(self, where: str, row: Any, high: int) -> list[int]:
        if not isinstance(row, list) or any(type(n) is not int or not 1 <= n <= high for n in row):
            self.problems.append(f"{where}: {shown(row)} is not a list of whole numbers from 1 to {high}")
            return []
        if len(set(row)) != len(row):
            self.problems.append(f"{where}: a number stands twice")
        return row

    def _seats(self, table: Mapping[str, Any]) -> dict[int, tuple[tuple[str, ...], ...]]:
        seats = {}
        for key, rows in table.items():
            where = f"[seats] {_word(key)}"
            if key not in ("2", "3", "4", "5", "6"):
                self.problems.append(f"{where}: a number of players, 2 to 6, Mister X among them")
                continue
            players = int(key)
            if not (
                isinstance(rows, list) and len(rows) == players - 1 and all(isinstance(r, list) and r for r in rows)
            ):
                self.problems.append(f"{where}: {players - 1} lists of pawns, one for each player but Mister X")
                continue
            pawns = [pawn for row in rows for pawn in row]
            if any(pawn not in PAWNS for pawn in pawns) or len(set(pawns)) != len(pawns):
                self.problems.append(f"{where}: each pawn once, of {', '.join(PAWNS)}; {MR_X} is nobody's")
                continue
            seats[players] = tuple(tuple(row) for row in rows)
        if not seats and not self.problems:
            self.problems.append("[seats]: nobody can play; write for a number of players who moves which pawns")
        return seats

    def _options(self, table: Mapping[str, Any], windows: int) -> dict[str, Option]:
        self._keys("options", table, tuple(OPTIONS))
        for key, value in table.items():
            if key in OPTIONS and type(value) is not OPTIONS[key]:
                self.problems.append(f"[options] {key}: {shown(value)} is not a {OPTIONS[key].__name__}")
        if table.get("x_fares", "unlimited") not in ("unlimited", "counted"):
            self.problems.append(f"[options] x_fares: {shown(table['x_fares'])} is neither 'unlimited' nor 'counted'")
        shortest = table.get("log_windows", windows)
        if type(shortest) is int and not 3 <= shortest <= windows:
            self.problems.append(f"[options] log_windows: {shown(shortest)} is not from 3 to {windows}")
        return dict(table)


def _word(key: str) -> str:
    """A key as it can stand in a line of a message."""
    return key if key.isprintable() else repr(key)
