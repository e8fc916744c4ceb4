"""Measure the memory of a table over a hundred hours, played over the JSON lines by a scripted person.

    python -m tests.simulator.memory_over_hours [HOURS]

Games of all rule systems take turns, so that the board changes each time. Every picture is read. The table is
restarted now and then, and an archive takes over each game. 100 hours take ten minutes on a quiet machine.
"""

from __future__ import annotations

import gc
import json
import logging
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any
from weakref import ReferenceType

from firmware_host.config.loader import Config, simulator
from firmware_host.past_games.finished_games import Archive
from firmware_host.simulator.scripting import ScriptSession
from tests.simulator.sessions import SESSIONS, Client, Reply, SessionPlan, play

PLANS: Mapping[str, SessionPlan] = {str(plan.game["rules"]): plan for plan in SESSIONS.values()}
"""A way to play for each rule system."""

THINKING = 15_000
"""Milliseconds of thought before each look at the table."""

RESTARTED = 10
"""Games after which the table is killed and started again."""

SETTLED = 10.0
"""Hours of play after which nothing may grow."""

MORE = {"objects": 1000, "resident": 1.5}
"""The largest allowed growth, in objects and megabytes, of a table since it was settled."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The memory of a table at one moment.

    Attributes:
        hours: of table time that were played.
        games: that were played.
        objects: that the interpreter keeps track of.
        blocks: of memory allocated by the interpreter.
        resident: megabytes of this process in memory; 0.0 where there is no /proc to read it from.
    """

    hours: float
    games: int
    objects: int
    blocks: int
    resident: float

    def __str__(self) -> str:
        return (
            f"hour {self.hours:5.1f}: {self.games:4} games, {self.objects} objects, {self.blocks} blocks, "
            f"{self.resident:.1f} MB"
        )


class LongSession:
    """One session over the JSON lines, and the person who plays in it.

    Args:
        table: the session.
        thinking: milliseconds of thought before each look at the table.

    Attributes:
        seconds: of table time that went by.
        games: that were played.
    """

    def __init__(self, table: ScriptSession, *, thinking: int = 0) -> None:
        self._table = table
        self._archive = Archive(table.simulated.config)
        self._thinking = thinking
        self.seconds = 0.0
        self.games = 0

    def game(self, plan: SessionPlan, *, most: int = 10_000) -> None:
        """Clear the board, play a game or its first turns, and read all outputs."""
        client = _Forgetful(self._answer)
        for pawn, station in self._table.simulated.hardware.where().items():
            if station is not None:
                client.do("lift", station=station, pawn=pawn)
        self.games += 1
        play(client, self.games, plan, most=most)
        for what in ("private", "leds", "handset", "display", "health"):
            client(get=what)
        if self.games % RESTARTED == 0:
            client.do("restart")
        self._archive.follow(self._table.simulated.table.journal)
        self._archive.summaries()

    def _answer(self, line: str) -> Reply:
        if self._thinking and '"public"' in line:
            self._timed(json.dumps({"do": "wait", "ms": self._thinking}))
        return self._timed(line)

    def _timed(self, line: str) -> Reply:
        hardware, simulated = self._table.simulated.hardware, self._table.simulated
        before = hardware.clock.now()
        reply = self._table.answer(line)
        self.seconds += simulated.hardware.clock.now() - (before if simulated.hardware is hardware else 0.0)
        return reply

    def taken(self) -> Taken:
        """Return the present memory, after releasing everything that nobody needs."""
        gc.collect()
        return Taken(self.seconds / 3600, self.games, kept(), sys.getallocatedblocks(), resident())


class _Forgetful(Client):
    """A client that stores neither its lines nor the replies."""

    def __call__(self, **order: Any) -> Reply:
        reply = super().__call__(**order)
        self.lines.clear()
        self.replies.clear()
        return reply


def kept() -> int:
    """Return the number of live objects, without SQLite's cursors, which it frees by hundreds."""
    gc.collect()
    return sum(type(thing) is not ReferenceType for thing in gc.get_objects())


def resident() -> float:
    """Return the megabytes of this process in memory; 0.0 without /proc."""
    rollup = Path("/proc/self/smaps_rollup")
    if not rollup.exists():
        return 0.0
    rows = rollup.read_text("utf-8").splitlines()
    return next(int(row.split()[1]) / 1024 for row in rows if row.startswith("Rss:"))


def slowly(config: Config) -> Config:
    """Return the configuration with a quarter of the scans, which makes a hundred hours shorter."""
    return replace(config, switches=replace(config.switches, scan_hz=50))


def hours_of(hours: float, *, every: float) -> Iterator[Taken]:
    """Play games for some hours of table time. Yield the memory after the first hour, and then every `every` hours."""
    with ScriptSession(slowly(simulator())) as table:
        session = LongSession(table, thinking=THINKING)
        due = min(1.0, every)
        for number in count():
            session.game(list(PLANS.values())[number % len(PLANS)])
            if session.seconds >= 3600 * due:
                yield session.taken()
                due = every * (session.seconds // (3600 * every) + 1)
            if session.seconds >= 3600 * hours:
                return


def grown(taken: list[Taken]) -> list[str]:
    """Return what grew once the table was settled."""
    settled = [one for one in taken if one.hours >= SETTLED]
    return [
        f"{what}: {getattr(one, what)} in hour {one.hours:.0f}, {getattr(settled[0], what)} in hour {SETTLED:.0f}"
        for one in settled
        for what, more in MORE.items()
        if getattr(one, what) > getattr(settled[0], what) + more
    ]


def main(hours: float) -> int:
    """Play, print the figures, and return how many of them grew."""
    logging.getLogger("yardboard").setLevel(logging.CRITICAL)
    taken = []
    for one in hours_of(hours, every=5.0):
        taken.append(one)
        sys.stdout.write(f"{one}\n")
        sys.stdout.flush()
    found = grown(taken)
    sys.stdout.writelines(f"{line}\n" for line in found)
    return len(found)


if __name__ == "__main__":
    sys.exit(bool(main(float(sys.argv[1]) if len(sys.argv) > 1 else 100.0)))
