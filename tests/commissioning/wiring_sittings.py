"""Somebody at a board whose wires went where they would, with the configuration of one that was soldered in order."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from firmware_host.commissioning.exercise_devices import Exercise, Workbench, namer
from firmware_host.commissioning.learn_command import LearnCommand
from firmware_host.commissioning.selftest import PARTS, self_test
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import Config, load
from firmware_host.table.outputs import limit_lamps
from hardware.backend import Backend
from hardware.sim import SimulatedHardware
from hardware.sim.physics import Physics

CONFIG = """\
# Our table.
[game]
rules = "{rules}"    # what we play

[switches]
driver = "sim"

[switches.wiring]
# station = input

[lamps]   # {rules} has few
driver = "sim"
max_milliamps = 3000

# what is left
[timing]
settle_ms = 300
"""


class Board:
    """A simulated board with scrambled wires, and the file of its configuration.

    Attributes:
        inputs: station -> its input, in truth.
        lamps: what each lamp of the chain stands in: a station, a window of the log below zero, 0 for nothing.
    """

    def __init__(
        self, folder: Path, *, rules: str = "dice", seed: int = 1, spare: int = 3, physics: Physics | None = None
    ) -> None:
        self.path = folder / "table.toml"
        self.path.write_text(CONFIG.format(rules=rules), encoding="utf-8")
        config = load(self.path)
        chance = random.Random(seed)
        places = config.layout.positions_mm(config.board.width_mm)
        self.stations = tuple(places)
        self.windows = len(config.layout.log_lamps)
        order = chance.sample(self.stations, len(self.stations))
        self.inputs = {station: number for number, station in enumerate(order)}
        self.lamps = [*self.stations, *(-window for window in range(1, self.windows + 1)), *(0,) * spare]
        chance.shuffle(self.lamps)
        self.table = SimulatedHardware(
            {station: places[station] for station in order},
            lamps=len(self.lamps),
            keys=KEYS,
            seed=seed,
            physics=physics,
        )

    def truth(self, what: str) -> dict[int, int]:
        """Every line of a wiring as it should be learned."""
        if what == "switches":
            return self.inputs
        sign = 1 if what == "lamps" else -1
        return {sign * thing: lamp for lamp, thing in enumerate(self.lamps) if sign * thing > 0}

    def wired(self, what: str) -> dict[int, int]:
        """The lines that the configuration has."""
        config = load(self.path)
        return dict({"switches": config.switches.wiring, "lamps": config.lamps.wiring, "log": config.lamps.log}[what])

    @property
    def backend(self) -> Backend:
        return replace(self.table.backend, lamps=limit_lamps(load(self.path, partial=True), self.table.lamps))

    def lit(self) -> dict[int, tuple[int, int, int]]:
        """What shines, as somebody sees it who knows no lamp's number: station, or window below zero -> colour."""
        return {self.lamps[lamp]: colour for lamp, colour in self.table.lamps.lit().items()}

    def white(self) -> list[int]:
        """The stations and windows that shine white."""
        return [thing for thing, (red, green, blue) in self.lit().items() if red == green == blue]

    def touch(self, station: int, *, ms: float = 400, magnet: str = "magnet") -> None:
        """Holds a magnet to a station for a while, and takes it away."""
        self.table.put(station, magnet)
        self.table.advance(ms)
        self.table.pick_up(magnet)
        self.table.advance(60)


class Bench:
    """An exercise on a board, on the board's virtual time.

    Attributes:
        said: all lines that were said.
    """

    def __init__(
        self, board: Board, exercise: Exercise, keep: Callable[[], None] = lambda: None, backend: Backend | None = None
    ) -> None:
        self.said: list[str] = []
        self.board = board
        self._keep = keep
        self.bench = Workbench(backend or board.backend, exercise, self._tell)
        board.table.drive(self.bench.step)
        board.table.advance(200)

    def _tell(self, lines: Collection[str]) -> None:
        self._keep()
        self.said += lines

    @property
    def done(self) -> bool:
        return self.bench.done

    def type(self, line: str) -> None:
        self.bench.line_typed(line)
        self.board.table.advance(30)

    @property
    def question(self) -> str:
        """What is asked now."""
        return next(line for line in reversed(self.said) if re.match(r"(\d+ of \d+|once more): ", line))

    @property
    def asked(self) -> int:
        """The station or lamp that is asked for."""
        found = re.search(r"(?:station|lamp) (\d+)", self.question)
        assert found is not None
        return int(found[1])


class Sitting(Bench):
    """One start of `wiring learn`, until its end or until the power fails."""

    def __init__(
        self, board: Board, what: str = "switches", *, only: Collection[int] = (), again: bool = False
    ) -> None:
        backend = board.backend
        self.tuition = LearnCommand(board.path, load(board.path), backend, what, only=only, again=again)
        self.heading = self.tuition.heading
        assert self.tuition.lesson is not None, self.heading
        self.lesson = self.tuition.lesson
        keep = self.tuition.save_then(lambda _: None)
        super().__init__(board, self.lesson, lambda: keep([]), backend)

    def end(self) -> list[str]:
        """Ends it, at once if it is not over; what is said at the end."""
        if not self.done:
            self.type("q")
        self.board.table.advance(1000)
        assert self.done
        self.bench.turn_off()
        self.board.table.drive(None)
        return self.tuition.finish()

    @property
    def asking(self) -> bool:
        """Whether there is still a question; after the last answer its lamp goes on blinking for a moment."""
        return not self.lesson._ended

    def touch_all(self, *, but: Collection[int] = ()) -> None:
        """Touches what is asked for, by its light where that is said to shine, until the end; skips some."""
        while self.asking:
            if self.asked in but:
                self.type("")
            else:
                self.board.touch(self.seen())
            self.board.table.advance(20)

    def seen(self) -> int:
        """The station that somebody would touch who does as he is told."""
        if "which shines" not in self.question and "lamp" not in self.question:
            return self.asked
        (seen,) = self.board.white()
        return seen

    def name_all(self) -> None:
        """Answers what shines, by magnet where a station does and by word otherwise, until the end."""
        while self.asking:
            seen = self.seen()
            if seen > 0 and "magnet" in self.question:
                self.board.touch(seen)
            else:
                self.type(str(seen) if seen > 0 else f"w{-seen}" if seen else "none")
            self.board.table.advance(20)


def learned(tmp_path: Path) -> Board:
    """A board whose switches have all been learned."""
    board = Board(tmp_path)
    sitting = Sitting(board)
    sitting.touch_all()
    sitting.end()
    return board


def kept(board: Board, option: str = "") -> str:
    """What is said where not all was learned."""
    notes = board.path.with_suffix(".learning.toml")
    return f"Kept in {notes}. Go on with: yardboard wiring learn {board.path}{option}"


class Trial(Bench):
    """A self-test on a board."""

    def __init__(
        self,
        board: Board,
        *parts: str,
        config: Config | None = None,
        backend: Backend | None = None,
        stations: tuple[int, ...] = (),
    ) -> None:
        config = config or load(board.path)
        backend = backend or board.backend
        self._test = self_test(config, backend, namer(backend.switches), parts or PARTS, stations)
        super().__init__(board, self._test, backend=backend)

    @property
    def bad(self) -> list[str]:
        return self._test.bad


def soldered(tmp_path: Path, physics: Physics | None = None) -> Board:
    """A board whose configuration has its inputs as they are wired."""
    board = Board(tmp_path, spare=0, physics=physics)
    lines = "".join(f"{station} = {number}\n" for station, number in board.inputs.items())
    text = board.path.read_text(encoding="utf-8").replace("# station = input\n", lines)
    board.path.write_text(text, encoding="utf-8")
    return board
