"""Drive NeoPixels on the MOSI pin of an SPI bus: no root, no timer, equal on every Pi.

At 3.2 MHz four SPI bits make one bit of a lamp, 1.25 µs: high for one of them is a 0, for three a 1. So both keep to
the timing tables of WS2812B (T0H 250-550, T0L 700-1000, T1H 650-950, T1L 300-600 ns) and WS2812B-V5 (T0H 220-380, T0L
580-1000, T1H 580-1000, T1L 220-420 ns). Every byte ends low, so a bus that pauses between bytes does no harm.

The bus must serve the lamps alone: they would take every other transfer's bits for colours. On a Pi 4 and a Pi 3 the
clock is exact only while the core clock is (`core_freq` in config.txt).
"""

from __future__ import annotations

from hardware.drivers.colour_order import check_chain, to_colour_order
from hardware.drivers.spi import Spi
from hardware.ports import check_frame

HZ = 3_200_000
"""The clock rate of the bus, in SPI mode 0."""

LOW = bytes(120)
"""300 µs of low: WS2812B-V5 needs over 280 µs for the end of a frame, older ones over 50 µs."""

_CODE = tuple(bytes.fromhex(f"{byte:08b}".replace("0", "8").replace("1", "E")) for byte in range(256))
"""Each byte's eight bits, the highest first, as four bytes of SPI: 1000 for a 0, 1110 for a 1."""


def encode(colours: bytes | bytearray) -> bytes:
    """Return the bytes on MOSI for `colours`: 12 bytes a lamp and `LOW` before and after. Pure.

    MOSI may idle high. Falling from there looks like one more bit, which the low before the frame makes the lamps
    forget; the low behind it makes them shine before the line rises again.

    Args:
        colours: three bytes a lamp, in the lamps' own order.
    """
    return b"".join((LOW, *map(_CODE.__getitem__, colours), LOW))


class SpiLamps:
    """A chain of WS2812 lamps on MOSI. Implements the `Lamps` port.

    A frame is one transfer, never two: in the gap the lamps would take the first for the whole. 321 lamps fit into
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
        """Return True: `show` returns when the frame is out, after 7 ms with 223 lamps."""
        return True

    def show(self, frame: bytes) -> None:
        """Show a frame, as `Lamps.show`. One too long for a transfer is a `BadDevice`, too."""
        check_frame(frame, self.count)
        self._spi.write(encode(to_colour_order(frame, self._order)))

    def close(self) -> None:
        """Release the bus. The lamps keep the last frame."""
        self._spi.close()
