"""The dialogues in docs/commissioning.md are those that are really printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.commission.selftest import SelfTest, self_test
from firmware_host.commission.tuition import Tuition
from firmware_host.commission.workbench import Workbench, namer
from firmware_host.config import load
from hardware.backend import Backend
from hardware.ports import Switches
from hardware.sim.physics import Physics
from tests.commission.sittings import Board
from tests.docs.pages import DOCS, blocks

PATH = Path("london.toml")


class OnChips:
    """A board's contacts, found on the chips of a chain."""

    def __init__(self, switches: Switches) -> None:
        self.count, self.read, self.close = switches.count, switches.read, switches.close

    def place(self, number: int) -> str:
        return f"chip {number // 8 + 1}, pin {'HGFEDCBA'[number % 8]}"


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    monkeypatch.chdir(tmp_path)
    board = Board(tmp_path, rules="classic", seed=1, physics=Physics(reach=17.0, release=17.5, error=(0.0, 1.0)))
    board.path = board.path.rename(PATH)
    return board


def backend(board: Board) -> Backend:
    made = board.backend
    return replace(made, switches=OnChips(made.switches))


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
        devices = backend(self.board)
        tuition = Tuition(PATH, load(PATH), devices, what)
        assert tuition.lesson is not None
        self.tell(tuition.heading)
        self.bench = Workbench(devices, tuition.lesson, tuition.keep_and(self.tell))
        self.board.table.drive(self.bench.step)
        self.board.table.advance(200)
        yield self
        self.board.table.advance(1000)
        self.tell(tuition.finish())
        self.board.table.drive(None)

    def type(self, line: str) -> None:
        self.lines.append(line)
        self.bench.typed(line)
        self.board.table.advance(30)

    def test(self, exercise: SelfTest, devices: Backend) -> None:
        self.bench = Workbench(devices, exercise, self.tell)
        self.board.table.drive(self.bench.step)
        self.board.table.advance(200)


def switches(board: Board) -> list[str]:
    board.table.fault("switch:90", "stuck_closed")
    board.table.advance(100)
    dialogue = Dialogue(board, "wiring learn london.toml")
    for at in dialogue.learn("switches"):
        board.touch(1)
        board.touch(1)
        board.touch(2)
        board.touch(112)
        at.type("")
        at.type("q")
    return dialogue.lines


def lamps(board: Board) -> list[str]:
    dialogue = Dialogue(board, "wiring learn london.toml --what lamps")
    for at in dialogue.learn("lamps"):
        for _ in range(4):
            (seen,) = board.white()
            at.type(str(seen) if seen > 0 else f"w{-seen}" if seen else "none")
        at.type("q")
    return dialogue.lines


def trial(board: Board) -> list[str]:
    dialogue = Dialogue(board, "selftest london.toml")
    lines = "".join(f"{station} = {number}\n" for station, number in board.inputs.items())
    PATH.write_text(PATH.read_text(encoding="utf-8").replace("# station = input\n", lines), encoding="utf-8")
    devices, config = backend(board), load(PATH)
    dialogue.test(self_test(config, devices, namer(devices.switches)), devices)
    board.table.advance(1000 * (226 * 0.45 + 3))
    board.touch(58)
    dialogue.type("")
    board.table.press("table.taxi", 1200)
    board.table.advance(100)
    dialogue.type("q")
    assert dialogue.bench.done
    return cut(cut(dialogue.lines, "  lamp "), " never closed")


def screens(board: Board) -> list[str]:
    dialogue = Dialogue(board, "selftest london.toml --screens")
    devices, config = backend(board), load(PATH)
    dialogue.test(self_test(config, devices, namer(devices.switches), ["screens"]), devices)
    dialogue.type("")
    assert dialogue.bench.done
    return dialogue.lines


def cut(lines: list[str], alike: str) -> list[str]:
    """The lines with two of a kind, and three points for those that follow."""
    kind = [n for n, line in enumerate(lines) if alike in line]
    return [*lines[: kind[1] + 1], "  ...", *lines[kind[-1] + 1 :]]


@pytest.mark.parametrize("story", [switches, lamps, trial, screens])
def test_the_page_shows_what_is_really_printed(board: Board, story: object) -> None:
    assert callable(story)
    said = "\n".join(story(board)) + "\n"
    page = DOCS / "commissioning.md"
    assert said in [block.text for block in blocks(page)], said
