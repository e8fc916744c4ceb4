"""The arithmetic of the 5 V."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.current_limit import estimate_current
from hardware.drivers.oled import Chip
from hardware.ports import BadDevice
from hardware.raspberry_pi.pinout import MODELS
from hardware.raspberry_pi.power_budget import (
    DROP,
    PANEL,
    RESISTIVITY,
    SUPPLY,
    budget,
    supply_for,
    wire_for,
)


def test_a_large_screen_is_reckoned_by_what_its_chip_may_drive_through_its_glass() -> None:
    assert PANEL.keys() == set(get_args(Chip))
    # 128 points of 320 µA each at 13 V, from 3.3 V by a converter of 80 %: SSD1309 data sheet, chapter 2.
    assert PANEL["ssd1309"] == pytest.approx(128 * 0.32 * 13 / 0.8 / 3.3, rel=0.02)
    assert PANEL["ssd1309"] > 5 * PANEL["ssd1306"]


def test_london_on_a_pi_4_adds_up() -> None:
    sums = budget(223, 3000, "4", ("ssd1306", "ssd1309"), pull_ups=True)
    assert dict(sums.lines) == {
        "Raspberry Pi with USB devices": 3000,
        "dark lamps": 223,
        "light of the lamps": 2777,
        "1 × OLED SSD1306": 25,
        "1 × OLED SSD1309": 200,
        "pull-ups of 12 closed reeds": pytest.approx(12 * 3.3 / 10),
    }
    assert sums.total == pytest.approx(6228.96)
    assert (sums.supply, sums.lamp_supply, sums.feeds) == (8, 4, 9)


@pytest.mark.parametrize(
    ("lamps", "dead", "feeds"), [(1, 0, 1), (26, 0, 1), (27, 0, 2), (26, 1, 2), (49, 0, 2), (223, 0, 9)]
)
def test_each_26_lamps_begun_have_a_feed(lamps: int, dead: int, feeds: int) -> None:
    assert budget(lamps, 12000, "4", (), dead).feeds == feeds


def test_the_lamps_are_reckoned_as_their_limit_reckons_them() -> None:
    sums = budget(223, 3000, "4", ())
    assert sums.idle == estimate_current(bytes(669))
    assert sums.white == estimate_current(b"\xff" * 669) == 223 * 61
    # 13 destinations in yellow at 40 %: the 0.3 to 0.5 A of an ordinary position.
    assert sums.typical == pytest.approx(estimate_current(bytes((102, 102, 0)) * 13 + bytes(3 * 210)))
    assert 300 < sums.typical < 500
    assert sums.lamps == 3000


def test_dead_lamps_draw_beyond_the_limit() -> None:
    without, sums = budget(36, 500, "3", ()), budget(36, 500, "3", (), dead=4)
    assert sums.total == without.total + 4
    assert (sums.idle, sums.lamps) == (40, 504)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            (223, 222, "4", ()),
            "a limit of 222 mA is below the 223 mA that 223 lamps draw when dark; allow at least 223",
        ),
        ((10, 100, "2", ()), "no Raspberry Pi is called '2'; there are zero2, 3, 4, 5"),
        ((-1, 100, "4", ()), "-1 lamps, 0 dead lamps; none can be below 0"),
        ((1, 100, "4", (), -2), "1 lamps, -2 dead lamps; none can be below 0"),
        ((1, 100, "4", ("st7735",)), "no OLED has a chip 'st7735'; there are ssd1306, sh1106, ssd1309"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[Any, ...], complaint: str) -> None:
    with pytest.raises(BadDevice, match="power: ") as error:
        budget(*arguments)
    assert complaint in str(error.value)


@given(
    lamps=st.integers(1, 400),
    limit=st.integers(400, 12000),
    panels=st.lists(st.sampled_from([*PANEL]), max_size=3),
    model=st.sampled_from([*MODELS]),
)
def test_the_total_is_what_the_parts_draw_and_the_supply_covers_it(
    lamps: int, limit: int, panels: list[str], model: str
) -> None:
    sums = budget(lamps, limit, model, panels)
    assert sums.total == pytest.approx(SUPPLY[model] + min(limit, lamps * 61) + sum(PANEL[chip] for chip in panels))
    assert sums.supply * 1000 >= 1.2 * sums.total
    assert sums.lamp_supply <= sums.supply
    assert 26 * (sums.feeds - 1) < lamps <= 26 * sums.feeds
    assert sums.lamps / sums.feeds <= 1586


def test_the_smallest_supply_that_does_is_chosen() -> None:
    assert [supply_for(milliamps) for milliamps in (0, 1666, 1667, 5000, 5001, 33_333)] == [2, 2, 2.5, 6, 8, 40]
    with pytest.raises(BadDevice, match="divide the lamps between two"):
        supply_for(33_334)


def test_a_wire_is_as_thick_as_its_loss_permits() -> None:
    # 3 A over a metre and back through 0.5 mm² of copper: 0.07 Ω, 0.21 V.
    assert wire_for(3000, 1) == 0.5
    assert wire_for(3000, 2) == 1.0
    assert wire_for(10, 0.1) == 0.25
    with pytest.raises(BadDevice, match=r"20000 mA over 3 m take a wire of 8.4 mm²; place the feed nearer"):
        wire_for(20_000, 3)


@given(milliamps=st.floats(1, 10_000), metres=st.floats(0.1, 4))
def test_no_wire_loses_more_than_a_twentieth(milliamps: float, metres: float) -> None:
    assert 2 * metres * RESISTIVITY / wire_for(milliamps, metres) * milliamps / 1000 <= DROP * 1.0001
