"""The table menu's wishes are carried out from outside: address, code and power off; and what fails is said."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config, load
from firmware_host.daemon.caretaker import STUCK_SECONDS, UNSEEN_SECONDS, Caretaker
from firmware_host.maintenance.carry_out_requests import RequestHandler
from firmware_host.simulator import SimulatedTable
from firmware_host.system.files import at_once
from firmware_host.system.owner_requests import (
    FOLDER,
    LONGEST_SECONDS,
    MOST_WAITING,
    OUTCOME,
    REQUEST,
    RequestOutcome,
    RequestState,
    Restart,
    encode_record,
    is_powering_off,
    post_request,
)
from firmware_host.web.seats.qr_modules import small_qr_modules
from tests.maintenance.test_carry_out_requests import FakeMachine
from tests.table.played_table import config, hold, release


@cache
def real_board() -> Config:
    """A simulated board that is taken for a real one, because its switches are."""
    return replace(config(), switches=load(shipped_files.folder() / "london-spi.toml").switches)


class FakePages:
    """Pages at an address that may change."""

    def __init__(self) -> None:
        self.address = ""
        self.codes = iter(["111111", "222222"])

    def new_owner_code(self) -> str | None:
        return next(self.codes, None)


class TendedTable:
    """A table with its caretaker, on the virtual clock."""

    def __init__(self, conf: Config, home: Path, pages: FakePages | None = None) -> None:
        self.state = home / "state"
        self.state.mkdir()
        self.config = replace(conf, folder=home, journal=replace(conf.journal, path=str(self.state / "j.sqlite")))
        self.table = SimulatedTable(self.config)
        self.table.new_game(seed=1)
        now = self.table.hardware.clock.now
        self.caretaker = Caretaker(self.config, pages, at_once, now=now)
        self.table.hardware.drive(self._step, hz=self.config.switches.scan_hz)
        self.table.advance(500)

    def _step(self) -> None:
        self.table.table.step()
        self.caretaker.attend(self.table.table)

    @property
    def page(self) -> str:
        return "" if self.table.table.menu is None else self.table.table.menu.page

    @property
    def requests(self) -> list[Path]:
        return [*(self.state / FOLDER).glob(f"*{REQUEST}")]

    def run_roots_program(self, machine: FakeMachine) -> None:
        RequestHandler(Path("/nonexistent/table.toml"), machine, self.state, may_update=False).handle_all(
            self.state / FOLDER
        )


@pytest.fixture
def tend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., TendedTable]]:
    made: list[TendedTable] = []
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)

    def create(conf: Config, pages: FakePages | None = None) -> TendedTable:
        made.append(TendedTable(conf, tmp_path, pages))
        return made[-1]

    yield create
    for one in made:
        one.table.close()


def test_a_very_long_press_ends_in_a_request_and_the_machine_is_shut_down(
    tend: Callable[..., TendedTable],
) -> None:
    tended = tend(real_board())
    hold(tended.table, "table.back", 10_200)
    assert (tended.page, len(tended.requests)) == ("off", 1)
    machine = FakeMachine()
    tended.run_roots_program(machine)
    release(tended.table, "table.back", 60_000)
    assert machine.done == ["power off"]
    assert is_powering_off(tended.state / FOLDER)
    assert (tended.page, tended.requests) == ("off", [])


def test_a_power_off_that_did_not_happen_is_forgotten_by_the_next_run(tend: Callable[..., TendedTable]) -> None:
    tended = tend(real_board())
    hold(tended.table, "table.back", 10_200)
    tended.run_roots_program(FakeMachine())
    assert is_powering_off(tended.state / FOLDER)
    Caretaker(tended.config, None, at_once)
    assert not is_powering_off(tended.state / FOLDER)


def test_a_request_that_nobody_carries_out_is_withdrawn_and_the_display_says_so(
    tend: Callable[..., TendedTable], caplog: pytest.LogCaptureFixture
) -> None:
    tended = tend(real_board())
    hold(tended.table, "table.back", 10_100)
    tended.table.advance(1000 * UNSEEN_SECONDS - 1000)
    assert tended.page == "off"
    tended.table.advance(4000)
    assert (tended.page, tended.requests) == ("failed", [])
    assert "nothing carries out requests here" in caplog.text


def test_a_request_waits_as_long_as_root_carries_out_another_one(tend: Callable[..., TendedTable]) -> None:
    tended = tend(real_board())
    (tended.state / FOLDER).mkdir()
    other = tended.state / FOLDER / f"{12 * '0'}-{16 * '0'}{OUTCOME}"
    other.write_bytes(encode_record(RequestOutcome(RequestState.BEGUN)))  # an update
    hold(tended.table, "table.back", 10_100)
    tended.table.advance(1000 * STUCK_SECONDS + 60_000)
    assert (tended.page, len(tended.requests)) == ("off", 1)
    other.write_bytes(encode_record(RequestOutcome(RequestState.DONE)))
    tended.table.advance(1000 * UNSEEN_SECONDS - 2000)
    assert (tended.page, len(tended.requests)) == ("off", 1), "root's program is started again for it"
    tended.table.advance(4000)
    assert (tended.page, tended.requests) == ("failed", [])


def test_root_is_not_busy_for_ever_with_a_request_at_which_it_was_killed(tend: Callable[..., TendedTable]) -> None:
    tended = tend(real_board())
    (tended.state / FOLDER).mkdir()
    other = tended.state / FOLDER / f"{12 * '0'}-{16 * '0'}{OUTCOME}"
    other.write_bytes(encode_record(RequestOutcome(RequestState.BEGUN)))
    long_ago = other.stat().st_mtime - LONGEST_SECONDS - 60
    os.utime(other, (long_ago, long_ago))
    hold(tended.table, "table.back", 10_100)
    tended.table.advance(1000 * UNSEEN_SECONDS + 4000)
    assert (tended.page, tended.requests) == ("failed", [])


def test_if_roots_program_is_killed_in_the_middle_the_table_can_be_used_again(
    tend: Callable[..., TendedTable], caplog: pytest.LogCaptureFixture
) -> None:
    class Killed(BaseException):
        """The program is gone."""

    class Killing(FakeMachine):
        def power_off(self) -> None:
            raise Killed

    tended = tend(real_board())
    hold(tended.table, "table.back", 10_100)
    release(tended.table, "table.back")
    with pytest.raises(Killed):
        tended.run_roots_program(Killing())
    tended.table.advance(1000 * STUCK_SECONDS - 2000)
    assert tended.page == "off"
    tended.table.advance(6000)
    assert tended.page == "failed"
    assert "journalctl -u yardboard-requests" in caplog.text


def test_a_refused_request_and_a_disk_that_is_read_only_are_said(
    tend: Callable[..., TendedTable],
) -> None:
    tended = tend(real_board())

    class Refusing(FakeMachine):
        def power_off(self) -> None:
            raise OSError(1, "systemd does not answer")

    hold(tended.table, "table.back", 10_100)
    release(tended.table, "table.back")
    tended.run_roots_program(Refusing())
    tended.table.advance(4000)
    assert tended.page == "failed"
    (tended.state / FOLDER).rename(tended.state / "away")
    (tended.state / FOLDER).write_text("in the way")
    hold(tended.table, "table.back", 10_100)
    tended.table.advance(4000)
    assert tended.page == "failed"


def test_if_too_many_requests_wait_already_the_display_says_so_and_the_table_goes_on(
    tend: Callable[..., TendedTable], caplog: pytest.LogCaptureFixture
) -> None:
    tended = tend(real_board())
    for _ in range(MOST_WAITING):
        post_request(tended.state / FOLDER, Restart())
    hold(tended.table, "table.back", 10_200)
    assert (tended.page, len(tended.requests)) == ("failed", MOST_WAITING)
    assert f"{MOST_WAITING} requests wait for root" in caplog.text


def test_the_address_is_shown_when_the_network_comes_up_and_changes_with_it(
    tend: Callable[..., TendedTable],
) -> None:
    pages = FakePages()
    tended = tend(real_board(), pages)
    tended.table.advance(5000)
    assert tended.page == ""
    for address in ("http://192.168.178.34:8199/", "http://10.0.0.7:8199/"):
        pages.address = address
        tended.table.advance(3000)
        menu = tended.table.table.menu
        assert menu is not None
        assert menu.address is not None
        assert menu.address.url == address
        assert menu.address.code == small_qr_modules(address)
        assert menu.address.name == f"http://{socket.gethostname()}.local:8199/"
    pages.address = ""
    tended.table.advance(3000)
    assert tended.page == ""


def test_the_owners_code_comes_from_the_pages_each_time_that_it_is_chosen(tend: Callable[..., TendedTable]) -> None:
    pages = FakePages()
    conf = real_board()
    tended = tend(replace(conf, web=replace(conf.web, owner=True)), pages)
    pages.address = "http://10.0.0.7:8199/"
    tended.table.advance(20_000)
    for code in ("111111", "222222"):
        hold(tended.table, "table.back", 5100)
        release(tended.table, "table.back")
        for key in ("table.back", "table.confirm"):
            tended.table.hardware.press(key)
            tended.table.advance(200)
        menu = tended.table.table.menu
        assert menu is not None
        assert (menu.page, menu.owner_code) == ("owner", code)
        assert code in tended.table.display_lines()
        tended.table.hardware.press("table.confirm")
        tended.table.advance(200)


def test_a_simulated_table_asks_root_for_nothing(tend: Callable[..., TendedTable]) -> None:
    tended = tend(config())
    hold(tended.table, "table.back", 12_000)
    assert (tended.page, tended.requests) == ("simulated", [])
