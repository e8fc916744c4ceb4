"""However the service ends, lamps and screens go dark; unless it was told to end, it comes back to the same game."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from functools import partial
from threading import Thread

import pytest

from tests.proofs.kernel.guest.machine import held_up, wait_for
from tests.proofs.kernel.service import unit
from tests.proofs.kernel.service.board import DARK, PEEK, Board

Measured = Callable[[str, float], None]

FOR_EVER = 10**7
"""Milliseconds."""

PATIENCE = 60.0
"""Seconds until whatever hangs has to be found and killed: more than the unit and the watchdog have together."""


def stuck(bus: str, killed: int) -> None:
    """A bus takes what it is given and never ends with it, until the process that gave it has been killed."""
    process = os.pidfd_open(killed)
    with held_up(bus, FOR_EVER):
        select.select([process], [], [])
    os.close(process)


HANGS: dict[str, Callable[[int], None]] = {
    "the whole process": lambda pid: os.kill(pid, signal.SIGSTOP),
    "the scan": partial(stuck, "spi6"),
    "the lamps": partial(stuck, "spi0"),
    "the handset": partial(stuck, "i2c1"),
}


@pytest.mark.parametrize("hung", [False, True], ids=["as it goes on", "as its lamps hang"])
def test_told_to_stop_it_is_dark_within_a_second(board: Board, measured: Measured, *, hung: bool) -> None:
    cause = Thread(target=stuck, args=("spi0", unit.pid()))
    with board.held(PEEK):
        if hung:
            cause.start()
        assert board.shone(0.5)
        assert DARK not in (board.handset, board.display)
        unit.run("systemctl", "stop", "--no-block", unit.UNIT)
        took = max(board.goes_dark().values())
    measured(f"told to stop{' as its lamps hang' if hung else ''}: until dark", took)
    assert took <= 1.0
    unit.wait_until("inactive")
    assert [unit.told(name) for name in ("Result", "ExecMainStatus")] == ["success", "0"]
    assert not unit.RUNTIME.exists()


@pytest.mark.parametrize("hang", HANGS)
def test_what_hangs_is_killed_and_goes_on_with_the_game(board: Board, hang: str, measured: Measured) -> None:
    before, killed, log, restarts = unit.game(), unit.pid(), unit.cursor(), int(unit.told("NRestarts"))
    with board.held(PEEK):  # there is something secret to be seen when it hangs
        cause = Thread(target=HANGS[hang], args=(killed,))
        cause.start()
        took = max(board.goes_dark(PATIENCE).values())
    cause.join()
    measured(f"hang of {hang}: until killed and dark", took)
    back = unit.wait_until("active", ": round 1", PATIENCE)
    measured(f"hang of {hang}: from dark to the same game", back)
    assert unit.pid() != killed
    assert int(unit.told("NRestarts")) == restarts + 1
    lines = unit.said(log)
    assert any("Watchdog timeout" in line for line in lines), lines
    assert any("Going on with a game of classic, round 1" in line for line in lines), lines
    assert unit.game() == before


def test_killed_it_is_dark_and_goes_on_with_the_game(board: Board, measured: Measured) -> None:
    before, killed = unit.game(), unit.pid()
    with board.held(PEEK):
        os.kill(killed, signal.SIGKILL)
        measured("killed: until dark", max(board.goes_dark().values()))
    measured("killed: from dark to the same game", unit.wait_until("active", ": round 1", PATIENCE))
    assert unit.pid() != killed
    assert unit.game() == before


@pytest.mark.usefixtures("board")
def test_what_fails_again_and_again_is_tried_ever_later_and_never_given_up(measured: Measured) -> None:
    unit.run("systemctl", "stop", unit.UNIT)
    # Counts the restarts from 0 now, not only once it starts. A unit that is not loaded any more does so in any case.
    unit.run("sh", "-c", f"systemctl reset-failed {unit.UNIT} || :")
    good = unit.CONFIG.read_text()
    unit.CONFIG.write_text(good.replace('driver = "oled"', 'driver = "oled"\nchip = "none"', 1))
    begun = time.monotonic()
    try:
        unit.run("systemctl", "start", "--no-block", unit.UNIT)
        for failures in (1, 2, 3):
            wait_for(lambda n=failures: int(unit.told("NRestarts")) >= n, f"failure {failures}", every=0.5)
            measured(f"a bad configuration: until restart {failures}", time.monotonic() - begun)
        assert time.monotonic() - begun >= 3 * 1.0 + 2.0
    finally:
        unit.CONFIG.write_text(good)
    unit.wait_until("active", ": round 1", PATIENCE)
