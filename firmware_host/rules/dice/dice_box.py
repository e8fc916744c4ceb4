"""Define the box of a dice game, and read its file. Module `dice_game` has the rules. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from firmware_host.rules.actions import BUS, TAXI, UNDERGROUND
from firmware_host.rules.data.file_reader import KINDS, BoxReader
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import shorten
from firmware_host.rules.setup import Box, Option

BLANK = "x"
"""The face that detectives cannot use (DI-13). It also covers Mister X's moves that use none of their dice."""

FACES = (TAXI, BUS, UNDERGROUND, BLANK)
"""All faces of a die (DI-08), in the order in which rolled dice are shown."""

MOST_IN_SMALL_GAME = 2
"""The most detective players of a small game, which has fewer tiles, dice and black tickets (DI-02, DI-09)."""

OPTIONS: Mapping[str, type] = {"experts": bool, "dice": str, "layout": str, "log_windows": int, "reveal_route": bool}
"""Option of a dice game -> its type. A box lists the options that it has, with their defaults."""

_ALWAYS = ("experts", "dice", "layout")  # the options of every box


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceBox(Box):
    """The box of a dice game: what is printed in it. `parse` reads it from a file.

    Attributes:
        surfacing: the moves after which Mister X surfaces (DI-23).
        dice: how many dice there are in all (DI-08).
        faces: face -> how many of a die's six sides show it.
        hand: how many dice three detective players roll (DI-09).
        small_hand: how many dice one or two detective players roll.
        tokens: the detectives' tokens for rolling again (DI-15).
        blacks: Mister X's black tickets against three detective players.
        small_blacks: Mister X's black tickets against one or two.
        doubles: Mister X's double moves.
        helicopters: Mister X's flights (DI-21).
    """

    surfacing: frozenset[int]
    dice: int
    faces: Mapping[str, int]
    hand: int
    small_hand: int
    tokens: int
    blacks: int
    small_blacks: int
    doubles: int
    helicopters: int

    later: ClassVar[Mapping[str, Option]] = {"log_windows": 13, "reveal_route": False}

    @property
    def fewest_windows(self) -> int:
        """The fewest windows that a log can have: one less than usual, because the start fills the first (DI-26)."""
        return self.windows - 1

    def is_small(self, owners: Collection[int]) -> bool:
        """Return whether the game is small: one or two detective players. `owners` lists the player of each pawn."""
        return len(set(owners)) <= MOST_IN_SMALL_GAME

    def tiles(self, owners: Collection[int]) -> int:
        """Return how many tiles are laid: all nine, or six in the small game (DI-02)."""
        return 6 if self.is_small(owners) else 9

    def light_tiles(self, owners: Collection[int]) -> int:
        """Return how many tiles have their light side up in a game for experts (DI-06)."""
        return 2 if self.is_small(owners) else 3

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that the box allows these options. Which tiles are laid is checked elsewhere.

        Raises:
            BadSetup: the box does not have an option, or its value has a wrong type or is not allowed.
        """
        for name, value in options.items():
            if name not in self.options:
                raise BadSetup(f"options: unknown option {name!r} of {self.name}; known are {', '.join(self.options)}")
            if type(value) is not OPTIONS[name]:
                raise BadSetup(f"options: {name}: {shorten(value)} is not {KINDS[OPTIONS[name]]}")
        if options.get("dice", "rolled") not in ("rolled", "entered"):
            raise BadSetup(f"options: dice: {shorten(options['dice'])} is neither 'rolled' nor 'entered'")
        windows = options.get("log_windows", self.windows)
        if windows not in (self.fewest_windows, self.windows):
            raise BadSetup(f"options: log_windows: {windows} is neither {self.fewest_windows} nor {self.windows}")


_NEEDED: Mapping[str, type] = {
    "title": str,
    "map": str,
    "windows": int,
    "surfacing": list,
    "dice": int,
    "seats": dict,
    "faces": dict,
    "detectives": dict,
    "mr_x": dict,
    "options": dict,
}
_LAYOUT = re.compile("[A-Ia-i]{3}( [A-Ia-i]{3}){1,2}")  # `TileSet` checks whether the layout is possible
_MOVERS = {2: 1, 3: 2, 4: 3}
_PAWNS = {2: (2,), 3: (1, 1), 4: (1, 1, 1)}  # DI-11


def parse(name: str, data: Mapping[str, Any], source: str) -> DiceBox:
    """Read the box of a dice game from a file's `data`. `source` names the file in messages.

    Raises:
        BadEdition: the file is wrong; the message names the file, each entry, and what would be right.
    """
    reader = BoxReader(source, data)
    reader.check_top(_NEEDED)
    windows = reader.number("", data, "windows", 3, 24)
    detectives, mr_x = data["detectives"], data["mr_x"]
    reader.check_known("detectives", detectives, ("hand", "small_hand", "tokens"))
    reader.check_known("mr_x", mr_x, ("black", "small_black", "double", "helicopter"))
    dice = reader.number("", data, "dice", 1, 24)
    box = DiceBox(
        name=name,
        title=data["title"],
        map=data["map"],
        seats=_seats(reader, data["seats"]),
        order="fixed",
        windows=windows,
        surfacing=frozenset(reader.numbers("", data, "surfacing", windows)),
        dice=dice,
        faces=_faces(reader, data["faces"]),
        hand=reader.number("detectives", detectives, "hand", 1, dice, needed=True),
        small_hand=reader.number("detectives", detectives, "small_hand", 1, dice, needed=True),
        tokens=reader.number("detectives", detectives, "tokens", 0, 24, needed=True),
        blacks=reader.number("mr_x", mr_x, "black", 0, 24, needed=True),
        small_blacks=reader.number("mr_x", mr_x, "small_black", 0, 24, needed=True),
        doubles=reader.number("mr_x", mr_x, "double", 0, 12, needed=True),
        helicopters=reader.number("mr_x", mr_x, "helicopter", 0, 24, needed=True),
        options=_options(reader, data["options"], windows),
    )
    reader.raise_problems()
    if (most := _most_covers(box)) > dice:
        reader.complain(
            "",
            "dice",
            f"{dice} dice are too few: with this surfacing up to {most} are on the log; write {most} or more",
        )
    reader.raise_problems()
    return box


def _seats(reader: BoxReader, table: Mapping[str, Any]) -> dict[int, tuple[tuple[str, ...], ...]]:
    """Return which player moves which pawns: a single detective player has two, otherwise each has one (DI-11)."""
    seats = reader.seats(table, _MOVERS)
    for players, rows in seats.items():
        if tuple(map(len, rows)) != _PAWNS[players]:
            right = "write two pawns for a single player of detectives, or one for each of several"
            shown = shorten([list(row) for row in rows])
            reader.complain("seats", str(players), f"{shown} is wrong for {players} players; {right}")
    return seats


def _faces(reader: BoxReader, table: Mapping[str, Any]) -> dict[str, int]:
    reader.check_known("faces", table, FACES)
    faces = {face: reader.number("faces", table, face, 0, 6) for face in FACES}
    if sum(faces.values()) != 6:
        reader.complain("faces", ", ".join(FACES), f"are {sum(faces.values())} sides together; a die has six")
    return {face: count for face, count in faces.items() if count}


def _options(reader: BoxReader, table: Mapping[str, Any], windows: int) -> dict[str, Option]:
    reader.check_known("options", table, tuple(OPTIONS))
    for key in _ALWAYS:
        if key not in table:
            reader.complain("options", key, f"is missing; write {KINDS[OPTIONS[key]]}")
    for key, value in table.items():
        if key in OPTIONS and type(value) is not OPTIONS[key]:
            reader.complain("options", key, f"{shorten(value)} is not {KINDS[OPTIONS[key]]}")
    reader.word("options", table, "dice", ("rolled", "entered"))
    if reader.data["windows"] == windows and table.get("log_windows", windows) not in (windows - 1, windows):
        what = f"is neither {windows - 1} nor {windows}"
        reader.complain("options", "log_windows", f"{shorten(table['log_windows'])} {what}")
    layout = table.get("layout", "")
    if type(layout) is str and layout and not _LAYOUT.fullmatch(layout):
        what = "is not three rows, or two, of three tiles, such as 'ABC DEF GHI'; or \"\" to have them drawn"
        reader.complain("options", "layout", f"{shorten(layout)} {what}")
    return dict(table)


def _most_covers(box: DiceBox) -> int:
    """Return the largest number of log entries, Mister X's start included, that dice cover until he surfaces."""
    stops = [-1, *sorted(box.surfacing), box.windows]
    return max(later - earlier for earlier, later in pairwise(stops))
