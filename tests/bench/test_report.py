"""What `yardboard bench` prints: every line, and honest verdicts. How fast this machine is, is no matter for a test."""

import os

import pytest

from firmware_host.bench import measurements, report
from firmware_host.bench.measurements import MachineLoad
from firmware_host.bench.report import BenchRounds, Guest, Measurement
from firmware_host.config.loader import simulator

TINY = BenchRounds(rounds=1, games=2, searched=50, minutes=0.01, changes=6, idle=0.05, starts=1, soak=1, samples=40)

LINES = {
    "random games of classic, 3 detectives": "",
    "random games of classic, 4 detectives": "≥ 3000",
    "random games of classic, 5 detectives": "",
    "random games of beginners": "",
    "random games of current": "",
    "random games of dice": "",
    "random games of junior": "",
    "random games of us": "",
    "legal moves: prepared rides against newly built ones": "",
    "random games of classic, compiled rules": "≥ 100000",
    "games in the search's mind, classic": "",
    "pass, nothing changed, Mister X's turn": "≤ 60",
    "pass, nothing changed, a detective's turn": "≤ 60",
    "debounce of 199 switches: one number against a loop": "",
    "debounced change to LED frame, p50": "",
    "debounced change to LED frame, p99": "≤ 3",
    "the same, waiting for the wire as well, p99": "≤ 3",
    "idle at 200 Hz, in real time": "≤ 3",
    "start to the first answer": "≤ 1",
    "resident after a whole game": "≤ 60",
    "100 full games, sensors to lamps": "≤ 60",
}


@pytest.fixture(scope="module")
def figures() -> list[Measurement]:
    return list(report.figures(TINY))


@pytest.mark.long
def test_every_figure_is_there_with_its_goal(figures):
    assert {figure.what: figure.goal for figure in figures} == LINES


def test_a_goal_that_is_missed_on_a_busy_machine_says_so_and_one_that_is_met_does_not(monkeypatch):
    monkeypatch.setattr(MachineLoad, "others", lambda _: 1.3)
    missed, met, unset = (
        Measurement("a", 9.0, "s", "≤ 1", "median of 5"),
        Measurement("b", 1.0, "s", "≤ 1"),
        Measurement("c", 1.0, "s"),
    )
    told = [figure.note for figure in report.with_load([missed, met, unset], MachineLoad())]
    assert told == ["median of 5; others used 1.3 cores meanwhile: measure again on a quiet machine", "", ""]
    monkeypatch.setattr(MachineLoad, "others", lambda _: 0.2)
    assert [figure.note for figure in report.with_load([missed], MachineLoad())] == ["median of 5"]


def test_the_load_of_others_is_what_all_processors_did_less_what_we_did(monkeypatch, tmp_path):
    stat, tick = tmp_path / "stat", os.sysconf("SC_CLK_TCK")
    clock, own = iter([100.0, 110.0]), iter([1.0, 5.0])
    monkeypatch.setattr(measurements.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(measurements.os, "times", lambda: os.times_result((next(own), 1.0, 0.0, 1.0, 0.0)))
    stat.write_text("cpu 0 0 0 900 0 0 0 0 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
    load = MachineLoad(stat)
    stat.write_text(f"cpu {9 * tick} {2 * tick} {3 * tick} 900 7 {tick} {tick} {3 * tick} 5 5\n")
    assert load.others() == pytest.approx((19 - 4) / 10)


@pytest.mark.parametrize(
    ("value", "goal", "met"),
    [
        (3000, "≥ 3000", True),
        (2999.9, "≥ 3000", False),
        (60, "≤ 60", True),
        (60.1, "≤ 60", False),
        (0.5, "", None),
        (None, "≤ 60", None),
    ],
)
def test_a_goal_is_met_or_missed(value, goal, met):
    assert Measurement("it", value, "s", goal).met is met


def test_no_figure_is_made_up_where_there_is_no_proc(monkeypatch, tmp_path):
    monkeypatch.setattr(report, "PROC", tmp_path)
    with Guest() as guest:
        assert guest.resident_mb() is None
    line = Measurement("resident after a whole game", None, "MB", "≤ 60", "this system has no /proc").line
    assert "none here" in line
    assert not {"met", "missed"} & set(line.split())
    assert report.machine()


def test_a_table_that_has_ended_before_an_order_is_told_in_words():
    with Guest() as guest:
        guest._process.kill()
        guest._process.wait()
        with pytest.raises(measurements.BenchError, match=r"ended instead of answering .*'wait'.*; run it alone"):
            guest.say({"do": "wait", "ms": 1})


def test_changes_are_followed_to_their_frames():
    worked, waited = measurements.change_to_frame(simulator(), changes=20)
    assert len(worked) == len(waited) >= 20
    # The lamps are busy for 7 ms a frame: two scans at the most.
    assert all(0 <= seconds <= 0.0101 for seconds in waited)
