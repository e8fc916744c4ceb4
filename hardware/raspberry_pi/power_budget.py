"""Reckon how much current a table draws from its 5 V, and what supply and wires that takes. Arithmetic only.

The lamps are reckoned as `hardware.current_limit` limits them: 1 mA for each that has power, 20 mA for each colour
channel at 255. The Pi is reckoned at what its maker wants its supply to be able to give, USB devices among it
(Raspberry Pi documentation, "Power supply", recommended PSU current capacity); a closed reed at the 0.33 mA of a 10 kΩ
pull-up to 3.3 V; screens as `PANEL` has them. Wires are of copper, 0.0175 Ω mm²/m.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hardware.current_limit import CHANNEL, IDLE
from hardware.ports import BadDevice

SUPPLY: Mapping[str, float] = MappingProxyType({"zero2": 2000, "3": 2500, "4": 3000, "5": 5000})
"""Model -> milliamps that its supply should be able to give, by its maker."""

PANEL: Mapping[str, float] = MappingProxyType({"ssd1306": 25, "sh1106": 25, "ssd1309": 200})
"""Chip -> milliamps of its OLED from 3.3 V, every point alight at full contrast.

Of the small ones, 0.96 and 1.3 inches, an estimate: modules with an SSD1306 draw about 20 mA (Adafruit, "Monochrome
OLED breakouts", power requirements). Of 2.42 inches it is reckoned from the chip: one row of 128 points is alight at
any time, each with up to 320 µA, so 40 mA together, which is also the most that a row may sink (SSD1309 data sheet
rev. 1.1, chapter 2). At the 13 V of such glass that is 0.52 W, and a step-up converter of 80 % takes it from 3.3 V as
200 mA.
"""

PULL_UP = 0.33
"""Milliamps through the pull-up of a closed reed: 3.3 V over 10 kΩ."""

CLOSED = 12
"""Reeds that are closed at once, by much: six pawns, each of which two reeds feel."""

TYPICAL_LIT = 13
"""Destinations that glow in an ordinary position."""

MARGIN = 1.2
"""What a supply should be able to give above what is asked of it for long."""

SIZES = (2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 25, 30, 40)
"""Amps of 5 V supplies on sale."""

GAUGES = (0.25, 0.34, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0, 6.0)
"""Cross-sections of wires on sale, in mm²."""

RESISTIVITY = 0.0175
"""Of copper, in Ω mm²/m."""

DROP = 0.25
"""Volts that may be lost on the way, there and back: a twentieth of 5 V."""

LAMPS_A_FEED = 25
"""Lamps of the chain to each point at which it is fed.

All white they draw 1.5 A. London's 18.2 m of wire between 223 lamps are 82 mm from one to the next, so 25 take 2.0 m.
In wire of 0.25 mm² that is 0.29 Ω there and back, and taken off evenly along the way 1.5 A lose half of 0.44 V: 0.22 V,
within `DROP`, though each feed reaches its lamps from one side only.
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a table draws from 5 V at the most.

    Attributes:
        lines: what draws, and how many milliamps.
        chain: number of lamps in the chain, those that are never used among them.
        idle: milliamps of the lamps when all are dark.
        typical: milliamps of the lamps in an ordinary position: 13 of them at 40 % in two colours.
        white: milliamps that the lamps would draw if all shone white and nothing limited them.
        lamps: milliamps that the lamps draw at the most, by their limit or because they can draw no more.
    """

    lines: tuple[tuple[str, float], ...]
    chain: int
    idle: float
    typical: float
    white: float
    lamps: float

    @property
    def total(self) -> float:
        """Return the milliamps of all lines."""
        return sum(milliamps for _, milliamps in self.lines)

    @property
    def supply(self) -> float:
        """Return the amps of the smallest supply on sale that does for everything together."""
        return supply_for(self.total)

    @property
    def lamp_supply(self) -> float:
        """Return the amps of the smallest supply on sale for the lamps alone, where the Pi has its own."""
        return supply_for(self.lamps)

    @property
    def feeds(self) -> int:
        """Return at how many points, evenly along the strip, 5 V should be cut, and 5 V and ground be fed in."""
        return max(1, math.ceil(self.chain / LAMPS_A_FEED))


def budget(
    lamps: int, max_milliamps: float, model: str, panels: Sequence[str], dead: int = 0, *, pull_ups: bool = False
) -> Budget:
    """Return what a table draws at the most. Pure.

    Args:
        lamps: number of lamps that are used.
        max_milliamps: their limit.
        model: "zero2", "3", "4" or "5".
        panels: the chip of each OLED, one of `PANEL`.
        dead: lamps of the chain that are never used; dark, they draw all the same, beyond the limit.
        pull_ups: whether the reeds have pull-ups that get the Pi's 3.3 V, as those of chips that hang on it.

    Raises:
        BadDevice: there is no such model or chip, a number is negative, or the limit does not cover the dark lamps.
    """
    if model not in SUPPLY:
        raise BadDevice(f"power: no Raspberry Pi is called {model!r}; there are {', '.join(SUPPLY)}")
    if min(lamps, dead) < 0:
        raise BadDevice(f"power: {lamps} lamps, {dead} dead lamps; none can be below 0")
    if unknown := set(panels) - set(PANEL):
        raise BadDevice(f"power: no OLED has a chip {min(unknown)!r}; there are {', '.join(PANEL)}")
    idle = lamps * IDLE
    if max_milliamps < idle:
        raise BadDevice(
            f"power: a limit of {max_milliamps:g} mA is below the {idle:g} mA that {lamps} lamps draw when dark; "
            f"allow at least {idle:g} mA"
        )
    white = lamps * (IDLE + 3 * CHANNEL)
    most = min(white, max_milliamps)
    unused = dead * IDLE
    lines = [("Raspberry Pi with USB devices", SUPPLY[model])]
    if lamps:
        lines += [("dark lamps", idle + unused), ("light of the lamps", most - idle)]
    lines += [(f"{number} × OLED {chip.upper()}", number * PANEL[chip]) for chip, number in Counter(panels).items()]
    if pull_ups:
        lines.append((f"pull-ups of {CLOSED} closed reeds", CLOSED * PULL_UP))
    typical = idle + unused + min(lamps, TYPICAL_LIT) * 0.4 * 2 * CHANNEL
    return Budget(tuple(lines), lamps + dead, idle + unused, typical, white + unused, most + unused)


def supply_for(milliamps: float) -> float:
    """Return the amps of the smallest 5 V supply on sale that gives `milliamps` with a fifth to spare.

    Raises:
        BadDevice: none is large enough.
    """
    for amps in SIZES:
        if amps * 1000 >= milliamps * MARGIN:
            return amps
    raise BadDevice(f"power: {milliamps:g} mA is more than one 5 V supply gives; divide the lamps between two")


def wire_for(milliamps: float, metres: float) -> float:
    """Return the mm² of the thinnest wire on sale that loses at most 0.25 V over `metres` there and back.

    Raises:
        BadDevice: none is thick enough.
    """
    least = 2 * metres * RESISTIVITY * milliamps / 1000 / DROP
    for gauge in GAUGES:
        if gauge >= least:
            return gauge
    raise BadDevice(f"power: {milliamps:g} mA over {metres:g} m take a wire of {least:.1f} mm²; feed from nearer by")
