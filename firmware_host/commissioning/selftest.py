"""Test every device of a table, part by part: lamps, switches, keys and screens.

Like a lesson, a self-test does no input or output: see `Exercise`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PIL import Image

from firmware_host.commissioning.exercise_devices import (
    LOW,
    NEXT,
    UNSEEN,
    Colour,
    Exercise,
    Lost,
    Part,
    health_changes,
)
from firmware_host.commissioning.switch_checks import StationCheck, SwitchCheck, Wires
from firmware_host.config.drivers.neopixel_drivers import dark_milliamps
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.screen_text import DIGITS, HEIGHT, TEXT, WIDTH, Mark, Rectangle, centred, paint
from hardware.backend import Backend
from hardware.current_limit import LimitedLamps, estimate_current
from hardware.drivers.buttons import TRANSITIONS


class Power(NamedTuple):
    """The estimated current in milliamps if all lamps are to be white.

    Attributes:
        full: at full power.
        wanted: at the configured brightness.
        limited: with the configured current limit.
        limit: the limit.
    """

    full: float
    wanted: float
    limited: float
    limit: float

    def __str__(self) -> str:
        return (
            f"{self.full:.0f} mA at full power, {self.wanted:.0f} mA with this brightness, "
            f"{self.limited:.0f} mA behind the limit of {self.limit:.0f} mA (estimated)"
        )


class _Paper:
    """Simulated lamps that keep the last frame, to show what the current limit does to it. Implements `Lamps`."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.frame = b""

    def ready(self) -> bool:
        return True

    def show(self, frame: bytes) -> None:
        self.frame = frame

    def close(self) -> None:
        pass


def power(config: Config, count: int) -> Power:
    """Estimate the current of `count` lamps that are all to be white."""
    lamps, paper = config.lamps, _Paper(count)
    dead = dark_milliamps(config.sections["lamps"], config.layout)
    white = b"\xff" * (3 * count)
    drawn = [estimate_current(white) + dead]
    for most in (math.inf, lamps.max_milliamps):
        LimitedLamps(paper, most, lamps.brightness, lamps.gamma, dead).show(white)
        drawn.append(estimate_current(paper.frame) + dead)
    full, wanted, limited = drawn
    return Power(full, wanted, limited, lamps.max_milliamps)


CLICKS = 4
"""Clicks of the knob: enough for one press at each, every second and every fourth of them."""

KNOB = ("handset.up", "handset.down")
"""The keys that a knob presses."""


class KeyCheck(Part):
    """The test of the keys: press each once, in order, then turn the knob by `CLICKS` clicks.

    Each click should be one press. Otherwise the number of presses shows how often the contacts change in a click.

    Args:
        names: the keys.
        hints: key -> how to press it, unless it is a plain button.
        hold: seconds after which a press is a long one.
        steps: the configured `encoder_steps`; 0 without a knob.
    """

    tries = needs = ("keys",)

    def __init__(self, names: Sequence[str], hints: Mapping[str, str], hold: float, steps: int = 0) -> None:
        self._names = names
        self._hints = hints
        self._hold = hold
        self._steps = steps
        self._turns: int | None = None  # presses of the knob since its clicks were asked for
        self._knob_fault = ""
        self._at = 0
        self._pressed: list[str] = []
        self._down: dict[str, float] = {}

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Ask for the first key."""
        return ["Keys: press each as it is named. Enter: skip it.", *self._ask()]

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:
        """Name the key that was pressed. Report a long press when the key is released."""
        if not down:
            held = now - self._down.pop(name, now)
            return [f"  {name} was held for {held:.1f} s: a long press"] if held >= self._hold else []
        self._down[name] = now
        if self._turns is not None:
            if name in KNOB:
                self._turns += 1
            return self._judge(self._turns) if name == NEXT else []
        if name != self._names[self._at]:
            return [f"  that was {name}"]
        self._pressed.append(name)
        return [f"  {name}: good", *self._next()]

    def enter(self) -> list[str]:
        """Skip the present key, or end the turning of the knob."""
        return self._next() if self._turns is None else self._judge(self._turns)

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Repeat the present request."""
        return self._ask()

    def fault(self, device: str) -> str:  # noqa: ARG002
        """Return the keys that were not pressed, or the knob's fault."""
        skipped = [name for name in self._names if name not in self._pressed]
        return f"not pressed: {', '.join(skipped)}" if skipped else self._knob_fault

    def _ask(self) -> list[str]:
        if self._at < len(self._names):
            name = self._names[self._at]
            hint = f" ({self._hints[name]})" if name in self._hints else ""
            return [f"{self._at + 1} of {len(self._names)}: press {name}{hint}"]
        if not self._steps or not set(KNOB) & set(self._pressed):
            self.done = True
            return []
        self._turns = 0
        return [f"Turn the knob by {CLICKS} clicks the same way, a second apart. Then Enter, or {NEXT}."]

    def _judge(self, presses: int) -> list[str]:
        """End the turning of the knob. If each click was not exactly one press, suggest other `encoder_steps`."""
        self.done = True
        right = next((steps for steps in TRANSITIONS if _fits(presses, CLICKS * steps / self._steps)), 0)
        if not right:
            self._knob_fault = f"{CLICKS} clicks of the knob were {presses} presses"
            return [f"  {self._knob_fault}; try again, slowly: yardboard selftest --keys"]
        if right == self._steps:
            return [f"  {CLICKS} clicks were {presses} presses: good"]
        self._knob_fault = (
            f"{CLICKS} clicks of the knob were {presses} presses; write encoder_steps = {right} in [keys]"
        )
        return [f"  {self._knob_fault}"]

    def _next(self) -> list[str]:
        self._at += 1
        return self._ask()


def _fits(presses: int, expected: float) -> bool:
    """Return whether the number of presses is as expected. At most one in eight may be missing or too many."""
    return abs(presses - expected) <= expected // 8


STEP = 0.15
"""Seconds per lamp and colour."""

BLAZE = 2.0
"""Seconds for all lamps at the limit's brightness."""

_WHITE: Colour = (255, 255, 255)
_COLOURS: tuple[Colour, ...] = ((LOW, 0, 0), (0, LOW, 0), (0, 0, LOW))


class LampWalk(Part):
    """The test of the lamps: each one in red, green and blue, then all of them at the limit.

    Args:
        names: the description of each lamp of the chain: "station 58".
        power: the estimated draw of all lamps together.
    """

    tries = needs = ("lamps",)

    def __init__(self, names: Sequence[str], power: Power) -> None:
        self._names = names
        self._power = power
        self._begun = 0.0
        self._named = 0
        self._whole = False

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Start with the first lamp."""
        self._begun = now
        count, seconds = len(self._names), len(self._names) * len(_COLOURS) * STEP
        return [
            f"Lamps: {count} lamps shine one after another, each red, then green, then blue: {seconds:.0f} s.",
            "Then all of them shine white. Look for dark lamps and wrong colours. Enter: skip.",
        ]

    def tick(self, now: float) -> list[str]:
        """Print each lamp's name when it lights up."""
        lines = [*(f"  lamp {lamp}: {name}" for lamp, name in enumerate(self._names)), f"  all white: {self._power}"]
        named, self._named = self._named, min(self._colours_shown(now) // len(_COLOURS) + 1, len(lines))
        self._whole = now - self._begun >= len(self._names) * len(_COLOURS) * STEP + BLAZE
        self.done = self.done or self._whole
        return lines[named : self._named]

    def fault(self, device: str) -> str:  # noqa: ARG002
        """Return "skipped after N of M lamps" if the person skipped this test, or "" if it ran to its end."""
        return "" if self._whole else f"skipped after {min(self._named, len(self._names))} of {len(self._names)} lamps"

    def good_result(self) -> str:
        """Return the reminder that only a person can see the result, because lamps send no answer."""
        return UNSEEN

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the lamp under test, or all of them."""
        lamp, colour = divmod(self._colours_shown(now), len(_COLOURS))
        if lamp >= len(self._names):
            return dict.fromkeys(range(len(self._names)), _WHITE)
        return {lamp: _COLOURS[colour]}

    def _colours_shown(self, now: float) -> int:
        """Return how many colours the lamps together have shown so far."""
        return int((now - self._begun) / STEP)


SURE = 2.5
"""Seconds after which a silent screen is known to be lost: a bit more than two `PANEL_TICK`s of the screens' thread."""


UNCONFIRMED = "not confirmed: nobody confirmed the picture"
"""The result of a screen that answers but that nobody has confirmed."""


class ScreenCheck(Part):
    """The test of the screens: a test picture on each of them.

    Args:
        number: the number to show: the highest station.
        handset: whether there is a handset.
        display: whether there is a public display.
    """

    def __init__(self, number: int, *, handset: bool = True, display: bool) -> None:
        self._number = number
        self._handset = test_picture("handset", number) if handset else None
        self._display = test_picture("display", number) if display else None
        self._sure_at = math.inf
        self._wanted = self._confirmed = False
        self.tries = ("handset",) * handset + ("display",) * display

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Explain what to look for on the screens."""
        if not self.tries:
            self.done = True
            return ["Screens: this table has no screens."]
        self._sure_at = now + SURE
        who = " and ".join(self.tries) + " show" if len(self.tries) > 1 else f"the {self.tries[0]} shows"
        return [
            f"Screens: {who} a frame along all four edges, the name of the screen,",
            f"the number {self._number}, and a chequered field of single points beside one of larger squares.",
            "Enter, or the key confirm: go on; the screens are dark then.",
        ]

    def enter(self) -> list[str]:
        """React to Enter: end this part as soon as it is known whether the screens answer."""
        if not self._wanted:
            self._wanted = self._confirmed = True
        return []

    def stop(self) -> None:
        """React to q: end this part like Enter, but the screens count as not confirmed."""
        self._wanted = True

    def tick(self, now: float) -> list[str]:
        """End this part if Enter or q was typed and it is known whether the screens answer."""
        self.done = self.done or (self._wanted and now >= self._sure_at)
        return []

    def fault(self, device: str) -> str:  # noqa: ARG002
        """Return `UNCONFIRMED`, or "" if somebody has confirmed the screens."""
        return "" if self._confirmed else UNCONFIRMED

    def good_result(self) -> str:
        """Return the reminder that only a person can see the result."""
        return UNSEEN

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return the test pictures."""
        return self._handset, self._display


def test_picture(label: str, number: int) -> Image.Image:
    """Draw the test picture of a screen: frame, name, a number in huge digits, two chequered fields. Pure."""
    edges = [
        Rectangle(0, 0, WIDTH, 1),
        Rectangle(0, HEIGHT - 1, WIDTH, 1),
        Rectangle(0, 0, 1, HEIGHT),
        Rectangle(WIDTH - 1, 0, 1, HEIGHT),
    ]
    words: list[Mark] = [centred(WIDTH // 2, 4, label, TEXT), centred(32, 24, str(number), DIGITS)]
    fine = [Rectangle(x, y, 1, 1) for x in range(66, 90) for y in range(20, 56) if (x + y) % 2]
    coarse = [Rectangle(96 + 6 * x, 20 + 6 * y, 6, 6) for x in range(4) for y in range(6) if (x + y) % 2]
    return paint([*edges, *words, *fine, *coarse])


PARTS = ("lamps", "switches", "keys", "screens")
"""The parts of the self-test, in their order."""

STATIONS = "stations"
"""The part that tests single stations; only on request."""

HINT = "Enter: skip; q and Enter: end."
"""The input that is accepted at any time."""


class SelfTest(Exercise):
    """The self-test, which runs its parts one after another.

    Args:
        parts: the parts, in order.

    Attributes:
        done: whether all parts are over.
        bad: the devices that were lost, failed or were not tested.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.bad: list[str] = []
        self._parts = list(parts)
        self._last = False  # whether no part begins after this one
        self._closed = 0
        self._lost: Lost = {}
        self._losses: dict[str, str] = {}  # device -> why it was lost at any time during its part
        self._results: list[str] = []

    @property
    def waiting(self) -> bool:
        """Whether the present part waits for a lost device that it needs."""
        return not self.done and any(name in self._lost for name in self._parts[0].needs)

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:
        """Start the first part."""
        self._closed, self._lost = closed, lost
        return ["q and Enter: end.", *self._start(now)]

    def devices_changed(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Store the lost devices, and report losses and returns of devices that the present part tests.

        While a device that the part needs is lost, the part waits.
        """
        before, waited = self._lost, self.waiting
        self._closed, self._lost = closed, lost
        if self.done:
            return []
        lines = self._health_lines(before)
        return [*lines, *self._parts[0].resume(closed)] if waited and not self.waiting else lines

    def contacts_changed(self, closed: int, now: float) -> list[str]:
        """Store the closed inputs, and pass them on to the part."""
        self._closed = closed
        return [] if self.waiting or self.done else self._after_event(self._parts[0].contacts_changed(closed, now), now)

    def samples_changed(self, raw: int, chattering: int, now: float) -> list[str]:
        """Pass the raw samples on to the part."""
        if self.waiting or self.done:
            return []
        return self._after_event(self._parts[0].samples_changed(raw, chattering, now), now)

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:
        """React to a key that was pressed (`down`) or released."""
        if self.done:
            return []
        if not self.waiting:
            return self._after_event(self._parts[0].key_changed(name, down, now), now)
        return self.line_typed("", now) if down and name == NEXT else []

    def line_typed(self, line: str, now: float) -> list[str]:
        """React to a typed line: q ends the self-test, and other lines go to the present part.

        If the part waits for a lost device, Enter skips it.
        """
        word = line.strip().lower()
        if self.done:
            return []
        if word == "q":
            self._last = True
            self._parts[0].stop()
            return self._after_event([], now)
        answered = self._parts[0].answer(word) if word and not self.waiting else None
        if answered is not None:
            return self._after_event(answered, now)
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
        """Return a line for each device of the present part that was lost or came back."""
        part = self._parts[0]
        self._losses |= {name: why for name, why in self._lost.items() if name in part.tries}
        lines = health_changes(before, self._lost, part.tries)
        return [*lines, f"  This waits for the {part.needs[0]}. {HINT}"] if lines and self.waiting else lines

    def _after_event(self, lines: list[str], now: float) -> list[str]:
        """Return a part's lines. If the part is over, add the next part's, or all results."""
        part = self._parts[0]
        if not part.done:
            return lines
        for name in part.tries:
            if name in self._lost:
                fault = f"lost: {self._lost[name]}"
            elif name in self._losses:
                fault = f"was lost for a while: {self._losses[name]}"
            else:
                fault = part.fault(name)
            self._note(name, fault, fault or part.good_result())
        if not self._last and len(self._parts) > 1:
            del self._parts[0]
            return [*lines, *self._start(now)]
        for name in (name for other in self._parts[1:] for name in other.tries):
            self._note(name, "not tried", "not tried")
        self.done = True
        return [*lines, "Results:", *self._results]

    def _note(self, name: str, fault: str, result: str) -> None:
        self._results.append(f"  {name}: {result}")
        if fault:
            self.bad.append(name)


def self_test(
    config: Config,
    backend: Backend,
    name: Callable[[int], str],
    parts: Sequence[str] = PARTS,
    stations: tuple[int, ...] = (),
) -> SelfTest:
    """Build the self-test of a table.

    Args:
        config: its configuration.
        backend: its devices.
        name: returns an input's description: "input 12 (chip 2, pin E)".
        parts: the parts to run, at least one of `PARTS` and `STATIONS`.
        stations: the stations that `STATIONS` tests; all if empty.
    """
    layout, keys = config.layout, config.sections["keys"]
    handset = not config.devices["handset"].driver.absent
    key_names = [key for key in backend.keys.names if handset or not key.startswith("handset.")]
    lamp_names = {lamp: f"window {window} of the log" for window, lamp in enumerate(layout.log_lamps, 1)}
    lamp_names |= {layout.lamp(station): f"station {station}" for station in layout.stations}
    hints = {long: f"hold {short}" for short, long in keys.long.items() if long not in (*keys.table, *keys.handset)}
    if keys.encoder:
        hints |= dict.fromkeys(("handset.up", "handset.down"), "turn the knob")
    stations_by_input = zip(layout.switch_inputs, layout.stations, strict=True)
    wires = Wires(
        backend.switches,
        {number: station for number, station in stations_by_input if number < backend.switches.count},
        dict(zip(layout.stations, layout.station_lamps, strict=True)),
        name,
    )
    hidden = config.switches.samples / config.switches.scan_hz
    made: dict[str, Callable[[], Part]] = {
        "lamps": lambda: LampWalk(
            [lamp_names.get(lamp, "no station and no window") for lamp in range(backend.lamps.count)],
            power(config, backend.lamps.count),
        ),
        "switches": lambda: SwitchCheck(wires),
        STATIONS: lambda: StationCheck(wires, stations, hidden, config.sections["lamps"].order),
        "keys": lambda: KeyCheck(key_names, hints, keys.hold_ms / 1000, keys.encoder_steps if keys.encoder else 0),
        "screens": lambda: ScreenCheck(max(layout.stations), handset=handset, display=backend.display is not None),
    }
    return SelfTest([made[part]() for part in (*PARTS, STATIONS) if part in parts])
