"""`make run` at a terminal: how it begins, and how it ends."""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIMIT = 90.0  # seconds; a slow machine takes a tenth of them


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder in which all is set up: the Makefile, and this very program."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    program = tmp_path / ".venv" / "bin" / "yardboard"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m firmware_host "$@"\n')
    program.chmod(0o755)
    (tmp_path / ".venv" / ".playable").touch()
    return tmp_path


def left_with_control_c(checkout: Path, words: str = "") -> str:
    """What the terminal has shown when `make run` is over; Control-C is typed as soon as it tells the address."""
    process, terminal = pty.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.chdir(checkout)
        os.environ["XDG_STATE_HOME"] = str(checkout / "state")
        os.execvp("make", ["make", "run", f"ARGS=--port 0 {words}"])  # noqa: S606, S607 - the make that everybody has
    shown, typed, until = b"", False, time.monotonic() + LIMIT
    try:
        while time.monotonic() < until:
            if not select.select([terminal], [], [], 1.0)[0]:
                continue
            try:
                more = os.read(terminal, 65536)
            except OSError:  # Linux tells so that nobody has the terminal open any more
                return shown.decode(errors="replace")
            shown += more
            if not typed and b"seat#" in shown:
                os.write(terminal, b"\x03")
                typed = True
        raise AssertionError(shown.decode(errors="replace"))
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def test_a_game_is_left_with_control_c_without_an_error_and_the_next_start_says_where_it_goes_on(
    checkout: Path,
) -> None:
    first, second = left_with_control_c(checkout, "--new"), left_with_control_c(checkout)
    for shown in (first, second):
        assert "Error" not in shown
        assert "***" not in shown
        assert "Traceback" not in shown
    journal = checkout / "state" / "yardboard" / "journal.sqlite"
    assert "goes on" not in first
    assert f"The game of classic in {journal} goes on; --new begins another." in second
