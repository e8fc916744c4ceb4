"""The daemon as a service: one table, run until it is told to stop."""

from __future__ import annotations

import logging
import random
import time

from firmware_host.config import Config
from firmware_host.journal import Journal
from firmware_host.journal_file import DamagedJournal, set_aside
from firmware_host.parlour import Parlour
from firmware_host.parlour.demo import Pace

log = logging.getLogger("yardboard")


def run_table(config: Config, *, chance: random.Random, new: bool, stamp: str) -> None:
    """Run a table on its journal until the process is told to stop; then lamps and screens go dark.

    A journal that is torn, foreign or of another version is set aside under a name with `stamp`, never overwritten.

    Raises:
        JournalError: the journal cannot be opened or written, or its game does not replay here.
    """
    path = config.journal_file()
    try:
        Journal.open(path).close()
    except DamagedJournal as error:
        log.error("%s. It is kept as %s; a new game begins.", error, set_aside(path, stamp))  # noqa: TRY400 - no traceback
    parlour = Parlour(config, journal=path, pace=Pace(), chance=chance, resume=not new, wall=time.time)
    try:
        if parlour.daemon.game is None:
            parlour.new_game()
        log.info("Ready: %s.", parlour.daemon.scene().prompt.text)
        while True:
            parlour.advance(1000)
    finally:
        parlour.close()
