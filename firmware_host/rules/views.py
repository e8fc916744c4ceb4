"""What may be seen of a game: by everyone (`PublicView`) and by Mister X (`MrXView`).

Views are built field by field by the rule systems, never by deleting from a state. Everything outside `rules`
works on views alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import Action, PawnMove
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `winner` is "detectives" or "mr_x", `reason` one word of the rule system's."""

    winner: str
    reason: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One window of Mister X's log: its number from 1, the ticket on it, the station if it is open to all.

    `double` marks the two halves of a double move (1 and 2; 0 for a simple move).
    """

    window: int
    ticket: str
    station: int | None
    double: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A detective pawn that could not move this round, and why: "immobilised" or "blocked" (CL-19)."""

    pawn: str
    why: str


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everyone at the table may know.

    Attributes:
        rules: the rule system's name, such as "classic".
        network: the map in play.
        round: counted from 1.
        turn: the pawns that may act now; ("mr_x",) while it is Mister X's turn; empty once the game is over.
        order: all detective pawns, in playing order.
        owners: which player (from 1) moves which pawn.
        pawns: where each pawn stands; Mister X's only while he is visible.
        stale: the station that Mister X's pawn has to be taken off, since he has moved on hidden (PB-06).
        log: one entry for each window filled.
        windows: how many windows the log has.
        surfacing: the windows at which Mister X surfaces.
        tickets: what each owner of tickets has left, Mister X under "mr_x" (with "black" and "double").
        moves: what the detectives in `turn` may do; never anything of Mister X's.
        double: which half of a double move Mister X is in now: 0 none, 1 or 2.
        giving: the pawns from which Mister X has yet to take a ticket, for having shown himself (US-10).
        skipped: the detectives passed over in this round.
        outcome: how it ended, or None.
        route: after the end, Mister X's stations from the start on; before it, empty (CL-24).
    """

    rules: str
    network: Network = field(repr=False)
    round: int
    turn: tuple[str, ...]
    order: tuple[str, ...]
    owners: Mapping[str, int]
    pawns: Mapping[str, int]
    stale: int | None
    log: tuple[LogEntry, ...]
    windows: int
    surfacing: frozenset[int]
    tickets: Mapping[str, Mapping[str, int]]
    moves: tuple[PawnMove, ...]
    double: int
    skipped: tuple[Skipped, ...]
    outcome: Outcome | None
    route: tuple[int, ...]
    giving: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MrXView:
    """What Mister X may know: all that is public, and his secrets.

    Attributes:
        public: the view everyone has.
        at: where he is.
        route: his stations, the start first, then one for each log entry.
        choices: what he may do now; empty when it is not his turn.
        shows: whether he will show himself after his next move, by the log or because he has announced it (US-10).
    """

    public: PublicView
    at: Secret[int]
    route: Secret[tuple[int, ...]]
    choices: Secret[tuple[Action, ...]]
    shows: bool = False
