"""The reset line of OLED panels, on I2C and SPI: many an SSD1309 takes no command before it (u8g2 #825, #2194)."""

from __future__ import annotations

from time import monotonic_ns

import pytest
from gpiozero.pins.mock import MockPin

from hardware.ports import DeviceLost
from tests.hardware.drivers.oled_model import Ssd1309
from tests.hardware.drivers.panel_bench import DARK, OledBench, PanelFactory, noise, same

# Pillow's, for what luma does.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

WITH_RESET = pytest.mark.parametrize("bus", ["i2c with reset", "spi"])
SHORTEST = 3_000
"""Nanoseconds for which RES must be low (SSD1309 data sheet, 8.9)."""


class Deaf(Ssd1309):
    """A panel that takes everything, and does nothing, from power-up until RES has been low."""

    def power_up(self, seed: int) -> None:
        super().power_up(seed)
        self.deaf = True

    def reset(self) -> None:
        super().reset()
        self.deaf = False

    def command(self, byte: int) -> None:
        if not self.deaf:
            super().command(byte)

    def data(self, byte: int) -> None:
        if not self.deaf:
            super().data(byte)


def bench_with(bus: str) -> OledBench:
    """A bench on which such a panel lies."""
    bench = OledBench("ssd1309", bus)
    bench.glass = bench.wire.glass = Deaf(seed=5)
    return bench


class ResetLine:
    """What RES does: when, to which level, and after how many bytes on the bus."""

    def __init__(self, bench: OledBench) -> None:
        self._bench, self._told = bench, bench.factory.moved
        self.moves: list[tuple[int, bool, int]] = []
        bench.factory.moved = self._moved  # type: ignore[method-assign]

    def _moved(self, pin: MockPin) -> None:
        if pin is self._bench.factory.pin(PanelFactory.RESET) and pin.function == "output":
            self.moves.append((monotonic_ns(), bool(pin.state), self._bench.wire.carried))
        self._told(pin)

    def pulses(self) -> list[tuple[int, int]]:
        """For each time that it was low: for how many nanoseconds, and after how many bytes; then it is high."""
        found = []
        for (fell, low, before), (rose, high, after) in zip(self.moves, self.moves[1:], strict=False):
            if not low:
                assert high
                assert before == after, "bytes went out while the panel was being reset"
                found.append((rose - fell, before))
        return found


def test_without_its_reset_line_such_a_panel_stays_black() -> None:
    bench = bench_with("i2c")
    bench.program().show(noise(1))
    assert same(bench.glass.seen(), DARK)


@WITH_RESET
def test_reset_is_low_long_enough_and_high_again_before_the_first_command_of_every_opening(bus: str) -> None:
    bench = bench_with(bus)
    panel = bench.program()
    line, made = ResetLine(bench), bench.wire.openings
    openings = []
    for round_ in range(3):
        openings.append(bench.wire.carried)
        panel.show(noise(round_))
        assert same(bench.glass.seen(), noise(round_))
        bench.wire.plugged = False
        bench.glass.power_up(seed=round_)
        with pytest.raises(DeviceLost):
            panel.show(noise(9))
        # It is tried again and again while it is away.
        with pytest.raises(DeviceLost):
            panel.show(noise(9))
        bench.wire.plugged = True
    pulses = line.pulses()
    assert len(pulses) == bench.wire.openings - made
    first, second, third = openings
    assert [carried for _, carried in pulses] == [first, second, second, third, third, bench.wire.carried]
    assert min(length for length, _ in pulses) >= SHORTEST


@WITH_RESET
def test_another_picture_or_a_refresh_resets_nothing_and_the_line_rests_high(bus: str) -> None:
    bench = bench_with(bus)
    panel = bench.program()
    line = ResetLine(bench)
    for n in range(5):
        panel.show(noise(n))
        bench.clock.advance(11)
    assert len(line.pulses()) == 1
    assert bench.factory.pin(PanelFactory.RESET).state


def test_making_the_way_to_a_panel_on_i2c_resets_nothing_and_opens_nothing() -> None:
    bench = bench_with("i2c with reset")
    bench.opener()
    assert (bench.factory.resets, bench.wire.openings) == (0, 0)
    assert bench.factory.pin(PanelFactory.RESET).function == "input"
