"""The owner may be a detective: the owner's page shows and times nothing of what Mister X does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.config.loader import Config
from firmware_host.daemon.health_file import HealthFile
from firmware_host.daemon.owner_desk import TableDesk
from firmware_host.daemon.owner_seat import OwnerSeat
from firmware_host.referee.scene import CONFIRM
from firmware_host.web.feeds.page_orders import GiveUpOrder, KeyOrder, NewGameOrder
from tests.daemon.owned_table import owned
from tests.secrecy.test_seat import ByPage
from tests.table.alike import Alike
from tests.table.cases import SOME, Case, shipped
from tests.web.at_once import AtOnce
from tests.web.twins import by, twins

EVERY = 0.7
"""Seconds of table time between two looks of the owner."""


class OwnedRoom(AtOnce):
    """A room with an owner who looks at everything again and again, and presses keys that the table refuses.

    Args:
        config: the table's configuration.
        home: where its files are.
        seed: of all chance.
    """

    def __init__(self, config: Config, home: Path, seed: int) -> None:
        home.mkdir()
        config = owned(config, home)
        super().__init__(config, seed=seed)
        clock = self.simulated.hardware.clock
        self.seat = OwnerSeat(config, ["switches"])
        self.seat.serve(self.server)
        self.desk = TableDesk(config, self.seat, now=clock.now)
        self.seen: list[tuple[float, object]] = []
        self._health = HealthFile(config, clock, wall_clock=clock.now, file=home / "health.json")
        self._look_at = 0.0
        self.simulated.hardware.drive(self._step, hz=config.switches.scan_hz)

    def _step(self) -> None:
        self.simulated.table.step()
        self.seat.attend(self.simulated.table)
        self._health.attend(self.simulated.table)
        now = self.simulated.hardware.clock.now()
        if now >= self._look_at:
            self._look_at = now + EVERY
            self._look(now)

    def _look(self, now: float) -> None:
        lines = [line[20:] for line in self.desk.log_lines()]  # without their times, which are those of this machine
        self.seen.append((now, (lines, self.seat.begun, self.seat.in_play, self._health.file.read_text())))
        for order in (KeyOrder(CONFIRM, down=True, prompt="earlier"), NewGameOrder("chess")):
            self.seat.orders.ask("owner", 1, order, lambda said: self.seen.append((self._now(), said)))

    def _now(self) -> float:
        return self.simulated.hardware.clock.now()

    def begin_to_look(self) -> None:
        """Forget what was seen, and what another table has logged."""
        self.desk._log._lines.clear()
        self.seen.clear()


def room_in(folder: Path) -> Callable[[Alike, int], OwnedRoom]:
    """Lays the tables of two games, each with a folder of its own."""
    return lambda pair, side: OwnedRoom(shipped(pair.case.rules), folder / f"{side}", pair.seed)


@pytest.mark.parametrize("case", SOME, ids=str)
@pytest.mark.long
def test_games_that_differ_in_hidden_facts_alone_show_an_owner_the_same_at_the_same_times(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    caplog.set_level("INFO", "yardboard")
    play = by(ByPage)

    def watched(pair: Alike, side: int, room: AtOnce) -> None:
        assert isinstance(room, OwnedRoom)
        room.begin_to_look()
        play(pair, side, room)
        room.seat.orders.ask("owner", 1, GiveUpOrder(), room.refused.append)
        room.wait(500)

    with twins(case, watched, lay=room_in(tmp_path)) as (one, two):
        assert isinstance(one, OwnedRoom)
        assert isinstance(two, OwnedRoom)
        for a, b in zip(one.seen, two.seen, strict=True):
            assert a == b
        assert len(one.seen) > 50
