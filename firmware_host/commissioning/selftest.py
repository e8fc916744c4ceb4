"""Test every device of a table, part by part: say what to look for, then report each device.

Like a lesson, a self-test does no input or output: see `Exercise`. The modules beside this one are its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PIL import Image

from firmware_host.commissioning.exercise_devices import Colour, Lost, health_changes
from firmware_host.commissioning.lamp_current_estimate import power
from firmware_host.commissioning.selftest_keys import KeyCheck
from firmware_host.commissioning.selftest_lamps import LampWalk
from firmware_host.commissioning.selftest_part import NEXT, Part
from firmware_host.commissioning.selftest_screens import ScreenCheck
from firmware_host.commissioning.selftest_switches import SwitchCheck
from firmware_host.config.loader import Config
from hardware.backend import Backend

PARTS = ("lamps", "switches", "keys", "screens")
"""The parts of the self-test, in their order."""

HINT = "Enter: skip; q and Enter: end."
"""The input that is accepted at any time."""


class SelfTest:
    """A self-test whose parts run one after another. An `Exercise` for the workbench.

    Args:
        parts: the parts, in order.

    Attributes:
        done: whether all parts are over.
        bad: the devices that were lost, failed or were not tested.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.done = False
        self.bad: list[str] = []
        self._parts = list(parts)
        self._last = False  # whether no part begins after this one
        self._closed = 0
        self._lost: Lost = {}
        self._losses: dict[str, str] = {}  # device -> why it was lost at any time during its part
        self._results: list[str] = []

    @property
    def waiting(self) -> bool:
        """Whether a device is lost that the current part needs."""
        return not self.done and any(name in self._lost for name in self._parts[0].needs)

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:
        """Begin the first part."""
        self._closed, self._lost = closed, lost
        return ["q and Enter: end.", *self._start(now)]

    def devices_changed(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Update the lost devices, and report those of the current part.

        The part waits for the devices that it needs.
        """
        before, waited = self._lost, self.waiting
        self._closed, self._lost = closed, lost
        if self.done:
            return []
        lines = self._health_lines(before)
        return [*lines, *self._parts[0].resume(closed)] if waited and not self.waiting else lines

    def contacts_changed(self, closed: int, now: float) -> list[str]:
        """Update the closed inputs."""
        self._closed = closed
        return [] if self.waiting or self.done else self._after_event(self._parts[0].contacts_changed(closed, now), now)

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:
        """Handle a key that went down or up."""
        if self.done:
            return []
        if not self.waiting:
            return self._after_event(self._parts[0].key_changed(name, down, now), now)
        return self.line_typed("", now) if down and name == NEXT else []

    def line_typed(self, line: str, now: float) -> list[str]:
        """Handle a typed line: q ends everything; Enter goes to the part, or skips a waiting part."""
        word = line.strip().lower()
        if self.done:
            return []
        if word == "q":
            self._last = True
            self._parts[0].stop()
            return self._after_event([], now)
        if word:
            return [f"  {line.strip()!r} is not an answer here. {HINT}"]
        if not self.waiting:
            return self._after_event(self._parts[0].enter(), now)
        self._parts[0].done = True
        return self._after_event([], now)

    def tick(self, now: float) -> list[str]:
        """Let the part react to the time."""
        return [] if self.done else self._after_event(self._parts[0].tick(now), now)

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the lamps that are lit."""
        return {} if self.done else self._parts[0].lit_lamps(now)

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:
        """Return the pictures for the screens."""
        return (None, None) if self.done else self._parts[0].pictures(now)

    def _start(self, now: float) -> list[str]:
        self._losses = {}
        return [*self._parts[0].begin(self._closed, self._lost, now), *self._health_lines({})]

    def _health_lines(self, before: Lost) -> list[str]:
        """Return lines about new losses and recoveries of the current part's devices."""
        part = self._parts[0]
        self._losses |= {name: why for name, why in self._lost.items() if name in part.tries}
        lines = health_changes(before, self._lost, part.tries)
        return [*lines, f"  This waits for the {part.needs[0]}. {HINT}"] if lines and self.waiting else lines

    def _after_event(self, lines: list[str], now: float) -> list[str]:
        """Return the part's lines, and the next part's or all results if it is over."""
        part = self._parts[0]
        if not part.done:
            return lines
        for name in part.tries:
            fault = self._loss_of(name) or part.fault()
            self._note(name, fault, fault or part.good_result())
        if not self._last and len(self._parts) > 1:
            del self._parts[0]
            return [*lines, *self._start(now)]
        for name in (name for other in self._parts[1:] for name in other.tries):
            self._note(name, "not tried", "not tried")
        self.done = True
        return [*lines, "Results:", *self._results]

    def _loss_of(self, name: str) -> str:
        if name in self._lost:
            return f"lost: {self._lost[name]}"
        return f"was lost for a while: {self._losses[name]}" if name in self._losses else ""

    def _note(self, name: str, fault: str, result: str) -> None:
        self._results.append(f"  {name}: {result}")
        if fault:
            self.bad.append(name)


def self_test(config: Config, backend: Backend, name: Callable[[int], str], parts: Sequence[str] = PARTS) -> SelfTest:
    """Build the self-test of a table.

    Args:
        config: its configuration.
        backend: its devices.
        name: returns an input's description: "input 12 (chip 2, pin E)".
        parts: the parts of `PARTS` to run, at least one.
    """
    layout, keys = config.layout, config.sections["keys"]
    handset = not config.devices["handset"].driver.absent
    key_names = [key for key in backend.keys.names if handset or not key.startswith("handset.")]
    lamp_names = {lamp: f"window {window} of the log" for window, lamp in enumerate(layout.log_lamps, 1)}
    lamp_names |= {layout.lamp(station): f"station {station}" for station in layout.stations}
    hints = {long: f"hold {short}" for short, long in keys.long.items() if long not in (*keys.table, *keys.handset)}
    if keys.encoder:
        hints |= dict.fromkeys(("handset.up", "handset.down"), "turn the knob")
    made: dict[str, Callable[[], Part]] = {
        "lamps": lambda: LampWalk(
            [lamp_names.get(lamp, "no station and no window") for lamp in range(backend.lamps.count)],
            power(config, backend.lamps.count),
        ),
        "switches": lambda: SwitchCheck(
            dict(zip(layout.switch_inputs, layout.stations, strict=True)),
            dict(zip(layout.stations, layout.station_lamps, strict=True)),
            name,
        ),
        "keys": lambda: KeyCheck(key_names, hints, keys.hold_ms / 1000, keys.encoder_steps if keys.encoder else 0),
        "screens": lambda: ScreenCheck(max(layout.stations), handset=handset, display=backend.display is not None),
    }
    return SelfTest([made[part]() for part in PARTS if part in parts])
