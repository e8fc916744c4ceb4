"""A panel on a bench: the wires between the driver under test and the model of the panel, and their faults."""

from __future__ import annotations

import atexit
import math
from collections.abc import Callable
from random import Random
from typing import Literal

import pytest
import smbus2
from gpiozero.pins.mock import MockPin
from PIL import Image

from hardware.drivers.oled import Chip, OledPanel, OpenBus, i2c_bus, reset_line, spi_bus
from hardware.ports import DeviceLost
from hardware.sim.physics import SimClock
from tests.hardware.drivers.loose_pins import LooseFactory, LoosePin
from tests.hardware.drivers.oled_model import Glass, Sh1106, Ssd1306, Ssd1309

CHIPS: dict[Chip, type[Glass]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
BUSES = ("i2c", "spi", "spi without reset")
EVERYWHERE = [pytest.param(chip, bus, id=f"{chip}-{bus}") for chip in CHIPS for bus in BUSES]
SIZE = (128, 64)
DARK = Image.new("1", SIZE)


class Cut(BaseException):
    """The end of the program, which is killed at this byte."""


class PanelCable:
    """A cable that carries bytes to a panel until it is pulled, or the program at its other end is killed.

    Attributes:
        carried: number of bytes since the start.
        drawn: the numbers of the bytes that went into the panel's memory.
        breaks_at: the number of the first byte that does not arrive; None for never.
        killed: whether the program ends at that byte, instead of the cable.
        plugged: whether the cable is plugged in.
        open: how many programs have the bus open.
        openings: how often it has been opened.
    """

    def __init__(self, glass: Glass) -> None:
        self.glass = glass
        self.carried = 0
        self.drawn: list[int] = []
        self.breaks_at: int | None = None
        self.killed = False
        self.plugged = True
        self.open = 0
        self.openings = 0

    def carry(self, byte: int, take: Callable[[int], None], lost: OSError) -> None:
        if self.carried == self.breaks_at:
            self.breaks_at = None
            raise Cut if self.killed else lost
        if not self.plugged:
            raise lost
        before = self.glass.drawn
        take(byte)
        if self.glass.drawn != before:
            self.drawn.append(self.carried)
        self.carried += 1


class I2cWires:
    """A substitute for `smbus2.SMBus`. Each call becomes the bytes of one I2C transfer."""

    def __init__(self, wire: PanelCable, address: int = 0x3C) -> None:
        self._wire = wire
        self._address = address
        self._takes = self._address_byte
        wire.open += 1
        wire.openings += 1

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """Send a start, the address with the write bit, the "register", the data, and a stop."""
        assert 1 <= len(data) <= 32, "I2C_SMBUS_BLOCK_MAX"
        self._takes = self._address_byte
        for byte in (address << 1, register, *data):
            self._wire.carry(byte, self._take, OSError(121, "Remote I/O error"))

    def close(self) -> None:
        self._wire.open -= 1

    def _take(self, byte: int) -> None:
        self._takes(byte)

    def _address_byte(self, byte: int) -> None:
        if byte != self._address << 1:
            raise OSError(121, "Remote I/O error")
        self._takes = self._control_byte

    def _control_byte(self, byte: int) -> None:
        """Read a control byte: Co in bit 7 (one byte follows, then a control byte again), D/C in bit 6, the rest 0."""
        assert not byte & 0x3F
        kind = self._wire.glass.data if byte & 0x40 else self._wire.glass.command

        def single(byte: int) -> None:
            kind(byte)
            self._takes = self._control_byte

        self._takes = single if byte & 0x80 else kind


class SpiWires:
    """A substitute for the SPI device. The D/C pin decides whether a byte is a command or data."""

    def __init__(self, wire: PanelCable, factory: PanelFactory) -> None:
        self._wire = wire
        self._factory = factory
        wire.open += 1
        wire.openings += 1

    def transfer(self, data: bytes) -> bytes:
        raise AssertionError(f"{len(data)} bytes to be read from a panel on SPI, which gives none")

    def write(self, data: bytes) -> None:
        assert 1 <= len(data) <= 4096, "spidev's buffer"
        dc = self._factory.pin(PanelFactory.DC)
        assert dc.function == "output"
        take = self._wire.glass.data if dc.state else self._wire.glass.command
        for byte in data:
            self._wire.carry(byte, take, DeviceLost("handset: SPI failed"))

    def close(self) -> None:
        self._wire.open -= 1


class PanelFactory(LooseFactory):
    """gpiozero's pins, two of which are soldered to a panel.

    Attributes:
        resets: how often the panel was reset.
    """

    DC, RESET = 24, 25

    def __init__(self, glass: Glass) -> None:
        super().__init__(pin_class=PanelPin)
        self.glass = glass
        self.resets = 0

    def moved(self, pin: MockPin) -> None:
        if pin.info.name == f"GPIO{self.RESET}" and pin.function == "output" and not pin.state:
            self.resets += 1
            self.glass.reset()


class PanelPin(LoosePin):
    """A pin that notifies the panel when it is driven."""

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        self.factory.moved(self)
        return changed


class OledBench:
    """A panel's glass on a table, and programs that drive it.

    Attributes:
        glass: the panel.
        wire: the cable to it.
        clock: the programs' clock.
        hooks: the functions that luma registered to run at exit.
        bus: one of `BUSES`, or "i2c with reset".
        factory: the pins of the last program.
    """

    def __init__(self, chip: Chip = "ssd1306", bus: str = "i2c", seed: int = 1) -> None:
        self.chip, self.bus = chip, bus
        self.glass = CHIPS[chip](seed)
        self.wire = PanelCable(self.glass)
        self.clock = SimClock()
        self.hooks: list[object] = []

    def program(
        self,
        *,
        rotate: Literal[0, 180] = 0,
        contrast: int = 0x50,
        shift_every: float = math.inf,
        first_column: int = 2,
        factory: PanelFactory | None = None,
    ) -> OledPanel:
        """Return the driver of a program that has just started."""
        open_bus = self.opener(factory)
        with pytest.MonkeyPatch.context() as patch:
            # Luma's hook at exit would keep the thousands of panels made here.
            patch.setattr(atexit, "register", self.hooks.append)
            return OledPanel(
                "handset",
                chip=self.chip,
                open_bus=open_bus,
                clock=self.clock,
                contrast=contrast,
                shift_every=shift_every,
                rotate=rotate,
                first_column=first_column,
            )

    def opener(self, factory: PanelFactory | None = None) -> OpenBus:
        """Return a function that opens the bus to the panel, by the library's or the driver's own classes."""
        self.factory = PanelFactory(self.glass) if factory is None else factory
        if self.bus.startswith("i2c"):
            line = reset_line(PanelFactory.RESET, what="handset", factory=self.factory) if "with" in self.bus else None
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(smbus2, "SMBus", lambda _: I2cWires(self.wire))
                return i2c_bus(1, 0x3C, line, what="handset")
        reset = PanelFactory.RESET if self.bus == "spi" else None
        return spi_bus(
            lambda: SpiWires(self.wire, self.factory),
            what="handset",
            dc_pin=PanelFactory.DC,
            reset_pin=reset,
            factory=self.factory,
        )

    def bytes_for(self, action: Callable[[], object]) -> int:
        """Return how many bytes the wire carries for an action."""
        before = self.wire.carried
        action()
        return self.wire.carried - before


def showing_noise(chip: Chip = "ssd1306", bus: str = "i2c") -> tuple[OledBench, OledPanel]:
    """Return a bench, and its panel, which shows `noise(1)`."""
    bench = OledBench(chip, bus)
    panel = bench.program()
    panel.show(noise(1))
    return bench, panel


class PixelWatch:
    """An observer that records every visible byte of memory since it was created."""

    def __init__(self, glass: Glass) -> None:
        self._glass = glass
        self.seen: list[bytes] = []
        glass.on_byte = self._look

    def _look(self) -> None:
        memory = bytes(self._glass.memory)
        if self._glass.on and self.seen[-1:] != [memory]:
            self.seen.append(memory)


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() == other.tobytes()


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", SIZE, Random(seed).randbytes(1024))


def memory_of(chip: Chip, picture: Image.Image, before: int) -> bytes:
    """Return a panel's memory once it shows `picture`, proven by what is visible."""
    bench = OledBench(chip, seed=before)
    bench.program().show(picture)
    assert same(bench.glass.seen(), picture)
    return bytes(bench.glass.memory)
