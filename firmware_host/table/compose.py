"""The one place that builds a table: real, simulated, replayed or for a benchmark."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.system.background_task import Task, at_once
from firmware_host.table.outputs import Audience
from firmware_host.table.player_maker import LevelMaker, PlayerMaker
from firmware_host.table.recording_port import Recording
from firmware_host.table.table import Table
from hardware.backend import Backend


def compose(
    config: Config,
    backend: Backend,
    journal: Journal,
    *,
    rng: random.Random,
    wall: Callable[[], float] = time.time,
    resume: bool = True,
    audience: Audience | None = None,
    taping: Recording | None = None,
    writing: Callable[[Task], None] = at_once,
    players: PlayerMaker | None = None,
    patient: bool = False,
) -> Table:
    """Build a table. See `Table`.

    With `taping`, all input from outside the table is recorded.

    Raises:
        JournalError: the journal cannot be read, or its game does not replay on this configuration's map.
    """
    tape = taping or Recording()
    return Table(
        config,
        tape.backend(backend),
        tape.journal(journal),
        rng=tape.rng(rng),
        wall=tape.wall(wall),
        resume=resume,
        audience=audience,
        writing=writing,
        players=tape.players(players or LevelMaker()),
        patient=patient,
        door=tape.door,
    )
