"""The daemon as a service: one table, run until it is told to stop."""

from __future__ import annotations

import logging
import random

from firmware_host.config import Config
from firmware_host.demo import Pace
from firmware_host.parlour import Parlour

log = logging.getLogger("yardboard")


def run_table(config: Config, *, chance: random.Random, new: bool) -> None:
    """Run a table on its journal until the process is told to stop; then lamps and screens go dark.

    Raises:
        JournalError: the journal cannot be opened.
    """
    parlour = Parlour(config, journal=config.journal_file(), pace=Pace(), chance=chance)
    try:
        if new or parlour.daemon.game is None:
            parlour.new_game()
        log.info("Ready: %s.", parlour.daemon.scene().prompt.text)
        while True:
            parlour.advance(1000)
    finally:
        parlour.close()
