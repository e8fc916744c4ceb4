"""The inputs of a table: switches as stations, debounced keys, and the power supply."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import itemgetter
from pathlib import Path

from firmware_host.config.board_layout import BoardLayout, InputMapping
from firmware_host.config.loader import Config
from firmware_host.journal.store_port import MEMORY
from firmware_host.referee.events import SwitchesChanged
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.system.background_task import Task, at_once
from firmware_host.table import stuck_switch_file
from firmware_host.table.device_health import Devices
from firmware_host.table.stuck_switch_file import StuckSwitchFile
from firmware_host.table.switch_report import SwitchReport, Worked, mask_of
from hardware.backend import Backend
from hardware.contacts.debounce import Debounce
from hardware.contacts.plausibility import PlausibilityFilter
from hardware.ports import DeviceLost

POWER_EVERY = 5.0
"""Seconds between two checks of the power, on a fixed schedule that no input affects."""

POWER_CALM = 60.0
"""Seconds of good power before it is reported as good: a weak supply fails again and again."""


class Inputs:
    """Read the switches and keys of one table, and its power.

    Args:
        config: the table's configuration.
        backend: its devices.
        devices: the health of the devices; updated here.
        journal: the journal's path; the list of stuck switches is stored beside it.
        writing: runs slow file tasks.

    Attributes:
        layout: the station of each spot; it changes when tiles are laid.
        register: the ignored switches, as last set; at first those saved before.
        power_at: clock seconds at which the next check of the power is due.
    """

    def __init__(
        self,
        config: Config,
        backend: Backend,
        devices: Devices,
        journal: str = MEMORY,
        writing: Callable[[Task], None] = at_once,
    ) -> None:
        self.layout: BoardLayout = config.layout
        self._switches, self._buttons = backend.switches, backend.keys
        self._devices = devices
        inputs, count = config.layout.switch_inputs, self._switches.count
        self._line = PlausibilityFilter(count, config.switches.samples, config.switches.scan_hz)
        self._order = InputMapping(inputs, count)
        self._report = SwitchReport(self._switches, self._line, self._order)
        board = f"{config.network.name}, {config.switches.driver}, {count} inputs"
        path = None if journal == MEMORY else Path(journal).with_name(stuck_switch_file.NAME)
        self._file = StuckSwitchFile(path, board, writing)
        self.register = self._file.read(count)
        self._line.ignored = mask_of(self.register.trials)
        self._reason = ""
        self._keys = Debounce(len(self._buttons.names))
        self._held = self._kept = 0
        self._supply = backend.power
        self._power_calm_at = -math.inf
        self.power_at = math.inf if self._supply is None else -math.inf

    def switches(self) -> SwitchesChanged:
        """Return the current reading of the switches."""
        line = self._line
        reliable = self._order.stations(self.layout, line.stable & ~line.unreliable)
        unreliable = self._order.stations(self.layout, line.unreliable)
        return SwitchesChanged(reliable, unreliable, line.implausible, line.unsettled)

    def changed_switches(self, now: float) -> SwitchesChanged | None:
        """Return the reading of the switches if it has changed since the last call, else None."""
        line = self._line
        if not (line.lost or self._devices.usable("switches", now)):
            return None
        try:
            raw = self._switches.read()
        except DeviceLost as error:
            line.note_gap()
            self._devices.lost("switches", error, now)
            return None
        changed = line.take_sample(raw, now)
        if changed:
            self._reason = self._report.trouble(self.layout, self.register)
        if self._reason or not self._devices.all_ok:
            self._answering(now)
        return self.switches() if changed and not line.lost else None

    def _answering(self, now: float) -> None:
        """Report the switches as ok or degraded, as they can be read."""
        if self._line.lost:
            self._devices.lost("switches", self._reason, now)
        elif self._reason:
            self._devices.degraded("switches", self._reason, now)
        else:
            self._devices.ok("switches", now)

    # ---- switches that are out of order ----

    def know(self, register: SwitchRegister, now: float) -> None:
        """Ignore exactly the switches that are out of order, and save them for the next start."""
        if register is self.register:
            return
        same, self.register = register.levels == self.register.levels, register
        if same:
            return
        self._line.ignored = mask_of(register.trials)
        self._line.wear.set_ignored(self._line.unreliable | self._line.ignored, now)
        self._file.write(register)
        self._reason = self._report.trouble(self.layout, self.register)

    def place(self, station: int) -> str:
        """Return where a person finds the switch under a station: "chip 8, pin F"."""
        return self._report.place(self.layout, station)

    def report(self, now: float) -> dict[str, Worked]:
        """Return how each station's switch has worked, as JSON values. See `SwitchReport.worked`."""
        return self._report.worked(self.layout, self.register, now)

    # ---- keys ----

    def keys(self, now: float) -> Sequence[tuple[str, bool]]:
        """Return the keys released (False), then those pressed (True), since the last call.

        Releases in one pass count as earlier than presses. A key that was held when the keys were lost counts as
        released, and as pressed again only when it really is.
        """
        if not self._devices.usable("keys", now):
            return ()
        try:
            down = self._keys.update(self._buttons.read())
        except DeviceLost as error:
            self._devices.lost("keys", error, now)
            self._kept |= self._held
            held = 0
        else:
            if not self._devices.all_ok:
                self._devices.ok("keys", now)
            self._kept &= down
            held = down & ~self._kept
        if held == self._held:
            return ()
        changed, self._held = held ^ self._held, held
        moved = [(name, bool(held >> bit & 1)) for bit, name in enumerate(self._buttons.names) if changed >> bit & 1]
        return sorted(moved, key=itemgetter(1))

    # ---- power ----

    def power(self, now: float) -> None:
        """Check whether the machine has enough power. Call it from `power_at` on."""
        if self._supply is None:
            return
        self.power_at = now + POWER_EVERY
        trouble = self._supply.trouble()
        if trouble:
            self._power_calm_at = now + POWER_CALM
            self._devices.degraded("power", trouble, now)
        elif now >= self._power_calm_at:
            self._devices.ok("power", now)
