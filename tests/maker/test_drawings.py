"""The drawings have their true size: places are measured in the written files, to a tenth of a millimetre."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.maker.board_plan import BoardPlan, Cut, plan_board
from firmware_host.maker.drill_template import draw_dxf, draw_pdf, mirrored
from firmware_host.maker.maker_errors import NoArtwork
from firmware_host.maker.paper_pages import MARGIN, OVERLAP, PAPERS, divide_sheet
from firmware_host.maker.printed_map import artwork_of, draw_map_pdf, plain_svg
from tests.maker.measured_files import MM, Circle, bars, circles, layers, pages
from tests.maker.test_board_plan import build

NEAR = 0.1
ROUND = (Cut.REED, Cut.LIGHT, Cut.LAMP, Cut.KEY, Cut.SCREW)


@pytest.fixture(scope="module")
def london() -> BoardPlan:
    return plan_board(build("london-spi"))


def at(circle: Circle, x: float, y: float, diameter: float) -> bool:
    return abs(circle.x - x) < NEAR and abs(circle.y - y) < NEAR and abs(circle.diameter - diameter) < NEAR


@pytest.mark.parametrize("below", [False, True], ids=["from-above", "from-below"])
@pytest.mark.parametrize("paper", PAPERS)
def test_every_hole_is_drawn_in_its_place_on_every_page_that_shows_it(
    london: BoardPlan, paper: str, *, below: bool
) -> None:
    plan = mirrored(london) if below else london
    paging = divide_sheet(plan.width, plan.height, paper)
    drawn = pages(draw_pdf(london, paper, below=below))
    shown = drawn[1:] if len(paging.parts) > 1 else drawn
    seen = set()
    for part, page in zip(paging.parts, shown, strict=True):
        found = list(circles(page))
        left, top = (paging.page[0] - part.width) / 2 - part.left, (paging.page[1] - part.height) / 2 - part.top
        for number, hole in enumerate(plan.holes):
            inside = part.left < hole.x < part.left + part.width and part.top < hole.y < part.top + part.height
            if inside and not hole.height:
                assert any(at(one, left + hole.x, top + hole.y, hole.width) for one in found), hole
                seen.add(number)
    assert len(seen) == sum(not hole.height for hole in plan.holes)


@pytest.mark.parametrize("paper", ["A4", "A3", "Letter"])
def test_pages_overlap_and_are_all_of_one_size(london: BoardPlan, paper: str) -> None:
    paging = divide_sheet(london.width, london.height, paper)
    rows = [paging.parts[n : n + paging.columns] for n in range(0, len(paging.parts), paging.columns)]
    assert len({(part.width, part.height) for part in paging.parts}) == 1
    for row in rows:
        assert all(a.left + a.width - b.left >= OVERLAP - 1e-6 for a, b in pairwise(row))
        assert row[-1].left + row[-1].width == pytest.approx(london.width)
    assert all(a[0].top + a[0].height - b[0].top >= OVERLAP - 1e-6 for a, b in pairwise(rows))
    assert rows[-1][0].top + rows[-1][0].height == pytest.approx(london.height)
    assert max(paging.parts[0].width, paging.parts[0].height) <= max(paging.page) - 2 * MARGIN + 1e-6


def test_every_page_has_a_bar_of_100_millimetres(london: BoardPlan) -> None:
    for page in pages(draw_pdf(london, "A4")):
        assert any(abs(long - 100) < 0.01 for long in bars(page))


def test_nothing_on_a_page_lies_outside_of_it(london: BoardPlan) -> None:
    for paper in PAPERS:
        for page in pages(draw_pdf(london, paper)):
            text = page.get_textpage()
            for n in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(n)
                shown = text.get_text_bounded(left, bottom, right, top)
                assert left >= 0 <= bottom, shown
                assert right <= page.get_width(), shown
                assert top <= page.get_height(), shown


@pytest.mark.parametrize("below", [False, True], ids=["from-above", "from-below"])
@pytest.mark.parametrize("name", ["london-spi", "junior-gpio", "dice-matrix"])
def test_a_mill_finds_each_kind_of_hole_on_a_layer_of_its_own(name: str, *, below: bool) -> None:
    plan = plan_board(build(name))
    shown = mirrored(plan) if below else plan
    found = layers(draw_dxf(plan, below=below))
    assert set(found) == {cut.value for cut in ROUND}
    for cut in ROUND:
        assert len(found[cut]) == len(shown.of(cut))
        for hole in shown.of(cut):
            assert any(at(one, hole.x, plan.height - hole.y, hole.width) for one in found[cut]), hole


def test_drawings_repeat_to_the_byte(london: BoardPlan) -> None:
    assert draw_pdf(london, "A4") == draw_pdf(london, "A4")
    assert draw_dxf(london) == draw_dxf(london)


# ---- the printed map ----


@pytest.mark.parametrize("name", ["london-spi", "junior-gpio"])
def test_the_printed_map_has_its_stations_over_the_reeds(name: str) -> None:
    config = build(name)
    plan = plan_board(config)
    (page,) = pages(draw_map_pdf(config, plan, "sheet"))
    assert page.get_width() * MM == pytest.approx(plan.print_width + 2 * MARGIN, abs=0.01)
    assert page.get_height() * MM == pytest.approx(plan.print_height + 2 * MARGIN, abs=0.01)
    found = list(circles(page))
    for station, (x, y) in plan.places(Cut.REED).items():
        left, top = x - plan.print_left + MARGIN, y - plan.print_top + MARGIN
        assert any(abs(one.x - left) < NEAR and abs(one.y - top) < NEAR for one in found), station


def test_the_printed_map_shows_the_colours_of_the_day_without_variables() -> None:
    for name in ("london-spi", "junior-gpio"):
        svg = plain_svg(artwork_of(build(name).layout.network))
        assert "var(" not in svg
        assert "<use" not in svg
        assert "#night" not in svg


def test_a_map_without_artwork_is_refused() -> None:
    with pytest.raises(NoArtwork, match="there is no artwork for this map"):
        artwork_of(build("dice-matrix").layout.network)
