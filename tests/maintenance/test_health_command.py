"""The word `health`: a real daemon asked how it is, and what is said where none can be asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli import main
from firmware_host.config.loader import simulator
from firmware_host.daemon.health_file import HEALTH_TICK, NAME, HealthFile, TableHealth, read
from firmware_host.maintenance.running_table_commands import describe_health, newest_health
from firmware_host.simulator import SimulatedTable
from hardware.sim.physics import SimClock
from tests.waiting import until

NOW = 1_800_000_000.0


class ToldTable:
    """A folder for a journal, with what a table that runs at a simulated board has told beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "yardboard"
        self.folder.mkdir()
        self.file = self.folder / NAME
        self.simulated = SimulatedTable()
        self.simulated.new_game(detectives=3, start={"mr_x": 45, "red": 74, "yellow": 117, "green": 138})
        self.simulated.set_up()

    def tell(self, ago: float = 1.0) -> None:
        wall = lambda: time.time() - ago  # noqa: E731
        HealthFile(simulator(), self.simulated.hardware.clock, wall, self.file).attend(self.simulated.table)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ToldTable]:
    for name in ("RUNTIME_DIRECTORY", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    made = ToldTable(tmp_path)
    yield made
    made.simulated.close()


def asked(*words: str) -> int:
    """The status of `yardboard health`."""
    with pytest.raises(SystemExit) as ended:
        main(["health", *words])
    return int(ended.value.code or 0)


def test_a_table_that_is_well_is_told_and_the_status_is_0(table: ToldTable, capsys: pytest.CaptureFixture[str]) -> None:
    table.tell()
    assert asked() == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("yardboard ")
    assert told[3].split() == ["device", "state", "since", "for", "why"]
    assert [line.split()[:2] for line in told[4:11]] == [
        [name, "ok"] for name in ("switches", "keys", "lamps", "handset", "display", "power", "journal")
    ]


def test_what_ails_is_told_with_its_reason_and_the_status_is_1(
    table: ToldTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.simulated.hardware.fault("lamps", "unplug")
    table.simulated.advance(2000)
    table.tell()
    assert asked() == 1
    (lamps,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("lamps"))
    assert lamps.split()[1] == "lost"
    assert lamps.endswith("the cable is unplugged")


def test_a_switch_out_of_order_is_told_with_its_place_and_the_status_is_1(
    table: ToldTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.simulated.hardware.fault("switch:100", "chatter")
    table.simulated.advance(3000)
    table.tell()
    assert asked() == 1
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["station", "switch", "state", "closures", "bounces", "longest"] in rows
    assert any(row[:4] == ["100", "input", "99", "chattering"] for row in rows)


def test_the_same_as_json(table: ToldTable, capsys: pytest.CaptureFixture[str]) -> None:
    table.tell()
    assert asked("--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["runs"] is True
    assert said["file"] == str(table.file)
    assert 0 <= said["age_s"] < 10
    assert said["devices"]["lamps"]["state"] == "ok"
    closed = [switch["last_closed"] for switch in said["switches"].values()]
    assert len(closed) == 3
    assert closed == [round(at, 1) for at in closed], "to the millisecond it would tell of the passes of the loop"


def test_where_no_table_runs_the_status_is_2(table: ToldTable, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked() == 2
    told = capsys.readouterr()
    assert not told.out
    assert f"no table runs here: there is no file {table.file}" in told.err


@pytest.mark.parametrize("ago", [3 * HEALTH_TICK + 1, 86_400, -3600])
def test_what_is_old_or_from_the_future_is_told_as_old_and_the_status_is_2(
    ago: float, table: ToldTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.tell(ago)
    assert asked() == 2
    told = capsys.readouterr()
    assert "lamps" in told.out
    assert told.err == "this report is old: the table has ended, or it hangs; restart it\n"


def test_a_file_that_no_table_has_written_is_named_and_the_status_is_2(
    table: ToldTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.tell()
    table.file.write_bytes(table.file.read_bytes()[:-100])
    assert asked() == 2
    assert f"{table.file}: is damaged, or of another version of yardboard; restart the table" in capsys.readouterr().err


def test_another_table_than_the_one_that_is_asked_for_is_none(
    table: ToldTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.tell()
    other = tmp_path / "other.toml"
    other.write_text("", encoding="utf-8")
    assert asked("--config", str(other)) == 2
    assert "no table runs here" in capsys.readouterr().err
    assert asked("--config", simulator().source) == 0
    assert asked("--config", str(tmp_path / "none.toml")) == 2


def told_of(devices: dict[str, Any], switches: dict[str, Any]) -> list[str]:
    values = {
        "yardboard": "1.0", "config": "/etc/yardboard/table.toml", "up_s": 200_000, "passes": 40_000_000,
        "devices": devices, "switches": switches, "beat_s": 5.0,
    }  # fmt: skip
    return list(describe_health(TableHealth(Path("x"), values, 2.0), NOW))


def test_of_many_switches_those_that_matter_are_told() -> None:
    switches = {
        str(n): {"place": f"chip {n}", "state": "ok", "closures": n, "bounces": n, "longest_ms": n / 10}
        for n in range(1, 200)
    }
    switches["7"]["state"] = "masked"
    told = told_of({"lamps": {"state": "ok", "reason": "", "since": NOW - 7200}}, switches)
    assert told[1] == "yardboard 1.0, up for 2 days, 40,000,000 passes; reported 2 s ago"
    rows = [line.split() for line in told[told.index("") :]]
    stations = [row[0] for row in rows if row and row[0].isdecimal()]
    assert stations == ["7", *(str(n) for n in range(199, 188, -1))]
    assert told[-1] == "and 187 more that are ok and bounce less (--json lists all)"


def test_no_reason_moves_the_cursor() -> None:
    told = told_of({"lamps": {"state": "lost", "reason": "\x1b[2Jgone\n", "since": NOW}}, {})
    assert told[-1].endswith(r"\x1b[2Jgone\n")


@pytest.mark.parametrize("name", ["yardboard", "config"])
def test_nothing_at_the_head_of_what_is_told_moves_it_either(
    name: str, table: ToldTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.tell()
    values = json.loads(table.file.read_text(encoding="utf-8"))
    table.file.write_text(json.dumps(values | {name: "\x1b[2J\ud800\u202e"}), encoding="utf-8")
    assert asked() == 0
    assert r"\x1b[2J\ud800\u202e" in capsys.readouterr().out


def test_of_several_files_the_newest_counts(table: ToldTable, tmp_path: Path) -> None:
    table.tell(100)
    old = tmp_path / "old.json"
    old.write_bytes(table.file.read_bytes())
    table.tell(1)
    said, complaints = newest_health([old, tmp_path / "none.json", table.file], time.time())
    assert said is not None
    assert said.file == table.file
    assert not complaints


def test_a_daemon_that_is_run_tells_how_it_is_until_it_is_told_to_stop(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[switches]\ndriver = "sim"\n[journal]\npath = "here.sqlite"\n', encoding="utf-8")
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    environ = {**os.environ, "RUNTIME_DIRECTORY": str(runtime)}
    words = [sys.executable, "-m", "firmware_host"]
    with subprocess.Popen([*words, "run", "--config", str(config)], env=environ, stderr=subprocess.PIPE) as daemon:
        assert daemon.stderr is not None
        try:
            while b"Ready: " not in daemon.stderr.readline():
                assert daemon.poll() is None
            file = runtime / NAME
            until(file.exists, "the file that tells how it is")
            assert read(file, time.time()).fresh
            ask = [*words, "health", "--config", str(config)]
            told = subprocess.run(ask, env=environ, capture_output=True, text=True, timeout=60, check=False)
            assert told.returncode == 0, told
            assert "lamps" in told.stdout
        finally:
            daemon.send_signal(signal.SIGTERM)
        daemon.stderr.read()
    assert daemon.returncode == 0
    assert not file.exists()


def test_a_table_on_a_clock_of_its_own_is_well_since_it_began(table: ToldTable) -> None:
    """A simulated board has a clock that began elsewhere: what is timed by one is not taken from the other."""
    elsewhere = SimClock()
    elsewhere.advance(1860.0)
    table.simulated.advance(5000)
    HealthFile(simulator(), elsewhere, lambda: NOW, table.file).attend(table.simulated.table)
    told = json.loads(table.file.read_text())["devices"]["lamps"]["since"]
    assert told == round(NOW - table.simulated.hardware.clock.now(), 1)
