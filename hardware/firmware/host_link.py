"""Hold up the Pico's end of the protocol: bytes in, bytes out. Knows no pins and no port, and is told the time.

Times are milliseconds as MicroPython's `ticks_ms` counts them: they start anew at 2**30, twelve days after the start.
"""

from hardware.firmware.frames import ACK, HELLO, PROTOCOL, REPORT, WELCOME, FrameReader, encode

VERSION = (1, 0, 0)
"""Version of the program."""

LONGEST = 66
"""Bytes of the longest chain that is still read 500 times a second."""

PERIOD = 100
"""Milliseconds after which the contacts are reported even if none has moved."""

RESEND = 20
"""Milliseconds after which a report that was not acknowledged is sent again."""

SILENCE = 3000
"""Milliseconds without a word from the host after which it is taken for gone."""

GAP = 100
"""Milliseconds within a frame after which the rest of it will not come."""

_TICKS = 0x3FFFFFFF


class HostLink:
    """The connection to one host.

    The host says hello and how many bytes of the chain it wants; from then on it is sent reports of that length.

    Args:
        identity: the Pico's own unchanging id.

    Attributes:
        length: number of bytes the host wants, 0 until it has said hello.
        interrupted: whether somebody has pressed Ctrl-C (or mpremote has) while no host was there.
    """

    def __init__(self, identity: bytes) -> None:
        self.length = 0
        self.interrupted = False
        self._identity = identity
        self._reader = FrameReader()
        self._heard = 0
        self._answer = b""
        self._reports = Reports()

    def receive(self, data: bytes, now: int) -> None:
        """Take the bytes that came from the line by `now` (milliseconds)."""
        if elapsed(now, self._heard) > GAP:
            self._reader.forget()
        self._heard = now
        for kind, number, payload in self._reader.take(data):
            if kind == HELLO and len(payload) >= 2:
                self._hello(payload[0], payload[1])
            elif kind == ACK:
                self._reports.acknowledge(number)
        # The second byte of a frame is its kind, so no frame is mistaken for this.
        self.interrupted = not self.length and self._reader.pending[1:2] == b"\x03"

    def send(self, contacts: bytes, now: int) -> bytes:
        """Return the bytes that are due on the line now, often none.

        Args:
            contacts: the settled chain, `length` bytes; nothing is reported before the host's hello.
            now: milliseconds.
        """
        answer = self._answer
        self._answer = b""
        return answer + self._reports.due(contacts, now) if self.length else answer

    def deserted(self, now: int) -> bool:
        """Return whether the host said hello once, and has been silent for `SILENCE` since."""
        return bool(self.length) and elapsed(now, self._heard) > SILENCE

    def _hello(self, protocol: int, length: int) -> None:
        """Answer whatever was asked for: a host that does not like the answer says so to its user."""
        inputs = 8 * min(length, LONGEST)
        welcome = bytes((PROTOCOL,)) + bytes(VERSION) + inputs.to_bytes(2, "big") + self._identity
        self._answer = encode(WELCOME, 0, welcome)
        if protocol == PROTOCOL and 1 <= length <= LONGEST:
            self.length = length
            self._reports = Reports()


class Reports:
    """When to send what: on every change and every `PERIOD`, and again until it is acknowledged.

    A newer report takes the place of one that was not acknowledged: each tells of all contacts.
    """

    def __init__(self) -> None:
        self._number = 0
        self._contacts = b""
        self._frame = b""
        self._acknowledged = True
        self._made = 0
        self._sent = 0

    def acknowledge(self, number: int) -> None:
        """Note that the host has got the report of this number."""
        if number == self._number:
            self._acknowledged = True

    def due(self, contacts: bytes, now: int) -> bytes:
        """Return the report to send now, or nothing."""
        if contacts != self._contacts or elapsed(now, self._made) >= PERIOD:
            self._number = (self._number + 1) & 0xFFFF
            self._contacts = contacts
            self._frame = encode(REPORT, self._number, contacts)
            self._acknowledged = False
            self._made = self._sent = now
            return self._frame
        if not self._acknowledged and elapsed(now, self._sent) >= RESEND:
            self._sent = now
            return self._frame
        return b""


def elapsed(now: int, since: int) -> int:
    """Return the milliseconds from one time to another, across the place where ticks start anew."""
    return (now - since) & _TICKS
