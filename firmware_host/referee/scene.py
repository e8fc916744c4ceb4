"""What the table shows at one moment: everything public that lamps, display and web page are drawn from.

No words but why a device ails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto

from firmware_host.referee.readings import EMPTY, HERE, RETURN, Reading, Settled
from firmware_host.rules.actions import MR_X, STAY, PawnMove
from firmware_host.rules.views import Happening, LastMove, PublicView

Seats = Mapping[str, str]
"""The seats of a game that computers play: "mr_x", or a player's number as text -> the name of who plays there."""


def computer_pawns(view: PublicView | None, seats: Seats) -> frozenset[str]:
    """Return the pawns that computers move."""
    if view is None or not seats:
        return frozenset()
    theirs = (pawn for pawn, owner in view.owners.items() if str(owner) in seats)
    return frozenset((*theirs, *(view.fugitives if MR_X in seats else ())))


def without_computer_moves(view: PublicView, seats: Seats) -> PublicView:
    """Return the view of a game in which nothing can be done but what hands may do of their own accord."""
    theirs = computer_pawns(view, seats)
    if not theirs:
        return view
    if view.his_turn:
        return replace(view, open_moves=()) if MR_X in seats else view
    turn = tuple(pawn for pawn in view.turn if pawn not in theirs)
    moves = tuple(move for move in view.moves if move.pawn not in theirs)
    return replace(view, turn=turn, moves=moves, extras=view.extras if turn else {})


def thinking_pawns(view: PublicView | None, seats: Seats) -> tuple[str, ...]:
    """Return the pawns on turn if computers move all of them; else none."""
    turn = () if view is None else view.turn
    return turn if computer_pawns(view, seats).issuperset(turn) else ()


def stations_to_clear(view: PublicView | None, set_down: Mapping[str, int], take_off: frozenset[int]) -> frozenset[int]:
    """Return where a pawn of Mister X's is to be taken off now; nowhere while one has to be set down first."""
    return frozenset() if view is None or set_down.keys() & view.pawns.keys() else take_off


def can_go(view: PublicView, pawns: Iterable[str]) -> bool:
    """Return whether one of some pawns can go to another station."""
    return any(move.pawn in pawns and move.ticket != STAY for move in view.moves)


class Why(Enum):
    """Why nothing can be taken back.

    Attributes:
        NOBODY: no person has moved yet.
        MR_X: Mister X has moved last, or since: all have seen what he gave away by that.
        SHOWN: a move has made him show himself.
        DICE: dice have been rolled since.
    """

    NOBODY = auto()
    MR_X = auto()
    SHOWN = auto()
    DICE = auto()


@dataclass(frozen=True, slots=True)
class Undo:
    """What is taken back if somebody asks for it.

    Attributes:
        count: how many actions, from the last one on; 0 for none.
        pawn: the pawn that the person has moved; "" for none.
        to: the station to which it goes back; None for off the board.
        why: why nothing can be taken back, or None.
        cancels: whether the move of `pawn` has not been played yet: it is dropped, and nothing is taken back.
    """

    count: int = 0
    pawn: str = ""
    to: int | None = None
    why: Why | None = None
    cancels: bool = False


@dataclass(frozen=True, slots=True)
class GameGivenUp:
    """The game was given up."""


@dataclass(frozen=True, slots=True)
class SwitchesIgnored:
    """A key has found these stations' switches out of order; they are not listened to from now on."""

    stations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotTakenBack:
    """Somebody has asked for a move to be taken back, and it stands."""

    why: Why


Announcement = Happening | GameGivenUp | SwitchesIgnored | NotTakenBack
"""What a game has brought, or what else has happened at the table."""


CONFIRM, BACK = "table.confirm", "table.back"


class Kind(Enum):
    """What is asked.

    Attributes:
        PAUSED: wait: a device that the game needs is away.
        NEW_GAME: begin a game.
        NEXT_GAME: the game is over: begin the next one.
        LAY_TILES: lay the tiles as the view has them, and say that they lie.
        PUT_RIGHT: put the pawns where they belong and clear what should be empty.
        ALL_RIGHT: put right what several switches complain of, or say that all is right as it is.
        SWITCH: put right what one switch says, or deny it: `pawns` stands on `station`, or `station` is empty.
        WENT: did `pawns` go to `station`, and by which of `tickets`?
        CANCELLED: put `pawns`, shown on `station`, back or on another lit station: they do not go there.
        WENT_BACK: did `pawns` go back to `station`? If it stands there by the game: did it never come?
        UNDO: is the last move of `pawns` to be taken back, with all that computers did since?
        STAYS: does `pawns` use its move to stay on `station`?
        STANDS: does `pawns` still stand on `station`, where its switch does not feel it?
        EMPTY: is `station` empty, though its switch is closed?
        HIS: is it Mister X's pawn that closes the switch of `station`?
        STILL_FELT: is `station` felt though Mister X's pawn has left it? Then the table asks who is there.
        TAKES_BACK: nothing: `pawns` is about to take its move back.
        BACK_OR_NOT: is `pawns` back on `station`, or where the game has it?
        ROLL: have the table roll the dice.
        ENTER: roll the dice and enter the faces; `tickets` are those that have a key of their own.
        ENTERED: are the faces that were entered the right ones?
        CARRY_OUT: move `pawns` to `station` by `tickets`, as a computer has done.
        THINKS: wait for the computer that moves `pawns`.
        MR_X_MOVES: wait for Mister X.
        MR_X_MOVED: has Mister X made one of the moves in the open that no switch can tell?
        CHOOSE_START: set `pawns` on one of its starts.
        CARRY: set `pawns`, which is in a hand, on a lit station.
        PUT_BACK: put `pawns`, which is in a hand and can go nowhere, back where it was.
        WHERE: look for the station on which `pawns` stands unfelt.
        CAN_ONLY_STAY: say that `pawns` stays: no die takes it anywhere.
        MOVE: move one of `pawns`.
        MOVE_OR_CONFIRM: move one of `pawns`, or say that a move was made that no switch can tell.
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
    HIS = auto()
    STILL_FELT = auto()
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
    """What the players should do or answer next. Public.

    Attributes:
        kind: what is asked.
        keys: the table keys that answer, such as "table.confirm"; those that answer `besides` among them.
        pawns: the pawns it is about.
        station: the station it is about; 0 for none.
        tickets: the tickets, or faces of dice, between which the keys choose.
        unfelt: whether the confirm key says that no switch has felt what was done.
        besides: another question at the same time, about a switch that may be out of order.
    """

    kind: Kind
    keys: tuple[str, ...] = ()
    pawns: tuple[str, ...] = ()
    station: int = 0
    tickets: tuple[str, ...] = ()
    unfelt: bool = False
    besides: Ask | None = None

    @property
    def doubts(self) -> int:
        """The station whose switch may be out of order, asked about besides; 0 for none."""
        return 0 if self.besides is None else self.besides.station


NEW_GAME = Ask(Kind.NEW_GAME, (CONFIRM,))


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
        object.__setattr__(self, "computers", computer_pawns(self.view, self.seats))
        object.__setattr__(self, "thinking", thinking_pawns(self.view, self.seats))

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
        return stations_to_clear(self.view, self.set_down, self.take_off)
