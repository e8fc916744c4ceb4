"""A store that is written on a thread of its own: a disk that takes its time holds nobody up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from threading import Event, Thread

from firmware_host.journal.store import Row, Store


class BackgroundStore:
    """Another store, written beside whatever else goes on. Implements `Store`.

    The thread alone uses it while something is being written, and whoever holds this at all other times.

    Args:
        store: the one that is written; this closes it.
    """

    def __init__(self, store: Store) -> None:
        self.name = store.name
        self._store = store
        self._submitted: SimpleQueue[tuple[Sequence[Row], Row | None] | None] = SimpleQueue()
        self._idle = Event()
        self._idle.set()
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        """The entries from one number to another; waits for what is being written."""
        self._idle.wait()
        return self._store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        """Begin to write; see `Store.submit`."""
        self._idle.clear()
        self._submitted.put((rows, instead))

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
        self._submitted.put(None)
        self._thread.join()
        self._store.close()

    def _run(self) -> None:
        while (submitted := self._submitted.get()) is not None:
            try:
                self._store.submit(*submitted)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next poll raises it
                self._error = error
            self._idle.set()
