"""A board that a Pico reads: its real program, run by MicroPython, on a serial port. In real time, so a short game."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator.demo import Pace
from firmware_host.ui.prompt_wording import prompt
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


def test_london_on_a_pico_from_its_first_report_over_a_pulled_cable_to_a_capture() -> None:
    with seated(Wired, build("london-pico"), start=START, pace=Pace()) as (simulated, players):

        def switches() -> object:
            return simulated.table.health()["switches"]["state"]

        until(simulated, lambda: switches() == "ok", "the first report")
        players.set_up()
        assert players.play(HIS) == HIS

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
