"""List a board's parts: how many, what exactly, which makers' parts, what may replace them, and what to avoid.

Quantities follow from the configuration. Prices are rough, in euros, of `PRICES_OF`; they are the only thing here that
grows old. docs/build.md shows the same parts for the shipped builds.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO

from firmware_host.commissioning.diagrams.lamp_chain import fuse, needs, supply
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.commissioning.diagrams.switch_sheets import chips
from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError
from firmware_host.maker.board_plan import DIAMETERS, FRAME, PANEL, RING, BoardPlan, Cut
from firmware_host.maker.switch_reach import ReedPair, Switch

PRICES_OF = "2026"
"""The year of the prices."""

MAGNETS = 8
"""Magnets for six pawns, and two spare ones."""

_HOURS = {"reed": 0.12, "lamp": 0.1, "chip": 0.5, "key": 0.15, "board": 8.0}
"""Hours of work: for each reed, lamp, chip and key, and for everything else together. Estimated."""


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A part of a board.

    Attributes:
        name: what it is, with its value.
        count: how many are needed.
        package: its form: "DIP-16, with socket".
        makers: one or two makers' numbers, or "" where any does.
        instead: what may replace it.
        avoid: what not to buy, and why.
        price: the least and the most for each, in euros.
    """

    name: str
    count: int
    package: str
    makers: str
    instead: str
    avoid: str
    price: tuple[float, float]


def parts_list(config: Config, plan: BoardPlan) -> tuple[BoardPart, ...]:
    """Return the parts of a board.

    Raises:
        ConfigError: the board is simulated.
    """
    if config.simulated:
        raise ConfigError(f"{config.source}: a simulated board has no parts; name the drivers of a real board")
    parts = (*_electronics(config, plan), *_lamp_parts(config), *_panel_parts(config), *_wood(plan))
    return tuple(part for part in parts if part.count)


def cost(parts: Iterable[BoardPart]) -> tuple[float, float]:
    """Return what parts cost together, in euros: the least and the most."""
    sums = [sum(part.count * part.price[end] for part in parts) for end in (0, 1)]
    return sums[0], sums[1]


def hours(config: Config, plan: BoardPlan) -> float:
    """Return an estimate of the hours of work on a board, to the half hour."""
    keys = sum(lead.owner == "keys" for lead in leads(config))
    counts = {"reed": len(plan.middles()), "lamp": config.layout.lamps, "chip": _chips(config), "key": keys}
    return round(2 * (_HOURS["board"] + sum(_HOURS[what] * count for what, count in counts.items()))) / 2


def as_csv(parts: Iterable[BoardPart]) -> str:
    """Return a list of parts as a table of comma-separated values."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("quantity", "part", "package", "makers", "instead", "avoid", "euros_each", f"prices_{PRICES_OF}"))
    for part in parts:
        low, high = part.price
        each = f"{low:g}-{high:g}"
        sums = f"{part.count * low:.2f}-{part.count * high:.2f}"
        writer.writerow((part.count, part.name, part.package, part.makers, part.instead, part.avoid, each, sums))
    return file.getvalue()


def _chips(config: Config) -> int:
    """Return how many chips read the reeds."""
    sheets = config.devices["switches"].driver.sheets
    return len(chips(config)) if sheets.endswith(("pi_sheets", "pico_sheets")) else 0


def _electronics(config: Config, plan: BoardPlan) -> Iterator[BoardPart]:
    count, reeds = _chips(config), len(plan.middles())
    used = [lead for lead in leads(config) if lead.end]
    columns = sum(lead.key == "[switches] columns" for lead in used)
    yield BoardPart(
        "Raspberry Pi 4 with 2 GB, its own supply, card", 1, "", "Raspberry Pi 4 Model B",
        "Pi 5, 3 or Zero 2 W, with the changes of the build guide", "", (60, 90),
    )  # fmt: skip
    pico = config.devices["switches"].driver.sheets.endswith("pico_sheets")
    yield BoardPart(
        "Raspberry Pi Pico and USB cable", int(pico), "", "Raspberry Pi Pico, SC0915", "Pico 2, with its MicroPython",
        "a cable without data wires", (5, 9),
    )  # fmt: skip
    yield _switch_part(plan, reeds)
    diameter, long = plan.pair.magnet
    yield BoardPart(
        f"magnet for a pawn, {diameter:g} × {long:g} mm, with spares", MAGNETS, "rod of neodymium, N42", "",
        "", "4 × 10 mm and larger: it closes a reed at 11 mm", (0.30, 1.00),
    )  # fmt: skip
    yield BoardPart(
        "74HC165", count, "DIP-16, with socket", "Texas Instruments SN74HC165N, CD74HC165E", "74HCS165 on an adapter",
        "74LS165 and 74HCT165: not for 3.3 V", (0.50, 1.10),
    )  # fmt: skip
    yield BoardPart(
        "resistor network 8 × 10 kΩ", max(0, count - 1), "9 pins in line, one common", "Bourns 4609X-101-103LF",
        "eight single resistors", "networks of separate resistors (4116R and the like)", (0.20, 0.40),
    )  # fmt: skip
    yield BoardPart(
        "diode 1N4148", reeds if columns else 0, "glass, with wires", "Vishay 1N4148-TAP, onsemi 1N4148",
        "BAT85 for columns longer than 2 m", "1N4007: more voltage is lost on it", (0.02, 0.05),
    )  # fmt: skip
    yield BoardPart(
        "capacitor 100 nF", count + 1 + (reeds if plan.switch is Switch.HALL else 0), "ceramic, 5 mm pitch",
        "KEMET C320C104K5R5TA, Vishay K104K15X7RF5TL2", "", "", (0.05, 0.15),
    )  # fmt: skip
    yield BoardPart("resistor 100 Ω, if readings are bad", 2 * bool(count), "¼ W", "", "", "", (0.02, 0.10))
    i2c3 = config.devices["display"].driver.name == "oled" and config.sections["display"].bus == "i2c-3"
    yield BoardPart("resistor 2.2 kΩ, pull-ups of I2C3", 2 * i2c3, "¼ W", "", "", "", (0.02, 0.10))
    yield BoardPart("resistor 4.7 kΩ, for columns longer than 2 m", columns, "¼ W", "", "", "", (0.02, 0.10))


def _switch_part(plan: BoardPlan, count: int) -> BoardPart:
    if isinstance(plan.pair, ReedPair):
        return BoardPart(
            f"reed switch, normally open, {plan.pair.reed}", count, "glass, about 2.2 × 14 mm", "kind MM-1018", "",
            "more sensitive ones: a magnet closes the neighbour's, too", (0.20, 0.50),
        )  # fmt: skip
    return BoardPart(
        f"Hall switch {plan.pair.sensor}", count, "flat TO-92 (LPG)", f"Texas Instruments {plan.pair.sensor}LPG", "",
        "other letters after DRV5032: they react to other fields", (0.50, 1.20),
    )  # fmt: skip


def _lamp_parts(config: Config) -> Iterator[BoardPart]:
    if config.devices["lamps"].driver.absent:
        return
    strips = sum(lead.owner == "lamps" and bool(lead.end) for lead in leads(config))
    yield BoardPart(
        "WS2812B lamp on its own round board", config.layout.lamps, "Ø 10 mm", "Worldsemi WS2812B",
        "SK6812 of three colours", "SK6812 RGBW: 32 bits a lamp, so colours shift from lamp to lamp", (0.15, 0.35),
    )  # fmt: skip
    yield BoardPart(
        "74AHCT125", math.ceil(strips / 4), "DIP-14, with socket", "Texas Instruments SN74AHCT125N", "74HCT125",
        "74HC125 and 74AHC125: 3.3 V is no 1 for them at 5 V", (0.60, 1.20),
    )  # fmt: skip
    yield BoardPart("resistor 390 Ω, in the lamps' data", strips, "¼ W", "", "330 to 470 Ω", "", (0.02, 0.10))
    yield BoardPart(
        "capacitor 1000 µF, 6.3 V or more", 1, "electrolytic", "Panasonic EEU-FR1A102", "", "", (0.30, 1.00)
    )  # fmt: skip
    yield BoardPart(
        f"fuse {fuse(config):g} A, quick-acting, and its holder: one per feed", needs(config).feeds, "5 × 20 mm",
        "Littelfuse series 217, Schurter FSF", "", "slow ones (T): they blow too late", (0.70, 1.50),
    )  # fmt: skip
    yield BoardPart(
        f"5 V supply for the lamps, {supply(config):g} A or more", 1, "closed, with a DC plug", "",
        "", "open supplies with mains terminals: leave mains to a closed one", (10, 25),
    )  # fmt: skip
    yield BoardPart("DC jack for the supply, 5.5 × 2.1 mm or as its plug", 1, "for a panel", "", "", "", (1, 3))


_SCREENS = {
    ("ssd1306", False): ("OLED 128 × 64, SSD1306, I2C", "0.96 inches, 4 pins", (4, 10)),
    ("ssd1306", True): ("OLED 128 × 64, SSD1306, SPI", "0.96 inches, 7 pins", (4, 10)),
    ("ssd1309", False): ("OLED 128 × 64, SSD1309, I2C", "2.42 inches, set to I2C", (12, 20)),
    ("ssd1309", True): ("OLED 128 × 64, SSD1309, SPI", "2.42 inches, 7 pins", (12, 20)),
    ("sh1106", False): ("OLED 128 × 64, SH1106, I2C", "1.3 inches, 4 pins", (6, 12)),
    ("sh1106", True): ("OLED 128 × 64, SH1106, SPI", "1.3 inches, 7 pins", (6, 12)),
}


def _panel_parts(config: Config) -> Iterator[BoardPart]:
    screens: Counter[tuple[str, bool]] = Counter()
    for name in ("handset", "display"):
        if config.devices[name].driver.name == "oled":
            section = config.sections[name]
            screens[section.chip, section.bus.startswith("spi")] += 1
    for kind, (name, package, price) in _SCREENS.items():
        avoid = "one whose picture begins at column 0: set first_column = 0" if kind[0] == "sh1106" else ""
        yield BoardPart(name, screens[kind], package, "", "", avoid, price)
    used = [lead for lead in leads(config) if lead.owner == "keys" and lead.end]
    encoder = sum(lead.key == "[keys] encoder" for lead in used) // 2
    yield BoardPart("push button", len(used) - 3 * encoder, "for a hole of 12 mm", "", "", "", (0.50, 1.50))
    yield BoardPart(
        "rotary encoder with a button", encoder, "shaft of 6 mm, with a knob", "Bourns PEC11R", "Alps EC11", "", (2, 4)
    )


def _wood(plan: BoardPlan) -> Iterator[BoardPart]:
    screws, rings = len(plan.of(Cut.SCREW)), plan.of(Cut.RING)
    size = f"{plan.width:.0f} × {plan.height:.0f} mm"
    yield BoardPart(
        "panel of plywood", 1, f"{size}, {PANEL:g} mm", "", "", "metal: it short-circuits the magnets' field", (8, 20)
    )
    yield BoardPart(
        "frame and back", 1, f"for {size}, {FRAME:g} mm deep inside", "", "", "steel screws near a reed", (10, 25)
    )
    if rings:
        hole = f", hole Ø {DIAMETERS[Cut.REED]:g} mm" if plan.switch is Switch.REED else ""
        yield BoardPart(
            f"light ring of opal acrylic, {RING:g} mm", len(rings), f"Ø {rings[0].width:g} mm{hole}", "",
            "clear acrylic, sanded on both sides", "", (0.05, 0.30),
        )  # fmt: skip
    yield BoardPart("printed map or tiles, with foil", 1, "at true size", "", "", "", (5, 20))
    yield BoardPart("screw M4 × 16 and standoff", screws, "brass or nylon", "", "", "", (0.10, 0.40))
    yield BoardPart("pawn with a hole for its magnet", MAGNETS - 2, "", "", "", "", (0.30, 1.50))
    yield BoardPart("wire, stripboard, plugs, solder", 1, "", "", "", "", (20, 50))
