"""The devices of a configuration: each driver with the pins, buses and numbers that its section gives it.

A device that does not answer is no error here: it is lost until it does. What can never work is one: a package that
is not installed, a pin that another program holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from firmware_host.config.loader import Config
from firmware_host.config.pin_assignment import strips
from firmware_host.config.schema import NO_PIN, Display, Handset, Oled
from firmware_host.table.outputs import limited
from hardware.absent import Absent
from hardware.backend import Backend
from hardware.background_output import BackgroundLamps, BackgroundPanel
from hardware.contacts.long_press import LongPresses
from hardware.current_limit import IDLE
from hardware.drivers.buttons import ButtonKeys, JoinedKeys
from hardware.drivers.diode_matrix import MatrixSwitches
from hardware.drivers.encoder import EncoderKeys
from hardware.drivers.gpio_contacts import GpioSwitches
from hardware.drivers.neopixel_pwm import PwmLamps
from hardware.drivers.neopixel_spi import HZ, SpiLamps
from hardware.drivers.oled import Chip, OledPanel
from hardware.drivers.oled_bus import i2c_bus, reset_line, spi_bus
from hardware.drivers.pico import PicoSwitches
from hardware.drivers.pins import pin_factory
from hardware.drivers.shift_register import LoadPin, ShiftRegisterSwitches
from hardware.drivers.spi import KernelSpi, Spi
from hardware.drivers.strips import Strip, Strips
from hardware.ports import BadDevice, Clock, HardwareError, Keys, Lamps, Panel, Switches
from hardware.raspberry_pi.power_supply import watched

OLED_HZ = 4_000_000
"""How fast a screen on SPI is clocked: SH1106 takes no more (data sheet, serial interface timing)."""


DEVICES = ("switches", "lamps", "handset", "display", "keys")
"""The devices of a table."""


class OpenSpi(Protocol):
    """Gives the SPI device of a name such as "0.0"; `what` is the word for it in messages."""

    def __call__(self, device: str, hz: int, mode: int, what: str) -> Spi:
        """The device, not opened yet."""


class _Device(Protocol):
    def close(self) -> None: ...


_D = TypeVar("_D", bound=_Device)


@runtime_checkable
class _Threaded(Protocol):
    """A device with a thread of its own."""

    def late(self) -> float:
        """For how many seconds the thread has not gone on."""


class Pi:
    """The ways from a Raspberry Pi to its devices, for one process.

    Args:
        pins: gives the gpiozero factory of the pins; asked once, and only where pins are used.
        open_spi: gives an SPI device.
        root: the folder below which the kernel's files lie.
    """

    def __init__(self, pins: Callable[[], Any], open_spi: OpenSpi = KernelSpi, root: Path = Path("/")) -> None:
        self._pins = pins
        self.open_spi = open_spi
        self.root = root

    @cached_property
    def pins(self) -> Any:
        """The gpiozero factory.

        Raises:
            BadDevice: it does not run on this machine.
            NotInstalled: its package is missing.
        """
        return self._pins()


OUTPUTS = ("handset", "display", "lamps")
"""What can be put out, the secret one first."""


def put_out(output: str, config: Config, clock: Clock, pi: Pi | None = None) -> None:
    """One of the outputs of a real board off; returns when it is.

    Args:
        output: one of `OUTPUTS`; the display may be one that the board has not.
        config: the board's configuration.
        clock: real time, or what a test takes for it.
        pi: the ways to the devices, as in `assembled`.

    Raises:
        DeviceLost: it does not answer.
        BadDevice: it can never work on this machine.
        NotInstalled: its package is missing.
    """
    pi = pi or _this_pi(config)
    if output == "lamps":
        with closing(_lamps(config, pi)) as lamps:
            lamps.show(bytes(3 * lamps.count))
        return
    wanted: Handset | Display = getattr(config, output)
    if wanted.driver == "oled":
        with closing(_panel(output, wanted, clock, pi)) as panel:
            panel.show(None)


def _this_pi(config: Config) -> Pi:
    return Pi(partial(pin_factory, config.pi.pin_factory))


def assembled(config: Config, clock: Clock, pi: Pi | None = None, *, needed: Collection[str] = DEVICES) -> Backend:
    """All devices of a real board.

    Args:
        config: its configuration.
        clock: real time, or what a test takes for it.
        pi: the ways to the devices; those of this machine, through the configuration's pin factory, by default.
        needed: those of `DEVICES` without which it is no use; another that cannot be made is lost, and says why.

    Raises:
        BadDevice: the configuration is that of a simulated board, or a device can never work on this machine.
        NotInstalled: a driver's package is missing.
    """
    if config.switches.driver == "sim":
        raise BadDevice(f"{config.source}: its board is a simulated one; there is no hardware to reach")
    pi = pi or _this_pi(config)
    threads: dict[str, Callable[[], float]] = {}
    with ExitStack() as made:

        def keep(device: _D) -> _D:
            made.callback(device.close)
            return device

        def device(name: str, make: Callable[[], _D], count: int = 0) -> _D | Absent:
            try:
                one = make()
            except HardwareError as error:
                if name in needed:
                    raise
                return Absent(str(error), count=count, names=tuple(_key_pins(config)))
            if isinstance(one, _Threaded):
                threads[name] = one.late
            return one

        lamps = sum(count - dead for count, dead in strips(config.lamps, config.sheet))
        backend = Backend(
            device("switches", lambda: keep(_switches(config, clock, pi)), _inputs(config)),
            limited(
                config,
                device("lamps", lambda: keep(BackgroundLamps(_lamps(config, pi), clock)), lamps),
                spare(config),
            ),
            device("handset", lambda: keep(_screen("handset", config.handset, clock, pi))),
            None
            if config.display.driver == "none"
            else device("display", lambda: keep(_screen("display", config.display, clock, pi))),
            device("keys", lambda: _keys(config, clock, pi, keep)),
            clock,
            threads,
            watched(pi.root),
        )
        made.pop_all()
    return backend


def _switches(config: Config, clock: Clock, pi: Pi) -> Switches:
    wanted = config.switches
    count = _inputs(config)
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


def _inputs(config: Config) -> int:
    """How many inputs there are, wired or not: what is soldered where is learned from them."""
    wanted = config.switches
    match wanted.driver:
        case "shift-register" | "serial":
            return 8 * (wanted.chips - 1)
        case "matrix":
            return len(wanted.rows) * len(wanted.columns)
        case _:
            return max(config.sheet.switch_inputs) + 1


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
    return Strips(made, wanted.max_milliamps - spare(config))


def spare(config: Config) -> float:
    """Milliamps of those lamps of the chain that never shine."""
    return IDLE * sum(dead for _, dead in strips(config.lamps, config.sheet))


def _panel(name: str, wanted: Oled, clock: Clock, pi: Pi) -> Panel:
    kind, _, device = wanted.bus.partition("-")
    if kind == "i2c":
        wired = wanted.reset_pin != NO_PIN
        reset = reset_line(wanted.reset_pin, what=name, factory=pi.pins) if wired else None
        open_bus = i2c_bus(int(device), wanted.address, reset)
    else:
        open_spi: Callable[[], Spi] = partial(pi.open_spi, device, OLED_HZ, 0, name)
        open_bus = spi_bus(open_spi, what=name, dc_pin=wanted.dc_pin, reset_pin=wanted.reset_pin, factory=pi.pins)
    return OledPanel(
        name,
        chip=cast("Chip", wanted.chip),
        open_bus=open_bus,
        clock=clock,
        contrast=wanted.contrast,
        shift_every=wanted.shift_s or float("inf"),
        rotate=180 if wanted.upside_down else 0,
    )


def _screen(name: str, wanted: Oled, clock: Clock, pi: Pi) -> Panel:
    """A panel that never makes the caller wait."""
    return BackgroundPanel(_panel(name, wanted, clock, pi), clock, what=name)


def _keys(config: Config, clock: Clock, pi: Pi, keep: Callable[[Keys], Keys]) -> Keys:
    """All keys as one device; each part is kept once it is made, for the next may be refused."""
    wanted = config.keys
    keys = keep(ButtonKeys(_key_pins(config), pi.pins))
    if wanted.encoder:
        clk, dt = wanted.encoder
        keys = JoinedKeys(keys, keep(EncoderKeys(clk, dt, pi.pins, clock)))
    return LongPresses(keys, wanted.long, clock, wanted.hold_ms / 1000) if wanted.long else keys


def _key_pins(config: Config) -> dict[str, int]:
    """The keys with a button of their own, and its GPIO."""
    pins = {f"table.{key}": pin for key, pin in config.keys.table.items()}
    return pins | {f"handset.{key}": pin for key, pin in config.keys.handset.items()}
