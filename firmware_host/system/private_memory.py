"""Keep what is in the memory of this process to itself: Mister X's station is somewhere among it."""

from __future__ import annotations

import ctypes
import logging
import os
import resource
import sys

from firmware_host.system.event_log import log_fields

log = logging.getLogger("yardboard")

_PR_SET_DUMPABLE = 4  # prctl(2)


def keep_memory_to_itself() -> None:
    """Leave no core file, however this process ends, and let nobody but root look into its memory while it runs.

    The first by a limit that its children inherit. The second, on Linux, by its being "not dumpable": others of the
    same user can neither trace it nor read its memory and its environment, and a crash handler that cores are piped to
    gets none either. A program that this one starts is as any other. What cannot be had is told to the log.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        why = os.strerror(ctypes.get_errno())
        log.warning("Others of this user can look into the table's memory: %s", why, extra=log_fields("own-memory"))
