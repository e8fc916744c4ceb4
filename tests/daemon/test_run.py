"""A real board is run at its pace, and left dark."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli import main
from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.daemon import run
from firmware_host.players.protocol.program_sandbox import SERVICE_SOCKET
from firmware_host.simulator import SimulatedTable
from firmware_host.table.outputs import Outputs
from hardware.backend import Backend
from hardware.clock import keep_pace
from tests.web.programs import Program

DEVICES = ("switches", "lamps", "handset", "display")


class Stopped(Exception):
    """Ends a loop that would go on for ever."""


class SlowSteps:
    """A clock, and a step that takes as long as it is told."""

    def __init__(self, *takes: float) -> None:
        self.time = 10.0
        self.takes = list(takes)
        self.began: list[float] = []

    def now(self) -> float:
        return self.time

    def step(self) -> None:
        if not self.takes:
            raise Stopped
        self.began.append(round(self.time, 6))
        self.time += self.takes.pop(0)

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.time += seconds


def began(*takes: float) -> list[float]:
    bench = SlowSteps(*takes)
    with pytest.raises(Stopped):
        keep_pace(bench.step, 200, bench, bench.sleep)
    return bench.began


def test_steps_come_at_even_times_however_long_each_takes() -> None:
    assert began(0.001, 0.004, 0.0, 0.002) == [10.0, 10.005, 10.01, 10.015]


def test_a_step_that_was_late_is_not_made_up_for() -> None:
    assert began(0.001, 0.5, 0.001, 0.001) == [10.0, 10.005, 10.505, 10.51]


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """London as it is wired, with pins in memory and nothing on any bus."""
    text = (shipped_files.folder() / "london-spi.toml").read_text(encoding="utf-8")
    text = text.replace('"lgpio"', '"mock"')
    path = tmp_path / "board.toml"
    path.write_text(text.replace("[keys] ", '[journal]\npath = "here.sqlite"\n\n[keys] '), encoding="utf-8")
    return path


def test_a_board_none_of_whose_devices_answers_is_run_says_so_and_ends_when_told(board: Path) -> None:
    command = [sys.executable, "-m", "firmware_host", "run", "--config", str(board)]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(board.parent)}
    ) as run:
        assert run.stderr is not None
        told: list[str] = []
        for line in run.stderr:
            told.append(line)
            if all(any(f"WARNING {device}: lost: " in one for one in told) for device in DEVICES):
                break
        run.send_signal(signal.SIGTERM)
        rest = run.stderr.read()
    text = "".join(told)
    assert run.returncode == 0, rest
    for device in DEVICES:
        assert f"WARNING {device}: lost: " in text
    assert 'WARNING [pi] pin_factory is "mock"' in text
    assert "INFO Ready: Set up: " in text
    assert (board.parent / "here.sqlite").exists()


def test_a_table_starts_without_its_password_file_and_the_log_says_that_it_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    section = '[mqtt]\nurl = "mqtt://127.0.0.1:9"\nuser = "table"\npassword_file = "secret.txt"\n'
    file.write_text(f'[switches]\ndriver = "sim"\n{section}', encoding="utf-8")
    with Program("run", "--config", str(file), home=tmp_path) as table:
        table.line(
            rf"WARNING .*table\.toml: \[mqtt\] password_file: there is no file {tmp_path}/secret\.txt; create it"
        )
        table.line("INFO Ready: ")
        assert table.end() == 0


def test_a_program_that_nothing_shuts_in_is_named_as_the_table_starts(tmp_path: Path) -> None:
    # So it is under the service, too, for a program that was written into its configuration after it was installed.
    file, words = tmp_path / "table.toml", json.dumps([sys.executable])
    file.write_text(f'[switches]\ndriver = "sim"\n[players.deep]\ncommand = {words}\n', encoding="utf-8")
    bare = {"PATH": str(tmp_path), SERVICE_SOCKET: ""}
    with Program("run", "--config", str(file), home=tmp_path, environ=bare) as table:
        table.line(r"WARNING \[players\.deep\]: is trusted with everything: nothing confines it here")
        table.line("INFO Ready: ")
        assert table.end() == 0


"""The modules of Mister X's phone."""


def test_going_dark_tells_of_everything_that_it_could_not_reach(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dark", "--config", str(board)])
    assert ended.value.code == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in told] == ["handset", "display", "lamps", "yardboard"]
    assert told[-1] == "yardboard: some lamps or screens could not be turned off; the lines above say which, and why"


def test_an_output_that_is_stuck_is_told_and_keeps_no_other_lit(board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, dark = threading.Event(), []

    def put(output: str, *_: object) -> None:
        if output == "handset":
            gate.wait(60)
        elif output == "display":
            raise ZeroDivisionError("a mistake")
        dark.append(output)

    monkeypatch.setattr(run, "turn_off_output", put)
    try:
        complaints = run.go_dark(load(board), within=1.0)
    finally:
        gate.set()
    assert dark[0] == "lamps"
    assert complaints[0] == "handset: has not gone dark within 1 s"
    assert complaints[1].startswith("display: ZeroDivisionError")
    assert len(complaints) == 2


def test_a_simulated_board_is_dark_already() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dark", "--config", str(shipped_files.folder() / "simulator.toml")])
    assert ended.value.code == 0


def test_a_factory_that_does_not_run_here_is_told_in_one_line(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board.write_text(board.read_text(encoding="utf-8").replace('"mock"', '"lgpio"'), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["run", "--config", str(board)])
    assert ended.value.code == 1
    told = capsys.readouterr().err
    lacking = "pins: the package lgpio is missing"  # of which there is no wheel for every Python
    assert 'pins: pin factory "lgpio" does not run here' in told or lacking in told
    assert told.count("\n") == 1


class ClosedWithTrouble:
    """A device that cannot be closed without trouble, and notes that it was tried."""

    def __init__(self, name: str, tried: list[str]) -> None:
        self.name, self.tried = name, tried

    def close(self) -> None:
        self.tried.append(self.name)
        raise ValueError(f"{self.name} is stubborn")


def test_whatever_goes_wrong_with_one_device_all_are_closed_the_handset_first() -> None:
    tried: list[str] = []
    devices: list[Any] = [
        ClosedWithTrouble(name, tried) for name in ("switches", "lamps", "handset", "display", "keys")
    ]
    with pytest.raises(ValueError, match="keys is stubborn"):
        Backend(*devices, SlowSteps()).close()
    assert tried == ["handset", "display", "lamps", "switches", "keys"]


class Unruly:
    """A device in which a mistake of its driver shows when anything is shown."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def show(self, *_: object) -> None:
        raise ValueError("a mistake")


@pytest.mark.parametrize("broken", ["lamps", "display"])
def test_a_mistake_in_one_driver_leaves_the_handset_dark_all_the_same(broken: str) -> None:
    simulated = SimulatedTable()
    simulated.new_game(detectives=4)
    simulated.set_up()
    assert simulated.hardware.handset.picture is not None
    simulated.table._outputs = outputs = Outputs(
        simulated.config,
        replace(simulated.backend, **{broken: Unruly(getattr(simulated.backend, broken))}),
        simulated.table.devices,
    )
    with pytest.raises(ValueError, match="a mistake"):
        simulated.close()
    assert outputs is simulated.table._outputs
    assert simulated.hardware.handset.picture is None
    assert (simulated.hardware.lamps.lit() == {}) == (broken != "lamps")


def test_a_second_signal_does_not_break_off_the_putting_away(tmp_path: Path) -> None:
    script = tmp_path / "putting_away.py"
    script.write_text(
        "import os, signal\nfrom firmware_host.system.process import end_in_order\n"
        "end_in_order()\n"
        "try:\n    os.kill(os.getpid(), signal.SIGTERM)\n"
        "finally:\n    os.kill(os.getpid(), signal.SIGINT)\n    print('put away')\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "put away\n")
