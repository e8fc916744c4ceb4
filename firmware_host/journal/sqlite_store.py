"""The journal's file: opened, made, checked, written and set aside. SQLite's own ways are known here and nowhere else.

What is in it is secret: the file is readable by its owner alone, and no message of this module quotes a record.
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
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Self

from firmware_host.journal.store import MEMORY, DamagedJournal, JournalError, Row, UnwritableJournal

APPLICATION_ID = 0x59415244  # "YARD": tells our files from other SQLite files
VERSION = 2
"""What is written. A file of version 1 is one from which no game has been let go yet; when one is, it is of this."""
_READ = (1, VERSION)

SCHEMA = (
    "CREATE TABLE entries (seq INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, "
    "record TEXT NOT NULL, seal TEXT NOT NULL) STRICT"
)
_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?)"
_LAST = (1 << 63) - 1  # no number is above it
_SHORT = re.compile(rf"error code={sqlite3.SQLITE_NOMEM}\b")
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
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error, or has no room",
    sqlite3.SQLITE_NOMEM: "cannot be read: not enough memory",  # it may be sound: what is damaged is found elsewhere
}


class SqliteStore:
    """Entries in one SQLite file. Implements the `Store` port: what is submitted is durable on return.

    Threads may take turns with it.

    Raises:
        DamagedJournal: there is no journal at the other end of the connection.
        MemoryError: it had too little to look.
    """

    def __init__(self, name: str, connection: sqlite3.Connection) -> None:
        self.name = name
        self._connection = connection
        if connection.execute("SELECT sql FROM sqlite_schema").fetchall() != [(SCHEMA,)]:
            raise DamagedJournal(f"journal {name}: is damaged: it does not hold the table of a journal")
        if not intact(connection):
            raise DamagedJournal(f"journal {name}: is damaged: SQLite's integrity check fails")
        weakref.finalize(self, connection.close)  # where nobody has closed it and nobody holds it

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open the file at `path`; a new one if nothing is there, in a new folder if need be. `MEMORY`: on no disk.

        Raises:
            DamagedJournal: what is there is no sound journal.
            UnwritableJournal: the system does not let us use it.
        """
        if path == MEMORY:
            connection = connect(MEMORY)
            lay_out(connection)
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
        """The entries from one number to another, in order; see `Store.rows`."""
        try:
            yield from self._connection.execute(
                "SELECT seq, at, kind, record, seal FROM entries WHERE seq BETWEEN ? AND ? ORDER BY seq",
                [first, _LAST if last is None else last],
            )
        except FAULTS as error:
            raise complaint(self.name, error) from None

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Write entries in one transaction; see `Store.submit`."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, rows)
            if not rows:
                call_current(self._connection)
            if instead is not None:
                self._connection.execute("DELETE FROM entries WHERE seq <= ?", [instead[0]])
                self._connection.execute(_INSERT, instead)
                call_current(self._connection)
            self._connection.execute("COMMIT")
        except FAULTS as error:
            refusal = complaint(self.name, error)
            self._roll_back(refusal)
            raise refusal from None

    def _roll_back(self, refusal: JournalError) -> None:
        """Leave nothing half done behind; SQLite has rolled back by itself after some errors, not after all."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except FAULTS:
            raise refusal from None

    def poll(self) -> bool:
        """Return true: what was submitted is durable."""
        return True

    def wait(self) -> None:
        """Return at once."""

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


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
            if new.is_file() and not new.is_symlink():
                with suppress(PermissionError):  # somebody else's, and no secret of ours
                    new.chmod(0o600)
        _sync_folder(path.parent)  # a power cut must not leave what has neither name
        for old, _ in present:
            old.unlink()
        _sync_folder(path.parent)
    except OSError as error:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {error.strerror}") from error
    return aside


def connect(name: str) -> sqlite3.Connection:
    """A connection by which a transaction is on the disk when COMMIT returns.

    It may go from thread to thread, and is closed by that which finds that nobody holds it any more.
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
            raise sqlite3.DatabaseError("no write-ahead log to be had")
    except FAULTS:
        connection.close()
        raise
    return connection


def intact(connection: sqlite3.Connection) -> bool:
    """Whether SQLite finds a file as it should be.

    Raises:
        MemoryError: it had too little to look; it says so as of any damage.
    """
    found = connection.execute("PRAGMA integrity_check").fetchall()
    if any(_SHORT.search(said) for (said,) in found):
        raise MemoryError
    return found == [("ok",)]


def lay_out(connection: sqlite3.Connection) -> None:
    """Make an empty journal in an empty file."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(SCHEMA)
    call_current(connection)


def call_current(connection: sqlite3.Connection) -> None:
    """Say in the file that it is of the version which is written here, as part of a transaction if there is one."""
    connection.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def _complaining(path: Path) -> Iterator[None]:
    """What the system refuses is an error that names the journal."""
    try:
        yield
    except UnwritableJournal:
        raise
    except OSError as error:
        raise UnwritableJournal(f"journal {path}: {error.strerror or type(error).__name__}") from error


def prepare(path: Path) -> None:
    """See to it that there is a journal at `path` which SQLite may open, and nobody else may read.

    Raises:
        DamagedJournal: what is there is no journal, by its name or its header.
        UnwritableJournal: the system does not let us.
    """
    sides = [Path(f"{path}{side}") for side in _SIDES]
    with _complaining(path):
        _refuse_a_read_only_disk(path)
        if not os.path.lexists(path):
            orphans = [side for side in sides if os.path.lexists(side)]
            if orphans:
                raise DamagedJournal(f"journal {path}: is gone, but {orphans[0].name} is still there")
            _create(path)
        try:
            _check_header(path)
        except DamagedJournal as error:
            if not sides[0].is_file() or not _log_heals(path, sides[0]):
                raise error from None
        for file in (path, *sides):
            if file.exists() and stat.S_IMODE(file.stat().st_mode) != 0o600:
                file.chmod(0o600)


def read_through(path: Path) -> None:
    """Read a journal and its log from end to end, to no purpose but this: that they can be read.

    Raises:
        UnwritableJournal: they cannot.
    """
    with _complaining(path):
        for file in (path, Path(f"{path}{_SIDES[0]}")):
            if file.is_file():
                with file.open("rb") as content:
                    while content.read(1 << 20):
                        pass


def _log_heals(path: Path, log: Path) -> bool:
    """Whether the log would make a journal of a file that does not look like one; tried on copies of both.

    The power failed while the first page was written, and the log has it whole.
    """
    with _workshop(path) as folder:
        copy = Path(folder) / "copy"
        for file, name in ((path, copy), (log, Path(f"{copy}{_SIDES[0]}"))):
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
    """A folder beside the journal for what is not finished. One that a power cut has left behind is cleared away."""
    for left in path.parent.glob(f"{glob.escape(_unfinished(path))}*"):
        shutil.rmtree(left, ignore_errors=True)
    return tempfile.TemporaryDirectory(dir=path.parent, prefix=_unfinished(path))


def _unfinished(path: Path) -> str:
    """How the names of such folders begin."""
    return f".{path.name}.unfinished-"


def _create(path: Path) -> None:
    """Make an empty journal aside and put it under its name when it is complete: at once, or not at all."""
    _make_folder(path.parent)
    with _workshop(path) as folder:
        new = Path(folder) / "new"
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with closing(connect(new.as_uri())) as connection:
                lay_out(connection)
                # What could not go from the log into the file is nothing that SQLite complains of by itself.
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except FAULTS as error:
            refusal = complaint(str(path), error)
            if isinstance(refusal, UnwritableJournal):
                raise refusal from None
            raise UnwritableJournal(f"journal {path}: cannot be made: the disk reports an error") from None
        os.link(new, path)
    _sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """See to it that a folder is there, and that a power cut leaves it there."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    _sync_folder(folder.parent)


def _refuse_a_read_only_disk(path: Path) -> None:
    """SQLite would complain of an error of the disk."""
    nearest = next(each for each in (path, *path.absolute().parents) if each.exists())
    if os.statvfs(nearest).f_flag & os.ST_RDONLY:
        raise UnwritableJournal(f"journal {path}: cannot be written: the disk is read-only")


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
    if version not in _READ:
        age = "newer" if version > VERSION else "unknown"
        raise DamagedJournal(f"journal {path}: has the {age} version {version}; this yardboard reads up to {VERSION}")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def complaint(name: str, error: Exception) -> JournalError:
    """What SQLite complains of, in words of ours; its own may quote what stands in the file."""
    unknown = sqlite3.SQLITE_NOMEM if isinstance(error, MemoryError) else sqlite3.SQLITE_ERROR
    code = getattr(error, "sqlite_errorcode", unknown) & 0xFF  # without the extension
    if code == sqlite3.SQLITE_CANTOPEN:
        return UnwritableJournal(f"journal {name}: cannot be opened: {_hindrance(Path(name))}")
    if code in _UNUSABLE:
        return UnwritableJournal(f"journal {name}: {_UNUSABLE[code]}")
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(f"journal {name}: is closed")
    kind = getattr(error, "sqlite_errorname", type(error).__name__)
    return DamagedJournal(f"journal {name}: is damaged ({kind})")


def _hindrance(path: Path) -> str:
    """Why a journal cannot be opened, which SQLite does not tell: what it does beside the file is tried.

    The file itself is not: it was read before, and closing it here would let go of SQLite's own locks on it.
    """
    log = Path(f"{path}{_SIDES[0]}")
    try:
        if os.path.lexists(log):
            log.open("r+b").close()
    except OSError as error:
        return f"{log.name}: {error.strerror}"
    try:
        Path(tempfile.mkdtemp(dir=path.parent, prefix=_unfinished(path))).rmdir()
    except OSError as error:
        return f"nothing can be made beside it: {error.strerror}"
    return "the file or its folder is not accessible"
