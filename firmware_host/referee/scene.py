"""Define the scene: all public data of one moment, from which lamps, displays and pages are drawn.

It holds almost no words; `ui` puts it into words. The exceptions are reasons, such as why a device does not work, and
the places of switches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto

from firmware_host.referee.readings import EMPTY, HERE, RETURN, Reading, Settled
from firmware_host.rules.actions import MR_X, STAY, PawnMove
from firmware_host.rules.views import Happening, LastMove, PublicView

# ---- computers' pawns ------------------------------------------------------------------------------------------------

Seats = Mapping[str, str]
"""The seats of a game that computers play: "mr_x", or a player's number as text -> the name of the computer player."""


def computer_pawns(view: PublicView | None, seats: Seats) -> frozenset[str]:
    """Return the pawns that computers move."""
    if view is None or not seats:
        return frozenset()
    theirs = (pawn for pawn, owner in view.owners.items() if str(owner) in seats)
    return frozenset((*theirs, *(view.fugitives if MR_X in seats else ())))


def without_computer_moves(view: PublicView, seats: Seats) -> PublicView:
    """Return a game's view with neither turn nor legal moves for the pawns that computers move.

    While it is a computer's turn as Mister X, only his visible moves are left out.
    """
    theirs = computer_pawns(view, seats)
    if not theirs:
        return view
    if view.mr_x_to_move:
        return replace(view, open_moves=()) if MR_X in seats else view
    turn = tuple(pawn for pawn in view.turn if pawn not in theirs)
    moves = tuple(move for move in view.moves if move.pawn not in theirs)
    return replace(view, turn=turn, moves=moves, extras=view.extras if turn else {})


def thinking_pawns(view: PublicView | None, seats: Seats) -> tuple[str, ...]:
    """Return the pawns on turn if computers move all of them, else an empty tuple."""
    turn = () if view is None else view.turn
    return turn if computer_pawns(view, seats).issuperset(turn) else ()


def stations_to_clear(view: PublicView | None, set_down: Mapping[str, int], take_off: frozenset[int]) -> frozenset[int]:
    """Return the stations to clear of Mister X's pawns, or none while one of these pawns has to be set down first."""
    return frozenset() if view is None or set_down.keys() & view.pawns.keys() else take_off


def can_go(view: PublicView, pawns: Iterable[str]) -> bool:
    """Return whether any of these pawns can move to another station."""
    return any(move.pawn in pawns and move.ticket != STAY for move in view.moves)


# ---- what has happened -----------------------------------------------------------------------------------------------


class Why(Enum):
    """The reason why nothing can be undone.

    Attributes:
        NOBODY: no person has moved yet.
        MR_X: the last move, or one since, was Mister X's, and everyone has seen what it revealed.
        SHOWN: a move has made Mister X show himself.
        DICE: dice have been rolled since.
    """

    NOBODY = auto()
    MR_X = auto()
    SHOWN = auto()
    DICE = auto()


@dataclass(frozen=True, slots=True)
class Undo:
    """The actions that the Undo key takes back.

    Attributes:
        count: how many actions, from the last one on; 0 for none.
        pawn: the pawn that the person has moved; "" for none.
        to: the station to which it goes back; None for off the board.
        why: why nothing can be taken back, or None.
        cancels: whether the move of `pawn` has not been played yet, so that it is only dropped.
    """

    count: int = 0
    pawn: str = ""
    to: int | None = None
    why: Why | None = None
    cancels: bool = False


@dataclass(frozen=True, slots=True)
class GameGivenUp:
    """The announcement that the game was given up."""


@dataclass(frozen=True, slots=True)
class SwitchesIgnored:
    """The announcement that a key has declared these stations' switches out of order. They are ignored from now on."""

    stations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotTakenBack:
    """The announcement that a move cannot be taken back, although a player has asked for it."""

    why: Why


Announcement = Happening | GameGivenUp | SwitchesIgnored | NotTakenBack
"""An event of the game or the table that the board does not show."""


# ---- what the table asks ---------------------------------------------------------------------------------------------

CONFIRM, BACK = "table.confirm", "table.back"


class Kind(Enum):
    """The kind of a request or question to the players.

    Attributes:
        PAUSED: wait, because a device that the game needs is lost.
        NEW_GAME: begin a game.
        NEXT_GAME: the game is over: begin the next one.
        LAY_TILES: lay the tiles as the view has them, and confirm.
        PUT_RIGHT: put the pawns where they belong and clear what should be empty.
        ALL_RIGHT: put right what several switches report as wrong, or confirm that it is right.
        SWITCH: put right what one switch reports, or confirm that `pawns` is on `station`, or `station` empty.
        WENT: did `pawns` go to `station`, and by which of `tickets`?
        CANCELLED: put `pawns`, shown on `station`, back or on another lit station: they do not go there.
        WENT_BACK: did `pawns` go back to `station`? If the game has the pawn there: did the pawn never arrive?
        UNDO: is the last move of `pawns` to be taken back, with all that computers did since?
        STAYS: does `pawns` use its move to stay on `station`?
        STANDS: is `pawns` still on `station`, although the switch there is open?
        EMPTY: is `station` empty, though its switch is closed?
        MR_X_PAWN: is it Mister X's pawn that closes the switch of `station`?
        STILL_SENSED: is `station` occupied although Mister X's pawn has left? Then the table asks who is there.
        TAKES_BACK: nothing; the move of `pawns` is about to be taken back.
        BACK_OR_NOT: is `pawns` back on `station`, or where the game has it?
        ROLL: have the table roll the dice.
        ENTER: roll the dice and enter the faces; `tickets` are those that have a key of their own.
        ENTERED: are the faces that were entered the right ones?
        CARRY_OUT: move `pawns` to `station` by `tickets`, as a computer has done.
        THINKS: wait for the computer that moves `pawns`.
        MR_X_MOVES: wait for Mister X.
        MR_X_MOVED: has Mister X made one of the visible moves that no switch can report?
        CHOOSE_START: set `pawns` on one of its starts.
        CARRY: set `pawns`, which is lifted, on a lit station.
        PUT_BACK: put `pawns`, which is lifted and can go nowhere, back where it was.
        WHERE: go through the stations on which `pawns` may be, as no switch senses it.
        CAN_ONLY_STAY: confirm that `pawns` stays, as no die takes it anywhere.
        MOVE: move one of `pawns`.
        MOVE_OR_CONFIRM: move one of `pawns`, or confirm a move that no switch can report.
    """

    PAUSED = auto()
    NEW_GAME = auto()
    NEXT_GAME = auto()
    LAY_TILES = auto()
    PUT_RIGHT = auto()
    ALL_RIGHT = auto()
    SWITCH = auto()
    WENT = auto()
    CANCELLED = auto()
    WENT_BACK = auto()
    UNDO = auto()
    STAYS = auto()
    STANDS = auto()
    EMPTY = auto()
    MR_X_PAWN = auto()
    STILL_SENSED = auto()
    TAKES_BACK = auto()
    BACK_OR_NOT = auto()
    ROLL = auto()
    ENTER = auto()
    ENTERED = auto()
    CARRY_OUT = auto()
    THINKS = auto()
    MR_X_MOVES = auto()
    MR_X_MOVED = auto()
    CHOOSE_START = auto()
    CARRY = auto()
    PUT_BACK = auto()
    WHERE = auto()
    CAN_ONLY_STAY = auto()
    MOVE = auto()
    MOVE_OR_CONFIRM = auto()


@dataclass(frozen=True, slots=True)
class Ask:
    """The table's current request or question to the players.

    Attributes:
        kind: what is asked.
        keys: the table keys that answer, such as "table.confirm", including those that answer `besides`.
        pawns: the pawns it is about.
        station: the station it is about; 0 for none.
        tickets: the tickets, or faces of dice, between which the keys choose.
        unsensed: whether the confirm key reports a move that no switch has sensed.
        besides: another question that is asked at the same time, about a switch that may be out of order.
    """

    kind: Kind
    keys: tuple[str, ...] = ()
    pawns: tuple[str, ...] = ()
    station: int = 0
    tickets: tuple[str, ...] = ()
    unsensed: bool = False
    besides: Ask | None = None

    @property
    def suspect(self) -> int:
        """The station whose switch the table suspects and asks about at the same time, or 0."""
        return 0 if self.besides is None else self.besides.station


NEW_GAME = Ask(Kind.NEW_GAME, (CONFIRM,))


# ---- the scene and its parts -----------------------------------------------------------------------------------------


class Phase(StrEnum):
    """The phase of the game at the table. Module `transitions` explains each phase."""

    NO_GAME = "no_game"
    SET_UP = "set_up"
    RESUME = "resume"
    CARRY_OUT = "carry_out"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class ToCarryOut:
    """A computer's move that people have yet to make on the board.

    Attributes:
        move: the move.
        origin: where its pawn stood; None if it came onto the board.
        unsensed: whether the switch of its station cannot report its arrival, so that a key has to.
    """

    move: PawnMove
    origin: int | None
    unsensed: bool


@dataclass(frozen=True, slots=True)
class Health:
    """A device's state ("ok", "degraded" or "lost"), the reason in words, and since when.

    Attributes:
        state: "ok", "degraded" or "lost".
        reason: why, in English words that are translated later.
        since: since when, in clock seconds.
        at: since when, in seconds since 1970.
    """

    state: str = "ok"
    reason: str = ""
    since: float = 0.0
    at: float = 0.0

    def __str__(self) -> str:
        return f"{self.state}: {self.reason}" if self.reason else self.state


class CoachMode(StrEnum):
    """The amount of advice that the coach shows.

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
    """The coach's current hints. The coach knows public information only.

    Attributes:
        tells: how much the players want to know.
        stations: where Mister X may be -> the probability, 1 in all; empty while the coach thinks, or knows nothing.
        advice: the move that the coach would make now, if the players want to know it and there is one.
        trouble: why the coach can say nothing in this game, or "".
    """

    tells: CoachMode = CoachMode.OFF
    stations: Mapping[int, float] = field(default_factory=dict)
    advice: PawnMove | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that the table shows at one moment. All of it is public.

    Attributes:
        phase: the phase of the game at the table.
        view: the public view of the game, or None while there is none.
        reading: what the switches mean.
        wrong: how urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently.
        asked: the moves between which the table asks by key: one pawn, one station, several tickets; or one
            move that awaits the confirm key.
        set_down: each of Mister X's pawns that has to be set down -> its station.
        take_off: the stations that Mister X's pawn has to be taken off.
        ignored: the stations whose switch is ignored, as it is out of order.
        ailing: the devices that are degraded or lost, each with its health.
        ask: what the players should do or answer next.
        announcement: what has just happened that the board does not show, or None.
        paused: why the game has to wait, or "".
        places: where people find the switches of the ignored stations: station -> "chip 8, pin F".
        entered: the entered faces of dice that players have rolled.
        seats: the seats that computers play.
        names: the seats of people who gave a name -> the name.
        to_carry_out: the computer's move that people have yet to make on the board, or None.
        coach: what the coach says.
        last_moves: each pawn's last visible move.
        trusted: whether the switches are trusted, because simulated hands move the pawns and nobody is asked to.
        since: clock seconds at which the phase (except to and from `CARRY_OUT`), the log's length or the outcome last
            changed; the lamps' rhythms start there.
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
    ignored: frozenset[int]
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
    trusted: bool = False

    computers: frozenset[str] = field(init=False, compare=False)
    thinking: tuple[str, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Find the pawns that computers move."""
        object.__setattr__(self, "computers", computer_pawns(self.view, self.seats))
        object.__setattr__(self, "thinking", thinking_pawns(self.view, self.seats))

    @property
    def questions(self) -> tuple[PawnMove, ...]:
        """All moves and statements that the table asks about: `asked`, or else those of `ask`."""
        ask, view = self.ask, self.view
        if self.asked or view is None:
            return self.asked
        if ask.kind is Kind.BACK_OR_NOT:
            return (PawnMove(ask.pawns[0], ask.station or view.pawns[ask.pawns[0]], RETURN),)
        if ask.kind is Kind.MR_X_MOVED and isinstance(self.reading, Settled):
            return self.reading.silent
        if ask.kind is Kind.SWITCH and ask.pawns:
            return (PawnMove(ask.pawns[0], ask.station, HERE),)
        station = ask.station if ask.kind is Kind.SWITCH else ask.suspect
        return (PawnMove(view.order[0], station, EMPTY),) if station else ()

    @property
    def to_clear(self) -> frozenset[int]:
        """The stations from which Mister X's pawns have to be removed, or none while one has to be set down first."""
        return stations_to_clear(self.view, self.set_down, self.take_off)
