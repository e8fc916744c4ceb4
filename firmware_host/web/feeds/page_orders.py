"""Define which orders each kind of page may send, read them strictly, and queue them for the table.

This module only checks that an order is valid and allowed for its page. The table decides how to carry out an order.
Orders queue on the server's thread until the table's thread takes them.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from firmware_host.referee.scene import CoachMode
from firmware_host.rules.views import PublicView
from firmware_host.system import orders
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext, gettext_noop, in_language, language, say
from firmware_host.system.orders import FaultOrder, Order, Word

log = logging.getLogger("yardboard")

Share = Annotated[float, Meta(ge=-0.5, le=1.5)]
"""A coordinate on the board as a share of its width or height. A hand may be beside the board."""

Session = Annotated[str, Meta(max_length=64)]
"""The session of a handset's or the owner's page, or one that a detective player's phone has generated."""

Player = Annotated[str, Meta(min_length=1, max_length=65)]
"""The player of a seat: "person", a level, or a program's name with or without a level."""

PersonName = Annotated[str, Meta(max_length=80)]
"""A person's name. The table checks its length and explains a refusal in words."""

LONGEST = 2048
"""Maximum size of an order in bytes."""


class PageHello(Order, frozen=True, tag="hello"):
    """The first message of a page: its kind, such as "table" or "spectator".

    The handset, a detective player's phone and the owner's page add their session. Every page says which palette of
    colours its user has chosen.
    """

    page: Word
    session: Session | None = None
    palette: Literal["usual", "colour-blind"] = "usual"


class Alive(Order, frozen=True, tag="heard"):
    """A page's answer to a tick, which repeats the time in seconds that the tick contained."""

    at: Annotated[float, Meta(ge=0, le=1e9)]


class DragOrder(Order, frozen=True, tag="drag"):
    """The order to slide a pawn over the board to a point, or to set it down there without letting go."""

    pawn: Word
    x: Share
    y: Share


class PutOrder(Order, frozen=True, tag="put"):
    """The order to release a pawn at a point. Near a station, the pawn lands on the station."""

    pawn: Word
    x: Share
    y: Share


class LiftOrder(Order, frozen=True, tag="lift"):
    """The order to take a pawn off the board, into the hand or the box."""

    pawn: Word


Prompt = Annotated[str, Meta(max_length=600)] | None
"""The prompt that the owner's page showed when it sent an order, because it may be late. Other pages send none."""


NewestGame = Annotated[int, Meta(ge=0)] | None
"""The number of the newest game that a page knew when it sent an order, because the order may be late."""

OUTDATED = gettext_noop("The table asks for something else by now")
"""The refusal of an order that answers an earlier prompt, or concerns an earlier game."""


class KeyOrder(Order, frozen=True, tag="key"):
    """The order to press or release a key."""

    key: Word
    down: bool
    prompt: Prompt = None


class ShakeOrder(Order, frozen=True, tag="shake"):
    """The order to bump into the table."""


class PowerOrder(Order, frozen=True, tag="power"):
    """The order to cut or restore the power."""

    on: bool


class HandsOrder(Order, frozen=True, tag="hands"):
    """The order to choose whether people move every pawn themselves, or simulated hands help them."""

    real: bool


class UndoOrder(Order, frozen=True, tag="undo"):
    """The order to put the last moved pawn back where it came from."""

    prompt: Prompt = None


class NewGameOrder(Order, frozen=True, tag="new_game"):
    """The order to start a game, with its rules, number of players, options, seats and people's names."""

    rules: Word
    players: Annotated[int, Meta(ge=2, le=6)] | None = None
    options: Annotated[dict[Word, bool | int | Word], Meta(max_length=16)] = msgspec.field(default_factory=dict)
    seats: Annotated[dict[Word, Player], Meta(max_length=8)] | None = None
    names: Annotated[dict[Word, PersonName], Meta(max_length=8)] | None = None
    begun: NewestGame = None


class CoachOrder(Order, frozen=True, tag="coach"):
    """The order to set what the coach shows: nothing, where Mister X may be, or advice as well."""

    tells: CoachMode


class PaceOrder(Order, frozen=True, tag="pace"):
    """The order to set how fast simulated hands move computers' pawns, or to let them wait for `StepOrder`."""

    pace: Literal["paused", "slow", "usual", "fast"]


class StepOrder(Order, frozen=True, tag="step"):
    """The order to move the next pawn of a computer now."""


class ChooseOrder(Order, frozen=True, tag="choose"):
    """The order to make a player's choice. It contains an action as in `firmware_host.rules.actions`."""

    action: Annotated[dict[Word, int | Word], Meta(min_length=1, max_length=4)]


class SitOrder(Order, frozen=True, tag="sit"):
    """The order to give a phone a detective player's seat. With `over`, another phone may lose the seat."""

    player: Annotated[int, Meta(ge=1, le=6)]
    over: bool = False


class RiseOrder(Order, frozen=True, tag="rise"):
    """The order to give up a phone's seat."""


class AgainOrder(Order, frozen=True, tag="again"):
    """The order to start another game with the same settings and players after a game has ended."""


class GiveUpOrder(Order, frozen=True, tag="give_up"):
    """The order to end the game in play. Nobody wins."""

    begun: NewestGame = None


UserOrder = (
    DragOrder | PutOrder | LiftOrder | KeyOrder | FaultOrder | ShakeOrder | PowerOrder | HandsOrder | UndoOrder
    | NewGameOrder | CoachOrder | PaceOrder | StepOrder | ChooseOrder | SitOrder | RiseOrder | AgainOrder
    | GiveUpOrder
)  # fmt: skip
"""An order from a page that has sent its `PageHello`."""


# ---- who may give which orders ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seat:
    """The rights of one kind of page at a table: its orders and its keys.

    Attributes:
        orders: the allowed kinds of orders.
        refusal: the reason for refusing any other order, in English.
        keys: the prefix of the names of the keys that these pages may press.
    """

    orders: tuple[type[UserOrder], ...]
    refusal: str
    keys: str = ""


Rights = Mapping[str, Seat]
"""The rights of each kind of page at a table."""

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
"""The rights at a simulated table, where people do everything on pages."""

AT_REAL_BOARD: Rights = {"detective": Seat((), _ON_BOARD), "spectator": _SPECTATOR}
"""The rights at a real board, where people do everything on the board."""

WITH_MR_X_PHONE: Rights = {**AT_REAL_BOARD, "handset": Seat((ChooseOrder,), _ON_BOARD)}
"""The rights at a real board where Mister X has a phone."""

OF_OWNER: Rights = {
    "owner": Seat(
        (KeyOrder, UndoOrder, NewGameOrder, GiveUpOrder),
        gettext_noop("this page may do what needs no hidden knowledge, and nothing else"),
        "table.",
    )
}
"""The rights of the owner's pages at a real board."""

IN_LESSON: Rights = {
    "table": Seat((*_PAWNS, KeyOrder, UndoOrder), _NO_LESSON, "table."),
    "handset": Seat((KeyOrder, ChooseOrder), _NO_LESSON, "handset."),
}
"""The rights in a lesson."""


class NotYours(Exception):
    """The error that a player's order concerns another player's pawns or turn."""


def refusal(rights: Rights, page: str, order: UserOrder) -> str:
    """Return why this kind of page may not send the order, in the current language, or "" if it may."""
    seat = rights[page]
    if not isinstance(order, seat.orders):
        return gettext(seat.refusal)
    if isinstance(order, KeyOrder) and not order.key.startswith(seat.keys):
        return gettext("{key} is not a key of this page", key=order.key)
    return ""


def check_player(order: UserOrder, player: int | None, view: PublicView | None, last: str | None) -> None:
    """Check that an order concerns the pawns or the turn of the detectives' player who sent it.

    Args:
        order: the order.
        player: the number of the player whose phone sent the order, as in the view's `owners`; None if the phone has no
            seat.
        view: the game's public view; None if there is no game.
        last: the pawn whose move can be undone now, if any.

    Raises:
        NotYours: the order concerns another player's pawns or turn.
    """
    own = set() if view is None else {pawn for pawn, owner in view.owners.items() if owner == player}
    match order:
        case KeyOrder(_, down):
            if down and (view is None or own.isdisjoint(view.turn)):
                raise NotYours(gettext("it is not your turn"))
        case ChooseOrder(action):
            if action.get("kind") != "pawn" or action.get("pawn") not in own:
                raise NotYours(gettext("this pawn is not yours to move"))
        case UndoOrder():
            if last is not None and last not in own:
                raise NotYours(gettext("this move is not yours to take back"))


# ---- reading orders --------------------------------------------------------------------------------------------------


def hello(message: str | bytes) -> PageHello:
    """Read a page's first message.

    Raises:
        BadOrder: the message is not a valid first message.
    """
    said: PageHello = orders.read(orders.parse(message, LONGEST), PageHello)
    return said


def order(message: str | bytes) -> UserOrder | Alive:
    """Read a later message of a page: an order, or an answer to a tick.

    Raises:
        BadOrder: the message is not a valid order; the error says what a valid one contains.
    """
    said: UserOrder | Alive = orders.read(orders.parse(message, LONGEST), UserOrder | Alive)
    return said


# ---- queueing orders -------------------------------------------------------------------------------------------------

WAITING = 500
"""The most queued orders of one page, more are refused; and of all closed pages together, more are dropped."""

AT_ONCE = 8
"""The most orders carried out in one turn, so that the game goes on even if pages send many."""


@dataclass(frozen=True, slots=True)
class PageOrder:
    """A queued order, with the page that sent it.

    Attributes:
        page: the kind of page.
        visitor: the page's number.
        order: the page's order.
        send: sends the page a text; any thread may call it.
        language: the page's language.
    """

    page: str
    visitor: int
    order: UserOrder
    send: Callable[[str], None]
    language: str

    def refuse(self, why: str) -> None:
        """Send the page the reason why its order was refused, in the page's language. Any thread may call it.

        Args:
            why: a text in English, or one that is already in the page's language.
        """
        with in_language(self.language):
            self.send(say(why))


class PageOrderQueue:
    """The queue of pages' orders to the table. Implements `ServedTable`.

    The pages take turns, so that no page waits for another's queue.

    Args:
        rights: the orders that each kind of page may give; any other order is refused at once.
        waiting: how many orders of one page may wait.
    """

    def __init__(self, rights: Rights = AT_SIMULATED_TABLE, waiting: int = WAITING) -> None:
        self._rights, self._most = rights, waiting
        self.pages = frozenset(rights)
        self._lock = threading.Lock()
        self._waiting: dict[int, deque[PageOrder]] = {}
        self._known: set[int] = set()  # the pages that have given orders
        self._disconnected: list[int] = []

    def ask(self, page: str, visitor: int, order: UserOrder, refuse: Callable[[str], None]) -> None:
        """Queue an order for the table's thread, or refuse it with a reason in the current language.

        An order that drags a pawn replaces the page's previous order if that drags the same pawn.
        """
        if why := refusal(self._rights, page, order):
            refuse(why)
            return
        asked = PageOrder(page, visitor, order, refuse, language())
        with self._lock:
            waiting = self._waiting.setdefault(visitor, deque())
            if waiting and _replaces(order, waiting[-1].order):
                waiting.pop()
            if len(waiting) < self._most:
                waiting.append(asked)
                self._known.add(visitor)
                return
        refuse(gettext("the table cannot keep up; slow down"))

    def disconnect(self, visitor: int) -> None:
        """Record that a page has closed. Its queued orders remain, unless closed pages have too many queued."""
        with self._lock:
            if visitor not in self._known:
                return
            self._known.discard(visitor)
            self._disconnected.append(visitor)
            piled = sum(len(self._waiting.get(one, ())) for one in self._disconnected)
            dropped = self._waiting.pop(visitor, ()) if piled > WAITING else ()
        if dropped:
            what = "Dropped %d orders of a closed page: the table cannot keep up"
            log.warning(what, len(dropped), extra=log_fields("pages"))

    def orders(self, most: int = AT_ONCE) -> Iterator[PageOrder]:
        """Yield at most `most` orders to carry out now. Only the table's thread may call this."""
        for _ in range(most):
            if not self._waiting:
                return
            with self._lock:
                visitor = next(iter(self._waiting))
                waiting = self._waiting.pop(visitor)
                asked = waiting.popleft()
                if waiting:
                    self._waiting[visitor] = waiting  # behind all others
            yield asked

    def take_disconnected(self) -> list[int]:
        """Return the closed pages whose orders are all done. Only the table's thread may call this."""
        if not self._disconnected:
            return []
        with self._lock:
            done = [visitor for visitor in self._disconnected if visitor not in self._waiting]
            self._disconnected = [visitor for visitor in self._disconnected if visitor in self._waiting]
        return done

    def drop(self) -> None:
        """Remove all queued orders, because they were meant for another game."""
        with self._lock:
            self._waiting.clear()


class OrderRouter:
    """A router that puts each order into the queue for its kind of page. Implements `ServedTable`.

    Args:
        queues: the queues; no two are for the same kind of page.
    """

    def __init__(self, *queues: PageOrderQueue) -> None:
        self._queues = queues
        self.pages = frozenset().union(*(queue.pages for queue in queues))

    def ask(self, page: str, visitor: int, order: UserOrder, refuse: Callable[[str], None]) -> None:
        """Put an order into the queue for this kind of page."""
        next(queue for queue in self._queues if page in queue.pages).ask(page, visitor, order, refuse)

    def disconnect(self, visitor: int) -> None:
        """Record in every queue that a page has disconnected."""
        for queue in self._queues:
            queue.disconnect(visitor)


def _replaces(newer: UserOrder, older: UserOrder) -> bool:
    return isinstance(newer, DragOrder) and isinstance(older, DragOrder) and newer.pawn == older.pawn
