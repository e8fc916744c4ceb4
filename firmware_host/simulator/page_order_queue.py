"""Queue what pages ask for, on the server's thread, until the simulated table's own comes for it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from firmware_host.system.language import gettext
from firmware_host.web.order_refusal import OrderRefusal
from firmware_host.web.page_orders import ByHand, DragOrder

WAITING = 500
"""How many orders of one page may wait; further ones are refused."""

AT_ONCE = 8
"""The most orders carried out in one turn: the game goes on whatever the pages want."""


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
        """Drop what a page wanted that is not done yet, as the page is gone."""
        with self._lock:
            self._waiting.pop(visitor, None)
            self._left.append(visitor)

    def take(self) -> tuple[list[int], list[Asked]]:
        """Return the pages that are gone, and the orders to carry out now; for the table's thread."""
        asked: list[Asked] = []
        with self._lock:
            gone, self._left = self._left, []
            while self._waiting and len(asked) < AT_ONCE:
                visitor = next(iter(self._waiting))
                waiting = self._waiting.pop(visitor)
                asked.append(waiting.popleft())
                if waiting:
                    self._waiting[visitor] = waiting  # behind all others
        return gone, asked


def _replaces(newer: ByHand, older: ByHand) -> bool:
    return isinstance(newer, DragOrder) and isinstance(older, DragOrder) and newer.pawn == older.pawn
