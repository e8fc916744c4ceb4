"""The journal's file: opened, made, checked and set aside. SQLite's own ways are known here and nowhere else.

What is in it is secret: the file is readable by its owner alone, and no message of this module quotes a record.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
from contextlib import closing
from pathlib import Path

MEMORY = ":memory:"
"""In place of a path: a journal that is gone when it is closed, for tests and simulation."""

APPLICATION_ID = 0x59415244  # "YARD": tells our files from other SQLite files
VERSION = 1

SCHEMA = (
    "CREATE TABLE entries (seq INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, "
    "record TEXT NOT NULL, seal TEXT NOT NULL) STRICT"
)
_MAGIC = b"SQLite format 3\x00"
_SIDES = ("-wal", "-shm")
# In a damaged file a length may ask for any amount of memory, and a name quoted in SQLite's message be no text.
FAULTS = (sqlite3.Error, MemoryError, UnicodeError)
_UNUSABLE = {
    sqlite3.SQLITE_BUSY: "is in use by another process; is yardboard running twice?",
    sqlite3.SQLITE_LOCKED: "is in use by another process; is yardboard running twice?",
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only",
    sqlite3.SQLITE_PERM: "cannot be opened: no permission",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: the file or its folder is not accessible",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error, or has no room",
}


class JournalError(Exception):
    """Anything that keeps a journal from being used. Messages name the file, never a station of Mister X's."""


class DamagedJournal(JournalError):
    """The file is torn, damaged, foreign or of a newer version; `set_aside` makes room for a new one."""


class UnwritableJournal(JournalError, OSError):
    """The system refuses: disk full, read-only folder, no permission, file in use. The file itself is sound."""


class UnplayableGame(JournalError):
    """The file is sound, but its unfinished game does not replay here, say because it was played on another map.

    A new game can be begun in the same journal.
    """


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
    moves = [(Path(f"{path}{side}"), Path(f"{aside}{side}")) for side in (*_SIDES, "")]
    present = [(old, new) for old, new in moves if os.path.lexists(old)]
    taken = [new for _, new in moves if os.path.lexists(new)]
    if taken:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {taken[0]} is there already")
    if not present:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: there is no such file")
    try:
        for old, new in present:
            os.link(old, new, follow_symlinks=False)  # unlike a rename, fails where the new name is taken
            old.unlink()
        _sync_folder(path.parent)
    except OSError as error:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {error.strerror}") from error
    return aside


def connect(name: str) -> sqlite3.Connection:
    """A connection by which a transaction is on the disk when COMMIT returns."""
    connection = sqlite3.connect(name, timeout=0.5, isolation_level=None, uri=name != MEMORY)
    try:
        for pragma in (
            "locking_mode = EXCLUSIVE",  # a second daemon on one journal is refused
            "cell_size_check = ON",
            "trusted_schema = OFF",
            "temp_store = MEMORY",
            "synchronous = FULL",
            # Each action goes on into the file itself at once: what stands in the log alone would be lost, without
            # a word from SQLite, to one wrong byte in the log or to whoever copies the file without it.
            "wal_autocheckpoint = 1",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode not in ("wal", "memory"):
            raise sqlite3.DatabaseError("no write-ahead log to be had")
    except FAULTS:
        connection.close()
        raise
    return connection


def lay_out(connection: sqlite3.Connection) -> None:
    """Make an empty journal in an empty file."""
    for statement in (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION}", SCHEMA):
        connection.execute(statement)


def prepare(path: Path) -> None:
    """See to it that there is a journal at `path` which SQLite may open, and nobody else may read."""
    sides = [Path(f"{path}{side}") for side in _SIDES]
    if not os.path.lexists(path):
        orphans = [side for side in sides if os.path.lexists(side)]
        if orphans:
            raise DamagedJournal(f"journal {path}: is gone, but {orphans[0].name} is still there")
        _create(path)
    _check_header(path)
    for file in (path, *sides):
        if file.exists() and stat.S_IMODE(file.stat().st_mode) != 0o600:
            file.chmod(0o600)


def _create(path: Path) -> None:
    """Make an empty journal aside and put it under its name when it is complete: at once, or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        new = Path(folder) / "new"
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with closing(connect(new.as_uri())) as connection:
                lay_out(connection)
        except FAULTS as error:
            raise complaint(str(path), error) from None
        os.link(new, path)
    _sync_folder(path.parent)


def _check_header(path: Path) -> None:
    """Refuse what is not ours before SQLite opens it, for opening alone can write into a foreign file."""
    if not path.is_file():
        raise UnwritableJournal(f"journal {path}: is not a regular file")
    with path.open("rb") as file:
        head = file.read(100)
    if not head:
        raise DamagedJournal(f"journal {path}: is torn: the file is empty")
    if head[:16] != _MAGIC[: len(head)]:
        raise DamagedJournal(f"journal {path}: is foreign: not an SQLite file")
    if len(head) < 100:
        raise DamagedJournal(f"journal {path}: is torn: it ends after {len(head)} bytes")
    version, owner = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    if owner != APPLICATION_ID:
        raise DamagedJournal(f"journal {path}: is foreign: an SQLite file, but not written by yardboard")
    if head[18:20] != b"\x02\x02":
        raise DamagedJournal(f"journal {path}: is damaged: its header does not ask for a write-ahead log")
    if version != VERSION:
        age = "newer" if version > VERSION else "unknown"
        raise DamagedJournal(f"journal {path}: has the {age} version {version}; this yardboard reads {VERSION}")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def complaint(name: str, error: Exception) -> JournalError:
    """What SQLite complains of, in words of ours; its own may quote what stands in the file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # without the extension
    if code in _UNUSABLE:
        return UnwritableJournal(f"journal {name}: {_UNUSABLE[code]}")
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(f"journal {name}: is closed, or used from another thread")
    kind = getattr(error, "sqlite_errorname", type(error).__name__)
    return DamagedJournal(f"journal {name}: is damaged ({kind})")
