"""Signals that a shell has ignored: what the program does about them, and what the programs that tests start see."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.secrecy.canary import Place
from tests.web.programs import Program

LIMIT = 120
"""Seconds; nothing here takes a tenth of them."""

SHOWN = """
import signal, subprocess, sys
from firmware_host.system.process import end_in_order, take_control_c_back
take_control_c_back(at_terminal=sys.stdin.isatty())
print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
end_in_order()
print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, signal.getsignal(signal.SIGTERM) is signal.SIG_IGN)
"""


def ignoring(*command: str, stdin: int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    """Runs a command as `nohup COMMAND &` does in a script: with signals ignored."""
    shell = ["/bin/sh", "-c", "trap '' HUP INT QUIT TERM ALRM; exec \"$@\"", "sh", *command]
    return subprocess.run(shell, stdin=stdin, capture_output=True, text=True, timeout=LIMIT, check=False)


def test_in_the_background_an_ignored_control_c_stays_ignored_and_being_told_to_end_does_not() -> None:
    assert ignoring(sys.executable, "-c", SHOWN).stdout.split() == ["True", "True", "False"]


def test_a_person_at_the_terminal_gets_control_c_back() -> None:
    screen, terminal = pty.openpty()
    try:
        assert ignoring(sys.executable, "-c", SHOWN, stdin=terminal).stdout.split() == ["False", "False", "False"]
    finally:
        os.close(terminal)
        os.close(screen)


@pytest.mark.parametrize("at_terminal", [False, True])
def test_control_c_that_nobody_has_ignored_is_left_as_it_is(at_terminal: bool) -> None:
    code = (
        "import signal; from firmware_host.system.process import take_control_c_back; "
        f"take_control_c_back({at_terminal}); "
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stdout == "True\n"


LOST = """
import signal, weakref
class Thing: pass
def lose():
    # What is raised while Python clears up is printed and dropped.
    thing = Thing()
    watched = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGTERM))
    del thing
"""

HELD = """
import signal, sys, time
from firmware_host.system.process import end_in_order, whole_pass
end_in_order()
try:
    {what}
    print("went on")
finally:
    print("cleared up")
"""


def done(code: str) -> subprocess.CompletedProcess[str]:
    """What becomes of a program."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=False)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("with whole_pass: signal.raise_signal(signal.SIGTERM); print('through')", ["through", "cleared up"]),
        ("signal.raise_signal(signal.SIGTERM); print('through')", ["cleared up"]),
        ("with whole_pass: signal.raise_signal(signal.SIGTERM); time.sleep(3600)", ["cleared up"]),
        ("lose(); print('lost')\n    with whole_pass: print('through')", ["lost", "through", "cleared up"]),
    ],
    ids=["a pass is finished", "outside of passes", "a stuck pass", "an end that was lost before"],
)
def test_an_end_waits_for_the_pass_that_is_under_way_and_is_never_lost(what: str, told: list[str]) -> None:
    program = done(LOST + HELD.format(what=what))
    assert (program.returncode, program.stdout.split("\n")[:-1]) == (0, told)


def test_a_mistake_in_a_pass_is_told_though_the_end_waits_for_it() -> None:
    program = done(LOST + HELD.format(what="with whole_pass: signal.raise_signal(signal.SIGTERM); print(1 / 0)"))
    assert (program.returncode, program.stdout) == (1, "cleared up\n")
    assert "ZeroDivisionError" in program.stderr


REMEMBERED = """
import signal
from firmware_host.system.process import control_c
class Thing:
    def __del__(self): signal.raise_signal(signal.SIGINT)
def raised(what):
    try: what()
    except KeyboardInterrupt: return True
    return False
def done_with():
    with control_c: Thing()
print(raised(done_with), end=" ")
def interrupted():
    with control_c:
        print(raised(control_c.raise_if_pressed), end=" ")
        Thing()  # what is raised while Python clears up is printed and dropped
        print(raised(control_c.raise_if_pressed), end=" ")
        print(raised(lambda: signal.raise_signal(signal.SIGINT)), end=" ")
print(raised(interrupted), end=" ")
print(raised(control_c.raise_if_pressed), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_control_c_is_remembered_where_python_drops_it_to_the_end_and_interrupts_at_once_elsewhere() -> None:
    assert done(REMEMBERED).stdout.split() == ["True", "False", "True", "True", "True", "False", "True"]


def test_control_c_that_is_ignored_stays_so_while_it_is_remembered() -> None:
    assert ignoring(sys.executable, "-c", REMEMBERED).stdout.split() == ["False"] * 7


@pytest.mark.parametrize("words", [("run",), ("sim", "--port", "0"), ("record",)])
@pytest.mark.long_but_first
def test_a_table_ends_though_the_signal_comes_where_python_drops_what_is_raised(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    place = Place(tmp_path)
    losing = LOST + (
        "import sys\nfrom firmware_host.table.table import Table\nfrom firmware_host.cli import main\n"
        "step = Table.step\nTable.step = lambda self: (step(self), lose())\nmain(sys.argv[1:])\n"
    )
    command = (sys.executable, "-c", losing)
    with Program(
        *words, "--config", str(place.config), home=place.folder / "work", command=command, environ=place.environ
    ) as table:
        assert table.process.wait(LIMIT) == 0
