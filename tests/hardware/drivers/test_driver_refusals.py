"""Values that no device can have, and packages that are missing: what each driver says of them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import pytest

from hardware.current_limit import LimitedLamps, estimate_current, limit_current
from hardware.drivers import pico_install
from hardware.drivers.buttons import ButtonKeys, EncoderKeys, JoinedKeys
from hardware.drivers.neopixels import PwmLamps, SpiLamps, Strip, Strips
from hardware.drivers.oled import OledPanel, i2c_bus, reset_line, spi_bus
from hardware.drivers.pico import PicoSwitches
from hardware.drivers.pin_factory import pin_factory
from hardware.drivers.pins import GpioSwitches, MatrixSwitches
from hardware.drivers.shift_register import SENTINEL, ShiftRegisterSwitches
from hardware.drivers.spi import KernelSpi
from hardware.ports import BadDevice, NotInstalled
from hardware.sim.devices import SimLamps
from hardware.sim.physics import SimClock
from tests.hardware.drivers.lamp_line import LampWire
from tests.hardware.drivers.loose_pins import LooseFactory
from tests.hardware.drivers.shift_register_model import DirectLoad, EdgeSpi, ShiftRegisterChain

CLOCK = SimClock()


def gpio(*pins: int) -> object:
    return GpioSwitches(pins, LooseFactory())


def matrix(*pins: list[int]) -> object:
    return MatrixSwitches(*pins, LooseFactory())


def buttons(**pins: int) -> object:
    return ButtonKeys(pins, LooseFactory())


def encoder(clk: int, dt: int, *rest: Any) -> object:
    return EncoderKeys(clk, dt, LooseFactory(), CLOCK, *rest)


def shift_register(count: int = 200, **values: int) -> object:
    chain = ShiftRegisterChain(2, sentinel=SENTINEL)
    values = {"chips": 26, "sentinel": SENTINEL, "mode": 1} | values
    return ShiftRegisterSwitches(count, spi=EdgeSpi(chain, 1), load=DirectLoad(chain), **values)


def pico(port: str, count: int, chips: int) -> object:
    return PicoSwitches(port, count, chips=chips, sentinel=SENTINEL, clock=CLOCK)


def spi_lamps(count: int = 1, order: str = "GRB") -> object:
    return SpiLamps(count, spi=LampWire(), order=order)


def strips(*sizes: tuple[int, int]) -> object:
    return Strips([Strip(SimLamps(count, CLOCK), dead) for count, dead in sizes])


def limited(**values: float) -> object:
    return LimitedLamps(SimLamps(5, CLOCK), **{"max_milliamps": 100, **values})


def panel(**values: Any) -> object:
    right = {"chip": "ssd1306", "open_bus": None, "clock": CLOCK, "contrast": 9, "shift_every": 60}
    return OledPanel("handset", **{**right, **values})


REFUSED: list[tuple[Callable[[], object], str]] = [
    (gpio, "switches: no pins are named; name a GPIO for each station"),
    (lambda: gpio(4, 17, 4), "switches: GPIO 4 is named twice"),
    (lambda: gpio(4, 28), "switches: there is no GPIO 28 .* GPIO 0 to GPIO 27"),
    (lambda: matrix([], [20]), "switches: 0 rows and 1 columns"),
    (lambda: matrix([5], []), "switches: 1 rows and 0 columns"),
    (lambda: matrix([5, 6], [20, 5]), "switches: GPIO 5 is named twice"),
    (lambda: matrix([5], [-1]), "switches: there is no GPIO -1"),
    (lambda: shift_register(chips=1), "switches: 1 chips"),
    (lambda: shift_register(0), "switches: 0 inputs on 26 chips.*1 to 200"),
    (lambda: shift_register(201), "switches: 201 inputs on 26 chips.*1 to 200"),
    (lambda: shift_register(sentinel=0), "switches: a sentinel of 0x00"),
    (lambda: shift_register(sentinel=0xFF), "switches: a sentinel of 0xff"),
    (lambda: shift_register(sentinel=0x100), "switches: a sentinel of 0x100"),
    (lambda: shift_register(mode=4), "switches: SPI mode 4"),
    (lambda: pico("", 8, 2), "switches: no port is named"),
    (lambda: pico("/dev/x", 8, 65), "switches: .*a Pico reads 64 at the most"),
    (lambda: pico("/dev/x", 9, 2), "switches: .*there can be 1 to 8"),
    (buttons, "keys: no keys are named"),
    (lambda: buttons(a=17, b=4, c=17), "keys: a and c are both on GPIO 17; give each a pin of its own"),
    (lambda: buttons(a=28), "keys: there is no GPIO 28 on the header"),
    (lambda: encoder(5, 5), "keys: GPIO 5 is named twice"),
    (lambda: encoder(5, 40), "keys: there is no GPIO 40 on the header"),
    (lambda: encoder(5, 6, ("up", "up")), "keys: the encoder presses up both ways"),
    (lambda: encoder(5, 6, ("up", "down"), 3), "keys: 3 transitions a click; an encoder has 4, 2 or 1$"),
    (JoinedKeys, "keys: there is nothing to join"),
    (lambda: spi_lamps(0), "lamps: .*at least 1"),
    (lambda: spi_lamps(order="GRBW"), "lamps: colour order 'GRBW'.*RGB, RBG, GRB, GBR, BRG, BGR"),
    (lambda: spi_lamps(order="grb"), "lamps: colour order"),
    (lambda: spi_lamps(order="GGB"), "lamps: colour order"),
    (lambda: PwmLamps(0, pin=18, model="4"), "lamps: .*at least 1"),
    (lambda: PwmLamps(1, pin=18, order="GRBW", model="4"), "lamps: colour order 'GRBW'"),
    (lambda: PwmLamps(1, pin=17, model="4"), "lamps: .*cannot use GPIO 17 of a .*; it can use 10, 12, 13, 18, 19, 21$"),
    (lambda: PwmLamps(1, pin=28, model="5"), "lamps: .*cannot use GPIO 28"),
    (lambda: PwmLamps(1, pin=-1, model="5"), "lamps: .*cannot use GPIO -1"),
    (lambda: PwmLamps(1, pin=18, model="6"), ".*no Raspberry Pi is called '6'"),
    (strips, "lamps: a chain of no strips"),
    (lambda: strips((1, 0), (2, -1)), "lamps: strip 2 has -1 dead lamps of 2; there may be 0 to 1"),
    (lambda: strips((1, 0), (2, 2)), "lamps: strip 2 has 2 dead lamps of 2; there may be 0 to 1"),
    (lambda: limited(max_milliamps=4.9), ".*limit of 4.9 mA is below the 5 mA that 5 lamps draw .*; allow at least 5"),
    (lambda: limited(max_milliamps=math.nan), ".*nan"),
    (lambda: limited(max_milliamps=7, spare=3), ".*7 mA .* 5 mA that 5 lamps .* 3 mA for spare ones; allow at least 8"),
    *((lambda value=value: limited(brightness=value), ".*brightness") for value in (-0.1, 1.1, math.nan)),
    *((lambda value=value: limited(gamma=value), ".*gamma") for value in (0.0, -1.0, math.nan, math.inf)),
    *((lambda value=value: limited(spare=value), ".*spare current") for value in (-0.1, math.nan, math.inf)),
    (lambda: limit_current(bytes(669), 200), ".*limit of 200 mA is below the 223 mA"),
    (lambda: limit_current(bytes(669), math.nan), ".*nan"),
    (lambda: estimate_current(bytes(4)), ".*4 bytes"),
    (lambda: panel(chip="ssd1331"), "handset: .*no chip 'ssd1331'; chips are ssd1306, ssd1309, sh1106"),
    (lambda: panel(rotate=90), "handset: .*rotated by 90"),
    (lambda: panel(contrast=256), "handset: contrast 256"),
    (lambda: panel(contrast=-1), "handset: contrast -1"),
    (lambda: panel(shift_every=0), "handset: .*every 0 s"),
    (lambda: panel(shift_every=math.nan), "handset: .*every nan s"),
    (lambda: panel(size=(100, 64)), "handset: .*has no 100x64"),
    (lambda: panel(first_column=5), "handset: .*cannot begin at column 5"),
    (lambda: i2c_bus(-1, 0x3C, what="handset"), "handset: I2C bus -1"),
    (lambda: i2c_bus(1, 0x78, what="handset"), "handset: I2C address 0x78"),
    (lambda: i2c_bus(1, 0x07, what="handset"), "handset: I2C address 0x07"),
    (lambda: KernelSpi("0", 1, 1, "lamps"), 'lamps: SPI device "0"; it is written "bus.select"'),
    (lambda: KernelSpi("/dev/spidev0.0", 1, 1, "lamps"), "lamps: SPI device"),
    (lambda: KernelSpi("0.0\n", 1, 1, "lamps"), "lamps: SPI device"),
    (lambda: KernelSpi("0.0", 0, 1, "lamps"), "lamps: 0 bits a second"),
    (lambda: KernelSpi("0.0", 1 << 32, 1, "lamps"), "lamps: 4294967296 bits a second"),
    (lambda: KernelSpi("0.0", 1, 4, "lamps"), "lamps: there is no SPI mode 4"),
    (lambda: KernelSpi("0.0", 1, -1, "lamps"), "lamps: there is no SPI mode -1"),
    (lambda: pin_factory("pigpio"), '.*no pin factory "pigpio"; choose one of rpigpio, lgpio, mock'),
]


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_no_device_can_be_is_refused_with_what_is_wrong(make: Callable[[], object], message: str) -> None:
    with pytest.raises(BadDevice, match=f"^{message}"):
        make()


LACKING: list[tuple[str, Callable[[], object], str]] = [
    ("smbus2", lambda: i2c_bus(1, 0x3C, what="handset"), r"OLED \(I2C\) needs smbus2.*'\.\[pi\]'"),
    ("gpiozero", lambda: reset_line(25, what="handset", factory=None), r"OLED \(reset pin\) needs gpiozero.*\[pi\]'"),
    (
        "gpiozero",
        lambda: spi_bus(LampWire, what="handset", dc_pin=24, reset_pin=None, factory=None),
        r"OLED \(SPI\) needs gpiozero.*'\.\[pi\]'",
    ),
    ("luma.oled", panel, r"ssd1306 \(handset\) needs luma\.oled.*'\.\[pi\]'"),
    ("serial", lambda: pico("/dev/x", 8, 2), r".*'\.\[pi\]'"),
    ("board", lambda: PwmLamps(1, pin=18, model="4"), r"lamps: neopixel-pwm needs .*'\.\[pwm\]' in yardboard's folder"),
]


@pytest.mark.parametrize(("package", "make", "message"), LACKING, ids=[message for *_, message in LACKING])
def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(
    package: str, make: Callable[[], object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(NotInstalled, match=f"^{message}"):
        make()


def test_without_mpremote_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pico_install, "find_spec", lambda _: None)
    with pytest.raises(NotInstalled, match=r"pip install '\.\[pico\]'"):
        pico_install.install("/dev/x", str)
