"""What the table shows at one moment: everything public that lamps, display and web page are drawn from.

No words but why a device ails.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from firmware_host.referee.announcements import Announcement
from firmware_host.referee.ask import NEW_GAME, Ask, Kind
from firmware_host.referee.computer_pawns import Seats, computer_pawns
from firmware_host.referee.readings import EMPTY, HERE, RETURN, Reading, Settled
from firmware_host.rules.actions import PawnMove
from firmware_host.rules.views import LastMove, PublicView


class Phase(StrEnum):
    """Where the table is in the course of an evening; in `CARRY_OUT` hands move a pawn as a computer has done."""

    NO_GAME = "no_game"
    SET_UP = "set_up"
    RESUME = "resume"
    CARRY_OUT = "carry_out"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class ToCarryOut:
    """A computer's move that hands have yet to make on the board.

    Attributes:
        move: the move.
        origin: where its pawn stood; None if it came onto the board.
        unfelt: whether the switch of its station cannot tell that it has come, so that a key has to.
    """

    move: PawnMove
    origin: int | None
    unfelt: bool


@dataclass(frozen=True, slots=True)
class Health:
    """A device's state ("ok", "degraded" or "lost"), the reason in words, and since when.

    Attributes:
        state: "ok", "degraded" or "lost".
        reason: why, in words: English ones, to be said later.
        since: since when, in seconds on the table's clock.
        at: the same on the wall clock, in seconds since 1970.
    """

    state: str = "ok"
    reason: str = ""
    since: float = 0.0
    at: float = 0.0

    def __str__(self) -> str:
        return f"{self.state}: {self.reason}" if self.reason else self.state


class CoachMode(StrEnum):
    """How much the coach tells.

    Attributes:
        OFF: nothing.
        STATIONS: where Mister X may be.
        ADVICE: what to do, too.
    """

    OFF = "off"
    STATIONS = "stations"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class CoachHints:
    """What the coach tells at this moment, from what everyone knows.

    Attributes:
        tells: how much was asked for.
        stations: where Mister X may be -> how likely, 1 in all; empty while it thinks, or knows nothing.
        advice: the move that it would make now, if it was asked for and there is one.
        trouble: why it can tell nothing in this game, or "".
    """

    tells: CoachMode = CoachMode.OFF
    stations: Mapping[int, float] = field(default_factory=dict)
    advice: PawnMove | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of the table, public through and through.

    Attributes:
        phase: where the evening is.
        view: the public view of the game, or None while there is none.
        reading: what the switches say of it.
        wrong: how urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently.
        asked: the moves between which the table asks by key: one pawn, one station, several tickets; or one
            move that awaits the confirm key.
        set_down: Mister X's pawn, or pawns -> the station it has to be set down on.
        take_off: the stations on which a pawn of Mister X's still stands and has to be taken off.
        masked: stations whose switch is out of order and not listened to.
        ailing: the devices that are degraded or lost, each with its health.
        ask: what the players should do or answer next.
        announcement: what has just happened and the board does not show, if anything.
        paused: why the game has to wait, or "".
        places: where a human finds the switches of those stations: station -> "chip 8, pin F".
        entered: the faces of dice rolled by hand that have been entered so far.
        seats: the seats that computers play.
        names: the seats of people who gave a name -> what they are called.
        to_carry_out: the computer's move that hands have yet to make, if any.
        coach: what the coach tells; nothing where nobody has asked for it.
        last_moves: the last move of each pawn that everyone saw move.
        helped: whether simulated hands set pawns down, so that nobody else is asked to.
        since: when (clock seconds) this phase, this log length, or the end came about: rhythms start there.
        computers: the pawns that computers move.
        thinking: the pawns on turn, if computers move all of them; else none.
    """

    phase: Phase
    view: PublicView | None
    reading: Reading
    wrong: int
    asked: tuple[PawnMove, ...]
    set_down: Mapping[str, int]
    take_off: frozenset[int]
    masked: frozenset[int]
    ailing: Mapping[str, Health]
    since: float
    entered: tuple[str, ...] = ()
    places: Mapping[int, str] = field(default_factory=dict)
    ask: Ask = NEW_GAME
    announcement: Announcement | None = None
    paused: str = ""
    seats: Seats = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    to_carry_out: ToCarryOut | None = None
    coach: CoachHints = field(default_factory=CoachHints)
    last_moves: tuple[LastMove, ...] = ()
    helped: bool = False

    computers: frozenset[str] = field(init=False, compare=False)
    thinking: tuple[str, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Work out what computers move."""
        computers, turn = computer_pawns(self.view, self.seats), () if self.view is None else self.view.turn
        object.__setattr__(self, "computers", computers)
        object.__setattr__(self, "thinking", turn if computers.issuperset(turn) else ())

    @property
    def questions(self) -> tuple[PawnMove, ...]:
        """All that the table asks about a pawn or a switch: `asked`, or what the sentence asks otherwise."""
        ask, view = self.ask, self.view
        if self.asked or view is None:
            return self.asked
        if ask.kind is Kind.BACK_OR_NOT:
            return (PawnMove(ask.pawns[0], ask.station or view.pawns[ask.pawns[0]], RETURN),)
        if ask.kind is Kind.MR_X_MOVED and isinstance(self.reading, Settled):
            return self.reading.silent
        if ask.kind is Kind.SWITCH and ask.pawns:
            return (PawnMove(ask.pawns[0], ask.station, HERE),)
        station = ask.station if ask.kind is Kind.SWITCH else ask.doubts
        return (PawnMove(view.order[0], station, EMPTY),) if station else ()

    @property
    def to_clear(self) -> frozenset[int]:
        """The stations of `take_off`; none while a pawn of Mister X's has to be set down first."""
        fugitives = set() if self.view is None else self.set_down.keys() & self.view.pawns.keys()
        return frozenset() if fugitives or self.view is None else self.take_off
