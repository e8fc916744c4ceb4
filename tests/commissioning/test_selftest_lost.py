"""The self-test with devices that are lost, come back or are not ready."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from firmware_host.commissioning.exercise_devices import Workbench, namer
from firmware_host.commissioning.selftest import STEP, self_test
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import load
from firmware_host.table.outputs import limit_lamps
from hardware.backend import Backend
from hardware.ports import DeviceLost
from tests.commissioning.wiring_sittings import Board, Trial, soldered


class Broken:
    """A device that answers nothing while there is a reason for it."""

    def __init__(self, device: object, why: str) -> None:
        self._device = device
        self.why = why

    def __getattr__(self, name: str) -> object:
        if name in ("read", "show") and self.why:
            return self._refuse
        return getattr(self._device, name)

    def _refuse(self, *_: object) -> NoReturn:
        raise DeviceLost(self.why)


def with_device(board: Board, name: str, device: Any) -> Backend:
    return replace(board.backend, **{name: device})


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return soldered(tmp_path)


@pytest.mark.parametrize("part", ["lamps", "switches", "keys"])
@pytest.mark.parametrize("end", ["Enter", "q", "back again"])
def test_a_part_waits_for_a_device_that_is_lost_and_says_so(board: Board, part: str, end: str) -> None:
    why = f"{part}: on a cable that is cut"
    broken = Broken(getattr(board.backend, part), why)
    backend = with_device(board, part, broken)
    trial = Trial(board, part, backend=backend)
    waits = f"  This waits for the {part}. Enter: skip; q and Enter: end."
    assert trial.said[-2:] == [f"{part}: lost: on a cable that is cut", waits]
    before = list(trial.said)
    board.table.advance(30_000)
    board.touch(board.stations[0])
    assert trial.said == before
    if end == "back again":
        broken.why = ""
        board.table.advance(700)
        assert f"{part}: ok" in trial.said[-2:]
        if part == "lamps":  # it goes on where it was
            assert trial.said[-1] == f"  lamp 0: station {board.stations[0]}"
        trial.type("q")
        result = trial.said[-1]
        assert result == f"  {part}: was lost for a while: on a cable that is cut"
    else:
        trial.type("" if end == "Enter" else "q")
        assert trial.said[-2:] == ["Results:", f"  {part}: lost: on a cable that is cut"]
    assert trial.done
    assert trial.bad == [part]


def test_lamps_that_are_lost_in_their_walk_go_on_where_they_were(board: Board) -> None:
    trial = Trial(board, "lamps")
    board.table.advance(1000 * 3 * STEP * 5)
    before = trial.said[-1]
    board.table.fault("lamps", "unplug")
    board.table.advance(20_000)
    assert trial.said[-3] == before
    board.table.fault("lamps", "replug")
    while trial.said[-1] != "lamps: ok":
        board.table.advance(5)
    board.table.advance(1000 * 3 * STEP)
    assert [line.split(":")[0] for line in (before, trial.said[-1])] == ["  lamp 5", "  lamp 6"]


def test_switches_are_tried_without_lamps_and_keys_without_switches(board: Board) -> None:
    def without(name: str) -> Backend:
        return with_device(board, name, Broken(getattr(board.backend, name), f"{name}: none"))

    trial = Trial(board, "switches", backend=without("lamps"))
    assert trial.said[1] == "Switches: touch each of the 36 stations with a magnet."
    for station in board.stations:
        board.touch(station, ms=80)
    assert trial.said[-1] == "  switches: good"
    trial = Trial(board, "keys", backend=without("switches"))
    for name in KEYS:
        board.table.press(name)
        board.table.advance(50)
    assert trial.said[-1] == "  keys: good"
    assert not any("lost" in line for line in trial.said)
    assert trial.bad == []


def test_screens_that_are_lost_are_in_the_results_each_for_itself(board: Board) -> None:
    board.table.fault("display", "unplug")
    trial = Trial(board, "screens")
    trial.type("")
    board.table.advance(3000)
    assert trial.said[-3:] == [
        "Results:",
        "  handset: all was sent; only you saw whether it was right",
        "  display: lost: the cable is unplugged",
    ]
    assert trial.bad == ["display"]


def test_no_key_ends_it_before_a_screen_that_does_not_answer_is_known_to_be_lost(board: Board) -> None:
    trial = Trial(board, "screens")
    trial.type("")
    board.table.advance(1500)
    assert not trial.done
    board.table.fault("handset", "unplug")
    board.table.advance(1500)
    assert trial.done
    assert trial.bad == ["handset"]


def test_a_screen_that_is_plugged_in_late_shows_its_picture(board: Board) -> None:
    board.table.fault("handset", "unplug")
    trial = Trial(board, "screens")
    assert trial.said[-1].startswith("handset: lost: ")
    board.table.fault("handset", "replug")
    board.table.advance(1000)
    assert board.table.handset.picture is not None
    assert trial.said[-1] == "handset: ok"


def test_a_screen_and_lamps_that_lost_their_power_unnoticed_are_sent_everything_again(board: Board) -> None:
    Trial(board, "switches", "screens")
    board.touch(board.stations[0], ms=80)
    board.table.fault("lamps", "unplug")
    board.table.fault("lamps", "replug")
    assert board.table.lamps.lit() == {}
    board.table.advance(1100)
    assert len(board.table.lamps.lit()) == 1
    board.table.press("table.confirm")
    board.table.advance(100)
    board.table.fault("handset", "unplug")
    board.table.fault("handset", "replug")
    assert board.table.handset.picture is None
    board.table.advance(1100)
    assert board.table.handset.picture is not None


def test_what_stays_closed_when_switches_come_back_was_not_touched(board: Board) -> None:
    board.table.fault("switches", "unplug")
    trial = Trial(board, "switches")
    board.table.put(board.stations[0], "a pawn")
    board.table.fault("switches", "replug")
    board.table.advance(1000)
    number = board.inputs[board.stations[0]]
    assert trial.said[-2:] == [
        "switches: ok",
        f"  input {number} stays closed; it is ignored until it opens",
    ]


def test_lamps_whose_loss_is_told_by_the_frame_after_it_are_known_to_be_lost_when_it_begins(board: Board) -> None:
    class Late:
        count = 49
        sent = 0

        def ready(self) -> bool:
            return True

        def show(self, _: bytes) -> None:
            self.sent += 1
            if self.sent > 1:
                raise DeviceLost("lamps: none")

        def close(self) -> None: ...

    config, backend = load(board.path), replace(board.backend, lamps=limit_lamps(load(board.path), Late()))
    said: list[str] = []
    bench = Workbench(backend, self_test(config, backend, namer(backend.switches), ["lamps"]), said.extend)
    bench.line_typed("q")
    board.table.drive(bench.step)
    board.table.advance(200)
    waits = "  This waits for the lamps. Enter: skip; q and Enter: end."
    assert said[3:] == ["lamps: lost: none", waits, "Results:", "  lamps: lost: none"]


def test_no_frame_or_picture_is_sent_to_a_device_that_is_not_ready(board: Board) -> None:
    Trial(board, "lamps", "screens")
    for _ in range(30):
        board.table.fault("lamps", "slow")
        board.table.fault("handset", "slow")
        board.table.advance(1300)
    assert board.table.lamps.hurried == board.table.handset.hurried == 0
    assert board.table.handset.picture is not None
