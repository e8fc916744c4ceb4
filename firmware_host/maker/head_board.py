"""Design the circuit board at the Pi, with plugs for chips, screens and keys, level shifter and fuses.

Everything follows from the configuration: which pin leads where, how many feeds the lamps have, and how large their
fuses are. 5 V comes from the lamps' supply alone; the Pi has its own, and the header's 5 V stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from firmware_host.commissioning.diagrams.lamp_chain import GATES, fuse, strips
from firmware_host.commissioning.diagrams.pi_header import Lead, leads
from firmware_host.commissioning.diagrams.switch_sheets import PICO
from firmware_host.config.loader import Config
from firmware_host.maker.chip_module import plug
from firmware_host.maker.circuit import (
    AXIAL,
    CAPACITOR,
    DISC,
    HOLE,
    HOLE_SYMBOL,
    LETTER,
    RESISTOR,
    SMALL_LETTER,
    STEP,
    Circuit,
    Component,
    CopperTrack,
    Footprint,
    Lettering,
    Pad,
    draw_box,
    dual_in_line,
    in_rows,
    two_pads,
)
from firmware_host.maker.maker_errors import PartLeftOut
from hardware.raspberry_pi.pinout import GROUND, PHYSICAL, VOLTS_3_3

_WIDE, _HIGH = 156 * 0.635, 142 * 0.635
_PICO_HIGH = 36 * 0.635
_BAR, _FEED = 44.45, 10.16  # where 5 V runs along the fuses, and the way from fuse to fuse
_WORD_ROOM = 9.5  # millimetres for a word between a plug of single wires and the header
_SCREW = two_pads("Screw_terminal_5.08", 5.08, (9.7, 9.0), 2.6, 1.3)
_FUSE = Footprint(  # Schurter OGN 0031.8201
    "Fuse_5x20", (Pad("1", 0, -11.25, 3, 3, 1.3), Pad("2", 0, 11.25, 3, 3, 1.3), Pad("", 0, 0, 2.7, 2.7, 2.7)),
    (-4.7, -9.4, 4.7, 9.4),
)  # fmt: skip
_FUSE_SYMBOL = draw_box("F", left="1", right="2")
_SCREW_SYMBOL = draw_box("Terminal", left="1:+ 2:-")


def head_board(config: Config) -> Circuit:
    """Return the circuit of the printed board that connects the Pi to switches, lamps and screens.

    Raises:
        PartLeftOut: the lamps have more strips than its level shifter has gates.
    """
    used = [lead for lead in leads(config) if lead.end]
    if len(_gates(used)) > len(GATES):
        many = f"[lamps] has {len(_gates(used))} strips, and the board at the Pi has a level shifter for {len(GATES)}"
        raise PartLeftOut(f"{many}; use {len(GATES)} strips at most, or stripboard")
    on_pico = config.devices["switches"].driver.sheets.endswith("pico_sheets")
    plugs = _strips(used)
    wide = max(_WIDE, 10.16 + sum(len(pins) + 1 for pins in plugs.values()) * STEP + 8, (_feeds(config) + 0.5) * _FEED)
    wide = -(-wide // 0.635) * 0.635
    low = _PICO_HIGH if on_pico else 0.0
    high = _HIGH + low
    feeds, rating = _feeds(config), f"{fuse(config):g} A"
    components = [_header(used), *_plugs(plugs), *_chain(used, on_pico), *_pull_ups(used), *_shifter(used)]
    components += _power(rating, feeds, low)
    letterings = [*_words(plugs), Lettering("J1 Raspberry Pi", 33.02, 25.6), *_lamp_words(f"{rating} F", feeds, low)]
    notes = (
        "The Pi has its own supply; pins 2 and 4 of its header stay open.",
        f"Each feed of the lamps has a fuse of {rating}. 390 ohm in their data are at the first lamp.",
    )
    if on_pico:
        letterings.append(Lettering("USB", 32.5, 40.64))
    if any(component.ref == "J20" for component in components):
        letterings.append(Lettering("J20 chips", 92.075, 27.8))
    corners = ((4.445, 4.445), (wide - 4.445, 4.445), (4.445, high - 4.445), (wide - 4.445, high - 4.445))
    components += [
        Component(f"H{n}", "M3", HOLE_SYMBOL, HOLE, {}, (10 + 5 * n, 100), at) for n, at in enumerate(corners, 1)
    ]
    return Circuit(
        "head", "Board at the Pi", components, (wide, high), paper="A3",
        letterings=letterings, tracks=tuple(_bars(feeds, low)),
        widths={"GND": 0.5, "+3V3": 0.5, "+5V": 0.8}, notes=notes, notes_at=(60, 100),
    )  # fmt: skip


def _net(lead: Lead) -> str:
    return f"GPIO{lead.gpio}"


def _header(used: Iterable[Lead]) -> Component:
    nets = {str(lead.pin): _net(lead) for lead in used}
    nets |= dict.fromkeys(map(str, GROUND), "GND") | dict.fromkeys(map(str, VOLTS_3_3), "+3V3")
    names = {str(pin): f"GPIO{gpio}" for gpio, pin in PHYSICAL.items()}
    kinds = {
        **dict.fromkeys(map(str, GROUND), "GND"),
        **dict.fromkeys(map(str, VOLTS_3_3), "3V3"),
        "2": "5V",
        "4": "5V",
    }
    left, right = (" ".join(f"{pin}:{(names | kinds)[str(pin)]}" for pin in range(first, 41, 2)) for first in (1, 2))
    symbol = draw_box("Pi_header", 10, left=left, right=right)
    body = in_rows("Box_header_2x20", 2, 20, (8.9, 58.4)).turned().turned().turned()
    return Component("J1", "Raspberry Pi", symbol, body, nets, (20, 14), (33.02, 20.32))


def _strips(used: Iterable[Lead]) -> dict[str, dict[str, str]]:
    """Return the rows of pins for single wires: the row's name -> each pin's label -> its net."""
    found: dict[str, dict[str, str]] = {}

    def join(name: str, label: str, net: str, supplies: Iterable[str]) -> None:
        found.setdefault(name, {"GND": "GND"} | {supply.strip("+"): supply for supply in supplies})[label] = net

    for lead in used:
        label = lead.end.partition(": ")[2] or lead.end
        if lead.owner in {"display", "handset"}:
            join(lead.owner, label, _net(lead), ("+3V3",))
        elif lead.owner == "keys":
            words = label.removeprefix("key ").partition(",")[0]
            join("keys" if lead.key.startswith("[keys.table]") else "handset", words, _net(lead), ())
        elif lead.owner == "switches" and not lead.end.startswith("chips"):
            join("reeds", label.removeprefix("reed of station "), _net(lead), ())
    for number in range(1, len(_gates(used)) + 1):
        join("lamps", f"data {number}", f"LAMPS{number}", ())
    return found


def _plugs(plugs: Mapping[str, Mapping[str, str]]) -> Iterator[Component]:
    x, down = 10.16, 14
    for number, (name, pins) in enumerate(plugs.items(), 2):
        count = len(pins)
        symbol = draw_box(f"Strip_{name}", 6, left=" ".join(f"{n}:{_word(label)}" for n, label in enumerate(pins, 1)))
        body = in_rows(f"Header_1x{count}", count, 1, (count * STEP, 2.5))
        nets = {str(n): net for n, net in enumerate(pins.values(), 1)}
        yield Component(f"J{number}", name, symbol, body, nets, (50, down), (x + (count - 1) * STEP / 2, 3.81))
        x += (count + 1) * STEP
        down += count + 5


def _word(label: str) -> str:
    return label.replace(" (clock)", "").replace(" (data)", "").replace(" ", "_")


def _words(plugs: Mapping[str, Mapping[str, str]]) -> Iterator[Lettering]:
    x = 10.16
    for number, (name, pins) in enumerate(plugs.items(), 2):
        yield Lettering(f"J{number} {name}", x + (len(pins) - 1) * STEP / 2, 1.4)
        for n, label in enumerate(pins):
            word = _word(label)
            size = LETTER if len(word) * LETTER < _WORD_ROOM else SMALL_LETTER
            yield Lettering(word, x + n * STEP, 5.6, upright=True, size=size)
        x += (len(pins) + 1) * STEP


def _chain(used: Iterable[Lead], on_pico: bool) -> Iterator[Component]:
    """Yield the plug of the chain of chips, on the Pi or a Pico, with resistors in clock and load."""
    ends = {lead.end.partition(": ")[2].partition(" ")[0]: _net(lead) for lead in used if lead.end.startswith("chips")}
    if on_pico:
        ends = {wire: f"PICO_{gpio}" for wire, (gpio, _) in PICO.items()}
        nets = {str(pin): ends[wire] for wire, (_, pin) in PICO.items()} | {"36": "PICO_3V3", "23": "GND"}
        left, right = (" ".join(f"{pin}:{pin}" for pin in pins) for pins in (range(1, 21), range(40, 20, -1)))
        pico = draw_box("Pico", 8, left=left, right=right)
        yield Component("U2", "Raspberry Pi Pico", pico, dual_in_line(40, 17.78, 1.0), nets, (76, 50), (60.96, 40.64))
    if ends:
        supply = "PICO_3V3" if on_pico else "+3V3"
        yield plug(ends["QH"], "J20", "first module", (76, 14), (92.075, 19.05), supply)
        for number, (wire, net) in enumerate({"CLK": ends["CLK"], "LOAD": ends["SH/LD"]}.items(), 1):
            at = 30.48 + 10.16 * (number - 1), 27.94
            yield Component(f"R{number}", "100", RESISTOR, AXIAL, {"1": net, "2": wire}, (76, 30 + 4 * number), at)


def _pull_ups(used: Iterable[Lead]) -> Iterator[Component]:
    """Yield the pull-up resistors of the I2C buses. I2C1 needs none, because the Pi has them."""
    lines = [lead for lead in used if lead.function.startswith("I2C") and not lead.function.startswith("I2C1")]
    for number, lead in enumerate(lines):
        at = 50.8 + 10.16 * number, 27.94
        yield Component(
            f"R{number + 3}", "2k2", RESISTOR, AXIAL, {"1": "+3V3", "2": _net(lead)}, (76, 43 + 4 * number), at
        )


def _gates(used: Iterable[Lead]) -> list[str]:
    return [_net(lead) for lead in used if lead.owner == "lamps"]


def _shifter(used: Iterable[Lead]) -> Iterator[Component]:
    """Yield the level shifter, with a gate for each strip of lamps. Unused gates are switched off."""
    inputs = _gates(used)
    nets = {"7": "GND", "14": "+5V"}
    for gate, (entry, exit_, enable) in enumerate(GATES):
        if gate < len(inputs):
            nets |= {str(entry): inputs[gate], str(exit_): f"LAMPS{gate + 1}", str(enable): "GND"}
        else:
            nets |= {str(entry): "GND", str(enable): "+5V"}
    kinds = {str(pin): kind for gate in GATES for pin, kind in zip(gate, ("input", "output", "input"), strict=True)}
    symbol = draw_box(
        "74AHCT125", 8, kinds | {"7": "power_in", "14": "power_in"},
        left=" . ".join(f"{entry}:{n}A {enable}:{n}OE" for n, (entry, _, enable) in enumerate(GATES, 1)),
        right=" . . ".join(f"{exit_}:{n}Y" for n, (_, exit_, _) in enumerate(GATES, 1)),
        top=". . . 14:VCC", bottom=". . . 7:GND",
    )  # fmt: skip
    yield Component("U1", "74AHCT125", symbol, dual_in_line(14), nets, (108, 14), (76.2, 19.05))
    yield Component("C1", "100n", CAPACITOR, DISC.turned(), {"1": "+5V", "2": "GND"}, (110, 34), (65.405, 17.78))


def _feeds(config: Config) -> int:
    return sum(lamp.fed for strip in strips(config) for lamp in strip)


def _power(rating: str, feeds: int, low: float) -> Iterator[Component]:
    """Yield the terminal of the supply, its capacitor, and a fuse and a terminal for each feed."""
    nets = {"1": "+5V", "2": "GND"}
    yield Component("J21", "5 V supply", _SCREW_SYMBOL, _UPRIGHT, nets, (12, 50), (7.62, 34.29 + low))
    c2 = Footprint("C_radial_D10", _UPRIGHT.pads, (-5.0, -5.0, 5.0, 5.0))
    yield Component("C2", "1000u 6.3V", CAPACITOR, c2, nets, (12, 58), (20.32, 34.29 + low))
    for number in range(1, feeds + 1):
        x = 9.525 + _FEED * (number - 1)
        drawn = 14 + (number - 1) % 3 * 22, 68 + (number - 1) // 3 * 10
        fused = f"FEED{number}"
        yield Component(
            f"F{number}",
            rating,
            _FUSE_SYMBOL,
            _FUSE,
            {"1": "+5V", "2": fused},
            drawn,
            (x, _BAR + low + 11.25),
        )
        at = x, _BAR + low + 30.48
        yield Component(
            f"J{30 + number}",
            f"feed {number}",
            _SCREW_SYMBOL,
            _SCREW,
            {"1": fused, "2": "GND"},
            (drawn[0] + 10, drawn[1]),
            at,
        )


_UPRIGHT = Footprint(
    "Screw_terminal_5.08_upright",
    (Pad("2", 0, -2.54, 2.6, 2.6, 1.3), Pad("1", 0, 2.54, 2.6, 2.6, 1.3)),
    (-4.5, -5.0, 4.5, 5.0),
)


def _lamp_words(rating: str, feeds: int, low: float) -> Iterator[Lettering]:
    bar = _BAR + low
    for sign, y in (("+", 36.83), ("-", 31.75)):
        yield from (Lettering(sign, x, y + low) for x in (13.7, 26.2))
    for number in range(feeds):
        x = 9.525 + _FEED * number
        yield from (Lettering(rating, x, bar + 5.0), Lettering(f"feed {number + 1}", x + 1.3, bar + 24.95))
        yield from (Lettering("+", x - 2.54, bar + 36.9), Lettering("-", x + 2.54, bar + 36.9))


def _bars(feeds: int, low: float) -> Iterator[CopperTrack]:
    """Yield the wide copper for the lamps' current: 5 V along the fuses, ground along the terminals."""
    last = 9.525 + _FEED * (feeds - 1)
    plus, minus = 36.83 + low, 31.75 + low
    bar, ground = _BAR + low, _BAR + low + 35.0
    for layer in ("F.Cu", "B.Cu"):
        for start, end in (((7.62, plus), (20.32, plus)), ((7.62, plus), (7.62, bar)), ((7.62, bar), (last, bar))):
            yield CopperTrack("+5V", start, end, 3.0, layer)
        for start, end in (
            ((20.32, minus), (2.54, minus)), ((2.54, minus), (2.54, ground)), ((2.54, ground), (last + 2.54, ground))
        ):  # fmt: skip
            yield CopperTrack("GND", start, end, 2.5, layer)
        for number in range(feeds):
            x = 9.525 + _FEED * number
            top, below = bar + 22.5, bar + 30.48
            yield CopperTrack("GND", (x + 2.54, below), (x + 2.54, ground), 2.0, layer)
            yield CopperTrack(f"FEED{number + 1}", (x, top), (x - 2.54, top + 2.54), 2.0, layer)
            yield CopperTrack(f"FEED{number + 1}", (x - 2.54, top + 2.54), (x - 2.54, below), 2.0, layer)
