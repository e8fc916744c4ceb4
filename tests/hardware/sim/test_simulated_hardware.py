"""The simulated table: pawns, keys and time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contacts.debounce import Debounce
from hardware.sim import ROUGH, Physics, SimError, SimulatedHardware
from tests.amount import amount
from tests.hardware.simulator_boards import KEYS, closed_stations, london, row, table_of


@pytest.fixture
def table() -> SimulatedHardware:
    return table_of()


# --- magnets -----------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10_000), number=st.integers(1, 199))
@settings(max_examples=amount(20, 60), deadline=None)
def test_a_pawn_set_down_with_care_in_london_is_felt_by_its_own_reed_alone(seed: int, number: int) -> None:
    table = SimulatedHardware(london(), lamps=223, keys=KEYS, seed=seed)
    table.put(number, "red")
    assert closed_stations(table) == {number}
    table.put(number, "blue")
    table.lift(number, "red")
    assert closed_stations(table) == {number}


def test_every_station_of_london_feels_its_own_pawn_while_all_others_are_full() -> None:
    table = SimulatedHardware(london(), lamps=223, keys=KEYS)
    for number in table.places:
        table.put(number, str(number))
    for number in table.places:
        table.lift(number)
        assert closed_stations(table) == set(table.places) - {number}
        table.put(number, str(number))


def test_the_rough_board_misses_and_mistakes_pawns_sometimes() -> None:
    missed = mistaken = 0
    for seed in range(12):
        table = SimulatedHardware(london(), lamps=223, keys=KEYS, seed=seed, rough=True)
        for number in (111, 112, 193, 194, 96, 97, 92, 93, 84, 102):
            table.put(number, "red")
            there = closed_stations(table)
            missed += number not in there
            mistaken += bool(there - {number})
            table.lift(number)
    assert table.physics is ROUGH
    assert 0 < missed < 60
    assert 0 < mistaken < 60


def test_two_pawns_stand_side_by_side_and_the_last_one_is_lifted_first(table: SimulatedHardware) -> None:
    table.put(12, "red")
    table.put(12, "blue")
    assert table.standing(12) == ("red", "blue")
    assert table.lift(12) == "blue"
    assert closed_stations(table) == {12}
    table.put(12, "blue")
    assert table.lift(12, "red") == "red"
    assert closed_stations(table) == {12}


def test_a_second_pawn_is_set_beside_the_first_and_not_upon_it() -> None:
    far_beside = Physics(error=(0.0, 0.0), beside=(9.0, 9.0))
    table = SimulatedHardware(row(), lamps=6, keys=KEYS, physics=far_beside)
    table.put(12, "red")
    table.put(12, "blue")
    table.lift(12, "red")
    # 9 mm is beyond the reed's reach of 8 mm.
    assert closed_stations(table) == set()
    table.lift(12, "blue")
    table.put(12, "red")
    assert closed_stations(table) == {12}


def test_a_pawn_between_two_stations_stands_on_neither_and_can_be_picked_up(table: SimulatedHardware) -> None:
    table.put_between(12, 13, "red")
    assert closed_stations(table) == set()
    assert table.where() == {"red": None}
    with pytest.raises(SimError, match=r"red is on the board already \(bare board\)"):
        table.put(14, "red")
    table.pick_up("red")
    table.put(14, "red")
    assert closed_stations(table) == {14}


def test_a_pawn_half_way_between_london_s_closest_stations_is_felt_by_both() -> None:
    table = SimulatedHardware(london(), lamps=223, keys=KEYS)
    table.put_between(111, 112, "red")
    assert closed_stations(table) == {111, 112}


def test_a_slide_passes_over_each_station_of_its_path_in_turn(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.advance(50)
    seen: list[int] = []
    debounce = Debounce(6, stable=table.switches.read())

    def step() -> None:
        mask = debounce.update(table.switches.read())
        if not seen or seen[-1] != mask:
            seen.append(mask)
        assert table.where() == {"red": None}

    table.drive(step)
    table.slide([11, 12, 13, 14], 900)
    table.drive(None)
    assert table.clock.now() == pytest.approx(0.95)
    assert table.where() == {"red": 14}
    assert seen == [0b1, 0, 0b10, 0, 0b100, 0, 0b1000]
    assert closed_stations(table) == {14}


def test_a_slide_takes_the_pawn_it_is_told_to(table: SimulatedHardware) -> None:
    table.put(11, "red")
    table.put(11, "blue")
    table.slide([11, 12], 300, "red")
    assert table.where() == {"red": 12, "blue": 11}


@pytest.mark.parametrize(
    ("act", "complaint"),
    [
        (lambda table: table.lift(13), r"no pawn stands on 13; on the board: red \(12\)"),
        (lambda table: table.lift(12, "blue"), r"blue does not stand on 12; on it: red \(12\)"),
        (lambda table: table.lift(99), "no station 99; stations are 11 to 16"),
        (lambda table: table.put(13, "red"), r"red is on the board already \(12\); lift it first"),
        (lambda table: table.put(99, "blue"), "no station 99"),
        (lambda table: table.put("12", "blue"), "'12' is not a station; write a whole number, 11 to 16"),
        (lambda table: table.put([12], "blue"), r"\[12\] is not a station; write a whole number, 11 to 16"),
        (lambda table: table.advance("1000"), "advance: '1000' is not a number; pass milliseconds, such as 1000"),
        (lambda table: table.put_between(11, 12, "blue", 1.5), "share 1.5"),
        (lambda table: table.pick_up("blue"), "blue is not on the board"),
        (lambda table: table.slide([12], 300), "a path of 1 stations"),
        (lambda table: table.slide([12, 99], 300), "no station 99"),
        (lambda table: table.slide([13, 14], 300), "no pawn stands on 13"),
        (lambda table: table.slide([12, 13], 0), "slide: 0 ms"),
        (lambda table: table.press("table.taxi"), "no key 'table.taxi'; keys are table.confirm"),
        (lambda table: table.press("table.confirm", 0), "press: 0 ms"),
        (lambda table: table.press("handset.peek"), "handset.peek is held down already"),
        (lambda table: table.release("table.back"), "table.back is not held down"),
        (lambda table: table.advance(-1), "advance: -1 ms"),
        (lambda table: table.drive(None, 0), "drive: 0 Hz"),
    ],
)
def test_what_no_hand_can_do_is_refused_and_changes_nothing(
    act: Callable[[SimulatedHardware], object], complaint: str
) -> None:
    table, untouched = table_of(), table_of()
    for one in (table, untouched):
        one.put(12, "red")
        one.hold("handset.peek")
    with pytest.raises(SimError, match=complaint):
        act(table)
    assert table.where() == {"red": 12}
    assert table.clock.now() == 0
    assert table.keys.held == {"handset.peek"}
    assert closed_stations(table) == {12}
    for one in (table, untouched):
        one.put(14, "green")
    assert table.points() == untouched.points(), "nor does it change where the next pawn lands"


# --- time --------------------------------------------------------------------------------------------------


def history(table: SimulatedHardware) -> list[int]:
    """All samples of a short and busy time."""
    samples: list[int] = []
    table.drive(lambda: samples.append(table.switches.read() << 8 | table.keys.read()), hz=2000)
    table.put(11, "red")
    table.advance(20)
    table.fault("switch:16", "chatter")
    table.slide([11, 12, 13], 200)
    table.fault("serial", "garbage")
    table.press("table.confirm")
    table.put(13, "blue")
    table.advance(20)
    return samples


@pytest.mark.parametrize("rough", [False, True])
def test_the_same_seed_and_the_same_calls_give_the_same_samples(rough: bool) -> None:
    assert history(table_of(7, rough=rough)) == history(table_of(7, rough=rough))
    assert history(table_of(7, rough=rough)) != history(table_of(8, rough=rough))


def test_a_step_is_called_at_every_scan_instant_and_at_no_other(table: SimulatedHardware) -> None:
    instants: list[float] = []
    table.advance(3)
    table.drive(lambda: instants.append(table.clock.now()), hz=200)
    table.advance(7)
    table.advance(0)
    table.advance(3)
    table.press("table.confirm", 10)
    assert instants == [0.008, 0.013, 0.018, 0.023]
    table.drive(None)
    table.advance(100)
    assert len(instants) == 4


def test_the_pace_is_told_every_stretch_of_time_once() -> None:
    slept: list[float] = []
    table = SimulatedHardware(row(), lamps=6, keys=KEYS, pace=slept.append)
    table.put(11, "red")
    table.advance(12)
    table.slide([11, 12], 11)
    assert slept == pytest.approx([0.005, 0.005, 0.002, 0.003, 0.005, 0.003])


def test_where_other_numbers_are_printed_a_fault_strikes_the_switch_of_the_new_number() -> None:
    table = SimulatedHardware(row(), lamps=6, keys=KEYS)
    numbers = tuple(table.places)
    table.rename(tuple(reversed(numbers)))
    table.fault(f"switch:{numbers[0]}", "stuck_closed")
    table.advance(100)
    assert closed_stations(table) == {numbers[0]}
    with pytest.raises(SimError, match="5 numbers, 5 of them different; give one"):
        table.rename(numbers[:-1])
