"""Write a store on a background thread, so that a slow disk blocks nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from threading import Event

from firmware_host.journal.store_port import Row, Store
from firmware_host.system.background_task import Background


class BackgroundStore:
    """A store that another thread writes. Implements `Store`.

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
        """Yield the entries in a range of numbers, after any write in progress."""
        self._idle.wait()
        return self._store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Start a write. See `Store.submit`."""
        self._idle.clear()
        self._background(partial(self._write, rows, instead))

    def poll(self) -> bool:
        """Return whether the last write is durable. See `Store.poll`. Also raises unforeseen errors."""
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
        """Wait for the write in progress, end the thread and close the store."""
        self._background.close()
        self._store.close()

    def _write(self, rows: Sequence[Row], instead: Row | None) -> None:
        try:
            self._store.submit(rows, instead)
        except Exception as error:  # noqa: BLE001 - the next poll raises it
            self._error = error
        self._idle.set()
