"""Build a table, whether it is real, simulated, replayed or part of a benchmark.

All input from outside passes through `RecordingHooks`, by default unchanged.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.system.files import Task, at_once
from firmware_host.table.commands import Do
from firmware_host.table.outputs import Audience
from firmware_host.table.player_maker import LevelMaker, PlayerMaker
from firmware_host.table.table import Table
from hardware.backend import Backend


class RecordingHooks:
    """Hooks through which a recorder sees a table's input. This class records nothing and changes nothing."""

    def begin(self, config: Config, *, resume: bool) -> RecordingHooks:  # noqa: ARG002 - a recorder of tapes needs them
        """Return the recorder's hooks for a table that starts now."""
        return self

    def stop(self) -> None:
        """End the recording, because the table is closed or restarts."""

    def discard(self) -> None:
        """Delete the recording, because the table did not start after all."""

    def journal(self, journal: Journal) -> Journal:
        """Return the journal for the table to use, wrapped if it is recorded."""
        return journal

    def take_over_journal(self, journal: Journal) -> None:
        """Take over recording the journal from the previous tape."""

    def commands(self, do: Do) -> Do:
        """Return the function that carries out commands, wrapped if commands are recorded."""
        return do

    def backend(self, backend: Backend) -> Backend:
        """Return the devices for the table to use, wrapped if they are recorded."""
        return backend

    def rng(self, rng: random.Random) -> random.Random:
        """Return the rng for the table to use, wrapped if it is recorded."""
        return rng

    def players(self, players: PlayerMaker) -> PlayerMaker:
        """Return the maker of computer players, wrapped if their answers are recorded."""
        return players

    def wall_clock(self, wall_clock: Callable[[], float]) -> Callable[[], float]:
        """Return the wall clock for the table to use, wrapped if it is recorded."""
        return wall_clock

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """Return the function that makes one pass of the table's loop, wrapped if passes are recorded."""
        return step


def compose(
    config: Config,
    backend: Backend,
    journal: Journal,
    *,
    rng: random.Random,
    wall_clock: Callable[[], float] = time.time,
    resume: bool = True,
    audience: Audience | None = None,
    taping: RecordingHooks | None = None,
    writing: Callable[[Task], None] = at_once,
    players: PlayerMaker | None = None,
    patient: bool = False,
) -> Table:
    """Build a table with its devices, journal, players and recorder. See `Table`.

    With `taping`, all input from outside the table is recorded.

    Raises:
        JournalError: the journal cannot be read, or its game does not replay on this configuration's map.
    """
    tape = taping or RecordingHooks()
    return Table(
        config,
        tape.backend(backend),
        tape.journal(journal),
        rng=tape.rng(rng),
        wall_clock=tape.wall_clock(wall_clock),
        resume=resume,
        audience=audience,
        writing=writing,
        players=tape.players(players or LevelMaker()),
        patient=patient,
        wrap_do=tape.commands,
    )
