"""Run the program of a Pico: read its contacts, report them to the host, and draw what the host sends.

Until a host says hello the Pico only waits, and Ctrl-C, pressed twice, opens MicroPython's prompt. From the hello on
the watchdog is armed. It cannot be disarmed, so a Pico whose host has disconnected restarts, and waits again.
"""

import select
import sys
import time

import machine  # type: ignore[import-not-found]
import micropython

from hardware.firmware.chain_debounce import ChainDebounce
from hardware.firmware.frames import SWITCHES, TROUBLE, encode
from hardware.firmware.host_link import LONGEST, HostLink, Screen

SCAN = 1000
"""Microseconds from scan to scan; three in a row settle a contact."""

WATCHDOG = 2000
"""Milliseconds after which a Pico that hangs is restarted."""

_AT_ONCE = 512
"""The most bytes to read before the contacts are scanned again."""


class Wiring:
    """The parts that are connected to a Pico's pins. Each program has its own subclass.

    Attributes:
        program, longest, screen: as for `HostLink`.
    """

    program = SWITCHES
    longest = LONGEST
    screen: "Screen | None" = None

    def read(self, sample: bytearray) -> None:
        """Fill `sample` with the contacts as they are now."""


def run(create: type[Wiring]) -> None:
    """Wait for a host and serve it, again and again. Returns only if Ctrl-C is pressed without a host."""
    # A frame may contain any byte but zero, so MicroPython itself must not watch for Ctrl-C.
    micropython.kbd_intr(-1)  # type: ignore[attr-defined]
    screen = None
    try:
        wiring = create()
        screen = wiring.screen
        serve(wiring)
    except Exception as error:  # noqa: BLE001 - any error is reported, then the Pico restarts
        try:
            if screen:
                screen.blank()
        finally:
            sys.stdout.buffer.write(encode(TROUBLE, 0, repr(error).encode()))
            time.sleep_ms(100)  # type: ignore[attr-defined]
            machine.reset()
    micropython.kbd_intr(3)  # type: ignore[attr-defined]


def serve(wiring: Wiring) -> None:
    """Read the contacts and serve the host until Ctrl-C is pressed without a host.

    If the host has disconnected, restart the Pico.
    """
    heart = Heart()
    line = SerialLine()
    link = HostLink(machine.unique_id(), wiring.program, wiring.longest, wiring.screen)
    watchdog = None
    chain = ChainDebounce(0)
    contacts = b""
    due = time.ticks_us()  # type: ignore[attr-defined]
    while True:
        now = time.ticks_ms()  # type: ignore[attr-defined]
        while line.waiting() and not link.interrupted:
            # Byte by byte without a host: what follows a Ctrl-C is for MicroPython's prompt.
            link.receive(line.read(_AT_ONCE if link.length else 1), now)
        if link.interrupted:
            return
        if link.length != len(chain.sample):
            chain = ChainDebounce(link.length)
            watchdog = watchdog or machine.WDT(timeout=WATCHDOG)
        if link.deserted(now):
            if wiring.screen:
                wiring.screen.blank()
            machine.reset()
        if watchdog:
            watchdog.feed()
            wiring.read(chain.sample)
            contacts = chain.settle()
        line.write(link.send(contacts, now))
        heart.update(now, bool(watchdog))
        due = next_scan(due)


class SerialLine:
    """The USB port as a line to the host. At other times it carries MicroPython's prompt."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def waiting(self) -> bool:
        """Return whether at least one byte has arrived."""
        # Unlike `poll` this allocates no memory.
        for _ in self._poll.ipoll(0):  # type: ignore[attr-defined]
            return True
        return False

    def read(self, most: int) -> bytes:
        """Return the bytes that have arrived, at least 1 and at most `most`."""
        data = sys.stdin.buffer.read(1)
        while len(data) < most and self.waiting():
            data += sys.stdin.buffer.read(1)
        return data

    def write(self, data: bytes) -> None:
        """Send `data`. If the host does not take it, give up after half a second."""
        if data:
            sys.stdout.buffer.write(data)


class Heart:
    """The Pico's light: it blinks once a second while waiting for a host, and eight times a second at work."""

    def __init__(self) -> None:
        self._led = machine.Pin("LED", machine.Pin.OUT)
        self._lit = -1

    def update(self, now: int, working: bool) -> None:
        """Switch the light if it is time. Only changes are sent, because a Pico W's light is on a bus."""
        lit = now >> (6 if working else 9) & 1
        if lit != self._lit:
            self._lit = lit
            self._led.value(lit)


def next_scan(due: int) -> int:
    """Wait for the scan that is due, and return when the next one is. Scans that are missed are skipped."""
    now = time.ticks_us()  # type: ignore[attr-defined]
    early = time.ticks_diff(due, now)  # type: ignore[attr-defined]
    if early > 0:
        time.sleep_us(early)  # type: ignore[attr-defined]
    else:
        due = now
    return time.ticks_add(due, SCAN)  # type: ignore[attr-defined, no-any-return]
