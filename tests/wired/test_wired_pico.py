"""A board that a Pico reads: its real program, run by MicroPython, on a serial port. In real time, so a short game."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator.demo import Pace
from firmware_host.ui.prompts import prompt
from tests.wired.wired_tables import Wired, build, seated

START = {MR_X: 23, "red": 24, "yellow": 150, "green": 170}
HIS = MrXMove(Secret(13), "taxi")
RED = PawnMove("red", 13, "taxi")


def until(table: Wired, done: Callable[[], object], what: str) -> None:
    """Lets time, which is real here, go by until something is so."""
    for _ in range(200):
        if done():
            return
        table.advance(100)
    raise AssertionError(f"{what}: {table.daemon.health()}")


def test_london_on_a_pico_from_its_first_report_over_a_pulled_cable_to_a_capture() -> None:
    with seated(Wired, build("london-pico"), start=START, pace=Pace()) as (table, players):

        def switches() -> object:
            return table.daemon.health()["switches"]["state"]

        until(table, lambda: switches() == "ok", "the first report")
        players.set_up()
        assert players.play(HIS) == HIS

        table.board.pico.unplug()
        until(table, lambda: switches() == "lost", "the loss")
        assert prompt(table.daemon.scene()).text == "Paused: the switches are lost"
        table.board.pico.replug()
        until(table, lambda: switches() == "ok", "the return")

        assert players.play(RED) == RED
        assert table.daemon.game.actions == [HIS, RED]
        assert table.public.outcome.reason == "captured"
        until(table, table.shines_as_meant, "the lamps")
        assert any(table.board.lamps.frames[-1][1])
        table.advance(200)
        assert table.shows_as_meant("handset")
        assert table.shows_as_meant("display")
        assert table.real.switches.counters.connects >= 2
