"""What the table asks of the players, as data: decisions are made from it; `ui.prompt_wording` words it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

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
