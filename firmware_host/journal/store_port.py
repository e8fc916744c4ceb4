"""The port between a journal and where its entries are kept, and what can go wrong there.

A journal knows what its entries mean; a store keeps them and knows nothing of games. `SqliteStore` writes to a file and
is done on return, `BackgroundStore` lets another one write on a thread of its own. A recording, a replay and tests put
stores of their own in their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

MEMORY = ":memory:"
"""In place of a path: a journal that is gone when it is closed, for tests and simulation."""

Row = tuple[int, float, str, str, str]
"""An entry as it is kept: its number, when (Unix epoch), of which kind, what as JSON text, and its seal."""


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


class Store(Protocol):
    """Where entries are kept. One thing is written at a time, and while it is, nothing is read."""

    @property
    def name(self) -> str:
        """Its file, or `MEMORY`."""

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        """Yield the entries from one number to another, both included, in order; to the end if there is no last.

        Raises:
            DamagedJournal: they cannot be read.
        """

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Begin to write entries, together or not at all; none at all to see whether anything can be written.

        Args:
            rows: the entries.
            instead: takes the place of all entries up to its number.

        Raises:
            JournalError: they are refused at once; nothing has changed.
        """

    def poll(self) -> bool:
        """Return whether what was submitted last is durable; false while it is being written.

        Raises:
            JournalError: it was refused; nothing has changed.
        """

    def wait(self) -> None:
        """Return when nothing is being written any more."""

    def close(self) -> None:
        """Wait for what is being written, and let go of the file."""
