"""Decode the data line of WS2812 lamps on SPI as the lamps would: from levels to pulses to colours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from hardware.drivers.neopixels import HZ
from hardware.ports import DeviceLost

WS2812B = {"T0H": (250, 550), "T0L": (700, 1000), "T1H": (650, 950), "T1L": (300, 600)}
WS2812B_V5 = {"T0H": (220, 380), "T0L": (580, 1000), "T1H": (580, 1000), "T1L": (220, 420)}
RESET = 280_000
"""Nanoseconds of low that end a frame (WS2812B-V5; WS2812B: 50,000)."""


class LampWire:
    """An SPI bus that records what was sent."""

    def __init__(self) -> None:
        self.transfers: list[bytes] = []
        self.plugged = True
        self.closed = 0

    def transfer(self, data: bytes) -> bytes:
        raise AssertionError(f"nothing comes back from lamps, yet {len(data)} bytes were asked for")

    def write(self, data: bytes) -> None:
        if not self.plugged:
            raise DeviceLost("lamps: the bus does not answer")
        self.transfers.append(data)

    def close(self) -> None:
        self.closed += 1


def levels(transfer: bytes, *, pause: int = 0) -> str:
    """Return the levels of MOSI, one a clock. After each byte it may keep its last level for `pause` clocks."""
    return "".join(bits + pause * bits[-1] for bits in (f"{byte:08b}" for byte in transfer))


def runs(line: str, hz: int) -> Iterator[tuple[str, float]]:
    """Yield each stretch between two edges: its level, and its nanoseconds."""
    return ((level, len(list(same)) * 1e9 / hz) for level, same in groupby(line))


class LampChain:
    """A model of WS2812 lamps: each takes the first 24 bits that reach it, and shows them at a reset."""

    def __init__(self, count: int, sheet: dict[str, tuple[int, int]], hz: int = HZ) -> None:
        self._count = count
        self._sheet = sheet
        self._hz = hz
        self._bits = ""
        self.shown: list[bytes] = []

    def take(self, line: str) -> None:
        edges = list(runs(line, self._hz))
        for (level, high), (_, low) in pairwise(edges):
            if level == "1":
                self._pulse(high, low)
        assert len(self._bits) == 0, "the frame was never ended"

    def _pulse(self, high: float, low: float) -> None:
        if low > RESET:
            self._bits += "1" if high > 500 else "0"
            self._show()
            return
        bit = "0" if high < 500 else "1"
        for name, time in ((f"T{bit}H", high), (f"T{bit}L", low)):
            least, most = self._sheet[name]
            assert least <= time <= most, f"{name} is {time} ns"
        self._bits += bit

    def _show(self) -> None:
        bits, self._bits = self._bits, ""
        lamps = [bits[24 * n : 24 * n + 24] for n in range(self._count)]
        if any(len(lamp) == 24 for lamp in lamps):
            assert all(len(lamp) == 24 for lamp in lamps), "some lamps got nothing"
            assert len(bits) == 24 * self._count, "bits too many"
            self.shown.append(b"".join(int(lamp, 2).to_bytes(3) for lamp in lamps))


def in_order(frame: bytes, order: str) -> bytes:
    """Return the bytes of a frame in the order in which lamps of this colour order take them."""
    out = bytearray()
    for lamp in range(0, len(frame), 3):
        red, green, blue = frame[lamp : lamp + 3]
        out += bytes({"R": red, "G": green, "B": blue}[colour] for colour in order)
    return bytes(out)
