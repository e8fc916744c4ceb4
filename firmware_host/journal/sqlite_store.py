"""Store a journal's entries in one SQLite file, written synchronously."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

from firmware_host.journal.open_journal_file import prepare
from firmware_host.journal.sqlite_connection import FAULTS, SCHEMA, complaint, connect, intact, lay_out, mark_current
from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, Row

_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?)"
_LAST = (1 << 63) - 1  # above every number


class SqliteStore:
    """The entries in one SQLite file. Implements `Store`: entries are durable when `submit` returns.

    Threads may take turns with it.

    Raises:
        DamagedJournal: there is no journal at the other end of the connection.
        MemoryError: there was not enough memory to check.
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
        """Open the file at `path`. Create it, and its folder, if missing. `MEMORY` is never on a disk.

        Raises:
            DamagedJournal: the file is not a sound journal.
            UnwritableJournal: the system refuses access.
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
            if not rows:
                mark_current(self._connection)
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
        """Undo a partial write. SQLite rolls back automatically after some errors, but not all."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except FAULTS:
            raise refusal from None

    def poll(self) -> bool:
        """Return true: whatever was submitted is durable."""
        return True

    def wait(self) -> None:
        """Return at once."""

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
