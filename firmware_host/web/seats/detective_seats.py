"""Give phones the seats of detectives' players, and pass the phones' orders on.

A phone identifies itself by a session that it has generated. So a seat survives a lost connection, a reloaded page and
the end of a game. Everyone sees who has which seat, but only by the session's first letters.

A seat shows its phone public information only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from firmware_host.referee.scene import Scene
from firmware_host.system.language import gettext
from firmware_host.web.feeds.latest_feed import Feed, message
from firmware_host.web.feeds.page_orders import KeyOrder, RiseOrder, SitOrder, UserOrder
from firmware_host.web.feeds.websocket_session import ServedTable

PAGE = "detective"
"""The kind of page that a detective player's phone opens."""

SESSION = re.compile(r"[0-9a-f]{32}")
"""The form of a phone's session: 128 random bits."""

CLOSED = 64
"""How many closed pages are remembered."""

MARK = 8
"""How many letters of a session are published."""


class DetectiveSeats:
    """The seats of the detectives' players, and the phones that have them. Implements `ServedTable`.

    Call everything on the clients' loop; any thread may call `player_of`.

    Args:
        table: carries out the orders that are not about seats.
        feed: takes the public messages.
        scene: returns what the table shows; None before it has started.
    """

    def __init__(self, table: ServedTable, feed: Feed, scene: Callable[[], Scene | None]) -> None:
        self._table, self._feed, self._scene = table, feed, scene
        self._phones: dict[int, str] = {}  # the open pages, each with its session
        self._closed: dict[int, str] = {}  # closed pages, of which the table may still have orders
        self._seats: Mapping[int, str] = {}  # player -> the session of the phone; replaced, never changed
        self._notify()

    @property
    def pages(self) -> frozenset[str]:
        """The kinds of pages that the table has. See `ServedTable.pages`."""
        return self._table.pages

    def player_of(self, visitor: int) -> int | None:
        """Return the number of the player whose seat a page has, or None. Any thread may call it.

        While a computer plays a seat, no page has it.
        """
        session = self._phones.get(visitor) or self._closed.get(visitor)
        player = next((player for player, holder in self._seats.items() if holder == session), None)
        return player if player in people(self._scene()) else None

    def connect(self, visitor: int, session: str) -> None:
        """Record that a phone has opened or reloaded its page."""
        self._phones[visitor] = session
        self._notify()

    def disconnect(self, visitor: int) -> None:
        """Record that a phone has closed its page. It keeps its seat until another phone takes the seat."""
        self._closed = {**dict([*self._closed.items()][1 - CLOSED :]), visitor: self._phones.pop(visitor)}
        self._notify()
        self._table.disconnect(visitor)

    def ask(self, page: str, visitor: int, order: UserOrder, refuse: Callable[[str], None]) -> None:
        """Carry out an order about a seat, or pass any other order on to the table if the phone has a seat.

        Every phone may release a key.
        """
        match order:
            case SitOrder():
                self._sit(self._phones[visitor], order, refuse)
            case RiseOrder():
                self._give(self._phones[visitor], None)
            case KeyOrder(down=False):  # even without a seat, or a key stays down that the phone held when it lost it
                self._table.ask(page, visitor, order, refuse)
            case _ if self.player_of(visitor) is None:
                refuse(gettext("choose first whom you play"))
            case _:
                self._table.ask(page, visitor, order, refuse)

    def _sit(self, session: str, order: SitOrder, refuse: Callable[[str], None]) -> None:
        holder = self._seats.get(order.player)
        if order.player not in people(self._scene()):
            refuse(gettext("no person plays this seat, so no phone can have it"))
        elif holder not in (None, session) and holder in self._phones.values() and not order.over:
            refuse(gettext("another phone has this seat already"))
        else:
            self._give(session, order.player)

    def _give(self, session: str, player: int | None) -> None:
        """Give a phone the seat of this player in place of any seat it had, or no seat if `player` is None."""
        others = {other: holder for other, holder in self._seats.items() if holder != session}
        self._seats = others if player is None else {**others, player: session}
        self._notify()

    def _notify(self) -> None:
        here = {*self._phones.values()}
        seats = {str(player): {"mark": one[:MARK], "here": one in here} for player, one in self._seats.items()}
        said = message("phones", seats=seats)
        self._feed.put("phones", lambda: said)


def people(scene: Scene | None) -> frozenset[int]:
    """Return the numbers of the detectives' players who are people. Empty if there is no game."""
    view = None if scene is None else scene.view
    if scene is None or view is None:
        return frozenset()
    return frozenset(player for player in view.owners.values() if str(player) not in scene.seats)
