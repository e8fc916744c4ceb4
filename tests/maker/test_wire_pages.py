"""The pages of the wires: everything is in its place, everything is listed, and nothing leaves its page."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, pairwise

import pytest

from firmware_host.commissioning.diagrams.lamp_chain import strips
from firmware_host.maker.board_plan import Cut, plan_board
from firmware_host.maker.chip_module import chip_module
from firmware_host.maker.paper_pages import PAPERS
from firmware_host.maker.switch_reach import Switch
from firmware_host.maker.wire_list import CutWire, module_places, wire_list
from firmware_host.maker.wire_pages import draw_wires_pdf, picture_of, table_rows
from tests.amount import amount
from tests.commissioning.diagram_boards import rewired
from tests.maker.measured_files import MM, circles, pages, texts
from tests.maker.test_board_plan import BUILDS, build

TRIED = amount(["A4", "A3"], list(PAPERS))
"""Letter is almost A4, and a whole sheet has the most room."""


@cache
def drawn(name: str, paper: str = "A4", switch: Switch = Switch.REED) -> bytes:
    config = build(name)
    plan = plan_board(config, switch)
    return draw_wires_pdf(plan, wire_list(config, plan), paper)


@pytest.mark.parametrize("paper", TRIED)
@pytest.mark.parametrize("switch", Switch)
def test_the_pictures_show_every_switch_and_lamp_in_its_place_from_below(paper: str, switch: Switch) -> None:
    plan = plan_board(build("london-spi"), switch)
    switches, lamps, *_ = pages(drawn("london-spi", paper, switch))
    for page, places, modules in ((switches, plan.middles(), 26), (lamps, plan.places(Cut.LIGHT), 9)):
        picture = picture_of(plan, paper, modules)
        found = [(one.x, one.y) for one in circles(page)]
        high = page.get_height() * 25.4 / 72
        assert len(places) == {26: 199, 9: 223}[modules]
        for name, place in places.items():
            x, y = picture.at(place)
            assert x == pytest.approx(picture.left + (plan.width - place[0]) * picture.scale)
            assert any(abs(x - left) < 0.1 and abs(high - y - top) < 0.1 for left, top in found), name


def test_a_dot_marks_the_place_of_each_chip() -> None:
    config = build("london-pico")
    plan = plan_board(config)
    picture = picture_of(plan, "A4", 26)
    page = pages(drawn("london-pico"))[0]
    dots = [(one.x, one.y) for one in circles(page) if one.diameter == pytest.approx(1.6, abs=0.05)]
    high = page.get_height() * 25.4 / 72
    chips = module_places(config, plan)
    assert len(dots) == len(chips) == 26
    for place in chips.values():
        x, y = picture.at(place)
        assert any(abs(x - left) < 0.1 and abs(high - y - top) < 0.1 for left, top in dots)


@pytest.mark.parametrize("paper", TRIED)
@pytest.mark.parametrize("name", BUILDS)
def test_the_pis_label_covers_no_wire_and_no_other_label(name: str, paper: str) -> None:
    config = build(name)
    plan = plan_board(config)
    wires = wire_list(config, plan)
    shown = pages(drawn(name, paper))[1]  # of the lamps
    to_lamps = [wire for wire in wires if wire.module.startswith("lamps")]
    picture = picture_of(plan, paper, len({wire.module for wire in to_lamps}))
    found = [(left * MM, foot * MM, right * MM, top * MM, said) for left, foot, right, top, said in texts(shown)]
    ((left, foot, right, top, _),) = [one for one in found if one[4] == "Pi"]
    x, y = (left + right) / 2, (foot + top) / 2
    for wire in to_lamps:
        for one, other in pairwise(map(picture.at, wire.way)):
            for part in range(101):
                at = [a + (b - a) * part / 100 for a, b in zip(one, other, strict=True)]
                assert abs(at[0] - x) > 3.4 or abs(at[1] - y) > 2.0, wire
    below = [one for one in found if one[4].isdecimal() and one[0] < picture.listed[0]]
    for one_left, one_foot, one_right, one_top, said in below:
        beside = abs((one_left + one_right) / 2 - x) >= 3.5 + (one_right - one_left) / 2
        assert beside or abs((one_foot + one_top) / 2 - y) >= 2.1 + (one_top - one_foot) / 2, said


def test_the_tables_say_what_replaces_the_rails_on_a_printed_board() -> None:
    for page in pages(drawn("london-spi"))[2:]:
        assert "The printed board at the Pi has the fuses instead" in page.get_textpage().get_text_range()


def test_the_pictures_say_how_a_ready_string_and_a_shared_ground_run() -> None:
    switches, lamps, *_ = pages(drawn("junior-a3"))
    assert "Black: one wire of ground, from reed to reed." in switches.get_textpage().get_text_range()
    said = lamps.get_textpage().get_text_range()
    assert "to the first lamp of a ready string, which has the wires of the others" in said
    assert "lamp 12, the first of the string" in said
    assert "At a bar" not in said


def test_no_two_boards_of_chips_lie_on_each_other() -> None:
    config = build("london-spi")
    wide, high = chip_module(config).size
    for (x, y), (to_x, to_y) in combinations(module_places(config, plan_board(config)).values(), 2):
        assert abs(x - to_x) > wide or abs(y - to_y) > high


def test_the_list_beside_the_picture_names_the_eight_stations_of_each_chip() -> None:
    text = pages(drawn("london-spi"))[0].get_textpage().get_text_range()
    inputs = build("london-spi").layout.switches
    for chip in range(25):
        stations = sorted((place, station) for station, place in inputs.items() if place // 8 == chip)
        assert re.search(rf"\n{chip + 1}: \d+, \d+: {' '.join(str(station) for _, station in stations)}\s", text), chip


@pytest.mark.parametrize("name", BUILDS)
def test_every_wire_is_in_the_tables(name: str) -> None:
    config = build(name)
    found = wire_list(config, plan_board(config))
    rows = list(table_rows(found))
    said = sum(len(re.findall(r"[a-z]+(?:, marked)? \d\.\d+(?=;|$)", row.words)) for row in rows)
    assert said == len(found)
    assert [row.heading for row in rows if row.heading] == list(dict.fromkeys(wire.module for wire in found))
    text = "".join(page.get_textpage().get_text_range() for page in pages(drawn(name)))
    for row in rows:
        assert " ".join((row.words or row.heading).split()) in " ".join(text.split()), row


def test_strips_with_dead_and_unused_lamps_are_listed_and_drawn() -> None:
    several = {"spi": ("0.0", "3.0", "4.0", "5.0"), "strips": (60,) * 4, "dead": (1,) * 4}
    for lamps in (several, {"dead": (90,), "max_milliamps": 20000}):
        config = rewired(build("london-spi"), lamps=lamps)
        plan = plan_board(config)
        found = wire_list(config, plan)
        ends = [(wire.module, wire.end) for wire in found if wire.end.endswith(", DIN")]
        assert len(set(ends)) == len(ends) == sum(map(len, strips(config)))
        assert len(pages(draw_wires_pdf(plan, found, "A4"))) >= 3


def test_wires_with_the_same_ends_share_a_line_and_a_cut_is_named() -> None:
    way = ((0.0, 0.0), (30.0, 0.0))
    rows = list(
        table_rows(
            [
                CutWire("lamps, feed 1", "lamp 1, DOUT", "lamp 2, DIN", "green", 0.14, way),
                CutWire("lamps, feed 1", "lamp 1, ground", "lamp 2, ground", "black", 0.25, way),
                CutWire("lamps, feed 2", "rail at 3 mm, 5 V", "lamp 3, 5 V", "red", 0.25, way, "390 Ω"),
            ]
        )
    )
    assert [(row.heading, row.words, row.length) for row in rows] == [
        ("lamps, feed 1", "", ""),
        ("", "lamp 1 – lamp 2:  DOUT to DIN green 0.14; ground black 0.25", "90"),
        ("lamps, feed 2", "", ""),
        ("", "rail at 3 mm – lamp 3:  5 V red 0.25", "90"),
        ("", "        390 ohm", ""),
    ]


@pytest.mark.parametrize("paper", TRIED)
@pytest.mark.parametrize("name", BUILDS)
def test_all_text_is_inside_its_page(name: str, paper: str) -> None:
    for page in pages(drawn(name, paper)):
        text = page.get_textpage()
        for n in range(text.count_rects()):
            left, bottom, right, top = text.get_rect(n)
            assert left >= 0 <= bottom
            assert right <= page.get_width()
            assert top <= page.get_height()


def test_the_pages_repeat_to_the_byte() -> None:
    assert drawn.__wrapped__("junior-gpio") == drawn("junior-gpio")
