"""Every accepted action, durable before anything shows it.

One SQLite file holds one table of entries which only ever grows: a game begins, actions are played or taken back,
the game is finished or abandoned. Each entry carries a running number and a seal over itself and the seal before
it, so that a damaged, lost or foreign row is found when the file is opened and never played on.

What is written here holds Mister X's secrets: the file is readable by its owner alone, and no message of this
module quotes a record.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Self

from firmware_host.rules.actions import Action, from_record, to_record
from firmware_host.rules.edition import Edition, Setup
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.views import Outcome

MEMORY = ":memory:"
"""In place of a path: a journal that is gone when it is closed, for tests and simulation."""

APPLICATION_ID = 0x59415244  # "YARD": tells our files from other SQLite files
VERSION = 1

_SCHEMA = (
    "CREATE TABLE entries (seq INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, "
    "record TEXT NOT NULL, seal TEXT NOT NULL) STRICT"
)
_BEGIN, _PLAY, _TAKE_BACK, _FINISH, _ABANDON = "begin", "play", "take_back", "finish", "abandon"
_MAGIC = b"SQLite format 3\x00"
_SIDES = ("-wal", "-shm")
# In a damaged file a length may ask for any amount of memory, and a name quoted in SQLite's message be no text.
_FAULTS = (sqlite3.Error, MemoryError, UnicodeError)
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


class Journal:
    """The record of all games at one table. Made by `Journal.open`; used by one thread of one process."""

    def __init__(self, name: str, connection: sqlite3.Connection) -> None:
        self.name = name
        self._connection = connection
        self._seq = 0
        self._seal = ""
        self._game: int | None = None  # the entry with which the game in play began
        self._newest: int | None = None  # the same of the newest game, be it over
        self._verify()

    @classmethod
    def open(cls, path: Path | str) -> Journal:
        """The journal at `path`; a new one if nothing is there, in a new folder if need be. `MEMORY`: on no disk.

        An empty file is refused: a new journal appears under its name only once it is complete, so an empty file
        is one that was torn, and games may have stood in it.

        Raises:
            DamagedJournal: what is there is no sound journal.
            UnwritableJournal: the system does not let us use it.
        """
        if path == MEMORY:
            connection = _connect(MEMORY)
            _lay_out(connection)
            return cls(MEMORY, connection)
        path = Path(path).absolute()
        try:
            _prepare(path)
        except UnwritableJournal:
            raise
        except OSError as error:
            raise UnwritableJournal(f"journal {path}: {error.strerror or type(error).__name__}") from error
        return cls._open_file(path)

    @classmethod
    def _open_file(cls, path: Path) -> Journal:
        connection = None
        try:
            connection = _connect(path.as_uri() + "?mode=rw")
            return cls(str(path), connection)
        except _FAULTS as error:
            if connection is not None:
                connection.close()
            raise _complaint(str(path), error) from None
        except JournalError:
            if connection is not None:
                connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Everything in it is durable already."""
        self._connection.close()

    def begin(self, setup: Setup, at: float) -> None:
        """A new game begins; one that was unfinished is marked as abandoned. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
        """
        begin = (_BEGIN, setup.to_record())
        self._append(at, [begin] if self._game is None else [(_ABANDON, {}), begin])

    def play(self, action: Action, at: float) -> None:
        """An action was accepted. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        self._in_play()
        self._append(at, [(_PLAY, to_record(action))])

    def take_back(self, at: float) -> None:
        """The last pawn's move was taken back; this is an entry of its own, nothing is deleted. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        self._in_play()
        self._append(at, [(_TAKE_BACK, {})])

    def finish(self, outcome: Outcome, at: float) -> None:
        """The game in play is over. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        self._in_play()
        self._append(at, [(_FINISH, {"winner": outcome.winner, "reason": outcome.reason})])

    @property
    def in_play(self) -> bool:
        """Whether the newest game is neither finished nor given up."""
        return self._game is not None

    def newest(self, edition: Edition, network: Network) -> Game | None:
        """The newest game as it stood after its last entry, finished or not; None if there never was one.

        It may have an outcome without being finished: the power failed after the last move, before `finish`.

        Raises:
            UnplayableGame: its entries do not replay on this map by these rules.
            DamagedJournal: the file cannot be read any more.
        """
        if self._newest is None:
            return None
        try:
            rows = self._connection.execute(
                "SELECT seq, kind, record FROM entries WHERE seq >= ? ORDER BY seq", [self._newest]
            ).fetchall()
        except _FAULTS as error:
            raise _complaint(self.name, error) from None
        game: Game | None = None
        for seq, kind, text in rows:
            if kind == _FINISH:
                break
            try:
                game = _replayed(game, kind, json.loads(text), edition, network)
            except RulesError as error:
                raise UnplayableGame(f"journal {self.name}: entry {seq} does not replay: {error}") from error
        return game

    def _in_play(self) -> None:
        if self._game is None:
            raise JournalError(f"journal {self.name}: no game is in play")

    def _append(self, at: float, entries: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Write entries in one transaction. Only when it is durable does this object know of them."""
        rows: list[tuple[int, float, str, str, str]] = []
        seq, seal = self._seq, self._seal
        for kind, record in entries:
            seq, text = seq + 1, json.dumps(record, separators=(",", ":"))
            seal = _sealed(seal, seq, float(at), kind, text)
            rows.append((seq, float(at), kind, text, seal))
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            self._connection.execute("COMMIT")
        except _FAULTS as error:
            complaint = _complaint(self.name, error)
            self._roll_back(complaint)
            raise complaint from None
        for seq, _, kind, _, seal in rows:
            self._follow(seq, kind, seal)

    def _roll_back(self, complaint: JournalError) -> None:
        """Leave nothing half done behind; SQLite has rolled back by itself after some errors, not after all."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except _FAULTS:
            raise complaint from None

    def _follow(self, seq: int, kind: str, seal: str) -> None:
        self._seq, self._seal = seq, seal
        if kind == _BEGIN:
            self._game = self._newest = seq
        elif kind in (_FINISH, _ABANDON):
            self._game = None

    def _verify(self) -> None:
        """Read the whole file once.

        Raises:
            DamagedJournal: anything in it is not as we wrote it.
        """
        execute = self._connection.execute
        if execute("SELECT sql FROM sqlite_schema").fetchall() != [(_SCHEMA,)]:
            raise DamagedJournal(f"journal {self.name}: is damaged: it does not hold the table of a journal")
        if execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise DamagedJournal(f"journal {self.name}: is damaged: SQLite's integrity check fails")
        for seq, at, kind, text, seal in execute("SELECT seq, at, kind, record, seal FROM entries ORDER BY seq"):
            if seq != self._seq + 1:
                raise DamagedJournal(f"journal {self.name}: is damaged: entry {self._seq + 1} is missing")
            if seal != _sealed(self._seal, seq, at, kind, text):
                raise DamagedJournal(f"journal {self.name}: is damaged: entry {seq} is not as it was written")
            self._follow(seq, kind, seal)


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


def _replayed(game: Game | None, kind: str, record: Mapping[str, Any], edition: Edition, network: Network) -> Game:
    """The game one entry later; the first entry is its setup."""
    if game is None:
        return Game(Setup.from_record(record, edition, network))
    if kind == _TAKE_BACK:
        game.take_back()
    else:
        game.play(from_record(record))
    return game


def _sealed(before: str, seq: int, at: float, kind: str, text: str) -> str:
    return hashlib.sha256("\n".join((before, str(seq), repr(at), kind, text)).encode()).hexdigest()


def _connect(name: str) -> sqlite3.Connection:
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
    except _FAULTS:
        connection.close()
        raise
    return connection


def _lay_out(connection: sqlite3.Connection) -> None:
    for statement in (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION}", _SCHEMA):
        connection.execute(statement)


def _prepare(path: Path) -> None:
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
            with closing(_connect(new.as_uri())) as connection:
                _lay_out(connection)
        except _FAULTS as error:
            raise _complaint(str(path), error) from None
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


def _complaint(name: str, error: Exception) -> JournalError:
    """What SQLite complains of, in words of ours; its own may quote what stands in the file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # without the extension
    if code in _UNUSABLE:
        return UnwritableJournal(f"journal {name}: {_UNUSABLE[code]}")
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(f"journal {name}: is closed, or used from another thread")
    kind = getattr(error, "sqlite_errorname", type(error).__name__)
    return DamagedJournal(f"journal {name}: is damaged ({kind})")
