"""Tapes from strangers, and tables that fail while they are recorded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.recording.tape import Entry, LoopPass, Lost, Note, Now, Sample, Shown
from firmware_host.recording.tape_file import write_copy
from hardware.ports import HardwareError
from tests.recording.recorded_tables import config_of, entries, recorded
from tests.recording.test_recorded_sessions import notes, without

EVIL = "\x1b[2J\x9b\ud800\u202e\n"


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """A command's status and all that it said."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    told = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, told.out + told.err


def harmless(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    with recorded(config_of(tmp_path), tmp_path / "a.tape") as simulated:
        simulated.advance(500)
    return tmp_path / "a.tape"


def test_no_text_out_of_a_tape_moves_the_cursor(tape: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session, devices = (json.loads(notes(tape)[name]) for name in ("session", "devices"))
    evil = without(
        tape,
        session=json.dumps(session | {"began": EVIL, "software": EVIL}),
        devices=json.dumps(devices | {"keys": [f"table.{EVIL}"] * len(devices["keys"])}),
    )
    strange: list[Entry] = [Now(0), LoopPass(), Sample("keys", 1), Now(2_000_000), Lost("lamps", EVIL), Now(4_000_000)]
    with evil.with_name("evil.tape").open("wb") as out:
        write_copy([*(Note(*note) for note in notes(evil).items()), *strange], out)
    for words in (["--show"], ["--show", "--secret"], ["--secret"], []):
        for path in (evil, evil.with_name("evil.tape")):
            status, said = printed(["replay", *words, str(path)], capsys)
            assert status in (0, 1)
            assert r"\x1b[2J" in said
            assert harmless(said), said
    for session["text"] in (f'[game]\nrules = "{EVIL!r}"', f"[map]\nname = '{EVIL.strip()[:4]}.toml'"):
        bad = without(tape, session=json.dumps(session | {"source": EVIL}))
        status, said = printed(["replay", str(bad)], capsys)
        assert status == 2
        assert harmless(said), said
        status, said = printed(["report", "--tape", str(evil), "--dry-run"], capsys)
        assert status == 0
        assert harmless(said), said


def test_a_picture_that_is_none_is_told(tape: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = [replace(e, content=b"x") if isinstance(e, Shown) and e.track == "display" else e for e in entries(tape)]
    changed = tape.with_name("changed.tape")
    with changed.open("wb") as out:
        write_copy([*(Note(*note) for note in notes(tape).items()), *shown], out)
    status, said = printed(["replay", str(changed)], capsys)
    assert status == 2
    assert said.endswith("a picture on the tape does not have the size of the display, 128 by 64\n")


@pytest.mark.parametrize("words", [["replay"], ["report", "--tape"]])
@pytest.mark.long_but_first
def test_whoever_reads_a_tape_keeps_it_to_himself(words: list[str], tmp_path: Path) -> None:
    """The tape is a pipe on which nothing comes: so it can be looked at while it reads."""
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-m", "firmware_host", *words, str(tmp_path / "pipe")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as reading:
        with (tmp_path / "pipe").open("wb"):  # it has begun to read
            limits = Path(f"/proc/{reading.pid}/limits").read_text(encoding="ascii")
            owner = Path(f"/proc/{reading.pid}/environ").stat().st_uid
        _, said = reading.communicate(timeout=60)
    core = next(line.split()[4:6] for line in limits.splitlines() if line.startswith("Max core file size"))
    assert core == ["0", "0"]
    assert owner == 0, "it can be traced"
    assert "is incomplete: the file is empty" in said


@pytest.mark.parametrize("named", [True, False])
def test_a_start_that_fails_leaves_no_tape(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise HardwareError("no such board")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("STATE_DIRECTORY", "")
    monkeypatch.setattr("firmware_host.daemon.run.run_table", fails)
    words = ["record", "--config", config_of(tmp_path).source, *([str(tmp_path / "a.tape")] if named else [])]
    for _ in range(2):
        status, said = printed(words, capsys)
        assert status == 1
        assert said.endswith("yardboard: no such board\n")
    assert not list(tmp_path.rglob("*.tape"))


def test_a_recorded_table_that_fails_again_and_again_is_tried_ever_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert printed(["record", "--config", str(tmp_path / "gone.toml")], capsys)[0] == 1
    assert (tmp_path / "failures").read_text(encoding="ascii").startswith("1 ")
