"""A table with an owner's page, on the virtual clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from firmware_host.config.loader import Config
from firmware_host.daemon.owner_desk import TableDesk
from firmware_host.daemon.owner_seat import OwnerSeat
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.prompt_wording import prompt
from firmware_host.web.feeds.page_orders import KeyOrder, UserOrder
from firmware_host.web.server import Server
from hardware.sim.physics import SimClock

OWNERS = 1
"""The number of the owner's page."""


def owned(config: Config, home: Path) -> Config:
    """Return the configuration with an owner's page, and its files in a folder."""
    web = replace(config.web, serve=True, owner=True)
    return replace(config, folder=home, web=web, journal=replace(config.journal, path="j.sqlite"))


class OwnedTable:
    """A table and its owner's page. Use it in a `with`.

    Args:
        config: the table's configuration; it gets an owner's page.
        home: the folder of its files.
        seed: the seed of all random events.
    """

    def __init__(self, config: Config, home: Path, *, seed: int = 4) -> None:
        self.config = owned(config, home)
        environment = pytest.MonkeyPatch()
        environment.setenv("STATE_DIRECTORY", str(home))
        environment.setenv("RUNTIME_DIRECTORY", str(home))
        self._environment = environment
        self.refused: list[str] = []
        self._clock = SimClock()
        self.seat = OwnerSeat(self.config, ["switches"])
        self.desk = TableDesk(self.config, self.seat, now=self._now)
        self.server = Server("127.0.0.1", 0, self.seat.orders, owner=self.desk)
        self.seat.serve(self.server)
        self.simulated = SimulatedTable(
            self.config, seed=seed, journal=home / "j.sqlite", audience=self.server.spectators, wall_clock=lambda: 0.0
        )
        self._clock = self.simulated.hardware.clock
        self.simulated.hardware.drive(self._step, hz=self.config.switches.scan_hz)

    def _now(self) -> float:
        return self._clock.now()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._environment.undo()
        self.desk.close()
        self.simulated.close()
        self.server.stop()

    def _step(self) -> None:
        self.simulated.table.step()
        self.seat.attend(self.simulated.table)

    def ask(self, order: UserOrder, ms: float = 100) -> None:
        """Send an order from the owner's page, and let table time pass."""
        self.seat.orders.ask("owner", OWNERS, order, self.refused.append)
        self.simulated.advance(ms)

    def press(self, key: str, ms: float = 60) -> None:
        """Press a key on the owner's page, as an answer to the present prompt."""
        self.ask(KeyOrder(key, down=True, prompt=prompt(self.simulated.table.scene()).text), ms)
        self.ask(KeyOrder(key, down=False), 5)

    def press_from_page(self) -> None:
        """Make people press the table's keys on the owner's page from now on, as long as a finger would."""
        by_hand: Callable[..., None] = self.simulated.hardware.press

        def press(key: str, ms: float = 60) -> None:
            if key.startswith("table."):
                self.press(key, ms - 5)
            else:
                by_hand(key, ms)

        self.simulated.hardware.press = press  # type: ignore[method-assign]

    def refusal(self) -> str:
        """Return the only refusal of an order."""
        (why,) = self.refused
        self.refused.clear()
        return why

    def entries(self) -> list[tuple[str, str]]:
        """Return the journal's entries of the newest game, without their times."""
        return [(kind, text) for _, kind, text in self.simulated.table.journal.newest_entries()]
