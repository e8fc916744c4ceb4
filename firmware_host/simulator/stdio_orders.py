"""What a program may ask of the simulated table, a line each: one small record for each word, read strictly.

`docs/scripting.md` says what each means.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from firmware_host.referee.scene import CoachMode
from firmware_host.system import orders
from firmware_host.system.orders import BadOrder, FaultOrder, Order

LONGEST_LINE = 65_536
"""Bytes that a line may have, without its end."""

LONGEST_WAIT = 3_600_000
"""Milliseconds that one line may let pass."""

LONGEST_SLIDE = 60_000
"""Milliseconds that a slide of a pawn may take."""

MOST_STOPS = 256
"""Stations that one slide of a pawn may pass."""

Wait = Annotated[float, Meta(gt=0, le=LONGEST_WAIT)]
"""Milliseconds."""


Asked = Literal["public", "private", "leds", "handset", "display", "coach", "health"]
"""What can be asked."""


class Get(Struct, frozen=True, forbid_unknown_fields=True):
    """Tell something of the table."""

    get: Asked


class NewGameLine(Order, frozen=True, tag="new_game"):
    """Begin a game; what is not given is as in the configuration."""

    rules: str | None = None
    detectives: int | None = None
    players: int | None = None
    owners: tuple[int, ...] = ()
    deal: dict[str, int] | None = None
    options: dict[str, Any] | None = None
    seats: dict[str, str] | None = None
    names: dict[str, str] | None = None
    seed: int | None = None


class PutLine(Order, frozen=True, tag="put"):
    """Set a pawn down on a station."""

    station: int
    pawn: str


class LiftLine(Order, frozen=True, tag="lift"):
    """Take a pawn up, the last one put there unless told which."""

    station: int
    pawn: str | None = None


class SlideLine(Order, frozen=True, tag="slide"):
    """Push a pawn along a path of stations."""

    path: Annotated[list[int], Meta(min_length=2, max_length=MOST_STOPS)]
    ms: Annotated[float, Meta(gt=0, le=LONGEST_SLIDE)]
    pawn: str | None = None


class PressLine(Order, frozen=True, tag="press"):
    """Hold a key down for so long."""

    key: str
    ms: Wait = 60


class HoldLine(Order, frozen=True, tag="hold"):
    """Hold a key down until it is released."""

    key: str


class ReleaseLine(Order, frozen=True, tag="release"):
    """Release a key."""

    key: str


class MrXLine(Order, frozen=True, tag="mr_x"):
    """Make one of Mister X's choices, a record as in `firmware_host.rules.actions`."""

    action: dict[str, Any]


class TakeBackLine(Order, frozen=True, tag="take_back"):
    """Take the last person's move back, and what computers have done since."""


class WaitLine(Order, frozen=True, tag="wait"):
    """Let time pass."""

    ms: Wait


class CoachLine(Order, frozen=True, tag="coach"):
    """Have the coach tell nothing, where Mister X may be, or what to do, too."""

    tells: CoachMode


class RestartLine(Order, frozen=True, tag="restart"):
    """Kill the daemon and start it again on its journal."""


LineOrder = (
    NewGameLine | PutLine | LiftLine | SlideLine | PressLine | HoldLine | ReleaseLine | MrXLine | WaitLine
    | FaultOrder | RestartLine | CoachLine | TakeBackLine
)  # fmt: skip
"""What is done at the table."""


def line_order(line: str | bytes) -> Get | LineOrder:
    """Return what a line asks for.

    Raises:
        BadOrder: it is no order; the message says what would be one.
    """
    said = orders.parse(line, LONGEST_LINE)
    if "do" in said:
        order: LineOrder = orders.read(said, LineOrder)
        return order
    try:
        return msgspec.convert(said, Get)
    except msgspec.ValidationError:
        raise BadOrder(f'neither a "do" nor one "get" of {", ".join(get_args(Asked))}') from None
