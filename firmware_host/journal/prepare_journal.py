"""Make sure that a table finds a journal that it can use."""

from __future__ import annotations

import logging
from pathlib import Path

from firmware_host.journal.journal import Journal
from firmware_host.journal.open_journal_file import set_aside
from firmware_host.journal.store_port import DamagedJournal
from firmware_host.system.logging_setup import log_fields

log = logging.getLogger("yardboard")


def prepare_journal(path: Path, stamp: str) -> str | None:
    """Make sure that the journal at `path` can be used, before a table is run on it.

    One that is torn, foreign or of another version is set aside under a name with `stamp`, never overwritten.

    Returns:
        By which rules its newest game is played; None if there is none to go on with.

    Raises:
        JournalError: it cannot be opened or made, or not be set aside.
    """
    try:
        with Journal.open(path) as journal:
            return journal.rules
    except DamagedJournal as error:
        aside = set_aside(path, stamp)
        fields = log_fields("journal", kept=str(aside))
        log.error("%s. It is kept as %s; a new game begins.", error, aside, extra=fields)  # noqa: TRY400 - no traceback
        return None
