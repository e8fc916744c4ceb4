"""The dialogues in docs/commissioning.md are those that are really printed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.commissioning.exercise_devices import Exercise, Workbench, namer
from firmware_host.commissioning.learn_command import LearnCommand
from firmware_host.commissioning.measure_reach import MeasureReach
from firmware_host.commissioning.selftest import PARTS, STATIONS, self_test
from firmware_host.commissioning.switch_checks import CALM
from firmware_host.config import shipped_files
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import load
from hardware.backend import Backend
from hardware.ports import Switches
from hardware.sim import SimulatedHardware
from hardware.sim.physics import Physics
from tests.commissioning.first_chips import FirstChips
from tests.commissioning.wiring_sittings import Board
from tests.docs.pages import DOCS, blocks

PATH = Path("london.toml")


class OnChips:
    """A board's contacts, found on the chips of a chain; the first input is lost to the clock."""

    count = 200

    def __init__(self, switches: Switches) -> None:
        self._switches, self.close = switches, switches.close

    def read(self) -> int:
        return self._switches.read() << 1

    def place(self, number: int) -> str:
        return f"chip {number // 8 + 1}, pin {'HGFEDCBA'[number % 8]}"


class London(Board):
    """The shipped build of London with its configuration, and wires that went where they would, or where it says.

    Attributes:
        lamps_as_shipped: the chain of lamps as the configuration lists it: stations, and windows with a minus.
    """

    def __init__(self, *, order: bool, reach: tuple[float, float] = (17.0, 17.5)) -> None:
        self.path = PATH
        PATH.write_text((shipped_files.folder() / "london-spi.toml").read_text(encoding="utf-8"), encoding="utf-8")
        config = load(PATH)
        places, chance = config.layout.positions_mm(config.board.width_mm), random.Random(1)
        self.stations, self.windows = tuple(places), len(config.layout.log_lamps)
        layout = config.layout
        as_shipped = sorted(self.stations, key=layout.switches.__getitem__)
        wired = as_shipped if order else chance.sample(self.stations, len(self.stations))
        self.inputs = {station: number for number, station in enumerate(wired, 1)}
        owners = dict(zip(layout.station_lamps, layout.stations, strict=True))
        owners |= {lamp: -window for window, lamp in enumerate(layout.log_lamps, 1)}
        self.lamps_as_shipped = [owners[lamp] for lamp in range(layout.lamps)]
        self.lamps = [*self.lamps_as_shipped]
        if not order:
            self.lamps = [*self.stations, *range(-1, -1 - self.windows, -1)]
            chance.shuffle(self.lamps)
        physics = Physics(reach=reach[0], release=reach[1], error=(0.0, 1.0))
        self.table = SimulatedHardware(
            {n: places[n] for n in wired}, lamps=len(self.lamps), keys=KEYS, seed=1, physics=physics
        )

    @property
    def backend(self) -> Backend:
        made = super().backend
        return replace(made, switches=OnChips(made.switches))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Dialogue:
    """What stands on the terminal: what is said, and what is typed."""

    def __init__(self, board: Board, command: str) -> None:
        self.board = board
        self.lines = [f"$ yardboard {command}"]

    def tell(self, lines: object) -> None:
        assert isinstance(lines, list)
        self.lines += lines

    def learn(self, what: str) -> Iterator[Dialogue]:
        """Yields once, while the lesson goes on."""
        devices = self.board.backend
        tuition = LearnCommand(PATH, load(PATH), devices, what, again=True)
        assert tuition.lesson is not None
        self.tell(tuition.heading)
        self.bench = Workbench(devices, tuition.lesson, tuition.save_then(self.tell))
        self.board.table.drive(self.bench.step)
        self.board.table.advance(200)
        yield self
        self.board.table.advance(1000)
        self.tell(tuition.finish())

    def type(self, line: str) -> None:
        self.lines.append(line)
        self.bench.line_typed(line)
        self.board.table.advance(30)

    def test(self, *parts: str) -> None:
        devices = self.board.backend
        exercise = self_test(load(PATH, partial=True), devices, namer(devices.switches), parts or PARTS)
        self.start(devices, exercise)

    def start(self, devices: Backend, exercise: Exercise) -> None:
        self.bench = Workbench(devices, exercise, self.tell)
        self.board.table.drive(self.bench.step)
        self.board.table.advance(200)

    def end(self) -> list[str]:
        assert self.bench.done
        return self.lines


def switches() -> list[str]:
    board = London(order=False)
    board.lamps = board.lamps_as_shipped  # these were soldered as the file lists them
    board.table.fault("switch:90", "stuck_closed")
    board.table.advance(100)
    dialogue = Dialogue(board, "wiring learn london.toml --again")
    for at in dialogue.learn("switches"):
        assert board.white() == [1]
        board.touch(1)
        board.touch(1)
        board.touch(2)
        board.touch(112)
        at.type("")
        at.type("q")
    return dialogue.lines


def lamps() -> list[str]:
    board = London(order=False)
    dialogue = Dialogue(board, "wiring learn london.toml --what lamps --again")
    for at in dialogue.learn("lamps"):
        for _ in range(4):
            (seen,) = board.white()
            at.type(str(seen) if seen > 0 else f"w{-seen}")
        at.type("q")
    return dialogue.lines


def trial() -> list[str]:
    board = London(order=True)
    dialogue = Dialogue(board, "selftest london.toml")
    dialogue.test()
    board.table.advance(1000 * (len(board.lamps) * 0.45 + 3))
    board.touch(58)
    dialogue.type("")
    board.table.press("table.taxi", 1200)
    board.table.advance(100)
    dialogue.type("q")
    return cut(cut(dialogue.end(), "  lamp "), " never closed")


def screens() -> list[str]:
    board = London(order=True)
    dialogue = Dialogue(board, "selftest london.toml --screens")
    board.table.fault("display", "unplug")
    dialogue.test("screens")
    dialogue.type("")
    board.table.advance(3000)
    return dialogue.end()


def measured() -> list[str]:
    board = London(order=True, reach=(5.2, 6.8))
    dialogue = Dialogue(board, "measure london.toml")
    exercise = MeasureReach(load(PATH), PATH.with_suffix(".measured.toml"))
    dialogue.start(board.backend, exercise)
    dialogue.type("58")
    x, y = board.table.places[58]
    for start, end, typed in ((5.5, 5.0, "5"), (6.5, 7.0, "7")):
        for at in (start, end):
            board.table.pull("pawn", (x + at, y), 10)
            board.table.advance(200)
        dialogue.type(typed)
    dialogue.type("q")
    return [*dialogue.end(), *exercise.summary()]


def first_chips() -> list[str]:
    board = FirstChips(Path(), 2, sentinel=True)
    dialogue = Dialogue(board, "selftest london.toml --chips 2")
    dialogue.test("switches")
    for station in board.stations[:3]:
        board.touch(station)
    dialogue.type("")
    return dialogue.end()


def stations() -> list[str]:
    board = FirstChips(Path(), 1)
    one, two, three = sorted(board.stations[:7])[:3]
    board.table.fault(f"switch:{two}", "worn")
    board.table.fault(f"switch:{three}", "stuck_open")
    dialogue = Dialogue(board, "selftest london.toml --chips 1 --stations")
    dialogue.test(STATIONS)
    for station, answer in ((one, ""), (two, "grb")):
        board.touch(station)
        board.table.advance(1000 * CALM)
        dialogue.type(answer)
    dialogue.type("")
    dialogue.type("")
    dialogue.type("q")
    return dialogue.end()


def cut(lines: list[str], alike: str) -> list[str]:
    """The lines with two of a kind, and three points for those that follow."""
    kind = [n for n, line in enumerate(lines) if alike in line]
    return [*lines[: kind[1] + 1], "  ...", *lines[kind[-1] + 1 :]]


@pytest.mark.parametrize("story", [switches, lamps, trial, screens, measured, first_chips, stations])
def test_the_page_shows_what_is_really_printed(story: Callable[[], list[str]]) -> None:
    said = "\n".join(story()) + "\n"
    page = DOCS / "commissioning.md"
    assert said in [block.text for block in blocks(page)], said
