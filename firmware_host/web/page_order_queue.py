"""Queue what pages ask for, on the server's thread, until the simulated table's own comes for it."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator

from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext
from firmware_host.web.order_refusal import OrderRefusal
from firmware_host.web.page_orders import ByHand, DragOrder

WAITING = 500
"""How many orders of one page may wait, further ones being refused; and how many of all pages that are gone."""

AT_ONCE = 8
"""The most orders carried out in one turn: the game goes on whatever the pages want."""


log = logging.getLogger("yardboard")

Asked = tuple[str, int, ByHand, OrderRefusal]
"""What a page wants: the kind of page, its number, the order, and what tells it of a refusal."""


class PageOrderQueue:
    """Queues what the pages want from the table. Implements `ServedTable`.

    The pages take turns, so none of them waits for what another has piled up.
    """

    pages = frozenset(("table", "handset", "detective", "spectator"))

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[int, deque[Asked]] = {}
        self._left: list[int] = []

    def ask(self, page: str, visitor: int, order: ByHand, refuse: Callable[[str], None]) -> None:
        """Queue an order for the table's thread; a refusal will be in the language that holds now.

        A newer place for a dragged pawn replaces the one before.
        """
        asked = page, visitor, order, OrderRefusal(refuse)
        with self._lock:
            waiting = self._waiting.setdefault(visitor, deque())
            if waiting and _replaces(order, waiting[-1][2]):
                waiting.pop()
            if len(waiting) < WAITING:
                waiting.append(asked)
                return
        refuse(gettext("the table cannot keep up; slow down"))

    def left(self, visitor: int) -> None:
        """Note that a page is gone. Its orders are carried out, unless such pages have piled up too many."""
        with self._lock:
            self._left.append(visitor)
            piled = sum(len(self._waiting.get(one, ())) for one in self._left)
            dropped = self._waiting.pop(visitor, ()) if piled > WAITING else ()
        if dropped:
            what = "%d orders of a page that has closed are dropped: the table cannot keep up"
            log.warning(what, len(dropped), extra=log_fields("pages"))

    def orders(self) -> Iterator[Asked]:
        """Yield the orders to carry out now, at most `AT_ONCE`; for the table's thread."""
        for _ in range(AT_ONCE):
            with self._lock:
                if not self._waiting:
                    return
                visitor = next(iter(self._waiting))
                waiting = self._waiting.pop(visitor)
                asked = waiting.popleft()
                if waiting:
                    self._waiting[visitor] = waiting  # behind all others
            yield asked

    def gone(self) -> list[int]:
        """Return the pages that are gone and whose orders are all done; for the table's thread."""
        with self._lock:
            gone = [visitor for visitor in self._left if visitor not in self._waiting]
            self._left = [visitor for visitor in self._left if visitor in self._waiting]
        return gone


def _replaces(newer: ByHand, older: ByHand) -> bool:
    return isinstance(newer, DragOrder) and isinstance(older, DragOrder) and newer.pawn == older.pawn
