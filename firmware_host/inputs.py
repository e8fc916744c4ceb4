"""What the daemon feels: switches and table keys, read and debounced, as stations and names."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config import Config
from firmware_host.events import Board
from firmware_host.health import Devices
from firmware_host.sheet import Sheet
from hardware.backend import Backend
from hardware.debounce import Chatter, Debounce
from hardware.ports import DeviceLost
from hardware.wiring import Wiring

GLITCH = 12
"""More switches than this do not change from one sample to the next: such a sample is noise on the line."""


class Inputs:
    """The switches and keys of one table.

    Attributes:
        sheet: which station lies on which spot; other stations once tiles have been laid.
    """

    def __init__(self, config: Config, backend: Backend, devices: Devices) -> None:
        self.sheet: Sheet = config.sheet
        self._switches, self._buttons = backend.switches, backend.keys
        self._devices = devices
        inputs = config.sheet.switch_inputs
        self._wiring = Wiring(len(inputs), dict(enumerate(inputs)), width=self._switches.count)
        self._debounce = Debounce(self._switches.count, config.switches.samples)
        self._chatter = Chatter(self._switches.count)
        self._keys = Debounce(len(self._buttons.names))
        self._last_raw = self._stable = self._unwell = self._held = 0

    def board(self, now: float) -> Board:
        """What the switches say at this moment."""
        occupied = self.sheet.stations_in(self._wiring.to_spots(self._stable & ~self._unwell))
        return Board(occupied, self._answering(now))

    def felt(self, now: float) -> Board | None:
        """What the switches say, if that has changed since they were last read."""
        if not self._devices.usable("switches", now):
            return None
        try:
            raw = self._switches.read()
        except DeviceLost as error:
            self._devices.lost("switches", error, now)
            return None
        last, self._last_raw = self._last_raw, raw
        if raw != last and (raw ^ last).bit_count() > GLITCH:
            self._devices.degraded("switches", "noise on the line", now)
            return None
        stable, unwell = self._debounce.update(raw), self._chatter.update(raw, now)
        if stable != self._stable or unwell != self._unwell:
            self._stable, self._unwell = stable, unwell
            return self.board(now)
        if self._devices["switches"].state != "ok":
            self._answering(now)
        return None

    def _answering(self, now: float) -> frozenset[int]:
        """The switches can be read; gives the stations under which they chatter."""
        unwell = self.sheet.stations_in(self._wiring.to_spots(self._unwell))
        if unwell:
            self._devices.degraded("switches", f"chatter under {', '.join(map(self._named, sorted(unwell)))}", now)
        else:
            self._devices.ok("switches", now)
        return unwell

    def _named(self, station: int) -> str:
        """A station with the place of its contact on the electronics: "58 (chip 8, pin F)"."""
        return f"{station} ({self._switches.place(self.sheet.input_of(self.sheet.spot(station)))})"

    def keys(self, now: float) -> Iterator[tuple[str, bool]]:
        """The keys that went up (false) or down (true) since they were last read; those that went up come first.

        Whatever was let go in one pass counts as let go before anything was pressed.
        """
        if not self._devices.usable("keys", now):
            return
        try:
            held = self._keys.update(self._buttons.read())
        except DeviceLost as error:
            self._devices.lost("keys", error, now)
            self._keys = Debounce(len(self._buttons.names))  # a key held now counts as let go: no peeking on
            held = 0
        else:
            self._devices.ok("keys", now)
        if held == self._held:
            return
        changed, self._held = held ^ self._held, held
        for down in (False, True):
            for bit, name in enumerate(self._buttons.names):
                if changed >> bit & 1 and bool(held >> bit & 1) is down:
                    yield name, down
