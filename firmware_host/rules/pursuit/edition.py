"""Define the box of a pursuit game: hands, decks, windows. Pursuit games differ in data alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

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
        return self.mr_x_cards or self.cards or network.start_cards
