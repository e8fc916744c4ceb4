"""The wiring diagrams show what the configuration says, each wire once, and can be read on paper."""

from __future__ import annotations

import ast
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host import sheet, wires
from firmware_host.commission.checkup import checkup
from firmware_host.commission.diagrams import chain, paper
from firmware_host.commission.diagrams.feeds import fed_with, feed_wire, fuse, needs, rail_wire, strips, supply
from firmware_host.commission.draw import draw, draw_on, image, sheets
from firmware_host.config import Config, load, simulator
from firmware_host.settings import ConfigError
from hardware import header
from hardware.drivers.shift_register import ShiftRegisterSwitches
from hardware.pi import GROUND, HAT, PHYSICAL, VOLTS_3_3, VOLTS_5
from tests.commission.tracing import Box, Traced
from tests.docs.pages import ROOT

BUILDS = ("london-spi", "london-pico", "dice-matrix", "junior-gpio")


def build(name: str) -> Config:
    return load(ROOT / "config" / f"{name}.toml")


def rewired(config: Config, **changes: dict[str, Any]) -> Config:
    """The configuration with other values in its sections."""
    parts = {name: replace(getattr(config, name), **values) for name, values in changes.items()}
    config = replace(config, **parts)
    laid = sheet.lay(
        config.network,
        config.edition.windows,
        inputs=config.switches.wiring,
        lamps=config.lamps.wiring,
        log=config.lamps.log,
    )
    return replace(config, sheet=laid)


def shown(config: Config, what: str) -> dict[str, str]:
    """What the texts of a sheet say that have an id; no id stands there twice."""
    texts = [(node.get("id"), node.text or "") for node in ET.fromstring(draw(config, what)).iter()]  # noqa: S314 - our own
    named = [(name, text) for name, text in texts if name]
    assert len(dict(named)) == len(named)
    return dict(named)


def every(config: Config, what: str) -> dict[str, str]:
    """The same of all pages of a sheet."""
    found: dict[str, str] = {}
    for name in sheets(config):
        if name.partition("-")[0] == what:
            page = shown(config, name)
            assert not found.keys() & page.keys()
            found |= page
    return found


def stations(texts: dict[str, str], prefix: str) -> dict[str, int]:
    """The ids that show a station, and which."""
    return {name: int(text) for name, text in texts.items() if name.startswith(prefix) and text.isdecimal()}


class Nothing:
    """A bus and a load pin on which nothing hangs."""

    def transfer(self, data: bytes) -> bytes:
        return data

    def write(self, data: bytes) -> None:
        """Nothing to write to."""

    def pulse(self) -> None:
        """Nothing to load."""

    def close(self) -> None:
        """Nothing to close."""


# ---- the sheets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILDS)
def test_every_sheet_is_a_page_of_sound_svg(name: str) -> None:
    config = build(name)
    for what in sheets(config):
        root = ET.fromstring(draw(config, what))  # noqa: S314 - our own
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert (root.get("width"), root.get("height")) == ("297mm", "210mm")
        assert root.get("viewBox") == "0 0 1188 840"
        assert f"drawn by yardboard from {name}.toml" in draw(config, what)


def test_a_build_has_the_sheets_of_its_drivers() -> None:
    assert sheets(build("london-spi")) == ("header", "chain", "chips", "lamps", "order", "panels")
    assert sheets(build("london-pico")) == sheets(build("london-spi"))
    assert sheets(build("dice-matrix")) == ("header", "matrix", "lamps", "order", "panels")
    assert sheets(build("junior-gpio")) == ("header", "reeds", "lamps", "order", "panels")


def test_more_chips_lamps_and_strips_than_fit_go_on_further_pages() -> None:
    long = rewired(build("london-pico"), switches={"chips": 64}, lamps={"dead": (100,)})
    assert [name for name in sheets(long) if "-" in name] == ["chips-2", "chips-3", "order-2"]
    many = rewired(build("london-spi"), lamps={"spi": ("0.0",) * 6, "strips": (40,) * 6, "dead": ()})
    assert "lamps-2" in sheets(many)


def test_a_sheet_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(
        ConfigError, match="no sheet 'matrix'; this board's are header, chain, chips, lamps, order, panels"
    ):
        draw(build("london-spi"), "matrix")


def test_a_simulated_board_has_no_wires() -> None:
    for call in (sheets, lambda config: draw(config, "header")):
        with pytest.raises(ConfigError, match="a simulated board has no wires"):
            call(simulator())


def test_a_picture_of_a_sheet_is_as_wide_as_asked_for() -> None:
    picture = image(build("junior-gpio"), "reeds", 600)
    assert picture.size == (600, 424)
    assert len(picture.getcolors(1 << 24) or ()) > 20


# ---- the header ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILDS)
def test_every_used_gpio_is_on_the_header_with_its_owner(name: str) -> None:
    config = build(name)
    texts = shown(config, "header")
    whole = draw(config, "header")
    sections = {part: getattr(config, part) for part in ("switches", "lamps", "handset", "display", "keys")}
    claims = wires.claims(sections, config.sheet)
    used = [wire for claim in claims for wire in header.wires(claim, config.pi.model)]
    assert len(used) > 15
    words = {
        "switches": ("chips: ", "matrix: ", "reed of station "),
        "lamps": ("lamps: data",),
        "handset": ("handset: ",),
        "display": ("display: ",),
        "keys": ("key ", "encoder: "),
    }
    for wire in used:
        text = texts[f"gpio-{wire.pin}"]
        section = wire.what.strip("[").partition("]")[0].partition(".")[0]
        assert text.startswith((*words[section], "taken by the bus")), wire
        assert f">{wire.what}<" in whole
        assert f">GPIO {wire.pin}<" in whole
        assert not wire.function or f">{wire.function}<" in whole
    counted = Counter(text for text in texts.values() if text not in ("free", "5 V", "3.3 V", "ground"))
    assert [text for text, times in counted.items() if times > 1 and "leave it open" not in text] == []


@pytest.mark.parametrize("name", BUILDS)
def test_the_header_says_which_pins_are_free_and_which_give_power(name: str) -> None:
    config = build(name)
    texts = shown(config, "header")
    sections = {part: getattr(config, part) for part in ("switches", "lamps", "handset", "display", "keys")}
    left = header.free(wires.claims(sections, config.sheet), config.pi.model)
    assert {gpio for gpio in PHYSICAL if texts[f"gpio-{gpio}"] == "free"} == set(left)
    assert {gpio for gpio in HAT if "HAT" in texts[f"gpio-{gpio}"]} == set(HAT)
    for words, pins in (("5 V", VOLTS_5), ("3.3 V", VOLTS_3_3), ("ground", GROUND)):
        assert {pin for pin in range(1, 41) if texts.get(f"pin-{pin}") == words} == set(pins)
    assert len(texts) == 40


@pytest.mark.parametrize("name", BUILDS)
def test_a_pin_of_the_header_is_hollow_while_nothing_may_hang_on_it_or_does(name: str) -> None:
    traced = Traced()
    draw_on(traced, build(name), "header")
    texts = shown(build(name), "header")
    hollow = [text for text in texts.values() if text == "free" or "HAT" in text]
    assert len(traced.discs) == 40
    assert traced.discs.count(paper.PAPER) == len(hollow) > 2
    assert traced.discs.count(paper.GROUND) == len(GROUND)


def test_the_header_tells_a_device_s_wires_apart() -> None:
    texts = shown(build("london-spi"), "header")
    assert texts["gpio-21"] == "chips: CLK of all"
    assert texts["gpio-19"] == "chips: QH of chip 1"
    assert texts["gpio-16"] == "chips: SH/LD of all"
    assert texts["gpio-20"] == texts["gpio-18"] == "taken by the bus: leave it open"
    assert texts["gpio-10"] == "lamps: data, by level shifter"
    assert {texts[f"gpio-{gpio}"] for gpio in (7, 8, 9, 11)} == {"taken by the bus: leave it open"}  # the rest of SPI0
    assert texts["gpio-2"] == "handset: SDA"
    assert texts["gpio-26"] == "key BACK, handset"
    pico = shown(build("london-pico"), "header")
    assert [pico[f"gpio-{n}"] for n in (21, 20, 18, 16, 5)] == [
        f"display: {end}" for end in ("D0 (clock)", "D1 (data)", "CS", "D/C", "RES")
    ]
    dice = shown(build("dice-matrix"), "header")
    assert (dice["gpio-7"], dice["gpio-13"]) == ("matrix: row 2", "matrix: column 2")
    assert (dice["gpio-26"], dice["gpio-27"]) == ("encoder: CLK", "encoder: DT")


def test_a_second_device_of_a_bus_leaves_the_first_chip_select_open() -> None:
    config = rewired(build("london-pico"), display={"bus": "spi-1.1"}, keys={"table": {}})
    texts = shown(config, "header")
    assert (texts["gpio-18"], texts["gpio-17"]) == ("taken by the bus: leave it open", "display: CS")


# ---- the chain -------------------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(("london-spi", "london-pico")), chips=st.integers(26, 64))
def test_each_station_is_at_one_pin_of_one_chip_as_the_driver_has_it(seed: int, name: str, chips: int) -> None:
    config = build(name)
    inputs = random.Random(seed).sample(range(1, 8 * (chips - 1)), 199)
    wiring = dict(zip(config.network.stations, inputs, strict=True))
    config = rewired(config, switches={"wiring": wiring, "chips": chips})
    texts = every(config, "chips")
    found = stations(texts, "chip-")
    nothing = Nothing()
    driver = ShiftRegisterSwitches(8 * (chips - 1), spi=nothing, load=nothing, chips=chips, sentinel=0x96, mode=2)
    places = {station: driver.place(number) for station, number in wiring.items()}
    assert {f"chip {name.split('-')[1]}, pin {name[-1]}": station for name, station in found.items()} == {
        place: station for station, place in places.items()
    }
    assert sum(text == "free" for text in texts.values()) == 8 * (chips - 1) - 199


@given(sentinel=st.integers(1, 254))
@settings(max_examples=20, deadline=None)
def test_the_last_chip_is_tied_as_the_sentinel_says(sentinel: int) -> None:
    texts = every(rewired(build("london-spi"), switches={"sentinel": sentinel}), "chips")
    high = sum(1 << "ABCDEFGH".index(pin) for pin in "ABCDEFGH" if texts[f"chip-26-{pin}"] == "3.3 V")
    low = sum(1 << "ABCDEFGH".index(pin) for pin in "ABCDEFGH" if texts[f"chip-26-{pin}"] == "GND")
    assert (high, low) == (sentinel, 255 - sentinel)


def test_serial_out_of_each_chip_goes_to_the_one_nearer_to_the_host() -> None:
    texts = every(build("london-spi"), "chips")
    assert texts["chip-1-QH"] == "to host"
    for number in range(2, 27):
        assert texts[f"chip-{number}-QH"] == f"SER {number - 1}"
        assert texts[f"chip-{number - 1}-SER"] == f"QH {number}"
    assert texts["chip-26-SER"] == "GND"


def test_the_chain_begins_at_the_pins_of_the_configuration() -> None:
    texts = shown(build("london-spi"), "chain")
    assert [texts[f"host-{wire}"] for wire in ("CLK", "QH", "SH/LD")] == ["GPIO 21", "GPIO 19", "GPIO 16"]
    moved = rewired(build("london-spi"), switches={"spi": "4.0", "load_pin": 14})
    texts = shown(moved, "chain")
    assert [texts[f"host-{wire}"] for wire in ("CLK", "QH", "SH/LD")] == ["GPIO 7", "GPIO 5", "GPIO 14"]


def test_the_pico_s_pins_are_those_of_its_program() -> None:
    program = ast.parse((ROOT / "hardware" / "firmware" / "main.py").read_text(encoding="utf-8"))
    values: dict[str, int] = {}
    for node in program.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Tuple)
        ):
            names = [ast.unparse(name) for name in node.targets[0].elts]
            values |= dict(zip(names, map(ast.literal_eval, node.value.elts), strict=True))
    texts = shown(build("london-pico"), "chain")
    assert texts["host-QH"] == f"GP{values['DATA']}"
    assert texts["host-SH/LD"] == f"GP{values['LOAD']}"
    assert texts["host-CLK"] == f"GP{values['CLOCK']}"
    on_the_board = {16: 21, 17: 22, 18: 24, 19: 25}  # Pico data sheet, pinout; pin 23 is a ground
    assert dict(chain.PICO.values()) == {
        f"GP{values[part]}": on_the_board[values[part]] for part in ("DATA", "LOAD", "CLOCK")
    }


def test_the_shortest_chain_has_one_chip_and_its_sentinel() -> None:
    config = rewired(build("london-pico"), switches={"chips": 2})
    assert "chip 2" in draw(config, "chain")
    assert "chips 3" not in draw(config, "chain")


# ---- matrix and single pins ------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_each_station_is_at_its_crossing_of_the_matrix(seed: int) -> None:
    chance = random.Random(seed)
    config = build("dice-matrix")
    pins = chance.sample([*range(4, 28)], 16)
    rows = chance.randint(4, 9)
    columns = len(pins) - rows
    wiring = dict(zip(config.network.stations, chance.sample(range(rows * columns), 36), strict=True))
    config = rewired(config, switches={"rows": tuple(pins[:rows]), "columns": tuple(pins[rows:]), "wiring": wiring})
    found = stations(shown(config, "matrix"), "row-")
    assert found == {
        f"row-{number // columns + 1}-column-{number % columns + 1}": station for station, number in wiring.items()
    }
    text = draw(config, "matrix")
    for number, gpio in enumerate(pins[:rows], 1):
        assert f">row {number}: GPIO {gpio}, pin {PHYSICAL[gpio]}<" in text
    for number, gpio in enumerate(pins[rows:], 1):
        assert shown(config, "matrix")[f"column-{number}"] == str(gpio)


def test_the_ring_of_each_diode_is_on_the_side_of_the_row() -> None:
    """A triangle's point is where current flows to, and the ring is at the point."""
    root = ET.fromstring(draw(build("dice-matrix"), "matrix"))  # noqa: S314 - our own
    shapes = [node.get("points", "") for node in root.iter("{http://www.w3.org/2000/svg}polygon")]
    triangles = [points for points in (_points(shape) for shape in shapes) if len(points) == 3]
    lying = [_points(node.get("points", "")) for node in root.iter("{http://www.w3.org/2000/svg}polyline")]
    rows = sorted({line[0][1] for line in lying if line[-1][0] - line[0][0] > 500 and line[0][1] > 100})
    assert (len(triangles), len(rows)) == (36, 6)
    for left, right, point in triangles:
        assert left[1] == right[1] < point[1]
        below = min(row for row in rows if row > point[1])
        assert below - point[1] < 40
        assert any(line[0] == (left[0], point[1]) and line[-1] == (right[0], point[1]) for line in lying)


def _points(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_each_reed_is_on_its_gpio(seed: int) -> None:
    config = build("junior-gpio")
    wiring = dict(zip(config.network.stations, random.Random(seed).sample(range(4, 28), 14), strict=True))
    config = rewired(config, switches={"wiring": wiring})
    found = stations(shown(config, "reeds"), "reed-")
    assert found == {f"reed-{gpio}": station for station, gpio in wiring.items()}
    for gpio in wiring.values():
        assert f">GPIO {gpio}, pin {PHYSICAL[gpio]}<" in draw(config, "reeds")


# ---- lamps -----------------------------------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_lamps_follow_each_other_as_they_are_wired(seed: int) -> None:
    config = build("london-spi")
    order = random.Random(seed).sample(range(240), 223)
    lamps = dict(zip(config.network.stations, order, strict=False))
    log = dict(enumerate(order[199:], 1))
    config = rewired(config, lamps={"wiring": lamps, "log": log})
    texts = every(config, "order")
    assert stations(texts, "lamp-") == {f"lamp-{lamp}": station for station, lamp in lamps.items()}
    assert {name: text for name, text in texts.items() if text.startswith("log")} == {
        f"lamp-{lamp}": f"log {window}" for window, lamp in log.items()
    }
    assert sum(text == "-" for text in texts.values()) == 1 + max(order) - 223


def test_each_strip_begins_with_its_dead_lamps_and_goes_on_counting() -> None:
    config = rewired(build("london-spi"), lamps={"spi": ("0.0", "5.0"), "strips": (100, 130), "dead": (1, 2)})
    first, second = strips(config)
    assert [lamp.kind for lamp in first[:2]] == ["dead", "station"]
    assert [lamp.number for lamp in second[:4]] == [None, None, 100, 101]
    assert (len(first), len(second)) == (101, 132)
    assert (first[0].fed, second[0].fed) == (True, True)
    texts = shown(config, "lamps")
    assert (texts["data-1"], texts["data-2"]) == ("Pi: GPIO 10, pin 19", "Pi: GPIO 14, pin 8")
    assert texts["shifter-2"] == "Pi: GPIO 10, pin 19"
    assert texts["shifter-3"] == "by the resistor to the first dead lamp"
    assert texts["shifter-5"] == "Pi: GPIO 14, pin 8"
    assert [texts[f"shifter-{pin}"] for pin in (1, 4, 10, 13, 9, 12, 8, 11, 7)] == [
        "GND", "GND", "5 V", "5 V", "GND", "GND", "open", "open", "GND"
    ]  # fmt: skip


@pytest.mark.parametrize("milliamps", [300, 2000, 20000])
@pytest.mark.parametrize("name", BUILDS)
def test_power_is_fed_in_at_as_many_points_as_the_arithmetic_asks_for(name: str, milliamps: int) -> None:
    config = rewired(build(name), lamps={"max_milliamps": milliamps})
    (strip,) = strips(config)
    fed = [place for place, lamp in enumerate(strip) if lamp.fed]
    assert len(fed) == needs(config).feeds == -(-len(strip) // 25)
    assert fed[0] == 0
    gaps = {after - before for before, after in zip(fed, [*fed[1:], len(strip)], strict=True)}
    assert max(gaps) <= 25
    assert max(gaps) - min(gaps) <= 1


def test_a_feed_of_london_stands_before_every_25th_lamp_on_both_sheets() -> None:
    config = build("london-spi")
    fed = [0, 25, 50, 74, 99, 124, 149, 173, 198]
    assert [lamp.number for lamp in strips(config)[0] if lamp.fed] == fed
    assert f"are fed in before these: {', '.join(map(str, fed))}<" in draw(config, "lamps")
    assert ">Points to feed 5 V and ground in: 9.<" in draw(config, "lamps")
    for sheet_, bars in (("lamps", 0), ("order", 9)):
        traced = Traced()
        draw_on(traced, config, sheet_)
        assert sum(colour == paper.VOLTS_5 and width == 5 for colour, width in traced.inks) == bars
    assert len(_fuses(config)) == 9


def _fuses(config: Config) -> list[Box]:
    """The small boxes that stand on the wires to the strips."""
    traced = Traced()
    draw_on(traced, config, "lamps")
    return [part for part in traced.hidden if (part[2] - part[0], part[3] - part[1]) == (8, 16)]


def test_where_there_are_more_feeds_than_boxes_the_sheet_says_so() -> None:
    long = rewired(build("london-spi"), lamps={"dead": (300,)})
    assert len(_fuses(long)) == 10
    assert needs(long).feeds == 21
    assert "and 5 more, see the order<" in draw(long, "lamps")
    assert "before these: dead 1, dead 26, " in draw(long, "lamps")


@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.parametrize("milliamps", [300, 1000, 3000, 9000])
def test_a_fuse_bears_its_feed_and_blows_at_what_the_supply_gives(name: str, milliamps: int) -> None:
    config = rewired(build(name), lamps={"max_milliamps": milliamps})
    assert fed_with(config) <= 1000 * fuse(config)
    assert fuse(config) <= max(0.5, 1.26 * fed_with(config) / 1000)
    assert supply(config) >= 2.75 * fuse(config)
    assert supply(config) >= needs(config).lamp_supply
    texts = shown(config, "lamps")
    assert texts["supply"] == f"{supply(config):g} A or more"
    assert f"a quick-acting fuse of {fuse(config):g} A, its wires {feed_wire(config):g} mm2" in texts["fuse"]
    assert texts["fuse"].startswith(f"rails: {rail_wire(config):g} mm2 for 1 m.")


@pytest.mark.parametrize("name", BUILDS)
def test_the_sheet_reckons_as_the_doctor_does(name: str, tmp_path: Path) -> None:
    config = build(name)
    (text,) = (finding.what for finding in checkup(config, tmp_path) if finding.what.startswith("power:"))
    sums = needs(config)
    assert f"at most {sums.total:.0f} mA" in text
    assert (
        f"{sums.lamp_supply:g} A or more for the lamps beside the Pi's own; fed into the chain at {sums.feeds} points"
        in text
    )


@pytest.mark.parametrize("number", [1, 2, 4])
def test_no_wire_runs_through_a_lamp_to_reach_another_strip(number: int) -> None:
    lamps = {"spi": ("0.0", "3.0", "4.0", "5.0")[:number], "strips": (60,) * number, "dead": (200,) * number}
    config = rewired(build("london-spi"), lamps={**lamps, "strips": (240 // number,) * number})
    traced = Traced()
    draw_on(traced, config, "lamps")
    upright = [(a, b) for a, b in traced.drawn if a[0] == b[0] and a[1] != b[1]]
    lamp_boxes = [part for part in traced.hidden if part[3] - part[1] == 48]
    assert len(lamp_boxes) >= 3 * number
    for (x, y1), (_, y2) in upright:
        top, bottom = sorted((y1, y2))
        for left, above, right, below in lamp_boxes:
            edge = x in (left, right)
            assert edge or not (left < x < right and top < below - 1 and bottom > above + 1), (x, y1, y2)


def test_one_ground_joins_the_supply_the_pi_and_the_level_shifter() -> None:
    root = ET.fromstring(draw(build("london-spi"), "lamps"))  # noqa: S314 - our own
    lines = [(node.get("id"), _points(node.get("points", ""))) for node in root.iter() if node.tag.endswith("polyline")]
    (common,) = [points for name, points in lines if name == "common-ground"]
    rails = [points for _, points in lines if len(points) == 2 and points[0][1] == points[1][1] == common[0][1]]
    assert any(points[0][0] <= common[0][0] <= points[1][0] for points in rails), "it begins on the supply's minus"
    leaving = [points for _, points in lines if points[0][0] == common[-1][0] and points[0][1] > common[-2][1]]
    assert len(leaving) == 2, "to the Pi and to the level shifter"
    assert leaving[0][1][0] < common[-1][0] < leaving[1][1][0]
    assert ">any ground pin<" in draw(build("london-spi"), "lamps")
    assert ">and pin 7<" in draw(build("london-spi"), "lamps")


@pytest.mark.parametrize(("name", "chips"), [("london-spi", 26), ("london-pico", 40)])
def test_every_chip_has_its_capacitor(name: str, chips: int) -> None:
    texts = shown(rewired(build(name), switches={"chips": chips}), "chain")
    assert texts["blocking"] == f"100 nF, close to the chip: {chips} in all"


# ---- screens and keys ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILDS)
def test_every_key_and_wire_of_a_screen_is_on_the_sheet_with_its_pin(name: str) -> None:
    config = build(name)
    texts = shown(config, "panels")
    keys = [*config.keys.table.values(), *config.keys.handset.values(), *config.keys.encoder]
    assert {name: text for name, text in texts.items() if name.startswith("key-")} == {
        f"key-{gpio}": f"GPIO {gpio}, pin {PHYSICAL[gpio]}" for gpio in keys
    }
    for panel in ("handset", "display"):
        section = getattr(config, panel)
        number = {"i2c-1": [2, 3], "i2c-3": [4, 5], "spi-1.0": [21, 20, 18, section.dc_pin, section.reset_pin]}
        assert {name for name in texts if name.startswith(panel)} == {f"{panel}-{gpio}" for gpio in number[section.bus]}


def test_a_key_that_is_another_when_held_says_so() -> None:
    assert ">SELECT, held: BACK<" in draw(build("dice-matrix"), "panels")


# ---- on paper --------------------------------------------------------------------------------------------------------


def readable() -> list[Any]:
    """Boards, the shipped ones and extremes, and all their sheets."""
    boards = {name: build(name) for name in BUILDS}
    pins = tuple(range(2, 28))
    boards["long"] = rewired(
        build("london-pico"), switches={"chips": 64}, lamps={"dead": (90,), "max_milliamps": 20000}
    )
    boards["short"] = rewired(build("london-pico"), switches={"chips": 2, "wiring": {}})
    boards["square"] = rewired(build("dice-matrix"), switches={"rows": pins[:13], "columns": pins[13:]})
    boards["flat"] = rewired(build("dice-matrix"), switches={"rows": pins[:2], "columns": pins[2:]})
    boards["strips"] = rewired(
        build("london-spi"), lamps={"spi": ("0.0", "3.0", "4.0", "5.0"), "strips": (60,) * 4, "dead": (1,) * 4}
    )
    every_key = {"up": 14, "down": 15, "select": 12, "back": 13, "peek": 7}
    boards["keys"] = rewired(
        build("dice-matrix"), keys={"handset": every_key, "long": {"handset.peek": "table.underground"}}
    )
    return [pytest.param(board, what, id=f"{name}-{what}") for name, board in boards.items() for what in sheets(board)]


@pytest.mark.parametrize(("config", "what"), readable())
def test_a_sheet_can_be_read(config: Config, what: str) -> None:
    traced = Traced()
    draw_on(traced, config, what)
    assert list(traced.collisions()) == []
    assert min(size for text, size, _ in traced.texts if text) >= 8.5, "under 2.1 mm on A4"
    for text, _, (left, top, right, bottom) in traced.texts:
        assert 20 < left < right < paper.WIDTH - 20, text
        assert 20 < top < bottom < paper.HEIGHT - 20, text
        assert text.isascii(), f"{text}: Pillow's font has no more than ASCII"
    assert all(20 < x < paper.WIDTH - 20 and 20 < y < paper.HEIGHT - 20 for x, y in traced.points)


def test_what_lies_upon_each_other_is_found_out() -> None:
    traced = Traced()
    traced.text((100, 100), "one", 12, (0, 0, 0))
    traced.text((110, 104), "other", 12, (0, 0, 0))
    traced.line([(60, 100), (140, 100)], (0, 0, 0), 1)
    assert list(traced.collisions()) == ["'one' on 'other'", "a line through 'one'", "a line through 'other'"]


def test_the_tests_look_at_every_build_there_is() -> None:
    found = {path.stem for path in Path(ROOT / "config").glob("*.toml")} - {"simulator"}
    assert found == set(BUILDS)
