"""Define the events that the referee receives and the requests that it makes. Their repr contains no secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.referee.scene import Health, Seats, Undo
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import Action, PawnMove
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import PublicView

# ---- requests --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play:
    """The request or entry to play an action."""

    action: Action


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The request or entry to take back the last actions.

    Attributes:
        count: how many actions.
        by_hand: whether the pawn is already back where it came from.
    """

    count: int = 1
    by_hand: bool = True


@dataclass(frozen=True, slots=True)
class Begin:
    """The entry that begins a game.

    Attributes:
        setup: the setup of the game.
        seats: the seats that computers play.
        names: seat -> the name of the person who plays there.
        same_mr_x: whether the person who was Mister X before is Mister X again. The journal does not keep that.
    """

    setup: Setup
    seats: Seats = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    same_mr_x: bool = False


@dataclass(frozen=True, slots=True)
class Abandon:
    """The entry that gives up the game in play. Nobody wins."""


@dataclass(frozen=True, slots=True)
class WantGame:
    """The players' request for another game."""


@dataclass(frozen=True, slots=True)
class WantRoll:
    """The players' request for a roll of the dice. The table rolls them, because the referee has no rng."""


Entry = Play | TakeBack | Begin | Abandon
"""An entry that the journal saves before it takes effect."""

Request = Entry | WantGame | WantRoll
"""A request of the referee, or of a computer on turn, to the table."""


# ---- events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SwitchesChanged:
    """A new debounced state of all switches.

    Attributes:
        occupied: the stations whose switch is closed.
        chattering: the stations whose switch chatters.
        implausible: whether more switches changed at once than hands can move.
        unsettled: whether so many switches are changing now that none is trusted; `occupied` then keeps the previous
            state.
    """

    occupied: frozenset[int]
    chattering: frozenset[int] = frozenset()
    implausible: bool = False
    unsettled: bool = False


@dataclass(frozen=True, slots=True)
class DevicesChanged:
    """The list of degraded or lost devices, or the pause because of them, has changed.

    Attributes:
        devices: each such device with its health.
        paused: why the game has to wait, or "".
    """

    devices: Mapping[str, Health]
    paused: str = ""


@dataclass(frozen=True, slots=True)
class StationsAssigned:
    """A report of which station is on which switch, and which switches are out of order.

    Attributes:
        register: the station on each switch, and the switches that are or were out of order.
        near: stations so close together that one magnet may close the switches of both.
        touching: stations so close together that the switch of one alone may sense a magnet on the other.
    """

    register: SwitchRegister
    near: Mapping[int, frozenset[int]]
    touching: Mapping[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Views:
    """The public views of a game after an entry is accepted.

    Attributes:
        public: the game as it is now.
        before: the game before the last move, if the rules let that move be taken back; else None.
        last: the last move; None if it cannot be taken back.
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
    """An entry was saved to the journal, so that it takes effect from now on.

    Attributes:
        entry: the entry.
        views: the game after it; None if there is no game any more.
    """

    entry: Entry
    views: Views | None


@dataclass(frozen=True, slots=True)
class Resumed:
    """The table continues a game that began before it started.

    Attributes:
        views: the game.
        seats: the seats that computers play.
        goes_home: whether a pawn that is elsewhere has to go home, and does not count as moved.
    """

    views: Views
    seats: Seats = field(default_factory=dict)
    goes_home: bool = False


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key of the table was pressed, such as "table.confirm"."""

    key: str


@dataclass(frozen=True, slots=True)
class CancelMove:
    """A player presses Undo while the switches show a move that has not been played yet."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed and nothing else has happened."""


Event = SwitchesChanged | DevicesChanged | StationsAssigned | Accepted | Resumed | Pressed | CancelMove | Tick
"""An event that the referee handles."""
