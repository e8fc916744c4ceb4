"""Read and check the file of a tile set: nine two-sided tiles with four places each (DI-01, DI-07). Pure.

The head of `config/tiles/yardboard.toml` explains the format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firmware_host.rules.data.file_reader import Complaints
from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import list_problems, shorten

LETTERS = "ABCDEFGHI"
"""The letters of the nine tiles."""

INNER: Mapping[str, tuple[int, int]] = {"top": (0, 1), "bottom": (2, 3), "left": (0, 2), "right": (1, 3)}
"""The streets inside a tile, with the two places (0 to 3) that each joins."""

LANES: Mapping[str, tuple[int, int]] = {"falling": (0, 3), "rising": (1, 2)}
"""The diagonals inside a tile, which only taxis use."""

_EXAMPLE = "write it as in config/tiles/yardboard.toml"
_STOPS = ("taxi", "bus", "underground")
_CORNERS = ("top left", "top right", "bottom left", "bottom right")
_ARROWS = ("left", "right", "up", "down")
_HALVES: Mapping[str, str] = {
    **dict.fromkeys(("top", "bottom"), "left then right"),
    **dict.fromkeys(("left", "right"), "upper then lower"),
}
"""Edge -> the order of its two exits, in words."""


class Street(NamedTuple):
    """A street between neighbouring places, open `forth` (right or down), `back` (left or up), or both ways.

    A street that consists of several may be open in neither direction.
    """

    forth: bool
    back: bool


_WORDS: Mapping[str, Street | None] = {
    "both": Street(forth=True, back=True),
    "none": None,
    "right": Street(forth=True, back=False),
    "down": Street(forth=True, back=False),
    "left": Street(forth=False, back=True),
    "up": Street(forth=False, back=True),
}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a tile: its streets and the exits at its edges.

    Attributes:
        streets: each key of `INNER` -> the street there, or None.
        exits: edge -> its two half streets to the neighbouring tile, from left to right or from top to bottom; None
            where there is no street.
        lanes: the taxi lanes, keys of `LANES`.
    """

    streets: Mapping[str, Street | None]
    exits: Mapping[str, tuple[Street | None, ...]]
    lanes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of the dice game: its four places and its two sides.

    Attributes:
        letter: its name.
        stops: the transports that stop at its four places: top left, top right, bottom left, bottom right.
        dark: its side for the normal game.
        light: its side with the rules for experts (DI-06).
    """

    letter: str
    stops: tuple[frozenset[str], ...]
    dark: Side = field(repr=False)
    light: Side = field(repr=False)

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers of the tile's four places (DI-01)."""
        first = 4 * LETTERS.index(self.letter) + 1
        return tuple(range(first, first + 4))

    @property
    def underground(self) -> bool:
        """Whether one of the tile's places is an underground station."""
        return any("underground" in stops for stops in self.stops)

    @property
    def taxi_only(self) -> int:
        """The number of the tile's places that only taxis serve (DI-10)."""
        return sum(stops == {"taxi"} for stops in self.stops)


def read(data: Mapping[str, Any], source: str) -> tuple[str, dict[str, Tile]]:
    """Return a tile set's title, and its tiles by letter, from a file's `data`. Messages call the file `source`.

    Raises:
        BadMap: the file is wrong or contradicts the rules. The message lists up to ten problems, each with the file
            and the entry.
    """
    reader = _TileReader(source)
    title, tiles = reader.tile_set(data)
    if reader.problems:
        raise BadMap(list_problems(source, reader.problems))
    return title, tiles


class _TileReader(Complaints):
    """A reader of one tile file that collects its mistakes and replaces wrong values by harmless ones.

    A missing entry is reported once, when its table is read. Later checks skip this entry, whose value is None.
    """

    def tile_set(self, data: Mapping[str, Any]) -> tuple[str, dict[str, Tile]]:
        top = self._table("", data, ("title", "tiles"))
        title = top.get("title")
        if title is not None and not isinstance(title, str):
            self.problems.append(f"title: {shorten(title)} is not a text")
        table = self._table("tiles", top.get("tiles"), LETTERS)
        tiles = {letter: self._tile(letter, table[letter]) for letter in LETTERS if letter in table}
        if not self.problems:
            self._check_any_six(tiles.values())
        return str(title), tiles

    def _check_any_six(self, tiles: Iterable[Tile]) -> None:
        """Check that three or more tiles have an underground place, and three or more have none.

        Also check that any six tiles, three of each kind, have three or more places that only taxis serve: detectives
        start there.
        """
        under = sorted(tile.taxi_only for tile in tiles if tile.underground)
        others = sorted(tile.taxi_only for tile in tiles if not tile.underground)
        if len(under) < 3 or len(others) < 3:
            found = f"{len(under)} have an underground place and {len(others)} have none"
            self.problems.append(f"tiles: {found}; there must be three or more of each kind")
        elif (fewest := sum(under[:3]) + sum(others[:3])) < 3:
            found = f"six can lie so that only {fewest} of their places are taxi-only"
            self.problems.append(f"tiles: {found}; detectives start there, so there must always be three")

    def _tile(self, letter: str, value: Any) -> Tile:
        before, where = len(self.problems), f"tile {letter}"
        row = self._table(where, value, ("stops", "dark", "light"))
        tile = Tile(
            letter,
            self._stops(f"{where}: stops", row.get("stops")),
            self._side(f"{where}, dark", row.get("dark"), expert=False),
            self._side(f"{where}, light", row.get("light"), expert=True),
        )
        if len(self.problems) == before:
            self._check_traps(f"{where}, dark", tile, tile.dark)
            self._check_traps(f"{where}, light", tile, tile.light)
        return tile

    def _check_traps(self, where: str, tile: Tile, side: Side) -> None:
        """Check that a pawn can leave every place, even if the tile is in a corner of the board."""
        for index in sorted({0, 1, 2, 3} - _leavable_places(tile.stops, side)):
            place = f"place {tile.places[index]} ({_CORNERS[index]})"
            self.problems.append(
                f"{where}: streets: {place} cannot be left inside the tile, so in a corner of the board it is a trap; "
                "let a street or a lane lead on from there"
            )

    def _stops(self, where: str, rows: Any) -> tuple[frozenset[str], ...]:
        if rows is None:
            return ()
        if not isinstance(rows, list) or len(rows) != 4:
            right = f"a list of four texts such as 'taxi bus', for {', '.join(_CORNERS)}"
            self.problems.append(f"{where}: {shorten(rows)} is not {right}")
            return ()
        stops = []
        for corner, row in zip(_CORNERS, rows, strict=True):
            words = row.split() if isinstance(row, str) else []
            if not words or len(set(words)) < len(words) or not set(words) <= set(_STOPS):
                right = f"one or more of {', '.join(_STOPS)}, each once, with spaces between"
                self.problems.append(f"{where}: {corner}: {shorten(row)} is not {right}")
            stops.append(frozenset(words))
        return tuple(stops)

    def _side(self, where: str, value: Any, *, expert: bool) -> Side:
        row = self._table(where, value, ("streets", "exits"), ("lanes",) if expert else ())
        streets = self._table(f"{where}: streets", row.get("streets"), INNER)
        exits = self._table(f"{where}: exits", row.get("exits"), INNER)
        level, upright = _street_words("left", "right", expert=expert), _street_words("up", "down", expert=expert)
        along = {"top": level, "bottom": level, "left": upright, "right": upright}
        across = {"top": upright, "bottom": upright, "left": level, "right": level}
        return Side(
            {key: self._street(f"{where}: streets: {key}", streets.get(key), along[key]) for key in INNER},
            {
                edge: self._exits(f"{where}: exits: {edge}", exits.get(edge), across[edge], _HALVES[edge])
                for edge in INNER
            },
            self._lanes(f"{where}: lanes", row.get("lanes", [])) if expert else (),
        )

    def _street(self, where: str, word: Any, known: tuple[str, ...]) -> Street | None:
        if word is None:
            return None
        if not isinstance(word, str) or word not in known:
            hint = "; one-way streets are on light sides" if word in _ARROWS and len(known) == 2 else ""
            shown = json.dumps(word, ensure_ascii=False) if isinstance(word, str) and len(word) < 40 else shorten(word)
            self.problems.append(f"{where}: {shown} must be {_or(known)}{hint}")
            return None
        return _WORDS[word]

    def _exits(self, where: str, row: Any, known: tuple[str, ...], halves: str) -> tuple[Street | None, ...]:
        if row is None:
            return ()
        if not isinstance(row, list) or len(row) != 2:
            found = (
                f"has {len(row)} entr{'y' if len(row) == 1 else 'ies'}" if isinstance(row, list) else "is not a list"
            )
            self.problems.append(f"{where}: {found}; write two, {halves}, each {_or(known)}")
            return ()
        return tuple(self._street(where, word, known) for word in row)

    def _lanes(self, where: str, row: Any) -> tuple[str, ...]:
        if not isinstance(row, list) or any(not isinstance(lane, str) or lane not in LANES for lane in row):
            self.problems.append(f"{where}: {shorten(row)} is not a list of {' and '.join(map(repr, LANES))}")
            return ()
        if len(set(row)) < len(row):
            self.problems.append(f"{where}: {shorten(row)} names a lane twice; name each once")
        return tuple(row)

    def _table(self, where: str, value: Any, needed: Iterable[str], more: Iterable[str] = ()) -> Mapping[str, Any]:
        """Return a table of the file. It must have all keys `needed`, may have `more`, and no others."""
        if not isinstance(value, Mapping):
            if value is not None:
                self.problems.append(f"{where}: {shorten(value)} is not a table; {_EXAMPLE}")
            return {}
        before, known = f"{where}: " if where else "", (*needed, *more)
        for key in value:
            if key not in known:
                self.problems.append(f"{before}unknown entry {shorten(key)}; known are {', '.join(known)}")
        for key in needed:
            if key not in value:
                self.problems.append(f"{before}{key}: is missing; {_EXAMPLE}")
        return value


def _street_words(*arrows: str, expert: bool) -> tuple[str, ...]:
    """Return the words that a street may use. Only streets for experts may be one-way (DI-06)."""
    return ("both", "none", *arrows) if expert else ("both", "none")


def _or(words: tuple[str, ...]) -> str:
    """List words in quotes: '"both", "none", "left" or "right"'."""
    return ", ".join(f'"{word}"' for word in words[:-1]) + f' or "{words[-1]}"'


def _leavable_places(stops: tuple[frozenset[str], ...], side: Side) -> set[int]:
    """Return the places that a pawn can leave wherever the tile is: within the tile, or by underground."""
    left = {index for index, transports in enumerate(stops) if "underground" in transports}
    for key, (a, b) in INNER.items():
        street = side.streets[key]
        if street is not None and stops[a] & stops[b] & {"taxi", "bus"}:
            left |= {start for start, may in ((a, street.forth), (b, street.back)) if may}
    for lane in side.lanes:
        a, b = LANES[lane]
        if "taxi" in stops[a] & stops[b]:
            left |= {a, b}
    return left
