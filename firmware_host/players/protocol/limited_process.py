"""Exchange lines with a program, without ever waiting for it or trusting it: behind pipes, or behind a socket.

Behind pipes the program is spawned, never forked: nothing of this process's memory is in it. It gets a session of its
own, a poor man's environment, the lowest claim on the processor, a limit on its memory, and only the three pipes of all
open files. Behind a socket the service manager has started it.
"""

from __future__ import annotations

import os
import resource
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import IO

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.rules.secret import Secret

MOST_UNREAD = 4 * 1024 * 1024
"""Bytes that wait for a program that does not read."""

MOST_LINES = 64
"""Lines that a program may have said without being listened to."""

PASSED_ON = ("PATH", "HOME", "NUMBA_CACHE_DIR", "SYSTEMROOT")
"""What of our environment a program gets; there is no secret in these."""

_LIMITED = (
    '[ "$PPID" = "$1" ] || exit; ulimit -c 0; ulimit -d "$2"; shift 2; '
    '{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null; exec nice -n 10 "$@"'
)
"""A shell's line that limits the program before it begins, in place of code between fork and exec. If the machine has
no memory left, the program goes first. If the process that wants it is gone by now, it does not begin."""

_ENDS_WITH_US = ("setpriv", "--pdeathsig", "KILL")
"""What runs a command that does not outlive the thread that starts it, however that ends. Linux has it."""

_AT_ONCE = 64 * 1024
"""Bytes that are read at one time, so that no flood holds us up."""

_LAST_WORDS = 4096
"""Bytes that are kept of what it writes to its standard error."""

_LAST_READS = 16
"""Times that the standard error of one that has ended is read; more than a pipe holds, and never without end."""

_GRACE = 0.5
"""Seconds between the signal to end and the one that cannot be refused."""

_CONNECTING = 1.0
"""Seconds that a connection to the service manager may take; it is there before the table is."""


Channel = IO[bytes] | socket.socket
"""One end of a pipe, or of a connection."""


class LineStream(ABC):
    """A program at the other end of two channels, one for each direction.

    Args:
        to_program: what it reads.
        from_program: what it writes.
        complaints: its standard error, if that comes here.
        longest: bytes that a line of its may have, its end aside.
    """

    def __init__(self, to_program: Channel, from_program: Channel, complaints: Channel | None, longest: int) -> None:
        self._stdin, self._stdout, self._stderr = to_program, from_program, complaints
        self._channels = [each for each in (to_program, from_program, complaints) if each is not None]
        for channel in self._channels:
            os.set_blocking(channel.fileno(), False)
        self._longest = longest
        self._unsent, self._unread = bytearray(), bytearray()
        self._lines: deque[bytes] = deque()
        self._last_words, self._complains = b"", complaints is not None
        self._open = True

    @property
    def last_words(self) -> Secret[str]:
        """The end of what it has written to its standard error; Mister X's player may have written anything there."""
        return Secret(self._last_words.decode(errors="replace"))

    def send(self, lines: bytes) -> None:
        """Send lines as far as they are taken now; the rest goes when it is next listened to.

        Raises:
            PlayerFailed: it reads nothing any more.
        """
        self._unsent += lines
        if len(self._unsent) > MOST_UNREAD:
            raise PlayerFailed("it does not read what it is told")
        self._write()

    def receive(self) -> bytes | None:
        """Return the next line that it has said, without its end; None if there is none yet.

        Raises:
            PlayerFailed: it has ended, or said what is no line.
        """
        if not self._lines:
            self._write()
            ended = self._read()
            if not self._lines and ended:
                raise PlayerFailed("it has ended by itself")
        return self._lines.popleft() if self._lines else None

    def wait(self, timeout: float) -> None:
        """Wait until there is something to receive, or to do before that; at most so many seconds."""
        if self._lines or not self._open:
            return
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            if self._stderr is not None and self._complains:
                selector.register(self._stderr, selectors.EVENT_READ)
            if self._unsent:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.select(timeout)

    def close(self) -> None:
        """End the program and whatever it has started. Returns at once."""
        if self._open:
            self._open = False
            for channel in self._channels:
                channel.close()
            self._end_program()

    @abstractmethod
    def _end_program(self) -> None:
        """Make sure that the program ends now that its channels are closed; what takes time is done on a thread."""

    @abstractmethod
    def allow_cpu(self, seconds: float) -> None:
        """Let the program use so many more seconds of the processor; one that uses more is ended by the kernel."""

    def _write(self) -> None:
        while self._unsent:
            try:
                sent = os.write(self._stdin.fileno(), self._unsent[:_AT_ONCE])
            except BlockingIOError:
                return
            except OSError:  # it has closed its standard input: if it has not ended yet, it will be late
                self._unsent.clear()
                return
            del self._unsent[:sent]

    def _read(self) -> bool:
        """Read what is there; return whether nothing more will come."""
        self._hear_complaint()
        some = _read_some(self._stdout.fileno())
        if some is None:
            for _ in range(_LAST_READS):  # one that has ended has written all of it by now
                self._hear_complaint()
            return True
        *lines, rest = (bytes(self._unread) + some).split(b"\n")
        if max(map(len, (*lines, rest))) > self._longest:
            raise PlayerFailed(f"it said a line of more than {self._longest} bytes")
        self._lines += [line for line in lines if line.strip()]
        self._unread = bytearray(rest)
        if len(self._lines) > MOST_LINES:
            raise PlayerFailed("it talks without being asked")
        return False

    def _hear_complaint(self) -> None:
        if self._stderr is None:
            return
        complaint = _read_some(self._stderr.fileno())
        self._complains = complaint is not None
        self._last_words = (self._last_words + (complaint or b""))[-_LAST_WORDS:]


class LineProcess(LineStream):
    """One program, spawned at once.

    Args:
        command: the program and its arguments.
        folder: where it runs.
        environment: what it finds in its environment beside what is passed on.
        memory_mb: megabytes of data that each of its processes may have.
        longest: bytes that a line of its may have, its end aside.

    Raises:
        PlayerFailed: it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        memory_mb: int,
        longest: int,
    ) -> None:
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the command of the configuration, or our own
                [
                    *ends_with_us(),
                    "/bin/sh",
                    "-c",
                    _LIMITED,
                    "player",
                    str(os.getpid()),
                    str(memory_mb * 1024),
                    *command,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env={"LANG": "C.UTF-8", **passed_on, **environment},
                start_new_session=True,
            )
        except (OSError, ValueError):  # the second for words that no program can be given
            raise PlayerFailed("it could not be started") from None
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        if stdin is None or stdout is None or stderr is None:  # never: all three were asked for
            raise PlayerFailed("it could not be started")
        super().__init__(stdin, stdout, stderr, longest)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def allow_cpu(self, seconds: float) -> None:
        """Let each process of the program's session use so many more seconds of the processor (Linux alone)."""
        for pid, used in _session_cpu(self.pid):
            try:
                resource.prlimit(pid, resource.RLIMIT_CPU, (int(used + seconds) + 1, resource.RLIM_INFINITY))
            except (OSError, ValueError):  # it has just ended, which is found out soon
                continue

    def _end_program(self) -> None:
        self._signal(signal.SIGTERM)
        try:
            # No daemon: the interpreter does not end before the program has.
            Thread(target=self._end, name="ending-player").start()
        except RuntimeError:  # the interpreter ends already
            self._end()

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to it and to whatever it has started and left in its group."""
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):  # macOS answers the second for a group of none but zombies
            return

    def _end(self) -> None:
        until = time.monotonic() + _GRACE
        while not self._has_ended() and time.monotonic() < until:
            time.sleep(0.01)
        self._signal(signal.SIGKILL)
        self._process.wait()

    def _has_ended(self) -> bool:
        """Whether it has ended; it is left a zombie, so that its number stays its own until the group is killed."""
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # the system was told to leave no zombies
            return True


class ServedProgram(LineStream):
    """A program that the service manager runs behind a socket, in a unit that shuts it in.

    The unit ends the program and all its processes once this connection is closed, and sets its limits.

    Args:
        place: the socket.
        name: which of the programs of the service's configuration it is.
        longest: bytes that a line of its may have, its end aside.

    Raises:
        PlayerFailed: nobody listens there.
    """

    def __init__(self, place: str, name: str, *, longest: int) -> None:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.settimeout(_CONNECTING)
            connection.connect(place)
        except OSError:
            connection.close()
            raise PlayerFailed("its unit does not run") from None
        super().__init__(connection, connection.dup(), None, longest)  # a selector takes each number once
        self.send(f"{name}\n".encode())

    def allow_cpu(self, seconds: float) -> None:
        """Do nothing: the unit limits the share of the processor."""

    def _end_program(self) -> None:
        """Do nothing: the unit sees that the connection is closed."""


def _session_cpu(session: int) -> Iterator[tuple[int, float]]:
    """Yield the processes of a session and the processor seconds each has used: proc(5), `utime` and `stime`."""
    ticks = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat") if sys.platform == "linux" else ():
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            yield int(path.parent.name), (int(fields[11]) + int(fields[12])) / ticks


def _read_some(descriptor: int) -> bytes | None:
    """Return what there is to read now, perhaps nothing; None if nothing more will come."""
    try:
        return os.read(descriptor, _AT_ONCE) or None
    except BlockingIOError:
        return b""
    except OSError:
        return None


def ends_with_us() -> tuple[str, ...]:
    """Return what is put before a command so that it ends with the thread that starts it, where the system has that.

    The command itself has to see to a parent that has ended before it begins.
    """
    return _ENDS_WITH_US if shutil.which(_ENDS_WITH_US[0]) else ()


def own_environment() -> dict[str, str]:
    """Return what Python needs to find this package in a process of its own, and to keep to one core."""
    home = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path, "PYTHONSAFEPATH": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def own_command(*arguments: str) -> tuple[str, ...]:
    """Return the command that runs this program in a process of its own."""
    return (sys.executable, "-m", "firmware_host", *arguments)
