"""Every accepted action, durable before anything shows it.

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
import logging
import sqlite3
import sys
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from firmware_host.journal.entries import (
    ABANDON,
    BEGIN,
    FINISH,
    LET_GO,
    PLAY,
    TAKE_BACK,
    BadEntry,
    check,
    check_time,
    content,
    let_go,
    replayed,
)
from firmware_host.journal.sqlite_store import (
    FAULTS,
    MEMORY,
    SCHEMA,
    DamagedJournal,
    JournalError,
    UnplayableGame,
    call_current,
    close_connection,
    complaint,
    connect,
    intact,
    lay_out,
    prepare,
    read_through,
    sealed,
    set_aside,
)
from firmware_host.rules.actions import Action, to_record
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Setup
from firmware_host.rules.views import Outcome
from firmware_host.system.logging_setup import about

log = logging.getLogger("yardboard")

FEWEST = 2
"""So many games are kept at least: the one in play and the one before."""


@dataclass(frozen=True, slots=True)
class Finished:
    """One finished game as it was written down.

    Attributes:
        number: which game of this journal it is, from 1; those given up count as well.
        entries: when (Unix epoch), of which kind and what, as JSON text; the first began the game, the last ended it.
    """

    number: int
    entries: tuple[tuple[float, str, str], ...] = field(repr=False)


class Journal:
    """The record of all games at one table. Made by `Journal.open`; used by one thread of one process."""

    def __init__(self, name: str, connection: sqlite3.Connection, keep_games: int | None) -> None:
        self.name = name
        self._connection = connection
        self._keep_games = keep_games
        self._seq = 0
        self._seal = ""
        self._let_go = 0  # how many games, the oldest, are here no more
        self._begun: list[tuple[int, str]] = []  # the entry with which each game since began, and the seal before it
        self._finished: dict[int, tuple[int, int]] = {}  # number of a finished game -> its first and last entry
        self.in_play = False
        """Whether the newest game is neither finished nor given up."""
        self._verify()
        weakref.finalize(self, close_connection, connection)  # where nobody has closed it and nobody holds it

    @classmethod
    def open(cls, path: Path | str, *, keep_games: int | None = None) -> Self:
        """The journal at `path`; a new one if nothing is there, in a new folder if need be. `MEMORY`: on no disk.

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
        if path == MEMORY:
            connection = connect(MEMORY)
            lay_out(connection)
            return cls(MEMORY, connection, keep_games)
        path = Path(path).absolute()
        try:
            return cls._open_file(path, keep_games)
        except DamagedJournal:
            read_through(path)  # what a disk cannot read is no less damaged to SQLite than what is there and wrong
            return cls._open_file(path, keep_games)

    @classmethod
    def _open_file(cls, path: Path, keep_games: int | None) -> Self:
        prepare(path)
        connection = None
        try:
            connection = connect(path.as_uri() + "?mode=rw")
            return cls(str(path), connection, keep_games)
        except (*FAULTS, JournalError) as error:
            if connection is not None:
                connection.close()
            if isinstance(error, JournalError):
                raise
            raise complaint(str(path), error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Everything in it is durable already."""
        self._connection.close()

    def begin(self, setup: Setup, at: float, over: Outcome | None = None) -> None:
        """A new game begins; one that was unfinished is marked as abandoned, and the oldest may be let go of.

        All that is done together or not at all. Durable on return. `over`: how the one in play has ended, if it has and
        that is not written down yet.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
        """
        end = (ABANDON, {}) if over is None else _end(over)
        keep = self._keep_games
        oldest = None if keep is None or len(self._begun) < keep else self._begun[1 - keep]
        self._append(at, [*[end] * self.in_play, (BEGIN, setup.to_record())], oldest)

    def play(self, action: Action, at: float) -> None:
        """An action was accepted. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        self._go_on(at, (PLAY, to_record(action)))

    def take_back(self, at: float) -> None:
        """The last pawn's move was taken back; this is an entry of its own, nothing is deleted. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        self._go_on(at, (TAKE_BACK, {}))

    def finish(self, outcome: Outcome, at: float) -> None:
        """The game in play is over. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        self._go_on(at, _end(outcome))

    def abandon(self, at: float) -> None:
        """The game in play was given up; nobody won. Durable on return.

        Raises:
            UnwritableJournal: it could not be written; nothing has changed.
            JournalError: no game is in play.
        """
        self._go_on(at, (ABANDON, {}))

    def probe(self) -> None:
        """Write what changes nothing. Raises UnwritableJournal where not even that can be written."""
        self._append(0.0, [])

    @property
    def rules(self) -> str | None:
        """By which rules the newest game is played, finished or not; None if there is none, or it was given up.

        Raises:
            DamagedJournal: the file cannot be read any more.
        """
        if not self._begun:
            return None
        try:
            rows = self._connection.execute(
                "SELECT kind, record FROM entries WHERE seq IN (?, ?) ORDER BY seq", [self._begun[-1][0], self._seq]
            ).fetchall()
        except FAULTS as error:
            raise complaint(self.name, error) from None
        rules = content(rows[0][1]).get("rules")
        return rules if isinstance(rules, str) and rows[-1][0] != ABANDON else None

    def newest(self, boxes: Sequence[Box], ground: Ground) -> Game | None:
        """The newest game as it stood after its last entry, finished or not; None if there is none, or it was given up.

        `boxes` are the rules by which it may have been played. It may have an outcome without being finished: the
        power failed after the last move, before `finish`.

        Raises:
            UnplayableGame: its entries do not replay on this ground by any of these rules.
            DamagedJournal: the file cannot be read any more.
        """
        if not self._begun:
            return None
        try:
            rows = self._connection.execute(
                "SELECT seq, kind, record FROM entries WHERE seq >= ? ORDER BY seq", [self._begun[-1][0]]
            ).fetchall()
        except FAULTS as error:
            raise complaint(self.name, error) from None
        game: Game | None = None
        for seq, kind, text in rows:
            if kind == FINISH:
                break
            if kind == ABANDON:
                return None
            try:
                game = replayed(game, kind, text, boxes, ground)
            except BadEntry as error:
                raise UnplayableGame(f"journal {self.name}: entry {seq} {error}") from error
        return game

    @property
    def newest_finished(self) -> int:
        """The number of the newest game that was played to its end; 0 if there is none. Costs nothing."""
        return next(reversed(self._finished), 0)

    def finished(self, after: int = 0, most: int = 1) -> list[Finished]:
        """The newest `most` games that were played to their end, oldest first; only those of a number above `after`.

        A game in play is never among them, nor one that was given up.

        Raises:
            DamagedJournal: the file cannot be read any more.
        """
        wanted = [(number, span) for number, span in self._finished.items() if number > after][-most:]
        try:
            return [Finished(number, self._entries(*span)) for number, span in wanted]
        except FAULTS as error:
            raise complaint(self.name, error) from None

    def _entries(self, first: int, last: int) -> tuple[tuple[float, str, str], ...]:
        rows = self._connection.execute(
            "SELECT at, kind, record FROM entries WHERE seq BETWEEN ? AND ? ORDER BY seq", [first, last]
        )
        return tuple((at, sys.intern(kind), text) for at, kind, text in rows)

    def _go_on(self, at: float, entry: tuple[str, Mapping[str, Any]]) -> None:
        if not self.in_play:
            raise JournalError(f"journal {self.name}: no game is in play")
        self._append(at, [entry])

    def _append(
        self, at: float, entries: Sequence[tuple[str, Mapping[str, Any]]], oldest: tuple[int, str] | None = None
    ) -> None:
        """Write entries in one transaction, in which all before `oldest` goes, with which a game began.

        Only when it is durable does this object know of it.
        """
        try:
            check_time(at)
        except BadEntry as error:
            raise JournalError(f"journal {self.name}: the entry to be written {error}") from None
        rows: list[tuple[int, float, str, str, str]] = []
        seq, seal = self._seq, self._seal
        for kind, record in entries:
            seq, text = seq + 1, json.dumps(record, separators=(",", ":"))
            seal = sealed(seal, seq, float(at), kind, text)
            rows.append((seq, float(at), kind, text, seal))
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            if not rows:
                call_current(self._connection)
            if oldest is not None:
                self._let_go_of_all_before(oldest, float(at))
            self._connection.execute("COMMIT")
        except FAULTS as error:
            refusal = complaint(self.name, error)
            self._roll_back(refusal)
            raise refusal from None
        if oldest is not None:
            self._forget_all_before(oldest)
        for seq, _, kind, _, seal in rows:
            self._follow(seq, kind, seal)

    def _let_go_of_all_before(self, oldest: tuple[int, str], at: float) -> None:
        """The part of this which stands in the file."""
        seq, seal = oldest[0] - 1, oldest[1]
        text = json.dumps({"games": self._let_go + self._begun.index(oldest), "seal": seal}, separators=(",", ":"))
        row = (seq, at, LET_GO, text, sealed("", seq, at, LET_GO, text))
        self._connection.execute("DELETE FROM entries WHERE seq <= ?", [seq])
        self._connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", row)
        call_current(self._connection)

    def _forget_all_before(self, oldest: tuple[int, str]) -> None:
        gone = self._begun.index(oldest)
        self._let_go += gone
        del self._begun[:gone]
        self._finished = {number: span for number, span in self._finished.items() if number > self._let_go}

    def _roll_back(self, refusal: JournalError) -> None:
        """Leave nothing half done behind; SQLite has rolled back by itself after some errors, not after all."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except FAULTS:
            raise refusal from None

    def _follow(self, seq: int, kind: str, seal: str) -> None:
        if kind == BEGIN:
            self._begun.append((seq, self._seal))
            self.in_play = True
        elif kind in (FINISH, ABANDON):
            if kind == FINISH and self.in_play:
                self._finished[self._let_go + len(self._begun)] = (self._begun[-1][0], seq)
            self.in_play = False
        self._seq, self._seal = seq, seal

    def _verify(self) -> None:
        """Read the whole file once.

        Raises:
            DamagedJournal: anything in it is not as we wrote it.
        """
        execute = self._connection.execute
        if execute("SELECT sql FROM sqlite_schema").fetchall() != [(SCHEMA,)]:
            raise DamagedJournal(f"journal {self.name}: is damaged: it does not hold the table of a journal")
        if not intact(self._connection):
            raise DamagedJournal(f"journal {self.name}: is damaged: SQLite's integrity check fails")
        for seq, at, kind, text, seal in execute("SELECT seq, at, kind, record, seal FROM entries ORDER BY seq"):
            goes_on = kind == LET_GO and self._seq == 0
            if seq != self._seq + 1 and not goes_on:
                raise DamagedJournal(f"journal {self.name}: is damaged: entry {self._seq + 1} is missing")
            if seal != sealed(self._seal, seq, at, kind, text):
                raise DamagedJournal(f"journal {self.name}: is damaged: entry {seq} is not as it was written")
            try:
                if goes_on:
                    gone = let_go(seq, at, text)
                    self._seq, self._seal, self._let_go = seq, gone.seal, gone.games
                else:
                    check(at, kind, text)
                    self._follow(seq, kind, seal)
            except BadEntry as error:
                raise DamagedJournal(f"journal {self.name}: is damaged: entry {seq} {error}") from error


def look_over(path: Path, stamp: str) -> str | None:
    """See to it that the journal at `path` can be used, before a table is run on it.

    One that is torn, foreign or of another version is set aside under a name with `stamp`, never overwritten.

    Returns:
        By which rules its newest game is played; None if there is none to go on with.

    Raises:
        JournalError: it cannot be opened or made, or not be set aside.
    """
    try:
        with Journal.open(path) as journal:
            return journal.rules
    except DamagedJournal as error:
        aside = set_aside(path, stamp)
        said = about("journal", kept=str(aside))
        log.error("%s. It is kept as %s; a new game begins.", error, aside, extra=said)  # noqa: TRY400 - no traceback
        return None


def _end(outcome: Outcome) -> tuple[str, dict[str, Any]]:
    return FINISH, {"winner": outcome.winner, "reason": outcome.reason}
