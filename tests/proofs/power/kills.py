"""Kill a table at random moments, again and again, and restart it on its journal each time."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from tests.proofs.power.sitting import Entry, sit

PATIENCE = 120.0
"""Seconds after which a silent process counts as stuck."""


class BrokenByKill(AssertionError):
    """The error that a restarted table was not what it had been."""


@dataclass(slots=True)
class KillFigures:
    """The events at one table.

    Attributes:
        kills: how often it was killed.
        starting: how often before the pawns were in place again.
        writing: how often during a write.
        accepted: entries that were acknowledged.
        found: how often this write was there afterwards.
        gone: how often it was not.
        games: how many began.
    """

    kills: int = 0
    starting: int = 0
    writing: int = 0
    accepted: int = 0
    found: int = 0
    gone: int = 0
    games: int = 0


@dataclass(slots=True)
class Killed:
    """One table, its journal in a folder, and the entries that it has reported as accepted."""

    rules: str
    folder: Path
    chance: random.Random
    figures: KillFigures = field(default_factory=KillFigures)
    _accepted: list[Entry] = field(default_factory=list)
    _trying: list[Entry] = field(default_factory=list)
    _standing: bool = False

    def once(self) -> None:
        """Start the table, and kill it at a random moment.

        Half of the time that is within two seconds, or within a fifth of one; else it is up to three milliseconds after
        it has begun to write.
        """
        by_time = self.chance.random() < 0.5
        alive = self.chance.uniform(0, self.chance.choice((0.2, 2))) if by_time else PATIENCE
        writes = 0 if by_time else self.chance.randrange(1, 9)
        self._standing = False
        seed = self.chance.randrange(1 << 30)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            sit(writing, self.rules, self.folder / "journal.sqlite", seed, self._accepted, self._trying)
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as line:
            try:
                rest = self._listen(line, time.monotonic() + alive, writes)
                _spin(self.chance.uniform(0, 0.003) if writes else 0)
            finally:
                os.kill(child, signal.SIGKILL)
            rest += line.read() or b""
            while more := line.read():
                rest += more
        _, status = os.waitpid(child, 0)
        for message in rest.split(b"\n")[:-1]:
            self._hear(*json.loads(message))
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            raise BrokenByKill(f"{self.rules}: it ended by itself")
        self.figures.kills += 1
        self.figures.starting += not self._standing
        self.figures.writing += bool(self._trying)

    def _listen(self, line: BinaryIO, end: float, writes: int) -> bytes:
        """Read reports until it is time, or `writes` writes have begun. Return the start of an incomplete line."""
        rest, begun = b"", 0
        while (left := end - time.monotonic()) > 0:
            if not select.select([line], [], [], left)[0]:
                break
            more = line.read(1 << 16)
            if not more:
                break
            *whole, rest = (rest + more).split(b"\n")
            for message in whole:
                word = json.loads(message)
                self._hear(*word)
                begun += word[0] == "tries"
            if begun >= writes > 0:
                return rest
        if writes:
            raise BrokenByKill(f"{self.rules}, after {self.figures.kills} kills: stuck, or ended by itself")
        return rest

    def _hear(self, what: str, *more: Any) -> None:
        match what:
            case "tries":
                self._trying = [(kind, record) for kind, record in more[0]]
            case "wrote":
                self.figures.accepted += len(self._trying)
                self._written()
            case "found":
                self.figures.found += 1
                self._written()
            case "gone":
                self.figures.gone += bool(self._trying)
                self._trying = []
            case "fault":
                raise BrokenByKill(f"{self.rules}, after {self.figures.kills} kills: {more[0]}")
            case _:
                self._standing = True

    def _written(self) -> None:
        self.figures.games += sum(kind == "begin" for kind, _ in self._trying)
        self._accepted += self._trying
        self._trying = []


def _spin(seconds: float) -> None:
    """Wait more precisely than a sleep does."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
