"""List every wire of a board in the order of assembly, with both ends, colour, cross-section and length.

Lengths are computed from the plan, plus `SLACK` for both ends. Between modules and to the Pi, wires run in ducts that
are parallel to the panel's edges; between the parts of one module they run straight. The Pi lies under the lower left
corner, beside the supply; the rails with 5 V and ground run from there along the lower edge.

Black is always ground, red 5 V, orange 3.3 V. The eight signals of a module have the eight colours of `SIGNALS`, so
that only its ground wires look alike: input H of each chip is brown, G yellow, and so on.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby, pairwise

from firmware_host.commissioning.diagrams import lamp_chain
from firmware_host.commissioning.diagrams.pi_header import PICO_KEYS, PICO_SCREEN, Lead, leads
from firmware_host.commissioning.diagrams.switch_sheets import INPUTS, Chip, chips, host_of_chain
from firmware_host.config.drivers.buttons_driver import keys_on_pico
from firmware_host.config.loader import Config
from firmware_host.maker.board_plan import BoardPlan, Cut
from firmware_host.maker.maker_errors import NoElectronics
from firmware_host.maker.switch_reach import Switch
from firmware_host.maker.wire_order import Place, group_by_place, length, middle, short_way
from hardware.raspberry_pi.power_budget import wire_for

SLACK = 60.0
"""Millimetres by which a wire is longer than its way, for both ends together."""
DEPTH = 30.0
"""Millimetres that a wire goes down into the duct and up again."""
BOARD_PITCH = 60.0
"""Millimetres from the last chip, which has no reeds, to the one before it: their boards are up to 46 mm wide."""
IN_HANDSET = 60.0
"""The longest way of a wire in the handset's case, in millimetres: from the Pico to a key or to the screen's pins."""
SIGNAL = 0.14
"""Cross-section of signal wires in mm²."""
STRING_WIRE = 90.0
"""The largest distance between two lamps of a ready-made string, in millimetres; its wires are 100 mm long."""
STRING = 50
"""The number of lamps of a ready-made string."""
POWER = 0.25
"""Cross-section in mm² of 3.3 V and its ground, and of 5 V and ground from lamp to lamp."""
AWG = {0.14: 26, 0.25: 22, 0.34: 22, 0.5: 20, 0.75: 18, 1.0: 16, 1.5: 14, 2.5: 12, 4.0: 10, 6.0: 8}
"""Cross-section in mm² -> the thinnest common American wire gauge that is at most a tenth thinner."""
RAILS = "Feeds are for rails. The printed board at the Pi has the fuses instead: lead both wires of each feed to it."
"""What the wires of feeds are for, and what replaces them on a printed board."""
SIGNALS = ("brown", "yellow", "green", "blue", "violet", "grey", "white", "pink")
"""The colours of signals. Where a module has more than eight, the others have a mark at both ends."""

_CABLE = (("CLK", "yellow", SIGNAL), ("SH/LD", "violet", SIGNAL), ("QH", "green", SIGNAL),
          ("3.3 V", "orange", POWER), ("GND", "black", POWER))  # fmt: skip
"""The wires of a cable from chip to chip, as the chain's sheet names them, with colour and cross-section."""


@dataclass(frozen=True, slots=True)
class CutWire:
    """One wire to cut.

    Attributes:
        module: the part of the board to which it belongs, in the order of assembly: "lamps, feed 1", "chip 3".
        start: where it begins.
        end: where it ends.
        colour: the colour of its insulation.
        mm2: its cross-section in mm².
        way: the points of its way from end to end, in millimetres on the panel; three points lead through a duct.
        note: what else to do there, or "".
    """

    module: str
    start: str
    end: str
    colour: str
    mm2: float
    way: tuple[Place, ...]
    note: str = ""

    @property
    def length(self) -> int:
        """The length in whole mm, with slack."""
        return math.ceil(length(self.way) + SLACK + (DEPTH if len(self.way) > 2 else 0))


def wire_list(config: Config, plan: BoardPlan) -> tuple[CutWire, ...]:
    """Return every wire in the order of assembly: power and lamps, keys and screens, then the switches.

    Raises:
        NoElectronics: the board is simulated.
    """
    if config.simulated:
        raise NoElectronics(config.simulation)
    return (*_lamp_wires(config, plan), *_panel_wires(config, plan), *_switch_wires(config, plan))


def as_csv(wires: Iterable[CutWire]) -> str:
    """Return a list of wires as comma-separated values, with a number for each."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("number", "module", "from", "to", "colour", "mm2", "awg", "length_mm", "note"))
    for number, wire in enumerate(wires, 1):
        gauge = f"{wire.mm2:g}", AWG[wire.mm2]
        writer.writerow((number, wire.module, wire.start, wire.end, wire.colour, *gauge, wire.length, wire.note))
    return file.getvalue()


def fits_string(config: Config, plan: BoardPlan) -> bool:
    """Return whether a ready-made string of lamps fits a board: it has one feed, and no lamp is too far away."""
    (first, *others), lights = lamp_chain.strips(config), plan.places(Cut.LIGHT)
    places = [lights.get(_hole_name(lamp)) for lamp in first]
    if others or len(first) > STRING or any(lamp.fed for lamp in first[1:]):
        return False
    return all(one and other and math.dist(one, other) <= STRING_WIRE for one, other in pairwise(places))


def totals(wires: Iterable[CutWire]) -> dict[tuple[str, float], float]:
    """Return how many metres of wire each colour and cross-section needs."""
    found = defaultdict[tuple[str, float], float](float)
    for wire in wires:
        found[wire.colour, wire.mm2] += wire.length / 1000
    return dict(sorted(found.items()))


def pi_place(plan: BoardPlan) -> Place:
    """Return where the Pi and the supply are: left of the printed map, or in the lower rail of a small board."""
    if plan.on_one_a3:
        return plan.width / 2 - 33, (plan.print_top + plan.print_height + plan.height) / 2
    return plan.print_left + 45, plan.print_top + plan.print_height - 30


def module_places(config: Config, plan: BoardPlan) -> dict[int, Place]:
    """Return where each module of a chain is: chip -> the middle of its reeds, in mm.

    The last chip has no reeds. It is beside the chip before it, on the side with most room.
    """
    reeds = plan.middles()
    found: dict[int, Place] = {}
    for chip in chips(config):
        mine = [reeds[station] for station in chip.inputs.values() if station in reeds]
        if mine:
            found[chip.number] = middle(mine)
        else:
            found[chip.number] = _beside(found.get(chip.number - 1, pi_place(plan)), [*found.values()], plan)
    return found


def _beside(at: Place, others: Sequence[Place], plan: BoardPlan) -> Place:
    """Return the place beside a module that is farthest from the others, within the printed map."""
    x, y = at
    sides = [
        (x + dx, y + dy)
        for dx, dy in ((BOARD_PITCH, 0.0), (-BOARD_PITCH, 0.0), (0.0, BOARD_PITCH), (0.0, -BOARD_PITCH))
    ]
    left, top = plan.print_left, plan.print_top
    inside = [(x, y) for x, y in sides if left < x < left + plan.print_width and top < y < top + plan.print_height]
    return max(inside, key=lambda side: min((math.dist(side, other) for other in others), default=0.0))


def short_wiring(config: Config, plan: BoardPlan) -> dict[str, dict[int, int]]:
    """Return a wiring of the same board with shorter wires: "switches", "lamps" and "log" -> their lines.

    Eight reeds that are near each other share a chip, and the lamps' chain goes on to a near lamp. The same inputs stay
    in use. Reeds without chips stay as they are.

    Raises:
        NoElectronics: the board is simulated.
    """
    if config.simulated:
        raise NoElectronics(config.simulation)
    home = pi_place(plan)
    way = short_way(plan.places(Cut.LIGHT), home)
    numbers = {name: number for number, name in enumerate(way)}
    found = {
        "lamps": {station: numbers[str(station)] for station in config.layout.stations},
        "log": {window: numbers[f"log {window}"] for window in range(1, len(config.layout.log_lamps) + 1)},
    }
    if on_chips(config):
        used = sorted(config.layout.switch_inputs)
        sizes = [len(list(inputs)) for _, inputs in groupby(used, lambda place: place // 8)]
        reeds = {int(station): at for station, at in plan.middles().items()}
        groups = group_by_place(reeds, sizes, home)
        in_order = [station for group in groups for station in sorted(group)]
        wired = dict(zip(in_order, used, strict=True))
        found["switches"] = {station: wired[station] for station in config.layout.stations}
    return found


def reed_and_lamp_metres(config: Config, plan: BoardPlan) -> tuple[float, float]:
    """Return the length in metres of all wires from chips to reeds, and of the chain of lamps, without slack."""
    reeds, lights = plan.middles(), plan.places(Cut.LIGHT)
    to_reeds = 0.0
    if on_chips(config):
        places = module_places(config, plan)
        for chip in chips(config):
            mine = [reeds[station] for station in chip.inputs.values() if station in reeds]
            to_reeds += sum(math.dist(places[chip.number], reed) for reed in mine)
    shown = [lights.get(_hole_name(lamp)) for strip in lamp_chain.strips(config) for lamp in strip]
    return to_reeds / 1000, length([at for at in shown if at is not None]) / 1000


def on_chips(config: Config) -> bool:
    """Return whether a board reads its reeds through a chain of chips."""
    return config.devices["switches"].driver.sheets.endswith(("pi_sheets", "pico_sheets"))


def _by_duct(one: Place, other: Place) -> tuple[Place, ...]:
    """Return the corners of a way through the wire ducts: first sideways, then up or down."""
    return one, (other[0], one[1]), other


def _signal_colour(number: int) -> str:
    """Return the colour of the wire for a module's signal, counted from 0."""
    colour = SIGNALS[number % len(SIGNALS)]
    return colour if number < len(SIGNALS) else f"{colour}, marked"


# ---- lamps ----


def _lamp_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    if config.devices["lamps"].driver.absent:
        return
    lights = plan.places(Cut.LIGHT)
    home = pi_place(plan)
    pins = [lead.place for lead in leads(config) if lead.owner == "lamps" and lead.end]
    string = fits_string(config, plan)
    yield from _supply_wires(config, plan, pins)
    for number, strip in enumerate(lamp_chain.strips(config), 1):
        holes = [_hole_name(lamp, place) for place, lamp in enumerate(strip, 1)]
        shown = [
            ("lamp " * (lamp.kind == "station") + hole, lights.get(hole, home), lamp.fed)
            for lamp, hole in zip(strip, holes, strict=True)
        ]
        gate, feed = f"level shifter {math.ceil(number / 4)}, gate {(number - 1) % 4 + 1}", 0
        module, before = "", (f"{gate}, out", home)
        for name, here, fed in shown:
            if fed:
                feed += 1
                module = f"lamps, feed {feed}" if len(pins) == 1 else f"lamps, strip {number}, feed {feed}"
                yield from _feed_wires(config, module, (name, here), home, before[0] if feed > 1 else "")
            if before[0] == f"{gate}, out":
                way, note = _by_duct(home, here), "390 Ω at the lamp's end"
                yield CutWire(module, before[0], f"{name}, DIN", "green", SIGNAL, way, note)
            elif not string:  # a ready string has its wires
                way = before[1], here
                yield CutWire(module, f"{before[0]}, DOUT", f"{name}, DIN", "green", SIGNAL, way)
                yield CutWire(module, f"{before[0]}, ground", f"{name}, ground", "black", POWER, way)
                if not fed:  # 5 V is cut before each feed, or several fuses would share a short circuit
                    yield CutWire(module, f"{before[0]}, 5 V", f"{name}, 5 V", "red", POWER, way)
            before = name, here


def _supply_wires(config: Config, plan: BoardPlan, pins: list[str]) -> Iterator[CutWire]:
    """Yield the wires from the supply to the rails, and from there to the level shifters and the Pi's ground."""
    x, y = pi_place(plan)
    rail, near = ((0.0, y), (plan.width, y)), ((x, y), (x + 100, y))
    mm2 = wire_for(1000 * lamp_chain.supply(config), max(1.0, plan.width / 1000))
    rating = lamp_chain.rail_fuse(config)
    note = "1000 µF to ground at the supply's end" + (f"; fuse of {rating:g} A there" if rating else "")
    yield CutWire("supply", "supply, 5 V", "rail, 5 V", "red", mm2, rail, note)
    yield CutWire("supply", "supply, ground", "rail, ground", "black", mm2, rail)
    yield CutWire("supply", "rail, ground", "Pi ground", "black", POWER, near, "5 V of rail and Pi stay apart")
    for number in range(1, math.ceil(len(pins) / 4) + 1):
        module = f"level shifter {number}"
        note = "100 nF to ground; unused gates as on the sheet lamps"
        yield CutWire(module, "rail, 5 V", f"{module}, pin 14", "red", POWER, near, note)
        yield CutWire(
            module, "rail, ground", f"{module}, pin 7", "black", POWER, near, "and the enable of each used gate"
        )
        for gate, pin in enumerate(pins[4 * number - 4 : 4 * number], 1):
            yield CutWire(module, f"Pi {pin}", f"{module}, gate {gate}, in", _signal_colour(gate - 1), SIGNAL, near)


def _feed_wires(config: Config, module: str, to: tuple[str, Place], home: Place, lamp_before: str) -> Iterator[CutWire]:
    """Yield the wires from the rails to a lamp at which power is fed in."""
    name, (x, y) = to
    tap, amps = _by_duct((x, home[1]), (x, y)), lamp_chain.fuse(config)
    mm2 = wire_for(1000 * amps, max(1.0, length(tap) / 1000))
    note = f"fuse of {amps:g} A at the rail" + (f"; leave out 5 V from {lamp_before}: cut here" if lamp_before else "")
    yield CutWire(module, f"rail at {x:.0f} mm, 5 V", f"{name}, 5 V", "red", mm2, tap, note)
    yield CutWire(module, f"rail at {x:.0f} mm, ground", f"{name}, ground", "black", mm2, tap)


def _hole_name(lamp: lamp_chain.Lamp, place: int = 0) -> str:
    """Return the name of a lamp's hole, or the lamp's place in the strip if it lights no station or window."""
    match lamp.kind:
        case "station":
            return str(lamp.owner)
        case "log":
            return f"log {lamp.owner}"
    return f"{lamp.kind} lamp {place}"


# ---- keys and screens ----


def _panel_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    """Yield the wires of the table's keys and screen, and those to the socket for the handset's cable."""
    home, socket = pi_place(plan), (plan.width / 2, plan.height)
    keys, screens = plan.places(Cut.KEY), plan.places(Cut.SCREEN)
    used = [lead for lead in leads(config) if lead.end]
    before: tuple[str, Place] = ("Pi ground", home)
    of_table = [lead for lead in used if lead.key.startswith("[keys.table]")]
    for number, lead in enumerate(of_table):
        key, colour = lead.key.partition("] ")[2], _signal_colour(number)
        yield CutWire("keys", f"Pi {lead.place}", f"{key}", colour, SIGNAL, _by_duct(home, keys[key]))
        yield CutWire("keys", before[0], f"{key}, ground", "black", SIGNAL, _by_duct(before[1], keys[key]))
        before = f"{key}, ground", keys[key]
    for module, at in (*screens.items(), ("handset", socket)):
        of_module = [lead for lead in used if module in (lead.owner, "handset" if _is_handset_key(lead) else "")]
        for number, lead in enumerate(of_module):
            yield CutWire(module, f"Pi {lead.place}", lead.end, _signal_colour(number), SIGNAL, _by_duct(home, at))
        for name, colour in (("3.3 V", "orange"), ("ground", "black")) if of_module else ():
            yield CutWire(module, f"Pi {name}", f"{module}, {name}", colour, POWER, _by_duct(home, at))
    if keys_on_pico(config.sections):
        yield from _wires_in_handset(socket)


def _wires_in_handset(at: Place) -> Iterator[CutWire]:
    """Yield the wires between a handset's Pico, its screen and its keys."""
    way = at, (at[0], at[1] + IN_HANDSET)
    signals = [(ends, f"screen {pin}") for pin, ends in PICO_SCREEN.items()]
    signals += [(ends, f"key {key}") for key, ends in PICO_KEYS.items()]
    for number, ((gp, pin), end) in enumerate(signals):
        note = "only if the screen has this pin" if end == "screen RES" else ""
        yield CutWire("handset", f"Pico {gp}, pin {pin}", end, _signal_colour(number), SIGNAL, way, note)
    yield CutWire("handset", "Pico 3V3(OUT), pin 36", "screen VCC, 3.3 V", "orange", SIGNAL, way)
    yield CutWire("handset", "Pico GND, pin 38", "screen, GND", "black", SIGNAL, way)
    before = "Pico GND, pin 18"
    for key in PICO_KEYS:
        yield CutWire("handset", before, f"key {key}, ground", "black", SIGNAL, way)
        before = f"key {key}, ground"


def _is_handset_key(lead: Lead) -> bool:
    return lead.owner == "keys" and not lead.key.startswith("[keys.table]")


# ---- switches ----


def _switch_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    if on_chips(config):
        yield from _chip_wires(config, plan)
    else:
        yield from _reed_wires(config, plan)


def _chip_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    reeds, places = plan.middles(), module_places(config, plan)
    host = host_of_chain(config)
    starts = {wire: f"{host.name} {', '.join(end).removesuffix(', any')}" for wire, end in host.ends.items()}
    before = pi_place(plan)
    for chip in chips(config):
        module, at = f"chip {chip.number}", places[chip.number]
        for wire, colour, mm2 in _CABLE:
            cable = f"cable to {module}"
            yield CutWire(cable, starts[wire], f"{module}, {wire}", colour, mm2, _by_duct(before, at))
        yield from _reeds_of(chip, at, reeds, plan.switch)
        # QH of a chip goes to SER of the one before it; the other wires go on from chip to chip.
        starts = {wire: f"{module}, {'SER' if wire == 'QH' else wire}" for wire in starts}
        before = at


def _reeds_of(chip: Chip, at: Place, reeds: dict[str, Place], switch: Switch) -> Iterator[CutWire]:
    module = f"chip {chip.number}"
    for number, pin in enumerate(INPUTS):
        station = chip.inputs[pin]
        if station in reeds:
            ends = f"{module}, {pin}", f"{module}, GND", f"{module}, 3.3 V"
            yield from _ends_of_switch(switch, station, module, ends, number, (at, reeds[station]))


def _ends_of_switch(
    switch: Switch, station: str, module: str, ends: tuple[str, str, str], number: int, way: tuple[Place, ...]
) -> Iterator[CutWire]:
    """Yield the wires of one switch. Its number in the module gives the colour."""
    name = f"reed {station}" if switch is Switch.REED else f"Hall switch {station}"
    signal, ground, supply = ends
    yield CutWire(module, signal, name, _signal_colour(number), SIGNAL, way)
    yield CutWire(module, ground, name, "black", SIGNAL, way)
    if switch is Switch.HALL:
        yield CutWire(module, supply, name, "orange", SIGNAL, way)


def _shared_ground(reeds: dict[str, Place], home: Place) -> Iterator[CutWire]:
    """Yield the pieces of a ground wire that goes from reed to reed."""
    start, at = "Pi ground", home
    for station in short_way(reeds, home):
        yield CutWire("reeds, ground", start, f"reed {station}", "black", SIGNAL, (at, reeds[station]))
        start, at = f"reed {station}", reeds[station]


def _reed_wires(config: Config, plan: BoardPlan) -> Iterator[CutWire]:
    """Yield the wires of reeds that are connected to the Pi itself, singly or as a matrix."""
    reeds, home = plan.middles(), pi_place(plan)
    used = [lead for lead in leads(config) if lead.owner == "switches" and lead.end]
    stations = dict(zip(config.layout.switch_inputs, map(str, config.layout.stations), strict=True))
    columns = sum(lead.key.endswith("columns") for lead in used)
    if not columns:
        share_ground = plan.on_one_a3 and plan.switch is Switch.REED
        for number, lead in enumerate(used):
            bundle, number_in_it = divmod(number, len(SIGNALS))
            station, module = stations[lead.gpio], f"reeds, bundle {bundle + 1}"
            way = (home, reeds[station]) if share_ground else _by_duct(home, reeds[station])
            ends = f"Pi {lead.place}", "Pi ground", "Pi 3.3 V"
            wires = list(_ends_of_switch(plan.switch, station, module, ends, number_in_it, way))
            yield from wires[:1] if share_ground else wires
        if share_ground:
            yield from _shared_ground(reeds, home)
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
