"""Keep this process's memory private: it holds Mister X's station."""

from __future__ import annotations

import ctypes
import logging
import os
import resource
import sys

from firmware_host.system.logging_setup import about

_PR_SET_DUMPABLE = 4  # prctl(2)

log = logging.getLogger("yardboard")


def keep_memory_to_itself() -> None:
    """Prevent core files of this process, and keep everyone but root from reading its memory.

    A limit, which child processes inherit, prevents core files. On Linux the process also becomes "not dumpable": other
    processes of the same user can neither trace it nor read its memory and environment, and a crash handler that
    receives cores through a pipe gets none. Programs that this one starts are dumpable again. A failure is logged.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        why = os.strerror(ctypes.get_errno())
        log.warning("Others of this user can look into the table's memory: %s", why, extra=about("own-memory"))
