"""A person at a board with scrambled wires, whose configuration has the wires in order."""

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
        inputs: station -> its true input.
        lamps: the place of each lamp of the chain: a station, a window of the log as a negative number, 0 for none.
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
        """Return every line of a wiring as it should be learned."""
        if what == "switches":
            return self.inputs
        sign = 1 if what == "lamps" else -1
        return {sign * thing: lamp for lamp, thing in enumerate(self.lamps) if sign * thing > 0}

    def wired(self, what: str) -> dict[int, int]:
        """Return the lines in the configuration."""
        config = load(self.path)
        return dict({"switches": config.switches.wiring, "lamps": config.lamps.wiring, "log": config.lamps.log}[what])

    @property
    def backend(self) -> Backend:
        return replace(self.table.backend, lamps=limit_lamps(load(self.path, partial=True), self.table.lamps))

    def lit(self) -> dict[int, tuple[int, int, int]]:
        """Return the colours of lit places, as seen without the lamps' numbers: station or -window -> colour."""
        return {self.lamps[lamp]: colour for lamp, colour in self.table.lamps.lit().items()}

    def white(self) -> list[int]:
        """Return the stations and windows that are lit white."""
        return [thing for thing, (red, green, blue) in self.lit().items() if red == green == blue]

    def touch(self, station: int, *, ms: float = 400, magnet: str = "magnet") -> None:
        """Hold a magnet to a station for a while, and take it away."""
        self.table.put(station, magnet)
        self.table.advance(ms)
        self.table.pick_up(magnet)
        self.table.advance(60)


class Bench:
    """An exercise on a board, on the board's virtual time.

    Attributes:
        said: all lines that the exercise has printed.
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
        """The present question."""
        return next(line for line in reversed(self.said) if re.match(r"(\d+ of \d+|once more): ", line))

    @property
    def asked(self) -> int:
        """The station or lamp of the present question."""
        found = re.search(r"(?:station|lamp) (\d+)", self.question)
        assert found is not None
        return int(found[1])


class Sitting(Bench):
    """One run of `wiring learn`, until its end or until the power fails."""

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
        """End the run, at once if it is not over. Return the lines at its end."""
        if not self.done:
            self.type("q")
        self.board.table.advance(1000)
        assert self.done
        self.bench.turn_off()
        self.board.table.drive(None)
        return self.tuition.finish()

    @property
    def asking(self) -> bool:
        """Whether a question is still open. After the last answer, its lamp still blinks for a moment."""
        return not self.lesson._ended

    def touch_all(self, *, but: Collection[int] = ()) -> None:
        """Answer with the magnet until the end, by light if the prompt says that the station is lit. Skip some."""
        while self.asking:
            if self.asked in but:
                self.type("")
            else:
                self.board.touch(self.seen())
            self.board.table.advance(20)

    def seen(self) -> int:
        """Return the station that a person would touch who follows the prompt."""
        if "which shines" not in self.question and "lamp" not in self.question:
            return self.asked
        (seen,) = self.board.white()
        return seen

    def name_all(self) -> None:
        """Name each lit place until the end: stations by magnet, others by word."""
        while self.asking:
            seen = self.seen()
            if seen > 0 and "magnet" in self.question:
                self.board.touch(seen)
            else:
                self.type(str(seen) if seen > 0 else f"w{-seen}" if seen else "none")
            self.board.table.advance(20)


def learned(tmp_path: Path) -> Board:
    """Return a board whose switches have all been learned."""
    board = Board(tmp_path)
    sitting = Sitting(board)
    sitting.touch_all()
    sitting.end()
    return board


def kept(board: Board, option: str = "") -> str:
    """Return the lines that are printed if not everything was learned."""
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
    """Return a board whose configuration has its true inputs."""
    board = Board(tmp_path, spare=0, physics=physics)
    lines = "".join(f"{station} = {number}\n" for station, number in board.inputs.items())
    text = board.path.read_text(encoding="utf-8").replace("# station = input\n", lines)
    board.path.write_text(text, encoding="utf-8")
    return board
