"""The words for boards at the command line: what they say, and with what status they end."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.config import shipped_files

LONDON = str(shipped_files.folder() / "london-spi.toml")


def status(*words: str) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return ended.value.code


def test_all_sheets_are_drawn_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("wiring", "draw", LONDON, "--svg", str(tmp_path / "sheets")) == 0
    told = [line.removeprefix("Written: ") for line in capsys.readouterr().out.splitlines()]
    assert [Path(name).stem for name in told] == ["header", "chain", "chips", "lamps", "order", "panels"]
    for name in told:
        ET.fromstring(Path(name).read_text(encoding="utf-8"))  # noqa: S314 - our own


def test_one_sheet_is_drawn_into_a_file(tmp_path: Path) -> None:
    assert status("wiring", "draw", LONDON, "--what", "chips", "--svg", str(tmp_path / "one.svg")) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["one.svg"]


def test_one_sheet_is_drawn_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("wiring", "draw", LONDON, "--what", "chips", "--svg", str(tmp_path / "one.svg")) == 0
    capsys.readouterr()
    assert status("wiring", "draw", LONDON, "--what", "chips", "--svg", "-") == 0
    assert capsys.readouterr().out == (tmp_path / "one.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("svg", ["x.svg", "-"])
def test_one_file_for_all_sheets_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], svg: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("wiring", "draw", LONDON, "--svg", svg) == 2
    assert f"--svg {svg}: that is one file; say with --what which sheet, or name a folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["--what", "chips", "--svg", "no/such/one.svg"], ["--svg", "no/such"]])
def test_no_folder_is_made_but_the_one_for_the_sheets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("wiring", "draw", LONDON, *words) == 1
    folder = Path(words[-1]).parent
    told = capsys.readouterr().err
    assert f"{words[-1]}: there is no folder {folder}; create it, or name another place with --svg" in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["missing/", "."])
def test_a_folder_is_refused_as_the_file_of_one_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("wiring", "draw", LONDON, "--what", "chips", "--svg", folder) == 2
    assert f"--svg: {folder} is a folder; name the sheet's file, such as " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("svg", [["--what", "chips", "--svg", "-"], ["--svg", "sheets"]])
@pytest.mark.long_but_first
def test_drawings_that_nobody_reads_any_more_are_no_fault_of_a_file(tmp_path: Path, svg: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "firmware_host", "wiring", "draw", LONDON, *svg]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, cwd=tmp_path, check=False)
    os.close(write)
    assert done.returncode != 0
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--what", "matrix"], "there is no sheet 'matrix'; this board's sheets are header, chain"),
        (["--svg", "/proc/nowhere"], "/proc/nowhere: cannot be written: "),
    ],
)
def test_what_cannot_be_drawn_is_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("wiring", "draw", LONDON, *words) == 1
    assert told in capsys.readouterr().err


def test_a_simulated_board_has_no_wires(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("wiring", "draw", str(shipped_files.folder() / "simulator.toml")) == 1
    assert "simulates the whole board; write its drivers" in capsys.readouterr().err


def test_without_a_pico_nothing_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("firmware", "install", "--port", "/dev/serial/by-id/nothing") == 1
    assert "pico: " in capsys.readouterr().err
