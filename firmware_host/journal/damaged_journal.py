"""Set a damaged or foreign journal aside, so that the table can start with a new one."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

from firmware_host.journal.journal import Journal
from firmware_host.journal.open_journal_file import SIDES, sync_folder
from firmware_host.journal.store_port import DamagedJournal, UnwritableJournal
from firmware_host.system.event_log import log_fields

log = logging.getLogger("yardboard")


def prepare_journal(path: Path, stamp: str) -> str | None:
    """Ensure that the journal at `path` can be used, before a table starts on it.

    A journal that is torn, foreign or of another version is renamed with `stamp`, never overwritten.

    Returns:
        The rules of its newest game; None if there is no game to continue.

    Raises:
        JournalError: the journal cannot be opened, created or set aside.
    """
    try:
        with Journal.open(path) as journal:
            return journal.rules
    except DamagedJournal as error:
        aside = set_aside(path, stamp)
        fields = log_fields("journal", kept=str(aside))
        log.error("%s. It is kept as %s; a new game begins.", error, aside, extra=fields)  # noqa: TRY400 - no traceback
        return None


def set_aside(path: Path | str, stamp: str) -> Path:
    """Rename an unusable journal, and SQLite's files beside it, to NAME.STAMP.aside.

    Returns the new path. Never overwrites anything.

    Raises:
        ValueError: the stamp cannot be part of a file name.
        UnwritableJournal: a file with that name exists already, or the system refuses.
    """
    path = Path(path).absolute()
    if not stamp or set(stamp) & {"/", "\0"}:
        raise ValueError(f"stamp {stamp!r} cannot be part of a file name")
    aside = path.with_name(f"{path.name}.{stamp}.aside")
    # Rename the file itself last: SQLite would take a remaining log for the new journal's.
    moves = [(Path(f"{path}{side}"), Path(f"{aside}{side}")) for side in (*SIDES, "")]
    existing = [(old, new) for old, new in moves if os.path.lexists(old)]
    taken = [new for _, new in moves if os.path.lexists(new)]
    if taken:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {taken[0]} exists already")
    if not existing:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: there is no such file")
    try:
        for old, new in existing:
            os.link(old, new, follow_symlinks=False)  # unlike a rename, fails if the new name exists
            if new.is_file() and not new.is_symlink():
                with suppress(PermissionError):  # another user's file, and not our secret
                    new.chmod(0o600)
        sync_folder(path.parent)  # a power cut must not lose both names
        for old, _ in existing:
            old.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {error.strerror}") from error
    return aside
