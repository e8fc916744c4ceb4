"""What one printed box says: hands, decks, windows. The differences between pursuit games are data."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from firmware_host.rules.actions import MR_X
from firmware_host.rules.errors import BadRecord, BadSetup
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret

Option = str | int | bool

OPTIONS: Mapping[str, type] = {
    "x_fares": str,
    "last_chance": bool,
    "log_windows": int,
    "voluntary_surfacing": bool,
    "cut_off": bool,
}
"""All options that a pursuit game can offer; each edition names its own, with their defaults."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A pursuit game as one box prints it (ED-01). `parse` reads one from its file.

    Attributes:
        name: what `rules = "…"` calls it.
        title: what it is, for people.
        map: the map it is played on.
        seats: number of players, Mister X included -> for each of the others the pawns he moves, in playing order.
        order: "fixed", or "player" if a player moves all of his pawns in the order he likes.
        hand: taxi, bus and underground tickets of one detective pawn.
        mr_x_hand: the same for Mister X.
        blacks: Mister X's black tickets; None: one for each detective pawn.
        doubles: his double-move cards.
        windows: how many windows the log has.
        surfacing: the windows at which Mister X shows himself.
        last_chance: whether the detectives still move when the log is full, unless that is an option (CL-22, US-04).
        cards: the detectives' start cards; empty: the map's one deck, for Mister X as well.
        mr_x_cards: his own deck; empty: the same deck as the detectives'.
        options: what players may choose, with defaults.
    """

    name: str
    title: str
    map: str
    seats: Mapping[int, tuple[tuple[str, ...], ...]]
    order: str
    hand: tuple[int, int, int]
    mr_x_hand: tuple[int, int, int]
    blacks: int | None
    doubles: int
    windows: int
    surfacing: frozenset[int]
    last_chance: bool
    cards: tuple[int, ...]
    mr_x_cards: tuple[int, ...]
    options: Mapping[str, Option]

    def owners(self, players: int) -> dict[str, int]:
        """The detective pawns in playing order, each with the player (from 1) who moves it (CL-01, US-01)."""
        return {pawn: player for player, pawns in enumerate(self.seats[players], 1) for pawn in pawns}

    @property
    def sizes(self) -> list[int]:
        """With how many detective pawns it can be played, from the fewest up."""
        return sorted({len(self.owners(players)) for players in self.seats})


@dataclass(frozen=True, slots=True)
class Setup:
    """All that is settled before the first move: who plays, where everyone starts, by which options.

    Attributes:
        edition: the box.
        network: the map in play.
        owners: the detective pawns in playing order, each with the player who moves it.
        start: the start station of each detective pawn.
        mr_x: Mister X's start station, his secret to the end (CL-04).
        options: the options that differ from the edition's defaults.
    """

    edition: Edition = field(repr=False)
    network: Network = field(repr=False)
    owners: Mapping[str, int]
    start: Mapping[str, int]
    mr_x: Secret[int]
    options: Mapping[str, Option] = field(default_factory=dict)

    @property
    def pawns(self) -> tuple[str, ...]:
        """The detective pawns in playing order."""
        return tuple(self.owners)

    def to_record(self) -> dict[str, Any]:
        """The setup as plain JSON values, secrets included: for the journal alone."""
        return {
            "rules": self.edition.name,
            "map": [self.network.name, self.network.digest],
            "owners": dict(self.owners),
            "start": dict(self.start),
            "mr_x": self.mr_x.value,
            "options": dict(self.options),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], edition: Edition, network: Network) -> Setup:
        """The setup that `to_record` wrote, of the same edition and on the same map.

        Raises:
            BadRecord: a field is missing or of another type, or the game was played by other rules or on another map.
        """
        wanted = {"rules": str, "map": list, "owners": dict, "start": dict, "mr_x": int, "options": dict}
        for name, kind in wanted.items():
            if type(record.get(name)) is not kind:
                raise BadRecord(f"setup: {name} must be a {kind.__name__}")
        inside: dict[str, tuple[type, ...]] = {"owners": (int,), "start": (int,), "options": (str, int, bool)}
        for name, kinds in inside.items():
            for key, value in record[name].items():
                if type(key) is not str or type(value) not in kinds:
                    raise BadRecord(f"setup: {name}: {key!r} must have a {' or '.join(k.__name__ for k in kinds)}")
        if record["rules"] != edition.name:
            raise BadRecord(
                f"setup: the game was played by the rules {record['rules']!r}, not by the {edition.name!r} "
                "of this configuration; put those rules back or start a new game"
            )
        if record["map"] != [network.name, network.digest]:
            played_on = "".join(map(str, record["map"][:1]))
            raise BadRecord(
                f"setup: the game was played on the map {played_on!r}, which is not the {network.name!r} "
                "of this configuration; put that map back or start a new game (run --new)"
            )
        return cls(
            edition,
            network,
            record["owners"],
            record["start"],
            Secret(record["mr_x"]),
            record["options"],
        )


def shares(owners: Collection[int]) -> list[int]:
    """How many pawns the players move, from the fewest up."""
    return sorted(Counter(owners).values())


def owners_of(
    edition: Edition, *, players: int | None = None, detectives: int | None = None, owners: Sequence[int] = ()
) -> dict[str, int]:
    """Who moves which pawn (CL-01), from the number of players or of detective pawns.

    Args:
        edition: the box.
        players: 3 to 6, Mister X included; by default one for each detective pawn, and Mister X.
        detectives: how many detective pawns; must fit the players if both are given.
        owners: for each pawn in playing order the player (from 1) who moves it; empty: the box's own.

    Raises:
        BadSetup: the numbers do not fit each other.
    """
    if players is None:
        players = (
            5
            if detectives is None
            else max((n for n in edition.seats if len(edition.owners(n)) == detectives), default=0)
        )
        if not players:
            sizes = edition.sizes
            raise BadSetup(f"detectives: {detectives} pawns; {edition.name} is played with {sizes[0]} to {sizes[-1]}")
    if players not in edition.seats:
        raise BadSetup(f"players: {players}; {edition.name} is for {min(edition.seats)} to {max(edition.seats)}")
    seats = edition.owners(players)
    if detectives not in (None, len(seats)):
        raise BadSetup(f"detectives: {detectives} pawns do not fit {players} players, who move {len(seats)}")
    if not owners:
        return seats
    if len(owners) != len(seats):
        raise BadSetup(
            f"owners: {len(owners)} owners for {len(seats)} detective pawns; with {players} players write {len(seats)}"
        )
    if sorted(set(owners)) != list(range(1, players)):
        raise BadSetup(
            f"owners: {list(owners)}; each of the players 1 to {players - 1} must move a pawn, and no one else"
        )
    if shares(owners) != shares(seats.values()):
        raise BadSetup(f"owners: {list(owners)}; the {players - 1} detectives move {shares(seats.values())} pawns")
    if edition.order == "player" and len(list(groupby(owners))) != players - 1:
        raise BadSetup(f"owners: {list(owners)}; in {edition.name} a player's pawns move one after another")
    return dict(zip(seats, owners, strict=True))


def deal(
    edition: Edition, network: Network, pawns: Sequence[str], chance: random.Random, taken: Collection[int] = ()
) -> dict[str, int]:
    """Start stations for pawns (Mister X among them), drawn without replacement (CL-04), from the edition's decks.

    Cards of stations that are `taken` already are left out. Pure but for `chance`, which is advanced.

    Raises:
        BadSetup: there are too few start cards.
    """
    decks: dict[tuple[int, ...], list[str]] = {}
    for pawn in pawns:
        own = edition.mr_x_cards if pawn == MR_X else ()
        decks.setdefault(own or edition.cards or network.start_cards, []).append(pawn)
    drawn: dict[str, int] = {}
    for deck, names in decks.items():
        cards = [card for card in deck if card not in taken and card not in drawn.values()]
        if len(cards) < len(names):
            raise BadSetup(f"{edition.name}: {len(cards)} start cards do not suffice for {len(names)} pawns")
        drawn |= dict(zip(names, chance.sample(cards, len(names)), strict=True))
    return {pawn: drawn[pawn] for pawn in pawns}
