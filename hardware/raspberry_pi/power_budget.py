"""Compute how much current a table draws from 5 V, and which supply and wires it needs. Pure.

The lamps are computed as `hardware.current_limit` limits them: 1 mA for each that has power, 20 mA for each colour
channel at 255. The Pi counts with the recommended capacity of its supply, USB devices included (Raspberry Pi
documentation, "Power supply", recommended PSU current capacity). A closed reed counts with the 0.33 mA of a 10 kΩ
pull-up to 3.3 V, and screens count as in `PANEL`. Wires are copper, 0.0175 Ω mm²/m.
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
"""Model -> the milliamps of its recommended supply."""

PANEL: Mapping[str, float] = MappingProxyType({"ssd1306": 25, "sh1106": 25, "ssd1309": 200})
"""Chip -> milliamps of its OLED from 3.3 V, every pixel lit at full contrast.

The figures of small ones, 0.96 and 1.3 inches, are estimates: modules with an SSD1306 draw about 20 mA (Adafruit,
"Monochrome OLED breakouts", power requirements). That of 2.42 inches is computed from the chip: one row of 128 pixels
is lit at any time, each with up to 320 µA, so 40 mA together, which is also the most that a row may sink (SSD1309 data
sheet rev. 1.1, chapter 2). At the 13 V of such glass that is 0.52 W, and a step-up converter of 80 % takes it from 3.3
V as 200 mA.
"""

PULL_UP = 0.33
"""Milliamps through the pull-up of a closed reed: 3.3 V over 10 kΩ."""

CLOSED = 12
"""The most closed reeds at once: six pawns, each closing two reeds."""

TYPICAL_LIT = 13
"""Lit destinations in an ordinary position."""

MARGIN = 1.2
"""The factor of a supply's capacity over the continuous load."""

SIZES = (2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 25, 30, 40)
"""Amps of available 5 V supplies."""

GAUGES = (0.25, 0.34, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0, 6.0)
"""Cross-sections of available wires, in mm²."""

RESISTIVITY = 0.0175
"""The resistivity of copper, in Ω mm²/m."""

DROP = 0.25
"""The most volts lost on the way, there and back: a twentieth of 5 V."""

LAMPS_A_FEED = 26
"""Lamps of the chain per power feed.

If all are white, they draw 1.6 A. In the shipped builds London's lamps are 35 mm from each other, so 26 take 0.9 m. A
wire of 0.25 mm² has 0.13 Ω there and back. The lamps draw the current evenly along the way, so 1.6 A lose half of 0.20
V: 0.10 V, within `DROP`, although each feed reaches its lamps from one side only. So one feed is enough for the junior
game.
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most current that a table can draw from 5 V, part by part.

    Attributes:
        lines: each part that draws current, in words, with its milliamps.
        chain: number of lamps in the chain, unused ones included.
        idle: milliamps of the lamps when all are dark.
        typical: milliamps of the lamps in an ordinary position: 13 of them at 40 % in two colours.
        white: milliamps of the lamps if all were white without a limit.
        lamps: the most milliamps of the lamps, by their limit or because they can draw no more.
    """

    lines: tuple[tuple[str, float], ...]
    chain: int
    idle: float
    typical: float
    white: float
    lamps: float

    @property
    def total(self) -> float:
        """The total in milliamps."""
        return sum(milliamps for _, milliamps in self.lines)

    @property
    def supply(self) -> float:
        """The amps of the smallest supply on the market for the whole table."""
        return supply_for(self.total)

    @property
    def lamp_supply(self) -> float:
        """The amps of the smallest supply on the market for the lamps, if the Pi has its own supply."""
        return supply_for(self.lamps)

    @property
    def feeds(self) -> int:
        """The number of points along the strip at which to cut the 5 V line, and to feed in 5 V and ground."""
        return max(1, math.ceil(self.chain / LAMPS_A_FEED))


def budget(
    lamps: int, max_milliamps: float, model: str, panels: Sequence[str], dead: int = 0, *, pull_ups: bool = False
) -> Budget:
    """Return the most current that a table draws from 5 V, part by part. Pure.

    Args:
        lamps: number of used lamps.
        max_milliamps: their limit.
        model: "zero2", "3", "4" or "5".
        panels: the chip of each OLED, one of `PANEL`.
        dead: unused lamps of the chain; dark, they draw current beyond the limit.
        pull_ups: whether the reeds have pull-ups on the Pi's 3.3 V.

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
    """Return the amps of the smallest 5 V supply on the market that gives a fifth more than `milliamps`.

    Raises:
        BadDevice: none is large enough.
    """
    for amps in SIZES:
        if amps * 1000 >= milliamps * MARGIN:
            return amps
    raise BadDevice(f"power: {milliamps:g} mA is more than one 5 V supply gives; divide the lamps between two")


def wire_for(milliamps: float, metres: float) -> float:
    """Return the mm² of the thinnest wire on the market that loses at most 0.25 V over `metres` and back.

    Raises:
        BadDevice: none is thick enough.
    """
    least = 2 * metres * RESISTIVITY * milliamps / 1000 / DROP
    for gauge in GAUGES:
        if gauge >= least:
            return gauge
    raise BadDevice(f"power: {milliamps:g} mA over {metres:g} m take a wire of {least:.1f} mm²; place the feed nearer")
