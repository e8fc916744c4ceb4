"""A table behind its pages, but without them: orders come as from pages, and all messages to pages are recorded.

It runs on the virtual clock, as fast as possible.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Self, TypeVar

import pytest

from firmware_host.config.loader import Config
from firmware_host.rules.actions import Action
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.browser_session import TURN, BrowserSession
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.handset_menu import keys_for
from firmware_host.web.feeds.latest_feed import Feed, Message
from firmware_host.web.feeds.page_orders import KeyOrder, LiftOrder, PageOrderQueue, PutOrder, UserOrder
from firmware_host.web.server import Server
from hardware.sim import SimulatedHardware
from tests.web.played_evening import Evening

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds of table time that any step may take."""

PRESS = 200.0
"""Milliseconds of a key press, including the pause after it."""

EDGE = 22
"""Drawing units around the board, as on pages."""

Heard = tuple[float, str, Message]
"""The time, the kind and the content of a message."""


class HeardFeed(Feed):
    """A feed that records every message with the table's time, and builds each at once."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Heard] = []
        self.now: Callable[[], float] = lambda: 0.0

    def put(self, kind: str, make: Callable[[], Message]) -> None:
        message = make()
        self.heard.append((self.now(), kind, message))
        super().put(kind, lambda: message)


class Even(SimulatedTable):
    """A table whose keys do not bounce, because a bounce depends on how many keys were pressed before."""

    def _create_hardware(self) -> SimulatedHardware:
        hardware = super()._create_hardware()
        hardware.keys._contacts._bounce = (0.0, 0.0)
        return hardware


class AtOnce:
    """A room on the virtual clock; see `evening.Room`. Use it in a `with` statement."""

    public: HeardFeed
    private: HeardFeed

    def __init__(self, config: Config, *, seed: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("firmware_host.web.server.Feed", HeardFeed)
            self.requests = PageOrderQueue()
            self.server = self._make_server()
        self.public, self.private = self.server.public, self.server.private  # type: ignore[assignment]
        self.simulated = Even(config, rng=random.Random(seed), audience=self.server.spectators)
        for feed in (self.public, self.private):
            feed.now = self.simulated.hardware.clock.now
        offer = self.server.handset_token.offer_seat
        self.browser = BrowserSession(self.simulated, self.requests, self.server, offer_seat=offer)
        self.refused: list[str] = []

    def _make_server(self) -> Server:
        return Server("127.0.0.1", 0, self.requests)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.simulated.close()
        self.server.stop()

    def look(self, at: Callable[[SimulatedTable], T]) -> T:
        return at(self.simulated)

    def until(self, so: Callable[[SimulatedTable], object], what: str) -> None:
        end = self.simulated.hardware.clock.now() + PATIENCE
        while not so(self.simulated):
            assert self.simulated.hardware.clock.now() < end, f"{what}: {self.simulated.prompt_text}"
            self.wait(5 * TURN)

    def wait(self, ms: float) -> None:
        """Let `ms` milliseconds of table time pass."""
        for _ in range(round(ms / TURN)):
            self.browser.turn()

    def ask(self, page: str, order: UserOrder) -> None:
        """Send an order from a page."""
        self.requests.ask(page, 1, order, self.refused.append)
        self.browser.turn()

    def drag(self, pawn: str, to: int) -> None:
        if self.simulated.hardware.where().get(pawn) is not None:
            self.ask("table", LiftOrder(pawn))
            self.wait(400)
        self.ask("table", PutOrder(pawn, *shares(self.simulated, to)))
        self.wait(200)

    def put_away(self, pawn: str) -> None:
        self.ask("table", LiftOrder(pawn))
        self.wait(400)

    def press(self, key: str) -> None:
        page = key.partition(".")[0]
        for down in (True, False):
            self.ask(page, KeyOrder(key, down=down))
            self.wait(PRESS / 2 - TURN)


class Steady(Evening):
    """People whose time does not reveal how many keys Mister X had to press."""

    room: AtOnce

    def choose(self, action: Action) -> None:
        self.room.press("handset.back")  # light, and go home
        p = self.room.simulated
        keys = keys_for(p.table.handset.menu, p.private, action)
        self.room.wait(4000 - PRESS * len(keys))
        for key in keys:
            self.room.press(f"handset.{key}")
        self.room.wait(300)
        self._check(action)


def shares(p: SimulatedTable, station: int) -> tuple[float, float]:
    """Return a station's place as shares of the board's width and height, as in orders of pages."""
    board = BoardMap(p.table.layout.network)
    (x, y), (width, height) = board.places[station], board.size
    return (x - EDGE) / width, (y - EDGE) / height


def texts(heard: list[Heard]) -> list[str]:
    """Return the messages that are text."""
    return [message for _, _, message in heard if isinstance(message, str)]


def kinds(heard: list[Heard]) -> dict[str, Any]:
    """Return how many messages there were of each kind."""
    return {kind: sum(kind == other for _, other, _ in heard) for _, kind, _ in heard}
