"""What the referee is told, and what it wants done: plain records, nothing secret in their print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.referee.scene import Health, Seats, Undo
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import Action, PawnMove
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import PublicView

# ---- what comes in ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SwitchesChanged:
    """What the settled switches say now, as that has changed: stations that are closed, and those known to be unwell.

    `leapt`: so many changed at once that hands may have had no part in it. `unsettled`: they change so at this moment;
    the stations are those of before.
    """

    occupied: frozenset[int]
    unwell: frozenset[int] = frozenset()
    leapt: bool = False
    unsettled: bool = False


@dataclass(frozen=True, slots=True)
class Pressed:
    """A table key went down, such as "table.confirm"."""

    key: str


@dataclass(frozen=True, slots=True)
class CancelMove:
    """A player cancels, by Undo, the move that the switches show and that has not been played."""


@dataclass(frozen=True, slots=True)
class Ailing:
    """Some devices are degraded or lost. `paused` says why the game has to wait, or is ""."""

    devices: Mapping[str, Health]
    paused: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time went on and nothing else happened."""


@dataclass(frozen=True, slots=True)
class Views:
    """What everyone may know of a game after an entry.

    Attributes:
        public: the game as it is now.
        before: the game before the last move, if the rules let that move be taken back; else None.
        last: that move; None if it cannot be taken back.
        unplayed: whether nothing has been played yet.
        undo: what Undo takes back in a game with computers; None if people alone play.
    """

    public: PublicView
    before: PublicView | None = None
    last: PawnMove | None = None
    unplayed: bool = False
    undo: Undo | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """An entry is durable, so it is true from now on. `views` show the game after it; None if there is no game."""

    entry: Entry
    views: Views | None


@dataclass(frozen=True, slots=True)
class Resumed:
    """The table continues a game that began before it started; `home`: pawns that stand elsewhere go back first."""

    views: Views
    seats: Seats = field(default_factory=dict)
    home: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """Other stations lie on the switches, or others of these are known to be out of order.

    Attributes:
        register: what is known of the switches.
        near: stations so close together that one magnet may close the switches of both.
        touching: the closest of these: the switch of one alone may feel a magnet that stands on the other.
    """

    register: SwitchRegister
    near: Mapping[int, frozenset[int]]
    touching: Mapping[int, frozenset[int]]


# ---- what comes out --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play:
    """Do this."""

    action: Action


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the last pawn's move, or more actions; `by_hand`: its pawn stands where it came from already."""

    count: int = 1
    by_hand: bool = True


@dataclass(frozen=True, slots=True)
class Begin:
    """Start a game, with computers on some seats, and people with names on others: seat -> name.

    `same_mr_x` is whether Mister X of the game before plays him again; the journal does not keep that.
    """

    setup: Setup
    seats: Seats = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    same_mr_x: bool = False


@dataclass(frozen=True, slots=True)
class WantGame:
    """The players ask for a new game."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """Give up the game in play; nobody wins."""


@dataclass(frozen=True, slots=True)
class WantRoll:
    """The players ask for dice to be rolled: chance is not the referee's."""


Entry = Play | TakeBack | Begin | Abandon
"""What is written down before it is true."""

Request = Entry | WantGame | WantRoll
"""What the referee, or a computer on turn, asks of the table: an entry, another game, or a roll of dice."""

Event = SwitchesChanged | Ailing | Laid | Accepted | Resumed | Pressed | CancelMove | Tick
"""What the referee receives."""
