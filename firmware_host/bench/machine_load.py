"""How busy other programs keep this machine while something is measured."""

from __future__ import annotations

import os
import time
from pathlib import Path

STAT = Path("/proc/stat")

BUSY = 0.25
"""Cores in use by others from which on a figure may say more about them than about us."""

SHORT = 0.05
"""Seconds in which the kernel counts too little to tell."""


def busy(cores: float) -> str:
    """Return what is said of a goal that was missed while others used so many cores."""
    return f"others used {cores:.1f} cores meanwhile: measure again on a quiet machine"


class MachineLoad:
    """Tell what other programs take of this machine, from one look to the next.

    Args:
        stat: the file in which the kernel counts the time of its processors; see proc_stat(5).
    """

    def __init__(self, stat: Path = STAT) -> None:
        self._stat = stat
        self._others = 0.0
        self._seen = self._times()

    def others(self) -> float:
        """Return the cores that others have used on average since the last look; 0.0 where the kernel does not tell.

        Of looks that follow each other within `SHORT` the first counts: several figures may come of one measurement.
        What the hypervisor gives to other machines counts as well, what children of this process that have not ended
        use, too.
        """
        clock, busy, own = self._seen
        now, busy_now, own_now = times = self._times()
        if now - clock >= SHORT:
            self._seen = times
            self._others = max(0.0, (busy_now - busy - (own_now - own)) / (now - clock))
        return self._others

    def _times(self) -> tuple[float, float, float]:
        """Return seconds: of the clock, of all processors at work, of this process and its children that have ended."""
        used = os.times()
        own = used.user + used.system + used.children_user + used.children_system
        return time.monotonic(), self._busy(), own

    def _busy(self) -> float:
        if not self._stat.is_file():
            return 0.0
        _name, *ticks = self._stat.read_text(encoding="ascii").splitlines()[0].split()
        user, nice, system, _idle, _iowait, irq, softirq, steal = (int(count) for count in ticks[:8])
        return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
