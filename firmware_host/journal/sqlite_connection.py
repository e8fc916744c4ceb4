"""Connect to a journal in SQLite, whose own ways and complaints are known here and nowhere else."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from pathlib import Path

from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, UnwritableJournal

APPLICATION_ID = 0x59415244  # "YARD": tells our files from other SQLite files
VERSION = 2
"""What is written. A file of version 1 is one from which no game has been let go yet; when one is, it is of this."""

SCHEMA = (
    "CREATE TABLE entries (seq INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, "
    "record TEXT NOT NULL, seal TEXT NOT NULL) STRICT"
)
LOG, INDEX = "-wal", "-shm"
"""What SQLite adds to the name of a file for those that it keeps beside it."""

# In a damaged file a length may ask for any amount of memory, and a name quoted in SQLite's message be no text.
FAULTS = (sqlite3.Error, MemoryError, UnicodeError)
_OUT_OF_MEMORY = re.compile(rf"error code={sqlite3.SQLITE_NOMEM}\b")
_IN_USE = "is in use by another table: stop that one, or give this one another journal path in its configuration"
_UNUSABLE = {
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only",
    sqlite3.SQLITE_PERM: "cannot be opened: no permission",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error, or has no room",
    sqlite3.SQLITE_NOMEM: "cannot be read: not enough memory",  # it may be sound: what is damaged is found elsewhere
}


def connect(name: str) -> sqlite3.Connection:
    """Connect so that a transaction is on the disk when COMMIT returns.

    The connection may go from thread to thread, and is closed by that which finds that nobody holds it any more.
    """
    connection = sqlite3.connect(name, timeout=0.5, isolation_level=None, uri=name != MEMORY, check_same_thread=False)
    try:
        for pragma in (
            "locking_mode = EXCLUSIVE",  # a second daemon on one journal is refused
            "cell_size_check = ON",
            "trusted_schema = OFF",
            "temp_store = MEMORY",
            "cache_size = -256",  # KiB: only ever added to, it needs few of its pages; by default they fill 2 MB
            "synchronous = FULL",
            # Each action goes on into the file itself at once: what stands in the log alone would be lost, without
            # a word from SQLite, to one wrong byte in the log or to whoever copies the file without it.
            "wal_autocheckpoint = 1",
            "journal_size_limit = 1048576",  # bytes; the log grows beyond when many games go at once, and shrinks again
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode not in ("wal", "memory"):
            raise sqlite3.DatabaseError("there is no write-ahead log")
    except FAULTS:
        connection.close()
        raise
    return connection


def intact(connection: sqlite3.Connection) -> bool:
    """Return whether SQLite finds a file as it should be.

    Raises:
        MemoryError: it had too little to look; it says so as of any damage.
    """
    found = connection.execute("PRAGMA integrity_check").fetchall()
    if any(_OUT_OF_MEMORY.search(said) for (said,) in found):
        raise MemoryError
    return found == [("ok",)]


def lay_out(connection: sqlite3.Connection) -> None:
    """Make an empty journal in an empty file."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(SCHEMA)
    mark_current(connection)


def mark_current(connection: sqlite3.Connection) -> None:
    """Write into the file that it is of the present version, as part of a transaction if there is one."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


def complaint(name: str, error: Exception) -> JournalError:
    """Make an error of SQLite one of ours; its own words may quote what stands in the file."""
    unknown = sqlite3.SQLITE_NOMEM if isinstance(error, MemoryError) else sqlite3.SQLITE_ERROR
    code = getattr(error, "sqlite_errorcode", unknown) & 0xFF  # without the extension
    if code == sqlite3.SQLITE_CANTOPEN:
        return UnwritableJournal(f"journal {name}: cannot be opened: {_find_hindrance(Path(name))}")
    if code in _UNUSABLE:
        return UnwritableJournal(f"journal {name}: {_UNUSABLE[code]}")
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(f"journal {name}: is closed")
    kind = getattr(error, "sqlite_errorname", type(error).__name__)
    return DamagedJournal(f"journal {name}: is damaged ({kind})")


def _find_hindrance(path: Path) -> str:
    """Find why a journal cannot be opened, which SQLite does not tell: what it does beside the file is tried.

    The file itself is not: it was read before, and closing it here would let go of SQLite's own locks on it.
    """
    log = Path(f"{path}{LOG}")
    try:
        if os.path.lexists(log):
            log.open("r+b").close()
    except OSError as error:
        return f"{log.name}: {error.strerror}"
    try:
        Path(tempfile.mkdtemp(dir=path.parent, prefix=unfinished(path))).rmdir()
    except OSError as error:
        return f"nothing can be made beside it: {error.strerror}"
    return "the file or its folder is not accessible"


def unfinished(path: Path) -> str:
    """Return how the names of folders begin that hold what is not finished, beside a journal."""
    return f".{path.name}.unfinished-"
