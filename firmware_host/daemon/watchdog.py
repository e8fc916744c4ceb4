"""Whether all loops of a table go on. While they do the service manager is told so; else it restarts the table.

The table's own loop is watched by its passes: this is asked after each, and a pass that never ends is the end of the
telling. Everything beside it works on a thread of its own and says for how long it has not gone on. A device that is
lost is no hang: whoever tries it goes on trying.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from firmware_host.referee.scene import Phase, Scene
from firmware_host.system.logging_setup import about
from firmware_host.system.systemd_notify import ServiceManager
from firmware_host.table.table import Daemon
from hardware.ports import Clock

HUNG = 10.0
"""Seconds after which a loop that does not go on hangs. What is merely slow has gone on by then."""

BEAT = 5.0
"""Seconds between two times that the service manager is told of the table; more often if its patience is short."""

_PHASES = {
    Phase.SET_UP: "the pawns are being set up",
    Phase.RESUME: "the pawns are being put back",
    Phase.OVER: "the game is over",
}

log = logging.getLogger("yardboard")


class Watchdog:
    """Tells the service manager that the table is ready, how it is, and as long as everything goes on, that it does.

    It speaks at even beats of the clock and at no other time, whatever happens at the table.

    Args:
        manager: who is told.
        clock: real time.
        hung: seconds after which a loop hangs.
    """

    def __init__(self, manager: ServiceManager, clock: Clock, *, hung: float = HUNG) -> None:
        self._manager = manager
        self._clock = clock
        self._hung = hung
        self._beat = min(BEAT, manager.patience / 4) if manager.patience else BEAT
        self._next: float | None = None
        self._loops: dict[str, Callable[[], float]] = {}
        self._hanging: list[str] = []

    def watch(self, loops: Mapping[str, Callable[[], float]]) -> None:
        """Loops to watch beside the daemon's, by name; each tells for how many seconds it has not gone on."""
        self._loops.update(loops)

    def attend(self, daemon: Daemon) -> None:
        """A pass of the table has ended. Costs next to nothing between two beats."""
        now = self._clock.now()
        if self._next is None:
            self._manager.ready()
        elif now < self._next:
            return
        self._next = self._beat * (now // self._beat + 1)
        self._manager.status(status(daemon.scene()))
        if not self._hangs(daemon):
            self._manager.goes_on()

    def _hangs(self, daemon: Daemon) -> bool:
        """Whether any loop hangs; the log is told of each when that begins."""
        late = daemon.late() | {name: seconds() for name, seconds in self._loops.items()}
        before, self._hanging = self._hanging, [name for name, seconds in late.items() if seconds >= self._hung]
        for name in self._hanging:
            if name not in before:
                said = about("hang", loop=name)
                log.error("Hangs for %g s: %s. Only a new start helps.", self._hung, name, extra=said)
        return bool(self._hanging)


def status(scene: Scene) -> str:
    """How the table is, in one line, for whoever looks after the machine: nothing but what is public. Pure."""
    view = scene.view
    ailing = "".join(f"; {device} {why}" for device, why in sorted(scene.ailing.items()))
    if view is None:
        return f"Nothing is played{ailing}."
    return f"{view.rules}: {_PHASES.get(scene.phase, f'round {view.round}')}{ailing}."
