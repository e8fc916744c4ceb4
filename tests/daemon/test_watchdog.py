"""What the service manager is told, and when: ready, how the table is, and that everything goes on."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.daemon.watchdog import HUNG, Watchdog
from firmware_host.rules.actions import MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.system.systemd_notify import ServiceManager
from firmware_host.table.commands import Choose, GiveUpGame
from tests.daemon.service_manager import Ear, listening

FED = "WATCHDOG=1"


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    with listening(tmp_path) as ear:
        yield ear


def attended(simulated: SimulatedTable, manager: ServiceManager) -> Watchdog:
    """The simulated table, watched from now on."""
    watchdog = Watchdog(manager, simulated.hardware.clock)

    def step() -> None:
        simulated.table.step()
        watchdog.attend(simulated.table)

    simulated.hardware.drive(step, hz=simulated.config.switches.scan_hz)
    return watchdog


def test_it_is_ready_after_the_first_pass_and_before_that_says_nothing(ear: Ear) -> None:
    simulated = SimulatedTable()
    attended(simulated, ear.manager)
    assert ear.heard() == []
    simulated.advance(10)
    assert ear.heard() == ["READY=1", "STATUS=Nothing is played.", FED]


def test_it_is_told_four_times_in_its_patience_on_even_beats_whatever_happens_at_the_table(tmp_path: Path) -> None:
    with listening(tmp_path, patience=8.0) as ear:
        simulated = SimulatedTable()
        attended(simulated, ear.manager)
        simulated.advance(10)
        ear.heard()
        simulated.advance(1990 - 10)
        assert ear.heard() == []
        simulated.new_game(detectives=3)
        assert ear.heard() == []
        simulated.advance(20)
        assert ear.heard() == ["STATUS=classic: the pawns are being set up.", FED]
        simulated.advance(8000)
        assert ear.heard().count(FED) == 4


def test_the_status_has_phase_round_and_ailing_devices_and_nothing_of_mister_x(ear: Ear) -> None:
    simulated = SimulatedTable()
    attended(simulated, ear.manager)
    simulated.new_game(detectives=4)
    simulated.set_up()
    simulated.advance(5000)
    assert ear.heard()[-2] == "STATUS=classic: round 1."
    simulated.hardware.fault("lamps", "unplug")
    simulated.advance(10000)
    assert ear.heard()[-2] == "STATUS=classic: round 1; lamps lost: the cable is unplugged."
    simulated.do(GiveUpGame())
    simulated.advance(5000)
    assert ear.heard()[-2] == "STATUS=Nothing is played; lamps lost: the cable is unplugged."


def test_a_loop_that_hangs_ends_the_feeding_is_told_once_and_feeding_begins_again_with_it(
    ear: Ear, caplog: pytest.LogCaptureFixture
) -> None:
    simulated, late = SimulatedTable(), 0.0
    attended(simulated, ear.manager).watch({"pages": lambda: late})
    simulated.advance(10)
    late = HUNG - 0.1
    simulated.advance(5000)
    assert FED in ear.heard()
    late = HUNG
    with caplog.at_level(logging.ERROR):
        simulated.advance(60000)
    assert FED not in ear.heard()
    assert [record.getMessage() for record in caplog.records] == [
        "Hangs for 10 s: pages. Unless it goes on, the service manager restarts the table."
    ]
    late = 0.0
    simulated.advance(5000)
    assert FED in ear.heard()


def test_a_program_that_was_stopped_as_a_whole_and_goes_on_has_no_hanging_loop(
    ear: Ear, caplog: pytest.LogCaptureFixture
) -> None:
    simulated, stopped_at = SimulatedTable(), 0.0
    now = simulated.hardware.clock.now
    watchdog = Watchdog(ear.manager, simulated.hardware.clock)
    watchdog.watch({"pages": lambda: now() - stopped_at})
    watchdog.attend(simulated.table)
    ear.heard()
    simulated.hardware.clock.advance(60)  # SIGSTOP and SIGCONT
    watchdog.attend(simulated.table)
    assert FED in ear.heard()
    simulated.hardware.drive(lambda: watchdog.attend(simulated.table), hz=10)
    simulated.advance(1000 * HUNG - 100)
    assert caplog.records == []
    simulated.advance(5000)
    assert "Hangs for 10 s: pages." in caplog.text, "it alone does not go on"


def test_slow_passes_of_the_table_s_loop_hide_no_other_loop_that_hangs(
    ear: Ear, caplog: pytest.LogCaptureFixture
) -> None:
    simulated = SimulatedTable()
    clock = simulated.hardware.clock
    watchdog = Watchdog(ear.manager, clock)
    watchdog.watch({"lamps": clock.now})
    reported = []
    for second in range(60):
        clock.advance(5.0 if second % 9 == 8 else 1.0)
        watchdog.attend(simulated.table)
        reported.append(FED in ear.heard())
    assert "Hangs for 10 s: lamps." in caplog.text
    assert not any(reported[20:])


class NeverReady:
    """Lamps that are never free."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def ready(self) -> bool:
        return False


def test_lamps_that_never_take_a_frame_end_the_feeding(ear: Ear) -> None:
    simulated = SimulatedTable()
    attended(simulated, ear.manager)
    simulated.advance(10)
    lamps: Any = NeverReady(simulated.backend.lamps)
    simulated.table._outputs._lamps = lamps
    simulated.advance(HUNG * 1000)
    ear.heard()
    simulated.advance(60000)
    assert FED not in ear.heard()


@pytest.mark.parametrize("device", ["switches", "lamps", "handset", "display", "keys"])
def test_a_device_that_is_lost_for_a_minute_ends_no_feeding(ear: Ear, device: str) -> None:
    simulated = SimulatedTable()
    attended(simulated, ear.manager)
    simulated.hardware.fault(device, "unplug")
    for _ in range(6):
        simulated.advance(10_000)
        assert FED in ear.heard()


def test_two_games_that_differ_in_what_is_hidden_tell_the_same_at_the_same_times(tmp_path: Path) -> None:
    heard = []
    for station, to in ((45, 46), (51, 52)):
        folder = tmp_path / str(station)
        folder.mkdir()
        with listening(folder) as ear:
            simulated = SimulatedTable(seed=3)
            attended(simulated, ear.manager)
            simulated.new_game(detectives=3, start={"mr_x": station, "red": 74, "yellow": 117, "green": 138})
            simulated.set_up()
            simulated.advance(1000 - simulated.hardware.clock.now() % 1 * 1000)
            simulated.do(Choose(MrXMove(Secret(to), "taxi")))
            told = []
            for _ in range(300):
                simulated.advance(100)
                told.append(ear.heard())
            heard.append(told)
    assert heard[0] == heard[1]


def test_without_a_service_manager_nothing_happens() -> None:
    simulated = SimulatedTable()
    attended(simulated, ServiceManager.of({}))
    simulated.advance(30000)
    ServiceManager.of({}).stopping()


def test_a_service_manager_that_has_gone_or_does_not_listen_does_not_hold_the_table_up(tmp_path: Path) -> None:
    ServiceManager(str(tmp_path / "gone")).ready()
    with listening(tmp_path) as ear:
        for _ in range(10_000):
            ear.manager.keep_alive()
        assert FED in ear.heard()


def test_the_environment_says_who_is_told_and_how_long_it_waits() -> None:
    own = {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "20000000"}
    assert ServiceManager.of(own) == ServiceManager("/run/x", 20.0)
    assert ServiceManager.of({**own, "WATCHDOG_PID": str(os.getpid())}).patience == 20.0
    assert ServiceManager.of({**own, "WATCHDOG_PID": "1"}).patience == 0.0
    assert ServiceManager.of({**own, "WATCHDOG_USEC": "soon"}).patience == 0.0


def test_an_address_without_a_file_is_found_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("")  # the kernel chooses a name of its own
        name = line.getsockname().decode().replace("\0", "@", 1)
        replace(ServiceManager(), address=name).ready()
        assert line.recv(100) == b"READY=1"
