"""Try out one kind of device per part of the self-test: what to show and ask, and how to judge the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from PIL import Image

from firmware_host.commissioning.exercise_devices import Colour, Lost, abbreviate, held_closed, set_bits
from firmware_host.commissioning.lamp_current import Power
from firmware_host.ui.drawing.fonts import DIGITS, TEXT
from firmware_host.ui.drawing.layout import HEIGHT, WIDTH, Mark, Rectangle, centred, paint

LOW = 64
"""Brightness of a colour while the lamps are tried one by one: about 5 mA a lamp."""

STEP = 0.15
"""Seconds for which each lamp shines in each colour."""

BLAZE = 2.0
"""Seconds for which all lamps shine as bright as the limit allows."""

SURE = 2.5
"""Seconds after which a screen that does not answer is known to be lost: two beats of the clock, and some."""

NEXT = "table.confirm"
"""The key that goes on to the next part, like Enter; not while the keys are tried out."""

_UNSEEN = "all was sent; what could be seen only you know"
_WHITE: Colour = (255, 255, 255)
_TOUCHED: Colour = (0, LOW, 0)
_COLOURS: tuple[Colour, ...] = ((LOW, 0, 0), (0, LOW, 0), (0, 0, LOW))


class Part:
    """One part of the self-test. By default it ends with Enter or the key confirm, and says nothing.

    Attributes:
        tries: the devices that it tries out.
        needs: the devices without which it waits.
        done: whether the part is over.
    """

    tries: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.done = False

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Begin the part, with these inputs closed and these devices lost."""
        return []

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Go on after the needed devices came back, with these inputs closed."""
        return []

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Take the inputs that are closed from now on."""
        return []

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:  # noqa: ARG002
        """Take a key that went down or up."""
        return self.enter() if down and name == NEXT else []

    def enter(self) -> list[str]:
        """Take Enter: end this part."""
        self.done = True
        return []

    def fault(self) -> str:
        """Return what is wrong with the device or was not tried; "" for nothing."""
        return ""

    def good_result(self) -> str:
        """Return what to say of a device with which nothing is wrong."""
        return "good"

    def tick(self, now: float) -> list[str]:  # noqa: ARG002
        """Act as time passes."""
        return []

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamps that are lit: none."""
        return {}

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return the pictures for the screens: none."""
        return None, None


class LampWalk(Part):
    """Lights each lamp in turn in red, green and blue, then all of them at the limit.

    Args:
        names: the description of each lamp of the chain: "station 58".
        power: the draw of all lamps together.
    """

    tries = needs = ("lamps",)

    def __init__(self, names: Sequence[str], power: Power) -> None:
        super().__init__()
        self._names = names
        self._power = power
        self._begun: float | None = None
        self._named = 0
        self._whole = False

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Begin with the first lamp."""
        self._begun = now
        count, seconds = len(self._names), len(self._names) * len(_COLOURS) * STEP
        return [
            f"Lamps: {count} lamps shine one after another, each red, then green, then blue: {seconds:.0f} s.",
            "Then all of them shine white. Look for dark lamps and wrong colours. Enter: skip.",
        ]

    def tick(self, now: float) -> list[str]:
        """Name each lamp when it begins to shine."""
        lines = [*(f"  lamp {lamp}: {name}" for lamp, name in enumerate(self._names)), f"  all white: {self._power}"]
        named, self._named = self._named, min(self._lamp(now) + 1, len(lines))
        self._whole = self._time(now) >= len(self._names) * len(_COLOURS) * STEP + BLAZE
        self.done = self.done or self._whole
        return lines[named : self._named]

    def fault(self) -> str:
        """Return where the part was skipped, if it was."""
        return "" if self._whole else f"skipped after {min(self._named, len(self._names))} of {len(self._names)} lamps"

    def good_result(self) -> str:
        """Return that only the person knows the result: lamps do not answer."""
        return _UNSEEN

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the lamp that is tried, or all of them."""
        lamp = self._lamp(now)
        if lamp >= len(self._names):
            return dict.fromkeys(range(len(self._names)), _WHITE)
        return {lamp: _COLOURS[self._colours_shown(now) % len(_COLOURS)]}

    def _lamp(self, now: float) -> int:
        return self._colours_shown(now) // len(_COLOURS)

    def _colours_shown(self, now: float) -> int:
        """Return how many colours have been shown, over all lamps together."""
        return int(self._time(now) / STEP)

    def _time(self, now: float) -> float:
        return 0.0 if self._begun is None else now - self._begun


class SwitchCheck(Part):
    """Asks for every switch to be touched once, and lights the lamps of touched stations green if there are any.

    Args:
        inputs: input -> its station.
        lamps: station -> its lamp.
        name: says where an input is found: "input 12 (chip 2, pin E)".
    """

    tries = needs = ("switches",)

    def __init__(self, inputs: Mapping[int, int], lamps: Mapping[int, int], name: Callable[[int], str]) -> None:
        super().__init__()
        self._inputs = inputs
        self._lamps = lamps
        self._name = name
        self._closed = 0
        self._stuck = 0
        self._touched: set[int] = set()

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Begin; inputs that are closed already do not count."""
        lamps = "" if "lamps" in lost else "; its lamp shines green then"
        return [
            f"Switches: touch each of the {len(self._inputs)} stations with a magnet{lamps}.",
            "It ends when all were touched, or with Enter, or with the key confirm.",
            *self.resume(closed),
        ]

    def resume(self, closed: int) -> list[str]:
        """Go on after the switches came back; inputs that are closed already do not count."""
        self._closed = self._stuck = closed
        return held_closed(closed, self._name)

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Name the inputs that close."""
        fresh, self._closed = closed & ~self._closed & ~self._stuck, closed
        self._stuck &= closed
        lines = [self._line(number) for number in set_bits(fresh)]
        if len(self._touched) == len(self._inputs) and not self.done:
            self.done = True
            lines.append(f"  all {len(self._inputs)} stations were touched")
        return lines

    def enter(self) -> list[str]:
        """End the part and list the switches that never closed."""
        self.done = True
        lines = [f"  station {station} never closed: {self._name(number)}" for station, number in self._untouched()]
        return [*lines, f"  touched: {len(self._touched)} of {len(self._inputs)} stations"]

    def fault(self) -> str:
        """Return the stations that were not touched."""
        untouched = [station for station, _ in self._untouched()]
        return f"not touched: {abbreviate(untouched)}" if untouched else ""

    def _untouched(self) -> list[tuple[int, int]]:
        return sorted((station, number) for number, station in self._inputs.items() if station not in self._touched)

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamps of the touched stations."""
        return {self._lamps[station]: _TOUCHED for station in self._touched}

    def _line(self, number: int) -> str:
        station = self._inputs.get(number)
        if station is None:
            return f"  no station: {self._name(number)}"
        self._touched.add(station)
        return f"  station {station}: {self._name(number)}; {len(self._touched)} of {len(self._inputs)}"


class KeyCheck(Part):
    """Asks for every key to be pressed once, in turn.

    Args:
        names: the keys.
        hints: key -> how to press it, where it is no plain button.
        hold: seconds after which a press is a long one.
    """

    tries = needs = ("keys",)

    def __init__(self, names: Sequence[str], hints: Mapping[str, str], hold: float) -> None:
        super().__init__()
        self._names = names
        self._hints = hints
        self._hold = hold
        self._at = 0
        self._pressed: list[str] = []
        self._down: dict[str, float] = {}

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Ask for the first key."""
        return ["Keys: press each as it is named. Enter: skip it.", *self._ask()]

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:
        """Name the key that was pressed, and report a long press when it ends."""
        if not down:
            held = now - self._down.pop(name, now)
            return [f"  {name} was held for {held:.1f} s: a long press"] if held >= self._hold else []
        self._down[name] = now
        if name != self._names[self._at]:
            return [f"  that was {name}"]
        self._pressed.append(name)
        return [f"  {name}: good", *self._next()]

    def enter(self) -> list[str]:
        """Skip the key."""
        return self._next()

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Ask again."""
        return self._ask()

    def fault(self) -> str:
        """Return the keys that were not pressed."""
        skipped = [name for name in self._names if name not in self._pressed]
        return f"not pressed: {', '.join(skipped)}" if skipped else ""

    def _ask(self) -> list[str]:
        self.done = self._at == len(self._names)
        if not self.done:
            name = self._names[self._at]
            hint = f" ({self._hints[name]})" if name in self._hints else ""
            return [f"{self._at + 1} of {len(self._names)}: press {name}{hint}"]
        return []

    def _next(self) -> list[str]:
        self._at += 1
        return self._ask()


class ScreenCheck(Part):
    """Shows a test picture on each screen that the table has.

    Args:
        number: the number to show: the board's longest.
        handset: whether there is a handset.
        display: whether there is a public display.
    """

    def __init__(self, number: int, *, handset: bool = True, display: bool) -> None:
        super().__init__()
        self._number = number
        self._handset = test_picture("handset", number) if handset else None
        self._display = test_picture("display", number) if display else None
        self._sure_at = math.inf
        self._wanted = False
        self.tries = ("handset",) * handset + ("display",) * display

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Say what should be seen."""
        if not self.tries:
            self.done = True
            return ["Screens: this table has none."]
        self._sure_at = now + SURE
        who = " and ".join(self.tries) + " show" if len(self.tries) > 1 else f"the {self.tries[0]} shows"
        return [
            f"Screens: {who} a frame along all four edges, the name of the screen,",
            f"the number {self._number}, and a chequered field of single points beside one of larger squares.",
            "Enter, or the key confirm: go on; the screens are dark then.",
        ]

    def enter(self) -> list[str]:
        """Take Enter: end this part as soon as it is known whether the screens answer."""
        self._wanted = True
        return []

    def tick(self, now: float) -> list[str]:
        """End the part once that is wanted and known."""
        self.done = self.done or (self._wanted and now >= self._sure_at)
        return []

    def good_result(self) -> str:
        """Return that only the person knows the result: nobody else sees the screens."""
        return _UNSEEN

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return the test pictures."""
        return self._handset, self._display


def test_picture(label: str, number: int) -> Image.Image:
    """Draw the test picture of a screen: a frame, its name, a number in huge digits, and two chequered fields. Pure."""
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
