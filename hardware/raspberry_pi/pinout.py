"""Describe the Raspberry Pi's 40-pin header: the pin of each GPIO, and the buses of each model.

A model is named as in the configuration: "zero2", "3", "4" or "5", each for its whole family (Zero 2 W; 3A+, 3B, 3B+;
4B, 400, Compute Module 4; 5, 500, Compute Module 5). GPIOs are BCM numbers, "pins" are those of the header.

Sources: Raspberry Pi documentation, "GPIO and the 40-pin header" and "Serial peripheral interface (SPI)"; BCM2711 ARM
peripherals, 5.3 "Alternative function assignments"; RP1 peripherals, 3.1 "GPIO function selection"; the kernel's device
tree `rp1.dtsi` and its overlays `i2c3` … `i2c6`, `i2c0-pi5` … `i2c3-pi5`, `spi2-2cs-pi5`, `spi3-2cs-pi5` and
`spi5-2cs-pi5`. Each bus has the pins that its overlay chooses by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hardware.ports import BadDevice

PHYSICAL: Mapping[int, int] = MappingProxyType({
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33,
    14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
})  # fmt: skip
"""GPIO -> pin of the header; the same on every model."""

LAST_GPIO = max(PHYSICAL)
"""The header has the GPIOs from 0 to this one."""

VOLTS_3_3 = (1, 17)
"""Pins of the header with 3.3 V."""

VOLTS_5 = (2, 4)
"""Pins of the header with 5 V."""

GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
"""Pins of the header with 0 V."""

HAT = (0, 1)
"""GPIOs that are I2C0 and belong to a HAT's EEPROM: the firmware uses them at every start."""

UART: Mapping[int, str] = MappingProxyType({14: "UART0 TXD", 15: "UART0 RXD"})
"""GPIO -> its part in UART0, where the kernel's console may be."""

PCM: Mapping[int, str] = MappingProxyType({18: "PCM CLK", 19: "PCM FS", 20: "PCM DIN", 21: "PCM DOUT"})
"""GPIO -> its part in PCM, which sound cards call I2S."""

SPI0_SELECTS = (8, 7)
"""The GPIOs of SPI0's chip selects, CE0 first; the same on every model."""

PCM_OUT = 21
"""The GPIO on which a chain of lamps can be driven by PCM."""


@dataclass(frozen=True, slots=True)
class SpiBus:
    """The pins of an SPI bus.

    Attributes:
        sclk: GPIO of the clock.
        mosi: GPIO of the data that the Pi sends.
        miso: GPIO of the data that the Pi reads.
        ce: GPIOs of the chip selects, CE0 first.
        auxiliary: one of the small controllers of the BCM2835 family: only modes 0 and 2, and two idle clocks after
            every third byte (Linux, drivers/spi/spi-bcm2835aux.c), which WS2812 lamps take for the end of a bit.
    """

    sclk: int
    mosi: int
    miso: int
    ce: tuple[int, ...]
    auxiliary: bool = False

    def pin(self, signal: str) -> int:
        """Return the GPIO of a signal: "sclk", "mosi" or "miso"."""
        return {"sclk": self.sclk, "mosi": self.mosi, "miso": self.miso}[signal]


@dataclass(frozen=True, slots=True)
class I2cBus:
    """The GPIOs of an I2C bus: data and clock."""

    sda: int
    scl: int


@dataclass(frozen=True, slots=True)
class Model:
    """The header of one family of Raspberry Pis: its pins and buses.

    Attributes:
        name: its name, for people.
        spi: the SPI buses by number.
        i2c: the I2C buses by number.
        pwm: GPIO -> its channel of the pulse-width modulator.
        core_freq: MHz at which the core clock must be fixed for SPI to keep the time of WS2812 lamps; None if SPI has a
            clock of its own.
        audio_on_pwm: whether analog sound comes from the pulse-width modulator that lamps would use.
    """

    name: str
    spi: Mapping[int, SpiBus]
    i2c: Mapping[int, I2cBus]
    pwm: Mapping[int, int]
    core_freq: int | None
    audio_on_pwm: bool


_SPI0 = SpiBus(sclk=11, mosi=10, miso=9, ce=SPI0_SELECTS)
_SPI1_PINS = SpiBus(sclk=21, mosi=20, miso=19, ce=(18, 17, 16))
_SPI1_AUXILIARY = SpiBus(sclk=21, mosi=20, miso=19, ce=(18, 17, 16), auxiliary=True)
# The three places on the header where both the BCM2711 and the RP1 have a further bus, each under its own number.
_SPI_ON_1 = SpiBus(sclk=3, mosi=2, miso=1, ce=(0, 24))
_SPI_ON_5 = SpiBus(sclk=7, mosi=6, miso=5, ce=(4, 25))
_SPI_ON_13 = SpiBus(sclk=15, mosi=14, miso=13, ce=(12, 26))
_SPI6 = SpiBus(sclk=21, mosi=20, miso=19, ce=(18, 27))

_I2C = {0: I2cBus(0, 1), 1: I2cBus(2, 3)}
_TWO_PWM = {12: 0, 18: 0, 13: 1, 19: 1}

MODELS: Mapping[str, Model] = MappingProxyType({
    "zero2": Model("Raspberry Pi Zero 2", {0: _SPI0, 1: _SPI1_AUXILIARY}, _I2C, _TWO_PWM, 250, audio_on_pwm=True),
    "3": Model("Raspberry Pi 3", {0: _SPI0, 1: _SPI1_AUXILIARY}, _I2C, _TWO_PWM, 250, audio_on_pwm=True),
    "4": Model(
        "Raspberry Pi 4",
        {0: _SPI0, 1: _SPI1_AUXILIARY, 3: _SPI_ON_1, 4: _SPI_ON_5, 5: _SPI_ON_13, 6: _SPI6},
        {**_I2C, 3: I2cBus(4, 5), 4: I2cBus(8, 9), 5: I2cBus(12, 13), 6: I2cBus(22, 23)},
        _TWO_PWM,
        500,
        audio_on_pwm=True,
    ),
    # The RP1's SPI4 can only be a target, its other buses are not on the header.
    "5": Model(
        "Raspberry Pi 5",
        {0: _SPI0, 1: _SPI1_PINS, 2: _SPI_ON_1, 3: _SPI_ON_5, 5: _SPI_ON_13},
        {**_I2C, 2: I2cBus(4, 5), 3: I2cBus(6, 7)},
        {12: 0, 13: 1, 18: 2, 19: 3},
        None,
        audio_on_pwm=False,
    ),
})  # fmt: skip
"""The models by their names in the configuration."""


def model_named(name: str) -> Model:
    """Return the model with this name in the configuration.

    Raises:
        BadDevice: there is no such model.
    """
    try:
        return MODELS[name]
    except KeyError:
        raise BadDevice(f"header: no Raspberry Pi is called {name!r}; there are {', '.join(MODELS)}") from None


def functions(gpio: int, model: str) -> tuple[str, ...]:
    """Return the functions that a GPIO can have besides a plain pin, such as "SPI0 MOSI", "PWM0", "UART0 TXD".

    Raises:
        BadDevice: there is no such model.
    """
    pi = model_named(model)
    found: list[str] = []
    for number, spi in pi.spi.items():
        found += [f"SPI{number} {signal.upper()}" for signal in ("sclk", "mosi", "miso") if spi.pin(signal) == gpio]
        found += [f"SPI{number} CE{chip}" for chip, ce in enumerate(spi.ce) if ce == gpio]
    for number, i2c in pi.i2c.items():
        if gpio in (i2c.sda, i2c.scl):
            found.append(f"I2C{number} {'SDA' if gpio == i2c.sda else 'SCL'}")
    if gpio in pi.pwm:
        found.append(f"PWM{pi.pwm[gpio]}")
    return (*found, *(part[gpio] for part in (PCM, UART) if gpio in part))
