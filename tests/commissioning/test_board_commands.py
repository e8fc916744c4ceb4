"""The words as they are typed: what is refused, and a real terminal in real time."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import cli
from firmware_host.commissioning.exercise_devices import END, Terminal
from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from tests.amount import amount

PATIENCE = 60.0
"""Seconds that a slow machine has for an answer."""


class AtTheTerminal:
    """A program at a terminal of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.told = folder / "told"
        self._screen, other = pty.openpty()
        command = [sys.executable, "-m", "tests.commissioning.real_time", str(self.told), *words]
        self.process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, start_new_session=True)
        os.close(other)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Reads on until a text has come; what was before it does not count again."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            read = self._read_until(end)
            assert read, f"{text!r} did not come: {self.seen!r}"
            self.seen += read.decode().replace("\r\n", "\n")
        self.seen = self.seen.partition(text)[2]

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def end(self) -> int:
        """Waits for its end; its status."""
        end = time.monotonic() + PATIENCE
        while read := self._read_until(end):
            self.seen += read.decode().replace("\r\n", "\n")
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._screen)

    def _read_until(self, end: float) -> bytes:
        """What comes next; nothing if its end has come."""
        ready = select.select([self._screen], [], [], max(0.0, end - time.monotonic()))[0]
        assert ready, f"nothing more came, nor its end: {self.seen!r}"
        try:
            return os.read(self._screen, 4096)
        except OSError:  # Linux's way of saying that the other end is closed
            return b""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dice.toml"
    path.write_text('# ours\n[game]\nrules = "dice"\n', encoding="utf-8")
    return path


@pytest.fixture
def started() -> Iterator[list[AtTheTerminal]]:
    programs: list[AtTheTerminal] = []
    yield programs
    for program in programs:
        program.close()


def test_a_log_is_learned_at_a_terminal(config: Path, tmp_path: Path, started: list[AtTheTerminal]) -> None:
    at = AtTheTerminal(tmp_path, "wiring", "learn", str(config), "--what", "log")
    started.append(at)
    for place in range(13):
        at.wait_for(f"{place + 1} of 13: lamp {36 + place} shines: type the number of its window in the log, or none")
        at.type(f"{13 - place}\n")
    at.wait_for("13 of 13 windows of the log have a lamp.")
    at.wait_for(f"Written to {config}: log.")
    assert at.end() == 0
    assert load(config).lamps.log == {window: 36 + 13 - window for window in range(1, 14)}
    assert config.read_text(encoding="utf-8").startswith('# ours\n[game]\nrules = "dice"\n\n[lamps.log]\n1 = 48\n')
    assert at.told.read_text() == "0 lamps, 0 screens"


def test_a_station_is_measured_at_a_terminal(config: Path, tmp_path: Path, started: list[AtTheTerminal]) -> None:
    at = AtTheTerminal(tmp_path, "measure", str(config))
    started.append(at)
    at.wait_for("Type the number of a station.")
    at.type("1\n")
    at.wait_for("Station 1 is open: move the pawn towards the middle until the switch closes")
    at.type("5.5\n")
    at.wait_for("the switch has not closed yet; move the pawn nearer")
    at.type("q\n")
    at.wait_for("Nothing is measured.")
    assert at.end() == 0
    assert at.told.read_text() == "0 lamps, 0 screens"
    assert not config.with_suffix(".measured.toml").exists()


@pytest.mark.parametrize("words", [["measure"], ["wiring", "learn", "--again"]], ids=" ".join)
def test_an_exercise_that_ends_while_its_switches_are_lost_has_failed(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes((shipped_files.folder() / "london-pico.toml").read_bytes())
    command = [sys.executable, "-m", "firmware_host", *words, str(file)]
    done = subprocess.run(command, input="q\n", text=True, capture_output=True, timeout=PATIENCE, check=False)
    assert "switches: lost: no answer from the Pico" in done.stdout
    assert done.returncode == 1
    assert done.stderr.endswith("ended while a device was lost; the line above names it: repair it and try again\n")


@pytest.mark.parametrize("how", ["control-c", "control-\\", "terminated", "terminal lost", "killed", "hung up"])
@pytest.mark.long_but_first
def test_whatever_ends_it_what_was_learned_is_kept_and_all_is_dark(
    config: Path, tmp_path: Path, started: list[AtTheTerminal], how: str
) -> None:
    at = AtTheTerminal(tmp_path, "wiring", "learn", str(config), "--what", "log")
    started.append(at)
    at.wait_for("1 of 13: ")
    at.type("w4\n")
    at.wait_for("2 of 13: ")
    match how:
        case "control-c":
            at.type("\x03")
        case "terminated":
            at.process.terminate()
        case "control-\\":
            at.process.send_signal(signal.SIGQUIT)
        case "terminal lost":
            at.process.send_signal(signal.SIGHUP)
        case "killed":
            at.process.kill()
        case "hung up":
            at.type("\x04")  # Control-D: the end of the input
    status = at.end()
    expected = {"control-c": 1, "terminated": 143, "killed": -signal.SIGKILL, "hung up": 0}  # main() makes 130 of 1
    expected |= {"control-\\": 131, "terminal lost": 129}
    assert status == expected[how]
    assert "4 = 36" in config.with_suffix(".learning.toml").read_text(encoding="utf-8")
    if how != "killed":
        assert at.told.read_text() == "0 lamps, 0 screens"
    if how in amount(["killed"], expected):
        again = AtTheTerminal(tmp_path, "wiring", "learn", str(config), "--what", "log")
        started.append(again)
        again.wait_for("1 of 12: lamp 37 shines")


@pytest.mark.long
def test_the_self_test_goes_on_at_enter_and_leaves_all_dark(
    config: Path, tmp_path: Path, started: list[AtTheTerminal]
) -> None:
    at = AtTheTerminal(tmp_path, "selftest", str(config), "--screens", "--lamps")
    started.append(at)
    at.wait_for("Lamps: 49 lamps")
    at.wait_for("  lamp 1: station ")
    at.type("\n")
    at.wait_for("Screens: handset and display show a frame")
    assert "Switches" not in at.seen
    at.type("\n")
    assert at.end() == 1
    assert at.told.read_text() == "0 lamps, 0 screens"
    results = at.seen.partition("Results:\n")[2]
    unseen = "all was sent; only you saw whether it was right"
    assert re.sub(r"\d of 49", "2 of 49", results.strip("\n")).split("\n") == [
        "  lamps: skipped after 2 of 49 lamps",
        f"  handset: {unseen}",
        f"  display: {unseen}",
        "Error: the self-test failed for lamps; the lines above say what to repair",
    ]


def test_a_self_test_in_which_all_is_good_ends_well(config: Path, tmp_path: Path, started: list[AtTheTerminal]) -> None:
    at = AtTheTerminal(tmp_path, "selftest", str(config), "--screens")
    started.append(at)
    at.wait_for("Enter, or the key confirm")
    at.type("\n")
    assert at.end() == 0


@pytest.mark.parametrize("words", [["selftest"], ["wiring", "learn"]])
@pytest.mark.long_but_first
def test_an_input_that_is_at_its_end_from_the_start_counts_as_q(
    config: Path, tmp_path: Path, started: list[AtTheTerminal], words: list[str]
) -> None:
    at = AtTheTerminal(tmp_path, *words, str(config))
    started.append(at)
    at.type("\x04")
    assert at.end() == (1 if words == ["selftest"] else 0)
    assert ("  keys: not tried" if words == ["selftest"] else "0 of 36 stations have an input.") in at.seen


@pytest.mark.parametrize("words", [["wiring", "learn"], ["selftest"]])
@pytest.mark.long_but_first
def test_output_that_nobody_reads_any_more_is_no_success_and_no_fault_of_a_file(
    config: Path, tmp_path: Path, words: list[str]
) -> None:
    screen, terminal = pty.openpty()
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "tests.commissioning.real_time", str(tmp_path / "told"), *words, str(config)]
    done = subprocess.run(
        command,
        stdin=terminal,
        stdout=write,
        stderr=subprocess.PIPE,
        start_new_session=True,
        timeout=PATIENCE,
        check=False,
    )
    for handle in (screen, terminal, write):
        os.close(handle)
    assert done.returncode != 0
    assert b"cannot be written" not in done.stderr


def test_a_file_that_could_not_be_written_is_named_with_what_to_do_before_anything_is_asked(
    config: Path, tmp_path: Path, started: list[AtTheTerminal]
) -> None:
    long = config.rename(tmp_path / ("x" * 240 + ".toml"))  # its notes would have a name that no disk takes
    at = AtTheTerminal(tmp_path, "wiring", "learn", str(long))
    started.append(at)
    assert at.end() == 1
    assert "1 of 36" not in at.seen
    told = " ".join(at.seen.split())
    assert f"{long.with_suffix('.learning.toml')}: the name is too long; see that you may write" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--only", "1,99"], "--only: '99' is no station of "),
        (["--only", "1,,2"], "--only: '' is no station of "),
        (["--what", "log", "--only", "14"], "--only: '14' is no window of the log of "),
        (["--only", "1", "--again"], "--only and --again: only one of them; leave one out"),
        (["--what", "keys"], "'keys' is not one of"),
        ([], "names no device, so the whole board would be simulated; write its drivers"),
    ],
)
def test_what_cannot_be_learned_is_refused(config: Path, words: list[str], told: str) -> None:
    done = CliRunner().invoke(cli, ["wiring", "learn", str(config), *words])
    assert done.exit_code != 0
    assert told in re.sub(r"\s+", " ", done.output)


def test_a_configuration_that_is_none_is_refused_with_its_mistakes(config: Path) -> None:
    config.write_text("[game]\nruels = 3\n", encoding="utf-8")
    for words in (["wiring", "learn"], ["selftest"]):
        done = CliRunner().invoke(cli, [*words, str(config)])
        assert done.exit_code == 1
        assert "did you mean rules?" in done.output


def test_a_terminal_gives_lines_as_they_come_and_the_end_once() -> None:
    read, write = os.pipe()
    terminal = Terminal(read)
    assert terminal.lines(0) == []
    os.write(write, b"5")
    assert terminal.lines(0) == []
    os.write(write, "8\n\nw3\nü".encode())
    assert terminal.lines(10) == ["58", "", "w3"]
    os.write(write, b"\xff\n")
    assert terminal.lines(10) == ["ü\N{REPLACEMENT CHARACTER}"]
    os.close(write)
    assert terminal.lines(10) == [END]
    assert terminal.lines(0) == []
    os.close(read)


def test_a_terminal_that_is_closed_is_at_its_end() -> None:
    read, write = os.pipe()
    os.close(write)
    os.close(read)
    terminal = Terminal(read)
    assert terminal.lines(10) == [END]
    assert terminal.lines(0) == []
