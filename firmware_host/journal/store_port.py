"""Define the interface between a journal and the storage of its entries, and the errors of both.

A journal knows what its entries mean; a store keeps them and knows nothing of games. `SqliteStore` writes to a file
synchronously, `BackgroundStore` writes another store on a thread. Recordings, replays and tests provide their own
stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

MEMORY = ":memory:"
"""Replaces the path of a journal that is discarded on closing, for tests and simulation."""

Row = tuple[int, float, str, str, str]
"""A stored entry: its number, time (Unix epoch), kind, JSON text, and seal."""


class JournalError(Exception):
    """The error that a journal cannot be used. Its message names the file, never a station of Mister X's."""


class DamagedJournal(JournalError):
    """The error that a file is no journal, or an incomplete or damaged one, or one of an unknown version.

    `set_aside` renames the file.
    """


class UnwritableJournal(JournalError, OSError):
    """The error that a journal, which may be intact, cannot be opened, read or written.

    For example, the disk is full, permission is missing, or another program uses the file.
    """


class UnplayableGame(JournalError):
    """The error that an unfinished game cannot be replayed here, for example because the map has changed.

    The file is intact: a new game can begin in the same journal.
    """


class Store(Protocol):
    """The interface of a storage for entries. It does one write at a time, and reads nothing meanwhile."""

    @property
    def name(self) -> str:
        """The name of the file, or `MEMORY`."""

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        """Yield the entries from `first` to `last` in order. Without `last`, yield all from `first` on.

        Raises:
            JournalError: the entries cannot be read.
        """

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Start to write entries: all of them or none. An empty list tests whether writing works.

        Args:
            rows: the entries.
            instead: an entry that replaces all entries up to its own number; None to replace none.

        Raises:
            JournalError: the write is refused at once; nothing has changed.
        """

    def poll(self) -> bool:
        """Return whether the last write is on the disk. False while it is in progress.

        Raises:
            JournalError: the write was refused; nothing has changed.
        """

    def wait(self) -> None:
        """Wait until no write is in progress."""

    def close(self) -> None:
        """Wait until the current write is done, and close the file."""
