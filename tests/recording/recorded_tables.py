"""Simulated tables that are recorded, and replays of their tapes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from firmware_host.config.loader import Config, load
from firmware_host.daemon.run import begin
from firmware_host.recording.recorded_session import SESSION, session_of
from firmware_host.recording.replay_recording import ReplayResult, replay
from firmware_host.recording.tape import Entry
from firmware_host.recording.tape_file import Tape, TapeWriter, create
from firmware_host.recording.tape_recorder import Recorder
from firmware_host.recording.tape_recording import TapeRecording
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.simulated_table import IN_MEMORY
from hardware.sim import SimulatedHardware

BEGAN = 1_700_000_000.0
"""The wall-clock time at which every session here began."""


class SteadyKeys(SimulatedTable):
    """A table whose keys do not bounce, because a bounce depends on how many keys were pressed before."""

    def _create_hardware(self) -> SimulatedHardware:
        hardware = super()._create_hardware()
        hardware.keys._contacts._bounce = (0.0, 0.0)
        return hardware


def config_of(folder: Path, rules: str = "classic", more: str = "") -> Config:
    path = folder / "table.toml"
    path.write_text(f'[switches]\ndriver = "sim"\n[game]\nrules = "{rules}"\n{more}', encoding="utf-8")
    return load(path)


@contextmanager
def recorded(
    config: Config,
    tape: Path,
    *,
    seed: int = 0,
    journal: Path | str = IN_MEMORY,
    kind: Callable[..., SimulatedTable] = SimulatedTable,
    begun: bool = True,
) -> Iterator[SimulatedTable]:
    """Yield a table that is recorded, by default with a game begun. The tape is complete afterwards."""
    complaints: list[str] = []
    recorder = Recorder(TapeWriter(create(tape)), complaints.append)
    recorder.note(SESSION, session_of(config, resume=True, now=BEGAN).note())
    taping = TapeRecording(recorder)
    simulated = kind(config, seed=seed, journal=journal, taping=taping)
    try:
        if begun:
            taping.step(partial(begin, simulated.table))()
            simulated._lay_tiles(simulated.table)
        yield simulated
    finally:
        recorder.stop()
        simulated.close()
    assert not complaints


def play(simulated: SimulatedTable, seed: int = 0, moves: int = 10_000, **rest: Any) -> None:
    """Let hands play on, to the end or for `moves` moves."""
    players = SimulatedPeople(simulated, random.Random(seed), **rest)
    players.set_up()
    for _ in range(moves):
        if simulated.public.outcome is not None:
            return
        players.meant[:] = players.simulated.actions
        players.play()


def replayed(tape: Path, **told: float) -> ReplayResult:
    with tape.open("rb") as file:
        return replay(Tape(file, tape.name), tape.name, **told)


def entries(tape: Path) -> list[Entry]:
    with tape.open("rb") as file:
        return list(Tape(file, tape.name).entries)


def alike(went: ReplayResult) -> bool:
    """Return whether a replay was the same, to the end of a complete tape."""
    return went.difference is None and not went.failure and not went.broken and not went.passed_over
