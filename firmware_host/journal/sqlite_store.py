"""Store a journal's entries in an SQLite file, either at once or on a background thread.

Its content is secret: only the owner may read the file, and no message quotes a record.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import sqlite3
import stat
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Self

from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, Row, Store, UnwritableJournal
from firmware_host.system.files import Background, sync_folder
from firmware_host.system.plain_faults import writing_fault

APPLICATION_ID = 0x59415244  # "YARD" marks our SQLite files
VERSION = 2
"""The version that is written. A file of version 1 has no removed games; removing one makes it version 2."""

READABLE = (1, VERSION)
"""The versions that are read. A version is written only after a release that reads it, so that every update has a way
back: `yardboard update` refuses a package whose journals this yardboard does not read."""

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
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full; free some space",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only; make both writable",
    sqlite3.SQLITE_PERM: "cannot be opened: no permission",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error, or has no room",
    sqlite3.SQLITE_NOMEM: "cannot be read: not enough memory",  # it may be sound: damage is detected elsewhere
}


def connect(name: str) -> sqlite3.Connection:
    """Open a connection whose transactions are on the disk when COMMIT returns.

    Threads may pass the connection on to each other. Any of them may close it once nobody uses it.
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
    """Return whether SQLite finds no damage in a file.

    Raises:
        MemoryError: there was too little memory, which SQLite reports like damage.
    """
    found = connection.execute("PRAGMA integrity_check").fetchall()
    if any(_OUT_OF_MEMORY.search(said) for (said,) in found):
        raise MemoryError
    return found == [("ok",)]


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty journal."""
    mark_ours(connection)
    connection.execute(SCHEMA)
    mark_current(connection)


def mark_ours(connection: sqlite3.Connection) -> None:
    """Mark the file as yardboard's. This always writes the file's first page."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def mark_current(connection: sqlite3.Connection) -> None:
    """Mark the file as one of the current version, within the transaction if there is one."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


def complaint(name: str, error: Exception) -> JournalError:
    """Return an error without the text of SQLite's error, because that text may quote the file's content."""
    unknown = sqlite3.SQLITE_NOMEM if isinstance(error, MemoryError) else sqlite3.SQLITE_ERROR
    code = getattr(error, "sqlite_errorcode", unknown) & 0xFF  # without the extended part
    if code == sqlite3.SQLITE_CANTOPEN:
        return UnwritableJournal(f"journal {name}: cannot be opened: {_find_hindrance(Path(name))}")
    if code in _UNUSABLE:
        return UnwritableJournal(f"journal {name}: {_UNUSABLE[code]}")
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(f"journal {name}: is closed; open it again")
    kind = getattr(error, "sqlite_errorname", "SQLite cannot read it")
    return DamagedJournal(f"journal {name}: is damaged ({kind})")


def _find_hindrance(path: Path) -> str:
    """Find why SQLite cannot open a journal, by trying its file operations beside that file.

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
    """Return the prefix of the names of temporary folders beside a journal."""
    return f".{path.name}.unfinished-"


_MAGIC = b"SQLite format 3\x00"
SIDE_SUFFIXES = (LOG, INDEX)
"""The suffixes of SQLite's files beside a journal."""


def prepare(path: Path) -> None:
    """Make sure that there is a journal at `path`, which SQLite can open and only its owner can read.

    Raises:
        DamagedJournal: the file's header is not a journal's, or the file is missing but a part of it is there.
        UnwritableJournal: the system refuses access.
    """
    sides = [Path(f"{path}{side}") for side in SIDE_SUFFIXES]
    with _complaining(path):
        _refuse_a_read_only_disk(path)
        if not os.path.lexists(path):
            orphans = [side for side in sides if os.path.lexists(side)]
            if orphans:
                raise DamagedJournal(f"journal {path}: is gone, but {orphans[0].name}, a part of it, is still there")
            _create(path)
        try:
            _check_header(path)
        except DamagedJournal as error:
            if not sides[0].is_file() or not _log_repairs(path, sides[0]):
                raise error from None
        for file in (path, *sides):
            if file.exists() and stat.S_IMODE(file.stat().st_mode) != 0o600:
                file.chmod(0o600)


def read_through(path: Path) -> None:
    """Read a journal and its log to the end, to test whether the disk can still read them.

    Raises:
        UnwritableJournal: the disk reports an error.
    """
    with _complaining(path):
        for file in (path, Path(f"{path}{LOG}")):
            if file.is_file():
                with file.open("rb") as content:
                    while content.read(1 << 20):
                        pass


@contextmanager
def _complaining(path: Path) -> Iterator[None]:
    """Convert the system's errors during the `with` block into errors that name the journal."""
    try:
        yield
    except UnwritableJournal:
        raise
    except OSError as error:
        why = writing_fault(path, error, "choose another place with [journal] path or XDG_STATE_HOME")
        raise UnwritableJournal(f"journal {why}") from error


def _log_repairs(path: Path, log: Path) -> bool:
    """Return whether the write-ahead log repairs a file with a bad header. This is tried on copies.

    The log repairs the file if the power failed while the first page was written, because the log has the whole page.
    """
    with _workshop(path) as folder:
        copy = Path(folder) / "copy"
        for file, name in ((path, copy), (log, Path(f"{copy}{LOG}"))):
            name.touch(mode=0o600)
            shutil.copyfile(file, name)
        try:
            with closing(connect(copy.as_uri())) as connection:
                sound = intact(connection)
            _check_header(copy)
        except DamagedJournal:
            return False
        except FAULTS as error:
            refusal = complaint(str(path), error)
            if isinstance(refusal, UnwritableJournal):
                raise refusal from None
            return False
    return sound


def _workshop(path: Path) -> tempfile.TemporaryDirectory[str]:
    """Create a temporary folder beside the journal for a `with` block. Remove folders that a power cut has left."""
    for leftover in path.parent.glob(f"{glob.escape(unfinished(path))}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    return tempfile.TemporaryDirectory(dir=path.parent, prefix=unfinished(path))


def _create(path: Path) -> None:
    """Create an empty journal in a temporary folder, and move it to its place once it is complete."""
    _make_folder(path.parent)
    with _workshop(path) as folder:
        new = Path(folder) / "new"
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with closing(connect(new.as_uri())) as connection:
                create_tables(connection)
                # SQLite does not report that it could not copy from the log into the file.
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except FAULTS as error:
            refusal = complaint(str(path), error)
            if isinstance(refusal, UnwritableJournal):
                raise refusal from None
            raise UnwritableJournal(f"journal {path}: cannot be created: the disk reports an error") from None
        os.link(new, path)
    sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """Create a folder that is still there after a power cut."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def _refuse_a_read_only_disk(path: Path) -> None:
    """Refuse a read-only disk with a clear error. SQLite would report a disk error."""
    nearest = next(each for each in (path, *path.absolute().parents) if each.exists())
    if os.statvfs(nearest).f_flag & os.ST_RDONLY:
        raise UnwritableJournal(f"journal {path}: cannot be written: the disk is read-only; make it writable")


def _check_header(path: Path) -> None:
    """Refuse other programs' files before SQLite opens them, because opening can already change them."""
    if not path.is_file():
        raise UnwritableJournal(f"journal {path}: is not a regular file; name another one in [journal] path")
    with path.open("rb") as file:
        head = file.read(100)
    if not head:
        raise DamagedJournal(f"journal {path}: is incomplete: the file is empty")
    if head[:16] != _MAGIC[: len(head)]:
        raise DamagedJournal(f"journal {path}: is not a journal: it is not an SQLite file")
    if len(head) < 100:
        raise DamagedJournal(f"journal {path}: is incomplete: it ends after {len(head)} bytes")
    version, owner = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    if owner != APPLICATION_ID:
        raise DamagedJournal(f"journal {path}: is not a journal: yardboard did not write this SQLite file")
    if head[18:20] != b"\x02\x02":
        raise DamagedJournal(f"journal {path}: is damaged: its header lacks the mark of a write-ahead log")
    if version not in READABLE:
        age = "newer" if version > VERSION else "unknown"
        raise DamagedJournal(f"journal {path}: has the {age} version {version}; this yardboard reads up to {VERSION}")


_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?)"
_LAST = (1 << 63) - 1  # above every number


class SqliteStore:
    """The entries in one SQLite file. Entries are on the disk when `submit` returns. Implements `Store`.

    Several threads may use it, but only one at a time.

    Raises:
        DamagedJournal: the connection's file is not a journal.
        MemoryError: there was not enough memory to check.
        sqlite3.Error: SQLite cannot read the file.
    """

    def __init__(self, name: str, connection: sqlite3.Connection) -> None:
        self.name = name
        self._connection = connection
        if connection.execute("SELECT sql FROM sqlite_schema").fetchall() != [(SCHEMA,)]:
            raise DamagedJournal(f"journal {name}: is damaged: it lacks the table of a journal")
        if not intact(connection):
            raise DamagedJournal(f"journal {name}: is damaged: SQLite's integrity check fails")
        weakref.finalize(self, connection.close)  # if nobody closes it before it is collected

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open the file at `path`. Create the file and its folder if they are missing. `MEMORY` uses no disk.

        Raises:
            DamagedJournal: the file is not a sound journal.
            UnwritableJournal: the system refuses access.
        """
        if path == MEMORY:
            connection = connect(MEMORY)
            create_tables(connection)
            return cls(MEMORY, connection)
        path = Path(path).absolute()
        prepare(path)
        opened = None
        try:
            opened = connect(path.as_uri() + "?mode=rw")
            return cls(str(path), opened)
        except (*FAULTS, JournalError) as error:
            if opened is not None:
                opened.close()
            if isinstance(error, JournalError):
                raise
            raise complaint(str(path), error) from None

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        """Yield the entries in a range of numbers, in order. See `Store.rows`."""
        try:
            yield from self._connection.execute(
                "SELECT seq, at, kind, record, seal FROM entries WHERE seq BETWEEN ? AND ? ORDER BY seq",
                [first, _LAST if last is None else last],
            )
        except FAULTS as error:
            raise complaint(self.name, error) from None

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Write entries in one transaction. See `Store.submit`."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, rows)
            if not rows:  # a test of the disk, which leaves the version as it is
                mark_ours(self._connection)
            if instead is not None:
                self._connection.execute("DELETE FROM entries WHERE seq <= ?", [instead[0]])
                self._connection.execute(_INSERT, instead)
                mark_current(self._connection)
            self._connection.execute("COMMIT")
        except FAULTS as error:
            refusal = complaint(self.name, error)
            self._roll_back(refusal)
            raise refusal from None

    def _roll_back(self, refusal: JournalError) -> None:
        """Undo a partial write. After some errors, SQLite has already done so."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except FAULTS:
            raise refusal from None

    def poll(self) -> bool:
        """Return True, because every submitted entry is on the disk already."""
        return True

    def wait(self) -> None:
        """Return at once, because no write is ever in progress."""

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class BackgroundStore:
    """A store that is written by another thread. Implements `Store`.

    Only the thread uses the inner store during a write, and only the owner of this object at other times.

    Args:
        store: the store to write; this object closes it.
    """

    def __init__(self, store: Store) -> None:
        self.name = store.name
        self._store = store
        self._background = Background("journal")
        self._idle = Event()
        self._idle.set()
        self._error: Exception | None = None

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        """Yield the entries in a range of numbers, once no write is in progress."""
        self._idle.wait()
        return self._store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Start to write on the other thread. See `Store.submit`."""
        self._idle.clear()
        self._background(partial(self._write, rows, instead))

    def poll(self) -> bool:
        """Return whether the last write is on the disk. Raise unexpected errors of the other thread, too."""
        if not self._idle.is_set():
            return False
        error, self._error = self._error, None
        if error is not None:
            raise error
        return True

    def wait(self) -> None:
        """Wait until no write is in progress."""
        self._idle.wait()

    def close(self) -> None:
        """Wait until the current write is done, end the thread, and close the store."""
        self._background.close()
        self._store.close()

    def _write(self, rows: Sequence[Row], instead: Row | None) -> None:
        try:
            self._store.submit(rows, instead)
        except Exception as error:  # noqa: BLE001 - the next poll raises it
            self._error = error
        self._idle.set()
