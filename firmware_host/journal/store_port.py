"""Define the port between a journal and the storage of its entries, and its errors.

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
    """A journal cannot be used. Messages name the file, never a station of Mister X's."""


class DamagedJournal(JournalError):
    """The file is torn, damaged, foreign or of a newer version. `set_aside` makes room for a new one."""


class UnwritableJournal(JournalError, OSError):
    """The system refuses: disk full, read-only folder, no permission, file in use. The file is sound."""


class UnplayableGame(JournalError):
    """The file is sound, but its unfinished game does not replay here, for example with another map.

    A new game can begin in the same journal.
    """


class Store(Protocol):
    """The storage of entries. It writes one thing at a time, and reads nothing meanwhile."""

    @property
    def name(self) -> str:
        """The file, or `MEMORY`."""

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        """Yield the entries from `first` to `last`, both included, in order, or to the end without `last`.

        Raises:
            DamagedJournal: the entries cannot be read.
        """

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Start writing entries, all or none. An empty list tests whether writing works.

        Args:
            rows: the entries.
            instead: replaces all entries up to its number.

        Raises:
            JournalError: the write is refused at once; nothing has changed.
        """

    def poll(self) -> bool:
        """Return whether the last write is durable, or false while it is in progress.

        Raises:
            JournalError: the write was refused; nothing has changed.
        """

    def wait(self) -> None:
        """Wait until no write is in progress."""

    def close(self) -> None:
        """Wait for the write in progress, and close the file."""
