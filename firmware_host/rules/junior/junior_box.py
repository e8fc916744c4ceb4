"""Define the box of a junior game, and check whether a map suits it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from firmware_host.rules.actions import MR_X, MR_X_JUNIOR
from firmware_host.rules.data.file_reader import BoxReader
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import TRANSPORTS, Network, list_problems, shorten
from firmware_host.rules.setup import Box, Option

BLACK, BLUE = ("black", "blue")

COLOURS: Mapping[str, str] = {MR_X: BLACK, MR_X_JUNIOR: BLUE}
"""The default colours of the pawns of Mister X and his accomplice; he may swap them (JU-01)."""

OPTIONS: Mapping[str, type] = {"x_colour": str}
"""Option of a junior game -> its type. A box lists the options that it has, with their defaults."""

_NEEDED: Mapping[str, type] = {
    "title": str,
    "map": str,
    "detectives_chips": int,
    "mr_x_chips": int,
    "seats": dict,
}
_MOVERS = {2: 1, 3: 2, 4: 2}  # of four players, two are Mister X and his accomplice
_WITH_JUNIOR = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class JuniorBox(Box):
    """The box of a junior game: what is printed in it. `parse` reads it from a file.

    Attributes:
        detectives_chips: how many success chips the detectives need to win (JU-10).
        mr_x_chips: how many success chips Mister X needs to win.
    """

    detectives_chips: int
    mr_x_chips: int

    later: ClassVar[Mapping[str, Option]] = {"x_colour": BLACK}

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that the box allows these options.

        Raises:
            BadSetup: the box does not have the option, or Mister X has no pawn of that colour.
        """
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise BadSetup(f"options: unknown option {name!r} of {self.name}, which has {known}")
            if value not in (BLACK, BLUE):
                raise BadSetup(f"options: {name}: {shorten(value)} is neither {BLACK!r} nor {BLUE!r}")

    def colours(self, options: Mapping[str, Option]) -> Mapping[str, str]:
        """Return the colours of Mister X's and his accomplice's pawns under these options (JU-01)."""
        chosen = {**self.options, **options}.get("x_colour", BLACK)
        return COLOURS if chosen == BLACK else {MR_X: BLUE, MR_X_JUNIOR: BLACK}

    def fugitives(self, players: int) -> tuple[str, ...]:
        """Return the pawns of Mister X's side: his own, and with four players his accomplice's (JU-01)."""
        return (MR_X, MR_X_JUNIOR) if players == _WITH_JUNIOR else (MR_X,)


def parse(name: str, data: Mapping[str, Any], source: str) -> JuniorBox:
    """Read the box of a junior game from a file's `data`. `source` names the file in messages.

    Raises:
        BadEdition: the file is wrong; the message names the file, each entry, and what would be right.
    """
    reader = BoxReader(source, data)
    reader.check_top(_NEEDED, {"options": dict})
    seats = reader.seats(data["seats"], _MOVERS)
    for players, rows in seats.items():
        pawns = [pawn for row in rows for pawn in row]
        if len(pawns) != 2:
            reader.complain("seats", str(players), f"{len(pawns)} pawns; the detectives have two")
        if BLUE in pawns:
            reader.complain("seats", str(players), f"{BLUE} is the colour of Mister X Junior; choose another")
    detectives_chips = reader.number("", data, "detectives_chips", 1, 12)
    mr_x_chips = reader.number("", data, "mr_x_chips", 1, 12)
    options = data.get("options", {})
    reader.check_known("options", options, tuple(OPTIONS))
    reader.word("options", options, "x_colour", (BLACK, BLUE))
    reader.raise_problems()
    return JuniorBox(
        name=name,
        title=data["title"],
        map=data["map"],
        seats=seats,
        order="free",  # JU-05
        windows=detectives_chips + mr_x_chips,
        options=dict(options),
        detectives_chips=detectives_chips,
        mr_x_chips=mr_x_chips,
    )


def check_map(network: Network, pawns: Iterable[str], colours: Mapping[str, str] = COLOURS) -> None:
    """Check that a map marks the start of each pawn, and that each ticket leads to one station at most (JU-03).

    Raises:
        BadSetup: at some station a ticket has several destinations, or a pawn's start is not marked. The message lists
            up to ten reasons.
    """
    problems = []
    for station in network.stations:
        row = network.around(station)
        for transport in TRANSPORTS:
            ends = [to for to, transports in row.items() if transport in transports]
            if len(ends) > 1:
                listed = ", ".join(map(str, ends))
                what = f"station {station}: {transport} leads to {listed}; on a junior map it may lead to one station"
                problems.append(what)
    for pawn in pawns:
        colour = colours.get(pawn, pawn)
        if colour not in network.starts:
            marked = ", ".join(network.starts) or "none"
            problems.append(f"starts: the start of {colour} is not marked; marked are {marked}")
    if problems:
        raise BadSetup(list_problems(network.name, problems))
