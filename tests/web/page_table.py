"""A simulated table as pages see it, without any page, on the table's own clock."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from firmware_host.config.loader import Config
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.browser_session import TURN, BrowserSession
from firmware_host.web.feeds.board_outline import BoardCache
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.page_orders import PageOrderQueue, PutOrder, UserOrder
from firmware_host.web.feeds.spectator_feed import SpectatorFeed

ONE, OTHER = 1, 2
"""The numbers of two pages."""


@dataclass
class Pages:
    """The receiver of all outputs for pages."""

    public: Feed = field(default_factory=Feed)
    private: Feed = field(default_factory=Feed)
    spectators: SpectatorFeed = field(init=False)

    def __post_init__(self) -> None:
        self.spectators = SpectatorFeed(self.public, BoardCache())


class Room:
    """A table with the pawns Yellow, Green and so on to be set up, and two pages that send orders."""

    def __init__(self, config: Config | None = None) -> None:
        self.pages, self.requests = Pages(), PageOrderQueue()
        self.simulated = SimulatedTable(config, seed=5, audience=self.pages.spectators)
        self.simulated.new_game()
        self.browser = BrowserSession(self.simulated, self.requests, self.pages)
        self.refused: list[str] = []
        self.wait(50)

    def wait(self, ms: float) -> None:
        """Let table time pass."""
        for _ in range(round(ms / TURN)):
            self.browser.turn()

    def ask(self, *orders: UserOrder, by: int = ONE, page: str = "table", ms: float = TURN) -> None:
        """Send orders from a page, and let time pass."""
        for order in orders:
            self.requests.ask(page, by, order, self.refused.append)
        self.wait(ms)

    def refusal(self) -> str:
        """Return the only refusal of an order."""
        (why,) = self.refused
        self.refused.clear()
        return why

    def heard(self, kind: str, *, private: bool = False) -> Any:
        """Return the newest message of a kind, as a newly opened page gets it."""
        said = all_of(self.pages.private if private else self.pages.public)[kind]
        return json.loads(said) if isinstance(said, str) else said

    def share(self, station: int, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
        """Return the place of a station, moved by some mm to the right and down, in shares of the board."""
        x, y = self.simulated.hardware.places[station]
        width = self.simulated.config.board.width_mm
        return (x + dx) / width, (y + dy) / (width / self.simulated.config.network.aspect)

    def put(self, pawn: str, station: int) -> None:
        """Put a pawn on a station by a page."""
        self.ask(PutOrder(pawn, *self.share(station)), ms=100)

    @property
    def where(self) -> dict[str, int | None]:
        return self.simulated.hardware.where()


def all_of(feed: Feed) -> dict[str, Any]:
    """Return the newest message of each kind."""
    seen: dict[str, int] = {}
    messages = {}
    while (due := feed.next(seen)) is not None:
        kind, seen[kind], messages[kind] = due
    return messages


def bare(room: Room) -> tuple[float, float]:
    """Return a place on the board that is far from every station."""
    width = room.simulated.config.board.width_mm
    height = width / room.simulated.config.network.aspect
    spots = ((x / 50, y / 50) for x in range(1, 50) for y in range(1, 50))
    places = room.simulated.hardware.places.values()
    return next(
        (x, y) for x, y in spots if all((px - x * width) ** 2 + (py - y * height) ** 2 > 25**2 for px, py in places)
    )
