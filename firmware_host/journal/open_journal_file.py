"""Create, check and read a journal's file before SQLite opens it.

Its content is secret: only the owner may read the file, and no message quotes a record.
"""

from __future__ import annotations

import errno
import glob
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware_host.journal.sqlite_connection import (
    APPLICATION_ID,
    FAULTS,
    INDEX,
    LOG,
    VERSION,
    complaint,
    connect,
    intact,
    lay_out,
    unfinished,
)
from firmware_host.journal.store_port import DamagedJournal, UnwritableJournal

_READABLE = (1, VERSION)
_MAGIC = b"SQLite format 3\x00"
SIDES = (LOG, INDEX)
"""The suffixes of SQLite's files beside a journal."""


def prepare(path: Path) -> None:
    """Ensure that a journal exists at `path` that SQLite can open and nobody else can read.

    Raises:
        DamagedJournal: the file is not a journal, by its name or its header.
        UnwritableJournal: the system refuses access.
    """
    sides = [Path(f"{path}{side}") for side in SIDES]
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
            if not sides[0].is_file() or not _log_repairs(path, sides[0]):
                raise error from None
        for file in (path, *sides):
            if file.exists() and stat.S_IMODE(file.stat().st_mode) != 0o600:
                file.chmod(0o600)


def read_through(path: Path) -> None:
    """Read a journal and its log to the end, to test that the disk can read them.

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
    """Convert system errors into errors that name the journal."""
    try:
        yield
    except UnwritableJournal:
        raise
    except OSError as error:
        why = error.strerror or type(error).__name__
        if isinstance(error, FileNotFoundError | NotADirectoryError | PermissionError) or error.errno == errno.EROFS:
            why += "; [journal] path or XDG_STATE_HOME choose another place"
        raise UnwritableJournal(f"journal {path}: {why}") from error


def _log_repairs(path: Path, log: Path) -> bool:
    """Return whether the write-ahead log repairs a file with a bad header, tested on copies of both.

    That is so if the power failed while the first page was written: the log has the whole page.
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
    """Create a temporary folder beside the journal, and remove those that a power cut has left."""
    for leftover in path.parent.glob(f"{glob.escape(unfinished(path))}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    return tempfile.TemporaryDirectory(dir=path.parent, prefix=unfinished(path))


def _create(path: Path) -> None:
    """Create an empty journal in a temporary folder and move it in place complete, or not at all."""
    _make_folder(path.parent)
    with _workshop(path) as folder:
        new = Path(folder) / "new"
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with closing(connect(new.as_uri())) as connection:
                lay_out(connection)
                # SQLite does not report that it could not copy from the log into the file.
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except FAULTS as error:
            refusal = complaint(str(path), error)
            if isinstance(refusal, UnwritableJournal):
                raise refusal from None
            raise UnwritableJournal(f"journal {path}: cannot be made: the disk reports an error") from None
        os.link(new, path)
    sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """Create a folder that survives a power cut."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def _refuse_a_read_only_disk(path: Path) -> None:
    """Refuse a read-only disk, which SQLite would report as a disk error."""
    nearest = next(each for each in (path, *path.absolute().parents) if each.exists())
    if os.statvfs(nearest).f_flag & os.ST_RDONLY:
        raise UnwritableJournal(f"journal {path}: cannot be written: the disk is read-only")


def _check_header(path: Path) -> None:
    """Refuse foreign files before SQLite opens them, because opening alone can write into them."""
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
    if version not in _READABLE:
        age = "newer" if version > VERSION else "unknown"
        raise DamagedJournal(f"journal {path}: has the {age} version {version}; this yardboard reads up to {VERSION}")


def sync_folder(folder: Path) -> None:
    """Flush the names of a folder's files to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
