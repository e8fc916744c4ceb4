"""The command as a user types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

COMMAND = [sys.executable, "-m", "firmware_host"]


def yardboard(*words: str, folder: Path | None = None, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == status, done.stderr
    return done


@pytest.mark.parametrize("word", ["", "run", "sim", "demo", "soak", "bench", "check-config", "config-reference"])
def test_every_word_has_help(word: str) -> None:
    helped = yardboard(*filter(None, [word]), "--help").stdout
    assert helped.startswith("Usage: yardboard")
    assert len(helped.splitlines()) > 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dance"], "No such command 'dance'"),
        (["demo", "--sped", "3"], "No such option '--sped'"),
        (["demo", "--rules", "chess"], "'chess' is not 'classic'"),
        (["demo", "--speed", "0"], "0.0 is not in the range"),
        (["demo", "--seed", "x"], "'x' is not a valid integer"),
        (["demo", "--picture", "board.gif"], "name it .png or .svg"),
        (["soak", "--games", "0"], "0 is not in the range"),
        (["run"], "Missing option '--config'"),
        (["sim"], "Say --stdio"),
        (["check-config"], "Missing argument 'FILE'"),
    ],
)
def test_a_bad_argument_gets_one_clear_line_and_a_status_of_2(words: list[str], told: str) -> None:
    done = yardboard(*words, status=2)
    assert done.stdout == ""
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_demo_plays_a_whole_game_and_leaves_a_picture(tmp_path: Path) -> None:
    told = yardboard("demo", "--fast", "--seed", "4", folder=tmp_path).stdout
    assert "window 1: Mister X moves by" in told
    assert "His route:" in told
    assert told.splitlines()[-1] == "The board at the end: yardboard-demo.png"
    with Image.open(tmp_path / "yardboard-demo.png") as picture:
        assert picture.width == 1600


def test_the_same_seed_gives_the_same_demo_and_rough_hands_play_it_too(tmp_path: Path) -> None:
    words = ("demo", "--fast", "--seed", "11", "--rough", "--picture", "board.svg")
    first, second = (yardboard(*words, folder=tmp_path).stdout for _ in range(2))
    assert first == second
    assert (tmp_path / "board.svg").read_text().startswith("<")


def test_until_the_end_the_commentary_names_his_station_only_when_he_shows_himself(tmp_path: Path) -> None:
    told = yardboard("demo", "--fast", "--seed", "4", folder=tmp_path).stdout.splitlines()
    for line in told:
        if "Mister X" in line and "wins" not in line and "caught" not in line and "win." not in line:
            assert "Mister X moves by" in line or "shows himself" in line or "announces" in line, line
            assert "shows himself" in line or not any(word.isdecimal() for word in line.split("by")[-1].split()), line


def test_a_picture_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    done = yardboard("demo", "--fast", "--seed", "4", "--picture", "no/such/folder.png", folder=tmp_path, status=1)
    assert done.stderr == "yardboard: no/such/folder.png: cannot be written: No such file or directory\n"


def test_soak_tells_how_the_games_went() -> None:
    told = yardboard("soak", "--games", "2", "--seed", "5", "--jobs", "1").stdout
    assert told.startswith("2 games of classic")
    assert "faults: 0" in told


def test_check_config_says_good_or_everything_that_is_wrong(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("[game]\nplayers = 4\n")
    bad.write_text('[game]\nplayers = 9\nrule = "classic"\n[lamps]\nbrightness = "high"\n')
    assert "good: classic, 4 players" in yardboard("check-config", str(good)).stdout
    told = yardboard("check-config", str(bad), status=1).stderr
    assert [f"{bad}: [game] players" in told, f"{bad}: [game] rule" in told, f"{bad}: [lamps] brightness" in told] == [
        True
    ] * 3


def test_the_reference_names_every_section() -> None:
    told = yardboard("config-reference").stdout
    assert all(f"[{section}]" in told for section in ("game", "map", "switches", "lamps", "handset", "timing"))
    markdown = yardboard("config-reference", "--markdown").stdout
    assert markdown == (Path(__file__).parents[1] / "docs" / "configuration.md").read_text()


def started(folder: Path) -> subprocess.Popen[str]:
    """A table that is being run, with its journal in a folder."""
    config = folder / "table.toml"
    config.write_text('[journal]\npath = "journal.sqlite"\n')
    table = subprocess.Popen([*COMMAND, "run", "--config", str(config)], stderr=subprocess.PIPE, text=True)
    assert table.stderr is not None
    while "Ready" not in (line := table.stderr.readline()):
        assert line, "the table ended before it was ready"
    return table


def test_a_table_that_is_run_ends_at_once_when_told_to_and_goes_on_when_started_again(tmp_path: Path) -> None:
    table = started(tmp_path)
    table.send_signal(signal.SIGTERM)
    _, told = table.communicate(timeout=10)
    assert table.returncode == 0, told
    assert (tmp_path / "journal.sqlite").stat().st_mode & 0o777 == 0o600
    again = started(tmp_path)
    again.kill()
    _, told = again.communicate(timeout=10)
    third = started(tmp_path)
    third.send_signal(signal.SIGINT)
    third.communicate(timeout=10)
    assert third.returncode == 130


def test_a_foreign_journal_is_named_and_kept_aside(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_text("my diary")
    table = started(tmp_path)
    table.send_signal(signal.SIGTERM)
    table.communicate(timeout=10)
    kept = list(tmp_path.glob("journal.sqlite.*.aside"))
    assert [path.read_text() for path in kept] == ["my diary"]


def test_a_journal_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[journal]\npath = "/proc/journal.sqlite"\n')
    done = yardboard("run", "--config", str(config), status=1)
    assert "/proc/journal.sqlite" in done.stderr
    assert done.stderr.count("\n") == 1


def test_whoever_stops_listening_ends_the_reference_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMMAND, "config-reference"], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert done.stderr == ""
