"""What all tests share."""

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
"""Bytes that all tests together may write at a time, with much to spare."""

IGNORED_BY_SHELLS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


def give_children_default_signals() -> None:
    """Let the programs that tests start hear the signals which nohup, or a shell for its background, has ignored.

    What is ignored stays so in a program that is started; what is caught is reset. So these signals are caught here,
    and nothing is done: the tests go on ignoring them.
    """
    for number in IGNORED_BY_SHELLS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def write_to_memory() -> None:
    """Let tests write to memory, where there is room for it: to wait for a disk proves nothing.

    Journals are forced to the disk with each move; `tests.proofs.power` proves that, on a disk of its own.
    """
    if "TMPDIR" not in os.environ and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)


def keep_compiled_code() -> None:
    """Keep what is compiled, whatever the environment says.

    Otherwise each worker rewrites every test again, and each program that a test starts compiles the package.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


@pytest.hookimpl(optionalhook=True)  # a part of the tests runs without xdist
def pytest_xdist_auto_num_workers() -> int:
    """For `-n auto`: two more than there are processors, for many a test waits for a program or a page."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(tryfirst=True)  # before those are taken out that `-m` does not want
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as long whatever a test is tried with after the first, where it says so."""
    begun = set[str]()
    for item in items:
        if item.get_closest_marker("long_but_first") is None:
            continue
        test = item.nodeid.partition("[")[0]
        if test in begun:
            item.add_marker("long")
        begun.add(test)


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the garbage collector need not look through it again and again."""
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Before the first test, in each process.

    Signals are for those that run tests, not for the one that starts them: those have to go on without the terminal.
    """
    write_to_memory()
    keep_compiled_code()
    if hasattr(config, "workerinput") or config.getoption("dist", "no") == "no":
        give_children_default_signals()
