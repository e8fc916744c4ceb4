"""Hands at free points of the simulated board: pawns that are pulled, let go, and knocked about."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.sim import Physics, SimError, SimulatedHardware
from tests.hardware.simulator_boards import KEYS, closed_stations, london, row, table_of

EXACT = Physics(error=(0.0, 0.0))


@pytest.fixture
def table() -> SimulatedHardware:
    return SimulatedHardware(row(), lamps=8, keys=KEYS, physics=EXACT)


# --- pulling -----------------------------------------------------------------------------------------------


def test_a_pulled_pawn_moves_evenly_while_time_goes_on(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.pull("red", (130.0, 50.0), 80)
    assert table.points() == {"red": (50.0, 50.0)}
    table.advance(20)
    assert table.points() == {"red": pytest.approx((70.0, 50.0))}
    table.advance(60)
    assert table.points() == {"red": (130.0, 50.0)}
    table.advance(1000)
    assert table.points() == {"red": (130.0, 50.0)}


def test_a_pulled_pawn_is_in_a_hand_until_it_is_let_go(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.pull("red", (90.0, 50.0), 50)
    assert table.where() == {"red": None}
    table.advance(200)
    assert closed_stations(table) == {12}
    assert table.where() == {"red": None}
    table.let_go("red")
    assert table.where() == {"red": 12}


def test_a_pawn_pulled_anew_turns_where_it_is(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.pull("red", (150.0, 50.0), 100)
    table.advance(50)
    table.pull("red", (100.0, 90.0), 40)
    assert table.points() == {"red": pytest.approx((100.0, 50.0))}
    table.advance(20)
    assert table.points() == {"red": pytest.approx((100.0, 70.0))}


def test_a_pulled_pawn_goes_on_while_a_key_is_pressed_and_another_slides(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.put(13, "blue")
    table.pull("red", (90.0, 50.0), 200)
    table.press("table.confirm", 100)
    assert table.points()["red"] == pytest.approx((70.0, 50.0))
    table.slide([13, 14], 100)
    assert table.points()["red"] == (90.0, 50.0)
    assert table.where() == {"red": None, "blue": 14}


def test_a_pulled_pawn_that_is_picked_up_goes_nowhere(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.pull("red", (90.0, 50.0), 40)
    table.advance(10)
    table.pick_up("red")
    table.advance(100)
    assert table.points() == {}
    assert closed_stations(table) == set()


# --- letting go --------------------------------------------------------------------------------------------


def test_a_pawn_let_go_on_a_station_is_brought_there_and_stands(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.pull("red", (80.0, 60.0), 20)
    table.advance(20)
    table.let_go("red", 12)
    assert table.where() == {"red": None}
    table.advance(40)
    assert table.where() == {"red": 12}
    assert table.points() == {"red": (90.0, 50.0)}


def test_a_pawn_let_go_on_its_way_rests_at_its_end(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.pull("red", (132.0, 50.0), 80)
    table.let_go("red")
    assert table.where() == {"red": None}
    table.advance(80)
    assert table.where() == {"red": 13}


def test_a_pawn_let_go_between_stations_lies_on_the_bare_board(table: SimulatedHardware) -> None:
    table.pull("red", (110.0, 50.0), 1)
    table.let_go("red")
    assert table.where() == {"red": None}
    assert table.points() == {"red": (110.0, 50.0)}
    assert closed_stations(table) == set()


def test_a_pawn_let_go_where_one_stands_comes_to_stand_beside_it() -> None:
    table = table_of()
    table.put(12, "red")
    table.pull("blue", (95.0, 55.0), 1)
    table.let_go("blue", 12)
    table.advance(100)
    assert table.standing(12) == ("red", "blue")
    assert math.dist(table.points()["blue"], (90.0, 50.0)) >= table.physics.beside[0]


def test_where_tiles_are_laid_a_pawn_on_its_way_comes_to_the_new_number(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.let_go("red", 12)
    table.rename([21, 22, 23, 24, 25, 26])
    table.advance(100)
    assert table.where() == {"red": 22}


@pytest.mark.parametrize(
    ("gesture", "message"),
    [
        (lambda table: table.pull("red", (math.nan, 0.0), 20), "is not a point; give x and y in mm"),
        (lambda table: table.pull("red", (0.0, 0.0), 0), "pull: 0 ms"),
        (lambda table: table.let_go("blue"), r"blue is not on the board; on it: red \(11\)"),
        (lambda table: table.let_go("red", 99), "there is no station 99"),
        (lambda table: table.let_go("red", 12, math.inf), "let_go: inf ms"),
    ],
)
def test_what_no_hand_can_do_is_refused_and_changes_nothing(
    table: SimulatedHardware, gesture: object, message: str
) -> None:
    table.put(11, "red")
    with pytest.raises(SimError, match=message):
        gesture(table)  # type: ignore[operator]
    table.advance(100)
    assert table.where() == {"red": 11}
    assert table.points() == {"red": (50.0, 50.0)}


# --- somebody runs into the table --------------------------------------------------------------------------


def _crowded(seed: int) -> SimulatedHardware:
    table = SimulatedHardware(london(), lamps=223, keys=KEYS, seed=seed)
    for number in range(1, 200, 4):
        table.put(number, f"pawn {number}")
    return table


def test_a_jolt_moves_pawns_off_their_stations_and_onto_others_and_throws_some_over() -> None:
    stayed = bare = elsewhere = fallen = still = 0
    for seed in range(5):
        table = _crowded(seed)
        before, points = table.where(), table.points()
        table.jolt()
        table.advance(200)
        after, there = table.where(), table.points()
        stayed += sum(after[pawn] == at for pawn, at in before.items())
        bare += sum(after[pawn] is None for pawn in there)
        elsewhere += sum(after[pawn] not in (None, at) for pawn, at in before.items())
        fallen += len(before) - len(there)
        still += sum(place == points[pawn] for pawn, place in there.items())
    assert still == 0
    assert stayed > 25
    assert bare > 25
    assert elsewhere > 0
    assert 0 < fallen < stayed + bare


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_after_a_jolt_every_pawn_on_a_station_is_felt_there(seed: int) -> None:
    table = _crowded(seed)
    table.jolt()
    table.advance(200)
    assert {at for at in table.where().values() if at is not None} <= closed_stations(table)


def test_a_jolt_repeats_itself_for_its_seed_and_no_other() -> None:
    tables = [_crowded(seed) for seed in (3, 3, 4)]
    for table in tables:
        table.jolt()
        table.advance(200)
    assert tables[0].points() == tables[1].points() != tables[2].points()


def test_a_jolt_leaves_alone_what_hands_hold(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.put(12, "blue")
    table.pull("blue", (110.0, 50.0), 40)
    for _ in range(40):
        table.jolt(held=("red",))
        table.advance(1)
    assert table.points() == {"red": (50.0, 50.0), "blue": (110.0, 50.0)}


# --- power and faults --------------------------------------------------------------------------------------


def test_without_power_all_is_dark_and_nobody_scans_but_hands_go_on() -> None:
    table = table_of()
    scans = []
    table.drive(lambda: scans.append(1))
    table.advance(50)
    table.lamps.show(b"\xff" * 24)
    table.cut_power()
    scans.clear()
    table.put(11, "red")
    table.pull("red", (90.0, 50.0), 40)
    table.advance(100)
    assert scans == []
    assert table.lamps.lit() == {}
    assert table.handset.pixels is None
    assert closed_stations(table) == {12}
    assert table.lamps.plugged


def test_what_is_broken_is_told_until_it_is_mended() -> None:
    table = table_of()
    assert table.broken() == {}
    table.fault("switch:12", "stuck_open")
    table.fault("switch:12", "chatter")
    table.fault("lamps", "unplug")
    table.fault("serial", "unplug")
    table.fault("display", "slow")
    assert table.broken() == {"switch:12": "chatter", "lamps": "unplug", "switches": "unplug"}
    table.rename([21, 22, 23, 24, 25, 26])
    table.fault("switches", "replug")
    table.fault("lamps", "ok")
    assert table.broken() == {"switch:22": "chatter"}
    table.fault("switch:22", "ok")
    assert table.broken() == {}
