"""What one printed box says: hands, decks, windows. The differences between pursuit games are data."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from firmware_host.rules.errors import BadRecord, BadSetup
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret

Option = str | int | bool


@dataclass(frozen=True, slots=True)
class Edition:
    """A pursuit game as one box prints it.

    Attributes:
        name: what `rules = "…"` calls it.
        pawns: the detectives' pawns in playing order; a game with fewer uses the first ones.
        owners: number of players, Mister X included -> for each pawn the player (from 1) who moves it.
        hand: taxi, bus and underground tickets of one detective pawn.
        mr_x_hand: the same for Mister X.
        doubles: Mister X's double-move cards. Black tickets: one for each detective pawn.
        windows: how many windows the log has.
        surfacing: the windows at which Mister X shows himself.
    """

    name: str
    pawns: tuple[str, ...]
    owners: Mapping[int, tuple[int, ...]]
    hand: tuple[int, int, int]
    mr_x_hand: tuple[int, int, int]
    doubles: int
    windows: int
    surfacing: frozenset[int]


CLASSIC = Edition(
    name="classic",
    pawns=("red", "yellow", "green", "blue", "purple"),
    owners={3: (1, 1, 2, 2), 4: (1, 2, 3), 5: (1, 2, 3, 4), 6: (1, 2, 3, 4, 5)},  # CL-01
    hand=(10, 8, 4),  # CL-03
    mr_x_hand=(4, 3, 3),  # CL-02
    doubles=2,
    windows=24,  # CL-22
    surfacing=frozenset({3, 8, 13, 18}),  # CL-14
)
"""Ravensburger 2000, no. 26 117 8."""


@dataclass(frozen=True, slots=True)
class Setup:
    """All that is settled before the first move: who plays, where everyone starts, by which options.

    Attributes:
        rules: the rule system's name.
        network: the map in play.
        owners: the detective pawns in playing order, each with the player who moves it.
        start: the start station of each detective pawn.
        mr_x: Mister X's start station, his secret to the end (CL-04).
        options: the options that differ from the rule system's defaults.
    """

    rules: str
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
            "rules": self.rules,
            "map": [self.network.name, self.network.digest],
            "owners": dict(self.owners),
            "start": dict(self.start),
            "mr_x": self.mr_x.value,
            "options": dict(self.options),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], network: Network) -> Setup:
        """The setup that `to_record` wrote, on the same map.

        Raises:
            BadRecord: a field is missing or of another type, or the game was played on another map.
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
        if record["map"] != [network.name, network.digest]:
            played_on = "".join(map(str, record["map"][:1]))
            raise BadRecord(
                f"setup: the game was played on the map {played_on!r}, which is not the {network.name!r} "
                "of this configuration; put that map back or start a new game (run --new)"
            )
        return cls(
            record["rules"],
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
        pawns = 4 if detectives is None else detectives
        fitting = [n for n, row in edition.owners.items() if len(row) == pawns]
        if not fitting:
            sizes = sorted({len(row) for row in edition.owners.values()})
            raise BadSetup(f"detectives: {pawns} pawns; {edition.name} is played with {sizes[0]} to {sizes[-1]}")
        players = max(fitting)
    if players not in edition.owners:
        raise BadSetup(f"players: {players}; {edition.name} is for {min(edition.owners)} to {max(edition.owners)}")
    row = tuple(owners) or edition.owners[players]
    if detectives not in (None, len(edition.owners[players])):
        raise BadSetup(f"detectives: {detectives} pawns do not fit {players} players, who move {len(row)}")
    if len(row) != len(edition.owners[players]):
        pawns = len(edition.owners[players])
        raise BadSetup(f"owners: {len(row)} owners for {pawns} detective pawns; with {players} players write {pawns}")
    if sorted(set(row)) != list(range(1, players)):
        raise BadSetup(f"owners: {list(row)}; each of the players 1 to {players - 1} must move a pawn, and no one else")
    if shares(row) != shares(edition.owners[players]):
        raise BadSetup(
            f"owners: {list(row)}; the {players - 1} detectives move {shares(edition.owners[players])} pawns"
        )
    return dict(zip(edition.pawns, row, strict=False))


def deal(network: Network, pawns: Sequence[str], chance: random.Random, taken: Collection[int] = ()) -> dict[str, int]:
    """Start stations for pawns (Mister X among them), drawn without replacement from the one deck (CL-04).

    Cards of stations that are `taken` already are left out. Pure but for `chance`, which is advanced.

    Raises:
        BadSetup: the map has too few start cards.
    """
    cards = [card for card in network.start_cards if card not in taken]
    if len(cards) < len(pawns):
        raise BadSetup(f"{network.name}: {len(cards)} start cards do not suffice for {len(pawns)} pawns")
    return dict(zip(pawns, chance.sample(cards, len(pawns)), strict=True))
