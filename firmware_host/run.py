"""The daemon as a service: one table, run until it is told to stop."""

from __future__ import annotations

import logging
import random
import time
from contextlib import closing
from pathlib import Path

from firmware_host.assembly import OUTPUTS, assembled, put_out
from firmware_host.config import Config
from firmware_host.daemon import Daemon
from firmware_host.journal import Journal
from firmware_host.journal_file import DamagedJournal, set_aside
from firmware_host.parlour import Parlour
from firmware_host.parlour.demo import Pace
from hardware.clock import SystemClock, keep_pace
from hardware.ports import HardwareError

log = logging.getLogger("yardboard")


def run_table(config: Config, *, chance: random.Random, new: bool, stamp: str) -> None:
    """Run a table on its journal until the process is told to stop; then lamps and screens go dark.

    A journal that is torn, foreign or of another version is set aside under a name with `stamp`, never overwritten.

    Raises:
        JournalError: the journal cannot be opened or written, or its game does not replay here.
        HardwareError: a package is missing, or a device can never work as it is configured.
    """
    path = config.journal_file()
    try:
        Journal.open(path).close()
    except DamagedJournal as error:
        log.error("%s. It is kept as %s; a new game begins.", error, set_aside(path, stamp))  # noqa: TRY400 - no traceback
    if config.switches.driver == "sim":
        _run_simulated(config, path, chance, resume=not new)
    else:
        _run_real(config, path, chance, resume=not new)


def go_dark(config: Config) -> list[str]:
    """Screens and lamps of a real board off, the handset first: after a daemon that could not do it itself.

    Returns:
        What could not be put out, and why, a line each.
    """
    clock = SystemClock()
    complaints = []
    for output in OUTPUTS:
        try:
            put_out(output, config, clock)
        except HardwareError as error:
            complaints.append(str(error))
    return complaints


def _run_simulated(config: Config, path: Path, chance: random.Random, *, resume: bool) -> None:
    parlour = Parlour(config, journal=path, pace=Pace(), chance=chance, resume=resume, wall=time.time)
    try:
        _begin(parlour.daemon)
        while True:
            parlour.advance(1000)
    finally:
        parlour.close()


def _run_real(config: Config, path: Path, chance: random.Random, *, resume: bool) -> None:
    if config.pi.pin_factory == "mock":
        log.warning('[pi] pin_factory is "mock": the pins are in memory, and nothing that is wired to them is felt.')
    clock = SystemClock()
    with closing(assembled(config, clock)) as backend, closing(Journal.open(path)) as journal:
        daemon = Daemon(config, backend, journal, chance=chance, resume=resume)
        try:
            _begin(daemon)
            keep_pace(daemon.step, config.switches.scan_hz, clock)
        finally:
            daemon.close()


def _begin(daemon: Daemon) -> None:
    if daemon.game is None:
        daemon.new_game()
    log.info("Ready: %s.", daemon.scene().prompt.text)
