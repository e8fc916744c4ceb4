"""Measure the drivers for `yardboard bench --drivers`: time their software here, and compute the time on the wire.

The real drivers and libraries run on test doubles: pins in memory, and buses that accept data at once and count it. So
the measured time is the program's own. The time on a Pi's wires is not measured but computed from the number of bits
and the clock, and is marked as computed.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from typing import Any

from PIL import Image

from firmware_host.bench.measurements import BenchError, cpu_seconds, repeatable_rng
from firmware_host.bench.report import machine
from firmware_host.config.drivers.oled_driver import OLED_HZ
from hardware.current_limit import LimitedLamps
from hardware.drivers.buttons import ButtonKeys
from hardware.drivers.colour_order import to_colour_order
from hardware.drivers.neopixels import HZ as LAMPS_HZ
from hardware.drivers.neopixels import SpiLamps, encode
from hardware.drivers.oled import REFRESH, Bus, OledPanel, OpenBus, spi_bus
from hardware.drivers.pico import Counters, PicoSession
from hardware.drivers.pin_factory import pin_factory
from hardware.drivers.pins import SETTLE, GpioSwitches, MatrixSwitches
from hardware.drivers.shift_register import SENTINEL, Load, LoadPin, ShiftRegisterSwitches
from hardware.firmware.frames import PROTOCOL, REPORT, WELCOME
from hardware.firmware.frames import encode as framed
from hardware.ports import NotInstalled
from hardware.sim.physics import SimClock

CHIPS, CHIPS_HZ = 26, 1_000_000
"""The number of chips in London's chain, and the frequency of its clock in Hz."""

LAMPS, BIT_S = 223, 1.25e-6
"""The number of London's lamps, and the seconds that each of their 24 bits takes on a PWM pin."""

I2C_HZ, I2C_BITS = 400_000, 9
"""The frequency of I2C's fast mode in Hz, and the bits on the wire for each byte: eight, and its acknowledgement."""

USB_HZ = 12_000_000
"""The bits a second of USB at full speed, which a Pico uses."""

SIZE = 128, 64


@dataclass(frozen=True, slots=True)
class DriverRow:
    """One line of the report on drivers.

    Attributes:
        what: what was measured.
        software: seconds of one processor core.
        size: bytes on the bus; None if there is no bus.
        wire: computed seconds on the wire; None if there is no bus.
        note: a comparison with simpler code, and other facts.
    """

    what: str
    software: float
    size: int | None = None
    wire: float | None = None
    note: str = ""

    @property
    def line(self) -> str:
        """The row as a line of text."""
        size = "" if self.size is None else f"{self.size:,} bytes"
        wire = "" if self.wire is None else _time(self.wire)
        return f"{self.what:<48} {_time(self.software):>10} {size:>12} {wire:>10}  {self.note}".rstrip()


HEADING = f"{'what':<48} {'software':>10} {'on the bus':>12} {'computed':>10}"
"""The heading of the rows. A "computed" time is that of the bytes on a Pi's wire."""


@dataclass(frozen=True, slots=True)
class Timer:
    """A timer for functions that never wait. It reports the median of several rounds of many calls.

    Attributes:
        rounds: the number of rounds.
        calls: the number of calls in a round.
    """

    rounds: int
    calls: int

    def __call__(self, work: Callable[[], object]) -> float:
        """Return the seconds that one call of `work` takes."""
        work()
        took = [cpu_seconds(lambda: [work() for _ in range(self.calls)]) for _ in range(self.rounds)]
        return statistics.median(took) / self.calls

    def each(self, work: Callable[[Any], object], inputs: Sequence[Any]) -> float:
        """Return the seconds that one call of `work` takes, with a different input for each call."""
        endless = cycle(inputs)
        return self(lambda: work(next(endless)))


FULL = Timer(rounds=5, calls=200)
QUICK = Timer(rounds=3, calls=40)


def table(quick: bool) -> list[str]:
    """Return the lines of the report. If a package is missing, one line says how to install it.

    Args:
        quick: whether to use fewer rounds, for rough figures in a second.
    """
    timer = QUICK if quick else FULL
    lines = [machine(), HEADING]
    for part in (_chain, _pico, _matrix, _pins, _lamps, _screen_on_i2c, _screen_on_spi):
        try:
            lines += [row.line for row in part(timer)]
        except NotInstalled as error:
            lines += [str(error)] if str(error) not in lines else []
    lines.append("software: CPU time of one core, on pins in memory and buses that take no time")
    lines.append("computed: bytes by the bus's clock, without what the kernel and the library below add")
    return lines


def _times(slow: float, fast: float, than: str) -> str:
    return f"{slow / fast:.1f} times as fast as {than}"


def _time(seconds: float) -> str:
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.2f} ms"
    return f"{seconds * 1e6:.0f} µs" if seconds >= 1e-4 else f"{seconds * 1e6:.1f} µs"


# ---- doubles ---------------------------------------------------------------------------------------------------------


class _Bus:
    """A fake bus that accepts all data at once. Implements `Spi`, `Load` and luma's I2C interface.

    Attributes:
        size: how many bytes it has accepted; on I2C, address and control bytes count, too.
    """

    def __init__(self, *readings: bytes) -> None:
        self._readings, self._next = readings, 0
        self.size = 0

    def transfer(self, data: bytes) -> bytes:
        self.size += len(data)
        self._next += 1
        return self._readings[self._next % len(self._readings)]

    def write(self, data: bytes) -> None:
        self.size += len(data)

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:  # noqa: ARG002 - smbus2's signature
        self.size += 2 + len(data)

    def pulse(self) -> None:
        pass

    def close(self) -> None:
        pass

    def bytes_for(self, work: Callable[[], object]) -> int:
        """Return the number of bytes that a call of `work` sends over the bus."""
        before = self.size
        work()
        return self.size - before


# ---- switches --------------------------------------------------------------------------------------------------------


def _reading(closed: int) -> bytes:
    """Return the bytes that a chain of switches sends in SPI mode 1 if these contacts are closed.

    The first bit is lost in this mode.
    """
    stations, end = 8 * (CHIPS - 1), (1 << 8 * CHIPS) - 1
    levels = "".join("01"[not closed >> number & 1] for number in range(stations)) + f"{SENTINEL:08b}"
    return (int(levels, 2) << 1 & end).to_bytes(CHIPS)


def _bit_by_bit(data: bytes) -> int:
    """Decode the data of a chain of switches with a plain loop over the switches, for comparison."""
    closed = 0
    for number in range(1, 8 * (CHIPS - 1)):
        byte, bit = divmod(number - 1, 8)
        if not data[byte] >> 7 - bit & 1:
            closed |= 1 << number
    return closed


def _chain(timer: Timer) -> Iterator[DriverRow]:
    one, other = _reading(1 << 7 | 1 << 150), _reading(1 << 8 | 1 << 150)
    for what, bus in (("nothing changed", _Bus(one)), ("something changed", _Bus(one, other))):
        load = LoadPin(16, pin_factory("mock"))
        decoded, whole = _switches(bus, bus), _switches(bus, load)
        for reading in (one, other):
            if _switches(_Bus(reading), bus).read() != _bit_by_bit(reading):
                raise BenchError(
                    "shift-register: the driver gives another result than a loop over its switches; report this bug"
                )
        fast, slow = timer(decoded.read), timer(partial(_read_bit_by_bit, bus))
        note = f"{_time(fast)} without the load pin: {_times(slow, fast, 'a loop over the switches')}"
        size = bus.bytes_for(whole.read)
        yield DriverRow(f"shift-register: {CHIPS} chips, {what}", timer(whole.read), size, 8 * size / CHIPS_HZ, note)
        load.close()


def _switches(bus: _Bus, load: Load) -> ShiftRegisterSwitches:
    return ShiftRegisterSwitches(8 * (CHIPS - 1), spi=bus, load=load, chips=CHIPS, sentinel=SENTINEL, mode=1)


def _read_bit_by_bit(bus: _Bus) -> int:
    return _bit_by_bit(bus.transfer(bytes(CHIPS)))


def _pico(timer: Timer) -> Iterator[DriverRow]:
    length = CHIPS + 2
    session = PicoSession(length, 0.0, Counters())
    session.receive(framed(WELCOME, 0, bytes((PROTOCOL, 1, 0, 0)) + (8 * length).to_bytes(2)), 0.0)
    reports = [framed(REPORT, number, _reading(1 << number) + bytes(2)) for number in range(1, 200)]
    took = timer.each(lambda report: session.receive(report, 0.0), reports)
    if session.report[:CHIPS] not in {_reading(1 << number) for number in range(1, 200)}:
        raise BenchError("serial: the driver reads other switches than the Pico's last report has; report this bug")
    size = len(reports[0])
    note = "only when something changed, or every 0.1 s; on a thread of its own"
    yield DriverRow(f"serial: a report, {CHIPS} chips", took, size, 8 * size / USB_HZ, note)
    newest = _Bus(_reading(1 << 7))
    yield DriverRow("serial: scan, the newest report", timer(_switches(newest, newest).read))


def _matrix(timer: Timer) -> Iterator[DriverRow]:
    rows, columns = (6, 7, 8, 9, 10, 11), (12, 13, 16, 17, 19, 20)
    switches = MatrixSwitches(rows, columns, pin_factory("mock"))
    waited = SETTLE * len(rows)
    took = timer(switches.read)
    note = f"{_time(waited)} of it, computed, waiting for the columns to rise"
    yield DriverRow(f"matrix: scan, {len(rows)} by {len(columns)}", took, note=note)
    switches.close()


def _pins(timer: Timer) -> Iterator[DriverRow]:
    switches = GpioSwitches(range(14), pin_factory("mock"))
    yield DriverRow("gpio: scan, 14 pins", timer(switches.read))
    switches.close()
    keys = ButtonKeys({f"key {pin}": pin for pin in range(10)}, pin_factory("mock"))
    yield DriverRow("keys: scan, 10 buttons", timer(keys.read))
    keys.close()


# ---- lamps -----------------------------------------------------------------------------------------------------------


def _lamps(timer: Timer) -> Iterator[DriverRow]:
    rng, bus = repeatable_rng(5), _Bus()
    frames = [rng.randbytes(3 * LAMPS) for _ in range(50)]
    lamps = SpiLamps(LAMPS, spi=bus)
    if any(to_colour_order(frame, "GRB") != _lamp_by_lamp(frame) for frame in frames):
        raise BenchError("lamps: the driver gives another frame than a loop over its lamps; report this bug")
    ordered = timer.each(lambda frame: to_colour_order(frame, "GRB"), frames)
    plain = replace(timer, calls=1 + timer.calls // 10).each(_lamp_by_lamp, frames)
    yield DriverRow(f"lamps: colours put in order, {LAMPS}", ordered, note=_times(plain, ordered, "lamp by lamp"))
    yield DriverRow("lamps: frame encoded for SPI", timer.each(encode, frames))
    size = bus.bytes_for(partial(lamps.show, frames[0]))
    whole = timer.each(lamps.show, frames)
    yield DriverRow("neopixel-spi: frame put in order, encoded, sent", whole, size, 8 * size / LAMPS_HZ)
    bent = timer.each(LimitedLamps(lamps, 3000, 0.8, 2.2).show, frames)
    yield DriverRow("neopixel-spi: the same behind gamma and limit", bent, size, 8 * size / LAMPS_HZ)
    note = "as above; the library's own sending is not measured: it shines for real"
    yield DriverRow("neopixel-pwm: frame put in order", ordered, 3 * LAMPS, 24 * LAMPS * BIT_S, note)


def _lamp_by_lamp(frame: bytes) -> bytearray:
    """Convert colours to the order on the wire with a plain loop over the lamps, for comparison."""
    ordered = bytearray()
    for lamp in range(LAMPS):
        red, green, blue = frame[3 * lamp : 3 * lamp + 3]
        ordered += bytes((green, red, blue))
    return ordered


# ---- screens ---------------------------------------------------------------------------------------------------------


def _screen_on_i2c(timer: Timer) -> Iterator[DriverRow]:
    wires = _Bus()

    def open_bus() -> Bus:
        from luma.core.interface.serial import i2c  # noqa: PLC0415 - an optional extra

        bus = i2c(bus=wires, address=0x3C)
        bus.cleanup = wires.close
        return bus  # type: ignore[no-any-return]

    yield from _screen(timer, "oled on I2C", open_bus, wires, I2C_BITS / I2C_HZ)


def _screen_on_spi(timer: Timer) -> Iterator[DriverRow]:
    wires = _Bus()
    open_bus = spi_bus(lambda: wires, what="screen", dc_pin=16, reset_pin=None, factory=pin_factory("mock"))
    yield from _screen(timer, "oled on SPI", open_bus, wires, 8 / OLED_HZ)


def _screen(timer: Timer, what: str, open_bus: OpenBus, wires: _Bus, byte_s: float) -> Iterator[DriverRow]:
    clock, rng = SimClock(), repeatable_rng(5)
    panel = OledPanel("screen", chip="ssd1306", open_bus=open_bus, clock=clock, contrast=127, shift_every=60)
    pictures = [Image.frombytes("1", SIZE, rng.randbytes(SIZE[0] * SIZE[1] // 8)) for _ in range(4)]

    def refresh(picture: Image.Image) -> None:
        clock.advance(REFRESH)
        panel.show(picture)

    for name, show, shown in (
        ("another picture", panel.show, pictures),
        ("the same picture again", panel.show, pictures[:1]),
        (f"settings and picture, every {REFRESH:g} s", refresh, pictures),
    ):
        show(shown[0])
        size = wires.bytes_for(partial(show, shown[-1]))
        yield DriverRow(f"{what}: {name}", timer.each(show, shown), size, size * byte_s)
    panel.close()
