"""The list of wires: complete, as the configuration has it, and no longer than need be."""

from __future__ import annotations

import csv
import hashlib
import math
import random
import re
from collections import Counter, defaultdict
from dataclasses import replace
from io import StringIO
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.commissioning.diagrams.lamp_chain import feed_wire, fuse, needs, supply
from firmware_host.commissioning.diagrams.switch_sheets import host_of_chain
from firmware_host.config.loader import parse
from firmware_host.maker.board_plan import Cut, plan_board
from firmware_host.maker.handset_case import plan_case
from firmware_host.maker.maker_errors import NoElectronics
from firmware_host.maker.wire_list import (
    AWG,
    IN_HANDSET,
    SIGNALS,
    CutWire,
    as_csv,
    module_places,
    pi_place,
    reed_and_lamp_metres,
    totals,
    wire_list,
)
from firmware_host.maker.wire_order import group_by_place, length, middle, short_way
from hardware.raspberry_pi.power_budget import DROP, RESISTIVITY
from tests.docs.pages import text_of
from tests.maker.test_board_plan import BUILDS, CONFIGS, build

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
        assert ends[f"lamp {station}, DIN"] == 1
        assert ends[f"lamp {station}, 5 V"] >= 1
        assert ends[f"lamp {station}, ground"] >= 1
    for key in config.sections["keys"].table:
        assert ends[key] == 1
        assert ends[f"{key}, ground"] >= 1
    assert sum(end.endswith(", DIN") for end in ends) == config.layout.lamps
    assert all(wire.length >= 60 for wire in found)


@pytest.mark.parametrize("name", ["london-spi", "london-pico"])
def test_each_reed_is_at_the_pin_that_the_configuration_names(name: str) -> None:
    inputs = build(name).layout.switches
    for wire in wires(name):
        if wire.end.startswith("reed ") and wire.colour != "black":
            place = inputs[int(wire.end.removeprefix("reed "))]
            assert wire.start == f"chip {place // 8 + 1}, {'HGFEDCBA'[place % 8]}"
            assert wire.colour == SIGNALS[place % 8]


@pytest.mark.parametrize("name", BUILDS)
def test_5_volts_are_cut_before_each_feed_and_the_list_says_so(name: str) -> None:
    config, found = build(name), wires(name)
    fed = {wire.end: wire for wire in found if wire.colour == "red" and wire.start.startswith("rail at ")}
    passed_on = {wire.end for wire in found if wire.colour == "red" and not wire.start.startswith("rail at ")}
    assert len(fed) == needs(config).feeds
    assert not fed.keys() & passed_on
    before = {wire.end: wire.start for wire in found if wire.end.endswith(", DIN")}
    for end, wire in fed.items():
        assert wire.note.startswith(f"fuse of {fuse(config):g} A at the rail")
        lamp_before = before[end.replace("5 V", "DIN")].partition(",")[0]
        first = lamp_before.startswith("level shifter")
        assert (f"leave out 5 V from {lamp_before}: cut here" in wire.note) is not first
        assert wire.mm2 >= feed_wire(config)


def test_a_long_feed_takes_a_thicker_wire() -> None:
    config = replace(build("london-spi"), board=replace(build("london-spi").board, width_mm=2500))
    plan = plan_board(config)
    feeds = [wire for wire in wire_list(config, plan) if wire.start.startswith("rail at ") and wire.colour == "red"]
    (rail,) = [wire for wire in wire_list(config, plan) if wire.end == "rail, 5 V"]
    for wire, amps in [*((feed, fuse(config)) for feed in feeds), (rail, supply(config))]:
        lost = amps * 2 * max(1.0, math.dist(wire.way[0], wire.way[-1]) / 1000) * RESISTIVITY / wire.mm2
        assert lost <= DROP + 1e-9, wire
    assert max(feed.mm2 for feed in feeds) > feed_wire(config)


@pytest.mark.parametrize("name", BUILDS)
def test_no_two_signals_of_a_module_have_one_colour_and_power_has_its_own(name: str) -> None:
    modules = defaultdict[str, list[CutWire]](list)
    for wire in wires(name):
        modules[wire.module].append(wire)
        assert (wire.colour == "black") == bool({"ground", "GND"} & {*re.split(", | ", f"{wire.start}, {wire.end}")})
        assert (wire.colour == "red") == ("5 V" in wire.start or "5 V" in wire.end)
        assert (wire.colour == "orange") == ("3.3 V" in wire.end)
    for module, of_module in modules.items():
        if module.startswith(("lamps", "supply", "row", "column")):  # one signal, on from part to part
            assert len({wire.colour for wire in of_module} - {"black", "red"}) <= 1, module
        else:
            colours = Counter(wire.colour for wire in of_module if wire.colour != "black")
            assert set(colours.values()) <= {1}, module


def test_the_cable_of_the_first_chip_ends_at_the_pins_that_the_sheet_names() -> None:
    for name, host in (("london-spi", "Pi GPIO 21, pin 40"), ("london-pico", "Pico GP18, pin 24")):
        cable = [wire for wire in wires(name) if wire.module == "cable to chip 1"]
        ends = host_of_chain(build(name)).ends
        assert [wire.end for wire in cable] == [f"chip 1, {end}" for end in ("CLK", "SH/LD", "QH", "3.3 V", "GND")]
        assert cable[0].start == host
        assert all(ends[wire.end.removeprefix("chip 1, ")][0] in wire.start for wire in cable)


def test_a_pico_in_the_handset_has_every_wire_of_the_build_guide() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]*pins? \d[^|]*) \|$", text_of("build.md"), re.MULTILINE))
    found = [wire for wire in wires("london-pico") if wire.module == "handset"]
    (keys,) = (words for begin, words in rows.items() if begin.startswith("UP, DOWN"))
    numbers = [words for words in rows.values() if "GP4 (pin" in words or "GP6 (pin" in words or "3V3" in words]
    said = {int(pin) for words in (*numbers, keys) for listed in re.findall(r"pins? ([\d, ]+)", words)
            for pin in re.findall(r"\d+", listed)}  # fmt: skip
    at_pico = {int(wire.start.rpartition("pin ")[2]): wire for wire in found if wire.start.startswith("Pico")}
    assert at_pico.keys() == said == {6, 7, 9, 14, 15, 16, 17, 18, 19, 36, 38}
    ends = {pin: at_pico[pin].end for pin in (6, 7, 9, 14, 15, 16, 17, 19, 36, 38)}
    assert list(ends.values()) == [
        "screen SDA", "screen SCL", "screen RES", "key up", "key down", "key select", "key back", "key peek",
        "screen VCC, 3.3 V", "screen, GND",
    ]  # fmt: skip
    grounded = {wire.end for wire in found if wire.end.startswith("key") and wire.colour == "black"}
    assert grounded == {f"key {key}, ground" for key in ("up", "down", "select", "back", "peek")}
    plan = plan_case(build("london-pico"))
    assert {wire.length for wire in found} == {120}
    for key in plan.keys:
        assert abs(key.x) <= IN_HANDSET, "a wire from the Pico's middle is long enough"
        assert math.dist((key.x, key.y), (0, plan.pico_middle)) <= IN_HANDSET
    assert not [wire for wire in wires("london-spi") if wire.start.startswith("Pico")]


def test_lengths_are_those_of_the_way_with_slack() -> None:
    lights, reeds = (plan_board(build("london-spi")).places(cut) for cut in (Cut.LIGHT, Cut.REED))
    by_end = {wire.end: wire for wire in wires("london-spi")}
    hop = next(wire for wire in by_end.values() if re.fullmatch(r"lamp \d+, DOUT", wire.start) and "lamp" in wire.end)
    one, other = (end.removeprefix("lamp ").partition(",")[0] for end in (hop.start, hop.end))
    assert hop.length == math.ceil(math.dist(lights[one], lights[other]) + 60)
    to_reed, cable = by_end["reed 58"], by_end["chip 12, CLK"]
    assert to_reed.length == math.ceil(math.dist(to_reed.way[0], reeds["58"]) + 60)
    (x, y), _, (to_x, to_y) = cable.way
    assert cable.length == math.ceil(abs(x - to_x) + abs(y - to_y) + 90)


def test_a_table_of_the_wires_has_a_row_for_each() -> None:
    found = wires("junior-gpio")
    rows = list(csv.DictReader(StringIO(as_csv(found))))
    assert [int(row["number"]) for row in rows] == list(range(1, len(found) + 1))
    metres = defaultdict[tuple[str, float], float](float)
    for row in rows:
        metres[row["colour"], float(row["mm2"])] += int(row["length_mm"]) / 1000
    assert totals(found) == pytest.approx(dict(metres))
    assert {(row["mm2"], row["awg"]) for row in rows} <= {(f"{mm2:g}", str(awg)) for mm2, awg in AWG.items()}


@pytest.mark.parametrize(
    ("name", "most_to_reeds", "most_chain"),
    [("london-spi", 8.6, 8.0), ("london-pico", 8.6, 8.0), ("dice-matrix", 0.0, 2.9), ("junior-gpio", 0.0, 1.7)],
)
def test_the_shipped_boards_have_short_wires(name: str, most_to_reeds: float, most_chain: float) -> None:
    config = build(name)
    plan = plan_board(config)
    to_reeds, chain = reed_and_lamp_metres(config, plan)
    assert to_reeds <= most_to_reeds
    assert chain <= most_chain
    layout = config.layout
    assert sorted(layout.station_lamps + layout.log_lamps) == list(range(layout.lamps))
    assert len(set(layout.switch_inputs)) == len(layout.stations)
    if most_to_reeds:
        assert sorted(layout.switch_inputs) == list(range(1, 200))
        reeds = [wire for wire in wire_list(config, plan) if wire.end.startswith("reed ")]
        assert max(math.dist(*wire.way) for wire in reeds) <= 100
        chips = module_places(config, plan).values()
        cables = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise([pi_place(plan), *chips]))
        assert cables <= 3500


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("london-spi", "2ed2b02089a7c124"),
        ("london-pico", "2ed2b02089a7c124"),
        ("dice-matrix", "3e3ec04fe5c487aa"),
        ("junior-gpio", "5a10e4a48bb24617"),
    ],
)
def test_the_order_of_a_shipped_board_never_changes_for_somebody_may_have_built_it(name: str, digest: str) -> None:
    layout = build(name).layout
    order = repr((layout.switch_inputs, layout.station_lamps, layout.log_lamps))
    assert hashlib.sha256(order.encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("name", BUILDS)
def test_a_file_without_the_lines_of_the_lamps_keeps_the_order_of_the_map(name: str) -> None:
    text = (CONFIGS / f"{name}.toml").read_text(encoding="utf-8")
    before, head, lamps = text.partition("[lamps.wiring]")
    layout = parse(before + head + re.sub(r"(?m)^\d+ = \d+\n", "", lamps), f"{name}.toml", folder=CONFIGS).layout
    assert layout.station_lamps + layout.log_lamps == tuple(range(layout.lamps))


def test_a_simulated_board_has_no_wires() -> None:
    config = build("simulator")
    with pytest.raises(NoElectronics, match="simulates the whole board; write its drivers, such as"):
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
    groups = group_by_place(reeds, [7] + [8] * 24, (0.0, 600.0))
    wires = [math.dist(middle([reeds[key] for key in group]), reeds[key]) for group in groups for key in group]
    assert sum(wires) < 8_600
    assert max(wires) < 100
    chain = short_way(reeds, (0.0, 600.0))
    assert length([reeds[key] for key in chain]) < 7_500
    by_number = length([reeds[key] for key in sorted(reeds)])
    assert by_number > 18_000


def test_no_order_depends_on_the_order_in_which_places_are_named() -> None:
    reeds = {int(key): at for key, at in plan_board(build("junior-gpio")).places(Cut.REED).items()}
    mixed = list(reeds.items())
    random.Random(1).shuffle(mixed)
    assert short_way(dict(mixed), (0.0, 0.0)) == short_way(reeds, (0.0, 0.0))
