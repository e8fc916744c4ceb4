"""Design the circuit board for one chip of the chain: a 74HC165, pull-ups, and terminals for eight reeds.

All modules are alike. The last one gets no pull-ups: solder bridges join its inputs to 3.3 V or ground, in the pattern
of the sentinel, and its serial input to ground. Between the two plugs run 3.3 V, ground, clock and load. Each data line
has a resistor at its beginning; the chip has one before its clock pin and one before its load pin.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.commissioning.diagrams.switch_sheets import INPUTS, PINS, chips
from firmware_host.config.loader import Config
from firmware_host.maker.circuit import (
    AXIAL,
    CAPACITOR,
    DISC,
    HOLE,
    HOLE_SYMBOL,
    RESISTOR,
    STEP,
    VIA,
    Circuit,
    Component,
    CopperTrack,
    Footprint,
    Lettering,
    Pad,
    draw_box,
    dual_in_line,
    in_rows,
)

PLUG = ("GND", "CLK", "GND", "LOAD", "+3V3", "DATA")
"""The lines of the ribbon between modules, in the order of its wires; a ground on each side of the clock."""

PANEL_COLUMNS = 4
"""Modules beside each other in a panel."""

BOX_HEADER = in_rows("Box_header_2x3", 2, 3, (8.9, 15.3))

_SIZE = (36 * 1.27, 26 * 1.27)
_COLUMN = [14.605 + STEP * n for n in range(8)]
_SER = _COLUMN[-1] + STEP
_HOLES = ((4.445, 3.81), (_SIZE[0] - 4.445, _SIZE[1] - 4.445))


def panel_rows(config: Config) -> int:
    """Return how many rows of modules a panel needs for all chips of a board."""
    return -(-len(chips(config)) // PANEL_COLUMNS)


def plug(
    data: str, ref: str, value: str, drawn: tuple[int, int], placed: tuple[float, float], supply: str = "+3V3"
) -> Component:
    """Return a plug of the chain. `data` and `supply` are the names of its nets for data and 3.3 V."""
    symbol = draw_box("Chain_plug", 4, left=" ".join(f"{n}:{line.strip('+')} ." for n, line in enumerate(PLUG, 1)))
    nets = {str(n): {"DATA": data, "+3V3": supply}.get(line, line) for n, line in enumerate(PLUG, 1)}
    return Component(ref, value, symbol, BOX_HEADER, nets, drawn, placed)


def _bridges() -> Footprint:
    """Return the solder pads that tie each input to 3.3 V or ground, and the serial input to ground."""
    pads = []
    for pin, x in zip((*INPUTS, "SER"), (*_COLUMN, _SER), strict=True):
        pads += [Pad("+", x, -1.27, 1.0, 0.95, 0)] * (pin != "SER")
        pads += [Pad(pin, x, 0, 1.0, 0.95, 0), Pad("-", x, 1.27, 1.0, 0.95, 0)]
    middle = _COLUMN[0]
    pads = [pad._replace(x=pad.x - middle) for pad in pads]
    return Footprint("Solder_bridges", tuple(pads), (-0.8, -2.1, _SER - middle + 0.8, 2.1))


def bridges(config: Config) -> dict[str, str]:
    """Return the solder bridges to close on the last module: pin of its 74HC165 -> "+3V3" or "GND"."""
    levels = {pin: "+3V3" if level == "3.3 V" else "GND" for pin, level in chips(config)[-1].inputs.items()}
    return levels | {"SER": "GND"}


def _laid() -> Iterator[CopperTrack]:
    """Yield the straight tracks: from terminals to pull-ups, and along rows of the same net."""
    for pin, x in zip(INPUTS, _COLUMN, strict=True):
        yield CopperTrack(f"IN_{pin}", (x, 5.08), (x, 15.24), 0.3, "B.Cu")
        yield CopperTrack(f"IN_{pin}", (x, 10.16), (x + 1.27, 10.16), 0.3, "B.Cu")
        yield CopperTrack(f"IN_{pin}", (x + 1.27, 10.16), (x + 1.27, 10.16), VIA, "")
        yield CopperTrack(f"IN_{pin}", (x + 1.27, 10.16), (x, 10.16), 0.3, "F.Cu")
    yield CopperTrack("+3V3", (_COLUMN[0], 8.89), (_COLUMN[-1], 8.89), 0.5, "F.Cu")
    yield CopperTrack("GND", (_COLUMN[0], 11.43), (_SER, 11.43), 0.6, "F.Cu")
    yield CopperTrack("GND", (_COLUMN[0], 2.54), (_COLUMN[-1], 2.54), 0.8, "F.Cu")


def chip_module(config: Config) -> Circuit:
    """Return the circuit of a module. Only the note about the last module depends on the configuration."""
    inputs = {pin: f"IN_{pin}" for pin in INPUTS}
    chip = {
        **{str(PINS[pin]): net for pin, net in inputs.items()},
        str(PINS["VCC"]): "+3V3", str(PINS["GND"]): "GND", str(PINS["INH"]): "GND", str(PINS["SER"]): "SER",
        str(PINS["CLK"]): "U1_CLK", str(PINS["SH/LD"]): "U1_LOAD", str(PINS["QH"]): "U1_QH",
    }  # fmt: skip
    chip_symbol = draw_box(
        "74HC165", 8, {**dict.fromkeys(chip, "input"), "9": "output", "7": "output", "16": "power_in", "8": "power_in"},
        left=" ".join(f"{PINS[pin]}:{pin}" for pin in INPUTS),
        right="9:QH 7:/QH . 2:CLK . . 1:SH/LD . 10:SER . 15:INH",
        top=". . . 16:VCC", bottom=". . . 8:GND",
    )  # fmt: skip
    reeds = draw_box("Reeds", 5, right=" ".join((*INPUTS, "GND")))
    network = draw_box("R_network", left="1:+", bottom=" ".join(f". {n}:{pin}" for n, pin in enumerate(INPUTS, 2)))
    pads = tuple(
        Pad(pin if row else "GND", x - _COLUMN[0], row * STEP, drill=0.9)
        for row in (0, 1)
        for pin, x in zip(INPUTS, _COLUMN, strict=True)
    )
    terminals = Footprint("Reed_terminals", pads, (-1.2, -1.0, 7 * STEP + 1.2, STEP + 1.0))
    bridging = draw_box("Solder_bridges", 20, left="+ -", top=" ".join(f". {pin}" for pin in INPUTS), right="SER")
    levels = bridges(config)
    components = [
        Component("J3", "reeds", reeds, terminals, {**inputs, "GND": "GND"}, (5, 26), (_COLUMN[0], 2.54)),
        Component("RN1", "8 x 10k", network, in_rows("SIP-9", 9, 1, (22.8, 2.5), 0.8),
                  {"1": "+3V3"} | {str(n): net for n, net in enumerate(inputs.values(), 2)},
                  (16, 20), (_COLUMN[3], 15.24)),
        Component("JP1", "last module", bridging, _bridges(),
                  {**inputs, "+": "+3V3", "-": "GND", "SER": "SER"}, (35, 40), (_COLUMN[0], 10.16)),
        Component("U1", "74HC165", chip_symbol, dual_in_line(16), chip, (58, 26), (_COLUMN[3] + STEP / 2, 23.495)),
        Component("C1", "100n", CAPACITOR, DISC.turned(), {"1": "+3V3", "2": "GND"}, (70, 52), (11.43, 21.59)),
        Component("R1", "100", RESISTOR, AXIAL, {"1": "U1_CLK", "2": "CLK"}, (75, 29), (12.7, 31.115)),
        Component("R2", "100", RESISTOR, AXIAL, {"1": "U1_LOAD", "2": "LOAD"}, (75, 32), (22.86, 31.115)),
        Component("R3", "100", RESISTOR, AXIAL, {"1": "U1_QH", "2": "DATA_OUT"}, (75, 26), (33.02, 31.115)),
        *(Component(f"H{n}", "M3", HOLE_SYMBOL, HOLE, {}, (80 + 4 * n, 52), at) for n, at in enumerate(_HOLES, 1)),
        plug("DATA_OUT", "J1", "to the Pi", (92, 20), (5.08, 16.51)),
        plug("SER", "J2", "next module", (92, 36), (_SIZE[0] - 5.08, 16.51)),
    ]  # fmt: skip
    high = " ".join(pin for pin, level in levels.items() if level == "+3V3")
    low = " ".join(pin for pin, level in levels.items() if level == "GND")
    columns = dict(zip((*INPUTS, "SER"), (*_COLUMN, _SER), strict=True))
    letterings = [
        *(Lettering(pin, columns[pin], 7.1) for pin in INPUTS),
        *(Lettering("+" if level == "+3V3" else "-", columns[pin], 12.95) for pin, level in levels.items()),
        Lettering("GND", 11.2, 2.54), Lettering("reed", 11.2, 5.08), Lettering("JP1", 11.4, 10.16),
        Lettering("+", 13.1, 8.89), Lettering("-", 13.1, 11.43), Lettering("last:", 11.4, 12.95),
        Lettering("J1 to Pi", 5.08, 25.2), Lettering("J2 next", _SIZE[0] - 5.08, 6.2),
        Lettering("RN1 8 x 10k", _COLUMN[3], 17.6), Lettering("yardboard", 5.08, 27.0),
    ]  # fmt: skip
    return Circuit(
        "module", "Module of eight reeds", components, _SIZE,
        rows={net: 27 + n for n, net in enumerate(inputs.values())} | {"U1_CLK": 30, "U1_LOAD": 33, "U1_QH": 27},
        notes=(
            f"Last module alone: leave out RN1, and bridge JP1: {high} to +, {low} to -.",
            "All other modules: leave JP1 open.",
        ),
        notes_at=(5, 60), widths={"GND": 0.6, "+3V3": 0.5}, letterings=letterings, tracks=tuple(_laid()),
    )  # fmt: skip
