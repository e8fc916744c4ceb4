"""Keep which phone has the seat of which detectives' player, and hand on what it asks for in that player's name.

A phone is known by a session that it has made up for itself. So a seat outlasts a lost line, a page that is loaded
anew, and the end of a game. Everyone is told who sits where: by the first letters of the session, never by all of it.

No seat lets its phone see more than everyone may know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from firmware_host.referee.scene import Scene
from firmware_host.system.language import gettext
from firmware_host.web.feeds.latest_feed import Feed, message
from firmware_host.web.feeds.page_orders import ByHand, RiseOrder, SitOrder
from firmware_host.web.feeds.websocket_session import ServedTable

PAGE = "detective"
"""The kind of page that a phone of a detectives' player is."""

SESSION = re.compile(r"[0-9a-f]{32}")
"""What such a phone makes up: 128 bits of chance."""

CLOSED = 64
"""How many pages that have closed are remembered."""

MARK = 8
"""How many letters of it everyone is told."""


class DetectiveSeats:
    """The seats at one table. Implements `ServedTable` for the phones that have them.

    Everything happens on the clients' loop, but for `player_of`, which any thread may ask.

    Args:
        table: carries out what is not about seats.
        feed: takes what everyone is told.
        scene: tells how the table looks; None before it has begun.
    """

    def __init__(self, table: ServedTable, feed: Feed, scene: Callable[[], Scene | None]) -> None:
        self._table, self._feed, self._scene = table, feed, scene
        self._phones: dict[int, str] = {}  # the open pages, each with its session
        self._closed: dict[int, str] = {}  # pages that have closed: the table may still have orders of theirs to do
        self._seats: Mapping[int, str] = {}  # player -> the session of the phone; replaced, never changed
        self._tell()

    @property
    def pages(self) -> frozenset[str]:
        """Return the kinds of pages here."""
        return self._table.pages

    def player_of(self, visitor: int) -> int | None:
        """Return the number of the player whose seat a page has; None if it has none. Any thread."""
        session = self._phones.get(visitor) or self._closed.get(visitor)
        return next((player for player, holder in self._seats.items() if holder == session), None)

    def came(self, visitor: int, session: str) -> None:
        """Note that a phone has opened its page, or opened it again."""
        self._phones[visitor] = session
        self._tell()

    def left(self, visitor: int) -> None:
        """Note that its page is gone. The seat stays its own, until another phone wants it."""
        self._closed = {**dict([*self._closed.items()][1 - CLOSED :]), visitor: self._phones.pop(visitor)}
        self._tell()
        self._table.left(visitor)

    def ask(self, page: str, visitor: int, order: ByHand, refuse: Callable[[str], None]) -> None:
        """Take a seat, give it back, or hand an order over to the table, if it comes from a seat."""
        match order:
            case SitOrder():
                self._sit(self._phones[visitor], order, refuse)
            case RiseOrder():
                self._give(self._phones[visitor], None)
            case _ if self.player_of(visitor) is None:
                refuse(gettext("choose first whom you play"))
            case _:
                self._table.ask(page, visitor, order, refuse)

    def _sit(self, session: str, order: SitOrder, refuse: Callable[[str], None]) -> None:
        holder = self._seats.get(order.player)
        if order.player not in people(self._scene()):
            refuse(gettext("nobody plays there whose phone it could be"))
        elif holder not in (None, session) and holder in self._phones.values() and not order.over:
            refuse(gettext("another phone plays there already"))
        else:
            self._give(session, order.player)

    def _give(self, session: str, player: int | None) -> None:
        """Give a phone that seat and no other; None for none at all."""
        others = {other: holder for other, holder in self._seats.items() if holder != session}
        self._seats = others if player is None else {**others, player: session}
        self._tell()

    def _tell(self) -> None:
        here = {*self._phones.values()}
        seats = {str(player): {"mark": one[:MARK], "here": one in here} for player, one in self._seats.items()}
        said = message("phones", seats=seats)
        self._feed.put("phones", lambda: said)


def people(scene: Scene | None) -> frozenset[int]:
    """Return the numbers of the detectives' players that are people; none where there is no game."""
    view = None if scene is None else scene.view
    if scene is None or view is None:
        return frozenset()
    return frozenset(player for player in view.owners.values() if str(player) not in scene.seats)
