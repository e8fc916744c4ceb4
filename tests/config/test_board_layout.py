"""The layout of the board: spots, stations, switches and lamps find each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config import board_layout
from firmware_host.config.board_layout import BoardLayoutError, InputMapping, lay_out_board
from tests.shipped_grounds import load_map

LONDON = load_map("london")
PLAIN = lay_out_board(LONDON, 24)
AMERICAN = lay_out_board(load_map("london-us"), 24)
STATIONS = tuple(LONDON.stations)


def test_without_wiring_everything_follows_the_order_of_the_map():
    assert PLAIN.stations == tuple(range(1, 200))
    assert [PLAIN.spot(station) for station in (1, 2, 199)] == [0, 1, 198]
    assert [PLAIN.input_of(spot) for spot in (0, 198)] == [0, 198]
    assert [PLAIN.lamp(station) for station in (1, 199)] == [0, 198]
    assert [PLAIN.log_lamp(window) for window in (1, 24)] == [199, 222]
    assert (PLAIN.inputs, PLAIN.lamps) == (199, 223)


def test_a_map_with_a_gap_in_its_numbers_has_no_gap_in_its_spots():
    assert AMERICAN.stations[106:108] == (107, 109)
    assert AMERICAN.spot(200) == 198
    assert AMERICAN.lamps == 223


def test_the_log_follows_the_last_lamp_that_a_station_uses():
    spread = {station: 2 * place + 10 for place, station in enumerate(STATIONS)}
    assert lay_out_board(LONDON, 5, lamps=spread).log_lamps == (407, 408, 409, 410, 411)


@given(st.sets(st.sampled_from(STATIONS)))
def test_a_mask_has_a_bit_for_each_spot(stations):
    assert PLAIN.stations_in(sum(1 << PLAIN.spot(station) for station in stations)) == stations


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (lambda: PLAIN.spot(200), "there is no station 200 on this board; its stations are 1 to 199"),
        (lambda: AMERICAN.lamp(108), "there is no station 108 on this board; its stations are 1 to 200, 199 of them"),
        (lambda: PLAIN.spot(0), "there is no station 0"),
        (lambda: PLAIN.log_lamp(0), "there is no log window 0; windows are 1 to 24"),
        (lambda: PLAIN.log_lamp(25), "there is no log window 25"),
        (lambda: PLAIN.input_of(199), "there is no spot 199 on this board; spots are 0 to 198"),
        (lambda: PLAIN.input_of(-1), "there is no spot -1"),
    ],
)
def test_a_question_about_what_is_not_there_is_refused(question, answer):
    with pytest.raises(BoardLayoutError) as caught:
        question()
    assert str(caught.value).startswith(answer)


def test_positions_are_in_millimetres_of_a_board_of_the_maps_proportions():
    places = PLAIN.positions_mm(1334.37)
    first = LONDON.stations[1]
    assert places[1] == pytest.approx((first.x * 1334.37, first.y * 1000))
    assert set(places) == set(STATIONS)


def test_a_wiring_that_misses_or_shares_or_invents_is_told_by_both_names():
    wrong = board_layout.faults(LONDON, 3, inputs={1: 7, 2: 7, 500: 3}, log={1: 4})
    assert [(fault.wiring, fault.line) for fault in wrong] == [
        ("inputs", "500"),
        ("inputs", "1 and 2"),
        ("inputs", ""),
        ("log", ""),
        ("log", "1"),
    ]
    told = [fault.what for fault in wrong]
    assert told[0] == "there is no such station; the stations are 1 to 199"
    assert told[1] == "share input 7; give each station one of its own"
    assert told[2].startswith("no input for station 3, 4, 5, 6, 7, 8 and 191 more; list every station")
    (on_gpios,) = board_layout.faults(LONDON, 3, inputs={n: n for n in STATIONS if n != 9}, on_gpios=True)
    assert on_gpios.what == "no GPIO for station 9; list every station"
    assert told[3].startswith("no lamp for window 2 and 3; list every window")
    assert told[4] == "lamp 4 already belongs to station 5; give the window another lamp"


def test_no_sheet_is_laid_from_a_faulty_wiring():
    with pytest.raises(BoardLayoutError, match="lamps: 5 and 6: share lamp 4"):
        lay_out_board(LONDON, 24, lamps={station: station - 1 for station in STATIONS} | {6: 4})


@given(st.permutations(range(199)))
def test_whatever_the_wiring_each_lamp_and_input_serves_one_station(order):
    wiring = dict(zip(STATIONS, order, strict=True))
    wired = lay_out_board(LONDON, 24, inputs=wiring, lamps=wiring)
    assert {wired.input_of(wired.spot(station)) for station in STATIONS} == set(range(199))
    assert all(wired.lamp(station) == wiring[station] for station in STATIONS)
    assert len({*wired.station_lamps, *wired.log_lamps}) == wired.lamps == 223


# ---- samples in the order of the spots ----


@given(data=st.data(), count=st.integers(1, 40))
def test_inputs_reach_their_spots(data: st.DataObject, count: int) -> None:
    inputs = data.draw(st.permutations(range(count)))[: data.draw(st.integers(1, count))]
    order = InputMapping(inputs, count)
    for mask in data.draw(st.lists(st.integers(0, (1 << count) - 1), min_size=1, max_size=5)):
        expected = sum((mask >> number & 1) << spot for spot, number in enumerate(inputs))
        assert order.to_spots(mask) == expected
        assert order.to_spots(mask) == expected


def test_an_input_that_the_device_has_not_is_named() -> None:
    with pytest.raises(BoardLayoutError, match="spot 2 is on input 6; the switches' inputs are 0 to 5"):
        InputMapping((0, 1, 6), 6)
