"""Exchange lines of text with an untrusted program over pipes or a socket, without blocking.

A program behind pipes is spawned, not forked, so none of this process's memory is in it. It gets its own session, a
minimal environment, a low processor priority, a memory limit, and no open files but the three pipes. A program
behind a socket was started by the service manager.
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
from typing import IO, NoReturn

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.rules.secret import Secret

MOST_UNREAD = 4 * 1024 * 1024
"""Most bytes queued for a program that does not read."""

MOST_LINES = 64
"""Most unread lines from a program."""

PASSED_ON = ("PATH", "HOME", "NUMBA_CACHE_DIR", "SYSTEMROOT")
"""Environment variables that a program inherits; none holds a secret."""

_LIMITED = (
    '[ "$PPID" = "$1" ] || exit; ulimit -c 0; ulimit -d "$2"; shift 2; '
    '{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null; exec nice -n 10 "$@"'
)
"""A shell line that sets limits before the program begins, instead of code between fork and exec.

If the machine runs out of memory, the kernel kills the program first. If the parent process is already gone, the
program does not begin.
"""

_ENDS_WITH_US = ("setpriv", "--pdeathsig", "KILL")
"""The prefix that kills a command when the thread that started it ends (Linux)."""

_AT_ONCE = 64 * 1024
"""Most bytes per read, so that a flood does not block us."""

_LAST_WORDS = 4096
"""Bytes kept of the program's standard error."""

_LAST_READS = 16
"""Most reads of a finished program's standard error: more than a pipe holds, but never endless."""

_GRACE = 0.5
"""Seconds between SIGTERM and SIGKILL."""

_ENDING = 0.01
"""Seconds until a program that has closed its output has usually ended."""

_CONNECTING = 1.0
"""Seconds to connect to the service manager, which runs before the table does."""


Channel = IO[bytes] | socket.socket
"""One end of a pipe or of a connection."""


class LineStream(ABC):
    """A program at the other end of two channels: one for its input, one for its output.

    Args:
        to_program: the channel that the program reads.
        from_program: the channel that it writes.
        complaints: its standard error, if it arrives here.
        longest: most bytes in one of its lines, without the line end.
    """

    def __init__(self, to_program: Channel, from_program: Channel, complaints: Channel | None, longest: int) -> None:
        self._stdin, self._stdout, self._stderr = to_program, from_program, complaints
        self._channels = [each for each in (to_program, from_program, complaints) if each is not None]
        for channel in self._channels:
            os.set_blocking(channel.fileno(), False)
        self._longest = longest
        self._unsent, self._unread = bytearray(), bytearray()
        self._lines: deque[bytes] = deque()
        self._last_words = b""
        self._open = True

    @property
    def last_words(self) -> Secret[str]:
        """The last lines of the program's standard error. Mister X's player may have written secrets there."""
        return Secret(self._last_words.decode(errors="replace"))

    @property
    def last_line(self) -> Secret[str]:
        """The last line of the program's standard error that is not blank, or ""."""
        return Secret(next((line for line in reversed(self.last_words.value.splitlines()) if line.strip()), ""))

    def forget_last_words(self) -> None:
        """Drop what the program has written to its standard error, because a new game begins."""
        self._read_complaints()
        self._last_words = b""

    def send(self, lines: bytes) -> None:
        """Send as much as the channel takes now. `receive` sends the rest.

        Raises:
            PlayerFailed: the program no longer reads: more than `MOST_UNREAD` bytes are queued.
        """
        self._unsent += lines
        if len(self._unsent) > MOST_UNREAD:
            raise PlayerFailed("it does not read its input")
        self._write()

    def receive(self) -> bytes | None:
        """Return the next line from the program, without its line end, or None if there is none yet.

        Raises:
            PlayerFailed: the program has ended, or sent too long a line or too many lines.
        """
        if not self._lines:
            self._write()
            ended = self._read()
            if not self._lines and ended:
                raise PlayerFailed(self._describe_end())
        return self._lines.popleft() if self._lines else None

    def wait(self, timeout: float) -> None:
        """Wait until the program can be read or written, or `timeout` seconds pass. Do not wait if a line is there."""
        if self._lines or not self._open:
            return
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            if self._stderr is not None:
                selector.register(self._stderr, selectors.EVENT_READ)
            if self._unsent:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.select(timeout)

    def close(self) -> None:
        """End the program and all processes of its group. Returns at once, except while the interpreter ends."""
        if self._open:
            self._open = False
            for channel in self._channels:
                channel.close()
            self._end_program()

    def _describe_end(self) -> str:
        """Return how the program ended, after it has closed its output."""
        return "it has ended"

    @abstractmethod
    def _end_program(self) -> None:
        """End the program, whose channels are closed now. Slow steps run on a thread."""

    @abstractmethod
    def allow_cpu(self, seconds: float) -> None:
        """Limit the program to `seconds` more of processor time, where this is possible."""

    def _write(self) -> None:
        while self._unsent:
            try:
                sent = os.write(self._stdin.fileno(), self._unsent[:_AT_ONCE])
            except BlockingIOError:
                return
            except OSError:  # its standard input is closed: if it still runs, it will miss its deadline
                self._unsent.clear()
                return
            del self._unsent[:sent]

    def _read(self) -> bool:
        """Read the bytes that are available, up to `_AT_ONCE`. Return whether the program has closed its end."""
        self._read_complaints()
        some = _read_some(self._stdout.fileno())
        if some is None:
            for _ in range(_LAST_READS):  # a finished program has written everything by now
                self._read_complaints()
            return True
        *lines, rest = (bytes(self._unread) + some).split(b"\n")
        if max(map(len, (*lines, rest))) > self._longest:
            raise PlayerFailed(f"it sent a line of more than {self._longest} bytes")
        self._lines += [line for line in lines if line.strip()]
        self._unread = bytearray(rest)
        if len(self._lines) > MOST_LINES:
            raise PlayerFailed("it sent lines that nobody asked for")
        return False

    def _read_complaints(self) -> None:
        if self._stderr is None:
            return
        complaint = _read_some(self._stderr.fileno())
        if complaint is None:
            self._stderr = None  # closed
        else:
            self._last_words = (self._last_words + complaint)[-_LAST_WORDS:]


class LineProcess(LineStream):
    """A program that starts at once, with pipes to this process.

    Args:
        command: the program and its arguments.
        folder: the working folder.
        environment: variables beside the inherited ones.
        memory_mb: megabytes of data that each of its processes may have.
        longest: most bytes in one of its lines, without the line end.

    Raises:
        PlayerFailed: the program cannot be started.
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
        except OSError as error:
            why = f"there is no {error.filename}" if isinstance(error, FileNotFoundError) else error.strerror
            raise PlayerFailed(f"it could not be started: {why}") from None
        except ValueError:
            raise PlayerFailed("it could not be started: its command contains a zero byte") from None
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        if stdin is None or stdout is None or stderr is None:  # cannot happen: all three were asked for
            raise PlayerFailed("it could not be started")
        super().__init__(stdin, stdout, stderr, longest)

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._process.pid

    def allow_cpu(self, seconds: float) -> None:
        """Allow each process in the program's session `seconds` more of processor time (Linux only)."""
        for pid, used in _session_cpu(self.pid):
            try:
                resource.prlimit(pid, resource.RLIMIT_CPU, (int(used + seconds) + 1, resource.RLIM_INFINITY))
            except (OSError, ValueError):  # it has just ended, which the next read notices
                continue

    def _describe_end(self) -> str:
        until = time.monotonic() + _ENDING
        while (ended := self._ended()) is None and time.monotonic() < until:
            time.sleep(0.001)
        if ended is None:
            return "it has closed its output, but has not ended"
        code, status = ended
        if code == os.CLD_EXITED:
            return f"it ended with status {status}"
        return f"it was ended by signal {status}" if code else super()._describe_end()

    def _end_program(self) -> None:
        self._signal(signal.SIGTERM)
        try:
            # Not a daemon thread: the interpreter waits until the program has ended.
            Thread(target=self._end, name="ending-player").start()
        except RuntimeError:  # the interpreter is already ending
            self._end()

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and its process group."""
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):  # macOS raises PermissionError for a group of zombies
            return

    def _end(self) -> None:
        until = time.monotonic() + _GRACE
        while self._ended() is None and time.monotonic() < until:
            time.sleep(0.01)
        self._signal(signal.SIGKILL)
        self._process.wait()

    def _ended(self) -> tuple[int, int] | None:
        """Return how the program ended and its status or signal, or None if it still runs. Unknown: (0, 0).

        This does not reap its process, whose id thus stays reserved.
        """
        try:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # the system leaves no zombies
            return 0, 0
        return ended and (ended.si_code, ended.si_status)


class ServedProgram(LineStream):
    """A program that the service manager runs behind a socket in a unit that confines it.

    The unit sets the limits and ends the program and all its processes when this connection closes.

    Args:
        place: the socket.
        name: the program's name in the service's configuration.
        longest: most bytes in one of its lines, without the line end.

    Raises:
        PlayerFailed: nothing listens on the socket.
    """

    def __init__(self, place: str, name: str, *, longest: int) -> None:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.settimeout(_CONNECTING)
            connection.connect(place)
        except OSError:
            connection.close()
            right = "start it with: sudo systemctl start yardboard-player.socket"
            raise PlayerFailed(f"its unit does not run; {right}") from None
        super().__init__(connection, connection.dup(), None, longest)  # a selector accepts each file descriptor once
        self.send(f"{name}\n".encode())

    def allow_cpu(self, seconds: float) -> None:
        """Do nothing: the program's unit already limits its share of the processor."""

    def _end_program(self) -> None:
        """Do nothing: the program's unit ends it once the connection is closed."""


class ProgramClient:
    """The table's side of a conversation with one program. After a first failure it fails for good."""

    def __init__(self) -> None:
        self._process: LineStream | None = None
        self._failure = ""
        self._last_line = self._reason = Secret("")

    def close(self) -> None:
        """End the program, and the processes of its group or its unit."""
        self._failure = self._failure or "it was let go"
        if self._process is not None:
            self._process.close()

    def _check(self) -> None:
        if self._failure:
            raise PlayerFailed(self._failure, self._last_line, self._reason)

    def _fail(self, why: str, reason: Secret[str] | None = None) -> NoReturn:
        self._failure = why
        self._reason = reason or Secret("")
        if self._process is not None:
            self._last_line = self._process.last_line
        self.close()
        raise PlayerFailed(why, self._last_line, self._reason)


def _session_cpu(session: int) -> Iterator[tuple[int, float]]:
    """Yield the processes of a session, and the processor seconds of each, from /proc."""
    ticks = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat") if sys.platform == "linux" else ():
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            yield int(path.parent.name), (int(fields[11]) + int(fields[12])) / ticks


def _read_some(descriptor: int) -> bytes | None:
    """Return the bytes that are available now, perhaps none. None means that the other end has closed."""
    try:
        return os.read(descriptor, _AT_ONCE) or None
    except BlockingIOError:
        return b""
    except OSError:
        return None


def ends_with_us() -> tuple[str, ...]:
    """Return words that, before a command, end it together with the thread that started it.

    Without the needed program there are no such words. The command must check at its start whether its parent has ended
    already.
    """
    return _ENDS_WITH_US if shutil.which(_ENDS_WITH_US[0]) else ()


def own_environment() -> dict[str, str]:
    """Return an environment in which a Python process finds this package and uses one core."""
    home = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path, "PYTHONSAFEPATH": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def own_command(*arguments: str) -> tuple[str, ...]:
    """Return the command that runs this program once more, in another process."""
    return (sys.executable, "-m", "firmware_host", *arguments)
