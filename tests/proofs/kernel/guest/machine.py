"""The far side of the machine that runs the tests: the devices at its pins, buses and USB port."""

from __future__ import annotations

import errno
import os
import struct
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hardware.drivers.shift_register import SENTINEL
from hardware.firmware.host_link import HostLink
from tests.hardware.drivers.oled_model import Glass, Ssd1306

LONG = 20.0
"""Seconds after which a test gives up waiting."""

CHIPS = 26
"""Chips of a chain, the one with the sentinel included."""

_LINES = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
_WIRES = Path("/sys/module/wire/parameters")
_LOG = 1024 * 1024
_ANSWER = 4096
_GADGETS = Path("/sys/kernel/config/usb_gadget")


def wait_for(condition: Callable[[], object], what: str, seconds: float = LONG, every: float = 0.005) -> float:
    """Check every `every` seconds until a condition holds. Return how long that took, or fail after `seconds`."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() < begun + seconds, f"{what}: not within {seconds:g} s"
        time.sleep(every)
    return time.monotonic() - begun


def chain(closed: set[int]) -> bytes:
    """Return what SPI reads from a chain with these contacts closed, with two bytes from beyond its end.

    In mode 1 the first bit has gone by; the serial input of the last chip is tied to ground.
    """
    bits = "".join("0" if i in closed else "1" for i in range(8 * (CHIPS - 1))) + f"{SENTINEL:08b}" + 16 * "0"
    return int(bits[1:] + "0", 2).to_bytes(CHIPS + 2, "big")


def level(pin: int) -> int:
    """Return the level of a pin, as the kernel sees it from outside."""
    return int((_LINES / f"sim_gpio{pin}" / "value").read_text())


def ground(pin: int) -> None:
    """Connect a pin to ground, which is stronger than any pull-up."""
    (_LINES / f"sim_gpio{pin}" / "pull").write_text("pull-down")


def supply(pin: int) -> None:
    """Connect a pin to 3.3 V, which a released pin with a pull-up also shows."""
    (_LINES / f"sim_gpio{pin}" / "pull").write_text("pull-up")


class Message(NamedTuple):
    """One transfer on a bus. On I2C: the address, plus 1 bit for reading. On SPI: bits a second, and the mode."""

    where: int
    how: int
    data: bytes


class Bus:
    """The far end of a bus, which listens until it is closed; see wire.c.

    Args:
        name: "i2c1", "i2c3", "spi0" or "spi6".
    """

    def __init__(self, name: str) -> None:
        self._file = os.open(f"/dev/wire-{name}", os.O_RDWR)

    def heard(self) -> list[Message]:
        """Return the messages since the last call."""
        log, messages = os.read(self._file, _LOG), []
        while log:
            length, where, how = struct.unpack_from("=III", log)
            messages.append(Message(where, how, log[12 : 12 + length]))
            log = log[12 + length :]
        return messages

    def lay_out(self, answer: bytes) -> None:
        """Set the answer to every later message; zeros follow it."""
        os.write(self._file, answer.ljust(_ANSWER, b"\0"))

    def close(self) -> None:
        """Stop listening. The answer that was set stays."""
        os.close(self._file)


def plug_panel(*, plugged: bool, bus: str = "i2c1") -> None:
    """Plug in a panel's cable, or pull it."""
    (_WIRES / f"{bus}_plugged").write_text("Y" if plugged else "N")


@contextmanager
def held_up(bus: str, ms: int = 5000) -> Iterator[Callable[[], bool]]:
    """Holds up what is sent over a bus, each message for `ms` at most, after which it fails; gives what tells whether
    any is."""
    held, holding = _WIRES / f"{bus}_held", _WIRES / f"{bus}_holding"
    held.write_text(str(ms))
    try:
        yield lambda: holding.read_text() == "Y\n"
    finally:
        held.write_text("0")


class Panel:
    """A panel on the bus, whose model takes each message's bytes.

    Args:
        bus: its far end.
        glass: the model; an SSD1306 if not given.
    """

    def __init__(self, bus: Bus, glass: Glass | None = None) -> None:
        self.glass = glass or Ssd1306(seed=1)
        self._bus = bus
        self._seen: bytes | None = None

    def look(self) -> bytes:
        """Return the visible picture after all messages so far."""
        for message in self._bus.heard():
            self._seen = None
            control, *rest = message.data
            take = {0x00: self.glass.command, 0x40: self.glass.data}[control]
            for byte in rest:
                take(byte)
        if self._seen is None:
            self._seen = bytes(self.glass.seen().tobytes())
        return self._seen


class Pico:
    """A Pico on a USB cable. It runs the real protocol; `contacts` is its chain.

    Args:
        serial: its serial number.

    Attributes:
        contacts: the settled chain.
    """

    def __init__(self, serial: str) -> None:
        self.contacts = b""
        self._serial = serial
        self._gadget = _GADGETS / serial
        self._powered = threading.Event()
        self._program: threading.Thread | None = None
        self._solder()

    def plug(self) -> None:
        """Plug in the cable, which starts the program."""
        (self._gadget / "UDC").write_text("dummy_udc.0")
        self._powered.set()
        self._program = threading.Thread(target=self._run, daemon=True)
        self._program.start()

    def pull(self) -> None:
        """Pull the cable."""
        self._powered.clear()
        (self._gadget / "UDC").write_text("\n")
        assert self._program is not None
        self._program.join(LONG)
        assert not self._program.is_alive()

    def hang(self) -> None:
        """End the program, with the cable plugged in."""
        self._powered.clear()
        assert self._program is not None
        self._program.join(LONG)

    def _solder(self) -> None:
        """Describe the USB device as MicroPython on a Pico does: a CDC-ACM device."""
        english = self._gadget / "strings" / "0x409"
        english.mkdir(parents=True)
        (self._gadget / "idVendor").write_text("0x2e8a")
        (self._gadget / "idProduct").write_text("0x0005")
        (english / "manufacturer").write_text("MicroPython")
        (english / "product").write_text("Board in FS mode")
        (english / "serialnumber").write_text(self._serial)
        configuration = self._gadget / "configs" / "c.1"
        configuration.mkdir(parents=True)
        function = self._gadget / "functions" / "acm.usb0"
        function.mkdir(parents=True)
        (configuration / "acm.usb0").symlink_to(function)

    def _run(self) -> None:
        port = os.open("/dev/ttyGS0", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            tty.setraw(port)
            self._talk(port)
        except (OSError, termios.error) as error:
            # The cable is out: the line has hung up.
            assert error.args[0] in {errno.EIO, errno.ENODEV}, error  # noqa: PT017 - not an expected failure
        finally:
            os.close(port)

    def _talk(self, port: int) -> None:
        link = HostLink(bytes.fromhex(self._serial))
        while self._powered.is_set():
            now = time.monotonic_ns() // 1_000_000
            try:
                data = os.read(port, 256)
            except BlockingIOError:
                data = b""
            if data:
                link.receive(data, now)
            answer = link.send(self.contacts, now)
            if answer:
                os.write(port, answer)
            else:
                time.sleep(0.002)
