"""A board and a handset with a Pico each: their real programs, run by MicroPython, on serial ports. In real time, so a
short game.
"""

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
