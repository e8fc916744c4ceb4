"""Run by MicroPython: the Pico's own main.py on a bench, with a `machine` that models the pins and what hangs on them.

    micropython bench.py ROOT CONTACTS [SETTING=VALUE ...]

ROOT is laid out as the Pico's flash. CONTACTS is a file with the levels at the chips' parallel inputs, one byte a chip,
the chip next to the Pico first, bit 7 pin H. In a handset its first byte has the keys that are held down, the lowest
bit GP10, its second one the I2C address of the screen, 0 if there is none, and its third one makes the next look at the
keys fail, a 2 the screen's bus too. Settings: `protocol`, `longest`, `silence`, `scan` and `watchdog` take the place of
the program's own constants of these names, and `fail` makes the scan of that number fail. What happens is printed on
the standard error, a line each; `i2c` precedes the bytes of a transfer.
"""

# ruff: noqa: ARG002, E402, PTH123, S102, SIM115, T201 - MicroPython has no pathlib, and `machine` must be there first

import sys
import time


def tell(*words: object) -> None:
    print(*words, file=sys.stderr)


class Pin:
    IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 1

    def __init__(self, number: object, mode: int = 0, pull: int = 0, value: int = 0) -> None:
        self.number = number

    def value(self, level: object = None) -> int:
        if level is None:
            if wires()[2]:
                raise OSError("the bench was told to fail")
            if self.number == 10:
                machine.watchdog.bark()
            return 1 - (wires()[0] >> (self.number - 10) & 1)
        if self.number == 17 and not level:
            chain.load()
        if self.number == 6 and not level:
            tell("res")
        if self.number == "LED" and not machine.lit:
            machine.lit = True
            tell("led")
        return level


def wires() -> bytes:
    """Return the state of the wires of a handset's Pico: the keys held down, and the screen's address."""
    chain.load()
    return chain.latched


class I2C:
    """The screen's bus: GP4 is its data, GP5 its clock."""

    def __init__(self, bus: int, sda: Pin, scl: Pin, freq: int) -> None:
        if (bus, sda.number, scl.number) != (0, 4, 5):
            raise ValueError("no such pins")

    def scan(self) -> list[int]:
        if wires()[2] == 2:
            raise OSError("the bus was told to fail")
        return [wires()[1]] if wires()[1] else []

    def writeto(self, address: int, data: bytes) -> None:
        if address not in self.scan():
            raise OSError(5, "EIO")
        tell("i2c", "".join(f"{byte:02x}" for byte in data))


class SPI:
    """The chain's bus: GP18 is its clock, GP16 its output."""

    def __init__(self, bus: int, hertz: int, polarity: int, phase: int, sck: Pin, mosi: Pin, miso: Pin) -> None:
        if (bus, sck.number, mosi.number, miso.number) != (0, 18, 19, 16):
            raise ValueError("no such pins")
        # The chips shift on the clock's rising edge. Mode 1 looks half a period later, mode 2 half a period earlier,
        # and the other two at that very moment, when there is nothing to be seen for certain.
        self.first = {(0, 1): 1, (1, 0): 0}[polarity, phase]
        self.scans = 0

    def readinto(self, sample: bytearray) -> None:
        self.scans += 1
        if self.scans == settings.get("fail"):
            raise OSError("the bench was told to fail")
        machine.watchdog.bark()
        chain.shift(sample, self.first)


class Chips:
    """The chain. The serial input at its far end is connected to ground."""

    def __init__(self, path: str) -> None:
        self.file = open(path, "rb")
        self.latched = bytearray(80)

    def load(self) -> None:
        self.file.seek(0)
        self.file.readinto(self.latched)

    def shift(self, sample: bytearray, first: int) -> None:
        bits = int.from_bytes(self.latched, "big") << first
        size = len(self.latched)
        sample[:] = (bits & ((1 << 8 * size) - 1)).to_bytes(size, "big")[: len(sample)]


class WDT:
    def __init__(self, timeout: int) -> None:
        self.timeout = timeout
        self.fed = time.ticks_ms()
        tell("watchdog", timeout)
        machine.watchdog = self

    def feed(self) -> None:
        self.bark()
        self.fed = time.ticks_ms()

    def bark(self) -> None:
        if time.ticks_diff(time.ticks_ms(), self.fed) > self.timeout:
            machine.reset()


class PicoMachine:
    Pin = Pin
    I2C = I2C
    SPI = SPI
    WDT = WDT
    lit = False
    watchdog = None

    def unique_id(self) -> bytes:
        return b"\xe6\x61\x00\x03\x0d\x03\x00\x01"

    def reset(self) -> None:
        tell("reset")
        sys.exit(0)


sys.path[:0] = [sys.argv[1], __file__.rsplit("/", 1)[0]]
settings = {name: int(value) for name, value in (word.split("=") for word in sys.argv[3:])}
chain = Chips(sys.argv[2])
machine = PicoMachine()
sys.modules["machine"] = machine

from hardware.firmware import host_link

host_link.PROTOCOL = settings.get("protocol", host_link.PROTOCOL)
host_link.SILENCE = settings.get("silence", host_link.SILENCE)
host_link.LONGEST = settings.get("longest", host_link.LONGEST)

from hardware.firmware import pico_program

pico_program.SCAN = settings.get("scan", pico_program.SCAN)
pico_program.WATCHDOG = settings.get("watchdog", pico_program.WATCHDOG)
with open(sys.argv[1] + "/main.py") as file:
    exec(file.read(), {"__name__": "__main__"})

import rawrepl

tell("prompt")
rawrepl.serve()
