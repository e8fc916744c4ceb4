"""The words `record`, `replay` and `report`, as they are typed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.daemon.health_file import NAME
from firmware_host.maintenance.bug_report import MissingPart, public_tape, service_log
from firmware_host.recording.tape_file import Tape
from firmware_host.referee.referee import Referee
from firmware_host.table import handset as handsets
from tests.recording.recorded_tables import config_of, play, recorded

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Types a command; gives its status and what it said on standard output and error."""

    def typed(*words: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        said = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, said.out, said.err

    return typed


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    with recorded(config_of(folder), folder / "a.tape") as simulated:
        play(simulated, moves=1)
        simulated.hardware.fault("lamps", "unplug")
        simulated.hardware.press("table.taxi")
        simulated.advance(1200)
        simulated.hardware.fault("lamps", "replug")
        simulated.advance(1200)
    return folder / "a.tape"


def recording(folder: Path) -> subprocess.Popen[str]:
    """A table that is run and recorded in a folder, its state in the folder's `state`, its journal beside that."""
    config = config_of(folder, more='[journal]\npath = "journal.sqlite"\n')
    command = [sys.executable, "-m", "firmware_host", "record", "--config", config.source]
    home = os.environ | {"XDG_STATE_HOME": str(folder / "state"), "STATE_DIRECTORY": ""}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.long_but_first
def test_a_table_that_is_run_and_recorded_can_be_replayed_however_it_ends(
    end: signal.Signals, tmp_path: Path, say: Say
) -> None:
    with recording(tmp_path) as table:
        assert table.stdout is not None
        said = table.stdout.readline()
        assert said.startswith("Recording to ")
        tape = Path(said.removeprefix("Recording to ").partition(". It holds Mister X's secrets")[0])
        while tape.stat().st_size < 1000 or table.poll() is not None:
            assert table.poll() is None
        table.send_signal(end)
        assert table.wait(60) == (-signal.SIGKILL if end is signal.SIGKILL else 0)
    assert tape.parent == tmp_path / "state" / "yardboard" / "tapes"
    assert [path.stat().st_mode & 0o777 for path in (tape, tape.parent, tape.parent.parent)] == [0o600, 0o700, 0o700]
    status, out, err = say("replay", tape)
    assert (status, err) == (0, "")
    assert out.splitlines()[1].startswith("Alike: ")
    assert ("The tape is incomplete: " in out) is (end is signal.SIGKILL)


def test_a_tape_is_never_recorded_over(tmp_path: Path, say: Say, tape: Path) -> None:
    config, before = config_of(tmp_path, more='[journal]\npath = "journal.sqlite"\n'), tape.read_bytes()
    status, _, err = say("record", "--config", config.source, tape)
    assert (status, tape.read_bytes()) == (1, before)
    assert err == f"yardboard: {tape}: exists already and is not overwritten; name another file\n"


def test_a_table_is_run_without_a_tape_where_there_can_be_none_at_the_usual_place(tmp_path: Path) -> None:
    in_the_way = tmp_path / "state" / "yardboard" / "tapes"
    in_the_way.parent.mkdir(parents=True)
    in_the_way.touch()
    with recording(tmp_path) as table:
        assert table.stderr is not None
        assert table.stdout is not None
        log = []
        while not log or "event=ready" not in log[-1]:
            log.append(table.stderr.readline())
            assert log[-1], log
        table.terminate()
        assert table.wait() == 0
        assert table.stdout.read() == ""
    (told,) = [line for line in log if line.endswith("event=tape\n")]
    assert told.startswith(f"WARNING The table is not recorded: {in_the_way}/")
    assert f".tape: {in_the_way} is a file, not a folder; name another file\t" in told
    assert (tmp_path / "journal.sqlite").exists()


def test_a_tape_that_was_asked_for_by_name_and_cannot_be_made_is_refused(tmp_path: Path, say: Say) -> None:
    config = config_of(tmp_path, more='[journal]\npath = "journal.sqlite"\n')
    named = Path(config.source) / "a.tape"
    status, _, err = say("record", "--config", config.source, named)
    assert (status, err) == (1, f"yardboard: {named}: {config.source} is a file, not a folder; name another file\n")
    assert not (tmp_path / "journal.sqlite").exists()


def test_replay_says_that_all_is_alike(say: Say, tape: Path) -> None:
    status, out, err = say("replay", tape)
    assert (status, err) == (0, "")
    first, second, third = out.splitlines()
    assert first.startswith("Recorded 2023-11-14 ")
    assert second.startswith("Alike: ")
    assert second.endswith(" pictures.")
    assert third.startswith("  A pass reads ")


def test_replay_says_what_is_not_and_keeps_the_pictures(
    say: Say, tape: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handsets, "picture", lambda *_: None)
    status, out, _ = say("replay", tape, "--pictures", tmp_path / "kept")
    assert status == 1
    assert out.splitlines()[-1] == "  handset: another picture; --secret shows more of Mister X's screen"
    status, out, _ = say("replay", tape, "--secret", "--pictures", tmp_path / "kept")
    assert status == 1
    assert len(list((tmp_path / "kept").iterdir())) == 2
    assert out.count("Written: ") == 2


def test_what_an_error_says_is_told_to_those_alone_who_ask(
    say: Say, tape: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise LookupError("he is at 45")

    monkeypatch.setattr(Referee, "scene", fails)
    status, out, err = say("replay", tape)
    assert (status, err) == (1, "")
    assert "the software failed with LookupError in test_recording_commands.py, line " in out
    assert "45" not in out.splitlines()[-1]
    assert "  he is at 45\n" in say("replay", "--secret", tape)[1]


def test_a_session_is_told_second_by_second_from_a_public_tape_as_from_the_whole(
    say: Say, tape: Path, tmp_path: Path
) -> None:
    with tape.open("rb") as file:
        (tmp_path / "public.tape").write_bytes(public_tape(Tape(file, "a"), "a"))
    status, out, _ = say("replay", "--show", tape)
    assert (status, out) == say("replay", "--show", tmp_path / "public.tape")[:2]
    told = [line.partition(" s  ")[2] for line in out.splitlines()[1:]]
    for what in ("pressed table.taxi", "released table.taxi", "lamps: lost: the cable is unplugged", "lamps: back"):
        assert sum(line.startswith(what) for line in told) == 1, out
    assert sum(line.startswith("closed ") for line in told) >= 4
    assert "handset" not in out
    assert "pressed handset." in say("replay", "--show", "--secret", tape)[1]


def test_a_public_tape_is_no_game(say: Say, tape: Path, tmp_path: Path) -> None:
    with tape.open("rb") as file:
        (tmp_path / "public.tape").write_bytes(public_tape(Tape(file, "a"), "a"))
    status, _, err = say("replay", tmp_path / "public.tape")
    assert status == 2
    assert "holds only the public part, which cannot be replayed; list what happened with --show" in err


def test_a_report_is_shown_before_it_is_made(
    say: Say, tape: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = say("report", "--config", config_of(tmp_path).source, "--tape", tape, "--dry-run")
    assert status == 0
    assert "health: this table does not run here; start it, and try again\n" in err
    for part in ("versions.txt", "config.toml", "check.txt", "doctor.txt", "public.tape"):
        assert f"==== {part}, " in out
    assert 'rules = "classic"' in out
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"]


def test_a_report_on_a_configuration_that_is_wrong_says_what_is(say: Say, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[lamps]\nbrightness = 7\n", encoding="utf-8")
    status, out, err = say("report", "--config", wrong, "--dry-run")
    assert status == 1
    assert "[lamps] brightness: 7" in err
    assert "brightness = 7" in out
    assert "[lamps] brightness: 7" in out
    status, out, err = say("report", "--config", tmp_path / "gone.toml", "--dry-run")
    assert status == 1
    assert "gone.toml: there is no such file" in err
    assert "==== no-config.txt, " in out


def test_a_report_is_never_written_over_another(say: Say, tmp_path: Path) -> None:
    out = tmp_path / "report.zip"
    assert say("report", out)[0] == 0
    before = out.read_bytes()
    status, _, err = say("report", out)
    assert (status, err) == (1, f"yardboard: {out}: exists already and is not overwritten; name another file\n")
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("false", "false fails: status 1"),
        ("ls /nowhere/at/all", "ls fails: .*No such file or directory"),
        ("/nowhere/journalctl", "/nowhere/journalctl: there is no such program; install systemd"),
        (
            "echo -- No entries --",
            "this user may not read any line; use sudo, or join the group systemd-journal",
        ),
    ],
)
def test_why_there_is_no_log_of_the_service_is_told(command: str, why: str) -> None:
    with pytest.raises(MissingPart, match=f"^log: .*{why}$"):
        service_log(tuple(command.split()))
    assert service_log(("echo", "a line")) == b"a line\n"


def test_what_cannot_be_read_is_told_in_the_report_and_on_the_terminal(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))  # no journalctl there
    (tmp_path / NAME).write_text("torn", encoding="utf-8")
    status, _, err = say("report", "--config", config_of(tmp_path).source, tmp_path / "out.zip")
    assert status == 0
    health, log = err.splitlines()
    assert health == f"health: {tmp_path}/{NAME}: is damaged, or of another version of yardboard; restart the table"
    assert log == "log: journalctl: there is no such program; install systemd"
    with zipfile.ZipFile(tmp_path / "out.zip") as pack:
        assert pack.read("no-health.txt").decode() == f"{health}\n"
        assert pack.read("no-log.txt").decode() == f"{log}\n"


def test_a_report_that_was_made_by_sudo_belongs_to_whoever_asked_for_it(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whose = 65534 if os.geteuid() == 0 else os.geteuid()
    monkeypatch.setenv("SUDO_UID", str(whose))
    monkeypatch.setenv("SUDO_GID", str(whose))
    assert say("report", tmp_path / "out.zip")[0] == 0
    assert (tmp_path / "out.zip").stat().st_uid == whose
