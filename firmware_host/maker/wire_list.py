"""List every wire of a board in the order of assembly: from where to where, colour, cross-section and length.

Lengths follow from the plan: along ducts that run parallel to the panel's edges between modules and to the Pi, straight
between the parts of one module, with `SLACK` for both ends. The Pi lies under the lower left corner, beside the supply.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import groupby, pairwise

from firmware_host.commissioning.diagrams import lamp_chain
from firmware_host.commissioning.diagrams.pi_header import Lead, leads
from firmware_host.commissioning.diagrams.switch_sheets import Chip, chips
from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError
from firmware_host.maker.board_plan import BoardPlan, Cut
from firmware_host.maker.wire_order import Place, group_by_place, length, middle, short_way

SLACK = 60.0
"""Millimetres that a wire is longer than its way, for both ends together."""
DEPTH = 30.0
"""Millimetres that a wire goes down into the duct and up again."""
SIGNAL = 0.14
"""Cross-section of signal wires in mm²."""

_CHAIN = (("CLK", "yellow", SIGNAL), ("SH/LD", "violet", SIGNAL), ("3.3 V", "orange", 0.25), ("ground", "black", 0.25))


@dataclass(frozen=True, slots=True)
class CutWire:
    """A wire to cut.

    Attributes:
        module: the part of the board to which it belongs, in the order of assembly: "lamps", "chip 3".
        start: where it begins.
        end: where it ends.
        colour: the colour of its insulation.
        mm2: its cross-section in mm².
        length: its length in whole millimetres, with slack.
    """

    module: str
    start: str
    end: str
    colour: str
    mm2: float
    length: int


def wire_list(config: Config, plan: BoardPlan) -> tuple[CutWire, ...]:
    """Return every wire in the order of assembly: power and lamps, keys and screens, then the switches.

    Raises:
        ConfigError: the board is simulated.
    """
    if config.simulated:
        raise ConfigError(f"{config.source}: a simulated board has no wires; name the drivers of a real board")
    return (*_lamp_wires(config, plan), *_panel_wires(config, plan), *_switch_wires(config, plan))


def as_csv(wires: Iterable[CutWire]) -> str:
    """Return a list of wires as a table of comma-separated values, with a number for each."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("number", "module", "from", "to", "colour", "mm2", "length_mm"))
    for number, wire in enumerate(wires, 1):
        writer.writerow((number, wire.module, wire.start, wire.end, wire.colour, f"{wire.mm2:g}", wire.length))
    return file.getvalue()


def totals(wires: Iterable[CutWire]) -> dict[tuple[str, float], float]:
    """Return how many metres of each colour and cross-section are needed."""
    found = defaultdict[tuple[str, float], float](float)
    for wire in wires:
        found[wire.colour, wire.mm2] += wire.length / 1000
    return dict(sorted(found.items()))


def pi_place(plan: BoardPlan) -> Place:
    """Return where the Pi and the supply lie: under the lower left corner of the printed map."""
    return plan.print_left + 45, plan.print_top + plan.print_height - 30


def module_places(config: Config, plan: BoardPlan) -> dict[int, Place]:
    """Return the place of each module of a chain of chips: the middle of its reeds; chip -> millimetres.

    The last chip has no reeds: it lies beside the one before it.
    """
    reeds = plan.places(Cut.REED)
    found: dict[int, Place] = {}
    for chip in chips(config):
        mine = [reeds[station] for station in chip.inputs.values() if station in reeds]
        if mine:
            found[chip.number] = middle(mine)
        else:
            x, y = found.get(chip.number - 1, pi_place(plan))
            found[chip.number] = x + 40, y
    return found


def short_wiring(config: Config, plan: BoardPlan) -> dict[str, dict[int, int]]:
    """Return the wiring of the same board with short wires: for "switches", "lamps" and "log", row -> input or lamp.

    Eight reeds that are near each other share a chip, and the lamps' chain goes on to a near lamp. The same inputs stay
    in use. Reeds without chips stay as they are.

    Raises:
        ConfigError: the board is simulated.
    """
    if config.simulated:
        raise ConfigError(f"{config.source}: a simulated board has no wires; name the drivers of a real board")
    home = pi_place(plan)
    way = short_way(plan.places(Cut.LIGHT), home)
    numbers = {name: number for number, name in enumerate(way)}
    found = {
        "lamps": {station: numbers[str(station)] for station in config.layout.stations},
        "log": {window: numbers[f"log {window}"] for window in range(1, len(config.layout.log_lamps) + 1)},
    }
    if _on_chips(config):
        used = sorted(config.layout.switch_inputs)
        sizes = [len(list(inputs)) for _, inputs in groupby(used, lambda place: place // 8)]
        reeds = {int(station): at for station, at in plan.places(Cut.REED).items()}
        groups = group_by_place(reeds, sizes, home)
        in_order = [station for group in groups for station in sorted(group)]
        wired = dict(zip(in_order, used, strict=True))
        found["switches"] = {station: wired[station] for station in config.layout.stations}
    return found


def reed_and_lamp_metres(config: Config, plan: BoardPlan) -> tuple[float, float]:
    """Return the length of all wires from chips to reeds, and of the lamps' chain, in metres and without slack."""
    reeds, lights = plan.places(Cut.REED), plan.places(Cut.LIGHT)
    to_reeds = 0.0
    if _on_chips(config):
        places = module_places(config, plan)
        for chip in chips(config):
            mine = [reeds[station] for station in chip.inputs.values() if station in reeds]
            to_reeds += sum(math.dist(places[chip.number], reed) for reed in mine)
    shown = [lights.get(_lamp_name(lamp)) for strip in lamp_chain.strips(config) for lamp in strip]
    return to_reeds / 1000, length([at for at in shown if at is not None]) / 1000


def _on_chips(config: Config) -> bool:
    return config.devices["switches"].driver.sheets.endswith(("pi_sheets", "pico_sheets"))


def _straight(one: Place, other: Place) -> int:
    return math.ceil(math.dist(one, other) + SLACK)


def _by_duct(one: Place, other: Place) -> int:
    return math.ceil(abs(one[0] - other[0]) + abs(one[1] - other[1]) + DEPTH + SLACK)


# ---- lamps ----


def _lamp_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    if config.devices["lamps"].driver.absent:
        return
    lights = plan.places(Cut.LIGHT)
    home, feed_wire = pi_place(plan), lamp_chain.feed_wire(config)
    pins = [lead.place for lead in leads(config) if lead.owner == "lamps" and lead.end]
    rail = lamp_chain.rail_wire(config)
    for name, colour in (("5 V", "red"), ("ground", "black")):
        yield CutWire("supply", f"supply, {name}", f"rail, {name}", colour, rail, math.ceil(plan.width + SLACK))
    for number, (strip, pin) in enumerate(zip(lamp_chain.strips(config), pins, strict=False), 1):
        shown = [(_lamp_name(lamp), lights.get(_lamp_name(lamp), home), lamp.fed) for lamp in strip]
        module = "lamps" if len(pins) == 1 else f"lamps, strip {number}"
        yield CutWire(module, f"Pi {pin}", f"level shifter, gate {number}, in", "green", SIGNAL, math.ceil(100 + SLACK))
        first, at, _ = shown[0]
        yield CutWire(
            module, f"level shifter, gate {number}, out", f"{first}, DIN", "green", SIGNAL, _by_duct(home, at)
        )
        yield from _feed(module, shown[0], home, feed_wire)
        for (name, here, _), (to, there, fed) in pairwise(shown):
            yield CutWire(module, f"{name}, DOUT", f"{to}, DIN", "green", SIGNAL, _straight(here, there))
            yield CutWire(module, f"{name}, ground", f"{to}, ground", "black", 0.25, _straight(here, there))
            if fed:  # 5 V is cut before each feed, or several fuses would share a short circuit
                yield from _feed(module, (to, there, fed), home, feed_wire)
            else:
                yield CutWire(module, f"{name}, 5 V", f"{to}, 5 V", "red", 0.25, _straight(here, there))


def _lamp_name(lamp: lamp_chain.Lamp) -> str:
    match lamp.kind:
        case "station":
            return str(lamp.owner)
        case "log":
            return f"log {lamp.owner}"
    return f"{lamp.kind} lamp"


def _feed(module: str, to: tuple[str, Place, bool], home: Place, mm2: float) -> Iterator[CutWire]:
    """Return the wires from the rails to a lamp where power is fed in; the rails run along the lower edge."""
    name, (x, y), _ = to
    tap = math.ceil(abs(home[1] - y) + DEPTH + SLACK)
    yield CutWire(module, f"rail at {x:.0f} mm, 5 V, through a fuse", f"{name}, 5 V", "red", mm2, tap)
    yield CutWire(module, f"rail at {x:.0f} mm, ground", f"{name}, ground", "black", mm2, tap)


# ---- keys and screens ----


def _panel_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    """Return the wires of the table's keys and screen, and those to the socket of the handset's cable."""
    home, socket = pi_place(plan), (plan.width / 2, plan.height)
    keys, screens = plan.places(Cut.KEY), plan.places(Cut.SCREEN)
    used = [lead for lead in leads(config) if lead.end]
    before: tuple[str, Place] = ("Pi ground", home)
    for lead in used:
        section, _, key = lead.key.strip("[").partition("] ")
        if section == "keys.table":
            yield CutWire("keys", f"Pi {lead.place}", f"{key}", "blue", SIGNAL, _by_duct(home, keys[key]))
            yield CutWire("keys", before[0], f"{key}, ground", "black", SIGNAL, _by_duct(before[1], keys[key]))
            before = f"{key}, ground", keys[key]
    for module, at in (*screens.items(), ("handset", socket)):
        of_module = [lead for lead in used if module in (lead.owner, "handset" if _is_handset_key(lead) else "")]
        for lead in of_module:
            yield CutWire(module, f"Pi {lead.place}", lead.end, "green", SIGNAL, _by_duct(home, at))
        for name, colour in (("3.3 V", "orange"), ("ground", "black")) if of_module else ():
            yield CutWire(module, f"Pi {name}", f"{module}, {name}", colour, 0.25, _by_duct(home, at))


def _is_handset_key(lead: Lead) -> bool:
    return lead.owner == "keys" and not lead.key.startswith("[keys.table]")


# ---- switches ----


def _switch_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    if _on_chips(config):
        yield from _chip_wires(config, plan)
    else:
        yield from _reed_wires(config, plan)


def _chip_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    reeds, places = plan.places(Cut.REED), module_places(config, plan)
    before: tuple[str, Place] = ("head board", pi_place(plan))
    for chip in chips(config):
        module, at = f"chip {chip.number}", places[chip.number]
        for name, colour, mm2 in _CHAIN:
            yield CutWire(module, f"{before[0]}, {name}", f"{module}, {name}", colour, mm2, _by_duct(before[1], at))
        end = f"{before[0]}, {'QH' if chip.number == 1 else 'SER'}"
        yield CutWire(module, f"{module}, QH", end, "green", SIGNAL, _by_duct(before[1], at))
        yield from _reeds_of(chip, at, reeds)
        before = module, at


def _reeds_of(chip: Chip, at: Place, reeds: dict[str, Place]) -> Iterator[CutWire]:
    module = f"chip {chip.number}"
    for pin, station in chip.inputs.items():
        if station in reeds:
            long = _straight(at, reeds[station])
            yield CutWire(module, f"{module}, {pin}", f"reed {station}", "white", SIGNAL, long)
            yield CutWire(module, f"{module}, ground", f"reed {station}", "black", SIGNAL, long)


def _reed_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    """Return the wires of reeds that go to the Pi itself: each to a pin, or along the rows and columns of a matrix."""
    reeds, home = plan.places(Cut.REED), pi_place(plan)
    used = [lead for lead in leads(config) if lead.owner == "switches" and lead.end]
    stations = dict(zip(config.layout.switch_inputs, map(str, config.layout.stations), strict=True))
    columns = sum(lead.key.endswith("columns") for lead in used)
    if not columns:
        for lead in used:
            long = _by_duct(home, reeds[stations[lead.gpio]])
            yield CutWire("reeds", f"Pi {lead.place}", f"reed {stations[lead.gpio]}", "white", SIGNAL, long)
            yield CutWire("reeds", "Pi ground", f"reed {stations[lead.gpio]}", "black", SIGNAL, long)
        return
    lines = defaultdict[str, list[str]](list)
    for place, station in sorted(stations.items()):
        lines[f"row {place // columns + 1}"].append(station)
        lines[f"column {place % columns + 1}"].append(station)
    for lead in used:
        line = lead.end.removeprefix("matrix: ")
        colour, what = ("brown", "diode of reed") if line.startswith("row") else ("white", "reed")
        before: tuple[str, Place] = (f"Pi {lead.place}", home)
        for station in lines[line]:
            name, at = f"{what} {station}", reeds[station]
            yield CutWire(line, before[0], name, colour, SIGNAL, _by_duct(before[1], at))
            before = name, at
