"""Track where each game in a journal begins and ends, and verify that no entry is damaged or lost."""

from __future__ import annotations

import json

from firmware_host.journal.entries import (
    ABANDON,
    BEGIN,
    FINISH,
    LET_GO,
    BadEntry,
    check_entry,
    parse_let_go,
    seal_entry,
)
from firmware_host.journal.store_port import DamagedJournal, Row, Store

Beginning = tuple[int, str]
"""The number of a game's first entry, and the seal before it."""


class EntryChain:
    """The entries of a journal and the games they make up, without their records.

    Attributes:
        seq: the number of the last entry; 0 if there is none.
        seal: the last entry's seal.
        let_go: how many games, the oldest, were removed.
        begun: the beginning of each stored game, the oldest first.
        finished: number of a finished game -> its first and last entry.
        in_play: whether the newest game is neither finished nor given up.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.seal = ""
        self.let_go = 0
        self.begun: list[Beginning] = []
        self.finished: dict[int, tuple[int, int]] = {}
        self.in_play = False

    @classmethod
    def of(cls, store: Store) -> EntryChain:
        """Read a whole store once.

        Raises:
            DamagedJournal: an entry has changed since it was written.
        """
        chain = cls()
        for row in store.rows():
            chain._verify(row, store.name)
        return chain

    @property
    def newest(self) -> int:
        """The number of the newest game, finished or not, from 1, or 0 if there is none."""
        return self.let_go + len(self.begun)

    @property
    def newest_span(self) -> tuple[int, int] | None:
        """The first and last entry of the newest game, finished or not, or None if there is none."""
        return (self.begun[-1][0], self.seq) if self.begun else None

    def take_in(self, seq: int, kind: str, seal: str) -> None:
        """Add a newly stored entry."""
        if kind == BEGIN:
            self.begun.append((seq, self.seal))
            self.in_play = True
        elif kind in (FINISH, ABANDON):
            if kind == FINISH and self.in_play:
                self.finished[self.newest] = (self.begun[-1][0], seq)
            self.in_play = False
        self.seq, self.seal = seq, seal

    def oldest_to_keep(self, keep_games: int | None) -> Beginning | None:
        """Return the beginning of the oldest game to keep when another one begins, or None to keep all."""
        return None if keep_games is None or len(self.begun) < keep_games else self.begun[1 - keep_games]

    def entry_before(self, oldest: Beginning, at: float) -> Row:
        """Build the entry that replaces all entries before a game's beginning."""
        seq, seal = oldest[0] - 1, oldest[1]
        text = json.dumps({"games": self.let_go + self.begun.index(oldest), "seal": seal}, separators=(",", ":"))
        return seq, at, LET_GO, text, seal_entry("", seq, at, LET_GO, text)

    def forget_before(self, oldest: Beginning) -> None:
        """Drop the games before a beginning."""
        gone = self.begun.index(oldest)
        self.let_go += gone
        del self.begun[:gone]
        self.finished = {number: span for number, span in self.finished.items() if number > self.let_go}

    def _verify(self, row: Row, name: str) -> None:
        """Check that an entry continues the chain, and add it."""
        seq, at, kind, text, seal = row
        goes_on = kind == LET_GO and self.seq == 0
        if seq != self.seq + 1 and not goes_on:
            raise DamagedJournal(f"journal {name}: is damaged: entry {self.seq + 1} is missing")
        if seal != seal_entry(self.seal, seq, at, kind, text):
            raise DamagedJournal(f"journal {name}: is damaged: entry {seq} is not as it was written")
        try:
            if goes_on:
                gone = parse_let_go(seq, at, text)
                self.seq, self.seal, self.let_go = seq, gone.seal, gone.games
            else:
                check_entry(at, kind, text)
                self.take_in(seq, kind, seal)
        except BadEntry as error:
            raise DamagedJournal(f"journal {name}: is damaged: entry {seq} {error}") from error
