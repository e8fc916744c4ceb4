"""The cross-section: nothing meets under any two neighbours, switches react in time, and the drawing is to scale."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest

from firmware_host.maker.board_plan import FOOT, PRINTED, RINGS, WALL, BoardPlan, Cut, plan_board
from firmware_host.maker.cross_section import PAWN_FOOT, cut_station, deepest, find_faults, measure_margins
from firmware_host.maker.drill_template import draw_dxf
from firmware_host.maker.maker_errors import BoardTooSmall, UnsuitableChoice
from firmware_host.maker.paper_pages import PAPERS
from firmware_host.maker.section_drawing import draw_section_pdf, scale_of
from firmware_host.maker.switch_reach import BESIDE, PAIRS, Reach, Switch, field
from tests.maker.measured_files import MM, bars, circles, layers, pages, rectangles, texts
from tests.maker.test_board_plan import build

BOARDS: list[tuple[str, int | None, Switch]] = [
    *[("london-spi", width, Switch.REED) for width in (582, 600, 620, 680, 800, 1000, 1100)],
    *[("london-spi", width, Switch.HALL) for width in (600, 680, 1000)],
    ("london-pico", None, Switch.REED),
    ("junior-gpio", None, Switch.REED),
    ("junior-gpio", None, Switch.HALL),
    ("junior-gpio", 300, Switch.REED),
    ("junior-a3", None, Switch.REED),
    ("dice-matrix", None, Switch.REED),
]


def planned(name: str, width: int | None = None, switch: Switch = Switch.REED) -> BoardPlan:
    return plan_board(build(name, width), switch)


@pytest.mark.parametrize(("name", "width", "switch"), BOARDS)
def test_nothing_meets_under_any_pair_of_stations_and_every_switch_reacts_in_time(
    name: str, width: int | None, switch: Switch
) -> None:
    plan = planned(name, width, switch)
    assert find_faults(plan) == []
    assert plan.pair.height >= plan.magnet_height
    assert plan.reach.closes >= BESIDE
    for one, other in combinations(plan.middles().values(), 2):
        assert math.dist(one, other) - BESIDE >= plan.reach.opens
    margins = measure_margins(plan)
    assert margins.wood >= WALL
    assert margins.pairs == math.comb(len(plan.middles()), 2)


@pytest.mark.parametrize("switch", [*Switch])
def test_a_light_ring_covers_its_lamps_light_and_no_other_and_shows_beside_a_pawn(switch: Switch) -> None:
    plan = planned("london-spi", None, switch)
    lights, rings = plan.places(Cut.LIGHT), plan.of(Cut.RING)
    assert len(rings) == 199
    for ring in rings:
        assert PAWN_FOOT + 1 <= RINGS[0] <= ring.width <= RINGS[1]
        for name, light in lights.items():
            beside = math.dist((ring.x, ring.y), light) - ring.width / 2 - 2.5
            assert beside <= -0.5 if name == ring.name else beside >= WALL - 1e-6


def moved(plan: BoardPlan, cut: Cut, name: str, x: float) -> BoardPlan:
    holes = tuple(replace(hole, x=hole.x + x) if (hole.cut, hole.name) == (cut, name) else hole for hole in plan.holes)
    return replace(plan, holes=holes)


def test_the_judge_says_what_overlaps_and_by_how_much() -> None:
    plan = planned("london-spi")
    (short,) = find_faults(replace(plan, reach=Reach(3.2, 9.0)))
    assert str(short) == "Reed 20 to 30 AT, magnet 3 × 7 mm: closing 4 mm beside the middle: 0.80 mm short"
    (near,) = find_faults(replace(plan, reach=Reach(5.0, 10.5)))
    assert near.what == "stations 111 and 112: opening before the neighbour"
    assert near.short == pytest.approx(10.5 - (measure_margins(plan).apart - BESIDE))
    one, other = (plan.places(Cut.LAMP)[name] for name in ("111", "112"))
    apart = math.dist(one, other)
    faults = find_faults(moved(moved(plan, Cut.LAMP, "111", other[0] - one[0]), Cut.LAMP, "112", 0.5))
    assert any("stations 111 and 112: wood between lamp's pocket and lamp's pocket" in fault.what for fault in faults)
    assert max(fault.short for fault in faults) < apart
    large = replace(plan, holes=tuple(replace(h, width=14.0) if h.cut is Cut.RING else h for h in plan.holes))
    (ring,) = find_faults(large)
    assert ring.what == "stations 111 and 112: wood between light ring and light ring"
    assert ring.short == pytest.approx(14.0 + WALL - measure_margins(plan).apart)


def test_a_drawing_of_what_does_not_fit_is_refused() -> None:
    plan = replace(planned("london-spi"), reach=Reach(3.2, 9.0))
    with pytest.raises(BoardTooSmall, match=r"closing 4 mm beside the middle: 0\.80 mm short"):
        draw_section_pdf(plan, "A4")


def test_hall_switches_suit_no_tiles_and_no_matrix() -> None:
    with pytest.raises(UnsuitableChoice, match="a pawn would cover the hole in the tile"):
        planned("dice-matrix", None, Switch.HALL)


def test_a_board_too_small_for_hall_switches_says_by_how_much() -> None:
    with pytest.raises(BoardTooSmall, match=r"no Hall switch keeps them apart at less than 12\.\d mm.* mm wider"):
        planned("london-spi", 580, Switch.HALL)


@pytest.mark.parametrize("magnet", sorted({pair.magnet for pairs in PAIRS.values() for pair in pairs}))
def test_the_field_on_a_magnets_axis_is_that_of_the_textbook(magnet: tuple[float, float]) -> None:
    radius, length = magnet[0] / 2, magnet[1]
    for below in (4.0, 7.65, 12.0):
        ends = [z / math.hypot(radius, z) for z in (below + length, below)]
        assert field(magnet, 0.0, below, 1300) == pytest.approx(1300 / 2 * (ends[0] - ends[1]), rel=0.01)


# ---- the drawing ----


@pytest.mark.parametrize(("name", "width", "switch"), [BOARDS[0], BOARDS[3], BOARDS[8], *BOARDS[-2:]])
def test_every_part_is_drawn_at_its_scale_in_its_place(name: str, width: int | None, switch: Switch) -> None:
    plan = planned(name, width, switch)
    page = pages(draw_section_pdf(plan, "A4"))[0]
    scale = scale_of(plan, (297, 210))
    assert scale == (5.0 if name == "london-spi" else 4.0)  # a long magnet or a thick tile takes room
    assert f"Cross-section of a station, {scale:g} : 1" in page.get_textpage().get_text_bounded()
    drawn, parts = list(rectangles(page)), cut_station(plan)
    panel = next(part for part in parts if part.name == "panel")
    size = pytest.approx((30 * scale, plan.thickness * scale), abs=0.1)
    left, top, *_ = next(one for one in drawn if one[2:] == size)
    for part in parts:
        place = left + (part.left - panel.left) * scale, top + (part.top - panel.top) * scale
        sides = (part.right - part.left) * scale, (part.bottom - part.top) * scale
        assert any(one == pytest.approx((*place, *sides), abs=0.1) for one in drawn), part


@pytest.mark.parametrize(("name", "width", "switch"), [BOARDS[3], BOARDS[8], *BOARDS[-2:]])
def test_a_larger_sheet_shows_a_larger_station(name: str, width: int | None, switch: Switch) -> None:
    plan = planned(name, width, switch)
    scale, page = scale_of(plan, (420, 297)), pages(draw_section_pdf(plan, "A3"))[0]
    assert scale >= scale_of(plan, (297, 210)) + 1
    assert f"Cross-section of a station, {scale:g} : 1" in page.get_textpage().get_text_bounded()
    drawn = [one for one in rectangles(page) if one[2] == pytest.approx(30 * scale, abs=0.1)]
    assert any(one[3] == pytest.approx(plan.thickness * scale, abs=0.1) for one in drawn)
    low = max(top + high for _, top, _, high in rectangles(page))
    assert low > 0.6 * 297, "the drawing goes down to the foot of the sheet"


@pytest.mark.parametrize("switch", [*Switch])
def test_the_section_has_the_holes_of_the_drill_template(switch: Switch) -> None:
    plan = planned("london-spi", None, switch)
    milled = layers(draw_dxf(plan))
    boxes = {box.name: box for box in cut_station(plan)}
    cuts = {"light": "light", "lamp's pocket": "lamp", "light ring": "ring"}
    cuts |= {"reed's hole": "reed"} if switch is Switch.REED else {}
    for name, layer in cuts.items():
        assert boxes[name].right - boxes[name].left == pytest.approx(milled[layer][0].diameter)
    aside = (boxes["light"].left + boxes["light"].right) / 2
    names = measure_margins(plan).nearest
    assert aside == pytest.approx(math.dist(plan.middles()[names[0]], plan.places(Cut.LIGHT)[names[0]]))
    above = -boxes["magnet"].bottom
    assert above == pytest.approx(PRINTED.thickness + FOOT)


def test_the_nearest_stations_are_drawn_at_the_scale_that_is_written() -> None:
    plan = planned("london-spi")
    (_, page) = pages(draw_section_pdf(plan, "A4"))
    assert "From above, 4 : 1" in page.get_textpage().get_text_bounded()
    rings = [one for one in circles(page) if one.diameter == pytest.approx(4 * 13.0, abs=0.05)]
    assert len(rings) == 2
    assert math.dist(rings[0][:2], rings[1][:2]) == pytest.approx(4 * measure_margins(plan).apart, abs=0.1)
    frame = [one for one in rectangles(page) if one[2] == pytest.approx(80, abs=0.1)]
    assert {round(one[3], 1) for one in frame} >= {6.0, 3.0}
    assert deepest(plan) == 20.5


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("name", "width", "switch"), [BOARDS[0], BOARDS[3], BOARDS[5], BOARDS[9], BOARDS[11], *BOARDS[-2:]]
)
def test_all_words_are_on_the_page_and_none_covers_another(
    name: str, width: int | None, switch: Switch, paper: str
) -> None:
    for page in pages(draw_section_pdf(planned(name, width, switch), paper)):
        found = list(texts(page))
        assert any(abs(long - 100) < 0.01 for long in bars(page))
        for left, bottom, right, top, shown in found:
            assert left >= 10 / MM, shown
            assert bottom >= 0, shown
            assert right <= page.get_width() - 10 / MM, shown
            assert top <= page.get_height() - 5 / MM, shown
        for one, other in combinations(found, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1], (one, other)
        assert not any("�" in one[4] or "■" in one[4] for one in found)


def test_signs_are_shown_and_the_drawing_repeats_to_the_byte() -> None:
    plan = planned("london-spi")
    first = draw_section_pdf(plan, "A4")
    words = pages(first)[0].get_textpage().get_text_bounded()
    assert "Ø 13 × 2" in words
    assert first == draw_section_pdf(plan, "A4")
