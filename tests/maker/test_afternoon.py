"""The guide to a board in an afternoon: whole, true to the board's configuration, and under its price."""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise
from pathlib import Path

import pypdfium2
import pytest

from firmware_host.cli import HELP_SECTIONS
from firmware_host.commissioning.diagram_command import draw
from firmware_host.commissioning.diagrams.lamp_chain import needs
from firmware_host.commissioning.selftest import PARTS
from firmware_host.config.loader import Config, load
from firmware_host.maker import afternoon_drawings as drawings
from firmware_host.maker.afternoon_guide import (
    DEBIAN,
    GROUNDS,
    OTHER_DEBIAN,
    SUITE,
    TEST_PARTS,
    boot_lines,
    draw_guide_pdf,
    why_not,
    wired_pins,
)
from firmware_host.maker.board_plan import DIAMETERS, PITCH, BoardPlan, Cut, plan_board
from firmware_host.maker.cross_section import PAWN_FOOT
from firmware_host.maker.paper_pages import MARGIN
from firmware_host.maker.parts_list import cost, parts_list
from firmware_host.maker.wire_list import STRING, STRING_WIRE, wire_list
from hardware.raspberry_pi.pinout import GROUND, PHYSICAL, VOLTS_3_3
from tests.docs.pages import ROOT
from tests.maker.measured_files import MM, circles, pages, rectangles, texts
from tests.maker.test_board_plan import CONFIGS, build
from tools.debian_package import SUITES

LIMIT = 190
"""Euros that the guide promises as the most."""


@pytest.fixture(scope="module")
def config() -> Config:
    return build("junior-a3")


@pytest.fixture(scope="module")
def plan(config: Config) -> BoardPlan:
    return plan_board(config)


@pytest.fixture(scope="module")
def written(config: Config, plan: BoardPlan) -> bytes:
    return draw_guide_pdf(config, plan)


@pytest.fixture(scope="module")
def guide(written: bytes) -> list[pypdfium2.PdfPage]:
    return pages(written)


def text_of(guide: list[pypdfium2.PdfPage]) -> str:
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in guide).split())


def test_the_board_costs_no_more_than_the_guide_says_and_has_no_part_to_solder_on_a_surface(
    config: Config, plan: BoardPlan, guide: list[pypdfium2.PdfPage]
) -> None:
    parts = parts_list(config, plan)
    assert cost(parts)[1] <= LIMIT
    assert f"All parts cost less than {LIMIT} euros" in text_of(guide)
    assert {part.name.partition(" ")[0] for part in parts} >= {"string", "74AHCT125", "breadboard"}
    assert not [part.name for part in parts if "own round board" in part.name]


def test_a_ready_string_reaches_every_lamp(config: Config, plan: BoardPlan) -> None:
    lights = plan.places(Cut.LIGHT)
    way = [lights[name] for name in drawings.lamp_names(config)]
    assert len(way) == len(lights) <= STRING
    assert max(((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in pairwise(way)) <= STRING_WIRE
    assert needs(config).feeds == 1
    assert not [wire for wire in wire_list(config, plan) if wire.start.endswith("DOUT")]


def test_the_guide_names_every_part_every_pin_and_every_section(
    config: Config, plan: BoardPlan, guide: list[pypdfium2.PdfPage]
) -> None:
    said = text_of(guide)
    for part in parts_list(config, plan):
        assert part.name in said, part.name
    for section in ("1. Order", "4. Solder and glue the reeds", "8. The program", "11. The first game"):
        assert section in said
    assert not re.search(r"\{\w+\}|\[\w+ \w+\]|\*\*", said)
    for line in (*boot_lines(config), "echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf"):
        assert line in said


def test_the_lines_for_the_boot_file_are_those_of_the_configurations_head(config: Config) -> None:
    found = boot_lines(config)
    assert found == ["dtoverlay=spi0-0cs", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000", "core_freq=250"]


def test_each_pin_has_one_wire_and_grounds_are_ground(config: Config) -> None:
    wired = list(wired_pins(config))
    pins = [pin for pin, _ in wired]
    assert len({*pins}) == len(pins)
    assert {*GROUNDS.values()} <= {*GROUND}
    assert 1 in VOLTS_3_3
    what = dict(wired)
    for station, gpio in config.layout.switches.items():
        assert what[PHYSICAL[gpio]] == f"reed {station}"
    assert what[PHYSICAL[config.sections["keys"].table["confirm"]]] == "key CONFIRM"
    assert (what[PHYSICAL[2]], what[PHYSICAL[3]]) == ("screen: SDA", "screen: SCL")


def test_the_breadboard_joins_what_the_sheet_of_the_lamps_joins(config: Config) -> None:
    """Each pin of the chip is on the net that the sheet names; nothing joins two nets."""
    nets: dict[tuple[str, int], set[str]] = {}

    def node(hole: drawings.Hole) -> tuple[str, int]:
        return ("lower" if hole[0] in "abcde" else "upper"), hole[1]

    def join(one: tuple[str, int], other: tuple[str, int]) -> None:
        both = nets.setdefault(one, {str(one)}) | nets.setdefault(other, {str(other)})
        for name in [name for name, net in nets.items() if net & both]:
            nets[name] = both

    for _, one, other, _ in drawings.LINKS:
        join(node(one), node(other))
    ends = {what: node(hole) for what, hole in drawings.ENDS}
    (capacitor, resistor) = [{node(one), node(other)} for _, one, other in drawings.PARTS]

    def same(one: tuple[str, int], other: tuple[str, int]) -> bool:
        return one == other or str(other) in nets.get(one, set())

    sheet = draw(config, "lamps")
    said = {int(pin): text for pin, text in re.findall(r'id="shifter-(\d+)"[^>]*>([^<]*)<', sheet)}
    assert set(said) == set(range(1, 15))
    for pin, text in said.items():
        column = drawings.CHIP_COLUMN + (pin - 1 if pin <= 7 else 14 - pin)
        here = ("lower" if pin <= 7 else "upper"), column
        on = {what for what, end in ends.items() if same(here, end)}
        if text.startswith("5 V"):
            assert on == {"5 V"}, pin
        elif text == "GND":
            assert on == {"ground"}, pin
        elif text.startswith("by the resistor"):
            assert here in resistor
            assert any(same(end, ends["data out"]) for end in resistor - {here})
            assert not on
        else:
            assert on == ({"data in"} if "GPIO" in text else set()), pin
    assert {what for what, end in ends.items() for hole in capacitor if same(hole, end)} == {"5 V", "ground"}


def test_every_hole_of_the_breadboard_has_one_wire() -> None:
    used = [hole for _, *holes, _ in drawings.LINKS for hole in holes]
    used += [hole for _, *holes in drawings.PARTS for hole in holes] + [hole for _, hole in drawings.ENDS]
    chip = [(row, drawings.CHIP_COLUMN + n) for row in "ef" for n in range(7)]
    assert len({*used, *chip}) == len(used) + len(chip)


def test_no_part_under_the_panel_touches_another_or_leaves_the_frame(plan: BoardPlan) -> None:
    assert drawings.find_overlap(plan) == ""
    spots = drawings.spots(plan)
    for (name, one), (other_name, other) in combinations(spots.items(), 2):
        beside = one[0] >= other[0] + other[2] or other[0] >= one[0] + one[2]
        assert beside or one[1] >= other[1] + other[3] or other[1] >= one[1] + one[3], (name, other_name)


def test_every_wire_that_the_guide_cuts_or_buys_is_long_enough(
    config: Config, plan: BoardPlan, guide: list[pypdfium2.PdfPage]
) -> None:
    spots, said = drawings.spots(plan), text_of(guide)

    def way(one: tuple[float, float], other: tuple[float, float]) -> float:
        return abs(one[0] - other[0]) + abs(one[1] - other[1])

    def middle(name: str) -> tuple[float, float]:
        left, top, wide, high = spots[name]
        return left + wide / 2, top + high / 2

    left, top, _, _ = spots["breadboard"]

    def hole(row: str, column: int) -> tuple[float, float]:
        """Return where a hole of the breadboard is, whose column 17 is on the left as seen from above."""
        return left + 3 + 2.54 * (17 - column), top + 4 + 2.54 * "jihgf edcba".index(row)

    for length, words, one, other in (
        (18, "of red bell wire, whose other end goes into j3", middle("red connector"), hole("j", 3)),
        (12, "of black bell wire from the screw - of the DC jack", middle("black connector 1"), middle("DC jack")),
        (12, "of black bell wire that leads to black", middle("black connector 1"), middle("black connector 2")),
        (8, "of black bell wire from j1 of the breadboard", middle("black connector 2"), hole("j", 1)),
        (20, "of red bell wire from a11 of the breadboard", middle("data connector"), hole("a", 11)),
    ):  # fmt: skip
        assert f"{length} cm {words}" in said
        assert way(one, other) + 20 <= 10 * length, words
    assert "pin to socket 20 cm" in said
    assert way(drawings.pin_place(plan, 19), hole("a", 4)) + 40 <= 200
    (first, *_) = drawings.lamp_names(config)
    for name in ("data connector", "red connector", "black connector 1"):
        assert math.dist(plan.places(Cut.LIGHT)[first], middle(name)) <= 100
    for station, pin in drawings.reed_pins(config).items():
        assert math.dist(plan.places(Cut.REED)[str(station)], drawings.pin_place(plan, pin)) + 40 <= 300


def test_the_drawing_of_the_pins_names_what_is_plugged_on_each(config: Config, guide: list[pypdfium2.PdfPage]) -> None:
    said = text_of(guide)
    for _, what in wired_pins(config):
        assert what in said


def test_the_guide_names_the_parts_and_keys_of_the_self_test(config: Config, guide: list[pypdfium2.PdfPage]) -> None:
    said = text_of(guide)
    assert tuple(part for part, _, _ in TEST_PARTS) == PARTS
    for key in config.sections["keys"].table:
        assert f"table.{key}" in said


def test_the_drawn_pawn_is_one_that_the_parts_list_buys_and_leaves_its_lamp_free(
    config: Config, plan: BoardPlan, guide: list[pypdfium2.PdfPage]
) -> None:
    (pawn,) = [part for part in parts_list(config, plan) if part.name.startswith("pawn")]
    assert f"foot Ø {PAWN_FOOT:g} mm at most" in pawn.package
    assert f"pawn, Ø {PAWN_FOOT:g} mm at most, over the reed" in text_of(guide)
    assert PAWN_FOOT / 2 + DIAMETERS[Cut.LIGHT] / 2 <= PITCH
    (page,) = [page for page in guide if "4. Solder and glue the reeds" in page.get_textpage().get_text_range()]
    drawn = [(left, top, wide) for left, top, wide, _ in rectangles(page)]
    magnet = min(drawn, key=lambda one: abs(one[2] - 3 * 4))
    assert any(
        abs(wide - 3 * PAWN_FOOT) < 0.1 and abs(left + wide / 2 - magnet[0] - magnet[2] / 2) < 0.1
        for left, _, wide in drawn
    )


def test_the_guide_installs_one_program_by_the_package_that_is_built_for_the_system_on_its_card(
    guide: list[pypdfium2.PdfPage],
) -> None:
    said = text_of(guide)
    assert SUITES[SUITE].number == DEBIAN
    assert {suite.number for suite in SUITES.values()} == {DEBIAN, OTHER_DEBIAN}
    assert f"deb{DEBIAN}_arm64.deb" in said
    assert f'make deb ARGS="--suite {SUITE} --architecture arm64"' in said
    assert "pip" not in said.split()
    assert ".venv" not in said


@pytest.mark.parametrize("page", ["firmware_host/maker/afternoon.md", "docs/build.md", "README.md"])
def test_the_guide_the_build_guide_and_the_readme_install_the_table_in_the_same_way(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    package = re.search(r"^sudo apt install (-y )?\./yardboard\S*\.deb( +#.*)?$", text, re.MULTILINE)
    board = re.search(r"^sudo yardboard setup --config table\.toml$", text, re.MULTILINE)
    assert package
    assert board
    assert package.start() < board.start()
    assert "yardboard install" not in text


def test_every_command_of_yardboard_that_the_guide_names_exists() -> None:
    text = (ROOT / "firmware_host/maker/afternoon.md").read_text(encoding="utf-8")
    named = {*re.findall(r"^(?:sudo )?yardboard (\w+)", text, re.MULTILINE), *re.findall(r"`yardboard (\w+)", text)}
    assert named == {"config", "doctor", "measure", "selftest", "setup"}
    assert named <= {name for names in HELP_SECTIONS.values() for name in names}


def test_lines_to_type_are_on_the_page_of_the_sentence_that_announces_them(guide: list[pypdfium2.PdfPage]) -> None:
    for page in guide[:-2]:
        (lowest, words), *_ = sorted((bottom, said) for _, bottom, _, _, said in texts(page) if bottom > 15 / MM)
        assert not words.rstrip().endswith(":"), (lowest, words)


def test_the_template_has_no_circle_that_the_guide_does_not_name(
    plan: BoardPlan, guide: list[pypdfium2.PdfPage]
) -> None:
    drilled = {round(hole.width, 1) for hole in plan.holes if not hole.height}
    assert {round(one.diameter, 1) for one in circles(guide[-2])} == drilled == {3.0, 5.0, 12.2}
    assert "dashed circle" not in text_of(guide)


def test_the_guide_is_short(guide: list[pypdfium2.PdfPage]) -> None:
    assert len(guide) <= 14


def test_the_last_two_pages_are_the_template_and_the_map_on_a3_at_true_size(
    plan: BoardPlan, guide: list[pypdfium2.PdfPage]
) -> None:
    *_, template, printed = guide
    for page in (template, printed):
        assert sorted((page.get_width() * MM, page.get_height() * MM)) == pytest.approx([297, 420], abs=0.1)
    left, top = (420 - plan.width) / 2, (297 - plan.height) / 2
    assert min(left, top) >= MARGIN
    found = list(circles(template))
    for hole in plan.holes:
        if not hole.height:
            where = [one for one in found if abs(one.x - left - hole.x) < 0.05 and abs(one.y - top - hole.y) < 0.05]
            assert any(abs(one.diameter - hole.width) < 0.05 for one in where), hole
    found = list(circles(printed))
    left, top = (printed.get_width() * MM - plan.print_width) / 2, (printed.get_height() * MM - plan.print_height) / 2
    for x, y in plan.places(Cut.REED).values():
        at = x - plan.print_left + left, y - plan.print_top + top
        assert any(abs(one.x - at[0]) < 0.1 and abs(one.y - at[1]) < 0.1 for one in found)


def test_no_text_of_the_guide_leaves_its_page_and_its_bytes_repeat(
    config: Config, plan: BoardPlan, written: bytes, guide: list[pypdfium2.PdfPage]
) -> None:
    for page in guide:
        text = page.get_textpage()
        for n in range(text.count_rects()):
            left, bottom, right, top = text.get_rect(n)
            shown = text.get_text_bounded(left, bottom, right, top)
            assert left >= 0 <= bottom, shown
            assert right <= page.get_width(), shown
            assert top <= page.get_height(), shown
    assert draw_guide_pdf(config, plan) == written


LAMPS_SWAPPED = {"\n4 = 25\n": "\n4 = 0\n", "\n12 = 0\n": "\n12 = 25\n"}
NO_SCREEN = {
    '[display]\ndriver = "oled"\nchip = "ssd1306"\n': '[display]\ndriver = "none"\n',
    'bus = "i2c-1"            # SDA: GPIO 2 (pin 3), SCL: GPIO 3 (pin 5)\naddress = 0x3C\n': "",
    re.search("upside_down = true.*\n", (CONFIGS / "junior-a3.toml").read_text(encoding="utf-8"))[0]: "",  # type: ignore[index]
}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"= 243": "= 260"}, "width_mm = 260: the panel is 317 × 281 mm, and A3 shows 392 × 269 mm"),
        ({"= 243": "= 260"}, "it is 12 mm higher"),
        (
            {"= 243": "= 230"},
            "width_mm = 230: under the panel memory card, pulled out and screen overlap by 5 mm; widen",
        ),
        (LAMPS_SWAPPED, "[lamps.wiring]: a string of lamps is too short for this order"),
        (NO_SCREEN, 'the guide describes driver = "oled"'),
    ],
)
def test_a_board_that_does_not_suit_says_why(changes: dict[str, str], why: str, tmp_path: Path) -> None:
    text = (CONFIGS / "junior-a3.toml").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "changed.toml"
    file.write_text(text, encoding="utf-8")
    config = load(file)
    assert why in why_not(config, plan_board(config))


def test_no_large_and_no_simulated_board_is_for_an_afternoon() -> None:
    for name, why in (("london-spi", "the panel is 749 × 634 mm"), ("simulator", "simulates the whole board")):
        config = build(name)
        assert why in why_not(config, plan_board(config))
