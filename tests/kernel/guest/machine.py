"""The machine that the tests run on, from its far side: what is soldered to its pins, buses and USB port."""

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

from hardware.firmware.link import Link
from tests.hardware.drivers.glass import Glass, Ssd1306

LONG = 20.0
"""Seconds after which a test gives up waiting."""

_LINES = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
_PLUGGED = Path("/sys/module/wire/parameters/plugged")
_HELD = Path("/sys/module/wire/parameters/held")
_HOLDING = Path("/sys/module/wire/parameters/holding")
_ANSWER = 4096
_GADGETS = Path("/sys/kernel/config/usb_gadget")


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Looks until the condition holds; the test fails if it does not in time."""
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline, f"{what}: not within {LONG:g} s"
        time.sleep(0.002)


def level(pin: int) -> int:
    """The level of a pin, as the kernel sees it from outside."""
    return int((_LINES / f"sim_gpio{pin}" / "value").read_text())


def ground(pin: int) -> None:
    """Joins a pin to ground: stronger than whatever pulls it up."""
    (_LINES / f"sim_gpio{pin}" / "pull").write_text("pull-down")


def supply(pin: int) -> None:
    """Joins a pin to 3.3 V, which is also what is seen on one that is pulled up and let go."""
    (_LINES / f"sim_gpio{pin}" / "pull").write_text("pull-up")


class Message(NamedTuple):
    """What went over a bus at once. On I2C: to which address, or with 1 from it. On SPI: bits a second, the mode."""

    where: int
    how: int
    data: bytes


class Bus:
    """The far end of a bus; see wire.c.

    Args:
        name: "i2c" or "spi".
    """

    def __init__(self, name: str) -> None:
        self._path = Path(f"/dev/wire-{name}")
        self.heard()

    def heard(self) -> list[Message]:
        """What has come since the last call."""
        log, messages = self._path.read_bytes(), []
        while log:
            length, where, how = struct.unpack_from("=III", log)
            messages.append(Message(where, how, log[12 : 12 + length]))
            log = log[12 + length :]
        return messages

    def lay_out(self, answer: bytes) -> None:
        """What is answered to every message from now on, and zeros after it."""
        self._path.write_bytes(answer.ljust(_ANSWER, b"\0"))


def plug_panel(*, plugged: bool) -> None:
    """Puts the panel's cable in, or pulls it."""
    _PLUGGED.write_text("Y" if plugged else "N")


@contextmanager
def spi_held_up() -> Iterator[Callable[[], bool]]:
    """Holds up what is sent over SPI, for 5 s at most, after which it fails; gives what tells whether anything is."""
    _HELD.write_text("Y")
    try:
        yield lambda: _HOLDING.read_text() == "Y\n"
    finally:
        _HELD.write_text("N")


class Panel:
    """A panel on the bus: each message's bytes as its model takes them."""

    def __init__(self, bus: Bus) -> None:
        self.glass: Glass = Ssd1306(seed=1)
        self._bus = bus

    def look(self) -> bytes:
        """What is seen, after all that has come."""
        for message in self._bus.heard():
            control, *rest = message.data
            take = {0x00: self.glass.command, 0x40: self.glass.data}[control]
            for byte in rest:
                take(byte)
        return bytes(self.glass.seen().tobytes())


class Pico:
    """A Pico on a USB cable. Its program's talk is the real one; the chain is what `contacts` says.

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
        """Puts the cable in, which starts the program."""
        (self._gadget / "UDC").write_text("dummy_udc.0")
        self._powered.set()
        self._program = threading.Thread(target=self._run, daemon=True)
        self._program.start()

    def pull(self) -> None:
        """Pulls the cable."""
        self._powered.clear()
        (self._gadget / "UDC").write_text("\n")
        assert self._program is not None
        self._program.join(LONG)
        assert not self._program.is_alive()

    def hang(self) -> None:
        """Ends the program, with the cable in."""
        self._powered.clear()
        assert self._program is not None
        self._program.join(LONG)

    def _solder(self) -> None:
        """What MicroPython on a Pico says of itself: a CDC-ACM device."""
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
        link = Link(bytes.fromhex(self._serial))
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
