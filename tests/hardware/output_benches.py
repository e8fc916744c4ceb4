"""The backends of lamps and panels, each on a bench with an observer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PIL import Image

from hardware.background_output import PANEL_TICK, BackgroundLamps, BackgroundPanel
from hardware.current_limit import LimitedLamps
from hardware.drivers.neopixels import PwmLamps, SpiLamps, Strip, Strips
from hardware.drivers.oled import Chip, OledPanel
from hardware.ports import Lamps, Panel
from hardware.sim.devices import SimLamps, SimPanel
from hardware.sim.physics import SimClock
from tests.hardware.drivers.panel_bench import BUSES, CHIPS, OledBench
from tests.hardware.drivers.test_neopixel_pwm import PI_5, Writer, colours
from tests.hardware.drivers.test_neopixel_spi import WS2812B, LampChain, LampWire
from tests.hardware.switch_benches import nothing, set_to
from tests.waiting import until

SIZE = (128, 64)


@dataclass
class LampBench:
    """A chain of lamps.

    Attributes:
        device: the device.
        shining: the visible red, green and blue of every lamp.
        unplug: disconnects it.
        replug: connects it again.
        settle: waits as long as a frame takes.
    """

    device: Lamps
    shining: Callable[[], bytes]
    unplug: Callable[[], None]
    replug: Callable[[], None]
    settle: Callable[[], None] = nothing


@dataclass
class PanelBench:
    """A panel.

    Attributes:
        device: the device.
        word: the beginning of its messages.
        seen: the visible picture, black where it is dark.
        unplug: disconnects it.
        replug: connects it again.
        settle: waits as long as a picture takes.
    """

    device: Panel
    word: str
    seen: Callable[[], Image.Image]
    unplug: Callable[[], None]
    replug: Callable[[], None]
    settle: Callable[[], None] = nothing


# Lamps


def sim_lamps() -> LampBench:
    clock = SimClock()
    device = SimLamps(7, clock)
    return LampBench(device, lambda: device.frame, device.unplug, device.replug, lambda: clock.advance(1.0))


def limited_lamps() -> LampBench:
    bench = sim_lamps()
    bench.device = LimitedLamps(bench.device, math.inf)
    return bench


def spi_lamps() -> LampBench:
    wire = LampWire()
    device = SpiLamps(7, spi=wire, order="BRG")

    def shining() -> bytes:
        if not wire.transfers:
            return bytes(21)
        chain = LampChain(7, WS2812B)
        chain.take("".join(f"{byte:08b}" for byte in wire.transfers[-1]) + "0" * 1000)
        shown = chain.shown[-1]
        return bytes(shown[lamp + "BRG".index(colour)] for lamp in range(0, 21, 3) for colour in "RGB")

    return LampBench(device, shining, set_to(wire, "plugged", False), set_to(wire, "plugged", True))


def pwm_lamps(writer: Writer) -> LampBench:
    """Return a bench for a Pi 5: up to the Pi 4 such lamps, once lost, stay lost until the next start."""
    device = PwmLamps(7, pin=18, order="BGR", model=PI_5)

    def shining() -> bytes:
        return colours(writer.written[-1][1], "BGR") if writer.written else bytes(21)

    return LampBench(device, shining, set_to(writer, "error", OSError("no PIO")), set_to(writer, "error", None))


def strips() -> LampBench:
    clock = SimClock()
    first, second = SimLamps(4, clock), SimLamps(5, clock)
    device = Strips([Strip(first, 2), Strip(second)])
    return LampBench(
        device,
        lambda: first.frame[6:] + second.frame,
        second.unplug,
        second.replug,
        lambda: clock.advance(1.0),
    )


def background_lamps() -> LampBench:
    bench = sim_lamps()
    sim_settle = bench.settle
    device = bench.device = BackgroundLamps(bench.device, SimClock())

    def settle() -> None:
        until(device._sender.idle, "the end of the sending")
        sim_settle()

    bench.settle = settle
    return bench


# Panels


def visible(panel: SimPanel) -> Image.Image:
    return Image.new("1", panel.size) if panel.picture is None else panel.picture


def sim_panel() -> PanelBench:
    clock = SimClock()
    device = SimPanel("display", SIZE, clock)
    return PanelBench(
        device, "display", lambda: visible(device), device.unplug, device.replug, lambda: clock.advance(1.0)
    )


def oled(chip: Chip, bus: str) -> PanelBench:
    bench = OledBench(chip, bus)
    device: OledPanel = bench.program()

    def unplug() -> None:
        bench.wire.plugged = False
        bench.glass.power_up(4)

    return PanelBench(device, "handset", bench.glass.seen, unplug, set_to(bench.wire, "plugged", True))


def background_panel() -> PanelBench:
    clock = SimClock()
    inner = sim_panel()
    device = BackgroundPanel(inner.device, clock, what="display")

    def settle() -> None:
        until(device._sender.idle, "the end of the sending")
        inner.settle()
        clock.advance(PANEL_TICK)

    return PanelBench(device, "display", inner.seen, inner.unplug, inner.replug, settle)


LAMPS: dict[str, Callable[..., LampBench]] = {
    "simulator": sim_lamps,
    "limited": limited_lamps,
    "neopixel-spi": spi_lamps,
    "neopixel-pwm": pwm_lamps,
    "strips": strips,
    "background": background_lamps,
}

PANELS: dict[str, Callable[[], PanelBench]] = {
    "simulator": sim_panel,
    **{f"{chip} on {bus}": partial(oled, chip, bus) for chip in CHIPS for bus in BUSES},
    "background": background_panel,
}
