"""Define the drivers of lamps in NeoPixel strips, over SPI or on pins of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from firmware_host.config.allowed_values import adjustable, choice, integers, texts
from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.driver import ConfiguredDevice, DeviceFault, Driver, Needs, UsedPin
from hardware.current_limit import IDLE
from hardware.drivers.colour_order import why_no_order
from hardware.drivers.neopixels import HZ, PwmLamps, SpiLamps, Strip, Strips, encode
from hardware.drivers.pins import PiAccess
from hardware.ports import Clock, Lamps
from hardware.raspberry_pi.pin_conflicts import PwmUse, SpiUse
from hardware.raspberry_pi.pinout import LAST_GPIO

LAST_END = 4095
"""An upper limit of switches or lamps, far beyond any table."""

_MS_A_LAMP = 0.03  # 30 µs, WS2812B data sheet


@dataclass(frozen=True)
class NeopixelSettings:
    """The configuration keys of NeoPixel strips."""

    spi: tuple[str, ...] = texts(
        ("0.0",), such=("0.0",), doc="The SPI device of each strip; nothing else may be on its bus."
    )
    pins: tuple[int, ...] = integers(
        (18,), low=0, high=LAST_GPIO, doc="The GPIO of each strip: 12, 13, 18 or 19 (PWM), or 21 (PCM)."
    )
    strips: tuple[int, ...] = integers(
        low=1, high=LAST_END, doc="The number of lamps of each strip; empty: all lamps are on one strip."
    )
    dead: tuple[int, ...] = integers(
        low=0,
        high=100,
        doc="The number of further lamps at the start of each strip that stay dark; empty: none.",
    )
    order: str = adjustable(
        choice(
            "GRB",
            of=("GRB", "RGB", "RBG", "GBR", "BRG", "BGR"),
            doc="The order of the colours on the wire.",
            refusal=why_no_order,
        )
    )


def strips(lamps: NeopixelSettings, layout: BoardLayout) -> tuple[tuple[int, int], ...]:
    """Return the number of lamps on each strip, and how many of them are dead, which means always dark."""
    wanted = lamps.strips or (layout.lamps,)
    dead = lamps.dead or (0,) * len(wanted)
    return tuple((count + unused, unused) for count, unused in zip(wanted, dead, strict=True))


def dark_milliamps(lamps: NeopixelSettings, layout: BoardLayout) -> float:
    """Return the milliamps that the dead lamps of the chain draw, although they are always dark."""
    return IDLE * sum(dead for _, dead in strips(lamps, layout))


def _faults_of_pwm(device: ConfiguredDevice) -> Iterator[DeviceFault]:
    wanted: NeopixelSettings = device.settings
    yield from _faults(device, "pins", len(wanted.pins))
    number = len(wanted.strips) or 1
    if number > 1 and device.sections["pi"].model != "5":
        yield DeviceFault(
            "lamps",
            "pins",
            f'{number} strips; up to the Pi 4 this driver drives only one; write driver = "neopixel-spi"',
        )


def _faults(device: ConfiguredDevice, key: str, ends: int) -> Iterator[DeviceFault]:
    """Yield the faults in the settings of strips that contradict each other.

    `ends` is the number of strips whose wire the key named `key` gives.
    """
    wanted: NeopixelSettings = device.settings
    needed, a_second = device.layout.lamps, device.settings.frames_per_second
    number = len(wanted.strips) or 1
    many = f"{number} strip{'s' * (number > 1)}"
    if ends != number:
        yield DeviceFault("lamps", key, f"has {ends} entries for {many}; write one entry for each length in strips")
    if wanted.dead and len(wanted.dead) != number:
        yield DeviceFault("lamps", "dead", f"has {len(wanted.dead)} numbers for {many}; write one for each")
    if wanted.strips and sum(wanted.strips) < needed:
        yield DeviceFault(
            "lamps", "strips", f"{sum(wanted.strips)} lamps together; write lengths whose sum is at least {needed}"
        )
    slow = max(wanted.strips or (needed,)) * _MS_A_LAMP
    if slow * a_second > 1000:
        what = f"a strip takes {slow:.0f} ms a frame, too long for {a_second} a second; write {int(1000 / slow)}"
        yield DeviceFault("lamps", "frames_per_second", f"{what} or less, or use several strips")


def _needs_of_spi(device: ConfiguredDevice) -> Needs:
    wanted: NeopixelSettings = device.settings
    lengths = (count for count, _ in strips(wanted, device.layout))
    return Needs(transfers={bus: len(encode(bytes(3 * n))) for bus, n in zip(wanted.spi, lengths, strict=True)})


def _make_spi(device: ConfiguredDevice, pi: PiAccess, _: Clock) -> Lamps:
    wanted: NeopixelSettings = device.settings

    def strip(place: int, count: int) -> Lamps:
        return SpiLamps(count, spi=pi.open_spi(wanted.spi[place], HZ, 0, "lamps"), order=wanted.order)

    return _chain(device, strip)


def _make_pwm(device: ConfiguredDevice, _pi: PiAccess, _clock: Clock) -> Lamps:
    wanted: NeopixelSettings = device.settings

    def strip(place: int, count: int) -> Lamps:
        return PwmLamps(count, pin=wanted.pins[place], order=wanted.order, model=device.sections["pi"].model)

    return _chain(device, strip)


def _chain(device: ConfiguredDevice, strip: Callable[[int, int], Lamps]) -> Lamps:
    """Create one chain of lamps from all strips. `strip` creates one from its index and number of lamps."""
    wanted: NeopixelSettings = device.settings
    made = [Strip(strip(place, count), dead) for place, (count, dead) in enumerate(strips(wanted, device.layout))]
    return Strips(made, device.settings.max_milliamps - dark_milliamps(wanted, device.layout))


def _lead_of_spi(device: ConfiguredDevice, pin: UsedPin) -> str:
    wanted: NeopixelSettings = device.settings
    bus = pin.function.removeprefix("SPI").partition(" ")[0]
    return _lead(wanted, [spi.partition(".")[0] for spi in wanted.spi].index(bus))


def _lead(wanted: NeopixelSettings, place: int) -> str:
    strip = f" {place + 1}" if len(wanted.strips) > 1 else ""
    return f"lamps: data{strip}, by level shifter"


_SHEETS = "firmware_host.commissioning.diagrams.lamp_chain:lamp_sheets"

DRIVERS = (
    Driver(
        name="neopixel-spi",
        of=("lamps",),
        settings=NeopixelSettings,
        without=("pins",),
        claims=lambda device: [
            SpiUse(bus, "[lamps] spi", ("mosi",), alone=True, steady=True) for bus in device.settings.spi
        ],
        faults=lambda device: _faults(device, "spi", len(device.settings.spi)),
        needs=_needs_of_spi,
        make=_make_spi,
        lead=_lead_of_spi,
        sheets=_SHEETS,
    ),
    Driver(
        name="neopixel-pwm",
        of=("lamps",),
        settings=NeopixelSettings,
        without=("spi",),
        claims=lambda device: [PwmUse(pin, "[lamps] pins") for pin in device.settings.pins],
        faults=_faults_of_pwm,
        make=_make_pwm,
        lead=lambda device, pin: _lead(device.settings, device.settings.pins.index(pin.gpio)),
        sheets=_SHEETS,
    ),
)
