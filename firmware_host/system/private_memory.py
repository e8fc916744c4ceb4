"""Protect the memory of this process, which contains Mister X's station."""

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
    """Prevent core files, and let only root read this process's memory.

    The first works by a limit that child processes inherit. The second, on Linux, by making the process "not dumpable":
    other processes of the same user can neither trace it nor read its memory and environment, and a crash handler for
    piped cores gets none either. Child programs are not protected. Whatever fails is logged.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        why = os.strerror(ctypes.get_errno())
        log.warning("Others of this user can look into the table's memory: %s", why, extra=log_fields("own-memory"))
