"""Run the command `yardboard`, within this process for its output, or as a process for its behaviour."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from firmware_host.cli import main

COMMAND = (sys.executable, "-m", "firmware_host")

Done = subprocess.CompletedProcess[str]


def yardboard(*words: str | Path, folder: Path | None = None, status: int | tuple[int, ...] = 0) -> Done:
    """Call the command in this process, in a folder. Return its output. It must end with a status, or one of several.

    The signals stay those of the tests.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors) for errors in ("strict", "backslashreplace"))
    with pytest.MonkeyPatch.context() as replaced, chdir(folder or Path.cwd()):
        replaced.setattr("firmware_host.cli.end_in_order", lambda _: None)
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
    said = []
    for stream in (out, err):
        stream.flush()
        said.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return _done(words, ended.value.code, *said, status)


def started(*words: str | Path, folder: Path | None = None, status: int = 0, **environ: str) -> Done:
    """Run the command as a process, in a folder and with more environment variables. It must end with a status."""
    done = subprocess.run(
        [*COMMAND, *words], capture_output=True, check=False, cwd=folder, env=os.environ | environ, timeout=120
    )
    return _done(words, done.returncode, done.stdout.decode(), done.stderr.decode(), status)


def _done(words: tuple[str | Path, ...], status: object, out: str, err: str, wanted: int | tuple[int, ...]) -> Done:
    assert isinstance(status, int), f"{words}: {err}"
    assert status in (wanted if isinstance(wanted, tuple) else (wanted,)), f"{words}: {err}"
    return Done(words, status, out, err)
