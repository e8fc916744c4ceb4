"""The Pico's side of the protocol with the Pi. It handles bytes, and knows no pins, port or clock.

Times are milliseconds from MicroPython's `ticks_ms`, which wrap around at 2**30, twelve days after the start.
"""

from hardware.firmware.frames import ACK, HELLO, PROTOCOL, REPORT, SWITCHES, WELCOME, WRITE, FrameReader, encode

VERSION = (1, 1, 0)
"""Version of the programs."""

LONGEST = 66
"""Bytes of the longest chain that can be read 500 times a second."""

PERIOD = 100
"""Milliseconds after which the contacts are reported even if none has changed."""

RESEND = 20
"""Milliseconds after which a report that was not acknowledged is sent again."""

SILENCE = 3000
"""Milliseconds without a sign of life after which the host counts as disconnected."""

GAP = 100
"""Milliseconds of a gap within a frame after which the frame counts as lost."""

_TICKS = 0x3FFFFFFF


class HostLink:
    """The Pico's connection to one host: it processes the received bytes, and has the bytes to send.

    The host says hello and how many bytes of contacts it wants; from then on it gets reports of that length.

    A picture belongs to the connection that drew it: the hello that begins the next connection blanks the screen. The
    host counts as alive when it begins a connection, acknowledges the newest report, or sends a write in order. Without
    a screen every frame counts.

    Args:
        identity: the Pico's own unchanging id.
        program: one of `frames.SWITCHES` and `frames.HANDSET`.
        longest: the most bytes of contacts that this Pico can read.
        screen: the screen that the host may write to; None without one.

    Attributes:
        length: number of bytes the host wants, 0 until it has said hello.
        interrupted: whether Ctrl-C was pressed twice (or mpremote sent it) without a host.
    """

    def __init__(
        self, identity: bytes, program: bytes = SWITCHES, longest: int = LONGEST, screen: "Screen | None" = None
    ) -> None:
        self.length = 0
        self.interrupted = False
        self._identity = identity
        self._program = program
        self._longest = longest
        self._writes = ScreenWrites(screen) if screen else None
        self._reader = FrameReader()
        self._received_at = 0
        self._alive_at = 0
        self._welcome = b""
        self._answers = b""
        self._reports = Reports()

    def receive(self, data: bytes, now: int) -> None:
        """Process the bytes that have arrived by `now` (milliseconds)."""
        if elapsed(now, self._received_at) > GAP:
            self._reader.forget()
        self._received_at = now
        for kind, number, payload in self._reader.take(data):
            alive = not self._writes
            if kind == HELLO and len(payload) >= 2:
                alive |= self._hello(number, payload[0], payload[1])
            elif kind == ACK:
                alive |= self._reports.acknowledge(number)
            elif kind == WRITE and self.length and self._writes:
                alive = self._writes.carry_out(number, payload)
                self._answers += self._writes.answer(number)
            if alive:
                self._alive_at = now
        # The second byte of a frame is its kind, so no frame looks like this.
        self.interrupted = not self.length and self._reader.pending[1:2] == b"\x03"

    def send(self, contacts: bytes, now: int) -> bytes:
        """Return the bytes to send now, which are often none.

        Args:
            contacts: the settled contacts, `length` bytes; nothing is reported before the host's hello.
            now: milliseconds.
        """
        answer = self._welcome + self._answers
        self._welcome = self._answers = b""
        return answer + self._reports.due(contacts, now) if self.length else answer

    def deserted(self, now: int) -> bool:
        """Return whether a host once said hello but has been silent for `SILENCE` since."""
        return bool(self.length) and elapsed(now, self._alive_at) > SILENCE

    def _hello(self, number: int, protocol: int, length: int) -> bool:
        """Answer any hello with a welcome, even a hello of an unknown protocol, which the host then reports.

        Return whether it begins a connection.
        """
        inputs = 8 * min(length, self._longest)
        welcome = bytes((PROTOCOL,)) + bytes(VERSION) + inputs.to_bytes(2, "big") + self._identity + self._program
        self._welcome = encode(WELCOME, 0, welcome)
        if protocol != PROTOCOL or not 1 <= length <= self._longest:
            return False
        begins = number == 0 or not self.length
        if begins and self._writes:
            self._writes.forget()
        self.length = length
        self._reports = Reports()
        return begins


class Reports:
    """The schedule of reports: at every change, every `PERIOD`, and again until the host acknowledges one.

    A newer report replaces an unacknowledged one: each contains all contacts.
    """

    def __init__(self) -> None:
        self._number = 0
        self._contacts = b""
        self._frame = b""
        self._acknowledged = True
        self._made = 0
        self._sent = 0

    def acknowledge(self, number: int) -> bool:
        """Record that the host has received a report. Return whether that is the newest one."""
        if number != self._number:
            return False
        self._acknowledged = True
        return True

    def due(self, contacts: bytes, now: int) -> bytes:
        """Return the report to send now, or no bytes."""
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


class Screen:
    """The base class of a Pico's screen. Its methods do nothing."""

    def restart(self) -> None:
        """Restart the screen's bus, and the screen too if its reset line is wired."""

    def write(self, address: int, data: bytes) -> None:
        """Write bytes to an address on the bus. Raises OSError if nothing answers there."""

    def blank(self) -> None:
        """Switch the screen off and clear its memory."""


class ScreenWrites:
    """The host's writes to a screen, carried out once each, in order.

    If the host repeats a write other than number 0, the Pico only answers it again.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._number = -1
        self._next = 0
        self._result = b""

    def forget(self) -> None:
        """Blank the screen if anything was written to it, and refuse all writes until number 0 comes."""
        if self._number >= 0:
            self._screen.blank()
        self._number = -1
        self._next = 0

    def carry_out(self, number: int, payload: bytes) -> bool:
        """Carry out a write if it is the next one. Return True if it is the next one or repeats the last."""
        if number in {0, self._next}:
            self._number = number
            self._next = number % 0xFFFF + 1
            self._result = b""
            try:
                if number == 0:
                    self._screen.restart()
                else:
                    self._screen.write(payload[0], payload[1:])
            except (OSError, IndexError) as error:
                self._result = repr(error).encode()
        return number == self._number

    def answer(self, number: int) -> bytes:
        """Return the frame that answers a write."""
        return encode(ACK, number, self._result if number == self._number else b"a write before it is missing")


def elapsed(now: int, since: int) -> int:
    """Return the milliseconds from `since` to `now`, even if the counter has restarted at 0 between them."""
    return (now - since) & _TICKS
