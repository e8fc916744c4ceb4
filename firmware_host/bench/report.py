"""Compare this machine's figures with their goals, for `yardboard bench` (docs/performance.md)."""

from __future__ import annotations

import json
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_host.bench import measurements, rules_bench
from firmware_host.bench.measurements import BUSY, MachineLoad, busy
from firmware_host.config.loader import simulator
from firmware_host.config.shipped_files import edition_names
from firmware_host.players.levels.levels import can_search
from firmware_host.rules.actions import MR_X
from firmware_host.rules.setup import Wish

PROC = Path("/proc")

CORE = "CPU time of one core"
"""The note of figures that exclude other programs' processor time; other times are wall-clock times."""


@dataclass(frozen=True, slots=True)
class BenchRounds:
    """The amount of games, samples and time that the benchmark measures for each figure.

    Attributes:
        rounds: how often a timing is repeated; its median counts.
        games: the number of random games in each round.
        searched: games in each round on compiled rules, both random games and games that the search simulates.
        minutes: the minutes of an idle table whose passes are timed in each round.
        changes: the number of switch changes whose frame is timed.
        idle: seconds for which an idle table is measured in real time.
        starts: how often a daemon is started.
        soak: the number of full games from sensors to lamps.
        samples: in each round, the number of samples to debounce and of positions in which to list moves.
    """

    rounds: int = 5
    games: int = 600
    searched: int = 10_000
    minutes: float = 3.0
    changes: int = 600
    idle: float = 10.0
    starts: int = 5
    soak: int = 100
    samples: int = 3000


FULL = BenchRounds()
QUICK = BenchRounds(
    rounds=3, games=200, searched=2000, minutes=0.5, changes=500, idle=2.0, starts=5, soak=5, samples=1000
)

ALL_GAMES = 100
"""The number of full games that the goal is for. The time of fewer games is scaled up, and marked."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure of the report, with its goal.

    Attributes:
        what: what was measured.
        value: the figure, or None if it is not available here.
        unit: the unit of the figure and of its goal.
        goal: the goal, such as "≥ 3000" or "≤ 60"; "" if there is none.
        note: a remark about the figure; may be "".
    """

    what: str
    value: float | None
    unit: str
    goal: str = ""
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met. None if there is no goal or no figure.

        Raises:
            ValueError: the goal is neither "≥ number" nor "≤ number".
        """
        if not self.goal or self.value is None:
            return None
        sign, _, limit = self.goal.partition(" ")
        if sign not in ("≥", "≤"):
            raise ValueError(f'{self.what}: goal {self.goal!r} is neither "≥ number" nor "≤ number"')
        return self.value >= float(limit) if sign == "≥" else self.value <= float(limit)

    @property
    def line(self) -> str:
        """The figure as a line of the report."""
        figure = "none here" if self.value is None else f"{_short(self.value)} {self.unit}"
        goal = f"{self.goal} {self.unit}" if self.goal else ""
        verdict = {True: "met", False: "missed", None: ""}[self.met]
        return f"{self.what:<52} {figure:>16}  {goal:<16} {verdict:<6}  {self.note}".rstrip()


HEADING = f"{'what':<52} {'figure':>16}  {'goal':<16} {'':<6}".rstrip()


MEANING = (
    "Times are medians of several rounds; p50 and p99: half of all, and 99 of 100, took no longer. Goals are those "
    "of a quiet machine. docs/performance.md explains each line."
)
"""The explanation of the whole table."""


def _short(value: float) -> str:
    """Return a number with two digits after the point, from 10 on with one, and from 100 on with none."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(*, quick: bool = False, rounds: BenchRounds | None = None) -> Iterator[str]:
    """Yield the lines of the report, each as soon as it is measured.

    Args:
        quick: whether to use fewer rounds, for rough figures in a few seconds.
        rounds: the amount to measure, instead of `FULL` or `QUICK`.
    """
    yield machine()
    yield HEADING
    for figure in with_load(figures(rounds or (QUICK if quick else FULL)), MachineLoad()):
        yield figure.line
    yield MEANING


def with_load(measured: Iterable[Measurement], load: MachineLoad) -> Iterator[Measurement]:
    """Yield the measurements. Add a note to each missed goal if other programs kept the machine busy."""
    for figure in measured:
        cores = load.others()
        if figure.met is False and cores >= BUSY:
            yield replace(figure, note="; ".join(filter(None, (figure.note, busy(cores)))))
        else:
            yield figure


def machine() -> str:
    """Return a description of the machine: Python, system and processor."""
    processor = platform.processor() or platform.machine()
    if (PROC / "cpuinfo").is_file():
        rows = (PROC / "cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [row.partition(":")[2].strip() for row in rows if row.startswith(("model name", "Model"))]
        processor = names[-1] if names else processor
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.platform()}, {processor}"


def figures(rounds: BenchRounds) -> Iterator[Measurement]:
    """Make all measurements, and yield each one when it is done."""
    yield from _rules(rounds)
    if can_search():
        yield from _search(rounds)
    yield from _loop(rounds)
    yield from _process(rounds)
    seconds = measurements.soak_seconds(games=rounds.soak) * ALL_GAMES / rounds.soak
    note = CORE if rounds.soak == ALL_GAMES else f"{CORE}; scaled up from {rounds.soak}"
    yield Measurement(f"{ALL_GAMES} full games, sensors to lamps", seconds, "s", "≤ 60", note)


def _rules(rounds: BenchRounds) -> Iterable[Measurement]:
    for detectives, goal in ((3, ""), (4, "≥ 3000"), (5, "")):
        wish = Wish(detectives=detectives)
        rate = rules_bench.games_a_second("classic", wish, games=rounds.games, rounds=rounds.rounds)
        yield Measurement(f"random games of classic, {detectives} detectives", rate, "games/s", goal, CORE)
    for rules in (name for name in edition_names() if name != "classic"):
        rate = rules_bench.games_a_second(rules, Wish(), games=rounds.games, rounds=rounds.rounds)
        yield Measurement(f"random games of {rules}", rate, "games/s", "", CORE)
    ratio = rules_bench.ready_made_ratio(positions=rounds.samples, rounds=rounds.rounds)
    yield Measurement("legal moves: prepared rides against newly built ones", ratio, "times")


def _search(rounds: BenchRounds) -> Iterable[Measurement]:
    from firmware_host.bench import search_bench  # noqa: PLC0415 - an extra that others lack

    rate = search_bench.random_games_a_second(games=rounds.searched, rounds=rounds.rounds)
    yield Measurement("random games of classic, compiled rules", rate, "games/s", "≥ 100000", CORE)
    rate = search_bench.searched_games_a_second(games=rounds.searched, rounds=rounds.rounds)
    yield Measurement("games in the search's mind, classic", rate, "games/s", "", CORE)


def _loop(rounds: BenchRounds) -> Iterable[Measurement]:
    config = simulator()
    for who, mr_x_to_move in (("Mister X's turn", True), ("a detective's turn", False)):
        average, median = measurements.pass_us(
            config, mr_x_to_move=mr_x_to_move, minutes=rounds.minutes, rounds=rounds.rounds
        )
        yield Measurement(
            f"pass, nothing changed, {who}", average, "µs", "≤ 60", f"{CORE}; single passes: median {median:.2f} µs"
        )
    ratio = measurements.debounce_ratio(samples=rounds.samples, rounds=rounds.rounds)
    yield Measurement("debounce of 199 switches: one number against a loop", ratio, "times")
    worked, waited = measurements.change_to_frame(config, changes=rounds.changes)
    waits = [seconds for seconds in waited if seconds]
    whole = [work + wait for work, wait in zip(worked, waited, strict=True)]
    note = f"{len(worked)} changes, of which {len(waits)} found the frame before still on the wire"
    yield Measurement("debounced change to LED frame, p50", 1000 * measurements.percentile(worked, 50), "ms")
    yield Measurement("debounced change to LED frame, p99", 1000 * measurements.percentile(worked, 99), "ms", "≤ 3")
    yield Measurement(
        "the same, waiting for the wire as well, p99", 1000 * measurements.percentile(whole, 99), "ms", "≤ 3", note
    )
    idle = measurements.idle_percent(config, seconds=rounds.idle)
    yield Measurement(f"idle at {config.switches.scan_hz} Hz, in real time", idle, "% of a core", "≤ 3")


def _process(rounds: BenchRounds) -> Iterable[Measurement]:
    starts = []
    for _ in range(rounds.starts):
        begun = time.perf_counter()
        with Guest() as guest:
            guest.say({"get": "public"})
            starts.append(time.perf_counter() - begun)
    yield Measurement("start to the first answer", statistics.median(starts), "s", "≤ 1", f"median of {len(starts)}")
    with Guest() as guest:
        guest.play(seed=1)
        resident = guest.resident_mb()
    note = "" if resident is not None else "this system has no /proc to read it from"
    yield Measurement("resident after a whole game", resident, "MB", "≤ 60", note)


class Guest:
    """A client that plays at a table in another process, through `yardboard sim --stdio`."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "firmware_host", "sim", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def say(self, order: dict[str, Any]) -> dict[str, Any]:
        """Send an order and return the reply, whether the order was accepted or refused.

        Raises:
            BenchError: the program ended without a reply.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise measurements.BenchError("yardboard sim --stdio: was started without pipes; give it stdin and stdout")
        with suppress(BrokenPipeError):  # if it has ended, there is no reply
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise measurements.BenchError(f"yardboard sim --stdio: ended instead of answering {order}; run it alone")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _do(self, word: str, **fields: Any) -> None:
        reply = self.say({"do": word, **fields})
        if not reply["ok"]:
            raise measurements.BenchError(f"yardboard sim --stdio: {word}: {reply['error']}")

    def play(self, *, seed: int) -> None:
        """Play a whole classic game, from its start cards to its end."""
        rng = random.Random(seed)  # noqa: S311 - repeatable
        self._do("new_game", rules="classic", detectives=4, seed=seed)
        for pawn, station in self.say({"get": "public"})["pawns"].items():
            self._do("put", station=station, pawn=pawn)
        self._do("wait", ms=1000)
        while (view := self.say({"get": "public"}))["outcome"] is None:
            if view["turn"] == [MR_X]:
                self._do("mr_x", action=rng.choice(self.say({"get": "private"})["choices"]))
            else:
                self._move(view, rng.choice(view["moves"]))

    def _move(self, view: dict[str, Any], move: dict[str, Any]) -> None:
        self._do("lift", station=view["pawns"][move["pawn"]], pawn=move["pawn"])
        self._do("wait", ms=300)
        self._do("put", station=move["to"], pawn=move["pawn"])
        self._do("wait", ms=1000)
        for _ in range(40):
            now = self.say({"get": "public"})
            if now["outcome"] is not None or now["turn"] != view["turn"]:
                return
            asked = [m["ticket"] for m in now["asked"] if m["to"] == move["to"]]
            key = "back" if not asked else asked[0] if len(asked) > 1 else "confirm"
            self._do("press", key=f"table.{key}")
            self._do("wait", ms=700)
        asks = now["prompt"]["text"]
        raise measurements.BenchError(f"yardboard sim --stdio: did not accept the move {move}; it asks: {asks}")

    def resident_mb(self) -> float | None:
        """Return the process's memory in MiB, or None on a system without /proc."""
        status = PROC / str(self._process.pid) / "status"
        if not status.is_file():
            return None
        sizes = [row.split()[1] for row in status.read_text(encoding="utf-8").splitlines() if row.startswith("VmRSS:")]
        return int(sizes[0]) / 1024 if sizes else None
