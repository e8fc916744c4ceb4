"""`make run`: how it sets everything up, how it begins at a terminal, and how it ends."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

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
    """What the terminal has shown when `make run` is over; Control-C is typed as soon as the address is shown."""
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
            if not typed and b"Ctrl-C" in shown:
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
        assert "seat#" not in shown
    journal = checkout / "state" / "yardboard" / "journal.sqlite"
    assert "goes on" not in first
    assert f"The game of classic in {journal} goes on; --new begins another." in second


PIP = """#!/bin/sh
case "$*" in -m\\ pip*) echo "pip $*" >>installs; {does} ;; esac
"""
PYTHON = """#!/bin/sh
[ "$2" != venv ] || { mkdir -p .venv/bin; cp pip .venv/bin/python; cp table .venv/bin/yardboard; }
"""
NOISE = "WARNING: Retrying (Retry(total=4)) after connection broken by NewConnectionError()"


class FreshClone:
    """A folder in which nothing is set up, with a Python and perhaps a uv that only note what they have to install."""

    def __init__(self, folder: Path, pip: str = "", uv: str | None = None) -> None:
        self.folder, tools = folder, folder / "tools"
        tools.mkdir()
        for name in ("Makefile", "pyproject.toml", "requirements-dev.txt"):
            shutil.copy(ROOT / name, folder)
        scripts = {
            "pip": PIP.format(does=pip or ":"),
            "table": "#!/bin/sh\necho table runs\n",
            "tools/python3": PYTHON,
        }
        if uv is not None:
            scripts["tools/uv"] = f'#!/bin/sh\necho "uv $*" >>installs; {uv}\n'
        for name, script in scripts.items():
            (folder / name).write_text(script)
            (folder / name).chmod(0o755)
        self._environ = {"PATH": f"{tools}:/usr/bin:/bin"}

    def make(self, *words: str) -> tuple[int, list[str]]:
        """Make something; return the status and the lines that are shown."""
        done = subprocess.run(
            ["make", "--no-print-directory", *words],  # noqa: S607 - the make that everybody has
            cwd=self.folder, env=self._environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout.splitlines()

    def installs(self) -> list[str]:
        """Return who installs, and what, of each install."""
        lines = (self.folder / "installs").read_text().splitlines()
        return [re.sub(r"^(pip|uv) .*?(?=--requirement|--editable)", r"\1 ", line) for line in lines]


def test_the_first_start_says_in_one_line_what_is_done_and_installs_once(tmp_path: Path) -> None:
    clone = FreshClone(tmp_path, pip="echo Collecting click")
    assert clone.make("run") == (
        0,
        ["Setting yardboard up in .venv: 10 to 30 seconds, and only this once.", "table runs"],
    )
    assert clone.make("run") == (0, ["table runs"])
    assert clone.installs() == ["pip --editable .[web]"]


@pytest.mark.parametrize(
    ("uv", "installs"),
    [("exit 0", ["uv --editable .[web]"]), ("exit 2", ["uv --editable .[web]", "pip --editable .[web]"])],
)
def test_uv_installs_where_it_is_there_and_pip_where_uv_does_not_get_through(
    tmp_path: Path, uv: str, installs: list[str]
) -> None:
    clone = FreshClone(tmp_path, uv=uv)
    assert clone.make("run")[0] == 0
    assert clone.installs() == installs


def test_without_a_network_the_last_line_names_it_and_the_noise_of_pip_stays_in_its_log(tmp_path: Path) -> None:
    status, shown = FreshClone(tmp_path, pip=f"echo '{NOISE}'; exit 1").make("run")
    assert status != 0
    reason = "is this machine in a network? Connect it and run make again (.venv/set-up.log has the details)."
    assert shown[1] == f"Packages cannot be fetched: {reason}"
    assert shown[2].startswith("make: *** ")
    assert len(shown) == 3
    assert NOISE in (tmp_path / ".venv" / "set-up.log").read_text()


def test_another_failure_shows_its_last_lines_and_the_next_call_tries_again(tmp_path: Path) -> None:
    clone = FreshClone(tmp_path, pip="seq 100; echo 'ERROR: no space left on device'; exit 1")
    for _ in range(2):
        status, shown = clone.make("run")
        assert status != 0
        assert shown[1:7] == [
            "97", "98", "99", "100", "ERROR: no space left on device",
            "Yardboard could not be set up; .venv/set-up.log has the rest.",
        ]  # fmt: skip
    assert clone.installs() == ["pip --editable .[web]"] * 2


def test_what_the_tests_need_is_installed_at_once_and_is_enough_to_play(tmp_path: Path) -> None:
    clone = FreshClone(tmp_path)
    assert clone.make(".venv/.ready")[0] == 0
    assert clone.make("run") == (0, ["table runs"])
    assert clone.installs() == ["pip --requirement requirements-dev.txt --editable .[make,mqtt,tournament,web]"]


def test_every_job_of_the_workflow_calls_targets_of_the_makefile() -> None:
    [job] = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8"))["jobs"].values()
    assert job["steps"][-1] == {"run": "make ${{ matrix.target }}"}
    matrix = job["strategy"]["matrix"]
    called = {
        target
        for targets in (*matrix["target"], *(one["target"] for one in matrix["include"]))
        for target in targets.split()
    }
    assert called >= {"lint", "types", "contracts", "test", "soak", "kernel-test"}
    assert called <= set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_each_hook_before_a_commit_runs_a_program_of_the_environment() -> None:
    [local] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    programs = [hook["entry"].split()[0] for hook in local["hooks"]]
    assert local["repo"] == "local"
    assert programs == [f".venv/bin/{name}" for name in ("ruff", "ruff", "mypy", "codespell")]
