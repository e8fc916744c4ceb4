"""A file may have any name: none of them does anything to the terminal, or ends a word in a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

NASTY = ("two\n<3>lines", "clear\x1b[2J", "turned\u202etxt", "odd\x85\u2028", os.fsdecode(b"not\xffutf"))


@pytest.fixture(params=NASTY, ids=ascii)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder whose name is such a one."""
    made: Path = tmp_path / request.param
    made.mkdir()
    return made


def yardboard(*words: str | Path, status: int, state: Path) -> tuple[list[str], list[str]]:
    """The lines of standard output and of standard error, all of them printable."""
    command = [sys.executable, "-m", "firmware_host", *map(str, words)]
    known = {k: v for k, v in os.environ.items() if k not in ("RUNTIME_DIRECTORY", "STATE_DIRECTORY")}
    environ = known | {"XDG_STATE_HOME": str(state)}
    done = subprocess.run(command, capture_output=True, check=False, env=environ, timeout=120)
    out, err = (said.decode().split("\n") for said in (done.stdout, done.stderr))
    assert done.returncode == status, err
    assert out.pop() == err.pop() == ""
    assert all(line.isprintable() for line in out + err), out + err
    return out, err


@pytest.mark.parametrize("words", [["check-config"], ["run", "--config"]], ids=" ".join)
def test_a_configuration_that_is_missing_or_faulty_is_told_a_line_a_mistake(words: list[str], folder: Path) -> None:
    out, err = yardboard(*words, folder / "missing.toml", status=1, state=folder)
    assert (len(out), len(err)) == (0, 1)
    faulty = folder / "faulty.toml"
    faulty.write_text('[game]\nplayers = 9\nrule = "classic"\n')
    out, err = yardboard(*words, faulty, status=1, state=folder)
    assert (len(out), len(err)) == (0, 2)
    assert all("faulty.toml: [game] " in line for line in err)


def test_a_good_one_is_told_in_a_line(folder: Path) -> None:
    good = folder / "good.toml"
    good.touch()
    out, err = yardboard("check-config", good, status=0, state=folder)
    assert (len(out), err) == (1, [])
    assert "good.toml: good: classic" in out[0]


def test_where_a_table_is_recorded_and_what_keeps_it_from_being_run_are_told_in_a_line(folder: Path) -> None:
    config = folder / "table.toml"
    config.write_text('[journal]\npath = "there/journal.sqlite"\n')
    (folder / "there").touch()
    out, err = yardboard("record", "--config", config, folder / "a.tape", status=1, state=folder)
    assert (len(out), len(err)) == (1, 1)
    assert out[0].startswith("Recording to ")
    assert "there" in err[0]


def test_what_health_and_install_complain_of_are_lines(folder: Path) -> None:
    out, err = yardboard("health", status=2, state=folder)
    assert (len(out), len(err)) == (0, 1)
    assert err[0].startswith("no table runs here")
    for word, status in (("health", 2), ("install", 1)):
        more = ["--root", folder] if word == "install" else []
        out, err = yardboard(word, *more, "--config", folder / "missing.toml", status=status, state=folder)
        assert (len(out), len(err)) == (0, 1), word


def test_a_report_is_made_of_it(folder: Path) -> None:
    config, pack = folder / "table.toml", folder / "out.zip"
    config.touch()
    out, err = yardboard("report", "--config", config, pack, status=0, state=folder)
    assert out[-1].startswith("Written: ")
    with zipfile.ZipFile(pack) as made:
        said = {name: made.read(name).decode() for name in made.namelist()}
    assert said["check.txt"].count("\n") == 1
    assert "table.toml: good: classic" in said["check.txt"]
    assert said["no-health.txt"].splitlines() == [line for line in err if line.startswith("health: ")]
    config.write_text("[game]\nplayers = 9\nplayer = 5\n")
    yardboard("report", "--config", config, folder / "faulty.zip", status=0, state=folder)
    with zipfile.ZipFile(folder / "faulty.zip") as made:
        assert made.read("check.txt").decode().count("\n") == 2
