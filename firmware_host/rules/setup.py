"""Set up a game from its box, its board and the players' wishes.

A box and a board are data; a rule system turns them, the players' wishes and chance into a `Setup`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain, groupby
from typing import Any, ClassVar, Protocol

from firmware_host.rules.actions import JSON_TYPES, MR_X
from firmware_host.rules.errors import BadRecord, BadSetup
from firmware_host.rules.network import Network, digest_of
from firmware_host.rules.secret import Secret

Option = str | int | bool

NAME = re.compile(r"[a-z][a-z_-]{0,39}", re.IGNORECASE)
"""The pattern of names that an error may quote from a record. It allows no digits, which might be a station."""


class Ground(Protocol):
    """A playing surface: a printed map, or a set of tiles that are laid for each game."""

    @property
    def name(self) -> str:
        """The surface's short name, such as "london"."""

    @property
    def board(self) -> Network:
        """The network of the wired board, which is the same for every layout of tiles."""

    @property
    def to_lay(self) -> str:
        """The letters of the tiles to lay for a game, or "" for a printed map."""

    def lay_tiles(self, layout: str = "") -> Network:
        """Return the network of one game. `layout` says which tiles are laid, "" for a printed map.

        Raises:
            BadSetup: these tiles have no such layout.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """The base class of the boxes of all games, with the fields that they share (ED-01).

    Attributes:
        name: the name in `rules = "…"`.
        title: the title, for people.
        map: the map or the tiles it is played on.
        seats: number of players, Mister X included -> the pawns of each detective player, in playing order.
        order: "fixed"; "player" if each player moves their own pawns in any order; "free" if all detectives move in any
            order.
        windows: how many windows the log has.
        options: the options, with defaults.
    """

    name: str
    title: str
    map: str
    seats: Mapping[int, tuple[tuple[str, ...], ...]] = field(hash=False)
    order: str
    windows: int
    options: Mapping[str, Option] = field(hash=False)

    later: ClassVar[Mapping[str, Option]] = {}
    """Option newer than the first journals -> the value that means the old rules. The digest omits that value."""

    newer: ClassVar[tuple[str, ...]] = ()
    """Fields newer than the first journals. The digest omits fields without a value."""

    def pawns(self, players: int) -> tuple[str, ...]:
        """Return the detective pawns in playing order (CL-01)."""
        return tuple(chain.from_iterable(self.seats[players]))

    def owners(self, players: int) -> dict[str, int]:
        """Return the detective pawns in playing order, each with the number of its player (CL-01, US-01)."""
        return {pawn: player for player, pawns in enumerate(self.seats[players], 1) for pawn in pawns}

    @property
    def sizes(self) -> list[int]:
        """The possible numbers of detective pawns, ascending."""
        return sorted({len(self.pawns(players)) for players in self.seats})

    @property
    def digest(self) -> str:
        """Sixteen characters that identify the rules of the box. Its name and title do not count."""
        options = {name: value for name, value in self.options.items() if self.later.get(name, ...) != value}
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("name", "title")}
        content = [(name, _in_order(value)) for name, value in values.items() if value or name not in self.newer]
        content = [(name, _in_order(options) if name == "options" else value) for name, value in content]
        return digest_of(content)

    def mr_x_starts(self, network: Network) -> tuple[int, ...]:  # noqa: ARG002 - a box may use the map
        """Return the start cards from which Mister X draws, which everyone knows. Empty if he draws no card."""
        return ()

    @property
    def fewest_windows(self) -> int:
        """The smallest value of the option `log_windows` (CL-22)."""
        return 3

    @property
    def usual_players(self) -> int:
        """The default number of players: five, or else the highest number that can play."""
        return 5 if 5 in self.seats else max(self.seats)


def _in_order(value: Any) -> Any:
    """Return a value with its unordered parts sorted, so that equal values look the same."""
    if isinstance(value, Mapping):
        return sorted((key, _in_order(inside)) for key, inside in value.items())
    return sorted(value) if isinstance(value, frozenset) else value


@dataclass(frozen=True, slots=True)
class Wish:
    """The players' wishes for a new game. What they leave open comes from the box or is random.

    Attributes:
        players: how many play, Mister X included.
        detectives: how many detective pawns.
        owners: the player (from 1) who moves each pawn, in playing order.
        start: stations for some or all pawns, Mister X's under "mr_x".
        options: the options that differ from the box's defaults.
    """

    players: int | None = None
    detectives: int | None = None
    owners: Sequence[int] = ()
    start: Mapping[str, int] = field(default_factory=dict, repr=False)
    options: Mapping[str, Option] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """All that is settled before the first move: players, starts and options.

    Attributes:
        edition: the box.
        network: the map in play, or the tiles in their layout.
        owners: the detective pawns in playing order, each with the player who moves it.
        start: the start station of each detective pawn, and of Mister X's accomplice; empty if they are chosen in the
            game (DI-10).
        mr_x: Mister X's start station, his secret to the end (CL-04); 0 if it is chosen in the game (DI-10).
        options: the options that differ from the edition's defaults.
        layout: the layout of the tiles, or "".
    """

    edition: Box = field(repr=False)
    network: Network = field(repr=False)
    owners: Mapping[str, int]
    start: Mapping[str, int]
    mr_x: Secret[int]
    options: Mapping[str, Option] = field(default_factory=dict)
    layout: str = ""

    @property
    def pawns(self) -> tuple[str, ...]:
        """The detective pawns in playing order."""
        return tuple(self.owners)

    def to_record(self) -> dict[str, Any]:
        """Convert the setup to JSON values for the journal. They contain secrets."""
        return {
            "rules": self.edition.name,
            "box": self.edition.digest,
            "map": [self.network.name, self.network.digest],
            "owners": dict(self.owners),
            "start": dict(self.start),
            MR_X: self.mr_x.value,
            "options": dict(self.options),
            "layout": self.layout,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], edition: Box, ground: Ground) -> Setup:
        """Restore the setup from JSON values that `to_record` wrote, for the same edition and board.

        Raises:
            BadRecord: a field is missing or of another type, or the game was played by other rules or on another map.
            BadSetup: the board does not have the recorded layout.
        """
        check_record(record)
        if record["rules"] != edition.name:
            raise BadRecord(
                f"setup: the game was played by {_quoted('the rules', record['rules'])}, not by the {edition.name!r} "
                "of this configuration; put those rules back or begin another game"
            )
        if record.get("box", edition.digest) != edition.digest:  # older journals lack it
            raise BadRecord(
                f"setup: the game began with an earlier file of the edition {edition.name!r}; its file has changed "
                "since; put the earlier file back or begin another game"
            )
        layout = record.get("layout", "")
        network = ground.lay_tiles(layout)
        if record["map"] != [network.name, network.digest]:
            raise BadRecord(
                f"setup: the game was played on {_quoted('the map', record['map'][0])}, which is not the "
                f"{network.name!r} of this configuration; put that map back or begin another game"
            )
        mr_x = Secret(record["mr_x"])
        return cls(edition, network, record["owners"], record["start"], mr_x, record["options"], layout)


def check_record(record: Mapping[str, Any]) -> None:
    """Check that a record has the form that `Setup.to_record` writes, for any rules and map.

    Raises:
        BadRecord: a field is missing or of another type; the message names the field, never its value.
    """
    wanted = {"rules": str, "map": list, "owners": dict, "start": dict, "mr_x": int, "options": dict}
    for name, kind in wanted.items():
        if type(record.get(name)) is not kind:
            raise BadRecord(f"setup: {name} must be {JSON_TYPES[kind]}")
    if type(record.get("layout", "")) is not str:  # journals older than tiles lack it
        raise BadRecord("setup: layout must be a text")
    if [type(word) for word in record["map"]] != [str, str]:
        raise BadRecord("setup: map must be a name and a digest")
    inside: dict[str, tuple[type, ...]] = {"owners": (int,), "start": (int,), "options": (str, int, bool)}
    for name, kinds in inside.items():
        if any(type(key) is not str or type(value) not in kinds for key, value in record[name].items()):
            raise BadRecord(f"setup: {name}: each value must be {' or '.join(JSON_TYPES[kind] for kind in kinds)}")


def _quoted(what: str, name: str) -> str:
    """Quote a name from a record only if it has no digits, because a number might be a secret station."""
    return f"{what} {name!r}" if NAME.fullmatch(name) else f"other {what.removeprefix('the ')}"


def check_numbers(start: Mapping[str, int]) -> None:
    """Check that every wished start is a number. The message quotes none, because one may be Mister X's.

    Raises:
        BadSetup: a start is not a number.
    """
    for pawn, station in start.items():
        if type(station) is not int:
            raise BadSetup(f"start: {pawn}: its station must be a whole number")


def check_pawn_names(start: Mapping[str, int], names: Sequence[str]) -> None:
    """Check that every wished start is a number and belongs to a pawn of this game.

    Raises:
        BadSetup: a start is not a number, or not of a pawn of this game. The message quotes no station, because it
            may be Mister X's.
    """
    for name in start:
        if name not in names:
            raise BadSetup(f"start: there is no pawn {name!r} in this game; there are {', '.join(names)}")
    check_numbers(start)


def check_owners(edition: Box, owners: Mapping[str, int], players: Iterable[int], against: str = "") -> None:
    """Check that a game's pawns and owners are the edition's for one of the given numbers of players.

    Raises:
        BadSetup: the edition has other pawns, and the message ends with `against`; or it has other owners.
    """
    numbers, pawns = [*players], tuple(owners)
    shares = [sorted(map(len, edition.seats[number])) for number in numbers if edition.pawns(number) == pawns]
    if not shares:
        known = " or ".join(sorted({", ".join(edition.pawns(number)) for number in numbers})) or "no detectives"
        raise BadSetup(f"pawns: {', '.join(pawns)}: {edition.name} is played with {known}{against}")
    if pawn_counts(owners.values()) not in shares:
        right = " or ".join(map(_listed, shares))
        raise BadSetup(f"owners: {[*owners.values()]}: in {edition.name} the players must move {right} pawns")


def printed_map(ground: Ground, rules: str) -> Network:
    """Return the printed map of a game, or raise if the game has tiles instead.

    Raises:
        BadSetup: the game has tiles.
    """
    if isinstance(ground, Network):
        return ground.lay_tiles()
    raise BadSetup(f"map: {ground.name} is a set of tiles; {rules} is played on a printed map")


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def pawn_counts(owners: Collection[int]) -> list[int]:
    """Return how many pawns each player has, ascending."""
    counted = [*owners]
    return sorted(map(counted.count, {*counted}))


def owners_of(
    edition: Box, *, players: int | None = None, detectives: int | None = None, owners: Sequence[int] = ()
) -> dict[str, int]:
    """Return which player moves which pawn (CL-01), given the number of players or of detective pawns.

    Args:
        edition: the box.
        players: how many play, Mister X included; by default the highest number with `detectives` pawns, or without
            these the usual number.
        detectives: how many detective pawns; must fit the players if both are given.
        owners: the player (from 1) who moves each pawn, in playing order; empty for the box's own.

    Raises:
        BadSetup: the numbers or owners do not fit the box or each other.
    """
    if players is None:
        players = (
            edition.usual_players
            if detectives is None
            else max((n for n, rows in edition.seats.items() if sum(map(len, rows)) == detectives), default=0)
        )
        if not players:
            sizes = edition.sizes
            counts = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
            raise BadSetup(f"detectives: {detectives} pawns; {edition.name} is played with {counts} of them")
    if players not in edition.seats:
        raise BadSetup(
            f"players: {players} is out of range; {edition.name} is for {min(edition.seats)} to {max(edition.seats)}"
        )
    seats = edition.owners(players)
    if detectives not in (None, len(seats)):
        what = f"detectives: {detectives} pawns do not fit {players} players, who move {len(seats)}"
        raise BadSetup(f"{what}; leave one of the two numbers out")
    if not owners:
        return seats
    if len(owners) != len(seats):
        raise BadSetup(
            f"owners: {[*owners]}: {len(owners)} entries for {len(seats)} pawns; write a player's number for each pawn"
        )
    movers = len(set(seats.values()))
    if sorted(set(owners)) != list(range(1, movers + 1)):
        raise BadSetup(f"owners: {list(owners)}: write each of the players 1 to {movers} at least once, and no others")
    if pawn_counts(owners) != pawn_counts(seats.values()):
        raise BadSetup(f"owners: {list(owners)}: the players must move {_listed(pawn_counts(seats.values()))} pawns")
    if edition.order == "player" and len(list(groupby(owners))) != movers:
        raise BadSetup(
            f"owners: {list(owners)}: in {edition.name} each player's pawns must be next to each other in the list"
        )
    return dict(zip(seats, owners, strict=True))
