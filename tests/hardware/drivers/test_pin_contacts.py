"""Contacts on pins: the diode matrix, its ghosts without diodes, and the names of places for people."""

from __future__ import annotations

from time import perf_counter

import pytest
from gpiozero.pins.mock import MockPin
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drivers.pins import SETTLE, GpioSwitches, MatrixSwitches
from hardware.ports import BadDevice
from tests.hardware.drivers.loose_pins import LooseFactory
from tests.hardware.drivers.reed_model import Diodes, Matrix

ROWS = [5, 6, 12, 13, 16, 19]
COLUMNS = [20, 21, 22, 23, 24, 26]

crossings = st.tuples(st.integers(0, 5), st.integers(0, 5))


def board(diodes: Diodes, rows: list[int] = ROWS, columns: list[int] = COLUMNS) -> tuple[Matrix, MatrixSwitches]:
    matrix = Matrix(rows, columns, diodes)
    return matrix, MatrixSwitches(rows, columns, matrix.factory)


def seen(switches: MatrixSwitches, columns: int = 6) -> set[tuple[int, int]]:
    mask = switches.read()
    return {divmod(n, columns) for n in range(mask.bit_length()) if mask >> n & 1}


@pytest.mark.parametrize("diodes", ["none", "right"])
def test_every_contact_alone_is_seen_at_its_crossing(diodes: Diodes) -> None:
    matrix, switches = board(diodes)
    assert switches.count == 36
    assert switches.read() == 0
    for n in range(36):
        matrix.closed = {divmod(n, 6)}
        assert switches.read() == 1 << n
    assert matrix.fights == 0


@given(closed=st.sets(crossings))
@settings(deadline=None)
def test_with_diodes_any_set_is_seen_as_it_is_and_no_outputs_fight(closed: set[tuple[int, int]]) -> None:
    matrix, switches = board("right")
    matrix.closed = closed
    assert seen(switches) == closed
    assert matrix.fights == 0


@given(rows=st.integers(1, 8), columns=st.integers(1, 8), data=st.data())
@settings(deadline=None)
def test_a_matrix_need_not_be_square(rows: int, columns: int, data: st.DataObject) -> None:
    pins = data.draw(st.permutations(range(28)))
    matrix, switches = board("right", pins[:rows], pins[rows : rows + columns])
    matrix.closed = data.draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))))
    assert seen(switches, columns) == matrix.closed
    assert switches.count == rows * columns


def test_without_diodes_three_corners_feign_the_fourth_and_outputs_fight() -> None:
    corners = {(1, 2), (1, 4), (3, 2)}
    matrix, switches = board("none")
    matrix.closed = corners
    assert seen(switches) == corners | {(3, 4)}
    assert matrix.fights
    matrix, switches = board("right")
    matrix.closed = corners
    assert seen(switches) == corners
    assert not matrix.fights


def test_a_diode_the_wrong_way_round_keeps_its_contact_from_being_seen() -> None:
    matrix, switches = board("wrong")
    matrix.closed = {(1, 2)}
    assert switches.read() == 0


def test_one_row_at_a_time_is_low() -> None:
    matrix, switches = board("right")
    low: list[list[int]] = []
    matrix.look_for_fights = lambda: low.append([n for n in range(6) if matrix._driven(n) is False])  # type: ignore[method-assign]
    switches.read()
    assert low == [rows for n in range(6) for rows in ([n], [])]


def test_columns_have_time_to_rise_before_each_row_is_read() -> None:
    matrix, switches = board("right")
    turned: list[float] = []
    waits: list[float] = []
    reads = matrix.column_is_high

    def read(pin: MockPin) -> bool:
        waits.append(perf_counter() - turned[-1])
        return reads(pin)

    matrix.look_for_fights = lambda: turned.append(perf_counter())  # type: ignore[method-assign]
    matrix.column_is_high = read  # type: ignore[method-assign]
    switches.read()
    assert len(waits) == 36
    assert min(waits) >= SETTLE


def test_a_person_finds_the_pins_of_a_contact() -> None:
    _, switches = board("right")
    assert switches.place(0) == "row 1, column 1 (GPIO 5, GPIO 20)"
    assert switches.place(10) == "row 2, column 5 (GPIO 6, GPIO 24)"
    assert switches.place(35) == "row 6, column 6 (GPIO 19, GPIO 26)"
    with pytest.raises(BadDevice, match="no input 36; inputs are 0 to 35"):
        switches.place(36)
    single = GpioSwitches([4, 17, 2], LooseFactory())
    assert (single.count, single.place(17)) == (18, "GPIO 17")
    with pytest.raises(BadDevice, match="no input 5; inputs are the GPIOs 2, 4, 17"):
        single.place(5)
