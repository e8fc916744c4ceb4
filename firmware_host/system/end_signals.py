"""End this process in order and in time when a signal says so; ignore signals that mean nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

STATUSES = {signal.SIGTERM: 0, signal.SIGHUP: 0, signal.SIGINT: 130, signal.SIGQUIT: 131}
"""The signals that end the program, with the exit status of each. SIGHUP: its terminal is gone."""

LEFT = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT}
"""Signals of these that stay ignored if whoever started the program ignored them, like nohup or a shell with `&`."""

MEANINGLESS = ("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGIO", "SIGPWR", "SIGSTKFLT")
"""Signals without a meaning for a table, by name, as not every system has them all. By default they would kill Python.
"""

WITHIN = 0.9
"""Seconds that a table has to go dark. A stuck device keeps no other lit: each has its own thread."""


def take_control_c_back(at_terminal: bool) -> None:
    """Let Control-C end the program although a shell ignores it, as for commands it starts with `&`. Main thread only.

    A Control-C for another program must not end one in the background: there it stays ignored.

    Args:
        at_terminal: whether a person is at the program's terminal.
    """
    if at_terminal and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_in_order(within: float | None = None) -> None:
    """Make signals end the program through all its cleanup. Main thread only.

    Signals in `MEANINGLESS` are ignored from now on.

    Args:
        within: seconds after which the process ends even without cleanup. A thread does that, for the main thread may
            be stuck.
    """

    def end(number: int, _: object) -> None:
        for each in STATUSES:
            signal.signal(each, signal.SIG_IGN)  # a second signal must not interrupt the cleanup
        sys.exit(STATUSES[signal.Signals(number)])

    if within is not None:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=_end_after_signal, args=(reader, within), name="ending", daemon=True).start()
    for each in STATUSES:
        if each not in LEFT or signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, end)
    for nothing in _meaningless():
        signal.signal(nothing, signal.SIG_IGN)


def _meaningless() -> list[int]:
    named = [getattr(signal, name) for name in MEANINGLESS if hasattr(signal, name)]
    first, last = getattr(signal, "SIGRTMIN", 0), getattr(signal, "SIGRTMAX", -1)
    return [*named, *range(first, last + 1)]


def _end_after_signal(reader: int, within: float) -> None:
    """Wait for one of the signals, and end the process `within` seconds after it."""
    number = 0
    while number not in STATUSES:
        number = os.read(reader, 1)[0]
    time.sleep(within)
    os._exit(STATUSES[signal.Signals(number)])
