"""The list of parts: what the configuration needs, no more and no less, and the same as in the build guide."""

from __future__ import annotations

import csv
import re
from io import StringIO

import pytest

from firmware_host.maker.board_plan import Cut, plan_board
from firmware_host.maker.cross_section import MEASURE_FIRST, find_faults
from firmware_host.maker.maker_errors import NoElectronics
from firmware_host.maker.parts_list import BoardPart, as_csv, cost, hours, pair_lines, parts_list
from tests.docs.pages import text_of
from tests.maker.test_board_plan import BUILDS, build


def parts(name: str) -> tuple[BoardPart, ...]:
    config = build(name)
    return parts_list(config, plan_board(config))


def rows_of_the_guide() -> list[list[str]]:
    (found,) = re.findall(r"^\| part \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text_of("build.md"), re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found.splitlines()]


@pytest.mark.parametrize("name", BUILDS)
def test_the_build_guide_names_the_same_parts_at_the_same_prices(name: str) -> None:
    column = 2 + BUILDS.index(name)
    left = {part.name: part for part in parts(name)}
    for row in rows_of_the_guide()[:-1]:
        begin = ",".join(row[0].split(",")[: 3 if row[0].startswith("OLED") else 1]).partition(" (")[0]
        begin = begin.removesuffix(" on its own small board")
        mine = [one for one in left if one.startswith(begin)]
        if row[column] == "–":
            assert not mine, begin
        else:
            (one,) = mine
            part = left.pop(one)
            assert part.count == int(row[column]), begin
            assert part.price == tuple(map(float, row[1].split("–"))), begin
    assert not left, "these are in no row"


@pytest.mark.parametrize("name", BUILDS)
def test_a_table_of_parts_has_a_row_for_each_and_none_for_nothing(name: str) -> None:
    rows = list(csv.DictReader(StringIO(as_csv(parts(name)))))
    assert [row["part"] for row in rows] == [part.name for part in parts(name)]
    assert all(int(row["quantity"]) > 0 for row in rows)
    assert len({row["part"] for row in rows}) == len(rows)


def test_each_screw_and_each_reed_of_the_plan_is_bought() -> None:
    plan = plan_board(build("london-spi"))
    counts = {part.name.partition(",")[0]: part.count for part in parts("london-spi")}
    assert counts["screw M4 × 16 and standoff"] == len(plan.of(Cut.SCREW))
    assert counts["reed switch"] == len(plan.of(Cut.REED)) == 199


def test_only_the_pico_of_the_switches_has_pins() -> None:
    picos = {part.name.partition(",")[0]: part for part in parts("london-pico") if "Pico" in part.name}
    assert picos["Raspberry Pi Pico with pins"].count == picos["Raspberry Pi Pico without pins"].count == 1
    assert "with header pins" in picos["Raspberry Pi Pico with pins"].package
    assert "with header pins" in picos["Raspberry Pi Pico without pins"].avoid
    assert not [part for part in parts("london-spi") if "Pico" in part.name]


def test_a_small_board_costs_less_and_takes_less_time_than_a_large_one() -> None:
    small, large = (cost(parts(name)) for name in ("junior-gpio", "london-spi"))
    assert small[0] < small[1] < large[1]
    assert small[0] < large[0]
    junior, london = (build(name) for name in ("junior-gpio", "london-spi"))
    assert hours(junior, plan_board(junior)) < hours(london, plan_board(london)) / 3


@pytest.mark.parametrize("width", [582, 600, 620, 680, 800, 1100])
def test_the_parts_page_judges_the_distance_of_reed_and_magnet_as_the_layout_check_does(width: int) -> None:
    plan = plan_board(build("london-spi", width))
    assert find_faults(plan) == []
    _, height, neighbours, advice = pair_lines(plan)
    limit, sure = map(float, re.findall(r"= ([\d.]+) mm", height))
    apart, needed = (
        float(re.findall(words, neighbours)[0]) for words in (r"are ([\d.]+) mm apart", r"tolerance ([\d.]+) mm")
    )
    assert f"On this board it is {plan.magnet_height:.1f} mm from it." in height
    assert plan.magnet_height <= limit
    assert (advice == MEASURE_FIRST) is (sure < plan.magnet_height or apart < needed)
    assert (width in {582, 600, 620}) is (advice == MEASURE_FIRST)


def test_a_simulated_board_has_no_parts() -> None:
    with pytest.raises(NoElectronics, match="simulates the whole board; write its drivers, such as"):
        parts("simulator")
