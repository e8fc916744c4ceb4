"""A table with Mister X's phone, on the virtual clock, which remembers everything that its pages receive."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from firmware_host.config.loader import Config, parse
from firmware_host.daemon.mr_x_phone_seat import PhoneSeat
from firmware_host.rules.actions import MR_X
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.system.files import at_once
from firmware_host.web.feeds.page_orders import ChooseOrder, UserOrder
from firmware_host.web.server import Server
from tests.web.at_once import AtOnce
from tests.web.page_table import Pages

HIS, OTHER = 1, 2
"""The numbers of Mister X's page and of another page."""


START = {MR_X: 94, "red": 13, "yellow": 26, "green": 174}


WITHOUT_SCREEN = '[handset]\ndriver = "none"\nphone = true\n[web]\nserve = true\n'
"""The configuration of a classic table at which the phone is the only handset."""


def without_screen() -> Config:
    """Return a classic table at which the phone is the only handset."""
    return parse(WITHOUT_SCREEN, "table.toml")


def with_phone(config: Config, home: Path) -> Config:
    """Return the configuration with a phone for Mister X, and its files in a folder."""
    handset, web = replace(config.handset, phone=True), replace(config.web, serve=True)
    return replace(config, folder=home, handset=handset, web=web, journal=replace(config.journal, path="j.sqlite"))


class PhoneRoom(AtOnce):
    """A room in which Mister X plays on his phone, and people move pawns by a page that nobody watches.

    No page has a WebSocket, and Mister X's page has the seat.

    Args:
        config: the table's configuration; it gets a phone.
        home: the folder of its files.
        seed: the seed of all random events.
    """

    def __init__(self, config: Config, home: Path, *, seed: int) -> None:
        self.home, self._with_phone = home, with_phone(config, home)
        self.phone = self._make_phone()
        super().__init__(self._with_phone, seed=seed)
        self.browser = BrowserSession(self.simulated, self.requests, Pages())
        self.phone.serve(self.server)
        self.server.sessions.has_seat = lambda visitor: visitor == HIS  # type: ignore[method-assign]
        self.simulated.hardware.drive(self._step, hz=self._with_phone.switches.scan_hz)

    def _now(self) -> float:
        return self.simulated.hardware.clock.now()

    def _make_phone(self) -> PhoneSeat:
        return PhoneSeat(self._with_phone, writing=at_once, now=self._now)

    def start_phone_anew(self) -> None:
        """Read the stored seat again, as after a restart of the program. Pages stay connected."""
        self.phone.close()
        self.phone = self._make_phone()
        self.phone.serve(self.server)

    def _make_server(self) -> Server:
        return Server("127.0.0.1", 0, self.phone.orders, token=self.phone.token)

    def _step(self) -> None:
        self.simulated.table.step()
        self.phone.attend(self.simulated.table)

    def ask(self, page: str, order: UserOrder, by: int = HIS) -> None:
        """Send an order from a page: Mister X's goes to the table, another's to people's hands."""
        if page == "handset" and isinstance(order, ChooseOrder):
            self.phone.orders.ask(page, by, order, self.refused.append)
            self.browser.turn()
        else:
            super().ask(page, order)

    @property
    def link(self) -> str:
        """Return the link that invites a phone now."""
        return (self.home / "handset-link").read_text().splitlines()[0]

    def seat_by(self, link: str, nonce: str = "made up on his phone!") -> str | None:
        """Return the session that a link opens."""
        return self.phone.token.exchange(link.partition("#")[2], nonce)

    def begin(self) -> None:
        """Begin a game, up to Mister X's first move."""
        self.simulated.new_game(players=4, start=START)
        self.simulated.set_up()
        self.wait(2000)
