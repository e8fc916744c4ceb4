"""End this process in an orderly way when a signal comes, and keep its memory private."""

from __future__ import annotations

import ctypes
import logging
import os
import resource
import signal
import sys
import threading
import time
from types import FrameType
from typing import Self

from firmware_host.system.event_log import log_fields

log = logging.getLogger("yardboard")

STATUSES = {signal.SIGTERM: 0, signal.SIGHUP: 0, signal.SIGINT: 130, signal.SIGQUIT: 131}
"""The signals that end the program -> the exit status. SIGHUP: its terminal was closed."""

MAY_STAY_IGNORED = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT}
"""The signals that stay ignored if the parent ignored them, like nohup or a shell with `&`."""

MEANINGLESS = ("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGIO", "SIGPWR", "SIGSTKFLT")
"""Signals without a meaning for a table; by default they kill Python. Not every system has them all."""

WITHIN = 0.9
"""Seconds for a table to go dark. A stuck device does not delay others: each has its own thread."""

WITHIN_SIMULATED = 15.0
"""Seconds for a simulated table to end: no lamps, but browsers and players are disconnected."""

STUCK = 0.3
"""Seconds that the end of the process waits at most for the pass in progress."""


class WholePass:
    """A guard that delays the end of the process until a pass of the loop is complete. Main thread only.

    An exit raised at any point may leave a lock held, or be lost: Python drops exceptions during cleanup, which also
    happens after each import. So the guard raises the exit again after each pass, in case an earlier one was lost.
    """

    def __init__(self) -> None:
        self._under_way = False
        self._status: int | None = None

    def __enter__(self) -> Self:
        self._under_way = True
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._under_way = False
        if self._status is None:
            return
        signal.setitimer(signal.ITIMER_REAL, 0)  # otherwise it would kill an interpreter that has released its handlers
        if kind is None:
            sys.exit(self._status)

    def end(self, status: int) -> None:
        """End the process with a status: now, or after the current pass. Signal handlers call this."""
        self._status = status
        if not self._under_way:
            sys.exit(status)
        signal.signal(signal.SIGALRM, self._break_off)
        signal.setitimer(signal.ITIMER_REAL, STUCK)

    def _break_off(self, *_: object) -> None:
        if self._under_way:
            sys.exit(self._status)


whole_pass = WholePass()
"""The only guard of this process, used by `end_in_order`."""


class ControlC:
    """A context manager that remembers whether Ctrl-C was pressed. Main thread only.

    Ctrl-C raises KeyboardInterrupt at once, as usual, but this may be lost: Python drops exceptions in a `__del__`. So
    long-running code calls `raise_if_pressed` repeatedly, and the end of the `with` raises it at the latest. An ignored
    Ctrl-C stays ignored.
    """

    def __init__(self) -> None:
        self._pressed = False

    def __enter__(self) -> Self:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        lost, self._pressed = self._pressed and kind is None, False
        if signal.getsignal(signal.SIGINT) == self._press:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if lost:
            raise KeyboardInterrupt

    def raise_if_pressed(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed since the `with` began. Outside a `with`, do nothing."""
        if self._pressed:
            raise KeyboardInterrupt

    def _press(self, number: int, frame: FrameType | None) -> None:
        self._pressed = True
        signal.default_int_handler(number, frame)


control_c = ControlC()
"""The only `ControlC` of this process, because a process has one set of signals."""


def take_control_c_back(at_terminal: bool) -> None:
    """Let Ctrl-C end the program even if the shell ignores it, as it does after `&`. Main thread only.

    In the background, Ctrl-C stays ignored, because it is meant for another program.

    Args:
        at_terminal: whether a person is at the program's terminal.
    """
    if at_terminal and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_in_order(within: float | None = None) -> None:
    """Make signals end the program after its current pass, with all its cleanup. Main thread only.

    Signals in `MEANINGLESS` and real-time signals are ignored from now on.

    Args:
        within: seconds after which the process ends even without cleanup. A thread does that, because the main thread
            may be stuck.
    """

    def end(number: int, _: object) -> None:
        for each in STATUSES:
            signal.signal(each, signal.SIG_IGN)  # a second signal must not interrupt the cleanup
        whole_pass.end(STATUSES[signal.Signals(number)])

    if within is not None:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=_end_after_signal, args=(reader, within), name="ending", daemon=True).start()
    for each in STATUSES:
        if each not in MAY_STAY_IGNORED or signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, end)
    named = [getattr(signal, name) for name in MEANINGLESS if hasattr(signal, name)]
    first, last = getattr(signal, "SIGRTMIN", 0), getattr(signal, "SIGRTMAX", -1)
    for nothing in [*named, *range(first, last + 1)]:
        signal.signal(nothing, signal.SIG_IGN)


def _end_after_signal(reader: int, within: float) -> None:
    """Wait for a signal, and end the process at most `within` seconds after it."""
    number = 0
    while number not in STATUSES:
        number = os.read(reader, 1)[0]
    time.sleep(within)
    os._exit(STATUSES[signal.Signals(number)])


_PR_SET_DUMPABLE = 4  # prctl(2)


def keep_memory_to_itself() -> None:
    """Prevent core dumps, and let only root read this process's memory.

    A limit prevents core dumps, also in child processes. On Linux the process is made "not dumpable". Then other
    processes of the same user cannot trace it or read its memory and environment, and a crash handler gets no core.
    Child programs are not protected. Failures are only logged.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        why = os.strerror(ctypes.get_errno())
        log.warning("Other processes of this user can read the table's memory: %s", why, extra=log_fields("own-memory"))


def return_freed_memory() -> None:
    """Give the memory that this process has freed back to the operating system.

    glibc keeps large freed blocks of each thread for later use. Other C libraries have no `malloc_trim`; with them this
    does nothing.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
