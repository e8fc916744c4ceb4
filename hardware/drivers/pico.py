"""Talk to a Raspberry Pi Pico on USB, and read a chain of 74HC165 chips through it.

The Pico runs `hardware.firmware`; docs/serial.md describes the protocol. Pins and counting of the chain are those of
`hardware.drivers.shift_register`: to its driver, the Pico is one more SPI bus.
"""

from __future__ import annotations

import errno
import math
import re
import termios
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.drivers.shift_register import FURTHER, ShiftRegisterSwitches
from hardware.firmware.frames import (
    ACK,
    HANDSET,
    HELLO,
    PROTOCOL,
    REPORT,
    SWITCHES,
    TROUBLE,
    WELCOME,
    WRITE,
    FrameReader,
    encode,
)
from hardware.firmware.host_link import LONGEST
from hardware.ports import BadDevice, Clock, DeviceLost, NotInstalled

if TYPE_CHECKING:
    from serial import Serial

ASK = 0.25
"""Seconds without a report after which the Pico is asked to begin: it may have restarted."""

REPEAT = 0.1
"""Seconds after which a write that was not acknowledged is sent again."""

PROGRAMS = {SWITCHES: "switches", HANDSET: "handset"}
"""The letter of a Pico's program -> its name."""

_STOPPED = "its reports have stopped; it may have lost its power, or its program hangs"


@dataclass(frozen=True, slots=True)
class Counters:
    """The numbers of messages that the line has carried and lost since the program's start.

    Attributes:
        frames: valid frames.
        crc_errors: pieces that were not frames: corrupted ones, and noise.
        resends: repeated reports whose acknowledgement was late or lost.
        missed: reports that never arrived; a newer one replaced them.
        connects: times that a Pico with the right program has answered a hello.
    """

    frames: int = 0
    crc_errors: int = 0
    resends: int = 0
    missed: int = 0
    connects: int = 0


class PicoSession:
    """The host's side of the protocol with a Pico. It handles bytes, and knows no serial port.

    Args:
        length: bytes of the chain to ask for.
        now: seconds.
        counters: the counters to continue.
        program: the program that the Pico should run, one of `PROGRAMS`.

    Attributes:
        counters: the statistics of the line.
        report: the newest report, empty before the first and after a failure of the Pico's program.
        reported_at: when it arrived, or when the session began.
        problem: the fault of the other end, or why nothing has arrived yet.
        failure: the Pico's last report of its own failure, or nothing.
        answer: the answer to the last write, empty if it succeeded; None before it arrives.
    """

    def __init__(self, length: int, now: float, counters: Counters, program: bytes = SWITCHES) -> None:
        command = "yardboard firmware install" + " --for handset" * (program == HANDSET)
        self._install = f"write the program to it with: {command}"
        self._silent = f"it is silent; if yardboard's program is not on it, {self._install}"
        self.counters = counters
        self.report = b""
        self.reported_at = now
        self.problem = self._silent
        self.failure = ""
        self.answer: bytes | None = None
        self._length = length
        self._program = program
        self._write = (-1, b"")
        self._written_at = -math.inf
        self._reader = FrameReader()
        self._asked = -math.inf
        self._welcome = False
        self._number = 0

    def hello_if_due(self, now: float) -> bytes:
        """Return a hello to send if no report has come for a while, else no bytes."""
        if now - self._asked < ASK or (self.report and now - self.reported_at < ASK):
            return b""
        self._asked = now
        # The Pico will restart its numbering, and says so first.
        self._welcome = False
        # Number 0 begins a connection, and blanks a screen.
        return encode(HELLO, 1 if self.report else 0, bytes((PROTOCOL, self._length)))

    def post(self, number: int, data: bytes) -> None:
        """Take the next write for the Pico's screen. It replaces the last write, even an unanswered one.

        Args:
            number: 1 to 65535, the next number after the last write's; 0 restarts the screen's bus and the numbering.
            data: the I2C address and the bytes to write there.
        """
        self._write = (number, encode(WRITE, number, data))
        self._written_at = -math.inf
        self.answer = None

    def drop_write(self) -> None:
        """Drop the last write, because nobody waits for its answer any more."""
        self.answer = b""

    def write_if_due(self, now: float) -> bytes:
        """Return the last write if it was never sent, or not answered for a while, else no bytes."""
        if not self._welcome or self.answer is not None or now - self._written_at < REPEAT:
            return b""
        self._written_at = now
        return self._write[1]

    def receive(self, data: bytes, now: float) -> bytes:
        """Process bytes from the Pico, and return the bytes of the answer."""
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
            elif kind == ACK and number == self._write[0]:
                self.answer = payload
        if data and self.problem == self._silent:
            self.problem = f"it sends something else than yardboard's program does; {self._install}"
        return answer

    def _take_welcome(self, welcome: bytes) -> None:
        self._welcome = False
        version = ".".join(map(str, welcome[1:4]))
        inputs = int.from_bytes(welcome[4:6], "big")
        program = welcome[14:15] or SWITCHES
        if welcome[:1] != bytes((PROTOCOL,)):
            self.problem = (
                f"its program (version {version}) speaks another protocol than this yardboard; {self._install}"
            )
        elif program != self._program:
            self.problem = (
                f"it is the handset's Pico; exchange the ports in the configuration, or {self._install}"
                if program == HANDSET
                else f"it is the switches' Pico; exchange the ports in the configuration, or {self._install}"
            )
        elif inputs != 8 * self._length:
            self.problem = (
                f"its program (version {version}) reads {inputs} inputs, "
                f"and {8 * self._length} are asked for; {self._install}"
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
    """Return the path of a serial port, given its path or the Pico's serial number.

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
    """Return advice about a port that cannot be opened or has failed."""
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

UNANSWERED = 1.0
"""Seconds after which a write to the Pico's screen has failed, the wait for the connection included."""

_OPENING = "the port is being opened"


class PicoSwitches(ShiftRegisterSwitches):
    """The contacts of a chain of 74HC165 chips on a Pico. Implements `Switches`.

    Chips are counted from the Pico. Input 0 always reads open: its bit is shifted out before the Pico samples. `read`
    returns the Pico's newest report, debounced over 3 ms, and raises `DeviceLost` if there is none of the last 0.5 s. A
    separate thread reads from the Pico, opens the port and, after a loss, opens it again; `close` ends the thread.

    Args:
        port: path of the serial port, or the Pico's serial number, as in the names in /dev/serial/by-id.
        count: number of inputs. The least is 1, the most are all inputs without the last chip's, or with them if the
            chain is partial.
        chips: number of chips, the one with the sentinel among them, 2 to 64, or 1 to 64 if the chain is partial.
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
        """The statistics of the line to the Pico so far."""
        return self._line.counters

    def late(self) -> float:
        """Return how many seconds the Pico's thread has made no progress."""
        return self._line.late()


class PicoLine:
    """A thread that keeps the port to a Pico open, keeps its newest report, and sends writes to its screen.

    To the chain's driver, it is both the bus and the load wire. Several devices may share it. It ends with its last
    user.

    Args:
        port: as in `PicoSwitches`.
        length: bytes of contacts to ask for.
        clock: as in `PicoSwitches`.
        program: the program that the Pico should run, one of `PROGRAMS`.

    Raises:
        NotInstalled: pyserial is not installed.
    """

    def __init__(self, port: str, length: int, clock: Clock, program: bytes = SWITCHES) -> None:
        self._what = PROGRAMS[program]
        self._serial = pyserial(self._what)
        self._port = port
        self._length = length
        self._clock = clock
        self._program = program
        self._changed = threading.Condition()
        self._session = self._new_session(Counters())
        self._trouble = _OPENING
        self._went_on = clock.now()
        self._wake: Callable[[], None] = _do_nothing
        self._users = 0
        self._life = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def counters(self) -> Counters:
        """The statistics of the line to the Pico so far."""
        return self._session.counters

    def start(self) -> None:
        """Start the thread that keeps the port open, unless another user of the line has started it."""
        with self._life:
            self._users += 1
            if self._thread is None:
                self._ended.clear()
                self._trouble, self._went_on = _OPENING, self._clock.now()
                self._thread = threading.Thread(target=self._run, name=f"{self._what} on {self._port}", daemon=True)
                self._thread.start()

    def late(self) -> float:
        """Return how many seconds the thread has made no progress. Up to 4 s are normal while it retries the port."""
        return 0.0 if self._thread is None else self._clock.now() - self._went_on

    def newest(self) -> bytes:
        """Return the newest report of the Pico.

        Raises:
            DeviceLost: the port is not open, or there is no report of the last `STALE` seconds.
        """
        # The thread may change any of these between two reads.
        session, trouble = self._session, self._trouble
        report = session.report
        if trouble or not report or self._clock.now() - session.reported_at > STALE:
            raise self._lost(trouble or session.problem)
        return report

    def post(self, number: int, data: bytes) -> bytes:
        """Write to the Pico's screen, and return its answer: an error, or b"" if the write succeeded.

        Args:
            number: as in `PicoSession.post`.
            data: as in `PicoSession.post`.

        Raises:
            DeviceLost: there is no connection, or no answer for `UNANSWERED` seconds.
        """
        started, session = self._clock.now(), None
        with self._changed:
            while session is None or session.answer is None:
                if self._trouble not in {"", _OPENING}:
                    raise self._lost(self._trouble)
                if self._clock.now() - started > UNANSWERED:
                    self._session.drop_write()
                    problem = self._session.problem
                    if problem == _STOPPED:
                        problem = f"it has not answered a write to its screen for {UNANSWERED:g} s"
                    raise self._lost(self._trouble or problem)
                if session is not self._session:
                    session = self._session
                    session.post(number, data)
                    self._wake()
                self._changed.wait(_PATIENCE)
            return session.answer

    def transfer(self, data: bytes) -> bytes:
        """Return as many bytes of the newest report as `data` has. Raises the same as `newest`."""
        return self.newest()[: len(data)]

    def write(self, data: bytes) -> None:
        """Do nothing, because a chain of switches has no input."""

    def pulse(self) -> None:
        """Do nothing, because the Pico drives the load pin of its chain."""

    def close(self) -> None:
        """End one use of the line. The end of the last use ends the thread and releases the port."""
        with self._life:
            self._users = max(0, self._users - 1)
            if self._thread is not None and not self._users:
                self._ended.set()
                self._thread.join()
                self._thread = None

    def _lost(self, why: str) -> DeviceLost:
        return DeviceLost(f"{self._what}: no answer from the Pico on {self._port}: {why}")

    def _new_session(self, counters: Counters) -> PicoSession:
        return PicoSession(self._length, self._clock.now(), counters, self._program)

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
        """Open the port and exchange bytes with the Pico until the Pico has been silent for too long."""
        # While a lost port is held open, the Pico returns under another name, so close it first.
        path = str(find_port(self._port))
        with self._serial(path, exclusive=True, timeout=_PATIENCE, write_timeout=_STUCK) as line:
            session = self._new_session(self.counters)
            with self._changed:
                self._session, self._wake = session, line.cancel_read
            try:
                while not self._ended.is_set() and self._clock.now() - session.reported_at < GIVE_UP:
                    self._exchange(line, session)
            finally:
                with self._changed:
                    self._wake = _do_nothing
            self._trouble = session.problem

    def _exchange(self, line: Serial, session: PicoSession) -> None:
        """Send the due hello and write, wait a moment for bytes from the Pico, and answer them."""
        now = self._went_on = self._clock.now()
        with self._changed:
            due = session.hello_if_due(now) + session.write_if_due(now)
        if due:
            line.write(due)
        data = line.read(max(1, line.in_waiting))
        with self._changed:
            answer = session.receive(data, self._clock.now())
            if data:
                # From now on the session reports the problem.
                self._trouble = ""
            self._changed.notify_all()
        if answer:
            line.write(answer)


def _do_nothing() -> None:
    pass


def back_off() -> Iterator[float]:
    """Yield how many seconds to wait before each try to open a port again: from 0.25, doubling, to 4."""
    pause = 0.25
    while True:
        yield pause
        pause = min(2 * pause, 4.0)


def pyserial(what: str) -> type[Serial]:
    """Return pyserial's class for ports. If pyserial is missing, the error names the device `what`."""
    try:
        from serial import Serial  # noqa: PLC0415 - only a Pi has it
    except ImportError as error:
        raise NotInstalled.needing(f"{what}: pico", "pyserial", "pi") from error
    return Serial
