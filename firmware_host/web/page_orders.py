"""What a page may ask for: one small record for each word, read strictly.

The table alone decides what comes of an order; this says only that it is one.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from firmware_host.referee.scene import CoachMode
from firmware_host.system import orders
from firmware_host.system.orders import FaultOrder, Order, Word

Share = Annotated[float, Meta(ge=-0.5, le=1.5)]
"""A place on the board: a share of its width or height. A hand may be beside it."""

Session = Annotated[str, Meta(max_length=64)]
"""What the handset's page was given for its token, or a detectives' player's phone has made up for itself."""

Player = Annotated[str, Meta(min_length=1, max_length=65)]
"""Who plays in a seat: "person", a level, or a program's name with or without a level."""

PersonName = Annotated[str, Meta(max_length=80)]
"""What somebody is called; how long a name may be the table says, in words."""

LONGEST = 2048
"""Bytes that an order may have."""


class PageHello(Order, frozen=True, tag="hello"):
    """The first message of a page: what it is, "table", "spectator", "handset" or "detective".

    The handset says its session, too, and so does the phone of a detectives' player; all say which colours they want.
    """

    page: Word
    session: Session | None = None
    palette: Literal["usual", "colour-blind"] = "usual"


class Heard(Order, frozen=True, tag="heard"):
    """The line's beat has come to the page: which one, by the seconds that it told."""

    at: Annotated[float, Meta(ge=0, le=1e9)]


class DragOrder(Order, frozen=True, tag="drag"):
    """A pawn is pushed over the board to a point, or touches the board there."""

    pawn: Word
    x: Share
    y: Share


class PutOrder(Order, frozen=True, tag="put"):
    """A pawn is let go at a point; near a station it stands on it."""

    pawn: Word
    x: Share
    y: Share


class LiftOrder(Order, frozen=True, tag="lift"):
    """A pawn is taken off the board, into the hand or the box."""

    pawn: Word


class KeyOrder(Order, frozen=True, tag="key"):
    """A finger goes down on a key, or up again."""

    key: Word
    down: bool


class ShakeOrder(Order, frozen=True, tag="shake"):
    """Somebody runs into the table."""


class PowerOrder(Order, frozen=True, tag="power"):
    """The power fails, or comes back."""

    on: bool


class HandsOrder(Order, frozen=True, tag="hands"):
    """From now on people's hands do everything themselves, with magnets and slides, or simulated ones help them."""

    real: bool


class UndoOrder(Order, frozen=True, tag="undo"):
    """The pawn that moved last goes back to where it came from."""


class NewGameOrder(Order, frozen=True, tag="new_game"):
    """Another game: which, how many play, its options, who plays in which seat, and what people are called."""

    rules: Word
    players: Annotated[int, Meta(ge=2, le=6)] | None = None
    options: Annotated[dict[Word, bool | int | Word], Meta(max_length=16)] = msgspec.field(default_factory=dict)
    seats: Annotated[dict[Word, Player], Meta(max_length=8)] | None = None
    names: Annotated[dict[Word, PersonName], Meta(max_length=8)] | None = None


class CoachOrder(Order, frozen=True, tag="coach"):
    """From now on the coach tells nothing, where Mister X may be, or what to do, too."""

    tells: CoachMode


class PaceOrder(Order, frozen=True, tag="pace"):
    """From now on simulated hands move computers' pawns so fast, or wait until they are asked to."""

    pace: Literal["paused", "slow", "usual", "fast"]


class StepOrder(Order, frozen=True, tag="step"):
    """The next pawn of a computer is moved at once."""


class ChooseOrder(Order, frozen=True, tag="choose"):
    """A player's choice, made on a page of his own: an action as a record; see `firmware_host.rules.actions`."""

    action: Annotated[dict[Word, int | Word], Meta(min_length=1, max_length=4)]


class SitOrder(Order, frozen=True, tag="sit"):
    """A phone takes the seat of a detectives' player, by its number: from another phone, too, if it says so."""

    player: Annotated[int, Meta(ge=1, le=6)]
    over: bool = False


class RiseOrder(Order, frozen=True, tag="rise"):
    """A phone gives its seat back."""


class AgainOrder(Order, frozen=True, tag="again"):
    """Another game of the same kind, with the same players, after one that is over."""


ByHand = (
    DragOrder | PutOrder | LiftOrder | KeyOrder | FaultOrder | ShakeOrder | PowerOrder | HandsOrder | UndoOrder
    | NewGameOrder | CoachOrder | PaceOrder | StepOrder | ChooseOrder | SitOrder | RiseOrder | AgainOrder
)  # fmt: skip
"""What is done at a table, once a page has said what it is."""


def hello(message: str | bytes) -> PageHello:
    """Return the first message of a page.

    Raises:
        BadOrder: it is something else.
    """
    said: PageHello = orders.read(orders.parse(message, LONGEST), PageHello)
    return said


def order(message: str | bytes) -> ByHand | Heard:
    """Return what a page asks for, or that it hears the table.

    Raises:
        BadOrder: it is no order; the message says what would be one.
    """
    said: ByHand | Heard = orders.read(orders.parse(message, LONGEST), ByHand | Heard)
    return said
