"""Implement the host's side of the Pico's protocol: bytes in, bytes out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from hardware.firmware.frames import ACK, HELLO, PROTOCOL, REPORT, TROUBLE, WELCOME, FrameReader, encode

ASK = 0.25
"""Seconds without a report after which the Pico is asked to begin: it may have restarted."""

_INSTALL = "write the program to it with: yardboard firmware install"
_SILENT = f"it is silent; if yardboard's program is not on it, {_INSTALL}"
_STRANGE = f"it sends something else than yardboard's program does; {_INSTALL}"
_STOPPED = "its reports have stopped; it may have lost its power, or its program hangs"


@dataclass(frozen=True, slots=True)
class Counters:
    """The statistics of the line since the program's start.

    Attributes:
        frames: valid frames.
        crc_errors: pieces that were not frames: corrupted ones, and noise.
        resends: repeated reports whose acknowledgement was late or lost.
        missed: reports that never arrived; a newer one replaced them.
        connects: times that a Pico has answered a hello.
    """

    frames: int = 0
    crc_errors: int = 0
    resends: int = 0
    missed: int = 0
    connects: int = 0


class PicoSession:
    """The host's side of the protocol, once the port is open: bytes in, bytes out. Knows no port.

    Args:
        length: bytes of the chain to ask for.
        now: seconds.
        counters: the counters to continue.

    Attributes:
        counters: the statistics of the line.
        report: the newest report, empty before the first.
        reported_at: when it arrived, or when the session began.
        problem: the fault of the other end, or why nothing has arrived yet.
        failure: the Pico's last report of its own failure, or nothing.
    """

    def __init__(self, length: int, now: float, counters: Counters) -> None:
        self.counters = counters
        self.report = b""
        self.reported_at = now
        self.problem = _SILENT
        self.failure = ""
        self._length = length
        self._reader = FrameReader()
        self._asked = -math.inf
        self._welcome = False
        self._number = 0

    def hello_if_due(self, now: float) -> bytes:
        """Return a hello to send if no report has come for a while, else nothing."""
        if now - self._asked < ASK or (self.report and now - self.reported_at < ASK):
            return b""
        self._asked = now
        # The Pico will restart its numbering, and says so first.
        self._welcome = False
        return encode(HELLO, 0, bytes((PROTOCOL, self._length)))

    def receive(self, data: bytes, now: float) -> bytes:
        """Process received bytes, and return the bytes of the answer."""
        answer = b""
        spoiled = self._reader.spoiled
        found = self._reader.take(data)
        self._count(frames=len(found), crc_errors=self._reader.spoiled - spoiled)
        for kind, number, payload in found:
            if kind == WELCOME:
                self._take_welcome(payload)
            elif kind == TROUBLE:
                self.report = b""
                self.failure = payload.decode(errors="replace")
                self.problem = f"its program has failed: {self.failure}; it starts again"
            elif kind == REPORT and self._welcome and len(payload) == self._length:
                self._take_report(number, payload, now)
                answer += encode(ACK, number, b"")
        if data and self.problem == _SILENT:
            self.problem = _STRANGE
        return answer

    def _take_welcome(self, welcome: bytes) -> None:
        self._welcome = False
        version = ".".join(map(str, welcome[1:4]))
        inputs = int.from_bytes(welcome[4:6], "big")
        if welcome[:1] != bytes((PROTOCOL,)):
            self.problem = f"its program (version {version}) speaks another protocol than this yardboard; {_INSTALL}"
        elif inputs != 8 * self._length:
            self.problem = (
                f"its program (version {version}) reads {inputs} inputs, "
                f"and {8 * self._length} are asked for; {_INSTALL}"
            )
        else:
            self.problem = _STOPPED
            self._welcome = True
            self._number = 0
            self._count(connects=1)

    def _take_report(self, number: int, report: bytes, now: float) -> None:
        if number == self._number:
            self._count(resends=1)
        else:
            self._count(missed=(number - self._number - 1) & 0xFFFF)
        self._number = number
        self.report = report
        self.reported_at = now

    def _count(self, **more: int) -> None:
        self.counters = replace(
            self.counters, **{name: getattr(self.counters, name) + number for name, number in more.items()}
        )
