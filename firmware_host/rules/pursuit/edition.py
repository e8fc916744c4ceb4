"""Read and check the file of a pursuit game (ED-01), and draw its start cards (CL-04, BE-01)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from firmware_host.rules.actions import MR_X
from firmware_host.rules.data.file_reader import KINDS, BoxReader
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import TRANSPORTS, Network, shorten
from firmware_host.rules.setup import Box, Option

OPTIONS: Mapping[str, type] = {
    "x_fares": str,
    "last_chance": bool,
    "log_windows": int,
    "voluntary_surfacing": bool,
    "cut_off": bool,
    "uncover_half": bool,
}
"""Option of a pursuit game -> its type. An edition lists the options that it has, with their defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition(Box):
    """The box of a pursuit game: what is printed in it (ED-01). `parse` reads it from a file.

    Attributes:
        hand: taxi, bus and underground tickets of one detective pawn.
        mr_x_hand: Mister X's tickets of the same three kinds; None if he pays from an unlimited common pile (ED-01).
        blacks: Mister X's black tickets; None: one for each detective pawn.
        doubles: Mister X's double-move cards.
        surfacing: the windows at which Mister X surfaces.
        in_sight: whether Mister X's pawn stands on the board except after hidden moves. A move is hidden if its window
            is not in `surfacing`, or if a black ticket paid for it (BE-05 to BE-07).
        fares: "tickets", or "none" if no tickets are paid (BE-03); then nobody has a hand.
        closed: the transports that nobody can use (BE-03).
        rounds: the number of rounds after which the game is over (BE-11); None: when the log is full (CL-22).
        last_chance: whether the detectives still move when the log is full, unless the option of that name decides it
            (CL-22, US-04).
        cards: the detectives' start cards; empty: they draw the map's start cards, unless there are `posts`.
        mr_x_cards: Mister X's own start cards; empty: he draws from `cards` or, if they are empty, the map's.
        posts: the detectives' start stations, of which n detectives use the first n (BE-01); empty: they draw cards.
        bobbies: number of players -> the pawns that are Bobbies: they pay no tickets and have none (ED-01).
    """

    hand: tuple[int, int, int]
    mr_x_hand: tuple[int, int, int] | None
    blacks: int | None
    doubles: int
    surfacing: frozenset[int]
    in_sight: bool = False
    fares: str = "tickets"
    closed: tuple[str, ...] = ()
    rounds: int | None = None
    last_chance: bool
    cards: tuple[int, ...]
    mr_x_cards: tuple[int, ...]
    posts: tuple[int, ...] = ()
    bobbies: Mapping[int, tuple[str, ...]] = field(default_factory=dict, hash=False)

    newer: ClassVar[tuple[str, ...]] = ("bobbies",)
    later: ClassVar[Mapping[str, Option]] = {"uncover_half": False}

    def mr_x_starts(self, network: Network) -> tuple[int, ...]:
        """Return the start cards from which Mister X draws. The detectives may draw from the same cards."""
        return self.mr_x_cards or self.cards or network.start_cards

    def bobbies_among(self, owners: Mapping[str, int]) -> tuple[str, ...]:
        """Return the Bobbies among a game's detective pawns. `owners`: pawn -> the player who moves it."""
        return self.bobbies.get(1 + len({*owners.values()}), ())


_NEEDED: Mapping[str, type] = {
    "title": str,
    "map": str,
    "windows": int,
    "order": str,
    "seats": dict,
    "detective": dict,
    "mr_x": dict,
    "options": dict,
}
_OPTIONAL: Mapping[str, type] = {
    "surfacing": list,
    "hidden": list,
    "fares": str,
    "closed": list,
    "rounds": int,
    "last_chance": bool,
    "bobbies": dict,
}
_HAND = ("taxi", "bus", "underground")
_MOVERS = {players: players - 1 for players in (2, 3, 4, 5, 6)}


def parse(name: str, data: Mapping[str, Any], source: str) -> Edition:
    """Read the edition of a pursuit game from a file's `data`. `source` names the file in messages.

    Raises:
        BadEdition: the file is wrong; the message names the file, each entry, and what would be right.
    """
    reader = BoxReader(source, data)
    reader.check_top(_NEEDED, _OPTIONAL)
    known = len(reader.problems)
    windows = reader.number("", data, "windows", 3, 24)
    if len(reader.problems) > known:
        windows = 24  # so that no other key is wrong only because of this one
    fares = reader.word("", data, "fares", ("tickets", "none"))
    hand = _HAND if fares == "tickets" else ()
    detective, mr_x = data["detective"], data["mr_x"]
    reader.check_known("detective", detective, (*hand, "cards", "posts"))
    reader.check_known("mr_x", mr_x, (*hand, "black", "double", "cards"))
    counted = fares == "none" or any(ticket in mr_x for ticket in _HAND)  # otherwise he pays from the common pile
    needed = bool(hand) and fares == data.get("fares", "tickets")  # otherwise the tickets that are needed are unknown
    seats = reader.seats(data["seats"], _MOVERS)
    found = Edition(
        name=name,
        title=data["title"],
        map=data["map"],
        seats=seats,
        order=reader.word("", data, "order", ("fixed", "player", "free")),
        hand=_hand(reader, "detective", detective, needed=needed),
        mr_x_hand=_hand(reader, "mr_x", mr_x, needed=needed) if counted else None,
        blacks=reader.number("mr_x", mr_x, "black", 0, 24) if "black" in mr_x else None,
        doubles=reader.number("mr_x", mr_x, "double", 0, 12, needed=True),
        windows=windows,
        surfacing=_surfacing(reader, data, windows),
        in_sight="hidden" in data,
        fares=fares,
        closed=_closed(reader, data.get("closed", [])),
        rounds=reader.number("", data, "rounds", 1, 24) if "rounds" in data else None,
        last_chance=reader.flag("", data, "last_chance"),
        cards=tuple(reader.numbers("detective", detective, "cards", 9999)),
        mr_x_cards=tuple(reader.numbers("mr_x", mr_x, "cards", 9999)),
        posts=tuple(reader.numbers("detective", detective, "posts", 9999)),
        bobbies=_bobbies(reader, data.get("bobbies", {}), seats),
        options=_options(reader, data["options"], windows),
    )
    _contradictions(reader, found)
    if "last_chance" in data and "last_chance" in data["options"]:
        reader.complain("", "last_chance", "is also under [options]; write one of the two")
    reader.raise_problems()
    return found


def _hand(reader: BoxReader, section: str, table: Mapping[str, Any], *, needed: bool) -> tuple[int, int, int]:
    taxi, bus, underground = (reader.number(section, table, ticket, 0, 99, needed=needed) for ticket in _HAND)
    return taxi, bus, underground


def _bobbies(
    reader: BoxReader, table: Mapping[str, Any], seats: Mapping[int, tuple[tuple[str, ...], ...]]
) -> dict[int, tuple[str, ...]]:
    """Return the pawns that pay no tickets (Bobbies), for each number of players that has some (ED-01)."""
    known = {str(players): [pawn for row in rows for pawn in row] for players, rows in seats.items()}
    reader.check_known("bobbies", table, known)
    found: dict[int, tuple[str, ...]] = {}
    for key in known.keys() & table.keys():
        row = table[key]
        if what := _fault_of_bobbies(row, key, known[key]):
            reader.complain("bobbies", key, what)
        else:
            found[int(key)] = tuple(row)
    return found


def _fault_of_bobbies(row: Any, players: str, pawns: Sequence[str]) -> str:
    """Return what is wrong with the Bobbies of a number of players, or ""."""
    right = f"write some of {', '.join(pawns)}"
    if not isinstance(row, list):
        return f"{shorten(row)} is not a list of pawns; {right}"
    names = [*map(str, row)]
    if strange := [shorten(pawn) for pawn in row if str(pawn) not in pawns]:
        what = "is not a pawn" if len(strange) == 1 else "are not pawns"
        return f"{', '.join(strange)} {what} of {players} players; {right}"
    if twice := next((name for name in names if names.count(name) > 1), ""):
        return f"{shorten(twice)} is there twice; keep one of them"
    if {*names} == {*pawns}:
        return f"{', '.join(names)} are all pawns of {players} players; leave out those that pay tickets"
    return ""


def _surfacing(reader: BoxReader, data: Mapping[str, Any], windows: int) -> frozenset[int]:
    """Return the windows at which Mister X surfaces: those listed, or all that are not `hidden` (BE-06)."""
    if "hidden" not in data:
        if "surfacing" not in data:
            reader.complain("", "surfacing", "is missing; write it, or `hidden` for a Mister X who is in sight")
        return frozenset(reader.numbers("", data, "surfacing", windows))
    if "surfacing" in data:
        reader.complain("", "surfacing", "is not allowed beside `hidden`; write one of the two")
    return frozenset(range(1, windows + 1)).difference(reader.numbers("", data, "hidden", windows))


def _closed(reader: BoxReader, row: list[Any]) -> tuple[str, ...]:
    """Return the transports that nobody can use (BE-03)."""
    if any(transport not in TRANSPORTS for transport in row) or len(set(row)) != len(row):
        reader.complain("", "closed", f"{shorten(row)} is not a list of transports, each once: {', '.join(TRANSPORTS)}")
        return ()
    if set(row).issuperset(_HAND):
        reader.complain("", "closed", f"leaves the detectives nothing to ride; leave out one of {', '.join(_HAND)}")
    return tuple(row)


def _contradictions(reader: BoxReader, found: Edition) -> None:
    """Record the contradictions between entries that are each valid alone."""
    most = max(found.sizes, default=0)
    if found.posts and found.cards:
        reader.complain("detective", "posts", "is not allowed beside cards; write one of the two")
    elif found.posts and len(found.posts) < most:
        what = f"{len(found.posts)} stations are too few for {most} pawns; list at least {most}"
        reader.complain("detective", "posts", what)
    read = (reader.data.get("rounds"), reader.data["mr_x"].get("double")) == (found.rounds, found.doubles)
    if read and found.rounds is not None and found.windows < found.rounds + found.doubles:
        wanted = f"{found.rounds} rounds and {found.doubles} double moves"
        least = found.rounds + found.doubles
        reader.complain("", "windows", f"{found.windows} are too few for {wanted}; write {least} or more")
    if found.bobbies and found.fares == "none":
        reader.complain("", "bobbies", "have no effect where no tickets are paid; leave them out")
    pointless = {
        "Mister X pays from the common pile": ("x_fares", "voluntary_surfacing") if found.mr_x_hand is None else (),
        "no tickets are paid": ("x_fares", "voluntary_surfacing") if found.fares == "none" else (),
        "Mister X is in sight": ("voluntary_surfacing",) if found.in_sight else (),
        "Bobbies have no tickets to take": ("voluntary_surfacing",) if found.bobbies else (),
        "Mister X is out of sight": () if found.in_sight else ("uncover_half",),
        "the rounds end the game": ("last_chance", "log_windows") if found.rounds is not None else (),
    }
    for why, options in pointless.items():
        for option in options:
            if option in found.options:
                reader.complain("options", option, f"has no effect where {why}; leave it out")


def _options(reader: BoxReader, table: Mapping[str, Any], windows: int) -> dict[str, Option]:
    reader.check_known("options", table, tuple(OPTIONS))
    for key, value in table.items():
        if key in OPTIONS and type(value) is not OPTIONS[key] and key != "x_fares":  # its words are listed below
            reader.complain("options", key, f"{shorten(value)} is not {KINDS[OPTIONS[key]]}")
    if table.get("x_fares", "unlimited") not in ("unlimited", "counted"):
        reader.complain("options", "x_fares", f"{shorten(table['x_fares'])} is neither 'unlimited' nor 'counted'")
    shortest = table.get("log_windows", windows)
    if type(shortest) is int and not 3 <= shortest <= windows:
        reader.complain(
            "options", "log_windows", f"{shorten(shortest)} is out of range; write a whole number from 3 to {windows}"
        )
    return dict(table)


def deal(
    edition: Edition,
    network: Network,
    pawns: Sequence[str],
    rng: random.Random,
    start: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Draw a start station for every pawn, Mister X's included, from the edition's or map's cards (CL-04, BE-01).

    Pawns with a station in `start` keep it; the others draw without replacement. Pure, except that it draws from `rng`.

    Raises:
        BadSetup: there are too few start cards.
    """
    stations = dict(start or {})
    theirs, his = _decks(edition, network, len(pawns) - (MR_X in pawns))
    drawing = [pawn for pawn in pawns if pawn not in stations]
    if theirs == his:
        decks = [(theirs, drawing)]
    else:
        decks = [
            (theirs, [pawn for pawn in drawing if pawn != MR_X]),
            (his, [pawn for pawn in drawing if pawn == MR_X]),
        ]
    for deck, names in decks:
        taken = {*stations.values()}
        cards = [card for card in deck if card not in taken]
        if len(cards) < len(names):
            raise BadSetup(_too_few(edition, len(cards), len(names)))
        stations |= dict(zip(names, rng.sample(cards, len(names)), strict=True))
    return {pawn: stations[pawn] for pawn in pawns}


def check_decks(edition: Edition, network: Network, pawns: int) -> None:
    """Check that there are enough start cards, and that each names a station of the map (CL-04, BE-01).

    Raises:
        BadSetup: the cards may run out, or a card names no station of the map.
    """
    theirs, his = _decks(edition, network, pawns)
    lost = [card for card in (*theirs, *his) if card not in network.stations]
    if lost:
        raise BadSetup(f"{edition.name}: start card {lost[0]}: there is no such station on {network.name}; correct it")
    drawn = pawns + (theirs == his)
    if len(theirs) < drawn:
        raise BadSetup(_too_few(edition, len(theirs), drawn))
    if theirs != his and len(his) <= min(pawns, len(set(his).intersection(theirs))):
        what = f"{pawns} detectives may draw all {len(his)} start cards of {MR_X}; write more of them"
        raise BadSetup(f"{edition.name}: {what}")


def _too_few(edition: Edition, cards: int, pawns: int) -> str:
    what = f"{cards} start cards do not suffice for {pawns} pawns of {edition.name}"
    return f"{what}; write {pawns} or more, or play with fewer players"


def _decks(edition: Edition, network: Network, pawns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the start cards for these detective pawns, and Mister X's. Both may be the same cards."""
    return edition.posts[:pawns] or edition.cards or network.start_cards, edition.mr_x_starts(network)
