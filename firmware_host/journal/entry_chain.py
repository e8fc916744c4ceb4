"""Know where in a journal each game begins and ends, and that no entry is damaged, lost or foreign."""

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
"""The entry with which a game begins, and the seal before it."""


class EntryChain:
    """Which entries a journal has, and which games they make up. It holds no record of any.

    Attributes:
        seq: the number of the last entry; 0 if there is none.
        seal: that entry's seal.
        let_go: how many games, the oldest, are kept no more.
        begun: where each game begins that is kept, the oldest first.
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
        """Read all that a store keeps, once.

        Raises:
            DamagedJournal: anything in it is not as it was written.
        """
        chain = cls()
        for row in store.rows():
            chain._verify(row, store.name)
        return chain

    @property
    def newest(self) -> int:
        """The number of the newest game, finished or not, from 1; 0 if there is none."""
        return self.let_go + len(self.begun)

    @property
    def newest_span(self) -> tuple[int, int] | None:
        """The first entry of the newest game, finished or not, and its last; None if there is none."""
        return (self.begun[-1][0], self.seq) if self.begun else None

    def take_in(self, seq: int, kind: str, seal: str) -> None:
        """Take in an entry that is kept from now on."""
        if kind == BEGIN:
            self.begun.append((seq, self.seal))
            self.in_play = True
        elif kind in (FINISH, ABANDON):
            if kind == FINISH and self.in_play:
                self.finished[self.newest] = (self.begun[-1][0], seq)
            self.in_play = False
        self.seq, self.seal = seq, seal

    def oldest_to_keep(self, keep_games: int | None) -> Beginning | None:
        """Return where the oldest game begins that stays when another one begins; None if all do."""
        return None if keep_games is None or len(self.begun) < keep_games else self.begun[1 - keep_games]

    def entry_before(self, oldest: Beginning, at: float) -> Row:
        """Make the entry that takes the place of all before the one with which a game began."""
        seq, seal = oldest[0] - 1, oldest[1]
        text = json.dumps({"games": self.let_go + self.begun.index(oldest), "seal": seal}, separators=(",", ":"))
        return seq, at, LET_GO, text, seal_entry("", seq, at, LET_GO, text)

    def forget_before(self, oldest: Beginning) -> None:
        """Forget the games before one: they are kept no more."""
        gone = self.begun.index(oldest)
        self.let_go += gone
        del self.begun[:gone]
        self.finished = {number: span for number, span in self.finished.items() if number > self.let_go}

    def _verify(self, row: Row, name: str) -> None:
        """Check that an entry goes on where the last one ended, and take it in."""
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
