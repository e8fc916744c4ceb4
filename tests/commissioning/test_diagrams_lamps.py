"""The diagrams of the lamps show them in their order, and where and through what power is fed in."""

from __future__ import annotations

import random
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.commissioning.board_commands import check_machine
from firmware_host.commissioning.diagram_command import draw, draw_on
from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.commissioning.diagrams.lamp_chain import (
    fed_with,
    feed_wire,
    fuse,
    needs,
    rail_fuse,
    rail_wire,
    strips,
    supply,
)
from firmware_host.config.loader import Config
from hardware.raspberry_pi.power_budget import LAMPS_A_FEED
from tests.amount import amount
from tests.commissioning.diagram_boards import BUILDS, build, corners, every, rewired, shown, stations
from tests.commissioning.traced_sheet import Box, Traced


@settings(max_examples=amount(5, 10), deadline=None)
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
    assert len(fed) == needs(config).feeds == -(-len(strip) // LAMPS_A_FEED)
    assert fed[0] == 0
    gaps = {after - before for before, after in zip(fed, [*fed[1:], len(strip)], strict=True)}
    assert max(gaps) <= LAMPS_A_FEED
    assert max(gaps) - min(gaps) <= 1


def test_a_feed_of_london_stands_before_every_25th_lamp_on_both_sheets() -> None:
    config = build("london-spi")
    fed = [0, 25, 50, 74, 99, 124, 149, 173, 198]
    assert [lamp.number for lamp in strips(config)[0] if lamp.fed] == fed
    assert f"fed in before these: {', '.join(map(str, fed))}<" in draw(config, "lamps")
    assert ">Points to feed 5 V and ground in: 9.<" in draw(config, "lamps")
    for sheet_, bars in (("lamps", 0), ("order", 9)):
        traced = Traced()
        draw_on(traced, config, sheet_)
        assert sum(colour == svg_sheet.VOLTS_5 and width == 5 for colour, width in traced.inks) == bars
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
    before_the_rails = rail_fuse(config)
    assert (before_the_rails is None) == (needs(config).feeds == 1) == ("rail-fuse" not in texts)
    if before_the_rails is not None:
        assert texts["rail-fuse"] == f"{before_the_rails:g} A"
        assert 1000 * before_the_rails >= needs(config).lamps
        assert before_the_rails > fuse(config), "the feed's fuse blows first"


@pytest.mark.parametrize("name", BUILDS)
def test_the_sheet_reckons_as_the_doctor_does(name: str, tmp_path: Path) -> None:
    config = build(name)
    (text,) = (finding.what for finding in check_machine(config, tmp_path) if finding.what.startswith("power:"))
    sums = needs(config)
    assert f"at most {sums.total:.0f} mA" in text
    points = "one point" if sums.feeds == 1 else f"{sums.feeds} points"
    assert f"{sums.lamp_supply:g} A or more for the lamps beside the Pi's own; fed into the chain at {points}" in text


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
    lines = [(node.get("id"), corners(node.get("points", ""))) for node in root.iter() if node.tag.endswith("polyline")]
    (common,) = [points for name, points in lines if name == "common-ground"]
    rails = [points for _, points in lines if len(points) == 2 and points[0][1] == points[1][1] == common[0][1]]
    assert any(points[0][0] <= common[0][0] <= points[1][0] for points in rails), "it begins on the supply's minus"
    leaving = [points for _, points in lines if points[0][0] == common[-1][0] and points[0][1] > common[-2][1]]
    assert len(leaving) == 2, "to the Pi and to the level shifter"
    assert leaving[0][1][0] < common[-1][0] < leaving[1][1][0]
    assert ">any ground pin<" in draw(build("london-spi"), "lamps")
    assert ">and pin 7<" in draw(build("london-spi"), "lamps")
