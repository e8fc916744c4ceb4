"""Run one table for days on a virtual clock, with games by all rules for its board, and idle hours.

After each day the run measures memory, journal, open files and threads, which must not grow for years. The run also
checks that the table still reacts as fast as on the first day.
"""

from __future__ import annotations

import gc
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from weakref import ReferenceType

from firmware_host.config.loader import Config
from firmware_host.past_games.finished_games import Archive
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.system.process import whole_pass
from firmware_host.web.feeds.board_outline import BoardCache
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.spectator_feed import SpectatorFeed

DAY = 24 * 3600.0
"""Seconds in a day."""

PLAY = 10 * 3600.0
"""Seconds of each day with play. During the rest of the day nobody touches the table."""

LOOK = 1.0
"""Seconds between two reads by the watching page, and by the archive of the journal."""


FRAME = 0.05
"""Seconds by which a time may differ from the first day's: one lamp frame."""

SLACK = {"frames in 10 s": 15, "pictures in 10 s": 1, "a chattering switch is found": 0.1, "it is trusted again": 0.1}
"""The allowed difference of counts, and of times that depend on a broken contact's noise."""

UNITS = {"frames in 10 s": "frames", "pictures in 10 s": "pictures", "off the scans' ticks": "µs"}
"""The units of the measured clocks; all others are in seconds."""

SETTLING = {"objects": 12, "blocks": 500}
"""The growth of counts that is allowed once, whatever the number of games: memory per switch fills slowly."""

SWELLING = 0.5
"""Megabytes by which this process may grow in a day."""

FULLER = 1.1
"""The allowed growth factor of the journal from the middle of a run to its end."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of a table at one moment.

    Attributes:
        day: table time in days.
        games: finished games since the start.
        moves: accepted actions since the start.
        objects: objects, except weak references, that the interpreter tracks after a full garbage collection.
        blocks: memory blocks allocated by the interpreter at that moment.
        resident: megabytes of this process in memory; 0.0 without /proc.
        journal: bytes of the journal's files.
        files: open files of this process; 0 without /proc.
        threads: threads of this process.
        clocks: name of the measurement -> seconds or a count.
        cpu: seconds of CPU time since the start.
    """

    day: float
    games: int
    moves: int
    objects: int
    blocks: int
    resident: float
    journal: int
    files: int
    threads: int
    clocks: dict[str, float]
    cpu: float

    @property
    def line(self) -> str:
        """All measurements in one line."""
        return (
            f"day {self.day:.2f}: {self.games} games, {self.moves} moves; {self.objects} objects, "
            f"{self.blocks} blocks, {self.resident:.1f} MB in memory; journal {self.journal / 1000:.0f} kB; "
            f"{self.files} open files, {self.threads} threads; {self.cpu:.0f} s of CPU time"
        )


class LongSoak:
    """A table that keeps running, with a page that watches it and an archive of its games.

    Args:
        config: the table's configuration.
        journal: the journal's file.
        seed: the seed of all random choices.
        alike: whether every game is the same: then nothing at all may grow.

    Attributes:
        simulated: the table.
    """

    def __init__(self, config: Config, journal: Path, *, seed: int = 1, alike: bool = False) -> None:
        self._feed = Feed()
        self._seen: dict[str, int] = {}
        self._archive = Archive(config)
        self._look_at = 0.0
        self._seed, self._alike = seed, alike
        self._journal_file = journal
        self._rules = [box.name for box in config.boxes]
        self._games = self._moves = 0
        self._cpu = time.process_time()
        self.simulated = SimulatedTable(
            config, seed=seed, journal=journal, pace=self._pass, audience=SpectatorFeed(self._feed, BoardCache())
        )

    def _pass(self, _seconds: float) -> None:
        """Let the page read news and the archive read finished games, every `LOOK` seconds."""
        simulated = self.simulated
        if simulated.hardware.clock.now() < self._look_at:
            return
        self._look_at = simulated.hardware.clock.now() + LOOK
        while (message := self._feed.next(self._seen)) is not None:
            kind, self._seen[kind], _ = message
        self._archive.follow(simulated.table.journal)

    def play(self, seconds: float) -> None:
        """Play whole games for some seconds of the table's time, by all rules that fit the board, in turn.

        Raises:
            SimulatedPersonError: a game did not go as the hands intended.
        """
        end = self.simulated.hardware.clock.now() + seconds
        while self.simulated.hardware.clock.now() < end:
            self.game()

    def game(self) -> None:
        """Play one game to its end."""
        simulated, number = self.simulated, 0 if self._alike else self._games
        rng = random.Random(f"{self._seed}/{number}")
        simulated.new_game(self._rules[number % len(self._rules)], seed=rng.randrange(1 << 30))
        players = SimulatedPeople(simulated, rng)
        players.set_up()
        while simulated.public.outcome is None:
            with whole_pass:
                players.play()
        self._games += 1
        self._moves += len(players.meant)

    def _same(self) -> None:
        """Start a game that is always the same, and play it up to a detective's turn, before a measurement."""
        simulated, rng = self.simulated, random.Random(self._seed)
        simulated.new_game(self._rules[0], seed=self._seed)
        players = SimulatedPeople(simulated, rng)
        players.set_up()
        while simulated.public.mr_x_to_move:
            players.play()

    def idle(self, seconds: float) -> None:
        """Let the table's time pass while nobody touches anything."""
        self.simulated.advance(1000 * seconds)

    def measure(self) -> Measured:
        """Measure memory, files, and the table's times. This takes minutes of the table's time.

        First start a game that is the same for every measurement, so that the game makes no difference.
        """
        self._same()
        clocks = self._clocks()
        gc.collect()
        return Measured(
            day=self.simulated.hardware.clock.now() / DAY,
            games=self._games,
            moves=self._moves,
            # An SQLite connection cleans up its cursors by hundreds: their weak references come and go.
            objects=sum(type(thing) is not ReferenceType for thing in gc.get_objects()),
            blocks=sys.getallocatedblocks(),
            resident=_resident(),
            journal=sum(path.stat().st_size for path in self._journal_file.parent.glob(f"{self._journal_file.name}*")),
            files=_open_files(),
            threads=threading.active_count(),
            clocks=clocks,
            cpu=time.process_time() - self._cpu,
        )

    def _clocks(self) -> dict[str, float]:
        """Measure from outside how fast the table reports faults, and how many frames it shows in 10 s."""
        hardware, table = self.simulated.hardware, self.simulated.table
        display = hardware.display

        def health(device: str) -> str:
            return str(table.health()[device]["state"])

        self._full_minute()
        self.idle(0.5)  # between two ticks
        hardware.fault("handset", "unplug")
        lost = self._until(lambda: health("handset") == "lost")
        hardware.fault("handset", "replug")
        back = self._until(lambda: health("handset") == "ok")
        self._full_minute()
        frames, pictures = hardware.lamps.shows, 0 if display is None else display.shows
        self.idle(10)
        frames = hardware.lamps.shows - frames
        pictures = 0 if display is None else display.shows - pictures
        station = min(set(hardware.places) - set(self.simulated.public.pawns.values()))
        hardware.fault(f"switch:{station}", "chatter")
        found = self._until(lambda: bool(table.scene().ignored))
        hardware.fault(f"switch:{station}", "ok")
        calm = self._until(lambda: not table.scene().ignored)
        return {
            "a lost handset is reported": lost,
            "its return is reported": back,
            "frames in 10 s": frames,
            "pictures in 10 s": pictures,
            "a chattering switch is found": found,
            "it is trusted again": calm,
            "off the scans' ticks": hardware.clock.microseconds
            % round(1_000_000 / self.simulated.config.switches.scan_hz),
        }

    def _full_minute(self) -> None:
        clock = self.simulated.hardware.clock
        self.idle((60_000_000 - clock.microseconds % 60_000_000) / 1_000_000)

    def _until(self, done: Callable[[], bool], most: float = 60.0) -> float:
        """Return the seconds until `done` returns true, exact to a scan. If it never does, return `most`."""
        clock = self.simulated.hardware.clock
        start = clock.now()
        while not done() and clock.now() < start + most:
            self.simulated.advance(1000 / self.simulated.config.switches.scan_hz)
        return round(clock.now() - start, 6)

    def close(self) -> None:
        """Close the table."""
        self.simulated.close()


def days_of(config: Config, journal: Path, *, days: float, play: float = PLAY, seed: int = 1) -> Iterator[Measured]:
    """Run a table for some days. Yield measurements after the first game, and then after each day.

    Args:
        config: the table's configuration.
        journal: the journal's file, which must not exist yet.
        days: how many; the last may be a fraction.
        play: seconds of each day with play.
        seed: the seed of all random choices.

    Raises:
        SimulatedPersonError: a game did not go as the hands intended.
        JournalError: the journal cannot be written.
    """
    run = LongSoak(config, journal, seed=seed)
    try:
        run.game()
        yield run.measure()
        clock = run.simulated.hardware.clock
        for number in range(1, int(-(-days // 1)) + 1):
            end = min(number, days) * DAY
            run.play(min(play, end - clock.now()))
            run.idle(max(0.0, end - clock.now()))
            yield run.measure()
    finally:
        run.close()


def wrong(measured: Sequence[Measured]) -> list[str]:
    """Return a line for each problem in the measurements: times that differ from the first ones, and growth.

    Growth of memory and journal is judged from the middle of the run on, when every cache and the journal are full, and
    only if there are at least four measurements and games were played since the middle. Growth per day and the journal
    count only if a day has passed since the middle.
    """
    first, last, middle = measured[0], measured[-1], measured[(len(measured) - 1) // 2]
    found = [
        f"{what}: {now.clocks[what]} on day {now.day:.1f}, {figure} at the start"
        for now in measured
        for what, figure in first.clocks.items()
        if abs(now.clocks[what] - figure) > SLACK.get(what, FRAME)
    ]
    found += [f"{now.files} open files on day {now.day:.1f}, {first.files} at the start" for now in measured
              if now.files > first.files]  # fmt: skip
    found += [f"{now.threads} threads on day {now.day:.1f}, {first.threads} at the start" for now in measured
              if now.threads > first.threads]  # fmt: skip
    games, passed = last.games - middle.games, last.day - middle.day
    if len(measured) < 4 or not games:
        return found
    for what, most in SETTLING.items():
        more = getattr(last, what) - getattr(middle, what)
        if more > most + games:
            found.append(f"{more / games:.1f} {what} more with each game")
    if passed < 1:  # too short to judge growth per day
        return found
    if (resident := (last.resident - middle.resident) / passed) > SWELLING:
        found.append(f"{resident:.2f} MB more with each day")
    if last.journal > middle.journal * FULLER:
        found.append(f"a journal of {last.journal} bytes, {middle.journal} in the middle of the run")
    return found


def run_and_report(measured: Iterable[Measured], say: Callable[[str], None]) -> int:
    """Print measurements as they come, and return how many problems they show."""
    seen = []
    for now in measured:
        seen.append(now)
        say(now.line)
    say("; ".join(f"{what}: {figure:g} {UNITS.get(what, 's')}" for what, figure in seen[-1].clocks.items()))
    say("All of this must stay as on the first day; memory is compared from the middle of the run on.")
    faults = wrong(seen)
    for fault in faults:
        say(f"wrong: {fault}")
    return len(faults)


def _resident() -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    return next(
        int(row.split()[1]) / 1000 for row in status.read_text("utf-8").splitlines() if row.startswith("VmRSS:")
    )


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0
