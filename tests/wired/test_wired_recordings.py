"""A board of real drivers on tape: what their threads tell, and when, comes back with everything else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_host.daemon.run import begin
from firmware_host.recording.recorded_session import SESSION, device_facts, session_of
from firmware_host.recording.tape import Lost, Sample
from firmware_host.recording.tape_file import Tape, TapeWriter, create
from firmware_host.recording.tape_recorder import Recorder
from firmware_host.recording.tape_recording import TapeRecording
from firmware_host.table.table import Table
from hardware.backend import Backend
from tests.hardware.drivers.blinka_lamps import blinka, writer
from tests.recording.recorded_tables import BEGAN, alike, entries, play, replayed
from tests.wired.wired_tables import Wired, build

__all__ = ["blinka", "writer"]  # fixtures


class OnTape(Wired):
    """A wired table that is recorded, beyond its drivers."""

    def _run(self, backend: Backend, step: Callable[[Any], None]) -> Table:
        table = super()._run(backend, step)
        recorded = SimpleNamespace(step=self._taping.step(table.step))
        self._taping.step(partial(begin, table))()
        self.hardware.drive(lambda: step(recorded), hz=self.config.switches.scan_hz)
        self._lay_tiles(table)
        return table


def record(name: str, tape: Path, act: Callable[[OnTape], None]) -> None:
    config, complaints = build(name), list[str]()
    recorder = Recorder(TapeWriter(create(tape)), complaints.append)
    recorder.note(SESSION, session_of(config, resume=True, now=BEGAN).note())
    table = OnTape(config, seed=2, taping=TapeRecording(recorder))
    try:
        act(table)
    finally:
        recorder.stop()
        table.close()
    assert not complaints


@pytest.mark.usefixtures("writer")
@pytest.mark.parametrize("name", ["london-spi", "junior-gpio"])
def test_a_wired_board_that_is_recorded_is_alike(name: str, tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    record(name, tape, lambda table: play(table, 2, moves=2))
    went = replayed(tape)
    assert alike(went), went
    assert went.counts["frames"] > 20
    assert any(isinstance(entry, Sample) and entry.mask for entry in entries(tape))
    with tape.open("rb") as file:
        places = device_facts(Tape(file, name), name).places
    assert places[min(places)] == {"london-spi": "chip 1, pin H", "junior-gpio": "GPIO 6"}[name]


def test_cables_that_are_pulled_are_on_the_tape_in_the_drivers_own_words(tmp_path: Path) -> None:
    def act(table: OnTape) -> None:
        play(table, 2, moves=1)
        for _ in range(2):
            for screen in table.board.screens.values():
                screen.unplug()
            table.board.lamps.plugged = False
            table.advance(2300)
            for screen in table.board.screens.values():
                screen.replug()
            table.board.lamps.plugged = True
            table.advance(1600)
        table.board.chain.chips[-1].powered = False  # type: ignore[union-attr]
        table.advance(800)

    tape = tmp_path / "a.tape"
    record("london-spi", tape, act)
    lost = {entry.track for entry in entries(tape) if isinstance(entry, Lost)}
    assert lost == {"handset", "display", "lamps", "switches"}
    went = replayed(tape)
    assert alike(went), went
