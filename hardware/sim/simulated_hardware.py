"""Simulate a whole table: a board with pawns and lamps, screens, keys, and a clock."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from hardware.backend import Backend
from hardware.current_limit import LimitedLamps
from hardware.sim.devices import SimKeys, SimLamps, SimPanel, SimSupply, SimSwitches
from hardware.sim.faults import Faults
from hardware.sim.physics import CAREFUL, ROUGH, Contacts, Physics, Point, SimClock, SimError
from hardware.sim.simulated_board import SimulatedBoard, rng_for

_SCREEN = (128, 64)  # width and height of handset and display in pixels


class SimulatedHardware(SimulatedBoard):
    """A table in memory. The same seed and the same calls give the same samples.

    Its clock only advances in `advance` and during the `ms` of a gesture. Not thread-safe. An impossible call raises
    `SimError` and changes nothing.

    Args:
        positions: printed number of each station -> x, y in mm; their order defines the spots, from 0.
        lamps: number of lamps in the chain, those of the spots first; at least as many as spots.
        keys: names of the keys; those that begin with "handset." are on the handset's cable.
        seed: the seed of all random events.
        rough: whether board and hand are imperfect.
        display: whether the table has a public display.
        physics: the behaviour of reeds and hands; by default CAREFUL, or ROUGH if `rough`.
        pace: called with the seconds of each time step; a demo sleeps in it.

    Attributes:
        switches, lamps, handset, keys: the devices. Read only.
        display: the public panel, or None if the table has none. Read only.

    Raises:
        SimError: no positions, too few lamps, or two keys of one name.
    """

    def __init__(
        self,
        positions: Mapping[int, Point],
        *,
        lamps: int,
        keys: Sequence[str],
        seed: int = 0,
        rough: bool = False,
        display: bool = True,
        physics: Physics | None = None,
        pace: Callable[[float], None] | None = None,
    ) -> None:
        if not positions:
            raise SimError("table: no positions; a board has at least 1 station")
        if lamps < len(positions):
            raise SimError(f"table: {lamps} lamps for {len(positions)} stations; each station needs one")
        if len(set(keys)) != len(keys):
            raise SimError(f"table: keys {', '.join(keys)}: two have the same name; give each its own")
        super().__init__(positions, SimClock(), physics or (ROUGH if rough else CAREFUL), seed)
        self.switches = SimSwitches(self._reeds.contacts, self.clock, rng_for(seed, "line"))
        self.lamps = SimLamps(lamps, self.clock)
        self.handset = SimPanel("handset", _SCREEN, self.clock)
        self.display = SimPanel("display", _SCREEN, self.clock) if display else None
        key_contacts = Contacts(len(keys), self.physics.bounce, rng_for(seed, "keys"))
        self.keys = SimKeys(keys, key_contacts, self.clock)
        self._supply = SimSupply()
        outputs = {"lamps": self.lamps, "handset": self.handset, "display": self.display}
        self._faults = Faults(self._spots, self._reeds.contacts, self.switches, outputs, self.keys, self._supply)
        self._pace = pace
        self._step: Callable[[], None] | None = None
        self._period = 5000
        self._next_scan = self._period
        self._advancing = False

    @property
    def backend(self) -> Backend:
        """The table's devices. The lamps have no limit on current. Use `dataclasses.replace` to add one."""
        lamps = LimitedLamps(self.lamps, math.inf)
        devices = (self.switches, lamps, self.handset, self.display, self.keys)
        return Backend(*devices, self.clock, power=self._supply)

    def leds(self) -> dict[int, tuple[int, int, int]]:
        """Return the stations whose lamps are lit: station -> red, green, blue (0-255)."""
        spots = len(self._numbers)
        return {self._numbers[lamp]: colour for lamp, colour in self.lamps.lit().items() if lamp < spots}

    def slide(self, path: Sequence[int], ms: float, pawn: str | None = None) -> None:
        """Slide the pawn on the first station along straight lines through the other stations.

        Time advances by `ms`; the pawn moves at a constant speed and counts as held until it stands on the last
        station.

        Args:
            path: numbers of at least two stations.
            ms: duration in milliseconds, at least 0.001.
            pawn: the pawn, if several stand there; by default the last one put there.
        """
        if not isinstance(path, Sequence):
            raise SimError(f"slide: {path!r} is not a path; pass at least 2 stations, such as [74, 58]")
        if len(path) < 2:
            raise SimError(f"slide: a path of {len(path)} stations; it takes at least 2")
        for number in path:
            self._place(number)
        dragged = self._standing_pawn(path[0], pawn)
        self._must_take_time("slide", ms)
        self._must_not_be_advancing()
        self._touch(dragged, None)
        stops = [self._reeds.at(dragged)]
        stops += [self._near_middle(number, self.physics.error) for number in path[1:-1]]
        stops.append(self._landing(path[-1]))
        self._ways[dragged] = self._drag(dragged, stops, ms)
        try:
            self._run(ms)
        finally:
            self._ways.pop(dragged, None)
        self._touch(dragged, path[-1])

    def press(self, key: str, ms: float = 60) -> None:
        """Press a key for `ms` milliseconds of the table's time."""
        if not 0 < ms < math.inf:
            raise SimError(f"press: {ms} ms; a press takes more than 0 ms")
        self._must_not_be_advancing()
        self.keys.hold(key)
        try:
            self._run(ms)
        finally:
            self.keys.release(key)

    def hold(self, key: str) -> None:
        """Hold a key down until it is released."""
        self.keys.hold(key)

    def release(self, key: str) -> None:
        """Release a key that is held down."""
        self.keys.release(key)

    def drive(self, step: Callable[[], None] | None, hz: float = 200) -> None:
        """Call `step` at every scan from now on, as time passes. If `step` is None, stop calling.

        Args:
            step: one pass of the table's loop; it must not advance time itself. Its error reaches the caller that
                advances time, and time stays where it was raised.
            hz: scans a second, up to 100000.
        """
        if not 0 < hz <= 100_000:
            raise SimError(f"drive: {hz} Hz; scans come above 0 and up to 100000 times a second")
        self._step = step
        self._period = round(1_000_000 / hz)
        self._next_scan = self.clock.microseconds + self._period

    def advance(self, ms: float) -> None:
        """Let some milliseconds pass.

        Args:
            ms: milliseconds, at least 0.
        """
        try:
            forward = 0 <= ms < math.inf
        except TypeError:
            raise SimError(f"advance: {ms!r:.40} is not a number; pass milliseconds, such as 1000") from None
        if not forward:
            raise SimError(f"advance: {ms} ms; time moves on by 0 ms or more")
        self._must_not_be_advancing()
        self._run(ms)

    def cut_power(self) -> None:
        """Cut the power: lamps and screens are dark, and nothing is scanned until `drive` is called again."""
        self.drive(None)
        for output in (self.lamps, self.handset, self.display):
            if output is not None:
                output.dark()

    def _run(self, ms: float) -> None:
        """Let time pass from scan to scan, or at once if nothing is to be called."""
        clock = self.clock
        end = clock.microseconds + round(ms * 1000)
        self._advancing = True
        try:
            while True:
                start = clock.microseconds
                scanning = self._step is not None or self._pace is not None
                until = min(end, self._next_scan) if scanning else end
                self._advance_to(until)
                if self._pace is not None and until > start:
                    self._pace((until - start) / 1_000_000)
                if scanning and until == self._next_scan:
                    self._next_scan += self._period
                    if self._step is not None:
                        self._step()
                if until == end:
                    return
        finally:
            self._advancing = False

    def fault(self, device: str, kind: str) -> None:
        """Break or repair one part of the table.

        Args:
            device: "switch:N" (N the printed number), "switches" or "serial" (the line that reads them), "lamps",
                "handset" (its panel and its keys), "display", "keys" (all of them) or "power".
            kind: depending on the device, one of `faults.SWITCH_FAULTS`, `LINE_FAULTS`, `KEYS_FAULTS`, `OUTPUT_FAULTS`
                or `POWER_FAULTS`.
        """
        self._faults.apply(device, kind)

    def broken(self) -> dict[str, str]:
        """Return the lasting faults: device -> fault."""
        return self._faults.broken()

    def _must_not_be_advancing(self) -> None:
        if self._advancing:
            raise SimError("time is moving already: a step that `drive` calls must not move it")
