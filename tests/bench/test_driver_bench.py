"""What `yardboard bench --drivers` prints. How fast this machine is, is no matter for a test; bytes and sums are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_host.bench import driver_bench
from firmware_host.bench.driver_bench import HEADING, Timer, table
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


ON_THE_BUS = {
    "shift-register: 26 chips, nothing changed": ("26 bytes", "208 µs"),
    "shift-register: 26 chips, something changed": ("26 bytes", "208 µs"),
    "serial: a report": ("38 bytes", "25.3 µs"),
    "neopixel-spi: frame put in order": ("2,916 bytes", "7.29 ms"),
    "neopixel-pwm: frame put in order": ("669 bytes", "6.69 ms"),
    "oled on I2C: another picture": ("1,096 bytes", "24.66 ms"),
    "oled on I2C: the same picture again": ("4 bytes", "90.0 µs"),
    "oled on SPI: another picture": ("1,030 bytes", "2.06 ms"),
    "oled on SPI: the same picture again": ("2 bytes", "4.0 µs"),
}


def test_every_bus_s_bytes_and_their_time_on_the_wire_are_shown() -> None:
    lines = table(quick=True)
    bus = HEADING.index("on the bus") + len("on the bus")
    found = {what: line(lines, what) for what in ON_THE_BUS}
    assert {what: (text[:bus].rpartition("  ")[2].strip(), text[bus : len(HEADING)].strip())
            for what, text in found.items()} == ON_THE_BUS  # fmt: skip


@pytest.mark.parametrize("plain", ["_bit_by_bit", "_lamp_by_lamp"])
def test_a_comparison_that_says_something_else_gives_no_figure(monkeypatch: pytest.MonkeyPatch, plain: str) -> None:
    monkeypatch.setattr(driver_bench, plain, len)
    with pytest.raises(BenchError, match=r" than a loop over its .*; report this bug"):
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
