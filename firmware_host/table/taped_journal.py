"""Record how the entries of a journal fare, and play that back, beginning with the newest game that the tape has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from firmware_host.journal.entries import seal_entry
from firmware_host.journal.journal import Journal, PlainEntry
from firmware_host.journal.sqlite_store import SqliteStore
from firmware_host.journal.store_port import MEMORY, JournalError, Row, Store, UnwritableJournal
from firmware_host.table import stuck_switch_file
from hardware.recording.tape_recorder import Recorder


def recorded_store(store: Store, recorder: Recorder) -> Store:
    """Return a store that records on this tape how each entry fares, and on no tape that it recorded on before."""
    return _RecordedStore(store.store if isinstance(store, _RecordedStore) else store, recorder)


class _RecordedStore:
    """Record how each thing that is submitted to a store fares. Implements `Store`."""

    def __init__(self, store: Store, recorder: Recorder) -> None:
        self.store, self._recorder = store, recorder

    @property
    def name(self) -> str:
        return self.store.name

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        return self.store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        try:
            self.store.submit(rows, instead)
        except JournalError as error:
            self._recorder.written(str(error))
            raise

    def poll(self) -> bool:
        try:
            done = self.store.poll()
        except JournalError as error:
            self._recorder.written(str(error))
            raise
        self._recorder.written("" if done else None)
        return done

    def wait(self) -> None:
        self.store.wait()

    def close(self) -> None:
        self.store.close()


class _PlayedStore:
    """Play back the store of a session, in memory: all fares as it did then. Implements `Store`.

    Args:
        store: where the entries are kept now.
        name: stands for its file.
        written: asked at each look why it could not be made durable; "" if it was, None if it was not yet.
    """

    def __init__(self, store: Store, name: str, written: Callable[[], str | None]) -> None:
        self.name = name
        self._store, self._written = store, written
        self._submitted: tuple[Sequence[Row], Row | None] = ((), None)

    def rows(self, first: int = 0, last: int | None = None) -> Iterator[Row]:
        return self._store.rows(first, last)

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        self._submitted = rows, instead

    def poll(self) -> bool:
        trouble = self._written()
        if trouble:
            raise UnwritableJournal(trouble)
        if trouble is None:
            return False
        self._store.submit(*self._submitted)
        return True

    def wait(self) -> None:
        pass

    def close(self) -> None:
        self._store.close()


def played_journal(
    newest: Iterable[PlainEntry], masks: str, folder: Path, written: Callable[[], str | None]
) -> Journal:
    """Return the journal as it was when a session began, as far as a table looks into it.

    Args:
        newest: the newest game.
        masks: what was kept beside it of switches out of order; "" for nothing.
        folder: an empty one, for that.
        written: tells how each entry fared; see `_PlayedStore`.

    Raises:
        JournalError, ValueError: what is told is no game.
    """
    if masks:
        (folder / stuck_switch_file.NAME).write_text(masks, encoding="utf-8")
    rows: list[Row] = []
    seal = ""
    for number, (at, kind, text) in enumerate(newest, 1):
        seal = seal_entry(seal, number, at, kind, text)
        rows.append((number, at, kind, text, seal))
    store = SqliteStore.open(MEMORY)
    store.submit(rows)
    return Journal(_PlayedStore(store, str(folder / "journal.sqlite"), written))
