"""The list of wires: complete, as the configuration has it, and no longer than need be."""

from __future__ import annotations

import csv
import math
import random
from collections import Counter, defaultdict
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.commissioning.diagrams.lamp_chain import needs
from firmware_host.config.toml_file import ConfigError
from firmware_host.maker.board_plan import Cut, plan_board
from firmware_host.maker.wire_list import CutWire, as_csv, totals, wire_list
from firmware_host.maker.wire_order import group_by_place, length, middle, short_way
from tests.maker.test_board_plan import BUILDS, build

PLACES = st.dictionaries(st.integers(1, 60), st.tuples(st.floats(0, 700), st.floats(0, 500)), min_size=1, max_size=24)


def wires(name: str) -> tuple[CutWire, ...]:
    config = build(name)
    return wire_list(config, plan_board(config))


@pytest.mark.parametrize("name", BUILDS)
def test_every_reed_lamp_and_key_has_its_wires(name: str) -> None:
    config, found = build(name), wires(name)
    ends = Counter(end for wire in found for end in (wire.start, wire.end))
    for station in config.layout.stations:
        assert ends[f"reed {station}"] + ends[f"diode of reed {station}"] >= 2
        assert ends[f"{station}, DIN"] == 1
        assert ends[f"{station}, 5 V"] >= 1
        assert ends[f"{station}, ground"] >= 1
    for key in config.sections["keys"].table:
        assert ends[key] == 1
        assert ends[f"{key}, ground"] >= 1
    assert sum(end.endswith(", DIN") for end in ends) == config.layout.lamps
    assert all(wire.length >= 60 for wire in found)


@pytest.mark.parametrize("name", ["london-spi", "london-pico"])
def test_each_reed_is_at_the_pin_that_the_configuration_names(name: str) -> None:
    inputs = build(name).layout.switches
    for wire in wires(name):
        if wire.end.startswith("reed ") and wire.colour == "white":
            place = inputs[int(wire.end.removeprefix("reed "))]
            assert wire.start == f"chip {place // 8 + 1}, {'HGFEDCBA'[place % 8]}"


@pytest.mark.parametrize("name", BUILDS)
def test_5_volts_are_cut_before_each_feed(name: str) -> None:
    found = wires(name)
    fed = {wire.end for wire in found if wire.colour == "red" and "fuse" in wire.start}
    passed_on = {wire.end for wire in found if wire.colour == "red" and "fuse" not in wire.start}
    assert len(fed) == needs(build(name)).feeds
    assert not fed & passed_on


def test_lengths_are_those_of_the_plan_with_slack() -> None:
    config = build("london-spi")
    reeds = plan_board(config).places(Cut.LIGHT)
    (hop,) = [wire for wire in wires("london-spi") if (wire.start, wire.end) == ("1, DOUT", "2, DIN")]
    assert hop.length == math.ceil(math.dist(reeds["1"], reeds["2"]) + 60)


def test_a_table_of_the_wires_has_a_row_for_each() -> None:
    found = wires("junior-gpio")
    rows = list(csv.DictReader(StringIO(as_csv(found))))
    assert [int(row["number"]) for row in rows] == list(range(1, len(found) + 1))
    metres = defaultdict[tuple[str, float], float](float)
    for row in rows:
        metres[row["colour"], float(row["mm2"])] += int(row["length_mm"]) / 1000
    assert totals(found) == pytest.approx(dict(metres))


def test_a_simulated_board_has_no_wires() -> None:
    config = build("simulator")
    with pytest.raises(ConfigError, match="a simulated board has no wires"):
        wire_list(config, plan_board(config))


# ---- short orders ----


@given(PLACES)
def test_a_short_way_visits_every_place_once_and_is_no_longer_than_the_nearest_neighbours(
    places: dict[int, tuple[float, float]],
) -> None:
    way = short_way(places, (0.0, 0.0))
    assert sorted(way) == sorted(places)
    assert way == short_way(places, (0.0, 0.0))
    left, greedy, at = dict(places), [(0.0, 0.0)], (0.0, 0.0)
    while left:
        nearest = min(left, key=lambda key: (math.dist(at, left[key]), str(key)))
        at = left.pop(nearest)
        greedy.append(at)
    assert length([(0.0, 0.0), *(places[key] for key in way)]) <= length(greedy) + 1e-6


@given(PLACES, st.integers(1, 8))
def test_groups_have_the_wanted_sizes_and_every_place_once(places: dict[int, tuple[float, float]], size: int) -> None:
    sizes = [size] * (len(places) // size) + [len(places) % size] * (len(places) % size > 0)
    groups = group_by_place(places, sizes, (0.0, 0.0))
    assert [len(group) for group in groups] == sizes
    assert sorted(key for group in groups for key in group) == sorted(places)


def test_the_wires_of_london_in_a_short_order_are_less_than_half_as_long_as_by_number() -> None:
    reeds = {int(key): at for key, at in plan_board(build("london-spi")).places(Cut.REED).items()}
    groups = group_by_place(reeds, [8] * 24 + [7], (0.0, 600.0))
    wires = [math.dist(middle([reeds[key] for key in group]), reeds[key]) for group in groups for key in group]
    assert sum(wires) < 8_800
    assert max(wires) < 110
    chain = short_way(reeds, (0.0, 600.0))
    assert length([reeds[key] for key in chain]) < 7_500
    by_number = length([reeds[key] for key in sorted(reeds)])
    assert by_number > 18_000


def test_no_order_depends_on_the_order_in_which_places_are_named() -> None:
    reeds = {int(key): at for key, at in plan_board(build("junior-gpio")).places(Cut.REED).items()}
    mixed = list(reeds.items())
    random.Random(1).shuffle(mixed)
    assert short_way(dict(mixed), (0.0, 0.0)) == short_way(reeds, (0.0, 0.0))
