"""Measure how busy other programs keep this machine."""

from __future__ import annotations

import os
import time
from pathlib import Path

STAT = Path("/proc/stat")

BUSY = 0.25
"""Cores in use by others from which on a figure may be distorted."""

SHORT = 0.05
"""Seconds too short for the kernel's counters."""


def busy(cores: float) -> str:
    """Return the note for a missed goal while others used this many cores."""
    return f"others used {cores:.1f} cores meanwhile: measure again on a quiet machine"


class MachineLoad:
    """A meter of other programs' processor use between two calls.

    Args:
        stat: the kernel's counters of processor time; see proc_stat(5).
    """

    def __init__(self, stat: Path = STAT) -> None:
        self._stat = stat
        self._others = 0.0
        self._seen = self._times()

    def others(self) -> float:
        """Return the cores that others have used on average since the last call; 0.0 if unknown.

        Of calls within `SHORT` the first counts: several figures may come from one measurement. The hypervisor's use
        for other machines counts as well, and so do running children of this process.
        """
        clock, busy, own = self._seen
        now, busy_now, own_now = times = self._times()
        if now - clock >= SHORT:
            self._seen = times
            self._others = max(0.0, (busy_now - busy - (own_now - own)) / (now - clock))
        return self._others

    def _times(self) -> tuple[float, float, float]:
        """Return seconds: wall clock, all processors busy, and this process with its finished children."""
        used = os.times()
        own = used.user + used.system + used.children_user + used.children_system
        return time.monotonic(), self._busy(), own

    def _busy(self) -> float:
        if not self._stat.is_file():
            return 0.0
        _name, *ticks = self._stat.read_text(encoding="ascii").splitlines()[0].split()
        user, nice, system, _idle, _iowait, irq, softirq, steal = (int(count) for count in ticks[:8])
        return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
