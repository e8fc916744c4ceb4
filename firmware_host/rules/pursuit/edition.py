"""Define the box of a pursuit game: hands, decks, windows. Pursuit games differ in data alone."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from firmware_host.rules.actions import MR_X
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Box, Option

OPTIONS: Mapping[str, type] = {
    "x_fares": str,
    "last_chance": bool,
    "log_windows": int,
    "voluntary_surfacing": bool,
    "cut_off": bool,
    "uncover_half": bool,
}
"""All options that a pursuit game can offer; each edition names its own, with their defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition(Box):
    """A pursuit game as one box prints it (ED-01); `edition_file.parse` reads it from a file.

    Attributes:
        hand: taxi, bus and underground tickets of one detective pawn.
        mr_x_hand: Mister X's tickets likewise; None if he pays from the common pile, uncounted (ED-01).
        blacks: Mister X's black tickets; None: one for each detective pawn.
        doubles: his double-move cards.
        surfacing: the windows at which Mister X shows himself.
        in_sight: whether his pawn stands on the board except after moves that hide him: those of the other windows, and
            those paid with a black ticket (BE-05 to BE-07).
        fares: "tickets", or "none" if no tickets are paid (BE-03); then nobody has a hand.
        closed: the transports that nobody can use (BE-03).
        rounds: after how many rounds the game is over (BE-11); None: it is over when the log is full (CL-22).
        last_chance: whether the detectives still move when the log is full, unless that is an option (CL-22, US-04).
        cards: the detectives' start cards; empty: the map's one deck, for Mister X as well.
        mr_x_cards: his own deck; empty: the same deck as the detectives'.
        posts: the detectives' start stations: so many detectives, so many of the first of these (BE-01); empty: they
            draw cards.
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

    later: ClassVar[Mapping[str, Option]] = {"uncover_half": False}

    def mr_x_starts(self, network: Network) -> tuple[int, ...]:
        """Return the start cards that Mister X's is drawn from; the detectives' may be among them."""
        return mr_x_cards(self, network)


def deal(
    edition: Edition,
    network: Network,
    pawns: Sequence[str],
    chance: random.Random,
    start: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Draw start stations for all pawns, Mister X's among them, from the edition's decks (CL-04, BE-01).

    Pawns with a station in `start` keep it; the others draw without replacement. Pure but for `chance`, which is
    advanced.

    Raises:
        BadSetup: there are too few start cards.
    """
    stations = dict(start or {})
    theirs, his = _decks(edition, network, sum(pawn != MR_X for pawn in pawns))
    decks: dict[tuple[int, ...], list[str]] = {}
    for pawn in pawns:
        if pawn not in stations:
            decks.setdefault(his if pawn == MR_X else theirs, []).append(pawn)
    for deck, names in decks.items():
        taken = {*stations.values()}
        cards = [card for card in deck if card not in taken]
        if len(cards) < len(names):
            raise BadSetup(f"{edition.name}: {len(cards)} start cards do not suffice for {len(names)} pawns")
        stations |= dict(zip(names, chance.sample(cards, len(names)), strict=True))
    return {pawn: stations[pawn] for pawn in pawns}


def check_decks(edition: Edition, network: Network) -> None:
    """Check that start cards never run out, however they are drawn, and lie on the map (CL-04, BE-01).

    Raises:
        BadSetup: they run out, or do not lie on the map.
    """
    for pawns in reversed(edition.sizes):
        theirs, his = _decks(edition, network, pawns)
        lost = [card for card in (*theirs, *his) if card not in network.stations]
        if lost:
            raise BadSetup(f"{edition.name}: start card {lost[0]}: there is no such station on {network.name}")
        drawn = pawns + (theirs == his)
        if len(theirs) < drawn:
            raise BadSetup(f"{edition.name}: {len(theirs)} start cards do not suffice for {drawn} pawns")
        if theirs != his and len(his) <= min(pawns, len(set(his).intersection(theirs))):
            raise BadSetup(f"{edition.name}: {pawns} detectives may draw all {len(his)} start cards of {MR_X}")


def mr_x_cards(edition: Edition, network: Network) -> tuple[int, ...]:
    """Return the start cards that Mister X's is drawn from; the detectives' may be among them."""
    return edition.mr_x_cards or edition.cards or network.start_cards


def _decks(edition: Edition, network: Network, pawns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the start cards for so many detectives, and Mister X's; both may be the same deck."""
    return edition.posts[:pawns] or edition.cards or network.start_cards, mr_x_cards(edition, network)
