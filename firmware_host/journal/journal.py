"""Keep every accepted action, durable before anything shows it.

One SQLite file holds one table of entries, and they are only added: a game begins, actions are played or taken
back, the game is finished or abandoned. Each entry carries a running number and a seal over itself and the seal
before it, so that a damaged, lost or foreign row is found when the file is opened and never played on.

So many games are kept and no more. When one begins, those beyond that are let go of, the oldest first: in place of
their last entry stands one that says how many games have gone and what the last seal was, so that the chain of seals
and the numbers of the games go on.

What is written here holds Mister X's secrets: the file is readable by its owner alone, and no message of this
module quotes a record.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
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
    check_time,
    names_of,
    parse_record,
    replay_entry,
    seal_entry,
    seats_of,
    setup_record,
)
from firmware_host.journal.entry_chain import Beginning, EntryChain
from firmware_host.journal.open_journal_file import read_through
from firmware_host.journal.sqlite_store import SqliteStore
from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, Row, Store, UnplayableGame
from firmware_host.rules.actions import Action, to_record
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Setup
from firmware_host.rules.views import Outcome

FEWEST = 2
"""So many games are kept at least: the one in play and the one before."""

PlainEntry = tuple[float, str, str]
"""An entry without number and seal: when (Unix epoch), of which kind and what, as JSON text."""


@dataclass(frozen=True, slots=True)
class Finished:
    """One finished game as it was written down.

    Attributes:
        number: which game of this journal it is, from 1; those given up count as well.
        entries: the first began the game, the last ended it.
    """

    number: int
    entries: tuple[PlainEntry, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Pending:
    """What is being written: entries, and the one with which the oldest game begins that stays."""

    rows: tuple[Row, ...] = field(repr=False)
    oldest: Beginning | None


class Journal:
    """The record of all games at one table. Used by one thread of one process.

    What is handed in is durable on return where the store writes at once. Where it writes on its own, `begin`, `play`,
    `take_back`, `finish`, `abandon` and `probe` return false, and `poll` tells how it went; until then nothing else
    may be handed in or read, and nothing has changed.

    Args:
        store: where the entries are kept; read through.
        keep_games: see `open`.

    Attributes:
        store: where the entries are kept; something that does the same may take its place.

    Raises:
        DamagedJournal: anything in it is not as it was written.
    """

    def __init__(self, store: Store, keep_games: int | None = None) -> None:
        self.store = store
        self._keep_games = keep_games
        self._chain = EntryChain.of(store)
        self._pending: _Pending | None = None

    @classmethod
    def open(cls, path: Path | str, *, keep_games: int | None = None) -> Self:
        """Open the journal at `path`; a new one if nothing is there, in a new folder if need be. `MEMORY`: on no disk.

        An empty file is refused: a new journal appears under its name only once it is complete, so an empty file
        is one that was torn, and games may have stood in it.

        Args:
            path: its file.
            keep_games: how many games are left when one begins, that one and those given up among them; from `FEWEST`.
                None: all.

        Raises:
            DamagedJournal: what is there is no sound journal.
            UnwritableJournal: the system does not let us use it.
            ValueError: so few games cannot be kept.
        """
        if keep_games is not None and keep_games < FEWEST:
            raise ValueError(f"keep_games: {keep_games} is below {FEWEST}")
        try:
            return cls._verified(SqliteStore.open(path), keep_games)
        except DamagedJournal:
            if path != MEMORY:  # what a disk cannot read is no less damaged to SQLite than what is there and wrong
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
        """Its file, or `MEMORY`."""
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
        """Wait for what is being written, and let go of the file."""
        self.store.close()

    def begin(
        self,
        setup: Setup,
        at: float,
        over: Outcome | None = None,
        seats: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> bool:
        """Begin a new game; an unfinished one is marked as abandoned, and the oldest may be let go of.

        All that is done together or not at all. `over`: how the one in play has ended, if it has and that is not
        written down yet. `seats`: those that computers play -> who plays there. `names`: those of people -> what they
        are called. Returns whether it is durable.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
        """
        end = (ABANDON, {}) if over is None else _end(over)
        begin = (BEGIN, setup_record(setup, seats or {}, names or {}))
        return self._append(at, [*[end] * self.in_play, begin], self._chain.oldest_to_keep(self._keep_games))

    def play(self, action: Action, at: float) -> bool:
        """Write an accepted action. Returns whether it is durable.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        return self._go_on(at, (PLAY, to_record(action)))

    def take_back(self, at: float, count: int = 1, *, home: bool = False) -> bool:
        """Write that so many actions were taken back, an entry for each, all or none: nothing is deleted. As `play`.

        `home`: pawns may still stand where these have brought them; see `taken_home`.
        """
        return self._go_on(at, *[(TAKE_BACK, HOME if home else {})] * count)

    def finish(self, outcome: Outcome, at: float) -> bool:
        """Write that the game in play is over. As `play`."""
        return self._go_on(at, _end(outcome))

    def abandon(self, at: float) -> bool:
        """Write that the game in play was given up; nobody won. As `play`."""
        return self._go_on(at, (ABANDON, {}))

    def probe(self) -> bool:
        """Write what changes nothing. Returns whether it is durable.

        Raises:
            UnwritableJournal: not even that can be written.
        """
        return self._append(0.0, [])

    @property
    def writing(self) -> bool:
        """Whether something is being written."""
        return self._pending is not None

    def poll(self) -> bool:
        """Return whether all that was handed in is durable; false while it is being written.

        Raises:
            JournalError: it was refused; nothing has changed.
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
        """Return as `poll` does when nothing is being written any more."""
        self.store.wait()
        return self.poll()

    @property
    def rules(self) -> str | None:
        """By which rules the newest game is played, finished or not; None if there is none, or it was given up.

        Raises:
            DamagedJournal: the file cannot be read any more.
        """
        span = self._chain.newest_span
        if span is None:
            return None
        (begun,), (newest,) = (self.store.rows(seq, seq) for seq in span)
        rules = parse_record(begun[3]).get("rules")
        return rules if isinstance(rules, str) and newest[2] != ABANDON else None

    def newest(self, boxes: Sequence[Box], ground: Ground) -> Game | None:
        """Replay the newest game up to its last entry, finished or not; None if there is none, or it was given up.

        `boxes` are the rules by which it may have been played. It may have an outcome without being finished: the
        power failed after the last move, before `finish`.

        Raises:
            UnplayableGame: its entries do not replay on this ground by any of these rules.
            DamagedJournal: the file cannot be read any more.
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
        """The seats that computers play in the newest game -> who plays there; empty if there is none.

        Raises:
            UnplayableGame: the entry of its start says nothing that makes sense.
            DamagedJournal: the file cannot be read any more.
        """
        return self._of_beginning(seats_of)

    @property
    def names(self) -> Mapping[str, str]:
        """The seats of people with a name in the newest game -> what they are called; empty if there is none.

        Raises:
            UnplayableGame, DamagedJournal: as for `seats`.
        """
        return self._of_beginning(names_of)

    def _of_beginning(self, read: Callable[[Mapping[str, Any]], Mapping[str, str]]) -> Mapping[str, str]:
        """Return what the first entry of the newest game says of its players."""
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
        """Whether the newest game ends with what was taken back with `home`: where its pawns stand is no move.

        Raises:
            DamagedJournal: the file cannot be read any more.
        """
        return any(
            kind == TAKE_BACK and parse_record(text) == HOME
            for _, _, kind, text, _ in self.store.rows(self._chain.seq, self._chain.seq)
        )

    @property
    def newest_begun(self) -> int:
        """The number of the newest game, finished or not, from 1; 0 if there is none. Costs nothing."""
        return self._chain.newest

    def begun_at(self) -> float:
        """Return when the newest game was begun, in seconds since 1970; 0.0 if there is none.

        Raises:
            DamagedJournal: the file cannot be read any more.
        """
        span = self._chain.newest_span
        return 0.0 if span is None else self._entries(span[0], span[0])[0][0]

    @property
    def newest_finished(self) -> int:
        """The number of the newest game that was played to its end; 0 if there is none. Costs nothing."""
        return next(reversed(self._chain.finished), 0)

    def finished(self, after: int = 0, most: int = 1) -> list[Finished]:
        """Return the newest `most` games that were played to their end and have a number above `after`, oldest first.

        A game in play is never among them, nor one that was given up.

        Raises:
            DamagedJournal: the file cannot be read any more.
        """
        wanted = [(number, span) for number, span in self._chain.finished.items() if number > after][-most:]
        return [Finished(number, self._entries(*span)) for number, span in wanted]

    def newest_entries(self) -> tuple[PlainEntry, ...]:
        """Return the entries of the newest game, finished, given up or in play; none if there never was one."""
        span = self._chain.newest_span
        return () if span is None else self._entries(*span)

    def _entries(self, first: int, last: int) -> tuple[PlainEntry, ...]:
        return tuple((at, sys.intern(kind), text) for _, at, kind, text, _ in self.store.rows(first, last))

    def _go_on(self, at: float, *entries: tuple[str, Mapping[str, Any]]) -> bool:
        if not self.in_play:
            raise JournalError(f"journal {self.name}: no game is in play")
        return self._append(at, entries)

    def _append(
        self, at: float, entries: Sequence[tuple[str, Mapping[str, Any]]], oldest: Beginning | None = None
    ) -> bool:
        """Hand entries to the store; all before `oldest` goes with them, with which a game began.

        Only when they are durable does this object know of it.
        """
        if self._pending is not None:
            raise JournalError(f"journal {self.name}: the entry before is still being written")
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
