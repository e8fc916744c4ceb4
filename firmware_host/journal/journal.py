"""Save every accepted action to the disk before anything shows it.

One SQLite file holds one table of entries, and they are only added: a game begins, actions are played or taken back,
the game is finished or abandoned. Each entry has a running number and a seal over itself and the previous seal. So the
journal detects a damaged, lost or foreign entry when it opens the file, and never plays it.

The number of stored games is limited. When a game begins, the oldest games beyond the limit are removed. In place of
the last removed entry, the journal keeps an entry with the number of removed games and the last removed seal. So the
chain of seals stays whole, and games keep their numbers.

`prepare_journal` checks a journal before it is opened. It sets a damaged file aside, so that a new one begins.

The content holds Mister X's secrets: only the owner may read the file, and no message quotes a record.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from firmware_host.journal.entries import (
    ABANDON,
    BEGIN,
    FINISH,
    HOME,
    PLAY,
    TAKE_BACK,
    BadEntry,
    Beginning,
    EntryChain,
    check_time,
    names_of,
    parse_record,
    replay_entry,
    seal_entry,
    seats_of,
    setup_record,
)
from firmware_host.journal.sqlite_store import SIDE_SUFFIXES, SqliteStore, read_through
from firmware_host.journal.store_port import (
    MEMORY,
    DamagedJournal,
    JournalError,
    Row,
    Store,
    UnplayableGame,
    UnwritableJournal,
)
from firmware_host.rules.actions import Action, to_record
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Setup
from firmware_host.rules.views import Outcome
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import sync_folder

log = logging.getLogger("yardboard")


FEWEST = 2
"""The fewest games stored: the one in play and the one before."""

PlainEntry = tuple[float, str, str]
"""An entry without number and seal: time (Unix epoch), kind and JSON text."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The entries of one finished game.

    Attributes:
        number: the game's number in this journal, from 1; abandoned games count as well.
        entries: the first began the game, the last ended it.
    """

    number: int
    entries: tuple[PlainEntry, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Pending:
    """A write in progress: its entries, and the first entry of the oldest game to keep."""

    rows: tuple[Row, ...] = field(repr=False)
    oldest: Beginning | None


class Journal:
    """The record of all games at one table. Used by one thread of one process.

    With a synchronous store, entries are durable on return. With an asynchronous store, `begin`, `play`, `take_back`,
    `finish`, `abandon` and `probe` return false, and `poll` reports the result. Until then nothing has changed, and
    nothing else may be written or read.

    Args:
        store: the storage of the entries; read completely.
        keep_games: see `open`.

    Attributes:
        store: the storage of the entries; an equivalent one may replace it.

    Raises:
        DamagedJournal: an entry is missing, invalid, or was changed after it was written.
        JournalError: the entries cannot be read.
    """

    def __init__(self, store: Store, keep_games: int | None = None) -> None:
        self.store = store
        self._keep_games = keep_games
        self._chain = EntryChain.of(store)
        self._pending: _Pending | None = None

    @classmethod
    def open(cls, path: Path | str, *, keep_games: int | None = None) -> Self:
        """Open the journal at `path`. Create the file and its folder if they are missing. `MEMORY` uses no disk.

        An empty file is refused. A new journal gets its name only once it is complete, so an empty file is damaged, and
        may have held games.

        Args:
            path: the journal's file.
            keep_games: how many games remain when one begins, including that one and abandoned ones; at least `FEWEST`.
                None: all.

        Raises:
            DamagedJournal: the file is not a sound journal.
            UnwritableJournal: the system refuses access.
            ValueError: `keep_games` is too small.
        """
        if keep_games is not None and keep_games < FEWEST:
            raise ValueError(f"keep_games: {keep_games} must be at least {FEWEST}")
        try:
            return cls._verified(SqliteStore.open(path), keep_games)
        except DamagedJournal:
            if path != MEMORY:  # SQLite reports what a disk cannot read like a damaged file
                read_through(Path(path).absolute())
            return cls._verified(SqliteStore.open(path), keep_games)

    @classmethod
    def _verified(cls, store: Store, keep_games: int | None) -> Self:
        try:
            return cls(store, keep_games)
        except JournalError:
            store.close()
            raise

    @property
    def name(self) -> str:
        """The name of the journal's file, or `MEMORY`."""
        return self.store.name

    @property
    def in_play(self) -> bool:
        """Whether the newest game is neither finished nor given up."""
        return self._chain.in_play

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Wait until the current write is done, and close the file."""
        self.store.close()

    def begin(
        self,
        setup: Setup,
        at: float,
        over: Outcome | None = None,
        seats: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> bool:
        """Begin a new game. An unfinished game counts as given up, and the oldest game may be removed.

        Either everything is written or nothing. `over`: the outcome of the game in play, if it has ended and that is
        not recorded yet. `seats`: the seats of computers -> the player. `names`: the seats of people -> the name.
        Returns the same as `play`.

        Raises:
            JournalError: the game could not be written; nothing has changed.
        """
        end = (ABANDON, {}) if over is None else _end(over)
        begin = (BEGIN, setup_record(setup, seats or {}, names or {}))
        return self._append(at, [*[end] * self.in_play, begin], self._chain.oldest_to_keep(self._keep_games))

    def play(self, action: Action, at: float) -> bool:
        """Save an accepted action. Return whether it is on the disk already.

        Raises:
            JournalError: the action could not be written, or no game is in play; nothing has changed.
        """
        return self._go_on(at, (PLAY, to_record(action)))

    def take_back(self, at: float, count: int = 1, *, home: bool = False) -> bool:
        """Save that actions were taken back, as one entry each. Nothing is deleted. Returns the same as `play`.

        `home`: a key took the moves back, so people still have to put the pawns back; see `taken_home`.
        """
        return self._go_on(at, *[(TAKE_BACK, HOME if home else {})] * count)

    def finish(self, outcome: Outcome, at: float) -> bool:
        """Save the end of the game in play. Returns the same as `play`."""
        return self._go_on(at, _end(outcome))

    def abandon(self, at: float) -> bool:
        """Save that the game in play was given up. Returns the same as `play`."""
        return self._go_on(at, (ABANDON, {}))

    def probe(self) -> bool:
        """Write nothing new, to test whether writing works. Returns the same as `play`.

        Raises:
            JournalError: the test write failed.
        """
        return self._append(0.0, [])

    @property
    def writing(self) -> bool:
        """Whether a write is in progress."""
        return self._pending is not None

    def poll(self) -> bool:
        """Return whether the last write is on the disk. False while it is in progress.

        Raises:
            JournalError: the write was refused; nothing has changed.
        """
        pending = self._pending
        if pending is None:
            return True
        try:
            if not self.store.poll():
                return False
        except JournalError:
            self._pending = None
            raise
        self._pending = None
        if pending.oldest is not None:
            self._chain.forget_before(pending.oldest)
        for seq, _, kind, _, seal in pending.rows:
            self._chain.take_in(seq, kind, seal)
        return True

    def wait(self) -> bool:
        """Wait until no write is in progress. Returns the same as `poll`."""
        self.store.wait()
        return self.poll()

    @property
    def rules(self) -> str | None:
        """The rules of the newest game, or None if there is no game or it was given up.

        Raises:
            JournalError: the file is no longer readable.
        """
        span = self._chain.newest_span
        if span is None:
            return None
        (begun,), (newest,) = (self.store.rows(seq, seq) for seq in span)
        rules = parse_record(begun[3]).get("rules")
        return rules if isinstance(rules, str) and newest[2] != ABANDON else None

    def newest(self, boxes: Sequence[Box], ground: Ground) -> Game | None:
        """Return the newest game, replayed, or None if there is no game or it was given up.

        `boxes` are the rules by which it may have been played. The game may have an outcome without being finished, if
        the power failed between the last move and `finish`.

        Raises:
            UnplayableGame: its entries do not replay on this board by any of these rules.
            JournalError: the file is no longer readable.
        """
        span = self._chain.newest_span
        if span is None:
            return None
        game: Game | None = None
        for seq, _, kind, text, _ in self.store.rows(*span):
            if kind == FINISH:
                break
            if kind == ABANDON:
                return None
            try:
                game = replay_entry(game, kind, text, boxes, ground)
            except BadEntry as error:
                raise UnplayableGame(f"journal {self.name}: entry {seq} {error}") from error
        return game

    @property
    def seats(self) -> Mapping[str, str]:
        """Which computer plays each seat of the newest game. Empty if there is no game.

        Raises:
            UnplayableGame: the game's first entry is invalid.
            JournalError: the file is no longer readable.
        """
        return self._of_beginning(seats_of)

    @property
    def names(self) -> Mapping[str, str]:
        """The name of the person in each seat of the newest game. Empty if there is no game.

        Raises:
            UnplayableGame, JournalError: as for `seats`.
        """
        return self._of_beginning(names_of)

    def _of_beginning(self, read: Callable[[Mapping[str, Any]], Mapping[str, str]]) -> Mapping[str, str]:
        """Return one field about the players from the newest game's first entry."""
        span = self._chain.newest_span
        if span is None:
            return {}
        (begun,) = self.store.rows(span[0], span[0])
        try:
            return read(parse_record(begun[3]))
        except BadEntry as error:
            raise UnplayableGame(f"journal {self.name}: entry {begun[0]} {error}") from error

    @property
    def taken_home(self) -> bool:
        """Whether the last entry is a take-back marked `home`: a pawn that is still elsewhere has not moved again.

        Raises:
            JournalError: the file is no longer readable.
        """
        return any(
            kind == TAKE_BACK and parse_record(text) == HOME
            for _, _, kind, text, _ in self.store.rows(self._chain.seq, self._chain.seq)
        )

    @property
    def newest_begun(self) -> int:
        """The number of the newest game, counted from 1, or 0 if there is no game. Costs nothing."""
        return self._chain.newest

    def begun_at(self) -> float:
        """Return when the newest game began, in seconds since 1970, or 0.0 if there is none.

        Raises:
            JournalError: the file is no longer readable.
        """
        span = self._chain.newest_span
        return 0.0 if span is None else self._entries(span[0], span[0])[0][0]

    @property
    def entry_count(self) -> int:
        """The number of entries that the journal has ever had, deleted ones among them. Costs nothing."""
        return self._chain.seq

    @property
    def newest_finished(self) -> int:
        """The number of the newest finished game, or 0 if there is none. Costs nothing."""
        return next(reversed(self._chain.finished), 0)

    def finished(self, after: int = 0, most: int = 1) -> list[Finished]:
        """Return up to `most` finished games with a number above `after`: the newest ones, oldest first.

        Games in play or given up are never among them.

        Raises:
            JournalError: the file is no longer readable.
        """
        wanted = [(number, span) for number, span in self._chain.finished.items() if number > after][-most:]
        return [Finished(number, self._entries(*span)) for number, span in wanted]

    def newest_entries(self) -> tuple[PlainEntry, ...]:
        """Return the entries of the newest game, finished or not. Empty if there is no game."""
        span = self._chain.newest_span
        return () if span is None else self._entries(*span)

    def _entries(self, first: int, last: int) -> tuple[PlainEntry, ...]:
        return tuple((at, sys.intern(kind), text) for _, at, kind, text, _ in self.store.rows(first, last))

    def _go_on(self, at: float, *entries: tuple[str, Mapping[str, Any]]) -> bool:
        if not self.in_play:
            raise JournalError(f"journal {self.name}: no game is in play; begin one first")
        return self._append(at, entries)

    def _append(
        self, at: float, entries: Sequence[tuple[str, Mapping[str, Any]]], oldest: Beginning | None = None
    ) -> bool:
        """Give entries to the store. With `oldest`, also remove the games before that entry.

        This object changes only once they are durable.
        """
        if self._pending is not None:
            raise JournalError(f"journal {self.name}: the previous entry is still being written; wait for it first")
        try:
            check_time(at)
        except BadEntry as error:
            raise JournalError(f"journal {self.name}: the entry to be written {error}") from None
        rows: list[Row] = []
        seq, seal = self._chain.seq, self._chain.seal
        for kind, record in entries:
            seq, text = seq + 1, json.dumps(record, separators=(",", ":"))
            seal = seal_entry(seal, seq, float(at), kind, text)
            rows.append((seq, float(at), kind, text, seal))
        self.store.submit(rows, None if oldest is None else self._chain.entry_before(oldest, float(at)))
        self._pending = _Pending(tuple(rows), oldest)
        return self.poll()


def _end(outcome: Outcome) -> tuple[str, dict[str, Any]]:
    return FINISH, {"winner": outcome.winner, "reason": outcome.reason}


def prepare_journal(path: Path, stamp: str) -> str | None:
    """Make sure that the journal at `path` can be used. Rename a damaged one: the next opening creates another.

    A journal that is torn, foreign or of another version is renamed with `stamp`, never overwritten.

    Returns:
        The rules of its newest game; None if there is no game, it was given up, or the journal was renamed.

    Raises:
        JournalError: the journal cannot be opened, created or set aside.
    """
    try:
        with Journal.open(path) as journal:
            return journal.rules
    except DamagedJournal as error:
        aside = set_aside(path, stamp)
        fields = log_fields("journal", kept=str(aside))
        log.error("%s. It is kept as %s; a new game begins.", error, aside, extra=fields)  # noqa: TRY400 - no traceback
        return None


def set_aside(path: Path | str, stamp: str) -> Path:
    """Rename an unusable journal, and SQLite's files beside it, to NAME.STAMP.aside.

    Returns the new path. Never overwrites anything.

    Raises:
        ValueError: the stamp cannot be part of a file name.
        UnwritableJournal: there is no such journal, a file with the new name exists already, or the system refuses.
    """
    path = Path(path).absolute()
    if not stamp or set(stamp) & {"/", "\0"}:
        raise ValueError(f"stamp {stamp!r} cannot be part of a file name")
    aside = path.with_name(f"{path.name}.{stamp}.aside")
    # Rename the file itself last: SQLite would take a remaining log for the new journal's.
    moves = [(Path(f"{path}{side}"), Path(f"{aside}{side}")) for side in (*SIDE_SUFFIXES, "")]
    existing = [(old, new) for old, new in moves if os.path.lexists(old)]
    taken = [new for _, new in moves if os.path.lexists(new)]
    if taken:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {taken[0]} exists already; rename it")
    if not existing:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: there is no such file")
    try:
        for old, new in existing:
            os.link(old, new, follow_symlinks=False)  # unlike a rename, fails if the new name exists
            if new.is_file() and not new.is_symlink():
                with suppress(PermissionError):  # another user's file, and not our secret
                    new.chmod(0o600)
        sync_folder(path.parent)  # a power cut must not lose both names
        for old, _ in existing:
            old.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise UnwritableJournal(f"journal {path}: cannot be set aside: {error.strerror}") from error
    return aside
