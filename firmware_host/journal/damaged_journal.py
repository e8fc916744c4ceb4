"""Make sure that a table finds a journal that it can use: one that is damaged or foreign is set aside."""

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


def set_aside(path: Path | str, stamp: str) -> Path:
    """Rename a journal that cannot be used to NAME.STAMP.aside, and what SQLite keeps beside it likewise.

    Returns the new path. Never overwrites anything.

    Raises:
        ValueError: the stamp cannot stand in a file name.
        UnwritableJournal: a file of that name is there already, or the system refuses.
    """
    path = Path(path).absolute()
    if not stamp or set(stamp) & {"/", "\0"}:
        raise ValueError(f"stamp {stamp!r} cannot stand in a file name")
    aside = path.with_name(f"{path.name}.{stamp}.aside")
    # The file itself goes last: a log left beside a new journal would be taken for the new one's.
    moves = [(Path(f"{path}{side}"), Path(f"{aside}{side}")) for side in (*SIDES, "")]
    existing = [(old, new) for old, new in moves if os.path.lexists(old)]
    taken = [new for _, new in moves if os.path.lexists(new)]
    if taken:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {taken[0]} is there already")
    if not existing:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: there is no such file")
    try:
        for old, new in existing:
            os.link(old, new, follow_symlinks=False)  # unlike a rename, fails where the new name is taken
            if new.is_file() and not new.is_symlink():
                with suppress(PermissionError):  # somebody else's, and no secret of ours
                    new.chmod(0o600)
        sync_folder(path.parent)  # a power cut must not leave what has neither name
        for old, _ in existing:
            old.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {error.strerror}") from error
    return aside
