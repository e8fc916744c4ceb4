"""Measure how much work spectators in browsers cause the table, for `yardboard bench --web`.

One table runs in real time during one turn, alternately without and with spectators. The spectators are in another
process and read all messages, as browsers do.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from firmware_host.bench.measurements import BUSY, BenchError, MachineLoad, busy, percentile
from firmware_host.bench.report import machine
from firmware_host.config.loader import simulator
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.table.outputs import Audience
from firmware_host.web.server import serve_spectators

CROWD = 20
"""The number of spectators."""

GOAL = 1.10
"""The largest allowed ratio of a figure with spectators to one without."""


@dataclass(frozen=True, slots=True)
class WebRounds:
    """The length and the number of the rounds that `bench --web` measures.

    Attributes:
        rounds: the number of rounds without spectators, and of rounds with them; their median counts.
        seconds: the length of a round, in seconds of real time.
    """

    rounds: int = 5
    seconds: float = 5.0


FULL = WebRounds()
QUICK = WebRounds(rounds=3, seconds=1.0)


@dataclass(slots=True)
class Passes:
    """The time that the table's passes took in one round.

    Attributes:
        worked: processor seconds of each pass.
        took: wall-clock seconds of each pass, including interruptions.
        late: seconds by which each pass began too late.
    """

    worked: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)


class _Table:
    """A table in real time that times its passes. A detective is on turn, so its lamps keep changing."""

    def __init__(self, audience: Audience) -> None:
        self._passes = Passes()
        self._due: float | None = None
        self.simulated = SimulatedTable(simulator(), seed=1, pace=self._pace, audience=audience)
        self.simulated.new_game(detectives=4)
        players = SimulatedPeople(self.simulated, random.Random(1))  # noqa: S311 - repeatable
        players.set_up()
        while self.simulated.public.mr_x_to_move:
            players.play()
        self.simulated.hardware.drive(self._step, hz=self.simulated.config.switches.scan_hz)

    def _pace(self, seconds: float) -> None:
        if self._due is None:
            return  # no real time while the pawns are set up
        self._due += seconds
        wait = self._due - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        self._passes.late.append(time.perf_counter() - self._due)

    def _step(self) -> None:
        worked, start = time.thread_time(), time.perf_counter()
        self.simulated.table.step()
        self._passes.took.append(time.perf_counter() - start)
        self._passes.worked.append(time.thread_time() - worked)

    def passes(self, seconds: float) -> Passes:
        """Run the table for some seconds of real time, and return the times of its passes."""
        self._passes, self._due = Passes(), time.perf_counter()
        self.simulated.advance(1000 * seconds)
        return self._passes


@contextmanager
def crowd(port: int, count: int) -> Iterator[list[float]]:
    """Keep spectators connected to a port's pages, from another process, within the `with`.

    Yields a list that afterwards holds the mean number of messages per spectator.

    Raises:
        BenchError: the spectators cannot connect.
    """
    had: list[float] = []
    process = subprocess.Popen(  # noqa: S603 - our own program, and numbers
        [sys.executable, "-m", "firmware_host.bench.load_clients", str(port), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        if process.stdout is None or not process.stdout.readline():
            raise BenchError(f"{count} spectators: not all could connect; the error of their program is printed above")
        yield had
        had.append(json.loads(process.communicate()[0])["messages"])


@dataclass(frozen=True, slots=True)
class WebRow:
    """One line of the report on spectators.

    Attributes:
        what: what was measured.
        alone: the figure without spectators, in µs.
        watched: the figure with spectators, in µs.
        goal: whether `GOAL` applies to this figure.
    """

    what: str
    alone: float
    watched: float
    goal: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the goal is met. None if the figure has no goal."""
        return self.watched <= GOAL * self.alone if self.goal else None

    @property
    def line(self) -> str:
        """The figures as a line of the report."""
        verdict = {True: f"≤ {GOAL:.2f}  met", False: f"≤ {GOAL:.2f}  missed", None: ""}[self.met]
        figures = f"{self.alone:>9.1f} µs {self.watched:>9.1f} µs {self.watched / self.alone:>7.2f}"
        return f"{self.what:<40} {figures}  {verdict}".rstrip()


HEADING = f"{'what':<40} {'alone':>12} {f'{CROWD} look on':>12} {'times':>7}"


MEANING = (
    "A pass is one look at switches and keys, 200 a second. p50 and p99: half of all, and 99 of 100, took no longer. "
    "docs/performance.md explains each line."
)
"""The explanation of the whole table."""


def table(*, quick: bool = False, rounds: WebRounds | None = None) -> Iterator[str]:
    """Yield the report, line by line.

    Args:
        quick: whether to use fewer and shorter rounds, for rough figures in a few seconds.
        rounds: the amount to measure, instead of `FULL` or `QUICK`.
    """
    yield machine()
    yield HEADING
    load = MachineLoad()
    alone, watched, had = measured(rounds or (QUICK if quick else FULL))
    cores, found = load.others(), list(rows(alone, watched))
    yield from (row.line for row in found)
    if cores >= BUSY and any(row.met is False for row in found):
        yield busy(cores)
    yield f"a spectator had {had:.0f} messages a second"
    yield MEANING


def measured(rounds: WebRounds) -> tuple[list[Passes], list[Passes], float]:
    """Measure the passes of each round, without and with spectators.

    Also return the number of messages per second that each spectator received.

    Raises:
        BenchError: the spectators cannot connect.
    """
    server = serve_spectators("127.0.0.1", 0, ())
    try:
        board = _Table(server.spectators)
        alone, watched, had = list[Passes](), list[Passes](), list[float]()
        for _ in range(rounds.rounds):
            alone.append(board.passes(rounds.seconds))
            with crowd(server.port, CROWD) as messages:
                watched.append(board.passes(rounds.seconds))
            had += messages
        board.simulated.close()
    finally:
        server.stop()
    return alone, watched, statistics.median(had) / rounds.seconds


def rows(alone: list[Passes], watched: list[Passes]) -> Iterator[WebRow]:
    """Yield the lines of the report, with the median of all rounds for each figure."""

    def row(what: str, figure: Callable[[Passes], float], *, goal: bool = False) -> WebRow:
        before, after = (1e6 * statistics.median(map(figure, passes)) for passes in (alone, watched))
        return WebRow(what, before, after, goal)

    yield row("a pass, time of a core, average", lambda p: statistics.fmean(p.worked), goal=True)
    yield row("a pass by the clock, average", lambda p: statistics.fmean(p.took), goal=True)
    yield row("a pass by the clock, p50", lambda p: percentile(p.took, 50))
    yield row("a pass by the clock, p99", lambda p: percentile(p.took, 99))
    yield row("a scan begins too late by, p50", lambda p: percentile(p.late, 50))
    yield row("a scan begins too late by, p99", lambda p: percentile(p.late, 99))
