"""Journals with faults on their disk: refused, or valid as far as they go; a game never becomes another one."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware_host.config.loader import simulator, with_rules
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
from firmware_host.rules.engines import system
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Wish
from tests.proofs.fuzz.target import BrokenPromise, Target, Try

_SIDES = ("", "-wal")
_CUT = b"yardboard fuzz: here the log begins"
"""The separator between the two files of a journal in one input."""

_CONFIG = with_rules(simulator(), "junior")


def _written(folder: Path, moves: int, *, folded: bool) -> bytes:
    """Write a journal with a finished and an unfinished game, its log in the file or beside it."""
    path = folder / "good.sqlite"
    with Journal.open(path) as journal:
        for game_seed in (1, 2):
            chance = random.Random(game_seed)
            setup = system(_CONFIG.edition).deal(_CONFIG.ground, Wish(), chance)
            journal.begin(setup, 100.0)
            game = Game(setup)
            for _ in range(moves):
                if game.public.outcome is not None:
                    break
                action = game.roll(chance) or chance.choice(game.legal)
                game.play(action)
                journal.play(action, 101.0)
            if game_seed == 1:
                journal.abandon(102.0)
        as_it_goes = [Path(f"{path}{side}").read_bytes() for side in _SIDES]
    whole = path.read_bytes()  # closed, it is one file
    path.unlink()
    return whole if folded else _CUT.join(as_it_goes)


def _rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT seq, at, kind, record FROM entries ORDER BY seq").fetchall()


class _DamagedJournals:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "journal.sqlite"
        self._good = []
        for data in SEEDS:
            self._lay(data)
            self._good.append(_rows(self._path))

    def _lay(self, data: bytes) -> None:
        for file in self._path.parent.iterdir():
            file.unlink()
        for side, content in zip(_SIDES, data.split(_CUT, 1), strict=False):
            if content or not side:
                Path(f"{self._path}{side}").write_bytes(content)

    def __call__(self, data: bytes) -> bool:
        self._lay(data)
        kept = self._path.read_bytes()
        try:
            with Journal.open(self._path) as journal:
                game = journal.newest(_CONFIG.boxes, _CONFIG.ground)
                journal.finished(most=5)
        except (JournalError, RulesError) as error:
            if not str(error).startswith("journal "):
                raise BrokenPromise(f"the message does not say which file: {error}") from error
            if self._path.read_bytes() != kept and _CUT not in data:
                raise BrokenPromise("it was refused, and is not as it was") from error
            return False
        rows = _rows(self._path)
        if not any(rows == good[: len(rows)] for good in self._good):
            raise BrokenPromise(f"{len(rows)} entries were taken that nobody wrote; the game is {game}")
        return True


@contextmanager
def _opened() -> Iterator[Try]:
    memory = Path("/dev/shm")  # noqa: S108 - a disk that is not worn out by this
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield _DamagedJournals(Path(folder))


def _seeds() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return [_written(Path(folder), moves, folded=folded) for moves in (0, 3, 40) for folded in (False, True)]


SEEDS = _seeds()

TARGET = Target(
    "journal",
    SEEDS,
    [
        b"begin",
        b"play",
        b"finish",
        b"abandon",
        b"take_back",
        b"entries",
        b"SQLite format 3\0",
        b"\x02\x02",
        b'"to":',
        _CUT,
    ],
    _opened,
)
