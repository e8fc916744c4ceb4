"""Measuring where switches close and open, on a simulated board with a pawn that is moved by known distances."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.commissioning.exercise_devices import Workbench
from firmware_host.commissioning.measure_reach import MeasureReach, measured_text, read_measured, read_reach
from firmware_host.config.loader import load
from firmware_host.config.toml_file import ConfigError
from hardware.sim.physics import Physics
from tests.commissioning.wiring_sittings import Bench, Board, soldered

REACH, RELEASE = 6.0, 7.5


class Ruler(Bench):
    """Somebody who measures: each movement goes along a line through a station, in steps of a tenth."""

    def __init__(self, board: Board, path: Path) -> None:
        self.exercise = MeasureReach(load(board.path), path)
        super().__init__(board, self.exercise, self.exercise.save)

    def move(self, station: int, start: float, end: float) -> float:
        """Move a magnet until the switch of a station changes; the distance at which it did."""
        said = len(self.said)
        x, y = self.board.table.places[station]
        steps = round(abs(end - start) * 10)
        for step in range(steps + 1):
            at = start + (end - start) * step / steps
            self.board.table.pull("pawn", (x + at, y), 10)
            self.board.table.advance(60)
            if any(f"station {station}: " in line for line in self.said[said:]):
                return round(at, 1)
        raise AssertionError(self.said)

    def measure(self, station: int) -> tuple[float, float]:
        closed = self.move(station, 12, 0)
        self.type(f"{closed}")
        opened = self.move(station, 0, 12)
        self.type(f"{opened}".replace(".", ","))
        return closed, opened


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return soldered(tmp_path)


def test_pull_in_and_let_go_of_stations_come_into_the_file(tmp_path: Path) -> None:
    board = soldered(tmp_path, physics=Physics(reach=REACH, release=RELEASE))
    path = tmp_path / "table.measured.toml"
    ruler = Ruler(board, path)
    one, other = board.stations[0], board.stations[7]
    ruler.type(f"{one}")
    assert set(board.table.lamps.lit()) == {load(board.path).layout.lamp(one)}
    first = ruler.measure(one)
    assert first == pytest.approx((REACH, RELEASE), abs=0.2)
    assert f"  station {one}: closed at {first[0]:g} mm, opened at {first[1]:g} mm; directions: 1" in ruler.said
    assert read_measured(path, board.stations) == {one: [first]}  # what is typed is on the disk at once
    second = ruler.measure(one)
    ruler.type("")
    ruler.type(f"{other}")
    third = ruler.measure(other)
    ruler.type("q")
    assert ruler.done
    assert read_measured(path, board.stations) == {one: [first, second], other: [third]}
    assert read_reach(path, board.stations) == (
        min(first[0], second[0], third[0]),
        max(first[1], second[1], third[1]),
    )
    assert ruler.exercise.summary()[0] == "Stations: 2, directions: 3."


def test_what_was_measured_before_is_kept(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "measured.toml"
    one, other = board.stations[:2]
    path.write_text(measured_text("table.toml", {one: [(5.0, 6.0)]}), encoding="utf-8")
    ruler = Ruler(board, path)
    ruler.type(f"{other}")
    measured = ruler.measure(other)
    assert read_measured(path, board.stations) == {one: [(5.0, 6.0)], other: [measured]}


def test_a_distance_counts_only_after_the_switch_has_reacted(board: Board, tmp_path: Path) -> None:
    ruler = Ruler(board, tmp_path / "measured.toml")
    station = board.stations[3]
    ruler.type(f"{station}")
    ruler.type("5.5")
    assert ruler.said[-1] == "  the switch has not closed yet; move the pawn nearer"
    closed = ruler.move(station, 12, 0)
    ruler.type(f"{closed}")
    ruler.type("9")
    assert ruler.said[-1] == "  the switch has not opened yet; move the pawn farther away"
    ruler.move(station, 0, 12)
    ruler.type("1")
    assert "a switch opens no nearer than it closes" in ruler.said[-1]
    ruler.type("near")
    assert ruler.said[-1] == "  'near' is not a distance; type millimetres from the middle, 0 to 40"
    assert not (tmp_path / "measured.toml").exists()


def test_a_station_that_the_board_has_not_is_asked_for_again(board: Board, tmp_path: Path) -> None:
    ruler = Ruler(board, tmp_path / "measured.toml")
    ruler.type("1234")
    assert ruler.said[-2:] == ["  '1234' is not a station of this board", "Type the number of a station."]
    ruler.type("q")
    assert list(ruler.exercise.summary()) == ["Nothing is measured."]


def test_switches_that_are_lost_are_reported_and_waited_for(board: Board, tmp_path: Path) -> None:
    ruler = Ruler(board, tmp_path / "measured.toml")
    ruler.type(f"{board.stations[0]}")
    board.table.switches.unplug()
    board.table.advance(1000)
    assert ruler.said[-1].startswith("switches: lost: ")
    ruler.type("5")
    assert "this waits for them" in ruler.said[-1]
    board.table.switches.replug()
    board.table.advance(2000)
    assert ruler.said[-1] == "switches: ok"
    assert isinstance(ruler.bench, Workbench)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "[stations]: is missing; it has a line for each measured station"),
        ("other = 1\n[stations]\n", "other: does not belong in this file"),
        ("[stations]\n999 = [[5, 6]]", "[stations] 999: there is no such station on this board"),
        ("[stations]\n011 = [[5, 6]]", "[stations] 011: there is no such station on this board"),
        ("[stations]\n11 = [[nan, 6]]", "[stations] 11: [nan, 6] is not a pair"),
        ("[stations]\n11 = [[7, 6]]", "[stations] 11: [7, 6] is not a pair"),
        ("[stations]\n11 = [5, 6]", "[stations] 11: 5 is not a pair such as [5.5, 7.0]"),
        ("[stations]\n11 = 5", "[stations] 11: 5 is not a list of pairs; write one such as [[5.5, 7.0]]"),
        ("[stations]\n11 = [[5, true]]", "[stations] 11: [5, true] is not a pair"),
        ("[stations]\n11 = [[5, 60]]", "[stations] 11: [5, 60] is not a pair"),
        ("[stations]\n", "[stations]: lists no measured station; `yardboard measure` writes them"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(text: str, message: str, board: Board, tmp_path: Path) -> None:
    path = tmp_path / "measured.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        read_reach(path, board.stations)
    assert f"{path}: {message}" in str(error.value)
