"""RPi.GPIO itself, compiled, moving pins that are a file: `pin_factory = "rpigpio"` as on a Raspberry Pi 4."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.hardware.drivers.registers import PI_5, RegisterPi


@pytest.fixture
def pi(tmp_path: Path) -> Iterator[RegisterPi]:
    with closing(RegisterPi(tmp_path)) as pi:
        name, model, compiled = pi.ask("start")
        assert (name, model) == ("RPiGPIOFactory", "4B")
        assert compiled.endswith(".so")
        yield pi


def test_reeds_on_pins_of_their_own_are_pulled_up_and_read(pi: RegisterPi) -> None:
    pins = [6, 7, 8, 12, 13, 16, 17, 18, 19, 20, 21, 22, 26, 27]  # those of the junior build
    pi.ask("switches", pins)
    assert {pi.registers.function(pin) for pin in pins} == {"input"}
    assert {pin for pin in range(28) if pi.registers.pull(pin) == "up"} == set(pins)
    assert pi.ask("read") == 0
    for pin in pins:
        pi.registers.set_closed([pin])
        assert pi.ask("read") == 1 << pin
    pi.registers.set_closed(range(28))
    assert pi.ask("read") == sum(1 << pin for pin in pins)
    pi.ask("close")
    assert {pi.registers.pull(pin) for pin in pins} == {"none"}


def test_keys_are_pulled_up_and_read(pi: RegisterPi) -> None:
    pi.ask("keys", {"table.confirm": 23, "table.back": 24, "handset.up": 25})
    assert [pi.registers.pull(pin) for pin in (23, 24, 25)] == ["up"] * 3
    assert pi.ask("read") == 0
    for bit, pin in enumerate((23, 24, 25)):
        pi.registers.set_closed([pin])
        assert pi.ask("read") == 1 << bit


def test_a_matrix_is_driven_row_by_row_and_read(pi: RegisterPi) -> None:
    rows, columns = [6, 7, 8, 9, 10, 11], [12, 13, 16, 17, 19, 20]  # those of the dice build
    pi.ask("matrix", rows, columns)
    assert [pi.registers.function(row) for row in rows] == ["output"] * 6
    assert [pi.registers.pull(column) for column in columns] == ["up"] * 6
    chance = random.Random(5)
    for _ in range(5):
        closed = chance.getrandbits(36)
        driven: list[int] = []

        def settle(closed: int = closed, driven: list[int] = driven) -> None:
            (low,) = pi.registers.made_low()
            driven.append(low)
            if len(driven) > 1:
                assert pi.registers.made_high() == {driven[-2]}, "the row before is let go first"
            crossings = range(6 * rows.index(low), 6 * rows.index(low) + 6)
            pi.registers.set_closed([low, *(columns[n % 6] for n in crossings if closed >> n & 1)])

        pi.while_settling = settle
        assert pi.ask("read") == closed
        assert driven == rows


def test_on_a_pi_5_it_is_refused_with_what_would_do(tmp_path: Path) -> None:
    with closing(RegisterPi(tmp_path, PI_5)) as pi:
        (told,) = pi.ask("start").items()
    assert told[0] == "BadDevice"
    assert 'set [pi] pin_factory = "lgpio"' in told[1]
