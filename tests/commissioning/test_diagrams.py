"""The wiring diagrams show what the configuration says, each wire once, and can be read on paper."""

from __future__ import annotations

import ast
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from firmware_host.commissioning.diagram_command import draw, draw_on, sheets
from firmware_host.commissioning.diagrams import pi_header, svg_sheet
from firmware_host.config import section_conflicts
from firmware_host.config.drivers.oled_driver import NO_PIN
from firmware_host.config.loader import Config, simulator
from firmware_host.config.toml_file import ConfigError
from firmware_host.ui.drawing.canvas import Pixels
from hardware.drivers import pico_handset
from hardware.raspberry_pi import pin_conflicts
from hardware.raspberry_pi.pinout import GROUND, HAT, PHYSICAL, VOLTS_3_3, VOLTS_5
from tests.commissioning.diagram_boards import BUILDS, build, readable, rewired, shown
from tests.commissioning.traced_sheet import Traced
from tests.docs.pages import ROOT

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
        ConfigError, match="no sheet 'matrix'; this board's sheets are header, chain, chips, lamps, order, panels"
    ):
        draw(build("london-spi"), "matrix")


def test_a_simulated_board_has_no_wires() -> None:
    for call in (sheets, lambda config: draw(config, "header")):
        with pytest.raises(ConfigError, match="simulates the whole board; write its drivers"):
            call(simulator())


def test_a_sheet_is_drawn_in_pixels_as_well() -> None:
    canvas = Pixels(svg_sheet.WIDTH, svg_sheet.HEIGHT, svg_sheet.PAPER, 600)
    draw_on(canvas, build("junior-gpio"), "reeds")
    picture = canvas.finish()
    assert picture.size == (600, 424)
    assert len(picture.getcolors(1 << 24) or ()) > 20


# ---- the header ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILDS)
def test_every_used_gpio_is_on_the_header_with_its_owner(name: str) -> None:
    config = build(name)
    texts = shown(config, "header")
    whole = draw(config, "header")
    sections = {part: getattr(config, part) for part in ("switches", "lamps", "handset", "display", "keys")}
    claims = section_conflicts.claims(sections, config.layout)
    used = [wire for claim in claims for wire in pin_conflicts.wires(claim, config.pi.model)]
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
    left = pin_conflicts.free_gpios(section_conflicts.claims(sections, config.layout), config.pi.model)
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
    assert traced.discs.count(svg_sheet.PAPER) == len(hollow) >= len(HAT)
    assert traced.discs.count(svg_sheet.GROUND) == len(GROUND)


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


# ---- screens and keys ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILDS)
def test_every_key_and_wire_of_a_screen_is_on_the_sheet_with_its_pin(name: str) -> None:
    config = build(name)
    texts = shown(config, "panels")
    keys = [*config.keys.table.values(), *config.keys.handset.values(), *config.keys.encoder]
    on_the_pi = {f"key-{gpio}": f"GPIO {gpio}, pin {PHYSICAL[gpio]}" for gpio in keys}
    on_a_pico = {f"key-{gp}": f"{gp}, pin {pin}" for gp, pin in pi_header.PICO_KEYS.values()}
    assert {name: text for name, text in texts.items() if name.startswith("key-")} == on_the_pi | (
        on_a_pico if config.handset.driver == "pico" else {}
    )
    for panel in ("handset", "display"):
        section = getattr(config, panel)
        if section.driver == "pico":
            wires = {f"handset-{gp}": f"{gp}, pin {pin}" for gp, pin in pi_header.PICO_SCREEN.values()}
            assert {name: text for name, text in texts.items() if name.startswith(panel)} == wires
            continue
        number = {"i2c-1": [2, 3], "i2c-3": [4, 5], "spi-1.0": [21, 20, 18, section.dc_pin]}
        wired = [*number[section.bus], *([section.reset_pin] if section.reset_pin != NO_PIN else [])]
        assert {name for name in texts if name.startswith(panel)} == {f"{panel}-{gpio}" for gpio in wired}


def test_the_pins_of_the_handset_s_pico_are_those_of_its_program() -> None:
    program = ast.parse((ROOT / "hardware" / "firmware" / "handset_main.py").read_text(encoding="utf-8"))
    values: dict[str, object] = {}
    for node in program.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            names = ast.unparse(node.targets[0]).strip("()").split(", ")
            found = ast.literal_eval(node.value)
            values |= dict(zip(names, found, strict=True)) if len(names) > 1 else {names[0]: found}
    on_the_board = {4: 6, 5: 7, 6: 9, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19}  # Pico data sheet, pinout
    screen = {"SDA": values["SDA"], "SCL": values["SCL"], "RES": values["RESET"]}
    keys = dict(zip(pico_handset.KEYS, values["KEYS"], strict=True))  # type: ignore[call-overload]
    for wires, pins in ((pi_header.PICO_SCREEN, screen), (pi_header.PICO_KEYS, keys)):
        assert wires == {wire: (f"GP{pin}", on_the_board[pin]) for wire, pin in pins.items()}


def test_a_key_that_is_another_when_held_says_so() -> None:
    assert ">SELECT, held: BACK<" in draw(build("dice-matrix"), "panels")


# ---- on paper --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("config", "what"), readable())
def test_a_sheet_can_be_read(config: Config, what: str) -> None:
    traced = Traced()
    draw_on(traced, config, what)
    assert list(traced.collisions()) == []
    assert min(size for text, size, _ in traced.texts if text) >= 8.5, "under 2.1 mm on A4"
    for text, _, (left, top, right, bottom) in traced.texts:
        assert 20 < left < right < svg_sheet.WIDTH - 20, text
        assert 20 < top < bottom < svg_sheet.HEIGHT - 20, text
        assert text.isascii(), f"{text}: Pillow's font has no more than ASCII"
    assert all(20 < x < svg_sheet.WIDTH - 20 and 20 < y < svg_sheet.HEIGHT - 20 for x, y in traced.points)
