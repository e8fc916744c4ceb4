"""Define the views of a game: everyone's (`PublicView`) and Mister X's (`MrXView`).

Rule systems build views field by field, never by deleting from a state. Code that shows a game uses only views.
What all games share is here; the rest is in `dice_view`, `junior_view` and `pursuit_view`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import FUGITIVES, MR_X, Action, PawnMove
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret

DoubleMoves = Mapping[Action, tuple[Action, ...]]
"""Each first half of a double move -> its second halves."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: `winner` is "detectives" or "mr_x", `reason` a word of the rule system."""

    winner: str
    reason: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One window of Mister X's log: its number from 1, its ticket, and its station if that is public."""

    window: int
    ticket: str
    station: int | None
    double: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A detective pawn that could not move this round.

    `why` is "immobilised" or "blocked" (CL-19), or "no_die" in the dice game (DI-14).
    """

    pawn: str
    why: str


@dataclass(frozen=True, slots=True)
class LastMove:
    """A pawn's last move that everyone saw, from `origin` to `to`. `ticket` is "" if it is unknown."""

    pawn: str
    origin: int
    to: int
    ticket: str


@dataclass(frozen=True, slots=True)
class ToRoll:
    """The dice that must be rolled before any move.

    Attributes:
        count: how many dice.
        faces: the faces that a die can show.
        by_hand: whether the players roll real dice and enter the faces.
    """

    count: int
    faces: tuple[str, ...]
    by_hand: bool


class Happening:
    """An effect of an action that the board does not show, such as a chip won. Each game defines its own."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PublicView:
    """The public view of any game. A game with further public information has a subclass.

    Attributes:
        rules: the rule system's name, such as "classic".
        network: the map in play.
        round: counted from 1; 0 while the starts are chosen (DI-10).
        turn: the pawns that may act now: one of `fugitives` while it is Mister X's turn; empty once the game is over.
        order: all detective pawns, in playing order.
        owners: which player (from 1) moves which pawn.
        pawns: each pawn's station; Mister X's only while he is visible, and once the game is over.
        stale: the stations from which Mister X's pawns must be removed, because he has moved on (PB-06).
        log: one entry for each filled window.
        windows: how many windows the log has.
        surfacing: the windows at which Mister X surfaces.
        tickets: pawn -> ticket -> how many are left, Mister X's under "mr_x" (with "black" and "double").
        moves: the legal moves of the detectives in `turn`; never Mister X's. With `STAY` a pawn goes nowhere, with
            `START` it enters the board.
        double: the half of a double move that Mister X is in now, 1 or 2; 0 if none.
        skipped: the detectives skipped in this round.
        moved: the detectives that have moved in this round, or chosen to stay, in playing order.
        outcome: how the game ended, or None.
        route: after the end, Mister X's stations from the start on; before it, empty (CL-24).
        fugitives: Mister X's pawns: one, or two in the junior game with four players.
        in_sight: whether Mister X is visible after most moves. `surfacing` then has all windows but the hidden ones
            (BE-05).
        open_moves: Mister X's moves with his own pawn on the board; only if everyone sees him before and after the move
            (BE-05).
        extras: table key such as "table.back" -> another action that it plays for the detectives (DI-15).
        layout: the layout of this game's tiles, row by row (DI-02); "" on a printed map.
        rounds: the number of rounds after which the game is over (ED-01, BE-11); 0 if rounds do not end it.
    """

    rules: str
    network: Network = field(repr=False)
    round: int
    turn: tuple[str, ...]
    order: tuple[str, ...]
    owners: Mapping[str, int]
    pawns: Mapping[str, int]
    stale: frozenset[int]
    log: tuple[LogEntry, ...]
    windows: int
    surfacing: frozenset[int]
    tickets: Mapping[str, Mapping[str, int]]
    moves: tuple[PawnMove, ...]
    double: int
    skipped: tuple[Skipped, ...]
    outcome: Outcome | None
    route: tuple[int, ...]
    moved: tuple[str, ...] = ()
    fugitives: tuple[str, ...] = (MR_X,)
    in_sight: bool = False
    open_moves: tuple[PawnMove, ...] = ()
    extras: Mapping[str, Action] = field(default_factory=dict)
    layout: str = ""
    rounds: int = 0

    @property
    def mr_x_to_move(self) -> bool:
        """Whether Mister X's side has to act, on the handset or with a visible pawn."""
        return bool(self.turn) and self.turn[0] in FUGITIVES

    @property
    def marked(self) -> frozenset[int]:
        """The log's marked windows: where Mister X surfaces or, in a game where he is visible, where he vanishes."""
        return frozenset(range(1, self.windows + 1)) - self.surfacing if self.in_sight else self.surfacing

    @property
    def last_window(self) -> int:
        """The last window that Mister X can still fill: a limit on rounds may leave windows empty (ED-01)."""
        if not self.rounds:
            return self.windows
        moves_now = (2 if self.double == 1 else 1) if self.mr_x_to_move else 0
        turns = self.rounds - self.round + (1 if self.mr_x_to_move and not self.double else 0)
        doubles = min(self.tickets[MR_X]["double"], turns)
        return len(self.log) + moves_now + self.rounds - self.round + doubles

    @property
    def to_roll(self) -> ToRoll | None:
        """The dice that have to be rolled now, or None if a move is due."""
        return None

    def happened_since(self, before: PublicView) -> Happening | None:  # noqa: ARG002 - most boards show all
        """Return the latest event after an earlier view that the board does not show, or None."""
        return None


@dataclass(frozen=True, slots=True)
class MrXView:
    """Mister X's view: the public view and his secrets.

    Attributes:
        public: the view everyone has.
        at: his station.
        route: his stations, the start first, then one for each move or pass.
        choices: what he may do now; empty when it is not his turn.
        shows: whether he will surface after his next move, by the log or by announcement (US-10).
        actor: the pawn of Mister X's that `choices` and `at` belong to.
    """

    public: PublicView
    at: Secret[int]
    route: Secret[tuple[int, ...]]
    choices: Secret[tuple[Action, ...]]
    shows: bool = False
    actor: str = MR_X
