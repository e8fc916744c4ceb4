"""What is in the memory of a table stays there: no core file, and nobody of the same user looks into it."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.secrecy.canary import Place
from tests.web.programs import Program

NOBODY = 65534

_HELD = """
import ctypes, os, resource, sys
from firmware_host.system.process import keep_memory_to_itself
if os.geteuid() == 0:
    os.setuid(NOBODY)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as it is for a program that was started by this user
most = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (most, most))
if sys.argv[1] == "kept":
    keep_memory_to_itself()
    keep_memory_to_itself()
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), *resource.getrlimit(resource.RLIMIT_CORE), flush=True)
sys.stdin.read()
if sys.argv[2:] == ["abort"]:
    os.abort()
""".replace("NOBODY", str(NOBODY))

_LOOK = """
import os, sys
if os.geteuid() == 0:
    os.setuid(NOBODY)
try:
    found = b"CANARY=" in open(f"/proc/{sys.argv[1]}/environ", "rb").read()
except PermissionError:
    found = None
print(found)
""".replace("NOBODY", str(NOBODY))


@contextmanager
def held(*words: str, cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """A process of an ordinary user that keeps its memory to itself or does not, until its input ends."""
    environ = {**os.environ, "CANARY": "70045", "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", _HELD, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environ,
    ) as process:
        yield process


def seen(process: int) -> str:
    """What another process of the same user sees of its environment: "True", "False", or "None" if it may not look."""
    done = subprocess.run([sys.executable, "-c", _LOOK, str(process)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_others_of_the_same_user_do_not_look_into_it() -> None:
    for words, looks in (("open", "True"), ("kept", "None")):
        with held(words) as process:
            assert process.stdout is not None
            dumpable, soft, hard = process.stdout.readline().split()
            assert seen(process.pid) == looks
            if words == "kept":
                assert (dumpable, soft, hard) == ("0", "0", "0")
            process.communicate("")


def _cores_lie_beside() -> bool:
    """Whether this machine leaves core files where a program works, as long as nothing forbids it."""
    pattern = Path("/proc/sys/kernel/core_pattern").read_text(encoding="utf-8")
    return not pattern.startswith(("|", "/")) and resource.getrlimit(resource.RLIMIT_CORE)[1] != 0


def test_a_crash_leaves_no_core(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    for words in ("open", "kept"):
        with held(words, "abort", cwd=tmp_path) as process:
            process.communicate("")
        assert process.returncode == -signal.SIGABRT
        cores = list(tmp_path.iterdir())
        assert bool(cores) == (words == "open" and _cores_lie_beside())
        for core in cores:
            core.unlink()


@pytest.mark.parametrize("words", [("run",), ("record",), ("sim", "--port", "0")])
@pytest.mark.long_but_first
def test_every_table_that_people_play_at_keeps_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    place = Place(tmp_path)
    with Program(*words, "--config", str(place.config), home=place.folder / "work", environ=place.environ) as table:
        table.line("Ready: |The table: ")
        limits = Path(f"/proc/{table.process.pid}/limits").read_text(encoding="ascii")
        core = next(line.split()[4:6] for line in limits.splitlines() if line.startswith("Max core file size"))
        assert core == ["0", "0"]
        assert Path(f"/proc/{table.process.pid}/environ").stat().st_uid == 0  # nobody's own: it is not dumpable
        assert table.end() == 0
