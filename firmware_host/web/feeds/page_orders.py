"""What pages may ask for: one small record for each word, read strictly, and the list of who may ask for what.

The table alone decides what comes of an order. This module says that it is one, and that its page may give it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from firmware_host.referee.scene import CoachMode
from firmware_host.rules.views import PublicView
from firmware_host.system import orders
from firmware_host.system.language import gettext, gettext_noop
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


# ---- who may ask for what --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seat:
    """What pages of one kind may ask for at a table.

    Attributes:
        orders: the kinds of orders.
        refusal: why any other is refused, in English.
        keys: what the names of the keys begin with that they may press.
    """

    orders: tuple[type[ByHand], ...]
    refusal: str
    keys: str = ""


Rights = Mapping[str, Seat]
"""The kinds of pages at a table -> what they may ask for."""

_AT_TABLE = gettext_noop("this is done at the table, and this page is not the table")
_ON_BOARD = gettext_noop("this is done at the table itself")
_NO_LESSON = gettext_noop("this is not done in a lesson")
_SPECTATOR = Seat((), gettext_noop("a spectator looks on"))
_PAWNS = (DragOrder, PutOrder, LiftOrder)
_TABLE_ALONE = (FaultOrder, ShakeOrder, PowerOrder, HandsOrder, NewGameOrder, CoachOrder, PaceOrder, StepOrder)

AT_SIMULATED_TABLE: Rights = {
    "table": Seat(
        (*_PAWNS, KeyOrder, UndoOrder, AgainOrder, *_TABLE_ALONE),
        gettext_noop("this is done on a player's own page"),
        "table.",
    ),
    "handset": Seat((KeyOrder, ChooseOrder, AgainOrder), _AT_TABLE, "handset."),
    "detective": Seat((KeyOrder, ChooseOrder, UndoOrder, AgainOrder), _AT_TABLE, "table."),
    "spectator": _SPECTATOR,
}
"""At a simulated table: everything is done on pages."""

AT_REAL_BOARD: Rights = {"detective": Seat((), _ON_BOARD), "spectator": _SPECTATOR}
"""At a real board: everything is done on the board."""

WITH_MR_X_PHONE: Rights = {**AT_REAL_BOARD, "handset": Seat((ChooseOrder,), _ON_BOARD)}
"""At a real board where Mister X has a phone."""

IN_LESSON: Rights = {
    "table": Seat((*_PAWNS, KeyOrder, UndoOrder), _NO_LESSON, "table."),
    "handset": Seat((KeyOrder, ChooseOrder), _NO_LESSON, "handset."),
}
"""In a lesson."""


class NotYours(Exception):
    """A player asks for what another one does."""


def refusal(rights: Rights, page: str, order: ByHand) -> str:
    """Return why pages of a kind may not ask for this, in the language that texts are said in; "" if they may."""
    seat = rights[page]
    if not isinstance(order, seat.orders):
        return gettext(seat.refusal)
    if isinstance(order, KeyOrder) and not order.key.startswith(seat.keys):
        return gettext("{key} is not a key of this page", key=order.key)
    return ""


def check_player(order: ByHand, player: int | None, view: PublicView | None, last: str | None) -> None:
    """Check that an order of a detectives' player is about that player's own pawns, and comes in turn.

    Args:
        order: what is asked for.
        player: whose phone asks, as the pawns' owners are numbered; None for nobody's.
        view: the game; None without one.
        last: the pawn whose move can be taken back now, if there is one.

    Raises:
        NotYours: it is not.
    """
    owners = {} if view is None else view.owners
    match order:
        case KeyOrder(_, down):
            turn = () if view is None else view.turn
            if down and not any(owners.get(pawn) == player for pawn in turn):
                raise NotYours(gettext("it is not your turn"))
        case ChooseOrder(action):
            if action.get("kind") != "pawn" or owners.get(str(action.get("pawn"))) != player:
                raise NotYours(gettext("this pawn is not yours to move"))
        case UndoOrder():
            if last is not None and owners.get(last) != player:
                raise NotYours(gettext("this move is not yours to take back"))


# ---- reading them ----------------------------------------------------------------------------------------------------


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
