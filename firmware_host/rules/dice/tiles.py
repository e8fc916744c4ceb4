"""Define the tile set of the dice game, and build the network of a layout of tiles (DI-01 to DI-07).

A layout is written row by row, such as "ABC DEF GHI": an upper-case letter for a tile on its dark side, a lower-case
one for its light side. The board is a tray of 6 × 6 fields for the tiles; six tiles leave its lower third empty.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Any

from firmware_host.rules.data.tile_file import LANES, LETTERS, Side, Street, Tile, read
from firmware_host.rules.errors import BadMap, BadSetup
from firmware_host.rules.network import TRANSPORTS, Link, Network, Station, digest_of, shorten
from firmware_host.system.language import gettext_noop, translatable

TRAY = 6
"""The number of rows of the tray, and of fields in each row."""

_NO_SUCH_TILE = gettext_noop("layout {layout}: no tile is called {tile}; they are A to I, or a to i")
_TILE_TWICE = gettext_noop("layout {layout}: tile {tile} lies twice; there is one of each")
_ROWS = gettext_noop("layout {layout}: write three rows, or two, of three tiles, such as 'ABC DEF GHI'")
_UNDERGROUNDS = gettext_noop(
    "layout {layout}: of six tiles three must have an underground place, not {count}; those are {tiles}"
)

_SHAPES: Mapping[int, tuple[int, int]] = {1: (2, 2), 2: (2, 2), 3: (3, 3)}
"""Number of detective players -> rows of tiles, and how many light sides are up in a game for experts."""

Cell = tuple[int, int]
"""Row and column of a place in the layout, both from 0."""

Ways = Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Tiling(Network):
    """The network of one layout of tiles. Its stations are the tiles' places, listed row by row.

    `links` has a link between any two joined places, even if the street is one-way. `around` respects the direction.

    Attributes:
        layout: the layout of the tiles.
        rows: the places on the board, row by row.
        stops: place -> the transports that stop there (DI-03).
        letters: place -> the upper-case letter of its tile.
        barred: start, end and transport of each ride against a one-way street (DI-06).
        tile_set: the digest of its tile set; "" if the set is unknown.
    """

    layout: str
    rows: tuple[tuple[int, ...], ...] = field(repr=False)
    stops: Mapping[int, frozenset[str]] = field(repr=False)
    letters: Mapping[int, str] = field(repr=False)
    barred: frozenset[tuple[int, int, str]] = field(repr=False)
    tile_set: str = field(default="", repr=False)
    _against: Mapping[int, Ways] = field(init=False, repr=False)
    _opposite: Mapping[int, tuple[int, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        rows, bound = self._rows, {start for start, _, _ in self.barred}
        free = {start: self._rides_from(start, rows[start], barred=False) for start in bound}
        against = {start: self._rides_from(start, rows[start], barred=True) for start in bound}
        object.__setattr__(self, "_rows", {place: free.get(place, row) for place, row in rows.items()})
        object.__setattr__(self, "_against", {place: against.get(place, {}) for place in rows})
        object.__setattr__(self, "_opposite", _find_opposites(self.rows))

    def _rides_from(self, start: int, ways: Ways, *, barred: bool) -> Ways:
        """Return the rides from a place: only those against one-way streets if `barred`, else only the others."""
        chosen = {
            end: tuple(t for t in transports if ((start, end, t) in self.barred) is barred)
            for end, transports in ways.items()
        }
        return {end: transports for end, transports in chosen.items() if transports}

    def around(self, station: int) -> Ways:
        """Return the legal rides from a place (DI-06): destination -> transports, in the order of `TRANSPORTS`."""
        return self._rows[station]

    def against(self, station: int) -> Ways:
        """Return the rides that need a black ticket: by taxi or bus against a one-way street (DI-06)."""
        return self._against[station]

    def opposite(self, station: int) -> tuple[int, ...]:
        """Return the places at the opposite edge of the board, where a helicopter can fly (DI-21).

        A corner has two, first the one in its row. A place that is not at an edge has none.
        """
        return self._opposite[station]

    def transports(self, station: int) -> tuple[str, ...]:
        """Return the transports that stop at a place, in the order of `TRANSPORTS` (DI-03)."""
        return tuple(t for t in TRANSPORTS if t in self.stops[station])

    @property
    def digest(self) -> str:
        """Sixteen characters that identify the layout's tiles, stops and rides."""
        stops = [(place, self.transports(place)) for place in self.stations]
        content = (self.layout, stops, self.links, sorted(self.barred))
        return digest_of(content)

    def changed(self, *, add: Iterable[Link] = (), remove: Iterable[Link] = ()) -> Network:
        """Return this network if there is nothing to change. Links can only be changed on printed maps (ED-02).

        Raises:
            BadMap: links are to be added or removed.
        """
        if [*add, *remove]:
            raise BadMap(f"{self.name}: links of tiles cannot be changed one by one; change the tiles in their file")
        return self


@dataclass(frozen=True, eq=False)
class TileSet:
    """A set of nine tiles, from which each game's board is laid.

    Attributes:
        name: its short name, such as "yardboard".
        title: the title, for people.
        tiles: letter -> tile.
        board: the tray for the tiles: 36 fields without links, numbered row by row.
    """

    name: str
    title: str
    tiles: Mapping[str, Tile] = field(repr=False)
    board: Network = field(init=False, repr=False)

    def __post_init__(self) -> None:
        fields = {1 + row * TRAY + column: (row, column) for row in range(TRAY) for column in range(TRAY)}
        stations = {number: _place_station(number, cell) for number, cell in fields.items()}
        object.__setattr__(self, "board", Network(self.name, self.title, 1.0, (), stations, ()))

    @property
    def to_lay(self) -> str:
        """The letters of all tiles."""
        return LETTERS

    @cached_property
    def digest(self) -> str:
        """Sixteen characters that identify the set's tiles."""
        content = [
            (
                letter,
                tile.places,
                [sorted(stops) for stops in tile.stops],
                [
                    (sorted(side.streets.items()), sorted(side.exits.items()), side.lanes)
                    for side in (tile.dark, tile.light)
                ],
            )
            for letter, tile in sorted(self.tiles.items())
        ]
        return digest_of(content)

    @property
    def undergrounds(self) -> frozenset[str]:
        """The letters of the tiles with an underground place (DI-02)."""
        return frozenset(letter for letter, tile in self.tiles.items() if tile.underground)

    def draw(self, players_detectives: int, experts: bool, rng: random.Random) -> str:
        """Draw a random layout with `rng`.

        Args:
            players_detectives: how many players are detectives, 1 to 3: three play on all tiles, fewer on six, three of
                them with an underground place (DI-02).
            experts: whether some tiles have their light side up: three of nine, or two of six (DI-06).
            rng: the random generator.

        Raises:
            BadSetup: the number of players is wrong.
        """
        if players_detectives not in _SHAPES:
            raise BadSetup(f"detectives: {players_detectives} players; the dice game is for 1 to 3 of them")
        rows, turned = _SHAPES[players_detectives]
        drawn = list(LETTERS)
        if rows == 2:
            others = sorted(set(LETTERS) - self.undergrounds)
            drawn = rng.sample(sorted(self.undergrounds), 3) + rng.sample(others, 3)
        rng.shuffle(drawn)
        light = rng.sample(drawn, turned) if experts else []
        text = "".join(letter.lower() if letter in light else letter for letter in drawn)
        return " ".join(text[start : start + 3] for start in range(0, len(text), 3))

    def lay_tiles(self, layout: str = "") -> Tiling:
        """Lay tiles and return the network of the game. While a layout is cached, it returns the same object.

        Raises:
            BadSetup: the layout is not possible (DI-02); the message names the reason.
        """
        self._check(layout)
        return _build_network(self, layout)

    def _check(self, layout: str) -> None:
        """Check that a layout of tiles is possible.

        Raises:
            BadSetup: the layout is not valid.
        """
        where = shorten(layout)
        for letter in layout.replace(" ", ""):
            if letter not in LETTERS + LETTERS.lower():
                raise BadSetup(translatable(_NO_SUCH_TILE, layout=where, tile=shorten(letter)))
        letters = layout.replace(" ", "").upper()
        for letter in letters:
            if letters.count(letter) > 1:
                raise BadSetup(translatable(_TILE_TWICE, layout=where, tile=letter))
        if [len(row) for row in layout.split(" ")] not in ([3, 3, 3], [3, 3]):
            raise BadSetup(translatable(_ROWS, layout=where))
        under = sorted(self.undergrounds.intersection(letters))
        if len(letters) == 6 and len(under) != 3:
            letters_under = ", ".join(sorted(self.undergrounds))
            raise BadSetup(translatable(_UNDERGROUNDS, layout=where, count=len(under), tiles=letters_under))


KEPT_LAYOUTS = 16
"""The number of layouts that are cached, 60 kB each: that of the game, and those of games seen lately."""


def parse(name: str, data: Mapping[str, Any], source: str) -> TileSet:
    """Read a tile set from a file's `data`. `source` names the file in messages. Pure.

    Raises:
        BadMap: the file is wrong or contradicts the rules. The message lists up to ten problems, each with the file
            and the entry.
    """
    return TileSet(name, *read(data, source))


@lru_cache(maxsize=KEPT_LAYOUTS)
def _build_network(tiles: TileSet, layout: str) -> Tiling:
    """Build the network of a checked layout."""
    lying = _LaidTiles(tiles, layout)
    lying.find_rides()
    places = lying.places
    return Tiling(
        name=tiles.name,
        title=tiles.title,
        aspect=1.0,
        start_cards=(),
        stations={place: _place_station(place, cell) for cell, place in places.items()},
        links=tuple(sorted(lying.links, key=attrgetter("a", "b", "transport", "via"))),
        layout=layout,
        rows=tuple(tuple(places[row, column] for column in range(lying.width)) for row in range(lying.height)),
        stops={place: lying.stops[cell] for cell, place in places.items()},
        letters={place: lying.tiles[row // 2, column // 2].letter for (row, column), place in places.items()},
        barred=frozenset(lying.barred),
        tile_set=tiles.digest,
    )


class _LaidTiles:
    """The laid tiles of a layout, from which the rides between their places are found."""

    def __init__(self, tiles: TileSet, layout: str) -> None:
        rows = layout.split(" ")
        self.height, self.width = 2 * len(rows), 2 * len(rows[0])
        named = {(i, j): letter for i, row in enumerate(rows) for j, letter in enumerate(row)}
        self.tiles = {spot: tiles.tiles[letter.upper()] for spot, letter in named.items()}
        self.sides: dict[Cell, Side] = {
            spot: tile.dark if named[spot].isupper() else tile.light for spot, tile in self.tiles.items()
        }
        self.cells = [(row, column) for row in range(self.height) for column in range(self.width)]
        self.places = {cell: self._tile(cell).places[_corner_of(cell)] for cell in self.cells}
        self.stops = {cell: self._tile(cell).stops[_corner_of(cell)] for cell in self.cells}
        self.links: list[Link] = []
        self.barred: set[tuple[int, int, str]] = set()

    def _tile(self, cell: Cell) -> Tile:
        return self.tiles[cell[0] // 2, cell[1] // 2]

    def find_rides(self) -> None:
        """Find all rides between the places of the layout."""
        for cell in self.cells:
            for right in (True, False):
                self._join_by_taxi(cell, right=right)
                self._join_by_bus(cell, right=right)
        for a, b in self._lanes():
            if "taxi" in self.stops[a] & self.stops[b]:
                self._join(a, b, "taxi", Street(forth=True, back=True))
        stations = [cell for cell in self.cells if "underground" in self.stops[cell]]
        for a, b in combinations(stations, 2):
            self._join(a, b, "underground", Street(forth=True, back=True))

    def _join_by_taxi(self, cell: Cell, *, right: bool) -> None:
        """Join a place by taxi with the place on its right, or below it."""
        street, end = self._street(cell, right=right), _neighbour(cell, right=right)
        if street is not None and "taxi" in self.stops[cell] & self.stops[end]:
            self._join(cell, end, "taxi", street)

    def _join_by_bus(self, cell: Cell, *, right: bool) -> None:
        """Join a bus stop with the next bus stop in a straight line, to the right or downwards."""
        if "bus" not in self.stops[cell]:
            return
        whole, end = Street(forth=True, back=True), cell
        over: list[int] = []
        while (street := self._street(end, right=right)) is not None:
            whole = _chain(whole, street)
            end = _neighbour(end, right=right)
            if "bus" in self.stops[end]:
                self._join(cell, end, "bus", whole, tuple(over))
                return
            over.append(self.places[end])

    def _join(self, start: Cell, end: Cell, transport: str, street: Street, over: tuple[int, ...] = ()) -> None:
        a, b = self.places[start], self.places[end]
        self.links.append(Link(a, b, transport, over) if a < b else Link(b, a, transport, over[::-1]))
        if not street.forth:
            self.barred.add((a, b, transport))
        if not street.back:
            self.barred.add((b, a, transport))

    def _street(self, cell: Cell, *, right: bool) -> Street | None:
        """Return the street from a place to the place on its right or below it, or None if there is no street."""
        (row, column), (i, j) = cell, (cell[0] // 2, cell[1] // 2)
        if right and column % 2 == 0:
            return self.sides[i, j].streets["bottom" if row % 2 else "top"]
        if right:
            return _join_exits(self._exit((i, j), "right", row % 2), self._exit((i, j + 1), "left", row % 2))
        if row % 2 == 0:
            return self.sides[i, j].streets["right" if column % 2 else "left"]
        return _join_exits(self._exit((i, j), "bottom", column % 2), self._exit((i + 1, j), "top", column % 2))

    def _exit(self, spot: Cell, edge: str, half: int) -> Street | None:
        """Return the exit of a tile at one half of an edge, or None if there is no tile."""
        return self.sides[spot].exits[edge][half] if spot in self.sides else None

    def _lanes(self) -> Iterator[tuple[Cell, Cell]]:
        """Yield both ends of each taxi lane."""
        for (i, j), side in self.sides.items():
            for lane in side.lanes:
                first, last = ((2 * i + end // 2, 2 * j + end % 2) for end in LANES[lane])
                yield first, last


def _place_station(number: int, cell: Cell) -> Station:
    """Return a station in the middle of a field of the board."""
    row, column = cell
    return Station(number, (column + 0.5) / TRAY, (row + 0.5) / TRAY)


def _corner_of(cell: Cell) -> int:
    """Return where a place is on its tile: 0 top left, 1 top right, 2 bottom left, 3 bottom right."""
    return 2 * (cell[0] % 2) + cell[1] % 2


def _neighbour(cell: Cell, *, right: bool) -> Cell:
    row, column = cell
    return (row, column + 1) if right else (row + 1, column)


def _chain(first: Street, second: Street) -> Street:
    """Combine two consecutive streets into one, open in each direction in which both are open."""
    return Street(first.forth and second.forth, first.back and second.back)


def _join_exits(first: Street | None, second: Street | None) -> Street | None:
    """Return the street that two meeting exits form, or None if one of them is missing."""
    return None if first is None or second is None else _chain(first, second)


def _find_opposites(rows: tuple[tuple[int, ...], ...]) -> dict[int, tuple[int, ...]]:
    """Return the opposite places of each place: first the one in its row, then the one in its column."""
    found: dict[int, tuple[int, ...]] = {}
    for i, row in enumerate(rows):
        for j, place in enumerate(row):
            across = (row[-1 - j],) if j in (0, len(row) - 1) else ()
            along = (rows[-1 - i][j],) if i in (0, len(rows) - 1) else ()
            found[place] = across + along
    return found
