"""The program of the Pico in Mister X's handset, which has a screen on I2C, five keys and USB.

The wires are the same in every handset (numbers are the Pico's GP numbers):
GP4 SDA, GP5 SCL, GP6 RES of the screen, if it has that pin; the keys UP, DOWN, SELECT, BACK and PEEK join GP10 to GP14
to ground.

The host draws: its writes to the screen pass through, and none is kept. At the start, before each restart, and when
another connection begins, the screen is switched off and its memory cleared.
"""

import time

import machine  # type: ignore[import-not-found]

from hardware.firmware.frames import HANDSET
from hardware.firmware.host_link import Screen
from hardware.firmware.pico_program import Wiring, run

SDA, SCL, RESET = 4, 5, 6

KEYS = (10, 11, 12, 13, 14)
"""The GP numbers of the keys up, down, select, back and peek, in the order of their bits."""

HERTZ = 400_000

_OFF = b"\x00\xe3\xe3\xe3\xe3\xe3\xe3\xae"
"""The bytes that switch any screen off, even one that waits for up to six arguments of an interrupted command."""

_PAGES, _COLUMNS = 8, 132


class HandsetWiring(Wiring):
    """The keys and the screen of the handset."""

    program = HANDSET
    longest = 1

    def __init__(self) -> None:
        self.screen = Oled()
        self._keys = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in KEYS]

    def read(self, sample: bytearray) -> None:
        """Fill the one byte of `sample`, in which bit *k* is 1 while key *k* is down."""
        held = 0
        for key, pin in enumerate(self._keys):
            if not pin.value():
                held |= 1 << key
        sample[0] = held


class Oled(Screen):
    """An OLED panel on I2C: SSD1306, SSD1309 or SH1106. Creating this object turns the panel dark."""

    def __init__(self) -> None:
        self._reset = machine.Pin(RESET, machine.Pin.OUT, value=1)
        self.restart()
        self.blank()

    def restart(self) -> None:
        """Free the bus, and reset the panel if its RES line is wired."""
        # A panel that was interrupted while it acknowledged a byte holds SDA until the clock goes on.
        clock = machine.Pin(SCL, machine.Pin.OPEN_DRAIN, value=1)
        for _ in range(9):
            clock.value(0)
            clock.value(1)
        self._bus = machine.I2C(0, sda=machine.Pin(SDA), scl=machine.Pin(SCL), freq=HERTZ)
        for level in (0, 1):
            self._reset.value(level)
            time.sleep_ms(1)  # type: ignore[attr-defined]

    def write(self, address: int, data: bytes) -> None:
        """Write bytes to a panel. Raises OSError if the panel does not answer."""
        self._bus.writeto(address, data)

    def blank(self) -> None:
        """Switch off every panel on the bus and clear its memory. This works with every chip."""
        for address in self._bus.scan():
            try:
                self._bus.writeto(address, _OFF)
                for page in range(_PAGES):
                    self._bus.writeto(address, bytes((0, 0xB0 | page, 0x00, 0x10)))
                    self._bus.writeto(address, b"\x40" + bytes(_COLUMNS))
            except OSError:
                # It has just lost its wire or its power, and the next start blanks it again.
                pass


if __name__ == "__main__":
    run(HandsetWiring)
