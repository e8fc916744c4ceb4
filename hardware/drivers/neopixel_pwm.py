"""Drive NeoPixels on a PWM or PCM pin through adafruit-circuitpython-neopixel.

Up to the Pi 4 it uses rpi_ws281x, which writes to the chip's registers and so needs root, the PWM block (analogue sound
off) and a pin that has one; on a Pi 5 Adafruit-Blinka-Raspberry-Pi5-Neopixel, whose PIO serves every pin and needs
write access to /dev/pio0. `hardware.drivers.neopixel_spi` needs neither: prefer it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from hardware.drivers.colour_order import check_chain, to_colour_order
from hardware.ports import BadDevice, DeviceLost, NotInstalled, check_frame
from hardware.raspberry_pi.pinout import model_named


@dataclass(frozen=True, slots=True)
class _Backend:
    """The library for the lamps: its pins, and its file, which must be readable and writable."""

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
    """A chain of WS2812 lamps on a PWM, PCM or PIO pin. Implements the `Lamps` port.

    rpi_ws281x supports one chain in a process, so up to the Pi 4 create only one of these. It also waits for its
    transfer with the interpreter stopped, 30 µs a lamp: suitable for some dozens of lamps, not for hundreds.

    Args:
        count: number of lamps.
        pin: the BCM number of the pin: 12, 13, 18, 19 (PWM), 21 (PCM) or 10 (SPI); on a Pi 5 any from 0 to 27.
        order: the lamps' colour order, one of `hardware.drivers.colour_order.ORDERS`.
        model: which Pi this is, one of `hardware.raspberry_pi.pinout.MODELS`.

    Raises:
        BadDevice: no lamps, an unknown order, a machine that these drivers do not know, or a pin that cannot do this,
            or one on which the package does not run.
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
        """Return True: `show` returns when the frame is out, after 15 ms with 223 lamps up to the Pi 4."""
        return True

    def show(self, frame: bytes) -> None:
        """Show a frame, as `Lamps.show`. If rpi_ws281x has failed, the lamps are lost until the next start."""
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
    """Return the library for lamps on a pin of this Pi."""
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
    return " ".join(str(error).split())
