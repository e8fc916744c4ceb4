"""The fixtures and hooks of all tests."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from tests.amount import amount

# How long an example takes depends on what else the machine does: no test is about that. And what is right today is
# right tomorrow: to look for new examples, run pytest with --hypothesis-profile=hunt.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=amount(20, 100))
settings.register_profile("hunt", deadline=None)
settings.load_profile("same")

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
ROOM = 2 << 30
"""The most bytes that all tests together may have on the disk at a time, with much to spare."""

IGNORED_BY_SHELLS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


def give_children_default_signals() -> None:
    """Let programs that tests start receive signals that nohup, or a shell for a background job, ignores.

    A started program inherits ignored signals, but not signal handlers. So this process handles these signals and does
    nothing: the tests still ignore them.
    """
    for number in IGNORED_BY_SHELLS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def write_to_memory() -> None:
    """Let tests write to memory if there is room for it, because waiting for a disk proves nothing.

    Journals are forced to the disk with each move; `tests.proofs.power` proves that, on a disk of its own.
    """
    if "TMPDIR" not in os.environ and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)


def keep_compiled_code() -> None:
    """Keep compiled code, whatever the environment says.

    Otherwise each worker rewrites every test again, and each program that a test starts compiles the package.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


@pytest.hookimpl(optionalhook=True)  # a part of the tests runs without xdist
def pytest_xdist_auto_num_workers() -> int:
    """Return the workers for `-n auto`: two more than processors, because many tests wait for a program or page."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(tryfirst=True)  # before those are taken out that `-m` does not want
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark a test's parameters after the first one as long, if the test says so."""
    begun = set[str]()
    for item in items:
        if item.get_closest_marker("long_but_first") is None:
            continue
        test = item.nodeid.partition("[")[0]
        if test in begun:
            item.add_marker("long")
        begun.add(test)


def pytest_collection_finish() -> None:
    """Exempt imported modules and collected tests from garbage collection, because they stay until the end."""
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Prepare each process before its first test.

    Signals are set in the processes that run tests, not in the one that starts them: those go on without the terminal.
    """
    write_to_memory()
    keep_compiled_code()
    if hasattr(config, "workerinput") or config.getoption("dist", "no") == "no":
        give_children_default_signals()
