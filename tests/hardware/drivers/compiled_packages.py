"""Compile packages from their sources on PyPI into .cache. A Pi's system has them, but there are no wheels."""

from __future__ import annotations

import fcntl
import functools
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[3]


@functools.cache
def compiled(package: str, release: str, *also: str, **environment: str) -> Path:
    """Return the folder with a compiled package.

    Args:
        package: its name on PyPI.
        release: its version.
        also: programs that the compilation needs besides gcc and Python's headers.
        environment: variables that its setup reads.

    Raises:
        RuntimeError: a program for the compilation is missing, or the compilation fails.
    """
    cache = ROOT / ".cache"
    cache.mkdir(exist_ok=True)
    folder = cache / f"{package}-{release}-{sysconfig.get_config_var('SOABI')}"
    with (cache / f"{package}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _compile(package, release, also, environment, folder)
    return folder


def _compile(package: str, release: str, also: tuple[str, ...], environment: dict[str, str], folder: Path) -> None:
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    missing = [program for program in ("gcc", *also) if shutil.which(program) is None]
    missing += [] if header.exists() else [f"{header} (python3-dev)"]
    if missing:
        raise RuntimeError(f"{package} is compiled for its tests; install {' and '.join(missing)}")
    made = folder.with_suffix(".new")
    shutil.rmtree(made, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [*pip, "--no-binary", package, "--target", str(made), f"{package}=={release}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    if done.returncode:
        raise RuntimeError(f"{package} cannot be compiled, so its tests fail: {done.stderr}")
    made.rename(folder)
