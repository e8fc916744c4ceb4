"""What every device on the Pi's pins does when it cannot have them, and that it releases them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from gpiozero import OutputDevice

from hardware.drivers.buttons import ButtonKeys, EncoderKeys
from hardware.drivers.pins import GpioSwitches, MatrixSwitches
from hardware.drivers.shift_register import LoadPin
from hardware.ports import BadDevice, DeviceLost
from hardware.sim.physics import SimClock
from tests.hardware.drivers.loose_pins import LooseFactory
from tests.hardware.drivers.panel_bench import OledBench, PanelFactory, noise

# Pillow's, for what luma does.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")


@dataclass
class PinBench:
    """A kind of device on pins.

    Attributes:
        word: the first word of its messages.
        pins: the BCM numbers of its pins.
        make: creates one.
        use: uses one once.
        factory: the pins.
    """

    word: str
    pins: tuple[int, ...]
    make: Callable[[Any], Any]
    use: Callable[[Any], object] = lambda device: device.read()
    factory: LooseFactory = field(default_factory=LooseFactory)

    def device(self) -> Any:
        return self.make(self.factory)

    def is_lost(self, device: Any, why: str) -> None:
        with pytest.raises(DeviceLost, match=f"^{self.word}: {why}"):
            self.use(device)

    def other_device(self, pin: int) -> OutputDevice:
        return OutputDevice(pin, pin_factory=self.factory)

    def all_pins_are_free(self) -> bool:
        for pin in self.pins:
            self.other_device(pin).close()
        return True


def panel(bus: str, *pins: int) -> PinBench:
    bench = OledBench("ssd1309", bus)
    return PinBench(
        "handset",
        pins,
        lambda factory: bench.program(factory=factory),
        lambda device: device.show(noise(bench.wire.carried)),
        PanelFactory(bench.glass),
    )


BENCHES: dict[str, Callable[[], PinBench]] = {
    "gpio switches": lambda: PinBench("switches", (4, 17, 27), partial(GpioSwitches, (4, 17, 27))),
    "matrix": lambda: PinBench("switches", (5, 6, 20, 21), partial(MatrixSwitches, (5, 6), (20, 21))),
    "load pin": lambda: PinBench("switches", (25,), partial(LoadPin, 25), LoadPin.pulse),
    "buttons": lambda: PinBench("keys", (17, 4), partial(ButtonKeys, {"up": 17, "down": 4})),
    "encoder": lambda: PinBench("keys", (5, 6), lambda factory: EncoderKeys(5, 6, factory, SimClock())),
    "panel on SPI": lambda: panel("spi", PanelFactory.DC, PanelFactory.RESET),
    "reset line of a panel on I2C": lambda: panel("i2c with reset", PanelFactory.RESET),
}


ASKED_EACH_TIME = [name for name in BENCHES if name not in {"encoder", "reset line of a panel on I2C"}]
"""Those that access their pins whenever they are used: an encoder waits for edges, a reset line for a loss."""


@pytest.fixture(params=BENCHES.values(), ids=BENCHES.keys())
def bench(request: pytest.FixtureRequest) -> PinBench:
    made: PinBench = request.param()
    return made


def test_a_pin_that_another_program_holds_at_the_start_is_a_loss_with_its_number_until_it_is_free(
    bench: PinBench,
) -> None:
    for pin in bench.pins:
        bench.factory.held = {pin}
        device = bench.device()
        losses = []
        for _ in range(2):
            with pytest.raises(DeviceLost, match=f"^{bench.word}: GPIO {pin} does not answer: GPIO busy;") as lost:
                bench.use(device)
            losses.append(lost.value)  # a daemon may keep its last error: it must not keep the pin
        bench.factory.held.clear()
        bench.use(device)
        device.close()


def test_a_pin_that_another_device_has_is_refused_by_its_number_and_the_others_are_released(bench: PinBench) -> None:
    for pin in bench.pins:
        with (
            bench.other_device(pin),
            pytest.raises(BadDevice, match=f"^{bench.word}: GPIO {pin} serves another device already"),
        ):
            bench.device()
        assert bench.all_pins_are_free()
    bench.use(bench.device())


def test_a_pin_that_another_device_took_later_is_a_loss_and_comes_back(bench: PinBench) -> None:
    device = bench.device()
    bench.use(device)
    device.close()
    for pin in bench.pins:
        with bench.other_device(pin):
            bench.is_lost(device, f"GPIO {pin} serves another device already")
        bench.use(device)
        device.close()


@pytest.mark.parametrize("bench", [BENCHES[name] for name in ASKED_EACH_TIME], ids=ASKED_EACH_TIME, indirect=True)
def test_pins_that_stop_answering_are_a_loss_release_all_and_are_claimed_again(bench: PinBench) -> None:
    device = bench.device()
    bench.use(device)
    bench.factory.gone = True
    bench.is_lost(device, r"(a pin|GPIO \d+) does not answer: GPIO busy; see that no other program")
    bench.is_lost(device, rf"GPIO {bench.pins[0]} does not answer: GPIO busy;")
    bench.factory.gone = False
    assert bench.all_pins_are_free()
    bench.use(device)


@pytest.mark.parametrize("gone", [False, True])
def test_closing_releases_every_pin_even_one_that_is_gone_and_may_be_done_twice(bench: PinBench, gone: bool) -> None:
    device = bench.device()
    bench.use(device)
    bench.factory.gone = gone
    device.close()
    device.close()
    bench.factory.gone = False
    assert bench.all_pins_are_free()
    if not gone:
        assert {bench.factory.pin(pin).function for pin in bench.pins} == {"input"}
