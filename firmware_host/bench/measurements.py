"""Measure the figures of `yardboard bench`, and how busy other programs keep the machine.

Nothing is switched off for a measurement: the garbage collector runs, moves are validated, every frame is drawn.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.demo import Pace
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.table.compose import compose
from firmware_host.table.outputs import limit_lamps
from hardware.contacts.debounce import Debounce


class BenchError(RuntimeError):
    """The error that a measurement could not be made. The message says which and why."""


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds that a function takes. The function must never wait."""
    start = time.process_time()
    work()
    return time.process_time() - start


def repeatable_rng(seed: int) -> random.Random:
    """Return an rng whose numbers are the same in every run."""
    return random.Random(seed)  # noqa: S311 - repeatable


# ---- debounce --------------------------------------------------------------------------------------------------------


_SAMPLES = 3


class _SwitchBySwitch:
    """A plain debouncer that loops over the switches, to compare `hardware.contacts.debounce` with."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._stable, self._counts = 0, [0] * count

    def update(self, raw: int) -> int:
        for spot in range(self._count):
            if raw >> spot & 1 == self._stable >> spot & 1:
                self._counts[spot] = 0
            else:
                self._counts[spot] += 1
                if self._counts[spot] == _SAMPLES:
                    self._stable ^= 1 << spot
                    self._counts[spot] = 0
        return self._stable


def debounce_ratio(*, samples: int, rounds: int) -> float:
    """Return how many times faster whole boards are debounced at once than switch by switch."""
    rng, raw, feed, spots = repeatable_rng(3), 0, [], 199
    for _ in range(samples):
        if rng.random() < 0.1:
            raw ^= 1 << rng.randrange(spots)
        feed.append(raw)
    whole, loop = Debounce(spots), _SwitchBySwitch(spots)
    if any(whole.update(sample) != loop.update(sample) for sample in feed):
        raise BenchError("debounce: all switches at once give another result than one after another; report this bug")
    fast = [cpu_seconds(lambda: [whole.update(sample) for sample in feed]) for _ in range(rounds)]
    slow = [cpu_seconds(lambda: [loop.update(sample) for sample in feed]) for _ in range(rounds)]
    return statistics.median(slow) / statistics.median(fast)


# ---- the loop --------------------------------------------------------------------------------------------------------


@contextmanager
def _seated(
    config: Config, *, mr_x_to_move: bool, pace: Callable[[float], None] | None = None
) -> Iterator[SimulatedTable]:
    """Yield a table with a game of four detectives, where Mister X or the first detective is on turn."""
    simulated = SimulatedTable(config, seed=1, pace=pace)
    try:
        simulated.new_game(detectives=4)
        players = SimulatedPeople(simulated, repeatable_rng(1))
        players.set_up()
        if not mr_x_to_move:
            players.play()
        simulated.advance(2000)
        yield simulated
    finally:
        simulated.close()


def _passes(simulated: SimulatedTable, count: int) -> Iterator[None]:
    clock, period = simulated.hardware.clock, round(1_000_000 / simulated.config.switches.scan_hz)
    for _ in range(count):
        clock.advance_to(clock.microseconds + period)
        yield


def pass_us(config: Config, *, mr_x_to_move: bool, minutes: float, rounds: int) -> tuple[float, float]:
    """Return the µs that one pass without new input takes: the mean in CPU time, and the median in wall-clock time."""
    count = max(1, round(minutes * 60 * config.switches.scan_hz))
    with _seated(config, mr_x_to_move=mr_x_to_move) as simulated:
        step, single = simulated.table.step, []

        def run() -> None:
            for _ in _passes(simulated, count):
                step()

        averages = [cpu_seconds(run) / count for _ in range(rounds)]
        for _ in _passes(simulated, count):
            start = time.perf_counter()
            step()
            single.append(time.perf_counter() - start)
    return 1e6 * statistics.median(averages), 1e6 * statistics.median(single)


class _Watch:
    """A stopwatch from the debounced change of a switch to the lamps' frame that shows it.

    It replaces the table's lamps and runs the table's passes.
    """

    def __init__(self, simulated: SimulatedTable, journal: Path) -> None:
        backend = simulated.backend
        self.worked: list[float] = []
        self.waited: list[float] = []
        self._lamps, self._switches, self._clock = simulated.hardware.lamps, backend.switches, backend.clock
        self._debounce = Debounce(self._switches.count, simulated.config.switches.samples)
        self._free = False
        self._handed: float | None = None
        self._since: float | None = None
        simulated.table.close()
        simulated.table = self._table = compose(
            simulated.config,
            replace(backend, lamps=limit_lamps(simulated.config, self)),
            Journal.open(journal),
            rng=repeatable_rng(1),
            wall_clock=self._clock.now,
        )
        simulated.hardware.drive(self.step, hz=simulated.config.switches.scan_hz)

    def close(self) -> None:
        self._lamps.close()

    @property
    def count(self) -> int:
        return self._lamps.count

    def ready(self) -> bool:
        self._free = self._lamps.ready()
        return self._free

    def show(self, frame: bytes) -> None:
        self._lamps.show(frame)
        self._handed = time.perf_counter()

    def step(self) -> None:
        """Run and time one pass of the table.

        Reading the simulated switches once more has no effect on the table.
        """
        if self._debounce.stable != self._debounce.update(self._switches.read()):
            self._since = self._clock.now()
        self._free, self._handed, start = False, None, time.perf_counter()
        self._table.step()
        if self._since is None:
            return
        if self._handed is not None:
            self.worked.append(self._handed - start)
            self.waited.append(self._clock.now() - self._since)
        if self._free:  # the lamps were ready: this pass has sent the frame, or it is already shown
            self._since = None


def change_to_frame(config: Config, *, changes: int) -> tuple[list[float], list[float]]:
    """Measure how fast the lamps follow a change of a switch, in real games. Return two lists of seconds.

    The first list has, for each change, the time from the start of the pass that shows it to the sending of the frame.
    The second list has the time on the table's clock that the change waited before that pass, because the lamps were
    still busy.
    """
    seed, worked, waited = 0, list[float](), list[float]()
    with tempfile.TemporaryDirectory(prefix="yardboard-") as folder:
        while len(worked) < changes:
            seed += 1
            simulated = SimulatedTable(config, seed=seed)
            watch = _Watch(simulated, Path(folder) / f"{seed}.sqlite")
            try:
                simulated.new_game(detectives=4)
                players = SimulatedPeople(simulated, repeatable_rng(seed))
                players.set_up()
                while simulated.public.outcome is None and len(worked) + len(watch.worked) < changes:
                    players.play()
            finally:
                simulated.close()
            worked += watch.worked
            waited += watch.waited
    return worked, waited


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that at least `percent` percent of the values do not exceed."""
    ranked = sorted(values)
    return ranked[max(0, -int(-percent * len(ranked) // 100) - 1)]


def idle_percent(config: Config, *, seconds: float) -> float:
    """Return what percentage of a core an idle table uses, its simulated board included."""
    paces: list[Pace] = []

    def pace(step: float) -> None:
        for real in paces:  # none yet while the pawns are set up
            real(step)

    with _seated(config, mr_x_to_move=False, pace=pace) as simulated:
        paces.append(Pace())
        wall, cpu = time.perf_counter(), time.process_time()
        simulated.advance(1000 * seconds)
        return 100 * (time.process_time() - cpu) / (time.perf_counter() - wall)


def soak_seconds(*, games: int) -> float:
    """Return the processor seconds of full classic games, from sensors to lamps, without a disk."""

    def run() -> None:
        for seed in range(1, games + 1):
            simulated = SimulatedTable(seed=seed, patient=False)
            try:
                simulated.new_game(players=repeatable_rng(seed).randint(3, 6))
                people = SimulatedPeople(simulated, repeatable_rng(seed))
                people.set_up()
                while simulated.public.outcome is None:
                    people.play()
            finally:
                simulated.close()

    return cpu_seconds(run)


STAT = Path("/proc/stat")

BUSY = 0.25
"""The number of cores in use by other programs from which on a figure may be distorted."""

SHORT = 0.05
"""Shortest time, in seconds, over which the kernel's counters are exact enough."""


def busy(cores: float) -> str:
    """Return the note for a missed goal, which says that other programs used this many cores."""
    return f"others used {cores:.1f} cores meanwhile: measure again on a quiet machine"


class MachineLoad:
    """A meter of the processor time that other programs use between two calls.

    Args:
        stat: the kernel's counters of processor time; see proc_stat(5).
    """

    def __init__(self, stat: Path = STAT) -> None:
        self._stat = stat
        self._others = 0.0
        self._seen = self._times()

    def others(self) -> float:
        """Return how many cores other programs have used on average since the last call. 0.0 if unknown.

        A call within `SHORT` seconds of the last one returns the same number, because several figures may come from one
        measurement. The result includes time that the hypervisor gives to other machines, and time of this process's
        running children.
        """
        clock, busy, own = self._seen
        now, busy_now, own_now = times = self._times()
        if now - clock >= SHORT:
            self._seen = times
            self._others = max(0.0, (busy_now - busy - (own_now - own)) / (now - clock))
        return self._others

    def _times(self) -> tuple[float, float, float]:
        """Return three values in seconds: a clock, the work of all processors, and the work of this process.

        The last one includes ended child processes.
        """
        used = os.times()
        own = used.user + used.system + used.children_user + used.children_system
        return time.monotonic(), self._busy(), own

    def _busy(self) -> float:
        if not self._stat.is_file():
            return 0.0
        _name, *ticks = self._stat.read_text(encoding="ascii").splitlines()[0].split()
        user, nice, system, _idle, _iowait, irq, softirq, steal = (int(count) for count in ticks[:8])
        return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
