"""The boards for KiCad: schematic, copper, drawings and configuration agree, and a chain of modules can be read."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path

import pytest

from firmware_host.commissioning.diagrams.lamp_chain import fuse, strips
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.config.loader import load
from firmware_host.maker.board_plan import plan_board
from firmware_host.maker.chip_module import bridges, chip_module
from firmware_host.maker.circuit import Circuit, Component, Footprint, Pad, draw_box
from firmware_host.maker.head_board import head_board
from firmware_host.maker.kicad_files import write_board
from firmware_host.maker.make_command import PARTS
from firmware_host.maker.maker_errors import NoElectronics, NoWay, PartLeftOut
from firmware_host.maker.track_router import route
from firmware_host.maker.wire_list import on_chips
from hardware.drivers.shift_register import ShiftRegisterSwitches
from hardware.raspberry_pi.pinout import GROUND, VOLTS_3_3, VOLTS_5
from tests.commissioning.diagram_boards import rewired, shown
from tests.docs.pages import text_of
from tests.hardware.drivers.shift_register_model import DirectLoad, EdgeSpi, ShiftRegisterChain
from tests.maker.kicad_netlists import Nets, WrittenBoard, every, fields, one, parse, point, schematic_nets
from tests.maker.test_board_plan import BUILDS, build

PINS = {
    "H": "6", "G": "5", "F": "4", "E": "3", "D": "14", "C": "13", "B": "12", "A": "11",
    "QH": "9", "SER": "10", "CLK": "2", "SH/LD": "1", "INH": "15", "VCC": "16", "GND": "8",
}  # fmt: skip
"""SN74HC165 data sheet, "Pin Configuration and Functions"."""


@cache
def sheets(name: str) -> dict[str, str]:
    """What `yardboard make schematic` writes for a build: path below `kicad/` -> text."""
    return made(name, "schematic")


@cache
def files(name: str) -> dict[str, str]:
    """What `yardboard make schematic` and `make pcb` write for a build."""
    return sheets(name) | made(name, "pcb")


def made(name: str, part: str) -> dict[str, str]:
    config = build(name)
    outputs = PARTS[part](config, plan_board(config), "A4")
    return {output.name.removeprefix("kicad/"): output.draw().decode() for output in outputs}


@cache
def placed(name: str) -> dict[str, str]:
    """The circuit boards of a build before their tracks are laid, which takes seconds: what -> text."""
    config = build(name)
    circuits = [head_board(config), *([chip_module(config)] if on_chips(config) else [])]
    assert {f"{one.name}.kicad_sch" for one in circuits} == {file for file in sheets(name) if file.endswith("_sch")}
    return {one.name: write_board(one, ()) for one in circuits}


def nets(name: str, what: str) -> Nets:
    return schematic_nets(sheets(name)[f"{what}.kicad_sch"])


def net_of(name: str, what: str) -> dict[tuple[str, str], str]:
    return {pin: net for net, pins in nets(name, what).items() for pin in pins}


def board(name: str, what: str) -> WrittenBoard:
    return WrittenBoard(files(name)[f"{what}.kicad_pcb"])


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.long_but_first  # the tracks of a board take seconds
@pytest.mark.parametrize("name", BUILDS)
def test_schematic_and_copper_have_the_same_nets_each_in_one_piece_and_apart_from_others(name: str) -> None:
    for what in {file.partition(".")[0] for file in sheets(name) if file.endswith(".kicad_sch")}:
        written, drawn = board(name, what), nets(name, what)
        copper = {net.removeprefix("/"): pins for net, pins in written.nets.items() if "unconnected" not in net}
        assert copper == drawn
        assert len(drawn) > 15
        assert {net: written.pieces(net) for net in written.nets} == dict.fromkeys(written.nets, 1)
        gap, one, other = written.nearest()
        assert gap >= 0.2, (one, other)


def test_the_same_configuration_gives_the_same_bytes() -> None:
    assert made("london-spi", "schematic") == sheets("london-spi")
    module = chip_module(build("london-spi"))
    assert write_board(module, route(module)) == files("london-spi")["module.kicad_pcb"]


def test_the_project_brings_every_symbol_and_footprint_that_it_uses() -> None:
    written = files("london-spi")
    used = {name for text in written.values() for name in re.findall(r'"yardboard:([^"]+)"', text)}
    own = set(re.findall(r'\(symbol "([^"]+?)"', written["yardboard.kicad_sym"]))
    own |= {Path(name).stem for name in written if name.endswith(".kicad_mod")}
    assert used <= own
    assert {"sym-lib-table", "fp-lib-table", "module.kicad_pro", "head.kicad_pro"} <= set(written)


def test_a_simulated_board_has_no_circuits() -> None:
    config = build("simulator")
    for part in ("schematic", "pcb"):
        with pytest.raises(NoElectronics, match="simulates the whole board; write its drivers, such as"):
            PARTS[part](config, plan_board(build("junior-gpio")), "A4")


def test_a_board_without_chips_has_no_modules() -> None:
    assert {name for name in sheets("dice-matrix") if name.endswith(".kicad_sch")} == {"head.kicad_sch"}


def test_more_strips_of_lamps_than_gates_are_refused() -> None:
    many = rewired(build("london-spi"), lamps={"spi": ("0.0",) * 6, "strips": (40,) * 6, "dead": ()})
    with pytest.raises(PartLeftOut, match=r"\[lamps\] has 6 strips, .* for 4; use 4 strips at most, or stripboard"):
        head_board(many)


def test_tracks_that_find_no_way_are_reported() -> None:
    wall = [Pad("2", 2.54, 1.27 * n) for n in range(-2, 3)]
    walled = Footprint("walled", (Pad("1", 0, 0), Pad("1", 5.08, 0), *wall), (0, 0, 5, 3))
    nets = {"1": "one", "2": "two"}
    tight = Component("U1", "walled", draw_box("walled", left="1 2"), walled, nets, (10, 10), (2.54, 2.54))
    with pytest.raises(NoWay, match="a tight board: there is no room for the tracks of one; place"):
        route(Circuit("tight", "a tight board", [tight], (10.16, 5.08)))


# ---- measures --------------------------------------------------------------------------------------------------------


def test_pads_are_where_the_parts_have_their_pins() -> None:
    module = board("london-spi", "module").pads
    chip = [module["U1", str(n)][0] for n in range(1, 17)]
    assert [round(x - chip[0][0], 3) for x, _ in chip[:8]] == [round(2.54 * n, 3) for n in range(8)]
    assert all(
        one[0] == other[0] and round(one[1] - other[1], 3) == 7.62
        for one, other in zip(chip[:8], chip[:7:-1], strict=True)
    )
    network = [module["RN1", str(n)][0] for n in range(1, 10)]
    assert [round(x - network[0][0], 3) for x, _ in network] == [round(2.54 * n, 3) for n in range(9)]
    head = board("london-spi", "head").pads
    for n in range(1, 41):
        (x, y), (left, low) = head["J1", str(n)][0], head["J1", "1"][0]
        assert (round(x - left, 3), round(low - y, 3)) == (round(2.54 * ((n - 1) // 2), 3), 2.54 * ((n - 1) % 2))
    for n in range(1, 10):
        (x, y), (x2, y2) = head[f"F{n}", "1"][0], head[f"F{n}", "2"][0]
        assert (x, round(y2 - y, 3)) == (x2, 22.5)


def test_a_panel_has_a_module_for_each_chip_side_by_side() -> None:
    single, panel = board("london-spi", "module"), board("london-spi", "panel")
    wide, high = single.size
    assert panel.size == (round(4 * wide, 4), round(7 * high, 4))
    assert len(panel.pads["U1", "1"]) == 28 >= build("london-spi").sections["switches"].chips
    x, y = single.pads["U1", "1"][0]
    for n, (x2, y2) in enumerate(panel.pads["U1", "1"]):
        assert abs(x2 - x - n % 4 * wide) < 0.001
        assert abs(y2 - y - n // 4 * high) < 0.001
    for copper in single.copper:
        for end in (copper.start, copper.end):
            rim = copper.across / 2
            assert min(end[0] - rim, end[1] - rim, wide - end[0] - rim, high - end[1] - rim) >= 0.4, (
                "no copper at a cut"
            )


KEYED = {
    "Box_header_2x3": ("1", "5"), "Box_header_2x20_turned_turned_turned": ("1", "39"),
    "DIP-14": ("1", "14"), "DIP-16": ("1", "16"), "DIP-40": ("1", "40"),
}  # fmt: skip
"""Footprint -> the first and the last pin of the side at which the part has its notch."""


@pytest.mark.parametrize("name", BUILDS)
def test_every_part_that_fits_one_way_only_shows_its_notch_and_a_1_beside_its_body(name: str) -> None:
    footprints = {Path(file).stem: parse(text) for file, text in sheets(name).items() if file.endswith(".kicad_mod")}
    keyed = {one for one in footprints if one.startswith(("Box", "DIP", "SIP"))}
    assert keyed - {"SIP-9"} == KEYED.keys() & footprints.keys() != set()
    for part in keyed:
        shape = footprints[part]
        pads = {pad[1]: point(one(pad, "at")) for pad in every(shape, "pad")}
        outline = [point(corner) for corner in every(one(one(shape, "fp_poly"), "pts"), "xy")]
        (left, right), (top, bottom) = ((min(ends), max(ends)) for ends in zip(*outline, strict=True))
        (text,) = every(shape, "fp_text")
        x, y = point(one(text, "at"))
        assert text[2] == "1"
        assert min(left - x, top - y) < 0 < max(left - x, top - y), "beside the body, where no part covers it"
        assert pads["1"] == min(pads.values(), key=lambda at: math.dist(at, (x, y)))
        assert x == pads["1"][0] or y == pads["1"][1]
        if part in KEYED:
            # two corners of the notch are inside the body, in the middle of the side of these pins
            (x1, y1), (x2, y2) = (at for at in outline if left < at[0] < right and top < at[1] < bottom)
            first, last = (pads[number] for number in KEYED[part])
            middle, notch = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2), ((x1 + x2) / 2, (y1 + y2) / 2)
            assert 0 in {round(notch[0] - middle[0], 3), round(notch[1] - middle[1], 3)}
            edges = {
                "left": notch[0] - left,
                "right": right - notch[0],
                "top": notch[1] - top,
                "low": bottom - notch[1],
            }
            toward = min(edges, key=lambda side: edges[side])
            assert toward == ("low" if "2x20" in part else "left")
            assert len(outline) == 8


@pytest.mark.parametrize("name", BUILDS)
def test_letters_on_a_board_are_large_enough_for_any_fab(name: str) -> None:
    for text in placed(name).values():
        whole = parse(text)
        printed = [*every(whole, "gr_text")]
        printed += [words for part in every(whole, "footprint") for words in every(part, "fp_text")]
        fonts = [one(one(words, "effects"), "font") for words in printed]
        assert min(float(one(font, "size")[1]) for font in fonts) >= 0.8
        assert min(float(one(font, "thickness")[1]) for font in fonts) >= 0.15
        large = [words[1] for words, font in zip(printed, fonts, strict=True) if float(one(font, "size")[1]) >= 1.0]
        assert len(large) > 2 / 3 * len(printed)


@pytest.mark.parametrize("name", BUILDS)
def test_the_small_capacitor_of_a_chip_is_beside_its_supply_pin(name: str) -> None:
    pins = {"head": "14", "module": "16"}
    for what, text in placed(name).items():
        pads = WrittenBoard(text).pads
        assert math.dist(pads["C1", "1"][0], pads["U1", pins[what]][0]) < 4


# ---- the chain -------------------------------------------------------------------------------------------------------


def module_inputs(module: dict[tuple[str, str], str]) -> dict[str, str]:
    """Terminal of a reed -> the chip's input that it reaches."""
    names = {number: pin for pin, number in PINS.items()}
    found = {}
    for pin in "HGFEDCBA":
        (number,) = {n for (ref, n), net in module.items() if ref == "U1" and net == module["J3", pin]}
        found[pin] = names[number]
    return found


@pytest.mark.parametrize("name", ["london-spi", "london-pico"])
def test_a_chain_of_modules_reads_each_station_as_the_configuration_says(name: str) -> None:
    config, module = build(name), net_of(name, "module")
    reached, levels = module_inputs(module), bridges(config)
    assert all(module["JP1", pin] == module["U1", PINS[pin]] for pin in levels)
    sentinel = sum((levels[pin] == "+3V3") << stage for stage, pin in enumerate("ABCDEFGH"))
    chips = config.sections["switches"].chips
    chain = ShiftRegisterChain(chips, sentinel=sentinel, serial_in=int(levels["SER"] == "+3V3"))
    switches = ShiftRegisterSwitches(
        8 * (chips - 1), spi=EdgeSpi(chain, 1), load=DirectLoad(chain), chips=chips,
        sentinel=config.sections["switches"].sentinel, mode=1,
    )  # fmt: skip
    for station, contact in zip(config.layout.stations, config.layout.switch_inputs, strict=True):
        # its reed hangs on the terminal that the list of wires names: chip and pin as the driver counts them
        number, terminal = re.findall(r"chip (\d+), pin (\w)", switches.place(contact))[0]
        chip = chain.chips[int(number) - 1]
        chip.inputs["ABCDEFGH".index(reached[terminal])] = 0
        assert switches.read() == 1 << contact, station
        chip.inputs[:] = [1] * 8
    assert {*range(200)} - {*config.layout.switch_inputs} == {0}, "mode 1 gives up the first bit"


def test_every_input_has_its_own_pull_up_and_the_chip_its_supply() -> None:
    module = net_of("london-spi", "module")
    assert module["RN1", "1"] == "+3V3"
    assert [module["RN1", str(n)] for n in range(2, 10)] == [module["J3", pin] for pin in "HGFEDCBA"]
    assert (module["U1", PINS["VCC"]], module["C1", "1"]) == ("+3V3", "+3V3")
    assert {module["U1", PINS[pin]] for pin in ("GND", "INH")} == {module["C1", "2"], module["J3", "GND"]} == {"GND"}
    assert module["JP1", "+"] == "+3V3"
    assert module["JP1", "-"] == "GND"
    assert ("U1", "7") not in module, "/QH stays open"


def across(nets_of: dict[tuple[str, str], str], net: str) -> str:
    """The net at the other end of the resistor on a net."""
    (ref, number), *others = [pin for pin, of in nets_of.items() if of == net and pin[0] in {"R1", "R2", "R3"}]
    assert not others
    return nets_of[ref, "21"[int(number) - 1]]


def test_a_ribbon_hands_each_line_from_module_to_module() -> None:
    module = net_of("london-spi", "module")
    to_pi, to_next = ([module[plug, str(n)] for n in range(1, 7)] for plug in ("J1", "J2"))
    assert to_pi[:5] == to_next[:5] == ["GND", "CLK", "GND", "LOAD", "+3V3"]
    assert across(module, to_pi[5]) == module["U1", PINS["QH"]]
    assert to_next[5] == module["U1", PINS["SER"]]
    assert across(module, "CLK") == module["U1", PINS["CLK"]]
    assert across(module, "LOAD") == module["U1", PINS["SH/LD"]]


def test_the_solder_bridges_are_those_of_the_drawing() -> None:
    config = build("london-spi")
    texts, module = shown(config, "chips"), sheets("london-spi")["module.kicad_sch"]
    wanted = {pin: {"3.3 V": "+3V3", "GND": "GND"}[texts[f"chip-26-{pin}"]] for pin in (*"HGFEDCBA", "SER")}
    assert bridges(config) == wanted
    assert "bridge JP1: H E C B to +, G F D A SER to -" in module


# ---- the board at the Pi ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILDS)
def test_each_pin_of_the_header_leads_where_the_drawing_says(name: str) -> None:
    config, head = build(name), net_of(name, "head")
    texts = shown(config, "header")
    plugs = labels(name)
    for lead in leads(config):
        pin, text = ("J1", str(lead.pin)), texts[f"gpio-{lead.gpio}"]
        if not lead.end:
            assert pin not in head, text
            continue
        ends = {other for other, net in head.items() if net == head[pin] and other != pin}
        words = text.partition(": ")[2] or text.removeprefix("key ").partition(",")[0].removeprefix("reed of station ")
        if lead.owner == "lamps":
            assert ("U1", "2") in ends
        elif text.startswith("chips: QH"):
            assert ends == {("J20", "6")}
        elif text.startswith("chips"):
            line = {"CLK of all": "2", "SH/LD of all": "4"}[words]
            assert across(head, head[pin]) == head["J20", line]
        else:
            (end,) = {end for end in ends if end[0] in {"J2", "J3", "J4", "J5", "J6"}}
            assert plugs[end] == words.replace(" (clock)", "").replace(" (data)", "").replace(" ", "_")
    for pins, net in ((GROUND, "GND"), (VOLTS_3_3, "+3V3"), (VOLTS_5, None)):
        assert {head.get(("J1", str(pin))) for pin in pins} == {net}


def labels(name: str) -> dict[tuple[str, str], str]:
    """Pin of a plug -> its name."""
    sheet = parse(sheets(name)["head.kicad_sch"])
    library = {symbol[1]: symbol for symbol in every(one(sheet, "lib_symbols"), "symbol")}
    return {
        (fields(symbol)["Reference"], one(pin, "number")[1]): one(pin, "name")[1]
        for symbol in every(sheet, "symbol")
        for part in every(library[one(symbol, "lib_id")[1]], "symbol")
        for pin in every(part, "pin")
    }


def test_a_pico_gets_the_chain_at_the_pins_of_its_drawing() -> None:
    config, head = build("london-pico"), net_of("london-pico", "head")
    texts = shown(config, "chain")
    assert texts["host-QH"] == "GP16"
    assert head["U2", "21"] == head["J20", "6"]
    assert across(head, head["U2", "22"]) == head["J20", "4"]
    assert across(head, head["U2", "24"]) == head["J20", "2"]
    assert head["U2", "36"] == head["J20", "5"] != "+3V3", "never join the 3.3 V of Pi and Pico"
    assert head["U2", "23"] == "GND"


@pytest.mark.parametrize("name", BUILDS)
def test_the_level_shifter_is_wired_as_drawn(name: str) -> None:
    config, head = build(name), net_of(name, "head")
    texts = shown(config, "lamps")
    for pin in range(1, 15):
        said, net = texts[f"shifter-{pin}"], head.get(("U1", str(pin)))
        if said.startswith("Pi: GPIO"):
            assert net == head["J1", said.rpartition("pin ")[2]]
        else:
            ends = {"GND": "GND", "5 V": "+5V", "open": None, "by the resistor": "LAMPS1"}
            assert net == next(end for words, end in ends.items() if said.startswith(words)), (pin, said)


@pytest.mark.parametrize("name", BUILDS)
def test_each_feed_of_the_lamps_has_its_own_fuse_and_terminal(name: str) -> None:
    config, head = build(name), net_of(name, "head")
    feeds = sum(lamp.fed for strip in strips(config) for lamp in strip)
    assert {ref for ref, _ in head if ref.startswith("F")} == {f"F{n}" for n in range(1, feeds + 1)}
    for n in range(1, feeds + 1):
        assert (head[f"F{n}", "1"], head[f"J{30 + n}", "2"]) == ("+5V", "GND")
        assert head[f"F{n}", "2"] == head[f"J{30 + n}", "1"] != "+5V"
    assert f'"{fuse(config):g} A"' in sheets(name)["head.kicad_sch"]


def test_only_the_bus_without_pull_ups_of_its_own_gets_some() -> None:
    head = net_of("london-spi", "head")
    pulled = {head[ref, "2"] for ref in ("R3", "R4")}
    assert pulled == {head["J1", "7"], head["J1", "29"]}
    assert head["R3", "1"] == head["R4", "1"] == "+3V3"


def test_another_sentinel_changes_the_bridges(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "config" / "london-spi.toml").read_text(encoding="utf-8")
    file = tmp_path / "other.toml"
    file.write_text(text.replace("sentinel = 0x96", "sentinel = 0x2D"), encoding="utf-8")
    levels = bridges(load(file))
    assert "".join("1" if levels[pin] == "+3V3" else "0" for pin in "HGFEDCBA") == f"{0x2D:08b}"


# ---- the build guide -------------------------------------------------------------------------------------------------


def test_the_build_guide_orders_what_is_on_the_boards() -> None:
    guide = text_of("build.md").partition("### Printed boards")[2].partition("\n## ")[0]
    module, head = chip_module(build("london-spi")), head_board(build("london-spi"))
    wide, high = module.size
    assert f"28 modules of {wide:.1f} × {high:.1f} mm" in guide
    assert f"{4 * wide:.1f} × {7 * high:.1f} mm" in guide
    counted = [(one.footprint.name, one.value) for one in (*[*module.components] * 26, *head.components)]
    dice, junior = (
        [(one.footprint.name, one.value) for one in head_board(build(name)).components] for name in BUILDS[2:]
    )
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in guide.splitlines() if row.startswith("|")]
    for words, footprint in (
        ("box header 2 × 3", "Box_header_2x3"),
        ("fuse holder", "Fuse_5x20"),
        ("screw terminal", "Screw_terminal"),
    ):
        (row,) = (row for row in rows if row[0].startswith(words))
        found = [sum(name.startswith(footprint) for name, _ in parts) for parts in (counted, dice, junior)]
        assert row[2:] == [str(count) if count else "–" for count in found]
    (row,) = (row for row in rows if row[0] == "resistor 100 Ω")
    assert row[2] == str(sum(value == "100" for _, value in counted))
    assert "`0x96`, bridge H, E, C and B to +, and G, F, D, A and the ninth pad (SER) to -" in " ".join(guide.split())
