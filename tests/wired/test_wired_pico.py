"""A board and a handset with a Pico each: their real programs, run by MicroPython, on serial ports. In real time, so a
short game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from firmware_host.commissioning import selftest
from firmware_host.commissioning.exercise_devices import Workbench
from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator.demo import Pace
from firmware_host.table.device_factory import make_devices, turn_off_output
from firmware_host.ui.prompt_wording import prompt
from hardware.clock import SystemClock
from tests.hardware.drivers.panel_bench import DARK
from tests.waiting import until as wait_until
from tests.wired.wired_boards import PiBoard
from tests.wired.wired_tables import Wired, build, seated

START = {MR_X: 23, "red": 24, "yellow": 150, "green": 170, "blue": 112}
HIS = MrXMove(Secret(13), "taxi")
RED = PawnMove("red", 13, "taxi")


def until(simulated: Wired, done: Callable[[], object], what: str) -> None:
    """Lets time, which is real here, go by until something is so."""
    for _ in range(200):
        if done():
            return
        simulated.advance(100)
    raise AssertionError(f"{what}: {simulated.table.health()}")


def test_london_on_two_picos_from_the_first_report_over_pulled_cables_to_a_capture() -> None:
    with seated(Wired, build("london-pico"), start=START, pace=Pace()) as (simulated, players):

        def switches() -> object:
            return simulated.table.health()["switches"]["state"]

        def handset() -> object:
            return simulated.table.health()["handset"]["state"]

        until(simulated, lambda: switches() == handset() == "ok", "the first reports")
        players.set_up()
        assert players.play(HIS) == HIS

        simulated.board.handset.unplug()
        until(simulated, lambda: handset() == "lost", "the handset's loss")
        simulated.board.handset.replug()
        until(simulated, lambda: handset() == "ok", "the handset's return")

        simulated.board.pico.unplug()
        until(simulated, lambda: switches() == "lost", "the loss")
        assert prompt(simulated.table.scene()).text == "Paused: the switches are lost"
        simulated.board.pico.replug()
        until(simulated, lambda: switches() == "ok", "the return")

        assert players.play(RED) == RED
        assert simulated.table.game.actions == [HIS, RED]
        assert simulated.public.outcome.reason == "captured"
        until(simulated, simulated.shines_as_meant, "the lamps")
        assert any(simulated.board.lamps.frames[-1][1])
        simulated.advance(200)
        assert simulated.shows_as_meant("handset")
        assert simulated.shows_as_meant("display")
        assert simulated.real.switches.counters.connects >= 2


def test_the_self_test_asks_for_each_key_of_the_handset_and_draws_on_its_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = PiBoard(build("london-pico"), lambda: 0)
    board.solder(monkeypatch)
    config, said = board.at_ports(), list[str]()
    config = replace(config, handset=replace(config.handset, shift_s=0))
    backend = make_devices(config, SystemClock(), board.pi)
    trial = selftest.self_test(config, backend, str, ["keys", "screens"])
    bench = Workbench(backend, trial, said.extend, samples=config.switches.samples)

    def screens_are_asked_for() -> bool:
        asked = [line.rpartition(" ")[2] for line in said if ": press " in line]
        board.press(frozenset(asked[-1:]))
        bench.step()
        return any(line.startswith("Screens:") for line in said)

    wait_until(screens_are_asked_for, "the end of the keys")
    assert [line for line in said if line.endswith(": good")] == [f"  {name}: good" for name in backend.keys.names]
    picture = selftest.test_picture("handset", 199).tobytes()
    wait_until(lambda: bench.step() or board.screens["handset"].pixels() == picture, "the test picture")
    bench.line_typed("")
    wait_until(lambda: bench.step() or bench.done, "the end")
    assert not trial.bad
    bench.turn_off()
    backend.close()
    assert board.screens["handset"].pixels() == DARK.tobytes()
    turn_off_output("handset", config, SystemClock())
    board.close()
