"""Model a chain of 74HC165 edge by edge, and its readers: an SPI with all edges, and gpiozero on mock pins.

Written from the data sheet's function table: while SH/LD is low the register follows the inputs, whatever the clock
does; while it is high each rising edge of the clock moves it on by one stage, SER into A, A into B, … G into H = QH.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

H = 7
"""The number of the stage that QH shows; A is stage 0."""


class RaceError(AssertionError):
    """The master reads at the very moment when the chip shifts. On real wires the result would be unknown."""


class ShiftRegister:
    """One 74HC165 with the levels on its inputs, its possible faults, and its register."""

    def __init__(self) -> None:
        self.inputs = [1] * 8  # A to H, pulled up
        self.register = [0] * 8
        self.powered = True
        self.load_wire = True

    @property
    def qh(self) -> int:
        return self.register[H] if self.powered else 0


class ShiftRegisterChain:
    """Chips in a row, chip 0 next to the Pi, with one load wire and one clock wire.

    Without a sentinel the last chip has contacts, like the others.
    """

    def __init__(self, chips: int, *, sentinel: int | None, serial_in: int = 0) -> None:
        self.chips = [ShiftRegister() for _ in range(chips)]
        self.serial_in = serial_in
        self.load = 1
        self.clock = 0
        self.load_stuck: int | None = None
        self.miso_stuck: int | None = None
        self.deaf_edges: set[int] = set()  # rising edges, counted from the load, that the chips miss
        self.spikes: set[int] = set()  # rising edges that the chips count twice
        self.edges = 0
        self.loads = 0
        self.contacts = 8 * chips if sentinel is None else 8 * (chips - 1)
        if sentinel is not None:
            self.chips[-1].inputs[:] = [sentinel >> stage & 1 for stage in range(8)]

    def touch(self, closed: int) -> None:
        """Set the contacts, bit i for contact i: on chip i // 8, pins H, G, F, …. A closed contact pulls to ground."""
        for i in range(self.contacts):
            self.chips[i // 8].inputs[H - i % 8] = 0 if closed >> i & 1 else 1

    @property
    def miso(self) -> int:
        return self.chips[0].qh if self.miso_stuck is None else self.miso_stuck

    def set_load(self, level: int) -> None:
        level = level if self.load_stuck is None else self.load_stuck
        if level and not self.load:
            self._take_inputs()
            self.loads += 1
            self.edges = 0
        self.load = level
        if not level:
            self._take_inputs()

    def set_clock(self, level: int) -> None:
        rising = level and not self.clock
        self.clock = level
        if not rising:
            return
        times = 0 if self.edges in self.deaf_edges else 2 if self.edges in self.spikes else 1
        self.edges += 1
        for _ in range(times):
            self._shift()

    def _take_inputs(self) -> None:
        for chip in self.chips:
            if chip.load_wire:
                chip.register[:] = chip.inputs

    def _shift(self) -> None:
        serial = [chip.qh for chip in self.chips[1:]] + [self.serial_in]  # all as they were before the edge
        for chip, bit in zip(self.chips, serial, strict=True):
            if self.load or not chip.load_wire:
                chip.register.insert(0, bit)
                chip.register.pop()


class EdgeSpi:
    """An SPI master in any of the four modes. Implements `hardware.drivers.spi.Spi`.

    With phase 0 it reads at the first edge of a bit, with phase 1 at the second; the polarity is the clock's level
    at rest. It reads the level before the edge.
    """

    def __init__(self, chain: ShiftRegisterChain, mode: int) -> None:
        self.chain = chain
        self.rest, self.phase = mode >> 1, mode & 1
        self.sizes: list[int] = []
        self.noise: dict[int, bytes] = {}  # transfer -> what is xored onto it
        self.raised: list[Exception] = []
        self.closed = 0
        chain.set_clock(self.rest)

    def transfer(self, data: bytes) -> bytes:
        if self.raised:
            raise self.raised.pop(0)
        number = len(self.sizes)
        self.sizes.append(len(data))
        answer = bytes(self._byte() for _ in data)
        noise = self.noise.get(number, b"").ljust(len(data), b"\0")
        return bytes(a ^ b for a, b in zip(answer, noise, strict=True))

    def write(self, data: bytes) -> None:
        self.transfer(data)

    def close(self) -> None:
        self.closed += 1

    def _byte(self) -> int:
        byte = 0
        for _ in range(8):
            for edge, level in enumerate((1 - self.rest, self.rest)):
                if edge == self.phase:
                    if level:
                        raise RaceError(f"looks at the rising edge, at which the chips move on (phase {self.phase})")
                    byte = byte << 1 | self.chain.miso
                self.chain.set_clock(level)
        return byte


class DirectLoad:
    """The load wire, changed at once. Implements `hardware.drivers.shift_register.Load`."""

    def __init__(self, chain: ShiftRegisterChain) -> None:
        self.chain = chain
        self.closed = 0

    def pulse(self) -> None:
        self.chain.set_load(0)
        self.chain.set_load(1)

    def close(self) -> None:
        self.closed += 1


class WirePin(MockPin):
    """A mock pin on a wire: it reports the level that it is driven to, and reads the wire."""

    def __init__(
        self,
        factory: MockFactory,
        info: Any,
        *,
        drives: Callable[[int], None] | None = None,
        reads: Callable[[], int] | None = None,
    ) -> None:
        self.drives = drives
        self.reads = reads
        super().__init__(factory, info)

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        if self.drives is not None:
            self.drives(int(value))

    def _get_state(self) -> bool:
        return bool(super()._get_state() if self.reads is None else self.reads())


CLOCK, MOSI, MISO, SELECT, LOAD = 11, 10, 9, 8, 25


def soldered(chain: ShiftRegisterChain) -> MockFactory:
    """Return mock pins, connected to the chain's clock, data and load wires."""
    factory = MockFactory()
    factory.pin(CLOCK, pin_class=WirePin, drives=chain.set_clock)
    factory.pin(MISO, pin_class=WirePin, reads=lambda: chain.miso)
    factory.pin(LOAD, pin_class=WirePin, drives=chain.set_load)
    return factory


class SoftwareSpi:
    """gpiozero's own bit-banged SPI on mock pins. Implements `hardware.drivers.spi.Spi`."""

    def __init__(self, factory: MockFactory, mode: int) -> None:
        self.spi = factory.spi(clock_pin=CLOCK, mosi_pin=MOSI, miso_pin=MISO, select_pin=SELECT)
        self.spi.clock_mode = mode

    def transfer(self, data: bytes) -> bytes:
        return bytes(self.spi.transfer(list(data)))

    def write(self, data: bytes) -> None:
        self.transfer(data)

    def close(self) -> None:
        self.spi.close()
