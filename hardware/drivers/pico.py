"""Read contacts on a chain of 74HC165 shift registers that a Raspberry Pi Pico reads and reports by USB.

The Pico runs `hardware.firmware`; docs/serial.md describes the protocol. Pins and counting are those of
`hardware.drivers.shift_register`: to its driver, the Pico is one more SPI bus.
"""

from __future__ import annotations

import errno
import math
import re
import termios
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.drivers.shift_register import FURTHER, ShiftRegisterSwitches
from hardware.firmware.frames import ACK, HELLO, PROTOCOL, REPORT, TROUBLE, WELCOME, FrameReader, encode
from hardware.firmware.host_link import LONGEST
from hardware.ports import BadDevice, Clock, DeviceLost, NotInstalled

if TYPE_CHECKING:
    from serial import Serial

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
                if number == self._number:
                    self._count(resends=1)
                else:
                    self._count(missed=(number - self._number - 1) & 0xFFFF)
                self._number = number
                self.report = payload
                self.reported_at = now
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

    def _count(self, **more: int) -> None:
        self.counters = replace(
            self.counters, **{name: getattr(self.counters, name) + number for name, number in more.items()}
        )


BY_ID = Path("/dev/serial/by-id")
"""Where Linux lists serial ports by maker and serial number."""


def find_port(port: str) -> Path:
    """Return the path of a port from its path or from the Pico's serial number.

    In /dev/serial/by-id the serial number is the last part of a name, before the number of the interface:
    usb-MicroPython_Board_in_FS_mode_e6614103e7452d2f-if00.

    Raises:
        OSError: no port has that serial number, or several have (`errno.ENOTUNIQ`). A path is not checked.
    """
    if "/" in port:
        return Path(port)
    named = re.compile(rf"(.*_)?{re.escape(port)}(-if\d+)?(-port\d+)?", re.IGNORECASE)
    found = [entry for entry in sorted(BY_ID.glob("*")) if named.fullmatch(entry.name)]
    if len(found) > 1:
        names = ", ".join(map(str, found))
        raise OSError(errno.ENOTUNIQ, f"several ports have the serial number {port}; give the path of one: {names}")
    if not found:
        raise FileNotFoundError(errno.ENOENT, "unknown serial number", port)
    return found[0]


def advice_for(error: Exception) -> str:
    """Return a remedy for a port that cannot be opened or has broken."""
    number = getattr(error, "errno", None)
    if number in {errno.EACCES, errno.EPERM}:
        return "permission denied; add the user to the group dialout: sudo usermod -aG dialout USER"
    if number in {errno.EAGAIN, errno.EBUSY}:
        return "another program has the port open; end it"
    if number in {errno.ENOENT, errno.ENODEV, errno.ENXIO}:
        there = ", ".join(sorted(entry.name for entry in BY_ID.glob("*"))) or "none"
        return f"there is no such port; see that its cable is in; ports in {BY_ID}: {there}"
    if number == errno.ENOTUNIQ:
        return str(getattr(error, "strerror", error))
    return f"the connection broke ({error}); see that its cable is in"


STALE = 0.5
"""Seconds after which a report is outdated. The Pico sends one every 0.1 s."""

GIVE_UP = 2.0
"""Seconds without a report after which the port is closed and opened again."""

_PATIENCE = 0.05
"""Seconds to wait for a byte before checking the clock."""

_STUCK = 0.5
"""Seconds after which a port that accepts no bytes is lost; without this, a write may hang forever."""


class PicoSwitches(ShiftRegisterSwitches):
    """The contacts of a chain of 74HC165 on a Pico. Implements the `Switches` port.

    Chips are counted from the Pico. Input 0 always reads open: its bit is shifted out before the Pico samples. `read`
    returns the Pico's newest report, debounced over 3 ms, and is lost without one of the last 0.5 s. A thread of its
    own reads from the Pico, opens the port and, after a loss, opens it again; `close` ends it.

    Args:
        port: path of the serial port, or the Pico's serial number, as in the names in /dev/serial/by-id.
        count: number of inputs, from 1 to those of all chips but the last; of all chips if the chain is partial.
        chips: number of chips, the one with the sentinel among them, 2 to 64; 1 if the chain is partial.
        sentinel: levels on the inputs of the last chip, pin H the highest bit; see `shift_register.SENTINEL`.
        clock: real time, also for waiting.
        partial: as for `ShiftRegisterSwitches`.

    Raises:
        BadDevice: a value out of its range.
        NotInstalled: pyserial is not installed.
    """

    def __init__(
        self, port: str, count: int, *, chips: int, sentinel: int, clock: Clock, partial: bool = False
    ) -> None:
        if chips + FURTHER > LONGEST:
            raise BadDevice(f"switches: {chips} chips; a Pico reads {LONGEST - FURTHER} at the most")
        if not port:
            raise BadDevice("switches: no port is named; give a path in /dev/serial/by-id, or the Pico's serial number")
        self._line = PicoLine(port, chips + FURTHER, clock)
        super().__init__(
            count, spi=self._line, load=self._line, chips=chips, sentinel=sentinel, mode=1, partial=partial
        )
        self._line.start()

    @property
    def counters(self) -> Counters:
        """The statistics of the line so far."""
        return self._line.counters

    def late(self) -> float:
        """Return for how many seconds the Pico's thread has made no progress."""
        return self._line.late()


class PicoLine:
    """A thread that keeps the port open and stores the Pico's newest report.

    To the chain's driver, it is both the bus and the load. Takes the arguments of `PicoSwitches`, and `length`, the
    bytes of the chain to ask for.

    Raises:
        NotInstalled: pyserial is not installed.
    """

    def __init__(self, port: str, length: int, clock: Clock) -> None:
        self._serial = _pyserial()
        self._port = port
        self._length = length
        self._clock = clock
        self._session = PicoSession(length, clock.now(), Counters())
        self._trouble = "the port is being opened"
        self._went_on = clock.now()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"switches on {port}", daemon=True)

    @property
    def counters(self) -> Counters:
        """The statistics of the line so far."""
        return self._session.counters

    def start(self) -> None:
        """Start the thread that keeps the port open and reads it."""
        self._thread.start()

    def late(self) -> float:
        """Return for how many seconds the thread has made no progress. `back_off` has its longest pause."""
        return self._clock.now() - self._went_on

    def transfer(self, data: bytes) -> bytes:
        """Return as many bytes of the newest report as `data` has.

        Raises:
            DeviceLost: there is no report of the last `STALE` seconds.
        """
        # The thread may change any of these between two reads.
        session, trouble = self._session, self._trouble
        report = session.report
        if trouble or not report or self._clock.now() - session.reported_at > STALE:
            raise DeviceLost(f"switches: no answer from the Pico on {self._port}: {trouble or session.problem}")
        return report[: len(data)]

    def write(self, data: bytes) -> None:
        """Do nothing: a chain of switches has no input."""

    def pulse(self) -> None:
        """Do nothing: the Pico itself drives the chain's load pin."""

    def close(self) -> None:
        """End the thread and release the port. May be called twice."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pauses = back_off()
        while not self._ended.is_set():
            self._went_on = self._clock.now()
            before = self._session
            try:
                self._serve()
            except (OSError, termios.error) as error:
                # pyserial's own errors are OSErrors, but those of the terminal's settings are not.
                failure, advice = self._session.failure, advice_for(error)
                self._trouble = f"its program has failed: {failure}; {advice}" if failure else advice
            except Exception as error:  # noqa: BLE001 - nobody would miss the thread, and the Pico would stay silent
                self._trouble = f"a fault of yardboard's own: {error!r}; it opens the port again"
            if self._session is not before and self._session.report:
                pauses = back_off()
            self._ended.wait(next(pauses))

    def _serve(self) -> None:
        """Open the port and exchange bytes with the Pico, until it has been silent for too long."""
        # While a lost port is held open, the Pico returns under another name, so close it first.
        path = str(find_port(self._port))
        with self._serial(path, exclusive=True, timeout=_PATIENCE, write_timeout=_STUCK) as line:
            session = PicoSession(self._length, self._clock.now(), self.counters)
            self._session = session
            while not self._ended.is_set() and self._clock.now() - session.reported_at < GIVE_UP:
                self._went_on = self._clock.now()
                hello = session.hello_if_due(self._went_on)
                if hello:
                    line.write(hello)
                data = line.read(max(1, line.in_waiting))
                answer = session.receive(data, self._clock.now())
                if data:
                    # From now on the session reports the problem.
                    self._trouble = ""
                if answer:
                    line.write(answer)
            self._trouble = session.problem


def back_off() -> Iterator[float]:
    """Yield the seconds from closing a port to opening it again: 0.25, doubling, at most 4."""
    pause = 0.25
    while True:
        yield pause
        pause = min(2 * pause, 4.0)


def _pyserial() -> type[Serial]:
    try:
        from serial import Serial  # noqa: PLC0415 - only a Pi has it
    except ImportError as error:
        raise NotInstalled.needing("switches: pico", "pyserial", "pi") from error
    return Serial
