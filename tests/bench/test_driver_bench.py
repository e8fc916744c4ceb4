"""What `yardboard bench --drivers` prints. How fast this machine is, is no matter for a test; bytes and sums are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_host.bench import driver_bench
from firmware_host.bench.driver_bench import HEADING, DriverRow, Timer, _Bus, table
from firmware_host.bench.measurements import BenchError
from tests.uninstalled import uninstall

__all__ = ["uninstall"]  # a fixture


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is measured, but with few calls."""
    monkeypatch.setattr(driver_bench, "QUICK", Timer(1, 20))


def line(lines: list[str], start: str) -> str:
    (found,) = (line for line in lines if line.startswith(start))
    return found


@pytest.mark.parametrize(
    ("what", "size", "computed"),
    [
        ("shift-register: 26 chips, nothing changed", "26 bytes", "208 µs"),
        ("shift-register: 26 chips, something changed", "26 bytes", "208 µs"),
        ("serial: a report", "38 bytes", "25.3 µs"),
        ("neopixel-spi: frame put in order", "2,916 bytes", "7.29 ms"),
        ("neopixel-pwm: frame put in order", "669 bytes", "6.69 ms"),
        ("oled on I2C: another picture", "1,096 bytes", "24.66 ms"),
        ("oled on I2C: the same picture again", "4 bytes", "90.0 µs"),
        ("oled on SPI: another picture", "1,030 bytes", "2.06 ms"),
        ("oled on SPI: the same picture again", "2 bytes", "4.0 µs"),
    ],
)
def test_every_bus_s_bytes_and_their_time_on_the_wire_are_told(what: str, size: str, computed: str) -> None:
    found = line(table(quick=True), what)
    bus = HEADING.index("on the bus") + len("on the bus")
    assert found[:bus].endswith(f" {size}")
    assert found[bus : len(HEADING)].strip() == computed


def test_drivers_without_a_bus_have_software_only() -> None:
    lines = table(quick=True)
    for start in ("matrix: scan, 6 by 6", "gpio: scan, 14 pins", "keys: scan, 10 buttons", "serial: scan"):
        assert "bytes" not in line(lines, start)
        assert "µs" in line(lines, start)
    assert "120 µs of it, computed" in line(lines, "matrix")
    assert any(text.startswith("computed: ") for text in lines)


def test_comparisons_stand_beside_what_is_compared() -> None:
    lines = table(quick=True)
    assert "times as fast as a loop over the switches" in line(lines, "shift-register: 26 chips, nothing")
    assert "times as fast as lamp by lamp" in line(lines, "lamps: colours put in order")


@pytest.mark.parametrize("plain", ["_bit_by_bit", "_lamp_by_lamp"])
def test_a_comparison_that_says_something_else_gives_no_figure(monkeypatch: pytest.MonkeyPatch, plain: str) -> None:
    monkeypatch.setattr(driver_bench, plain, len)
    with pytest.raises(BenchError, match="do not agree"):
        table(quick=True)


@pytest.mark.parametrize(
    ("package", "gone", "stays"),
    [
        ("luma", "oled", "neopixel-spi"),
        ("gpiozero", "matrix", "serial: a report"),
    ],
)
def test_without_a_package_its_drivers_are_left_out_and_it_is_said_once_what_to_install(
    uninstall: Callable[[str], None], package: str, gone: str, stays: str
) -> None:
    uninstall(package)
    lines = table(quick=True)
    (told,) = (text for text in lines if "pip install" in text)
    assert package in told
    assert "pip install '.[pi]'" in told
    assert not any(text.startswith(gone) for text in lines)
    assert any(text.startswith(stays) for text in lines)


def test_a_timing_is_the_median_a_call_and_no_call_has_the_input_of_the_one_before() -> None:
    given: list[int] = []
    assert Timer(3, 4).each(given.append, [1, 2, 3]) >= 0
    assert given == [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1]


def test_a_row_without_bus_and_note_ends_with_its_figure() -> None:
    assert DriverRow("it", 0.0123).line.split() == ["it", "12.30", "ms"]
    assert DriverRow("it", 1.5e-6, 1234, 2e-4, "a note").line.split() == [
        "it",
        "1.5",
        "µs",
        "1,234",
        "bytes",
        "200",
        "µs",
        "a",
        "note",
    ]


def test_the_bus_counts_what_goes_over_it() -> None:
    bus = _Bus(b"ab", b"cd")
    assert [bus.transfer(b"..") for _ in range(3)] == [b"cd", b"ab", b"cd"]
    assert bus.bytes_for(lambda: bus.write(b"12345")) == 5
    assert bus.bytes_for(lambda: bus.write_i2c_block_data(0x3C, 0x40, [1, 2, 3])) == 5
