"""Talk to a Raspberry Pi Pico in Mister X's handset, which has a screen and five keys, over one USB cable.

A cable of 2 m is too long for I2C, but not for USB. The Pico runs `hardware.firmware.handset_main`, which knows no
pictures: `OledPanel` draws as on the Pi's own bus, and each of its writes travels in a frame. The Pico switches the
screen off and clears its memory when it starts, when another connection begins, and when the host has given no sign of
life for 3 s.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence

from hardware.drivers.pico import PicoLine
from hardware.firmware.frames import HANDSET
from hardware.ports import BadDevice, Clock, DeviceLost

KEYS = ("up", "down", "select", "back", "peek")
"""The keys of the handset, in the order of the Pico's pins."""

LAST_NUMBER = 0xFFFF
"""The number of a write that is followed by number 1."""

_COMMANDS, _DATA = b"\x00", b"\x40"
"""The byte before commands, and before bytes for the panel's memory (SSD1306 data sheet, 8.1.5)."""

_A_WRITE = 128
"""The most bytes for the panel's memory in one frame."""


def handset_line(port: str, clock: Clock) -> PicoLine:
    """Return the connection to a handset's Pico, not started yet. The screen and the keys share it.

    Args:
        port: path of the serial port, or the Pico's serial number, as in the names in /dev/serial/by-id.
        clock: real time, also for waiting.

    Raises:
        BadDevice: no port is named.
        NotInstalled: pyserial is not installed.
    """
    if not port:
        raise BadDevice("handset: no port is named; give a path in /dev/serial/by-id, or the Pico's serial number")
    return PicoLine(port, 1, clock, HANDSET)


class PicoBus:
    """The open bus to the panel on a handset's Pico. Implements `hardware.drivers.oled.Bus`.

    Args:
        line: the line to the Pico.
        address: the panel's I2C address, 7 bits.

    Raises:
        DeviceLost: the Pico does not answer.
        OSError: the Pico cannot restart the screen's bus.
    """

    def __init__(self, line: PicoLine, address: int) -> None:
        self._line = line
        self._address = bytes((address,))
        self._number = 0
        self._open = True
        line.start()
        try:
            self._post(b"")
        except OSError:
            self.cleanup()
            raise

    def command(self, *command: int) -> None:
        """Send commands with their arguments to the panel."""
        self._post(self._address + _COMMANDS + bytes(command))

    def data(self, data: Sequence[int]) -> None:
        """Send any number of bytes to the panel's memory."""
        for start in range(0, len(data), _A_WRITE):
            self._post(self._address + _DATA + bytes(data[start : start + _A_WRITE]))

    def cleanup(self) -> None:
        """Release the line. This may be called twice."""
        if self._open:
            self._open = False
            self._line.close()

    def _post(self, data: bytes) -> None:
        """Send the next write. Raises OSError if the panel does not answer, DeviceLost if the Pico does not."""
        error = self._line.post(self._number, data)
        if error:
            number = re.match(rb"OSError\((\d+)", error)  # as MicroPython prints it
            raise OSError(errno.EIO, os.strerror(int(number[1])) if number else error.decode(errors="replace"))
        self._number = self._number % LAST_NUMBER + 1


class PicoKeys:
    """The five keys on a handset's Pico. Implements `Keys`.

    While the Pico does not answer, peek is up, and the other keys stay as they were, so that a key that is held through
    a short silence counts once. The handset's screen, on the same cable, reports the loss, and the keys at the table go
    on working. The Pico debounces over 3 ms.

    Args:
        line: the line to the Pico.
    """

    names = tuple(f"handset.{key}" for key in KEYS)

    def __init__(self, line: PicoLine) -> None:
        self._line = line
        self._open = True
        self._last = 0
        line.start()

    def read(self) -> int:
        """Return one sample of the keys. Unlike the screen, they never raise `DeviceLost`. See `Keys.read`."""
        try:
            self._last = self._line.newest()[0] & (1 << len(KEYS)) - 1
        except DeviceLost:
            self._last &= ~(1 << KEYS.index("peek"))
        return self._last

    def close(self) -> None:
        """Release the line. This may be called twice."""
        if self._open:
            self._open = False
            self._line.close()
