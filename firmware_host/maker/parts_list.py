"""List the parts of a board: how many, which exactly, what may replace them, and what to avoid.

Quantities follow from the configuration. `parts.toml` has the texts and rough prices in euros, of the date `PRICES_OF`.
docs/build.md shows the same parts for the shipped builds.
"""

from __future__ import annotations

import csv
import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from typing import Any

from firmware_host.commissioning.diagrams.lamp_chain import fuse, needs, rail_fuse, supply
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.commissioning.diagrams.switch_sheets import chips
from firmware_host.config.drivers.buttons_driver import keys_on_pico
from firmware_host.config.loader import Config
from firmware_host.maker.board_plan import DIAMETERS, FRAME, PANEL, PRINTED, RING, TILED, BoardPlan, Cut
from firmware_host.maker.cross_section import MEASURE_FIRST, PAWN_FOOT, measure_margins, needs_measuring
from firmware_host.maker.maker_errors import NoElectronics
from firmware_host.maker.switch_reach import BESIDE, TOLERANCE, HallPair, MeasuredPair, ReedPair, Switch
from firmware_host.maker.wire_list import STRING, fits_string

PRICES_OF = "November 2026"
"""The date of all prices."""

SPARE_MAGNETS = 2

_HOURS = {
    "reed": 0.12,
    "lamp": 0.1,
    "chip": 0.5,
    "key": 0.15,
    "board": 8.0,
    "small board": 2.5,
    "lamp of a string": 0.02,
}
"""Estimated hours of work for each reed, lamp, chip and key, and for everything else together."""

_SUPPLIES = {3.0: "GST18E05-P1J", 4.0: "GST25E05-P1J", 5.0: "GST40A05-P1J", 6.0: "GST60A05-P1J"}
"""Amps -> Mean Well's number of a closed supply of 5 V with a plug of 5.5 × 2.1 mm."""
_CORDED = 5.0
"""The amps from which on a closed supply has an inlet for a mains lead."""


@dataclass(frozen=True, slots=True)
class BoardPart:
    """One kind of part of a board.

    Attributes:
        name: what it is, with its value.
        count: how many are needed.
        package: its form: "DIP-16, with socket".
        makers: makers' numbers, or "" if any such part will do.
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

    @property
    def each(self) -> str:
        """The price of one piece, such as "0.2–0.5"."""
        return "–".join(f"{price:g}" for price in self.price)

    @property
    def together(self) -> str:
        """The price of all pieces, such as "2.80–7.00"."""
        return "–".join(f"{self.count * price:.2f}" for price in self.price)


def parts_list(config: Config, plan: BoardPlan) -> tuple[BoardPart, ...]:
    """Return the parts of a board.

    Raises:
        NoElectronics: the board is simulated.
    """
    if config.simulated:
        raise NoElectronics(config.simulation)
    texts, gaps = _texts(), _gaps(config, plan)
    counts = {**_electronics(config, plan), **_lamp_parts(config, plan), **_panel_parts(config), **_wood(config, plan)}
    return tuple(_part(texts[key], count, gaps) for key, count in counts.items() if count)


def _texts() -> dict[str, dict[str, Any]]:
    """Return the texts and prices of all parts by their keys, such as "reed" and "pi.4"."""
    known = tomllib.loads(files("firmware_host.maker").joinpath("parts.toml").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = {}
    for key, part in known.items():
        found |= {key: part} if "name" in part else {f"{key}.{kind}": one for kind, one in part.items()}
    return found


def _part(text: Mapping[str, Any], count: int, gaps: Mapping[str, object]) -> BoardPart:
    words = {key: text.get(key, "").format_map(gaps) for key in ("name", "package", "makers", "instead", "avoid")}
    return BoardPart(count=count, price=tuple(text["price"]), **words)


def _gaps(config: Config, plan: BoardPlan) -> dict[str, object]:
    """Return the values that fill the braces in `parts.toml`: name -> value."""
    lit = not config.devices["lamps"].driver.absent
    amps = supply(config) if lit else 0.0
    named = [number for size, number in _SUPPLIES.items() if size >= amps][:2]
    rings, pair = plan.of(Cut.RING), plan.pair
    measured = isinstance(pair, MeasuredPair)
    return {
        "reed": pair.reed if isinstance(pair, ReedPair) else "", "sensor": getattr(pair, "sensor", ""),
        "magnet": f"{pair.magnet[0]:g} × {pair.magnet[1]:g} mm",
        "hole": "as wide as your magnet" if measured else f"{pair.magnet[0] + 0.2:g} mm",
        "foot": f"{PAWN_FOOT:g}", "spare": SPARE_MAGNETS, "string": STRING, "fuse": f"{fuse(config) if lit else 0:g}",
        "rail_fuse": f"{(rail_fuse(config) if lit else None) or 0:g}", "supply": f"{amps:g}",
        "supplies": f"Mean Well {', '.join(named)}" if named else "",
        "size": f"{math.ceil(plan.width)} × {math.ceil(plan.height)} mm", "panel": f"{PANEL:g}", "frame": f"{FRAME:g}",
        "ring": f"{rings[0].width:g}" if rings else "", "ring_thick": f"{RING:g}",
        "ring_hole": f", hole Ø {DIAMETERS[Cut.REED]:g} mm" if plan.switch is Switch.REED else "",
        "colours": "one each in " + ", ".join(config.network.starts) if config.network.starts else "in their colours",
    }  # fmt: skip


def cost(parts: Iterable[BoardPart]) -> tuple[float, float]:
    """Return the lowest and the highest price of all parts together, in euros."""
    sums = [sum(part.count * part.price[end] for part in parts) for end in (0, 1)]
    return sums[0], sums[1]


def hours(config: Config, plan: BoardPlan) -> float:
    """Return an estimate of the hours of work on a board, rounded to half an hour."""
    return round(2 * sum(_HOURS[what] * count for what, count in _tasks(config, plan).items())) / 2


def hour_lines(config: Config, plan: BoardPlan) -> tuple[str, ...]:
    """Return a line for each kind of work, with its hours."""
    return tuple(
        f"{count} × {what}: {_HOURS[what] * count:.1f} h." for what, count in _tasks(config, plan).items() if count
    )


def _tasks(config: Config, plan: BoardPlan) -> dict[str, int]:
    """Return how often a board needs each task of `_HOURS`."""
    return {
        "reed": len(plan.middles()),
        "lamp of a string" if fits_string(config, plan) else "lamp": config.layout.lamps,
        "chip": _chips(config),
        "key": sum(lead.owner == "keys" for lead in leads(config)) + len(keys_on_pico(config.sections)),
        "small board" if plan.on_one_a3 else "board": 1,
    }


def pair_lines(plan: BoardPlan) -> tuple[str, ...]:
    """Return lines about how far apart magnet and switch may be, from data sheets or measurements."""
    pair, nearest, (closes, opens) = plan.pair, measure_margins(plan).apart, plan.reach
    if isinstance(pair, MeasuredPair):
        words = f"{pair}: every measured switch closed up to {closes:g} mm beside the middle; {BESIDE:g} mm are needed."
        needed = f"They had opened at {opens:g} mm. So {opens + BESIDE:g} mm are needed from station to station"
        return words, f"{needed}, and the nearest two are {nearest:.1f} mm apart."
    if isinstance(pair, HallPair):
        words = f"{pair}: computed from the field of the magnet. Every switch closes up to {closes:.1f} mm beside its "
        return (f"{words}middle and has opened at {opens:.1f} mm. The nearest stations are {nearest:.1f} mm apart.",)
    (c1, c2), (o1, o2), worst = pair.closes, pair.opens, pair.worst
    class_ = (
        f"{pair}: reeds of this class close at {c1:g} to {c2:g} mm and open at {o1:g} to {o2:g} mm. The maker allows "
        f"{TOLERANCE:g} mm more or less."
    )
    height = (
        f"A pawn may stand {BESIDE:g} mm beside the middle. So the reed may be at most √({c1:g}² − {BESIDE:g}²) = "
        f"{pair.height:.1f} mm from the magnet, and with the tolerance √({worst.closes[0]:g}² − {BESIDE:g}²) = "
        f"{worst.height:.1f} mm. On this board it is {plan.magnet_height:.1f} mm from it."
    )
    neighbours = (
        f"The nearest two stations are {nearest:.1f} mm apart. A pawn on one of them must let go of the other: "
        f"{o2:g} + {BESIDE:g} = {o2 + BESIDE:.1f} mm are needed, and with the tolerance "
        f"{worst.opens[1] + BESIDE:.1f} mm."
    )
    upright = (
        "These distances hold for a reed that lies. A reed that stands upright has to be measured in place: try one "
        "pair under a piece of the real panel before you glue the others."
    )
    return class_, height, neighbours, MEASURE_FIRST if needs_measuring(plan) else upright


def as_csv(parts: Iterable[BoardPart]) -> str:
    """Return a list of parts as a table of comma-separated values."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    date = PRICES_OF.replace(" ", "_").lower()
    writer.writerow(("quantity", "part", "package", "makers", "instead", "avoid", "euros_each", f"euros_{date}"))
    for part in parts:
        texts = part.name, part.package, part.makers, part.instead, part.avoid
        writer.writerow((part.count, *texts, part.each.replace("–", "-"), part.together.replace("–", "-")))
    return file.getvalue()


def draw_parts_pdf(config: Config, plan: BoardPlan) -> bytes:
    """Return a board's parts as a PDF to read: what to buy, why this reed and magnet, and the hours of work.

    Raises:
        NoElectronics: the board is simulated.
    """
    from firmware_host.maker.reading_pages import ReadingPages  # noqa: PLC0415 - needs the extra

    parts = parts_list(config, plan)
    low, high = cost(parts)
    pages = ReadingPages(f"Parts: {plan.title}", across=True)
    pages.say(
        f"Prices are rough, in euros, of {PRICES_OF}: from cheap mail order to a good local shop. All parts together: "
        f"<b>{low:.0f} to {high:.0f} euros</b>. Quantities are exact; buy a few spare reeds, lamps and chips. Makers' "
        "numbers are examples from data sheets; nobody has built a board with all of them. Where there is none, any "
        "maker's part of that form serves, or none was checked."
    )
    head = ("", "part", "form", "makers' numbers", "what may replace it", "what to avoid, and why", "each", "together")
    rows = [
        (str(part.count), part.name, part.package, part.makers, part.instead, part.avoid, part.each, part.together)
        for part in parts
    ]
    pages.table(head, rows, (8, 50, 37, 48, 37, 46, 18, 21))
    pages.head("Why this reed and this magnet")
    pages.say(*pair_lines(plan))
    pages.head(f"Work: about {hours(config, plan):g} hours")
    pages.say("Estimated, for somebody who has soldered before. " + " ".join(hour_lines(config, plan)))
    return pages.finish()


def pawns(config: Config) -> int:
    """Return the largest number of pawns in a game on this board, Mister X's included."""
    detectives = max(size for box in config.boxes for size in box.sizes)
    return max(detectives + 1, len(config.network.starts))


def _chips(config: Config) -> int:
    """Return how many chips a board has that read reeds."""
    sheets = config.devices["switches"].driver.sheets
    return len(chips(config)) if sheets.endswith(("pi_sheets", "pico_sheets")) else 0


def _electronics(config: Config, plan: BoardPlan) -> dict[str, int]:
    count, switches = _chips(config), len(plan.middles())
    hall, measured = plan.switch is Switch.HALL, isinstance(plan.pair, MeasuredPair)
    switch = "hall" if hall else "reed"
    magnet = "hall" if hall else "weak" if plan.pair.magnet[0] <= 3 else "strong"
    columns = sum(lead.key == "[switches] columns" and bool(lead.end) for lead in leads(config))
    display = config.devices["display"].driver.name == "oled"
    return {
        f"pi.{config.pi.model}": 1,
        **{
            f"pico.{name}": len(config.devices[name].driver.needs(config.devices[name]).serial)
            for name in ("switches", "handset")
        },
        f"measured.{switch}" if measured else switch: switches,
        "measured.magnet" if measured else f"magnet.{magnet}": pawns(config) + SPARE_MAGNETS,
        "chip": count,
        "network": max(0, count - 1),
        "diode": switches if columns else 0,
        "small_capacitor": count + 1 + hall * switches,
        "series": 2 * bool(count),
        "pull_up": 2 * (display and config.sections["display"].bus == "i2c-3"),
        "column": columns,
    }


def _lamp_parts(config: Config, plan: BoardPlan) -> dict[str, int]:
    if config.devices["lamps"].driver.absent:
        return {}
    strips = sum(lead.owner == "lamps" and bool(lead.end) for lead in leads(config))
    string = fits_string(config, plan)
    return {
        "string": int(string),
        "lamp": 0 if string else config.layout.lamps,
        "shifter": math.ceil(strips / 4),
        "data": strips,
        "large_capacitor": 1,
        "fuse": needs(config).feeds,
        "rail_fuse": int(rail_fuse(config) is not None),
        "supply": 1,
        "mains": int(supply(config) >= _CORDED),
        "screw_jack" if plan.on_one_a3 else "jack": 1,
    }


def _panel_parts(config: Config) -> dict[str, int]:
    screens: Counter[str] = Counter()
    for name in ("handset", "display"):
        device = config.devices[name]
        if device.driver.needs(device).screen:
            bus = device.settings.bus.partition("-")[0] if device.driver.name == "oled" else "i2c"  # a Pico's
            screens[f"screen.{device.settings.chip}-{bus}"] += 1
    used = [lead for lead in leads(config) if lead.owner == "keys" and lead.end]
    encoder = sum(lead.key == "[keys] encoder" for lead in used) // 2
    buttons = len(used) - 3 * encoder + len(keys_on_pico(config.sections))
    return {**screens, "button": buttons, "encoder": encoder, "knob": encoder}


def _wood(config: Config, plan: BoardPlan) -> dict[str, int]:
    if plan.on_one_a3:
        built = {"thin_panel": 1, "strip": 1, "a3_print": 1}
        wires = {"breadboard": 1, "jumpers": 1, "short_jumpers": 1, "lever": 4, "odds": 1}
    else:
        built = {
            "panel": 1,
            "frame": 1,
            "ring": len(plan.of(Cut.RING)),
            "print": int(plan.cover in (PRINTED, TILED)),  # a board that the maker owns needs none
            "screw": len(plan.of(Cut.SCREW)),
            "pi_standoff": 4,
        }
        wires = {"wire": 1 + bool(_chips(config))}
    return {**built, "pawn": pawns(config), **wires}
