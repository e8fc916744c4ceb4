"""Trying out every device of a table, part by part, and saying what should be seen.

Like a lesson, a self-test does no input or output: see `Exercise`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PIL import Image

from firmware_host.commission.power import Power, power
from firmware_host.commission.workbench import Colour, Exercise, bits, held_closed
from firmware_host.config import Config
from firmware_host.drawing.glyphs import DIGITS, TEXT
from firmware_host.drawing.marks import HEIGHT, WIDTH, Box, Mark, centred, paint
from hardware.backend import Backend

PARTS = ("lamps", "switches", "keys", "screens")
"""What can be tried out, in the order in which it is."""

LOW = 64
"""How bright a colour is while the lamps are walked: about 5 mA a lamp."""

STEP = 0.15
"""Seconds for which each lamp shines in each colour."""

BLAZE = 2.0
"""Seconds for which all lamps shine as bright as the limit lets them."""

NEXT = "table.confirm"
"""The key that goes on to the next part, like Enter; not while the keys are tried out."""

_WHITE: Colour = (255, 255, 255)
_TOUCHED: Colour = (0, LOW, 0)
_COLOURS: tuple[Colour, ...] = ((LOW, 0, 0), (0, LOW, 0), (0, 0, LOW))


class Part:
    """One part of the self-test: an `Exercise` that ends with Enter, or with the key confirm, and says nothing.

    Attributes:
        done: whether it is over.
    """

    def __init__(self) -> None:
        self.done = False

    def begin(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """It begins, with these inputs closed."""
        return []

    def felt(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Other inputs are closed from now on."""
        return []

    def key(self, name: str, down: bool, now: float) -> list[str]:
        """A key went down or up."""
        return self.typed("", now) if down and name == NEXT else []

    def typed(self, line: str, now: float) -> list[str]:  # noqa: ARG002
        """A line was typed: whatever it says, this part ends."""
        self.done = True
        return []

    def tick(self, now: float) -> list[str]:  # noqa: ARG002
        """Time goes by."""
        return []

    def shining(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """The lamps that are lit: none."""
        return {}

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """What the screens show: nothing."""
        return None, None


class LampWalk(Part):
    """Each lamp in turn in red, green and blue, then all of them at the limit.

    Args:
        names: what each lamp of the chain is: "station 58".
        power: what all of them draw.
    """

    def __init__(self, names: Sequence[str], power: Power) -> None:
        super().__init__()
        self._names = names
        self._power = power
        self._begun = 0.0
        self._told = 0

    def begin(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """The walk begins."""
        self._begun = now
        count, seconds = len(self._names), len(self._names) * len(_COLOURS) * STEP
        return [
            f"Lamps: {count} lamps shine one after another, each red, then green, then blue: {seconds:.0f} s.",
            "Then all of them shine white. Look for dark lamps and wrong colours. Enter: skip.",
        ]

    def tick(self, now: float) -> list[str]:
        """Names each lamp as it begins to shine."""
        said = [*(f"  lamp {lamp}: {name}" for lamp, name in enumerate(self._names)), f"  all white: {self._power}"]
        told, self._told = self._told, min(self._lamp(now) + 1, len(said))
        self.done = self.done or now >= self._begun + len(self._names) * len(_COLOURS) * STEP + BLAZE
        return said[told : self._told]

    def shining(self, now: float) -> Mapping[int, Colour]:
        """The lamp that is tried, or all of them."""
        lamp = self._lamp(now)
        if lamp >= len(self._names):
            return dict.fromkeys(range(len(self._names)), _WHITE)
        return {lamp: _COLOURS[self._shade(now) % len(_COLOURS)]}

    def _lamp(self, now: float) -> int:
        return self._shade(now) // len(_COLOURS)

    def _shade(self, now: float) -> int:
        """How many colours have been shown, all lamps together."""
        return int((now - self._begun) / STEP)


class SwitchCheck(Part):
    """Every switch is touched once. The lamps of the stations that were touched shine green.

    Args:
        inputs: input -> the station that it belongs to.
        lamps: station -> its lamp.
        name: says where an input is found.
    """

    def __init__(self, inputs: Mapping[int, int], lamps: Mapping[int, int], name: Callable[[int], str]) -> None:
        super().__init__()
        self._inputs = inputs
        self._lamps = lamps
        self._name = name
        self._closed = 0
        self._stuck = 0
        self._touched: set[int] = set()

    def begin(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Touching begins; what is closed already does not count."""
        self._closed = self._stuck = closed
        return [
            f"Switches: touch each of the {len(self._inputs)} stations with a magnet; its lamp shines green then.",
            "It ends when all were touched, or with Enter, or with the key confirm.",
            *held_closed(closed, self._name),
        ]

    def felt(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Names the inputs that close."""
        fresh, self._closed = closed & ~self._closed & ~self._stuck, closed
        self._stuck &= closed
        lines = [self._line(number) for number in bits(fresh)]
        if len(self._touched) == len(self._inputs) and not self.done:
            self.done = True
            lines.append(f"  all {len(self._inputs)} stations were touched")
        return lines

    def typed(self, line: str, now: float) -> list[str]:  # noqa: ARG002
        """It ends; tells the switches that never closed."""
        self.done = True
        silent = sorted((station, number) for number, station in self._inputs.items() if station not in self._touched)
        lines = [f"  station {station} never closed: {self._name(number)}" for station, number in silent]
        return [*lines, f"  touched: {len(self._touched)} of {len(self._inputs)} stations"]

    def shining(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """The lamps of the stations that were touched."""
        return {self._lamps[station]: _TOUCHED for station in self._touched}

    def _line(self, number: int) -> str:
        station = self._inputs.get(number)
        if station is None:
            return f"  no station: {self._name(number)}"
        self._touched.add(station)
        return f"  station {station}: {self._name(number)}; {len(self._touched)} of {len(self._inputs)}"


class KeyCheck(Part):
    """Every key is pressed once, in turn.

    Args:
        names: the keys.
        hints: key -> how it is pressed, where it is no plain button.
        hold: seconds after which a press is a long one.
    """

    def __init__(self, names: Sequence[str], hints: Mapping[str, str], hold: float) -> None:
        super().__init__()
        self._names = names
        self._hints = hints
        self._hold = hold
        self._at = 0
        self._skipped: list[str] = []
        self._down: dict[str, float] = {}

    def begin(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Asks for the first key."""
        return ["Keys: press each as it is named. Enter: skip it.", *self._ask()]

    def key(self, name: str, down: bool, now: float) -> list[str]:
        """Names the key that was pressed, and tells a long press when it ends."""
        if not down:
            held = now - self._down.pop(name, now)
            return [f"  {name} was held for {held:.1f} s: a long press"] if held >= self._hold else []
        self._down[name] = now
        if name != self._names[self._at]:
            return [f"  that was {name}"]
        return [f"  {name}: good", *self._next()]

    def typed(self, line: str, now: float) -> list[str]:  # noqa: ARG002
        """The key is skipped."""
        self._skipped.append(self._names[self._at])
        return self._next()

    def _ask(self) -> list[str]:
        self.done = self._at == len(self._names)
        if not self.done:
            name = self._names[self._at]
            hint = f" ({self._hints[name]})" if name in self._hints else ""
            return [f"{self._at + 1} of {len(self._names)}: press {name}{hint}"]
        return ["  not pressed: " + ", ".join(self._skipped)] if self._skipped else ["  all keys were pressed"]

    def _next(self) -> list[str]:
        self._at += 1
        return self._ask()


class ScreenCheck(Part):
    """A test picture on each screen.

    Args:
        number: the number that is shown: the board's longest.
        display: whether there is a public display.
    """

    def __init__(self, number: int, *, display: bool) -> None:
        super().__init__()
        self._number = number
        self._handset = test_picture("handset", number)
        self._display = test_picture("display", number) if display else None

    def begin(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Says what is to be seen."""
        screens = "Screens: handset and display show" if self._display else "Screens: the handset shows"
        return [
            f"{screens} a frame along all four edges, the name of the screen,",
            f"the number {self._number}, and a chequered field of single points beside one of larger squares.",
            "Enter, or the key confirm: go on; the screens are dark then.",
        ]

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """The test pictures."""
        return self._handset, self._display


def test_picture(label: str, number: int) -> Image.Image:
    """The test picture of a screen: a frame, its name, a number in huge figures, and two chequered fields. Pure."""
    edges = [Box(0, 0, WIDTH, 1), Box(0, HEIGHT - 1, WIDTH, 1), Box(0, 0, 1, HEIGHT), Box(WIDTH - 1, 0, 1, HEIGHT)]
    words: list[Mark] = [centred(WIDTH // 2, 4, label, TEXT), centred(32, 24, str(number), DIGITS)]
    fine = [Box(x, y, 1, 1) for x in range(66, 90) for y in range(20, 56) if (x + y) % 2]
    coarse = [Box(96 + 6 * x, 20 + 6 * y, 6, 6) for x in range(4) for y in range(6) if (x + y) % 2]
    return paint([*edges, *words, *fine, *coarse])


class SelfTest:
    """Some parts of the self-test, one after another. An `Exercise` for the workbench.

    Args:
        parts: the parts, in order.

    Attributes:
        done: whether all of them are over.
    """

    def __init__(self, parts: Sequence[Exercise]) -> None:
        self.done = False
        self._parts = list(parts)
        self._closed = 0

    def begin(self, closed: int, now: float) -> list[str]:
        """The first part begins."""
        self._closed = closed
        return ["q and Enter: end.", *self._parts[0].begin(closed, now)]

    def felt(self, closed: int, now: float) -> list[str]:
        """Other inputs are closed from now on."""
        self._closed = closed
        return self._parts[0].felt(closed, now)

    def key(self, name: str, down: bool, now: float) -> list[str]:
        """A key went down or up."""
        return self._parts[0].key(name, down, now)

    def typed(self, line: str, now: float) -> list[str]:
        """A line was typed: q ends it all, anything else means what it means to the part."""
        if line.strip().lower() != "q":
            return self._parts[0].typed(line, now)
        del self._parts[1:]
        self._parts[0].done = True
        return []

    def tick(self, now: float) -> list[str]:
        """Time goes by; a part that is over makes room for the next."""
        lines = self._parts[0].tick(now)
        if self._parts[0].done:
            self.done = len(self._parts) == 1
            if not self.done:
                del self._parts[0]
                lines += self._parts[0].begin(self._closed, now)
        return lines

    def shining(self, now: float) -> Mapping[int, Colour]:
        """The lamps that are lit."""
        return {} if self._parts[0].done else self._parts[0].shining(now)

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:
        """What the screens show."""
        return (None, None) if self._parts[0].done else self._parts[0].pictures(now)


def self_test(config: Config, backend: Backend, name: Callable[[int], str], parts: Sequence[str] = PARTS) -> SelfTest:
    """The self-test of a table.

    Args:
        config: its configuration.
        backend: its devices.
        name: says where an input is found.
        parts: which of `PARTS` to try out, at least one.
    """
    sheet, keys = config.sheet, config.keys
    lamp_names = {lamp: f"window {window} of the log" for window, lamp in enumerate(sheet.log_lamps, 1)}
    lamp_names |= {sheet.lamp(station): f"station {station}" for station in sheet.stations}
    hints = {long: f"hold {short}" for short, long in keys.long.items() if long not in (*keys.table, *keys.handset)}
    if keys.encoder:
        hints |= dict.fromkeys(("handset.up", "handset.down"), "turn the knob")
    made: dict[str, Callable[[], Exercise]] = {
        "lamps": lambda: LampWalk(
            [lamp_names.get(lamp, "no station and no window") for lamp in range(backend.lamps.count)],
            power(config, backend.lamps.count),
        ),
        "switches": lambda: SwitchCheck(
            dict(zip(sheet.switch_inputs, sheet.stations, strict=True)),
            dict(zip(sheet.stations, sheet.station_lamps, strict=True)),
            name,
        ),
        "keys": lambda: KeyCheck(backend.keys.names, hints, keys.hold_ms / 1000),
        "screens": lambda: ScreenCheck(max(sheet.stations), display=backend.display is not None),
    }
    return SelfTest([made[part]() for part in PARTS if part in parts])
