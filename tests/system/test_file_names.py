"""A file may have any name: none of them does anything to the terminal, or ends a word in a traceback."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Done, started, yardboard

SIMULATED = '[switches]\ndriver = "sim"\n'
"""A board that says that it is simulated, so that it is run."""

NASTY = "two\n<3>lines, clear\x1b[2J, turned\u202etxt, odd\x85\u2028, " + os.fsdecode(b"not\xffutf")
"""What is wrong with a name: a line's end, a terminal's orders, other lines' ends, and bytes that are no text."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose name is such a one, where a table also keeps what it keeps."""
    made = tmp_path / NASTY
    made.mkdir()
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(made))
    return made


def said(done: Done) -> tuple[list[str], list[str]]:
    """The lines of standard output and of standard error, all of them printable."""
    out, err = done.stdout.split("\n"), done.stderr.split("\n")
    assert out.pop() == err.pop() == ""
    assert all(line.isprintable() for line in out + err), out + err
    return out, err


@pytest.mark.parametrize(
    ("call", "words"), [(yardboard, ["check-config"]), (started, ["run", "--config"])], ids=["check-config", "run"]
)
def test_a_configuration_that_is_missing_or_faulty_is_told_a_line_a_mistake(
    call: Callable[..., Done], words: list[str], folder: Path
) -> None:
    out, err = said(call(*words, folder / "missing.toml", status=1))
    assert (len(out), len(err)) == (0, 1)
    faulty = folder / "faulty.toml"
    faulty.write_text('[game]\nplayers = 9\nrule = "classic"\n')
    out, err = said(call(*words, faulty, status=1))
    assert (len(out), len(err)) == (0, 2)
    assert all("faulty.toml: [game] " in line for line in err)


def test_a_good_one_is_told_in_a_line(folder: Path) -> None:
    good = folder / "good.toml"
    good.write_text(SIMULATED)
    out, err = said(yardboard("check-config", good))
    assert (len(out), err) == (1, [])
    assert "good.toml: good: classic" in out[0]


def test_where_a_table_is_recorded_and_what_keeps_it_from_being_run_are_told_in_a_line(folder: Path) -> None:
    config = folder / "table.toml"
    config.write_text(f'{SIMULATED}[journal]\npath = "there/journal.sqlite"\n')
    (folder / "there").touch()
    out, err = said(started("record", "--config", config, folder / "a.tape", status=1))
    assert (len(out), len(err)) == (1, 1)
    assert out[0].startswith("Recording to ")
    assert "there" in err[0]


def test_what_health_and_setup_complain_of_are_lines(folder: Path) -> None:
    out, err = said(yardboard("health", status=2))
    assert (len(out), len(err)) == (0, 1)
    assert err[0].startswith("no table runs here")
    for word, status in (("health", 2), ("setup", 1)):
        more = ["--dry-run"] if word == "setup" else []
        out, err = said(yardboard(word, *more, "--config", folder / "missing.toml", status=status))
        assert (len(out), len(err)) == (0, 1), word


def test_a_report_is_made_of_it(folder: Path) -> None:
    config, pack = folder / "table.toml", folder / "out.zip"
    config.write_text(SIMULATED)
    out, err = said(yardboard("report", "--config", config, pack))
    assert out[-1].startswith("Written: ")
    with zipfile.ZipFile(pack) as made:
        files = {name: made.read(name).decode() for name in made.namelist()}
    assert files["check.txt"].count("\n") == 1
    assert "table.toml: good: classic" in files["check.txt"]
    assert files["no-health.txt"].splitlines() == [line for line in err if line.startswith("health: ")]
    config.write_text("[game]\nplayers = 9\nplayer = 5\n")
    yardboard("report", "--config", config, folder / "faulty.zip", status=1)
    with zipfile.ZipFile(folder / "faulty.zip") as made:
        assert made.read("check.txt").decode().count("\n") == 2
