"""What the table asks of the players, as data: decisions are made from it, and `ui.prompts` puts it into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

CONFIRM, BACK = "table.confirm", "table.back"


class Kind(Enum):
    """What is asked."""

    PAUSED = auto()
    """Wait: a device that the game needs is away."""

    NEW_GAME = auto()
    """Begin a game."""

    NEXT_GAME = auto()
    """The game is over: begin the next one."""

    LAY_TILES = auto()
    """Lay the tiles as the view has them, and say that they lie."""

    PUT_RIGHT = auto()
    """Put the pawns where they belong and clear what should be empty."""

    ALL_RIGHT = auto()
    """Put right what several switches complain of, or say that all is right as it is."""

    SWITCH = auto()
    """Put right what one switch complains of, or say that it is wrong: `pawns` stands on `station`, or it is empty."""

    WENT = auto()
    """Did `pawns` go to `station`, and by which of `tickets`?"""

    WENT_BACK = auto()
    """Did `pawns` go back to `station`? If it stands there by the game: did it never come?"""

    STAYS = auto()
    """Does `pawns` use its move to stay on `station`?"""

    STANDS = auto()
    """Does `pawns` still stand on `station`, where its switch does not feel it?"""

    EMPTY = auto()
    """Is `station` empty, though its switch is closed?"""

    HIS = auto()
    """Is it Mister X's pawn that closes the switch of `station`?"""

    STILL_FELT = auto()
    """Is `station` felt though Mister X's pawn has left it? Then the table asks who is there."""

    TAKES_BACK = auto()
    """Nothing: `pawns` is about to take its move back."""

    BACK_OR_NOT = auto()
    """Is `pawns` back on `station`, or where the game has it?"""

    ROLL = auto()
    """Have the table roll the dice."""

    ENTER = auto()
    """Roll the dice and enter the faces; `tickets` are those that have a key of their own."""

    ENTERED = auto()
    """Are the faces that were entered the right ones?"""

    MR_X_MOVES = auto()
    """Wait for Mister X."""

    MR_X_MOVED = auto()
    """Has Mister X made one of the moves in the open that no switch can tell?"""

    CHOOSE_START = auto()
    """Set `pawns` on one of its starts."""

    CARRY = auto()
    """Set `pawns`, which is in a hand, on a lit station."""

    PUT_BACK = auto()
    """Put `pawns`, which is in a hand and can go nowhere, back where it was."""

    WHERE = auto()
    """Look for the station on which `pawns` stands unfelt."""

    CAN_ONLY_STAY = auto()
    """Say that `pawns` stays: no die takes it anywhere."""

    MOVE = auto()
    """Move one of `pawns`."""

    MOVE_OR_CONFIRM = auto()
    """Move one of `pawns`, or say that a move was made that no switch can tell."""


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
