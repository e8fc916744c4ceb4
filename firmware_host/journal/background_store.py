"""A store that is written on a thread of its own: a disk that takes its time holds nobody up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from threading import Event

from firmware_host.journal.store_port import Row, Store
from firmware_host.system.background_task import Background


class BackgroundStore:
    """Another store, written beside whatever else goes on. Implements `Store`.

    The thread alone uses it while something is being written, and whoever holds this at all other times.

    Args:
        store: the one that is written; this closes it.
    """

    def __init__(self, store: Store) -> None:
        self.name = store.name
        self._store = store
        self._background = Background("journal")
        self._idle = Event()
        self._idle.set()
        self._error: Exception | None = None

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        """Yield the entries from one number to another; wait for what is being written."""
        self._idle.wait()
        return self._store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Begin to write; see `Store.submit`."""
        self._idle.clear()
        self._background(partial(self._write, rows, instead))

    def poll(self) -> bool:
        """Return whether what was submitted last is durable; see `Store.poll`. Raises, too, what nobody foresaw."""
        if not self._idle.is_set():
            return False
        error, self._error = self._error, None
        if error is not None:
            raise error
        return True

    def wait(self) -> None:
        """Return when nothing is being written any more."""
        self._idle.wait()

    def close(self) -> None:
        """Wait for what is being written, end the thread and close the store."""
        self._background.close()
        self._store.close()

    def _write(self, rows: Sequence[Row], instead: Row | None) -> None:
        try:
            self._store.submit(rows, instead)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next poll raises it
            self._error = error
        self._idle.set()
