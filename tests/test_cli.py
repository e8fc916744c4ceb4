"""The command as a user types it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from pwd import getpwuid

import pytest
from click import Context
from PIL import Image

from firmware_host.cli import HELP_SECTIONS, cli, main
from tests.commands import COMMAND, started, yardboard


@pytest.mark.parametrize("word", ["", "run", "sim", "demo", "bench", "check-config", "config-reference"])
def test_every_word_has_help(word: str) -> None:
    helped = yardboard(*filter(None, [word]), "--help").stdout
    assert helped.startswith("Usage: yardboard")
    assert len(helped.splitlines()) > 4


def test_the_help_lists_every_word_once_in_groups_those_for_playing_first() -> None:
    helped = yardboard("--help").stdout
    assert sorted(name for names in HELP_SECTIONS.values() for name in names) == cli.list_commands(Context(cli))
    headings = [line.removesuffix(":") for line in helped.splitlines() if line.endswith(":")]
    assert headings == ["Options", "Play", "Set up a board", "Look after a table", "Develop"]
    assert helped.index("\n  sim ") < helped.index("\n  wiring ") < helped.index("\n  bench ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dance"], "yardboard: dance: there is no such command; known are backup, bench, "),
        (["simm"], "yardboard: simm: there is no such command; did you mean sim? (see yardboard --help)"),
        (["demo", "--sped", "3"], "yardboard demo: --sped: there is no such option; did you mean --speed?"),
        (["demo", "--zzz"], "--zzz: there is no such option; known are --config, --rules, --seed, "),
        (["demo", "--rules", "chess"], "--rules: 'chess' is not one of 'beginners', 'classic', 'current'"),
        (["demo", "--speed", "0"], "--speed: 0.0 is not a number from 0.1 to 100 ("),
        (["demo", "--seed", "x"], "--seed: 'x' is not a whole number ("),
        (["sim", "--port", "99999"], "--port: 99999 is not a whole number from 0 to 65535 ("),
        (["tournament", "easy", "--games", "1"], "--games: 1 is not a whole number from 2 up ("),
        (["make", "case", "x.toml", "--screen-board", "5x5", "3"], "--screen-board: '5x5' is not a number ("),
        (
            ["make", "case", "x.toml", "--screen-board", "5"],
            "its value is missing; write 2 numbers after --screen-board",
        ),
        (["demo", "--config", "/"], "--config: '/' is a folder; name a file ("),
        (
            ["demo", "--config"],
            "yardboard demo: --config: its value is missing; write it after --config (see yardboard demo --help)",
        ),
        (["demo", "--fast=3"], "--fast: takes no value; write --fast alone ("),
        (["demo", "3"], "3: one argument too many; leave it out ("),
        (["demo", "--picture", "board.gif"], "must end in .png or .svg"),
        (
            ["demo", "--expert", "--rules", "dice"],
            "--expert: cannot play dice; it plays classic, current",
        ),
        (["run"], "yardboard run: --config: is missing; write --config FILE ("),
        (["sim", "--stdio", "--open"], "--open: is for the table in the browser; leave --open or --stdio out ("),
        (["sim", "--stdio", "--port", "80"], "--port: is for the table in the browser; leave --port or --stdio out ("),
        (["demo", "--fast", "--speed", "3"], "--fast and --speed: only one of them; leave one out ("),
        (["config-reference", "--markdown", "--json-schema"], "--markdown and --json-schema: only one of them; leave"),
        (["tournament", "easy", "hard", "--players", "9"], "--players: 9 is out of range; classic is for 3 to 6 ("),
        (["tournament", "easy", "hard", "--option", "foo=1"], "--option: unknown option 'foo' of classic, which has"),
        (["check-config"], "FILE: is missing; write yardboard check-config [OPTIONS] FILE ("),
    ],
)
def test_a_bad_argument_gets_one_clear_line_and_a_status_of_2(words: list[str], told: str) -> None:
    done = yardboard(*words, status=2)
    assert done.stdout == ""
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_demo_plays_a_whole_game_and_leaves_a_picture(tmp_path: Path) -> None:
    told = started("demo", "--fast", "--seed", "4", folder=tmp_path).stdout
    assert "move 1: Mister X moves by" in told
    assert "His route:" in told
    assert told.splitlines()[-1] == "The board at the end: yardboard-demo.png"
    with Image.open(tmp_path / "yardboard-demo.png") as picture:
        assert picture.width == 1600
    for line in told.splitlines():  # until the end his station is named only when he shows himself
        if "Mister X" in line and "wins" not in line and "caught" not in line and "win." not in line:
            assert "Mister X moves by" in line or "shows himself" in line or "announces" in line, line
            assert "shows himself" in line or not any(word.isdecimal() for word in line.split("by")[-1].split()), line


@pytest.mark.long
def test_demo_plays_at_the_table_of_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[game]\nrules = "junior"\nplayers = 2\n')
    told = started("demo", "--config", "table.toml", "--fast", "--seed", "4", folder=tmp_path).stdout
    assert told.startswith("yardboard demo --config table.toml --seed 4\n")
    assert "His route:" in told or "wins" in told or "win." in told


@pytest.mark.long
def test_the_same_seed_gives_the_same_demo_and_rough_hands_play_it_too(tmp_path: Path) -> None:
    words = ("demo", "--fast", "--seed", "11", "--rough", "--picture", "board.svg")
    assert started(*words, folder=tmp_path).stdout == yardboard(*words, folder=tmp_path).stdout
    assert (tmp_path / "board.svg").read_text().startswith("<")


def test_a_picture_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    done = yardboard("demo", "--fast", "--seed", "4", "--picture", "no/such/folder.png", folder=tmp_path, status=1)
    assert (
        done.stderr
        == "yardboard: --picture: no/such/folder.png: there is no folder no/such; create it, or name another file\n"
    )


SIMULATED = '[switches]\ndriver = "sim"\n'


@pytest.mark.parametrize("content", ["", "\n\n", "[game]\nplayers = 4\n", '[handset]\ndriver = "none"\n'])
@pytest.mark.parametrize("word", ["run", "record"])
def test_a_table_whose_file_names_no_device_is_refused(word: str, content: str, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(content)
    said = yardboard(word, "--config", config, status=1).stderr
    assert said.count("\n") == 1
    assert (
        f"{config}: names no device, so the whole board would be simulated; write its drivers, such as [switches]"
        in said
    )
    assert 'or driver = "sim" under [switches] for a simulated table' in said
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"], "no journal, no recording"


def test_other_commands_say_that_a_file_without_a_device_is_no_board(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("")
    for word in (["doctor", config], ["dark", "--config", config]):
        assert "names no device" in yardboard(*word, status=1).stderr
    checked = yardboard("check-config", config)
    assert checked.stdout.startswith(f"{config}: good: ")
    what = "names no device, so only `yardboard sim` can use it; for a real table write its drivers, such as "
    assert checked.stderr.startswith(f"{config}: {what}")
    assert checked.stderr.count("\n") == 1
    config.write_text(SIMULATED)
    assert yardboard("check-config", config).stderr == ""


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A table that is being run, with its journal in a folder; it is gone afterwards, whatever happened."""
    config = folder / "table.toml"
    config.write_text(f'{SIMULATED}[journal]\npath = "journal.sqlite"\n')
    with subprocess.Popen([*COMMAND, "run", "--config", str(config)], stderr=subprocess.PIPE, text=True) as table:
        try:
            assert table.stderr is not None
            while "Ready" not in (line := table.stderr.readline()):
                assert line, "the table ended before it was ready"
            yield table
        finally:
            table.kill()


def told_to_end(table: subprocess.Popen[str], how: signal.Signals) -> int:
    table.send_signal(how)
    return table.wait(timeout=60)


def test_a_table_that_is_run_ends_when_told_to_and_goes_on_when_started_again(tmp_path: Path) -> None:
    with running(tmp_path) as table:
        assert told_to_end(table, signal.SIGTERM) == 0
    assert (tmp_path / "journal.sqlite").stat().st_mode & 0o777 == 0o600
    with running(tmp_path) as table:
        assert told_to_end(table, signal.SIGKILL) == -signal.SIGKILL
    with running(tmp_path) as table:
        assert told_to_end(table, signal.SIGINT) == 130


def test_the_journal_of_a_table_that_is_run_has_the_time_of_day(tmp_path: Path) -> None:
    with running(tmp_path) as table:
        told_to_end(table, signal.SIGTERM)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        assert all(at > 1_600_000_000 for (at,) in journal.execute("SELECT at FROM entries"))


def test_a_foreign_journal_is_named_and_kept_aside(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_text("my diary")
    with running(tmp_path) as table:
        told_to_end(table, signal.SIGTERM)
    kept = list(tmp_path.glob("journal.sqlite.*.aside"))
    assert [path.read_text() for path in kept] == ["my diary"]


def test_what_is_no_file_is_never_set_aside(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").mkdir()
    (tmp_path / "table.toml").write_text(f'{SIMULATED}[journal]\npath = "journal.sqlite"\n')
    done = yardboard("run", "--config", tmp_path / "table.toml", status=1)
    assert "is not a regular file" in done.stderr
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["journal.sqlite"]


def another_map(folder: Path) -> Path:
    """The configuration of a simulated service whose journal has a game in play on another map."""
    config = folder / "table.toml"
    config.write_text(SIMULATED)
    with service("run", "--config", str(config), folder=folder) as table:
        told_to_end(table, signal.SIGTERM)
    config.write_text(f'{SIMULATED}[map]\nremove = ["taxi 1-8"]\n')
    return config


@contextmanager
def service(*words: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A table that keeps its journal where a service does, ready to be played."""
    place = {**os.environ, "STATE_DIRECTORY": str(folder / "state")}
    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True, env=place) as table:
        try:
            assert table.stderr is not None
            while "Ready" not in (line := table.stderr.readline()):
                assert line, "the table ended before it was ready"
            yield table
        finally:
            table.kill()


def test_a_service_that_cannot_go_on_with_its_game_says_how_another_is_begun_and_so_it_is(tmp_path: Path) -> None:
    config = another_map(tmp_path)
    place = {**os.environ, "STATE_DIRECTORY": str(tmp_path / "state"), "INVOCATION_ID": "1"}
    again = [*COMMAND, "run", "--config", str(config)]
    told = subprocess.run(again, capture_output=True, text=True, check=False, env=place).stderr
    said, _, way = told.rpartition(": ")
    assert "cannot be replayed" in said
    assert said.endswith("; to begin another stop the service, run until it is ready, and start it again")
    sudo, _, user, env, state, program, *words = shlex.split(way)
    assert (sudo, user, env, state) == (
        "sudo",
        getpwuid(os.geteuid()).pw_name,
        "env",
        f"STATE_DIRECTORY={place['STATE_DIRECTORY']}",
    )
    assert program.endswith("__main__.py")
    for run in (words, again[len(COMMAND) :]):
        with service(*run, folder=tmp_path) as table:
            assert told_to_end(table, signal.SIGINT) == 130


def test_elsewhere_the_word_itself_can_be_said_again(tmp_path: Path) -> None:
    config = another_map(tmp_path)
    config.write_text(f'{config.read_text()}[journal]\npath = "state/journal.sqlite"\n')
    assert yardboard("run", "--config", config, status=1).stderr.endswith("; --new begins another game\n")


def test_what_keeps_a_service_from_its_work_is_an_error_in_the_systems_journal(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('[game]\nplayers = 9\nrule = "classic"\n')
    (tmp_path / "board.toml").write_text(f'{SIMULATED}[journal]\npath = "/proc/journal.sqlite"\n')
    for words in (["run", "--config", "bad.toml"], ["run", "--config", "board.toml"], ["run"]):
        with (tmp_path / "journal").open("w+") as journal:
            file = os.fstat(journal.fileno())
            place = {**os.environ, "JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino}"}
            assert subprocess.run([*COMMAND, *words], check=False, stderr=journal, cwd=tmp_path, env=place).returncode
            journal.seek(0)
            told = journal.read().splitlines()
        assert told
        assert all(line.startswith("<3>") for line in told), told


def test_a_journal_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f'{SIMULATED}[journal]\npath = "/proc/journal.sqlite"\n')
    done = yardboard("run", "--config", config, status=1)
    assert "/proc/journal.sqlite" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_log_for_programs_has_what_keeps_the_table_from_being_run(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f'{SIMULATED}[log]\nform = "json"\n[journal]\npath = "/proc/journal.sqlite"\n')
    told = started("run", "--config", config, status=1).stderr.splitlines()
    said = json.loads(told[-1])
    assert (said["level"], said["event"], said["kind"]) == ("critical", "refused", "UnwritableJournal")
    assert "/proc/journal.sqlite" in said["text"]
    assert all(json.loads(line) for line in told)
    assert [json.loads(line)["event"] for line in told].count("refused") == 1


def test_whoever_stops_listening_ends_the_reference_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMMAND, "config-reference"], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert done.stderr == ""


def test_an_expert_demo_without_its_packages_begins_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("firmware_host.cli.find_spec", lambda name: None if name == "numba" else name)
    with pytest.raises(SystemExit, match="1"):
        main(["demo", "--expert", "--fast"])
    said = capsys.readouterr()
    command = f"{sys.executable} -m pip install '.[players]' in yardboard's folder"
    assert (said.out, said.err) == ("", f"yardboard: --expert needs numba; install with: {command}\n")
    assert list(tmp_path.iterdir()) == []


def test_compiling_without_its_packages_names_the_environments_own_pip(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware_host.players.protocol.player_session.can_search", lambda: False)
    with pytest.raises(SystemExit, match="1"):
        main(["player", "--compile"])
    command = f"{sys.executable} -m pip install '.[players]' in yardboard's folder"
    assert f"player --compile needs the search; install it with: {command}; " in capsys.readouterr().err


@pytest.mark.parametrize(("name", "below"), [("HOME", "/.local/state"), ("XDG_STATE_HOME", "")])
def test_where_no_folder_can_be_made_the_error_says_how_to_choose_another(
    monkeypatch: pytest.MonkeyPatch, name: str, below: str
) -> None:
    for other in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, "/proc/nowhere")
    said = yardboard("sim", "--port", "0", status=1).stderr
    folder = f"/proc/nowhere{below}/yardboard"
    reason = f"there is no folder {folder}; create it, or choose another place with [journal] path or XDG_STATE_HOME"
    assert said == f"yardboard: journal {folder}/journal.sqlite: {reason}\n"


FILES = {"bad.toml": "[game]\nplayers = 3\nplayers = 4\n", "simulated.toml": "", "words.txt": "x"}
READ_A_CONFIGURATION = (
    "run --config", "sim --stdio --config", "dark --config", "record --config", "check-config", "doctor", "selftest",
    "measure", "wiring draw", "wiring learn", "health --config", "handset-link --config", "report --dry-run --config",
    "setup --dry-run --config",
)  # fmt: skip
NO_CONFIGURATION = {
    "bad.toml": 'bad.toml: line 3, column 12: "players" is set twice; keep one of them',
    "missing.toml": "missing.toml: there is no such file; check its name and its folder",
}
NO_HARDWARE = "simulated.toml: names no device, so the whole board would be simulated; write its drivers"
NO_TAPE = "words.txt: is not a tape; name a file that `yardboard record` has written"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        *((f"{word} {file}", told) for word in READ_A_CONFIGURATION for file, told in NO_CONFIGURATION.items()),
        ("sim --host 256.1.1.1 --port 0", "cannot listen on 256.1.1.1, port 0"),
        ("demo --picture nowhere/out.png", "--picture: nowhere/out.png: there is no folder nowhere"),
        (
            "config new moon x.toml",
            'BUILD: there is no configuration "moon"; write one of dice-matrix, junior-a3, junior-gpio, ',
        ),
        ("config new london-spi bad.toml", "bad.toml: exists already; name another file"),
        ("wiring draw simulated.toml", NO_HARDWARE),
        ("wiring learn simulated.toml", NO_HARDWARE),
        ("selftest simulated.toml", NO_HARDWARE),
        ("measure simulated.toml", NO_HARDWARE),
        ("handset-link --config simulated.toml", "Mister X's phone is off; write phone = true in [handset]"),
        ("report --tape words.txt", NO_TAPE),
        ("report --tape missing.tape", "missing.tape: there is no such file; check its name"),
        ("report --config simulated.toml words.txt", "words.txt: exists already and is not overwritten"),
        ("replay words.txt", NO_TAPE),
        ("replay missing.tape", "missing.tape: there is no such file; check its name"),
        ("setup --dry-run", "etc/yardboard/table.toml: there is no such file; use --config FILE"),
    ],
)
def test_a_file_or_place_that_will_not_do_is_named_with_what_is_wrong(tmp_path: Path, words: str, told: str) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    done = yardboard(*words.split(), folder=tmp_path, status=(1, 2))
    assert told in done.stderr
    assert "Traceback" not in done.stderr
