"""OLED panels on bad days: cables pulled, power lost, programs killed. What may then be seen, and how it ends."""

from __future__ import annotations

import atexit
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import smbus2
from gpiozero import OutputDevice
from luma.core.error import DeviceNotFoundError
from PIL import Image

from hardware.drivers.oled import REFRESH, Chip, OledPanel, i2c_bus
from hardware.ports import DeviceLost
from hardware.sim.physics import SimClock
from tests.amount import amount
from tests.hardware.drivers.panel_bench import (
    BUSES,
    DARK,
    EVERYWHERE,
    Cut,
    I2cWires,
    OledBench,
    PanelCable,
    PanelFactory,
    PixelWatch,
    memory_of,
    noise,
    same,
    showing_noise,
)
from tests.hardware.fake_kernel import FakeKernel

# Pillow's, for what luma does.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
@pytest.mark.parametrize("picture", [None, noise(2)], ids=["dark", "lit"])
def test_a_new_program_never_lights_what_it_finds_in_the_memory(
    chip: Chip, bus: str, picture: Image.Image | None
) -> None:
    bench = OledBench(chip, bus, seed=5)
    watch = PixelWatch(bench.glass)
    bench.program().show(picture)
    assert watch.seen == ([] if picture is None else [memory_of(chip, picture, before=5)])


def worth_failing(wire: PanelCable, share: int) -> list[int]:
    """Bytes to fail at: of all that are no pixels, and one in 97 of those that are, this third, or all with LONG=1."""
    bytes_to_fail = sorted(set(range(wire.carried)) - set(wire.drawn) | set(wire.drawn[::97]))
    return bytes_to_fail[share % amount(3, 1) :: amount(3, 1)]


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
@pytest.mark.parametrize("after", [None, noise(3)], ids=["dark", "lit"])
@pytest.mark.long_but_first
def test_a_program_killed_at_any_byte_leaves_nothing_that_the_next_would_light(
    chip: Chip, bus: str, after: Image.Image | None
) -> None:
    meant = [] if after is None else [memory_of(chip, after, before=9)]
    whole = OledBench(chip, bus)
    changed(whole.program(), whole.clock)()
    for k in worth_failing(whole.wire, BUSES.index(bus) + (after is None)):
        bench = OledBench(chip, bus, seed=9)
        bench.wire.breaks_at, bench.wire.killed = k, True
        with pytest.raises(Cut):
            changed(bench.program(), bench.clock)()
        left = bytes(bench.glass.memory)
        watch = PixelWatch(bench.glass)
        bench.program().show(after)
        # What was left alight stays so until the first command is through; then nothing is but what is meant.
        assert watch.seen in ([left, *meant], meant)
        assert bench.glass.on == bool(meant)


def changed(panel: OledPanel, _: SimClock) -> Callable[[], None]:
    def act() -> None:
        panel.show(noise(1))
        panel.show(noise(2))

    return act


def refreshed(panel: OledPanel, clock: SimClock) -> Callable[[], None]:
    def act() -> None:
        panel.show(noise(2))
        panel.show(noise(2))
        clock.advance(REFRESH)
        panel.show(noise(2))

    return act


def darkened(panel: OledPanel, _: SimClock) -> Callable[[], None]:
    def act() -> None:
        panel.show(noise(2))
        panel.show(None)

    return act


ACTIONS = [changed, refreshed, darkened]  # each begins alike: together they fail at every byte of the start


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.long_but_first
def test_a_bus_that_fails_at_any_byte_is_a_panel_lost_and_set_right_by_the_next_picture(
    chip: Chip, bus: str, action: Callable[[OledPanel, SimClock], Callable[[], None]]
) -> None:
    picture = None if action is darkened else noise(2)
    whole = OledBench(chip, bus, seed=3)
    action(whole.program(), whole.clock)()
    assert same(whole.glass.seen(), picture or DARK)
    bench = OledBench(chip, bus)
    for k in worth_failing(whole.wire, BUSES.index(bus) + ACTIONS.index(action)):
        panel = bench.program()
        bench.glass.power_up(3)
        bench.wire.breaks_at = bench.wire.carried + k
        with pytest.raises(DeviceLost, match=r"^handset: "):
            action(panel, bench.clock)()
        assert bench.wire.open == 0
        panel.show(picture)
        assert bench.glass.memory == whole.glass.memory
        assert bench.glass.registers() == whole.glass.registers()
        panel.close()


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
@pytest.mark.parametrize("pictures", [[1], [1, 2, 3]], ids=["still", "changing"])
def test_a_panel_that_lost_its_power_unnoticed_is_right_again_with_the_next_refresh(
    chip: Chip, bus: str, pictures: list[int]
) -> None:
    bench = OledBench(chip, bus)
    panel = bench.program()
    panel.show(noise(pictures[0]))
    bench.clock.advance(0.5)
    bench.glass.power_up(8)
    watch = PixelWatch(bench.glass)
    for second in range(math.ceil(REFRESH)):
        picture = noise(pictures[second % len(pictures)])
        panel.show(picture)
        bench.clock.advance(1)
    assert same(bench.glass.seen(), DARK)
    assert watch.seen == []
    panel.show(picture)
    assert same(bench.glass.seen(), picture)
    assert len(watch.seen) == 1


def test_a_dark_panel_that_lost_its_power_unnoticed_is_woken_whole() -> None:
    bench = OledBench()
    panel = bench.program()
    panel.show(None)
    bench.glass.power_up(8)
    panel.show(noise(1))
    assert same(bench.glass.seen(), noise(1))


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
def test_a_refresh_is_not_seen(chip: Chip, bus: str) -> None:
    bench, panel = showing_noise(chip, bus)
    bench.clock.advance(REFRESH)
    states: set[tuple[bool, bytes, int, bool, bool]] = set()
    glass = bench.glass

    def look() -> None:
        states.add((glass.on, bytes(glass.memory), glass.contrast, glass.remapped, glass.downwards))

    glass.on_byte = look
    assert bench.bytes_for(lambda: panel.show(noise(1))) > 1024
    assert len(states) == 1


def test_a_panel_that_is_away_for_long_keeps_no_bus_open_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = OledBench()
    bench.wire.plugged = False
    panel = bench.program()
    hooks: list[object] = []
    monkeypatch.setattr(atexit, "register", hooks.append)
    for _ in range(50):
        with pytest.raises(DeviceLost):
            panel.show(noise(1))
    assert (bench.wire.openings, bench.wire.open) == (50, 0)
    assert (len(bench.hooks), len(hooks)) == (1, 0)


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), DeviceNotFoundError("I2C device not found")])
def test_a_bus_that_cannot_be_opened_is_a_panel_lost(error: Exception) -> None:
    def open_bus() -> I2cWires:
        raise error

    panel = OledPanel(
        "display",
        chip="sh1106",
        open_bus=open_bus,  # type: ignore[arg-type]
        clock=SimClock(),
        contrast=9,
        shift_every=60,
    )
    with pytest.raises(DeviceLost, match=r"^display: the sh1106 does not answer: .*check its cable") as lost:
        panel.show(None)
    assert str(getattr(error, "strerror", error)) in str(lost.value)
    panel.close()


def test_the_header_s_bus_is_opened_whatever_the_kernel_calls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, opened = OledBench(), []

    def open_bus(number: int) -> I2cWires:
        opened.append(number)
        return I2cWires(bench.wire)

    monkeypatch.setattr(smbus2, "SMBus", open_bus)
    kernel = FakeKernel(tmp_path)
    kernel.add_bus("i2c", 1, "soc@107c000000/i2c@7d508280")
    panel = OledPanel(
        "handset",
        chip="ssd1306",
        open_bus=i2c_bus(1, 0x3C, kernel=kernel.devices(), what="handset"),
        clock=bench.clock,
        contrast=9,
        shift_every=60,
    )
    with pytest.raises(DeviceLost, match=r"^handset: /dev/i2c-1 is another bus, the header's I2C1 is off"):
        panel.show(DARK)
    kernel.add_bus("i2c", 13, "axi/pcie@1/rp1_nexus/i2c@40074000")
    panel.show(DARK)
    assert opened == [13]


def test_another_address_is_not_answered() -> None:
    bench = OledBench()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(smbus2, "SMBus", lambda _: I2cWires(bench.wire, address=0x3D))
        panel = bench.program()
        open_bus = i2c_bus(1, 0x3C, what="handset")
    panel = OledPanel("handset", chip="ssd1306", open_bus=open_bus, clock=bench.clock, contrast=9, shift_every=60)
    with pytest.raises(DeviceLost, match="0x3C"):
        panel.show(DARK)


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
def test_closed_it_is_dark_and_has_let_go_of_everything(chip: Chip, bus: str) -> None:
    bench, panel = showing_noise(chip, bus)
    panel.close()
    panel.close()
    assert not bench.glass.on
    assert same(bench.glass.latent(), DARK)
    assert bench.wire.open == 0
    if bus != "i2c":
        for pin in (PanelFactory.DC, PanelFactory.RESET):
            OutputDevice(pin, pin_factory=bench.factory).close()


def test_closing_says_nothing_of_a_panel_that_is_gone_nor_touches_one_never_used() -> None:
    bench = OledBench()
    panel = bench.program()
    panel.close()
    assert bench.wire.openings == 0
    panel.show(noise(1))
    bench.wire.plugged = False
    panel.close()
    assert bench.wire.open == 0


def test_a_program_that_ends_without_closing_sends_nothing_more() -> None:
    script = """
from PIL import Image
from hardware.drivers.oled import OledPanel
from hardware.sim.physics import SimClock

class Printed:
    def command(self, *command): print("command", flush=True)
    def data(self, data): print("data", flush=True)
    def cleanup(self): print("cleanup", flush=True)

panel = OledPanel("handset", chip="ssd1306", open_bus=Printed, clock=SimClock(), contrast=9, shift_every=60)
panel.show(Image.new("1", (128, 64), 1))
print("end", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-2:] == ["command", "end"]
    assert done.stderr == ""


def test_the_reset_line_is_pulsed_whenever_the_wires_are_opened_and_rests_high() -> None:
    bench = OledBench(bus="spi")
    panel = bench.program()
    bench.factory.resets = 0
    panel.show(noise(1))
    assert bench.factory.resets == 1
    assert bench.factory.pin(PanelFactory.RESET).state
    bench.wire.breaks_at = bench.wire.carried
    with pytest.raises(DeviceLost, match=r"^handset: SPI failed$"):
        panel.show(noise(2))
    panel.show(noise(2))
    assert bench.factory.resets == 2
    assert same(bench.glass.seen(), noise(2))


def test_making_the_way_to_a_panel_does_not_reset_it() -> None:
    bench = OledBench(bus="spi")
    bench.opener()
    assert bench.factory.resets == 0


def test_a_line_that_fails_in_a_picture_is_a_panel_lost_and_comes_back() -> None:
    bench, panel = showing_noise(bus="spi")
    bench.glass.on_byte = lambda: bench.factory.held.add(PanelFactory.DC)
    with pytest.raises(DeviceLost, match=r"^handset: a pin does not answer: GPIO busy;"):  # between command and data
        panel.show(noise(2))
    bench.glass.on_byte = lambda: None
    bench.factory.held.clear()
    panel.show(noise(1))
    bench.factory.held.add(PanelFactory.DC)
    for said in ("a pin", "GPIO 24"):
        with pytest.raises(DeviceLost, match=f"^handset: {said} does not answer: GPIO busy;"):
            panel.show(noise(2))
        assert bench.wire.open == 0
    bench.factory.held.clear()
    panel.show(noise(2))
    assert same(bench.glass.seen(), noise(2))
