"""Open the SQLite connection of a journal, and translate SQLite's errors."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from pathlib import Path

from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, UnwritableJournal

APPLICATION_ID = 0x59415244  # "YARD" marks our SQLite files
VERSION = 2
"""The written version. A file of version 1 has no removed games; removing one makes it version 2."""

SCHEMA = (
    "CREATE TABLE entries (seq INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, "
    "record TEXT NOT NULL, seal TEXT NOT NULL) STRICT"
)
LOG, INDEX = "-wal", "-shm"
"""The suffixes of the files that SQLite keeps beside a database."""

# In a damaged file a length may ask for any amount of memory, and a name in SQLite's message may not be text.
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
    sqlite3.SQLITE_NOMEM: "cannot be read: not enough memory",  # it may be sound: damage is detected elsewhere
}


def connect(name: str) -> sqlite3.Connection:
    """Open a connection whose transactions are on the disk when COMMIT returns.

    The connection may move between threads; whichever finds it unused closes it.
    """
    connection = sqlite3.connect(name, timeout=0.5, isolation_level=None, uri=name != MEMORY, check_same_thread=False)
    try:
        for pragma in (
            "locking_mode = EXCLUSIVE",  # refuses a second daemon on the same journal
            "cell_size_check = ON",
            "trusted_schema = OFF",
            "temp_store = MEMORY",
            "cache_size = -256",  # KiB; the default is 2 MB, but appending needs few pages
            "synchronous = FULL",
            # Checkpoint after each action: one wrong byte in the log, or a copy of the file without it, would silently
            # lose what is only in the log.
            "wal_autocheckpoint = 1",
            "journal_size_limit = 1048576",  # bytes; the log grows beyond while many games are removed at once
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
    """Return whether SQLite finds a file intact.

    Raises:
        MemoryError: there was too little memory, which SQLite reports like damage.
    """
    found = connection.execute("PRAGMA integrity_check").fetchall()
    if any(_OUT_OF_MEMORY.search(said) for (said,) in found):
        raise MemoryError
    return found == [("ok",)]


def lay_out(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty journal."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(SCHEMA)
    mark_current(connection)


def mark_current(connection: sqlite3.Connection) -> None:
    """Mark the file as the current version, within a transaction if there is one."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


def complaint(name: str, error: Exception) -> JournalError:
    """Convert an SQLite error. SQLite's own message may quote the file's content."""
    unknown = sqlite3.SQLITE_NOMEM if isinstance(error, MemoryError) else sqlite3.SQLITE_ERROR
    code = getattr(error, "sqlite_errorcode", unknown) & 0xFF  # without the extended part
    if code == sqlite3.SQLITE_CANTOPEN:
        return UnwritableJournal(f"journal {name}: cannot be opened: {_find_hindrance(Path(name))}")
    if code in _UNUSABLE:
        return UnwritableJournal(f"journal {name}: {_UNUSABLE[code]}")
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(f"journal {name}: is closed")
    kind = getattr(error, "sqlite_errorname", type(error).__name__)
    return DamagedJournal(f"journal {name}: is damaged ({kind})")


def _find_hindrance(path: Path) -> str:
    """Find why SQLite cannot open a journal by trying its operations beside the file.

    The file itself is not opened: it was read before, and closing it would release SQLite's locks on it.
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
    """Return the prefix of temporary folders beside a journal."""
    return f".{path.name}.unfinished-"
