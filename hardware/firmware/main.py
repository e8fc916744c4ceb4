"""The program of the Pico under the board, which reads the chain of 74HC165 chips for the Pi.

The wires are the same on every board (numbers are the Pico's GP numbers):
GP16 serial out of the first chip (QH), GP17 load (SH/LD), GP18 clock (CLK). GP19 belongs to the bus and stays free.
"""

import machine  # type: ignore[import-not-found]

from hardware.firmware.pico_program import Wiring, run

DATA, LOAD, CLOCK, UNUSED = 16, 17, 18, 19

BAUD = 1_000_000
"""Hertz on the chain's clock line: 8 microseconds a chip."""


class ChainWiring(Wiring):
    """The wires to the chain of 74HC165 chips."""

    def __init__(self) -> None:
        # Mode 1: the chips shift on the clock's rising edge and are read on the falling one, half a period later. The
        # very first bit is shifted out before it can be read; the host knows.
        pins = {name: machine.Pin(pin) for name, pin in (("sck", CLOCK), ("mosi", UNUSED), ("miso", DATA))}
        self._spi = machine.SPI(0, BAUD, polarity=0, phase=1, **pins)
        self._load = machine.Pin(LOAD, machine.Pin.OUT, value=1)

    def read(self, sample: bytearray) -> None:
        """Fill `sample` with the levels at the chips' inputs, the nearest chip first."""
        self._load.value(0)
        self._load.value(1)
        self._spi.readinto(sample)


if __name__ == "__main__":
    run(ChainWiring)
