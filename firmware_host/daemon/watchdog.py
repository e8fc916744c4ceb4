"""Watch that all loops of a table make progress, and report that to the service manager.

The manager restarts the table if the reports stop. The check runs after each pass of the table's own loop, so a pass
that never ends stops the reports. Each other loop runs on its own thread and reports for how long it has made no
progress. A lost device is not a hang: the thread that retries it makes progress.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from math import inf

from firmware_host.referee.scene import Phase, Scene
from firmware_host.system.event_log import log_fields
from firmware_host.system.systemd_notify import ServiceManager
from firmware_host.table.table import Table
from hardware.ports import Clock

log = logging.getLogger("yardboard")


HUNG = 10.0
"""Seconds after which a loop without progress counts as hung. A merely slow loop is faster."""

WATCHDOG_TICK = 5.0
"""Seconds between two reports to the service manager; fewer if its timeout is short."""

_PHASES = {
    Phase.SET_UP: "the pawns are being set up",
    Phase.RESUME: "the pawns are being put back",
    Phase.CARRY_OUT: "a pawn is being moved for a computer",
    Phase.OVER: "the game is over",
}


class Watchdog:
    """The table's reports to the service manager: ready, its status, and that every loop makes progress.

    It reports only on regular ticks of the clock, independent of events at the table.

    Args:
        manager: the service manager.
        clock: real time.
        hung: seconds without progress after which a loop counts as hung.
    """

    def __init__(self, manager: ServiceManager, clock: Clock, *, hung: float = HUNG) -> None:
        self._manager = manager
        self._clock = clock
        self._hung = hung
        self._tick = min(WATCHDOG_TICK, manager.patience / 4) if manager.patience else WATCHDOG_TICK
        self._next: float | None = None
        self._seen = clock.now()
        self._pauses = [(self._seen, inf)]  # when each ended, and its seconds, the newest first
        self._loops: dict[str, Callable[[], float]] = {}
        self._hanging: list[str] = []

    def watch(self, loops: Mapping[str, Callable[[], float]]) -> None:
        """Watch further loops: name -> a function that returns for how many seconds the loop has been stuck."""
        self._loops.update(loops)

    def attend(self, table: Table) -> None:
        """Report to the service manager whenever a report is due. Call this after each pass of the table."""
        now = self._clock.now()
        if now - self._seen >= self._tick:  # all loops may have been stopped, as by SIGSTOP
            self._pauses.insert(0, (now, now - self._seen))
        self._seen = now
        if self._next is None:
            self._manager.ready()
        elif now < self._next:
            return
        self._next = self._tick * (now // self._tick + 1)
        self._manager.status(status(table.scene()))
        if not self._hangs(table, self._limit(now)):
            self._manager.keep_alive()

    def _limit(self, now: float) -> float:
        """Return the seconds after which a loop counts as hung.

        The limit is higher after a pause of the whole machine, in which no loop could run.
        """
        limit, recent = self._hung, 0
        for ended_at, length in self._pauses:
            if now - ended_at >= limit:
                break
            limit, recent = limit + length, recent + 1
        del self._pauses[recent:]
        return limit

    def _hangs(self, table: Table, limit: float) -> bool:
        """Return whether any loop is hung although the table's own loop runs. Log each hung loop once."""
        late = table.late() | {name: seconds() for name, seconds in self._loops.items()}
        hanging = [name for name, seconds in late.items() if seconds >= limit]
        before, self._hanging = self._hanging, hanging
        for name in self._hanging:
            if name not in before:
                said = log_fields("hang", loop=name)
                what = "Hangs for %g s: %s. Unless it goes on, the service manager restarts the table."
                log.error(what, self._hung, name, extra=said)
        return bool(self._hanging)


def status(scene: Scene) -> str:
    """Return one line about the table for its administrator. It contains public information only. Pure."""
    view = scene.view
    ailing = "".join(f"; {device} {why}" for device, why in sorted(scene.ailing.items()))
    if view is None:
        return f"Nothing is played{ailing}."
    return f"{view.rules}: {_PHASES.get(scene.phase, f'round {view.round}')}{ailing}."
