"""The diode matrix: every contact at its crossing, ghosts without diodes and none with them."""

from __future__ import annotations

from time import perf_counter

import pytest
from gpiozero.pins.mock import MockPin
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drivers.pin_contacts import SETTLE, MatrixSwitches
from hardware.ports import BadDevice, DeviceLost, Switches
from tests.hardware.drivers.reed_model import Diodes, Matrix, RefusedPins

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


def test_a_human_finds_the_crossing() -> None:
    _, switches = board("right")
    assert switches.place(0) == "row 1, column 1 (GPIO 5, GPIO 20)"
    assert switches.place(10) == "row 2, column 5 (GPIO 6, GPIO 24)"
    assert switches.place(35) == "row 6, column 6 (GPIO 19, GPIO 26)"
    for wrong in (-1, 36):
        with pytest.raises(BadDevice, match=f"no input {wrong}; inputs are 0 to 35"):
            switches.place(wrong)


@pytest.mark.parametrize(
    ("rows", "columns", "said"),
    [
        ([], [20], "0 rows and 1 columns"),
        ([5], [], "1 rows and 0 columns"),
        ([5, 6], [20, 5], "GPIO 5 is named twice"),
        ([5, 28], [20], "no GPIO 28"),
        ([5], [-1], "no GPIO -1"),
    ],
)
def test_impossible_matrices_are_refused_and_leave_their_pins_free(
    rows: list[int], columns: list[int], said: str
) -> None:
    matrix = Matrix([], [], "right")
    with pytest.raises(BadDevice, match=f"switches: .*{said}"):
        MatrixSwitches(rows, columns, matrix.factory)
    MatrixSwitches([5, 6], [20], matrix.factory).close()


@pytest.mark.parametrize("pin", [5, 26])
def test_pins_that_cannot_be_had_are_lost_until_they_can(pin: int) -> None:
    matrix = Matrix(ROWS, COLUMNS, "right")
    stubborn = RefusedPins(matrix.factory, [pin])
    stubborn.error = OSError("GPIO busy")
    switches = MatrixSwitches(ROWS, COLUMNS, matrix.factory)
    matrix.closed = {(0, 1)}
    for _ in range(2):
        with pytest.raises(DeviceLost, match=f"switches: GPIO {pin} does not answer: GPIO busy"):
            switches.read()
    stubborn.error = None
    assert switches.read() == 0b10


def test_closing_lets_go_of_every_pin() -> None:
    matrix, switches = board("right")
    assert isinstance(switches, Switches)
    switches.close()
    switches.close()
    assert {pin.function for pin in (*matrix.rows, *matrix.columns)} == {"input"}
    MatrixSwitches(ROWS, COLUMNS, matrix.factory).close()
