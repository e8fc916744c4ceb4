"""Drive strips of NeoPixels over SPI, or on a PWM, PCM or PIO pin, joined as one chain.

`SpiLamps` needs no root and no timer, and works the same on every Pi: prefer it to `PwmLamps`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardware.current_limit import estimate_current
from hardware.drivers.colour_order import check_chain, to_colour_order
from hardware.drivers.spi import Spi
from hardware.ports import BadDevice, DeviceLost, Lamps, NotInstalled, check_frame
from hardware.raspberry_pi.pinout import model_named


@dataclass(frozen=True, slots=True)
class Strip:
    """One strip of lamps, of which the first ones may be dead.

    A dead lamp passes data on but must stay dark. Examples are a first lamp that only raises the level of the data
    line, and a lamp between the plug and the board.

    Attributes:
        lamps: all its lamps.
        dead: how many of them, from the first on, stay dark and are not counted.
    """

    lamps: Lamps
    dead: int = 0

    @property
    def count(self) -> int:
        """The number of lamps in the strip that are not dead."""
        return self.lamps.count - self.dead


class Strips:
    """Several strips joined as one chain of lamps. Implements `Lamps`.

    Together the strips keep to a limit at every moment, even while only some have accepted a frame, and even if one is
    lost and keeps its last frame. So the brightest possible frame of each strip is stored: the accepted frame, or after
    a failed `show`, byte by byte the brighter of old and new. Before the first frame the lamps may still shine from a
    program that was killed. That light is unknown and counts as dark.

    Args:
        strips: the strips in order; lamp 0 of the chain is the first lamp of the first strip after its dead lamps.
        max_milliamps: the current limit of all lamps that are not dead, together.

    Raises:
        BadDevice: no strips, or a strip with a negative number of dead lamps or with dead lamps only.
    """

    def __init__(self, strips: Sequence[Strip], max_milliamps: float = math.inf) -> None:
        if not strips:
            raise BadDevice("lamps: a chain of no strips; there must be at least 1")
        for number, strip in enumerate(strips, 1):
            if not 0 <= strip.dead < strip.lamps.count:
                raise BadDevice(
                    f"lamps: strip {number} has {strip.dead} dead lamps of {strip.lamps.count}; "
                    f"there may be 0 to {strip.lamps.count - 1}"
                )
        self.count = sum(strip.count for strip in strips)
        self._strips = tuple(strips)
        self._max_milliamps = max_milliamps
        self._known = [bytes(3 * strip.count) for strip in strips]

    def ready(self) -> bool:
        """Return whether every strip can take another frame now."""
        return all(strip.lamps.ready() for strip in self._strips)

    def show(self, frame: bytes) -> None:
        """Show a frame. Each strip gets its part, even if another strip is lost. See `Lamps.show`.

        A lost strip may still be so bright that the limit leaves no room for another strip's part. Only in this case
        the other strip keeps its old part.

        Raises:
            BadDevice: the frame has another length, or draws more than the limit.
            DeviceLost: at least one strip cannot be reached now; the message names them.
        """
        check_frame(frame, self.count)
        if (current := estimate_current(frame)) > self._max_milliamps:
            raise BadDevice(
                f"lamps: a frame of {current:g} mA; the strips may draw {self._max_milliamps:g} mA together"
            )
        parts = self._parts(frame)
        lost: dict[int, str] = {}
        # First those that draw less than before: they make room for the others.
        for number in sorted(range(len(parts)), key=lambda number: sum(parts[number]) - sum(self._known[number])):
            try:
                self._change(number, parts[number])
            except DeviceLost as error:
                why = str(error).removeprefix("lamps: ")
                lost[number] = f"strip {number + 1}: {why}" if len(parts) > 1 else why
        if lost:
            raise DeviceLost(f"lamps: {'; '.join(lost[number] for number in sorted(lost))}")

    def close(self) -> None:
        """Release all strips. The lamps keep the last frame."""
        for strip in self._strips:
            strip.lamps.close()

    def _parts(self, frame: bytes) -> list[bytes]:
        parts, first = [], 0
        for strip in self._strips:
            end = first + 3 * strip.count
            parts.append(frame[first:end])
            first = end
        return parts

    def _change(self, number: int, part: bytes) -> None:
        """Send one strip its part of the frame, unless the lamps would exceed the limit on current."""
        if not self._fits(number, part):
            return
        known = self._known[number]
        if not self._fits(number, bytes(map(max, known, part))):
            # During the change it would be too bright, with old and new light: first show only what both share.
            self._send(number, bytes(map(min, known, part)))
        self._send(number, part)

    def _send(self, number: int, part: bytes) -> None:
        """Send a strip its part of the frame.

        Until the strip has accepted it, the brighter of old and new counts for the limit, byte by byte.
        """
        strip = self._strips[number]
        self._known[number] = bytes(map(max, self._known[number], part))
        strip.lamps.show(bytes(3 * strip.dead) + part)
        self._known[number] = part

    def _fits(self, number: int, part: bytes) -> bool:
        """Return whether the limit on current allows a strip's part in addition to the other strips."""
        return (
            estimate_current(b"".join((*self._known[:number], part, *self._known[number + 1 :]))) <= self._max_milliamps
        )


HZ = 3_200_000
"""The clock rate of the bus, in SPI mode 0."""

LOW = bytes(120)
"""300 µs of low: WS2812B-V5 needs over 280 µs for the end of a frame, older ones over 50 µs."""

_CODE = tuple(bytes.fromhex(f"{byte:08b}".replace("0", "8").replace("1", "E")) for byte in range(256))
"""Each byte's eight bits, the highest first, as four bytes of SPI: 1000 for a 0, 1110 for a 1."""


def encode(colours: bytes | bytearray) -> bytes:
    """Return the bytes on MOSI for some colours: 12 a lamp, with `LOW` before and after them. Pure.

    MOSI may idle high, and its fall to low looks like one more bit. The low before the frame makes the lamps forget
    that bit. The low behind the frame makes them shine before the line rises again.

    Args:
        colours: three bytes a lamp, in the lamps' own order.
    """
    return b"".join((LOW, *map(_CODE.__getitem__, colours), LOW))


class SpiLamps:
    """A chain of WS2812 lamps on MOSI of the SPI bus. Implements `Lamps`.

    At 3.2 MHz four SPI bits make one bit of a lamp, 1.25 µs: high for one of them is a 0, for three a 1. So both keep
    to the timing tables of WS2812B (T0H 250-550, T0L 700-1000, T1H 650-950, T1L 300-600 ns) and WS2812B-V5 (T0H
    220-380, T0L 580-1000, T1H 580-1000, T1L 220-420 ns). Every byte ends low, so a bus that pauses between bytes does
    no harm.

    The bus must serve the lamps alone: they would take every other transfer's bits for colours. On a Pi 4 and a Pi 3
    the clock is exact only if the core clock is fixed (`core_freq` in config.txt).

    A frame is one transfer, never two: in the gap the lamps would take the first part for the whole. 321 lamps fit into
    spidev's default of 4,096 bytes (`spidev.bufsiz`).

    Args:
        count: number of lamps.
        spi: the bus, clocked with `HZ`, mode 0.
        order: the lamps' colour order, one of `hardware.drivers.colour_order.ORDERS`.

    Raises:
        BadDevice: no lamps, or an unknown order.
    """

    def __init__(self, count: int, *, spi: Spi, order: str = "GRB") -> None:
        check_chain(count, order)
        self.count = count
        self._spi = spi
        self._order = order

    def ready(self) -> bool:
        """Return True, because `show` returns only when the frame was sent, after 7 ms for 223 lamps."""
        return True

    def show(self, frame: bytes) -> None:
        """Show a frame. If it is too long for one transfer, raise `BadDevice`. See `Lamps.show`."""
        check_frame(frame, self.count)
        self._spi.write(encode(to_colour_order(frame, self._order)))

    def close(self) -> None:
        """Release the bus. The lamps keep the last frame."""
        self._spi.close()


@dataclass(frozen=True, slots=True)
class _Backend:
    """A library that can drive lamps: its pins, and the file that it needs to read and write."""

    pins: tuple[int, ...]
    node: str
    remedy: str
    recovers: bool = True


_PIO = _Backend(
    tuple(range(28)), "/dev/pio0", "update the Pi's kernel and firmware, and put the user into the file's group"
)
# Once rpi_ws281x has failed, calling it again reads freed memory: such lamps stay lost until the next start.
_PWM = _Backend((12, 13, 18, 19, 21), "/dev/mem", "start yardboard as root, or use driver neopixel-spi", recovers=False)
_SPI = _Backend((10,), "/dev/spidev0.0", "turn SPI on in config.txt, and put the user into group spi", recovers=False)


class PwmLamps:
    """A chain of WS2812 lamps on a PWM, PCM, PIO or SPI pin. Implements `Lamps`.

    Up to the Pi 4 adafruit-circuitpython-neopixel uses rpi_ws281x, which writes to the chip's registers. So it needs
    root, the PWM block (analogue sound off) and a pin of that block. On a Pi 5 it uses
    Adafruit-Blinka-Raspberry-Pi5-Neopixel, whose PIO serves every pin and needs write access to /dev/pio0.

    rpi_ws281x supports one chain in a process, so up to the Pi 4 create only one of these. It also waits for its
    transfer with the interpreter stopped, 30 µs a lamp: suitable for some dozens of lamps, not for hundreds.

    Args:
        count: number of lamps.
        pin: the BCM number of the pin: 12, 13, 18, 19 (PWM), 21 (PCM) or 10 (SPI); on a Pi 5 any from 0 to 27.
        order: the lamps' colour order, one of `hardware.drivers.colour_order.ORDERS`.
        model: which Pi this is, one of `hardware.raspberry_pi.pinout.MODELS`.

    Raises:
        BadDevice: no lamps, an unknown order or model, a machine that Blinka does not know, or a pin that cannot drive
            lamps on this model.
        NotInstalled: a package is not installed.
    """

    def __init__(self, count: int, *, pin: int, order: str = "GRB", model: str) -> None:
        check_chain(count, order)
        self.count = count
        self._pin = pin
        self._order = order
        self._backend = _backend_for(pin, model)
        self._board, self._neopixel = _packages()
        self._pixels: Any = None
        self._lost_for_good = ""

    def ready(self) -> bool:
        """Return True, because `show` returns only when the frame was sent, after up to 15 ms for 223 lamps."""
        return True

    def show(self, frame: bytes) -> None:
        """Show a frame. If rpi_ws281x has failed, the lamps stay lost until the next start. See `Lamps.show`."""
        check_frame(frame, self.count)
        if self._lost_for_good:
            raise DeviceLost(self._lost_for_good)
        if self._pixels is None:
            self._pixels = self._open()
        # All pixels in bulk, for which the library has no public way: this is what its show() sends. For 223 lamps it
        # takes 2 µs; pixel by pixel it would be 200.
        self._pixels._post_brightness_buffer[:] = to_colour_order(frame, self._order)  # noqa: SLF001
        try:
            self._pixels.show()
        except (OSError, RuntimeError) as error:
            why = f"lamps: GPIO {self._pin} cannot be written to: {_one_line(error)}"
            if not self._backend.recovers:
                why = self._lost_for_good = f"{why}; mend it and start yardboard again"
            raise DeviceLost(why) from error

    def close(self) -> None:
        """Release the pin. The lamps keep the last frame."""
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            pixels.pin.deinit()

    def _open(self) -> Any:
        # First check that the file opens: otherwise rpi_ws281x would end the process.
        try:
            os.close(os.open(self._backend.node, os.O_RDWR))
        except OSError as error:
            raise DeviceLost(
                f"lamps: neopixel-pwm on GPIO {self._pin} needs {self._backend.node}: {error.strerror}; "
                f"{self._backend.remedy}"
            ) from error
        try:
            pin = getattr(self._board, f"D{self._pin}")
            return self._neopixel.NeoPixel(pin, self.count, brightness=1.0, auto_write=False, pixel_order=self._order)
        except (OSError, RuntimeError, ValueError) as error:
            raise DeviceLost(f"lamps: GPIO {self._pin} cannot be taken: {_one_line(error)}") from error


def _backend_for(pin: int, model: str) -> _Backend:
    """Return the library that can drive lamps on this pin of this model of Pi."""
    name = model_named(model).name
    backends = (_PIO,) if model == "5" else (_PWM, _SPI)
    for backend in backends:
        if pin in backend.pins:
            return backend
    pins = sorted(pin for backend in backends for pin in backend.pins)
    raise BadDevice(f"lamps: neopixel-pwm cannot use GPIO {pin} of a {name}; it can use {', '.join(map(str, pins))}")


def _packages() -> tuple[Any, Any]:
    # Without this, importing board at a terminal asks the user whether to install things.
    os.environ["BLINKA_SKIP_DEPENDENCY_CHECK"] = "1"
    try:
        import board  # noqa: PLC0415 - only a Pi has it
        import neopixel  # noqa: PLC0415 - only a Pi has it
    except NotImplementedError as error:  # Blinka is installed, and does not know the machine
        raise BadDevice(
            f"lamps: neopixel-pwm does not run on this machine ({_one_line(error)}, says Blinka); "
            "it takes a Raspberry Pi; or set [lamps] driver to neopixel-spi"
        ) from error
    except (ImportError, RuntimeError) as error:  # Blinka raises RuntimeError for its own missing parts
        raise NotInstalled.needing(
            "lamps: neopixel-pwm",
            f"adafruit-circuitpython-neopixel and what it runs on ({_one_line(error)})",
            "pwm",
        ) from error
    return board, neopixel


def _one_line(error: Exception) -> str:
    return " ".join(str(getattr(error, "strerror", None) or error).split())
