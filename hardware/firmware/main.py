"""Run a Raspberry Pi Pico from power-on: read the 74HC165 chain and report it to the host.

The wires are the same on every board (numbers are the Pico's GP numbers):
GP16 serial out of the first chip (QH), GP17 load (SH/LD), GP18 clock (CLK). GP19 belongs to the bus and stays free.

Until a host says hello the Pico only waits, and Ctrl-C opens MicroPython's prompt. From then on the watchdog is armed.
It cannot be disarmed, so a Pico whose host has disconnected restarts, and waits again.
"""

import select
import sys
import time

import machine  # type: ignore[import-not-found]
import micropython

from hardware.firmware.chain_debounce import ChainDebounce
from hardware.firmware.frames import TROUBLE, encode
from hardware.firmware.host_link import HostLink

DATA, LOAD, CLOCK, UNUSED = 16, 17, 18, 19

BAUD = 1_000_000
"""Hertz on the chain's clock line: 8 microseconds a chip."""

SCAN = 1000
"""Microseconds from scan to scan; three in a row settle a contact."""

WATCHDOG = 2000
"""Milliseconds after which a Pico that hangs is restarted."""


def run() -> None:
    """Wait for the host and serve it. Returns only if Ctrl-C was pressed while there was none."""
    # A frame may contain any byte but zero, so MicroPython itself must not watch for Ctrl-C.
    micropython.kbd_intr(-1)  # type: ignore[attr-defined]
    try:
        serve()
    except Exception as error:  # noqa: BLE001 - any error is reported, then the Pico restarts
        sys.stdout.buffer.write(encode(TROUBLE, 0, repr(error).encode()))
        time.sleep_ms(100)  # type: ignore[attr-defined]
        machine.reset()
    micropython.kbd_intr(3)  # type: ignore[attr-defined]


def serve() -> None:
    """Scan the chain and serve the host, forever."""
    # Mode 1: the chips shift on the clock's rising edge and are read on the falling one, half a period later. The very
    # first bit is shifted out before it can be read; the host knows.
    spi = machine.SPI(
        0, BAUD, polarity=0, phase=1, sck=machine.Pin(CLOCK), mosi=machine.Pin(UNUSED), miso=machine.Pin(DATA)
    )
    load = machine.Pin(LOAD, machine.Pin.OUT, value=1)
    heart = Heart()
    line = SerialLine()
    link = HostLink(machine.unique_id())
    watchdog = None
    chain = ChainDebounce(0)
    contacts = b""
    due = time.ticks_us()  # type: ignore[attr-defined]
    while True:
        now = time.ticks_ms()  # type: ignore[attr-defined]
        while line.waiting() and not link.interrupted:
            # Byte by byte: what follows a Ctrl-C is for MicroPython's prompt.
            link.receive(line.read(), now)
        if link.interrupted:
            return
        if link.length != len(chain.sample):
            chain = ChainDebounce(link.length)
            watchdog = watchdog or machine.WDT(timeout=WATCHDOG)
        if link.deserted(now):
            machine.reset()
        if watchdog:
            watchdog.feed()
            load.value(0)
            load.value(1)
            spi.readinto(chain.sample)
            contacts = chain.settle()
        line.write(link.send(contacts, now))
        heart.update(now, bool(watchdog))
        due = next_scan(due)


class SerialLine:
    """The serial line: the USB port that carries MicroPython's prompt at other times."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def waiting(self) -> bool:
        """Return whether a byte has arrived."""
        # Unlike `poll` this allocates no memory.
        for _ in self._poll.ipoll(0):  # type: ignore[attr-defined]
            return True
        return False

    def read(self) -> bytes:
        """Read one byte."""
        return sys.stdin.buffer.read(1)

    def write(self, data: bytes) -> None:
        """Send `data`. Wait at most half a second if the host does not accept it."""
        if data:
            sys.stdout.buffer.write(data)


class Heart:
    """The Pico's light: on and off once a second while waiting for a host, eight times a second at work."""

    def __init__(self) -> None:
        self._led = machine.Pin("LED", machine.Pin.OUT)
        self._lit = -1

    def update(self, now: int, working: bool) -> None:
        """Update the light. A Pico W's light is on a bus, so only changes are sent."""
        lit = now >> (6 if working else 9) & 1
        if lit != self._lit:
            self._lit = lit
            self._led.value(lit)


def next_scan(due: int) -> int:
    """Wait until the scan that is due, and return when the next one will be. Late scans are skipped."""
    now = time.ticks_us()  # type: ignore[attr-defined]
    early = time.ticks_diff(due, now)  # type: ignore[attr-defined]
    if early > 0:
        time.sleep_us(early)  # type: ignore[attr-defined]
    else:
        due = now
    return time.ticks_add(due, SCAN)  # type: ignore[attr-defined, no-any-return]


if __name__ == "__main__":
    run()
