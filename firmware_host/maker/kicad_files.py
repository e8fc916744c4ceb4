"""Write circuits as files for KiCad 9: schematics, boards, and a project with its own library.

The same circuit always gives the same bytes: every UUID is computed from the name of its object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from uuid import NAMESPACE_URL, uuid5

from firmware_host.maker.circuit import (
    LETTER,
    STEP,
    SUPPLIES,
    VIA,
    VIA_HOLE,
    Circuit,
    CircuitPin,
    CircuitSymbol,
    Component,
    CopperTrack,
    Footprint,
    Lettering,
)

LIBRARY = "yardboard"
"""The project's own library of symbols and footprints."""

_YARD = 0.2  # millimetres around a component that others keep free

_PEN = 0.15  # the thinnest line of letters that a fab prints, in millimetres

_INWARDS = {"left": 0, "right": 180, "top": 270, "bottom": 90}
_OUTWARDS = {"left": 180, "right": 0, "top": 90, "bottom": 270}
_FLAG = CircuitSymbol("PWR_FLAG", (CircuitPin("1", "pwr", "power_out", "bottom", 0),), 0, 0)


def _id(*names: object) -> str:
    return f'(uuid "{uuid5(NAMESPACE_URL, "/".join(map(str, ("yardboard", *names))))}")'


def _mm(*values: float) -> str:
    return " ".join(f"{round(value, 4) + 0:g}" for value in values)


def _font(size: float = 1.27, side: str = "", *, hidden: bool = False) -> str:
    justify = f" (justify {side})" if side else ""
    font = f"(font (size {_mm(size, size)}) (thickness {_mm(max(_PEN, size * 0.15))}))"
    return f"(effects {font}{justify}{' (hide yes)' * hidden})"


def _property(name: str, value: str, at: str, effects: str, angle: int = 0) -> str:
    return f'(property "{name}" "{value}" (at {at} {angle}) {effects})'


def _hidden(at: str, footprint: str = "") -> str:
    fields = {"Footprint": footprint and f"{LIBRARY}:{footprint}", "Datasheet": "", "Description": ""}
    return " ".join(_property(name, value, at, _font(hidden=True)) for name, value in fields.items())


# ---- schematic ----


def write_schematic(circuit: Circuit) -> str:
    """Return the schematic of a circuit as a file `.kicad_sch`."""
    root = _id(circuit.name, "sheet")
    things: list[str] = []
    for component in circuit.components:
        things += _drawn(circuit, component)
    for net, row in circuit.rows.items():
        things += _wired(circuit, net, row)
    for number, supply in enumerate(_supplies(circuit)):
        x, y = (8 + 6 * number) * STEP, 8 * STEP
        things += [
            _power(circuit, supply, x, y, "bottom", ("flag", number)),
            _instance(circuit, _FLAG, f"#FLG{number + 1:02}", "PWR_FLAG", x, y),
        ]
    x, y = (step * STEP for step in circuit.notes_at)
    for number, note in enumerate(circuit.notes):
        look = f"(at {_mm(x, y + 3 * number)} 0) {_font(1.6, 'left')} {_id(circuit.name, 'note', number)}"
        things.append(f'(text "{note}" (exclude_from_sim no) {look})')
    symbols = {component.symbol.name: component.symbol for component in circuit.components}
    library = [_symbol(f"{LIBRARY}:{name}", symbol) for name, symbol in sorted(symbols.items())]
    library += [_supply_symbol(f"{LIBRARY}:{name}") for name in (*_supplies(circuit), _FLAG.name)]
    head = f'(kicad_sch (version 20250114) (generator "yardboard") (generator_version "9.0") {root}'
    title = f'(paper "{circuit.paper}") (title_block (title "{circuit.title}") (company "yardboard"))'
    body = "\n".join([head, title, "(lib_symbols", *library, ")", *things, '(sheet_instances (path "/" (page "1")))'])
    return f"{body}\n(embedded_fonts no))\n"


def write_symbols(circuits: Iterable[Circuit]) -> str:
    """Return the library of all symbols in some circuits as a file `.kicad_sym`."""
    symbols = {component.symbol.name: component.symbol for circuit in circuits for component in circuit.components}
    library = [_symbol(name, symbol) for name, symbol in sorted(symbols.items())]
    library += [_supply_symbol(name) for name in (*SUPPLIES, _FLAG.name)]
    head = '(kicad_symbol_lib (version 20241209) (generator "yardboard") (generator_version "9.0")'
    return "\n".join([head, *library]) + "\n)\n"


def write_project(circuits: Sequence[Circuit], names: Iterable[str]) -> dict[str, str]:
    """Return the project's other files: path -> text. These are the library, and a project for each of `names`."""
    symbols, footprints = (
        f'({kind}_lib_table\n  (version 7)\n  (lib (name "{LIBRARY}")(type "KiCad")(uri "${{KIPRJMOD}}/{LIBRARY}{end}")'
        f'(options "")(descr ""))\n)\n'
        for kind, end in (("sym", ".kicad_sym"), ("fp", ".pretty"))
    )
    rules = {"min_clearance": 0.2, "min_track_width": 0.25, "min_via_diameter": 0.8, "min_through_hole_diameter": 0.4}
    files = {"sym-lib-table": symbols, "fp-lib-table": footprints, f"{LIBRARY}.kicad_sym": write_symbols(circuits)}
    settings = {"board": {"design_settings": {"rules": rules}}, "meta": {"version": 3}}
    files |= {f"{name}.kicad_pro": json.dumps(settings, indent=2) + "\n" for name in names}
    for circuit in circuits:
        for component in circuit.components:
            files[f"{LIBRARY}.pretty/{component.footprint.name}.kicad_mod"] = write_footprint(component.footprint)
    return files


def _supplies(circuit: Circuit) -> list[str]:
    used = {net for component in circuit.components for net in component.nets.values()}
    return [supply for supply in SUPPLIES if supply in used]


def _symbol(name: str, symbol: CircuitSymbol) -> str:
    """Return a symbol for the library, where y points upwards."""
    wide, high = symbol.width * STEP, symbol.height * STEP
    short = name.rpartition(":")[2]
    ref, value = (_property(*one, "0 0", _font()) for one in (("Reference", short[0]), ("Value", short)))
    pins = []
    for pin in symbol.pins:
        x, y = symbol.end(pin)
        at = f"{_mm(x * STEP, -y * STEP)} {_INWARDS[pin.side]}"
        words = f'(name "{pin.name}" {_font()}) (number "{pin.number}" {_font(1.0)})'
        pins.append(f"(pin {pin.kind} line (at {at}) (length {STEP}) {words})")
    look = "(stroke (width 0.254) (type default)) (fill (type background))"
    box = f"(rectangle (start 0 0) (end {_mm(wide, -high)}) {look})"
    if short == "C":
        box = " ".join(
            _line(f"(xy {_mm(*start)}) (xy {_mm(*end)})")
            for start, end in (
                ((0, -STEP), (2, -STEP)),
                ((2, -1), (2, -4.08)),
                ((3.08, -1), (3.08, -4.08)),
                ((3.08, -STEP), (wide, -STEP)),
            )
        )
    elif _is_plain(symbol):
        box = box.replace("start 0 0", f"start 0 {_mm(1 - STEP)}").replace(_mm(wide, -high), _mm(wide, -STEP - 1))
    hide = "(pin_numbers (hide yes)) " if all(pin.name == pin.number for pin in symbol.pins) else ""
    hide += "(pin_names (hide yes)) " if _is_plain(symbol) else ""
    return (
        f'(symbol "{name}" {hide}(exclude_from_sim no) (in_bom yes) (on_board yes) {ref} {value} {_hidden("0 0")}'
        f' (symbol "{short}_0_1" {box}) (symbol "{short}_1_1" {" ".join(pins)}) (embedded_fonts no))'
    )


def _is_plain(symbol: CircuitSymbol) -> bool:
    """Return whether a symbol has just two ends, as a resistor's has."""
    return [(pin.name, pin.side) for pin in symbol.pins] == [("1", "left"), ("2", "right")]


def _line(points: str) -> str:
    return f"(polyline (pts {points}) (stroke (width 0.254) (type default)) (fill (type none)))"


def _supply_symbol(name: str) -> str:
    """Return the symbol of a supply, or the flag that the supply comes from outside."""
    short = name.rpartition(":")[2]
    points = {"GND": "(xy -1.27 1.27) (xy 1.27 1.27) (xy 0 2.54) (xy -1.27 1.27) (xy 0 1.27) (xy 0 0)"}
    line = points.get(short, "(xy -1.27 1.905) (xy 1.27 1.905) (xy 0 1.905) (xy 0 0)")
    kind = "power_out" if short == _FLAG.name else "power_in"
    ref = _property("Reference", "#FLG" if short == _FLAG.name else "#PWR", "0 0", _font(hidden=True))
    pin = f'(pin {kind} line (at 0 0 90) (length 0) (name "" {_font()}) (number "1" {_font()}))'
    return (
        f'(symbol "{name}" (power) (pin_numbers (hide yes)) (pin_names (hide yes)) (exclude_from_sim no) (in_bom yes)'
        f" (on_board yes) {ref} {_property('Value', short, '0 3.81', _font())} {_hidden('0 0')}"
        f' (symbol "{short}_0_1" {_line(line)}) (symbol "{short}_1_1" {pin}) (embedded_fonts no))'
    )


def _drawn(circuit: Circuit, component: Component) -> Iterator[str]:
    """Yield a component's symbol on the sheet, and a name, a supply or a cross at each of its pins."""
    x, y = (step * STEP for step in component.drawn)
    yield _instance(circuit, component.symbol, component.ref, component.value, x, y, footprint=component.footprint.name)
    for pin in component.symbol.pins:
        across, down = component.symbol.end(pin)
        at = x + across * STEP, y + down * STEP
        net, key = component.nets.get(pin.number), (component.ref, pin.number)
        if net is None:
            yield f"(no_connect (at {_mm(*at)}) {_id(circuit.name, *key)})"
        elif net in SUPPLIES:
            yield _power(circuit, net, *at, pin.side, key)
        elif net not in circuit.rows:
            yield _label(circuit, net, at, _OUTWARDS[pin.side], key)


def _label(circuit: Circuit, net: str, at: tuple[float, float], angle: int, key: Sequence[object]) -> str:
    side = "right bottom" if angle in {180, 270} else "left bottom"
    return f'(label "{net}" (at {_mm(*at)} {angle}) {_font(1.27, side)} {_id(circuit.name, "label", *key)})'


def _power(circuit: Circuit, net: str, x: float, y: float, side: str, key: Sequence[object]) -> str:
    """Return a power symbol for a pin, pointing outward from this side of the component's outline."""
    turn = {"top": 0, "left": 90, "bottom": 180, "right": 270}[side]
    away = {"top": (0, -3.6), "left": (-3.2, -0.8), "bottom": (0, 3.6), "right": (3.2, -0.8)}[side]
    ref = f"#PWR_{'_'.join(map(str, key))}"
    aside = "left" if side in {"left", "right"} else ""
    symbol = CircuitSymbol(net, (CircuitPin("1", "", "power_in", "top", 0),), 0, 0)
    return _instance(circuit, symbol, ref, net, x, y, turn, away, aside)


def _instance(
    circuit: Circuit,
    symbol: CircuitSymbol,
    ref: str,
    value: str,
    x: float,
    y: float,
    turn: int = 0,
    away: tuple[float, float] = (0, -3.6),
    aside: str = "",
    footprint: str = "",
) -> str:
    supply = not symbol.width
    wide, high = symbol.width * STEP, symbol.height * STEP
    sides = {pin.side for pin in symbol.pins}
    side, above, below = "left", (x, y - 1.27), (x, y + high + 1.5)
    if _is_plain(symbol):
        side, above, below = "", (x + wide / 2, y + 0.2), (x + wide / 2, y + high - 0.2)
    elif "bottom" in sides and "top" not in sides:
        below = x + (len(ref) + 1) * 1.3, y - 1.27
    if supply:
        side, below = aside, (x + away[0], y + away[1])
    words = [
        _property("Reference", ref, _mm(*above), _font(side=side, hidden=supply)),
        _property("Value", value, _mm(*below), _font(side=side), turn % 180),
        _hidden(_mm(x, y), footprint),
    ]
    pins = " ".join(f'(pin "{pin.number}" {_id(circuit.name, ref, "pin", pin.number)})' for pin in symbol.pins)
    path = _id(circuit.name, "sheet")[7:-2]
    instance = f'(instances (project "{circuit.name}" (path "/{path}" (reference "{ref}") (unit 1))))'
    return (
        f'(symbol (lib_id "{LIBRARY}:{symbol.name}") (at {_mm(x, y)} {turn}) (unit 1) (exclude_from_sim no)'
        f" (in_bom yes) (on_board yes) (dnp no) {_id(circuit.name, ref)} {' '.join(words)} {pins} {instance})"
    )


def _wired(circuit: Circuit, net: str, row: int) -> Iterator[str]:
    """Yield the wires of a net: one across the sheet, and one from there to each pin, with the net's name."""
    ends = sorted(
        (component.drawn[0] + across, component.drawn[1] + down)
        for component in circuit.components
        for pin in component.symbol.pins
        if component.nets.get(pin.number) == net
        for across, down in [component.symbol.end(pin)]
    )
    across = sorted({x for x, _ in ends})
    pieces = [((one, row), (other, row)) for one, other in pairwise(across)]
    pieces += [((x, y), (x, row)) for x, y in ends if y != row]
    for start, end in pieces:
        points = f"(xy {_mm(start[0] * STEP, start[1] * STEP)}) (xy {_mm(end[0] * STEP, end[1] * STEP)})"
        yield f"(wire (pts {points}) (stroke (width 0) (type default)) {_id(circuit.name, net, start, end)})"
    for x in across[1:-1]:
        yield f"(junction (at {_mm(x * STEP, row * STEP)}) (diameter 0) (color 0 0 0 0) {_id(circuit.name, net, x)})"
    yield _label(circuit, net, (across[0] * STEP, row * STEP), 0, (net,))


# ---- board ----

_LAYERS = (
    '(layers (0 "F.Cu" signal) (2 "B.Cu" signal) (1 "F.Mask" user) (3 "B.Mask" user) (5 "F.SilkS" user "F.Silkscreen")'
    ' (7 "B.SilkS" user "B.Silkscreen") (17 "Dwgs.User" user "User.Drawings") (25 "Edge.Cuts" user)'
    ' (31 "F.CrtYd" user "F.Courtyard") (35 "F.Fab" user))'
)


def net_name(net: str) -> str:
    """Return the name that KiCad gives to a net of a schematic. Supplies and open pins keep their names."""
    return net if net in SUPPLIES or net.startswith("unconnected-") else f"/{net}"


def write_board(circuit: Circuit, tracks: Sequence[CopperTrack], *, columns: int = 1, rows: int = 1) -> str:
    """Return the board of a circuit as a file `.kicad_pcb`.

    Args:
        circuit: the circuit on the board.
        tracks: the board's copper, as `track_router.route` returns it.
        columns: how many boards lie side by side in a panel, with V-cuts between them.
        rows: how many rows of boards the panel has.
    """
    wide, high = circuit.size
    copies = [(n, (n % columns * wide, n // columns * high)) for n in range(columns * rows)]
    marks = [""] if len(copies) == 1 else [f"board {n + 1}, " for n, _ in copies]
    used = sorted({net for net, pad in circuit.pads() if pad.number})
    names = {(mark, net): mark + net_name(net) for mark in marks for net in used}
    numbers = {key: number for number, key in enumerate(names, 1)}
    things = [f'(net {numbers[key]} "{name}")' for key, name in names.items()]
    for mark, (n, (x, y)) in zip(marks, copies, strict=True):
        nets = {net: f'(net {numbers[mark, net]} "{names[mark, net]}")' for net in used}
        plain = {net: f"(net {numbers[mark, net]})" for net in used}
        things += [_placed(circuit, component, nets, (x, y), n) for component in circuit.components]
        things += [_copper(circuit, track, plain[track.net_name], (x, y), n) for track in tracks]
        things += [_lettering(circuit, one, (x, y), n) for one in circuit.printed()]
    right, bottom = columns * wide, rows * high
    corners = [(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)]
    edges = [(one, other, "Edge.Cuts") for one, other in zip(corners, [*corners[1:], corners[0]], strict=True)]
    edges += [((n * wide, 0.0), (n * wide, bottom), "Dwgs.User") for n in range(1, columns)]
    edges += [((0.0, n * high), (right, n * high), "Dwgs.User") for n in range(1, rows)]
    for start, end, layer in edges:
        things.append(
            f'(gr_line (start {_mm(*start)}) (end {_mm(*end)}) (stroke (width 0.1) (type default)) (layer "{layer}")'
            f" {_id(circuit.name, layer, start, end)})"
        )
    head = '(kicad_pcb (version 20241229) (generator "yardboard") (generator_version "9.0") (general (thickness 1.6))'
    title = f'(paper "A4") (title_block (title "{circuit.title}") (company "yardboard"))'
    return "\n".join([head, title, _LAYERS, "(setup (pad_to_mask_clearance 0))", '(net 0 "")', *things]) + "\n)\n"


def write_footprint(footprint: Footprint) -> str:
    """Return a footprint for the project's library as a file `.kicad_mod`."""
    name = footprint.name
    head = f'(footprint "{name}" (version 20241229) (generator "yardboard") (generator_version "9.0") (layer "F.Cu")'
    words = _fields("REF**", "", "", (name,))
    return "\n".join([head, *words, *_outline(footprint, (name,)), *_pads(footprint, (name,))]) + "\n)\n"


def _fields(ref: str, value: str, footprint: str, key: Sequence[object]) -> Iterator[str]:
    """Yield the properties of a footprint, which are hidden: letterings are printed instead."""
    fields = {"Reference": ref, "Value": value, "Footprint": footprint, "Datasheet": "", "Description": ""}
    for name, text in fields.items():
        yield f'(property "{name}" "{text}" (at 0 0 0) (layer "F.Fab") (hide yes) {_id(*key, name)} {_font(0.8)})'


def _outline(footprint: Footprint, key: Sequence[object]) -> Iterator[str]:
    """Yield a footprint's kind, the outline of its body with notch and "1", and the room that it needs."""
    yield f"(attr {'through_hole' if all(pad.drill for pad in footprint.pads) else 'smd'})"
    left, top, right, bottom = footprint.extent()
    yard = left - _YARD, top - _YARD, right + _YARD, bottom + _YARD
    points = " ".join(f"(xy {_mm(*point)})" for point in footprint.outline())
    start, end, solid = _mm(*yard[:2]), _mm(*yard[2:]), "(type solid)) (fill no)"
    yield f'(fp_poly (pts {points}) (stroke (width {_PEN}) {solid} (layer "F.SilkS") {_id(*key, "F.SilkS")})'
    yield f'(fp_rect (start {start}) (end {end}) (stroke (width 0.05) {solid} (layer "F.CrtYd") {_id(*key, "F.CrtYd")})'
    if footprint.first:
        yield f'(fp_text user "1" (at {_mm(*footprint.first)}) (layer "F.SilkS") {_id(*key, "1")} {_font(LETTER)})'


def _pads(footprint: Footprint, key: Sequence[object], nets: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield a footprint's pads. On a board, `nets` has the net and the kind of each pin."""
    for number, pad in enumerate(footprint.pads):
        at, hole = f"(at {_mm(pad.x, pad.y)}) (size {_mm(pad.width, pad.height)})", f"(drill {_mm(pad.drill)})"
        shape = "rect" if pad.is_square else "circle"
        if not pad.number:
            kind = f'"" np_thru_hole circle {at} {hole} (layers "*.Cu" "*.Mask")'
        elif pad.drill:
            kind = f'"{pad.number}" thru_hole {shape} {at} {hole} (layers "*.Cu" "*.Mask")'
        else:
            kind = f'"{pad.number}" smd {shape} {at} (layers "F.Cu" "F.Mask")'
        yield f"(pad {kind} {(nets or {}).get(pad.number, '')} {_id(*key, number)})"


def _placed(circuit: Circuit, component: Component, nets: Mapping[str, str], by: tuple[float, float], copy: int) -> str:
    key = (circuit.name, "board", copy, component.ref)
    name = f"{LIBRARY}:{component.footprint.name}"
    of_pins = {
        pin.number: f'{nets[component.net_name(pin)]} (pinfunction "{pin.name}") (pintype "{pin.kind}")'
        for pin in component.symbol.pins
    }
    x, y = component.placed
    where = f'(footprint "{name}" (layer "F.Cu") {_id(*key)} (at {_mm(x + by[0], y + by[1])})'
    sheet = f'(path "/{_id(circuit.name, component.ref)[7:-2]}") (sheetname "/") (sheetfile "{circuit.name}.kicad_sch")'
    words = " ".join(_fields(component.ref, component.value, name, key))
    shapes = " ".join([*_outline(component.footprint, key), *_pads(component.footprint, key, of_pins)])
    return f"{where} {words} {sheet} {shapes})"


def _copper(circuit: Circuit, track: CopperTrack, net: str, by: tuple[float, float], copy: int) -> str:
    start, end = (_mm(x + by[0], y + by[1]) for x, y in (track.start, track.end))
    key = _id(circuit.name, "copper", copy, *track)
    if track.is_via:
        return f'(via (at {start}) (size {VIA}) (drill {VIA_HOLE}) (layers "F.Cu" "B.Cu") {net} {key})'
    return f'(segment (start {start}) (end {end}) (width {_mm(track.width)}) (layer "{track.layer}") {net} {key})'


def _lettering(circuit: Circuit, one: Lettering, by: tuple[float, float], copy: int) -> str:
    at = f"{_mm(one.x + by[0], one.y + by[1])} {90 if one.upright else 0}"
    look = (
        f'(layer "F.SilkS") {_id(circuit.name, "words", copy, *one)} {_font(one.size, "right" if one.upright else "")}'
    )
    return f'(gr_text "{one.words}" (at {at}) {look})'
