"""Queue the pages' orders on the server's thread until the table's thread takes them."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext, in_language, language, say
from firmware_host.web.feeds.page_orders import AT_SIMULATED_TABLE, DragOrder, Rights, UserOrder, refusal

WAITING = 500
"""The most queued orders of one page, and of all disconnected pages together; more are refused."""

AT_ONCE = 8
"""The most orders carried out in one turn, so that the game goes on whatever the pages send."""


log = logging.getLogger("yardboard")


@dataclass(frozen=True, slots=True)
class PageOrder:
    """A queued order, and the page that gave it.

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
        """Send the page the reason for a refusal, in its language. Any thread may call it.

        Args:
            why: a text in English, or one that is already in the page's language.
        """
        with in_language(self.language):
            self.send(say(why))


class PageOrderQueue:
    """The queue of the pages' orders to the table. Implements `ServedTable`.

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
        """Queue an order for the table's thread. A refusal will use the current language.

        A newer place for a dragged pawn replaces the one before.
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
        """Record that a page has disconnected. Its orders are kept unless such pages have queued too many."""
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
        """Yield at most `most` orders to carry out now. For the table's thread."""
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
        """Return the disconnected pages whose orders are all done. For the table's thread."""
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


def _replaces(newer: UserOrder, older: UserOrder) -> bool:
    return isinstance(newer, DragOrder) and isinstance(older, DragOrder) and newer.pawn == older.pawn
