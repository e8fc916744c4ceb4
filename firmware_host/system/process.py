"""How the program ends when it is told to: by way of everything that has to be put away, and in time even so."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

STATUSES = {signal.SIGTERM: 0, signal.SIGHUP: 0, signal.SIGINT: 130, signal.SIGQUIT: 131}
"""The signals that tell it to end, and the exit status of each. SIGHUP: its terminal is gone."""

LEFT = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT}
"""Those of them that stay ignored where whoever has started it wants that, as nohup does, or a shell with `&`."""

MEANINGLESS = ("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGIO", "SIGPWR", "SIGSTKFLT")
"""Signals that say nothing to a table, by name, for not every system has them all. Python would let them kill it."""

WITHIN = 0.9
"""Seconds that a table has to go dark. A device that is stuck keeps no other lit: each has a thread of its own."""


def take_control_c_back(at_terminal: bool) -> None:
    """Let Control-C end the program where a shell has ignored it, as for what it starts with `&`. Main thread only.

    What runs in the background is not meant by the Control-C that ends something else: there it stays ignored.

    Args:
        at_terminal: whether a person is at the program's terminal.
    """
    if at_terminal and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_in_order(within: float | None = None) -> None:
    """Let signals end the program by way of everything that has to be put away. On the main thread only.

    Those that mean nothing here are ignored from now on.

    Args:
        within: seconds after which it ends even so. A thread sees to that, for the main thread may be stuck itself.
    """

    def end(number: int, _: object) -> None:
        for each in STATUSES:
            signal.signal(each, signal.SIG_IGN)  # a second one must not break off the putting away
        sys.exit(STATUSES[signal.Signals(number)])

    if within is not None:
        heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        threading.Thread(target=_cut_short, args=(heard, within), name="ending", daemon=True).start()
    for each in STATUSES:
        if each not in LEFT or signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, end)
    for nothing in _meaningless():
        signal.signal(nothing, signal.SIG_IGN)


def _meaningless() -> list[int]:
    """The signals that are ignored, the real-time ones among them."""
    named = [getattr(signal, name) for name in MEANINGLESS if hasattr(signal, name)]
    first, last = getattr(signal, "SIGRTMIN", 0), getattr(signal, "SIGRTMAX", -1)
    return [*named, *range(first, last + 1)]


def _cut_short(heard: int, within: float) -> None:
    """Waits for one of the signals, and ends the process `within` seconds after it."""
    number = 0
    while number not in STATUSES:
        number = os.read(heard, 1)[0]
    time.sleep(within)
    os._exit(STATUSES[signal.Signals(number)])
