"""The devices of a configuration: each driver with the pins, buses and numbers that its section gives it.

A device that does not answer is no error here: it is lost until it does. What can never work is one: a package that
is not installed, a pin that another program holds.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from firmware_host.config import Config
from firmware_host.outputs import limited
from firmware_host.sections import Oled
from firmware_host.wires import strips
from hardware.backend import Backend
from hardware.courier import BackgroundLamps, BackgroundPanel
from hardware.current import IDLE
from hardware.drivers.buttons import ButtonKeys, JoinedKeys
from hardware.drivers.encoder import EncoderKeys
from hardware.drivers.gpio import GpioSwitches
from hardware.drivers.matrix import MatrixSwitches
from hardware.drivers.neopixel_pwm import PwmLamps
from hardware.drivers.neopixel_spi import HZ, SpiLamps
from hardware.drivers.oled import Chip, OledPanel
from hardware.drivers.oled_bus import i2c_bus, spi_bus
from hardware.drivers.pico import PicoSwitches
from hardware.drivers.pins import pin_factory
from hardware.drivers.shift_register import LoadPin, ShiftRegisterSwitches
from hardware.drivers.spi import LgpioSpi, Spi
from hardware.drivers.strips import Strip, Strips
from hardware.ports import BadDevice, Clock, Keys, Lamps, Panel, Switches
from hardware.presses import LongPresses

OLED_HZ = 4_000_000
"""How fast a screen on SPI is clocked: SH1106 takes no more (data sheet, serial interface timing)."""


class OpenSpi(Protocol):
    """Gives the SPI device of a name such as "0.0"; `what` is the word for it in messages."""

    def __call__(self, device: str, hz: int, mode: int, what: str) -> Spi:
        """The device, not opened yet."""


class _Device(Protocol):
    def close(self) -> None: ...


_D = TypeVar("_D", bound=_Device)


class Pi:
    """The ways from a Raspberry Pi to its devices, for one process.

    Args:
        pins: the gpiozero factory of the pins.
        open_spi: gives an SPI device.
    """

    def __init__(self, pins: Any, open_spi: OpenSpi = LgpioSpi) -> None:
        self.pins = pins
        self.open_spi = open_spi


def assembled(config: Config, clock: Clock, pi: Pi | None = None) -> Backend:
    """All devices of a real board.

    Args:
        config: its configuration.
        clock: real time, or what a test takes for it.
        pi: the ways to the devices; those of this machine, through the configuration's pin factory, by default.

    Raises:
        BadDevice: the configuration is that of a simulated board, or a device can never work on this machine.
        NotInstalled: a driver's package is missing.
    """
    if config.switches.driver == "sim":
        raise BadDevice(f"{config.source}: its board is a simulated one; there is no hardware to reach")
    pi = pi or Pi(pin_factory(config.pi.pin_factory))
    with ExitStack() as made:

        def keep(device: _D) -> _D:
            made.callback(device.close)
            return device

        backend = Backend(
            keep(_switches(config, clock, pi)),
            limited(config, keep(BackgroundLamps(_lamps(config, pi), clock)), _dead(config) * IDLE),
            keep(_panel("handset", config.handset, clock, pi)),
            None if config.display.driver == "none" else keep(_panel("display", config.display, clock, pi)),
            _keys(config, clock, pi, keep),
            clock,
        )
        made.pop_all()
    return backend


def _switches(config: Config, clock: Clock, pi: Pi) -> Switches:
    wanted = config.switches
    count = 8 * (wanted.chips - 1)  # every input, wired or not: what is soldered where is learned from them
    match wanted.driver:
        case "shift-register":
            return ShiftRegisterSwitches(
                count,
                spi=pi.open_spi(wanted.spi, wanted.spi_hz, wanted.spi_mode, "switches"),
                load=LoadPin(wanted.load_pin, pi.pins),
                chips=wanted.chips,
                sentinel=wanted.sentinel,
                mode=wanted.spi_mode,
            )
        case "serial":
            return PicoSwitches(wanted.port, count, chips=wanted.chips, sentinel=wanted.sentinel, clock=clock)
        case "matrix":
            return MatrixSwitches(wanted.rows, wanted.columns, pi.pins)
        case _:
            return GpioSwitches(config.sheet.switch_inputs, pi.pins)


def _lamps(config: Config, pi: Pi) -> Lamps:
    """The chain of all strips."""
    wanted = config.lamps
    made = []
    for place, (count, dead) in enumerate(strips(wanted, config.sheet)):
        lamps: Lamps
        if wanted.driver == "neopixel-spi":
            lamps = SpiLamps(count, spi=pi.open_spi(wanted.spi[place], HZ, 0, "lamps"), order=wanted.order)
        else:
            lamps = PwmLamps(count, pin=wanted.pins[place], order=wanted.order, model=config.pi.model)
        made.append(Strip(lamps, dead))
    return Strips(made)


def _dead(config: Config) -> int:
    """How many lamps of the chain never shine."""
    return sum(dead for _, dead in strips(config.lamps, config.sheet))


def _panel(name: str, wanted: Oled, clock: Clock, pi: Pi) -> Panel:
    kind, _, device = wanted.bus.partition("-")
    if kind == "i2c":
        open_bus = i2c_bus(int(device), wanted.address)
    else:
        open_spi: Callable[[], Spi] = partial(pi.open_spi, device, OLED_HZ, 0, name)
        open_bus = spi_bus(open_spi, dc_pin=wanted.dc_pin, reset_pin=wanted.reset_pin, factory=pi.pins)
    panel = OledPanel(
        name,
        chip=cast("Chip", wanted.chip),
        open_bus=open_bus,
        clock=clock,
        contrast=wanted.contrast,
        shift_every=wanted.shift_s or float("inf"),
        rotate=180 if wanted.upside_down else 0,
    )
    return BackgroundPanel(panel, clock, what=name)


def _keys(config: Config, clock: Clock, pi: Pi, keep: Callable[[Keys], Keys]) -> Keys:
    """All keys as one device; each part is kept once it is made, for the next may be refused."""
    wanted = config.keys
    pins = {f"table.{key}": pin for key, pin in wanted.table.items()}
    pins |= {f"handset.{key}": pin for key, pin in wanted.handset.items()}
    keys = keep(ButtonKeys(pins, pi.pins))
    if wanted.encoder:
        clk, dt = wanted.encoder
        keys = JoinedKeys(keys, keep(EncoderKeys(clk, dt, pi.pins, clock)))
    return LongPresses(keys, wanted.long, clock, wanted.hold_ms / 1000) if wanted.long else keys
