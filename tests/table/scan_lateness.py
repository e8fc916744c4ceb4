"""Measure how late scans come while each commit takes half a second: `python -m tests.table.scan_lateness`.

The table is simulated, its disk is a file whose commits sleep first; hands play on it all the time. Once the commits
are in the table's own pass, once on a thread of their own, as at a real board. For people: no test uses it.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from firmware_host.bench.measurements import percentile
from firmware_host.journal.sqlite_store import BackgroundStore, SqliteStore
from firmware_host.journal.store_port import Row
from firmware_host.rules.actions import Double
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose, StartGame
from tests.table.played_table import walk
from tests.table.slow_disk import COMMIT


class SleepyStore(SqliteStore):
    """A journal file on a slow disk."""

    commits = 0

    def submit(self, rows: Sequence[Row], instead: Row | None = None) -> None:
        time.sleep(COMMIT)
        super().submit(rows, instead)
        self.commits += 1


class Beat:
    """A pace in real time: each scan waits for its turn, and its lateness is recorded."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.due: float | None = None

    def __call__(self, seconds: float) -> None:
        if self.due is None:
            return
        self.due += seconds
        wait = self.due - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        now = time.monotonic()
        self.late.append(now - self.due)
        self.due = max(self.due, now - seconds)  # what came late is not made up for


def measured(folder: Path, seconds: float, *, thread: bool) -> tuple[list[float], int]:
    """Return how late each scan came in `seconds` of real time, and how many commits there were."""
    beat = Beat()
    p = SimulatedTable(seed=1, pace=beat)
    p.do(StartGame(detectives=4))
    p.set_up()
    disk = SleepyStore.open(folder / f"{thread}.sqlite")
    SqliteStore.submit(disk, list(p.table.journal.store.rows()))
    p.table.journal.store = BackgroundStore(disk) if thread else disk
    chance = random.Random(1)
    beat.due = ends = time.monotonic()
    ends += seconds
    while time.monotonic() < ends and p.public.outcome is None:
        if p.public.mr_x_to_move:
            p.do(Choose(chance.choice([c for c in p.private.choices.value if not isinstance(c, Double)])))
        else:
            move = chance.choice(p.public.moves)
            walk(p, move.pawn, move.to, move.ticket)
        p.advance(700)
    p.close()
    return beat.late, disk.commits


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for thread in (False, True):
            late, commits = measured(Path(folder), seconds, thread=thread)
            where = "on a thread" if thread else "in the pass "
            figures = "  ".join(f"{name} {1000 * percentile(late, q):.2f} ms" for name, q in (("p50", 50), ("p99", 99)))
            print(  # noqa: T201
                f"commits {where}: {commits} of {COMMIT:g} s, {len(late)} scans late by "
                f"{figures}  most {1000 * max(late):.2f} ms"
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0)
