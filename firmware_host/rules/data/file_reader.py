"""Read the file of a box strictly, and collect its mistakes in one error. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.rules.errors import BadEdition
from firmware_host.rules.network import shorten

PAWNS = ("red", "yellow", "green", "blue", "purple", "white")
"""The possible colours of detective pawns."""

KINDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
"""Type -> its name in error messages."""


_MEANINGS: Mapping[str, str] = {
    "title": "the name of the box, in quotes",
    "map": 'the name of a map, such as "london", or of tiles, such as "yardboard"',
    "windows": "how many windows Mister X's log has, a whole number from 3 to 24",
    "surfacing": "the windows after which Mister X shows himself, such as [3, 8, 13]",
    "order": '"fixed", "player" or "free"',
    "dice": "how many dice there are, a whole number from 1 to 24",
    "detectives_chips": "how many chips the detectives need to win, a whole number from 1 to 12",
    "mr_x_chips": "how many chips Mister X needs to win, a whole number from 1 to 12",
}
"""Key at the top of a box file -> what to write if it is missing or wrong."""


class Complaints:
    """A list of one file's problems, so that its author can correct all of them at once.

    Attributes:
        source: the file's name, for messages.
        problems: the problems, a line each, without the file's name.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[str] = []

    def complain(self, section: str, key: str, what: str) -> None:
        """Record a problem with a key. Section "" is the file's top level. Key "" means the whole section."""
        place = " ".join(part for part in (f"[{section}]" if section else "", key) if part)
        self.problems.append(f"{place}: {what}")

    @property
    def mistakes(self) -> list[str]:
        """The problems, each a line that begins with the file's name."""
        return [f"{self.source}: {problem}" for problem in self.problems]


class BoxReader(Complaints):
    """A reader of one box file. On a problem it records the problem and returns a harmless value.

    Args:
        source: the file's name, for messages.
        data: the file's parsed content.
    """

    def __init__(self, source: str, data: Mapping[str, Any]) -> None:
        super().__init__(source)
        self.data = data

    def complain(self, section: str, key: str, what: str) -> None:
        """Record a problem with a key. Section "" is the file's top level."""
        super().complain(section, key if key.isprintable() else repr(key), what)

    def raise_problems(self) -> None:
        """Raise one error with all problems found so far, if there are any.

        Raises:
            BadEdition: there were problems; a line for each, with the file's name.
        """
        if self.problems:
            raise BadEdition("\n".join(self.mistakes))

    def check_top(self, needed: Mapping[str, type], optional: Mapping[str, type] | None = None) -> None:
        """Check that the file's top level has the needed keys, no unknown ones, and values of these types.

        Raises:
            BadEdition: a key is missing, unknown, empty or of a wrong type, so that reading cannot continue.
        """
        known = {**needed, **(optional or {})}
        self.check_known("", self.data, known)
        misspelt = any(key not in known for key in self.data)
        for key, kind in known.items():
            if key not in self.data and key in needed:
                if not (misspelt and self._is_meant(key, known)):
                    self._complain_missing(key, kind)
            elif key in self.data and type(self.data[key]) is not kind:
                right = _MEANINGS.get(key)
                self.complain(
                    "", key, f"{shorten(self.data[key])} is not {KINDS[kind]}" + (f"; write {right}" if right else "")
                )
            elif key in ("title", "map") and not self.data[key].strip():
                self.complain("", key, f"is empty; write {_MEANINGS[key]}")
        self.raise_problems()

    def _is_meant(self, key: str, known: Iterable[str]) -> bool:
        """Return whether an unknown key, which is reported already, is probably a misspelling of this missing key."""
        from difflib import get_close_matches  # noqa: PLC0415 - only for typos

        return any(get_close_matches(given, list(known), 1) == [key] for given in self.data if given not in known)

    def _complain_missing(self, key: str, kind: type) -> None:
        if kind is dict:
            below = "" if key == "options" else " and its keys below it"
            self.problems.append(f"the section [{key}] is missing; add the line [{key}]{below}")
        else:
            self.complain("", key, f"is missing; write {_MEANINGS[key]}")

    def check_known(self, section: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
        """Record a problem for each key of a section that is not among `known`."""
        from difflib import get_close_matches  # noqa: PLC0415 - only for typos

        for key in table:
            if key not in known:
                near = get_close_matches(key, list(known), 1)
                right = f"did you mean {near[0]}?" if near else f"known are {', '.join(known) or 'none'}"
                self.complain(section, key, f"unknown; {right}")

    def word(self, section: str, table: Mapping[str, Any], key: str, known: tuple[str, ...]) -> str:
        """Return a key's word if it is one of `known`. If it is missing or wrong, return the first of them."""
        value = table.get(key, known[0])
        if value in known:
            return str(value)
        listed = " or ".join(f"{word!r}" for word in known)
        self.complain(section, key, f"{shorten(value)} is not {listed}" if len(known) != 2 else
                      f"{shorten(value)} is neither {known[0]!r} nor {known[1]!r}")  # fmt: skip
        return known[0]

    def flag(self, section: str, table: Mapping[str, Any], key: str) -> bool:
        """Return a key's value, true or false. If the key is missing, return false."""
        value = table.get(key, False)
        if type(value) is not bool:
            self.complain(section, key, f"{shorten(value)} is neither true nor false")
        return value is True

    def number(
        self, section: str, table: Mapping[str, Any], key: str, low: int, high: int, *, needed: bool = False
    ) -> int:
        """Return a key's whole number, from `low` to `high`.

        If the key is missing, return `low`, and record a problem if it is `needed`. For a wrong value return `high`,
        so that a number that this one bounds does not look wrong, too.
        """
        value, right = table.get(key, low), f"a whole number from {low} to {high}"
        if needed and key not in table:
            self.complain(section, key, f"is missing; write {right}")
        elif type(value) is int and low <= value <= high:
            return value
        else:
            self.complain(section, key, f"{shorten(value)} is not {right}")
            return high
        return low

    def numbers(self, section: str, table: Mapping[str, Any], key: str, high: int) -> list[int]:
        """Return a key's list of different whole numbers from 1 to `high`. If it is missing or wrong, return [].

        A list with a number twice is recorded as a problem, but returned.
        """
        row = table.get(key, [])
        if not isinstance(row, list) or any(type(n) is not int or not 1 <= n <= high for n in row):
            self.complain(section, key, f"{shorten(row)} is not a list of whole numbers from 1 to {high}")
            return []
        if len(set(row)) != len(row):
            twice = next(n for n in row if row.count(n) > 1)
            self.complain(section, key, f"{twice} is there twice; keep one of them")
        return row

    def seats(self, table: Mapping[str, Any], movers: Mapping[int, int]) -> dict[int, tuple[tuple[str, ...], ...]]:
        """Return the pawns of each detective player, for each number of players that a table lists.

        Args:
            table: number of players -> a list of pawns for each detective player.
            movers: number of players -> how many of them play detectives.
        """
        seats: dict[int, tuple[tuple[str, ...], ...]] = {}
        for key, rows in table.items():
            players = next((n for n in movers if str(n) == key), None)
            if players is None:
                self.complain(
                    "seats", key, f"is not a number of players; write {min(movers)} to {max(movers)}, Mister X included"
                )
                continue
            count = movers[players]
            if not (isinstance(rows, list) and len(rows) == count and all(isinstance(r, list) and r for r in rows)):
                right = f"write {count} lists of pawns, one for each player except Mister X"
                self.complain("seats", key, f"{shorten(rows)} is wrong for {key} players; {right}")
                continue
            pawns = [pawn for row in rows for pawn in row]
            foreign = next((pawn for pawn in pawns if pawn not in PAWNS), None)
            if foreign is not None:
                what = f"{shorten(foreign)} is not a detectives' pawn; pawns are {', '.join(PAWNS)}"
                self.complain("seats", key, what)
                continue
            if len(set(pawns)) != len(pawns):
                twice = next(pawn for pawn in pawns if pawns.count(pawn) > 1)
                self.complain("seats", key, f"{shorten(twice)} is listed twice; list each pawn once")
                continue
            seats[players] = tuple(tuple(row) for row in rows)
        if not seats and not self.problems:
            self.problems.append("[seats]: is empty; write for a number of players who moves which pawns")
        return seats
