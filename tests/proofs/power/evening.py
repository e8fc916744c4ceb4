"""Write an evening's entries in a journal, word by word; as a program, under the observation of disk.c."""

from __future__ import annotations

import ctypes
import json
import logging
import random
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from firmware_host.journal.journal import Journal, prepare_journal
from firmware_host.journal.sqlite_store import connect, create_tables
from firmware_host.rules.game import Game
from firmware_host.rules.views import Outcome
from tests.rules.boards import lanes, random_setup

NAME = "yard/journal.db"
"""The journal's path in the watched folder."""

BOARD = lanes(3)
SETUP = random_setup(BOARD, random.Random(4))

Row = tuple[int, float, str, str]
"""An entry without its seal."""


def rows_of(journal: Journal) -> list[Row]:
    """Return all entries of a journal."""
    return [row[:4] for row in journal.store.rows()]


class JournalEvening:
    """A writer of the journal in a folder. Each method is a word; a word that raises has changed nothing."""

    def __init__(self, root: Path, keep_games: int | None) -> None:
        self.path = root / NAME
        self.journal: Journal | None = None
        self.rows: list[Row] | None = None  # not looked at yet
        self._keep_games = keep_games
        self._game = Game(SETUP)
        self._rng = random.Random(1)
        self._done = self._tidied = 0

    def do(self, word: str) -> None:
        """Do a word once. If it raises, it may be done again."""
        getattr(self, word)()
        self._done += 1

    def look(self) -> None:
        if self.journal is not None:
            self.rows = rows_of(self.journal)

    @property
    def _at(self) -> float:
        return 2e9 + self._done

    @property
    def _open(self) -> Journal:
        assert self.journal is not None
        return self.journal

    def tidy(self) -> None:
        self._tidied += 1
        prepare_journal(self.path, f"aside {self._tidied}")

    def open(self) -> None:
        self.journal = Journal.open(self.path, keep_games=self._keep_games)

    def carelessly(self) -> None:
        """Stop waiting for the disk from now on, to see whether the test detects that."""
        self._open.store._connection.execute("PRAGMA synchronous = OFF").close()

    def carelessly_made(self) -> None:
        """Create a journal in place, to see whether the test detects that."""
        self.path.parent.mkdir()
        with closing(connect(self.path.as_uri())) as connection:
            create_tables(connection)

    def close(self) -> None:
        self._open.close()
        self.journal = None

    def begin(self) -> None:
        self._open.begin(SETUP, self._at)
        self._game = Game(SETUP)

    def play(self) -> None:
        if not self._game.legal:
            return self.begin()
        action = self._game.legal[len(self._game.actions) % len(self._game.legal)]
        self._open.play(action, self._at)
        self._game.play(action)
        return None

    def back(self) -> None:
        self._open.take_back(self._at)
        self._game.take_back()

    def finish(self) -> None:
        self._open.finish(Outcome("mr_x", "log_full"), self._at)

    def give_up(self) -> None:
        self._open.abandon(self._at)


def library() -> ctypes.CDLL:
    """Return disk.c, as loaded before this process began."""
    return ctypes.CDLL(None)


def main(root: str, keep_games: str, *words: str) -> None:
    """Do the words, and report before and after each. disk.c reports every step between."""
    logging.disable()
    say = library().power_say

    def tell(**what: Any) -> None:
        say(json.dumps(what).encode())

    evening = JournalEvening(Path(root), int(keep_games) or None)
    for word in words:
        tell(tries=word)
        evening.do(word)
        evening.look()
        tell(rows=evening.rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
