"""Write a program to a Raspberry Pi Pico by mpremote, and find out which program it runs."""

from __future__ import annotations

import os
import subprocess
import sys
import termios
import time
from binascii import crc32
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import hardware.firmware
from hardware.drivers import pico
from hardware.drivers.pico import BY_ID, advice_for, find_port
from hardware.firmware.host_link import VERSION
from hardware.ports import DeviceLost, NotInstalled, install_extra
from hardware.raspberry_pi.requirements import Finding, error, ok

SHARED = ("frames.py", "chain_debounce.py", "host_link.py", "pico_program.py")
"""The files of `hardware.firmware` that every Pico gets."""

PROGRAMS = {"switches": "main.py", "handset": "handset_main.py"}
"""Program -> its own file of `hardware.firmware`."""

TRIES = 3
"""Attempts to call the Pico: one whose host has just disconnected is silent until it has restarted."""

_RESTART = 2.0
"""Seconds between two calls."""

_ANSWER = 5.0
"""Seconds that a call waits for its answer: three calls fail in less than 20 s."""

_PATIENCE = 60.0
"""Seconds for any other command."""

_IDENTIFY = """
import sys
print(sys.implementation._machine, "and MicroPython", ".".join(str(part) for part in sys.implementation.version[:3]))
"""

_FOLDERS = """
import os
for folder in "hardware", "hardware/firmware":
    try:
        os.stat(folder)
    except OSError:
        os.mkdir(folder)
"""

_SUM = """
import binascii
with open({path!r}, "rb") as file:
    print(binascii.crc32(file.read()))
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def files(program: str) -> dict[str, str]:
    """Return which files of `hardware.firmware` make up one of the `PROGRAMS`, and their names on the Pico.

    main.py, which MicroPython starts, comes last: an interrupted copy leaves a Pico that waits at its prompt.
    """
    return {name: f"hardware/firmware/{name}" for name in SHARED} | {PROGRAMS[program]: "main.py"}


def install(
    port: str | None,
    say: Callable[[str], None],
    run: Run = subprocess.run,
    pause: Callable[[float], None] = time.sleep,
    *,
    program: str = "switches",
) -> None:
    """Copy a program to a Pico that runs MicroPython, check every file there, and start the program.

    Args:
        port: path of the serial port or the Pico's serial number; None for the only connected Pico.
        say: prints each step, a line at a time.
        run: starts mpremote; takes a list of words and `subprocess.run`'s keywords.
        pause: waits for some seconds.
        program: one of `PROGRAMS`.

    Raises:
        NotInstalled: mpremote is not installed.
        DeviceLost: there is no such port, or no or several Picos; mpremote reports an error, which the message quotes;
            or a file did not arrive whole.
    """
    if find_spec("mpremote") is None:
        raise NotInstalled(f"pico: firmware install needs mpremote; install with: {install_extra('pico')}")
    remote = _Remote(str(_only_pico() if port is None else _checked_port(port)), run)
    say(f"Calling the Pico on {remote.port}: at most {TRIES} attempts, {_ANSWER:g} seconds each")
    say(f"Found {_identify(remote, say, pause)}")
    remote.run("exec", _FOLDERS)
    source = Path(hardware.firmware.__file__).parent
    copied = files(program)
    for name, path in copied.items():
        say(f"Copying {path}")
        remote.run("fs", "cp", str(source / name), f":{path}")
    for name, path in copied.items():
        if remote.run("exec", _SUM.format(path=path)) != str(crc32((source / name).read_bytes())):
            raise DeviceLost(f"pico: {path} on the Pico on {remote.port} differs from the copied file; try again")
    say(f"All {len(copied)} files have arrived whole")
    remote.run("reset")
    version = ".".join(map(str, VERSION))
    say(f"Started the program for the {program}, version {version}: the Pico's light now blinks once a second")


def check_picos(ports: Mapping[str, str], root: Path = Path("/")) -> Iterator[Finding]:
    """Yield a finding for each port: whether its Pico runs the right program. Missing ports are skipped.

    The check starts no program on a Pico.

    Args:
        ports: path of a port -> the program that should run there, a key of `PROGRAMS`.
        root: where the machine's files are.
    """
    letters = {name: letter for letter, name in pico.PROGRAMS.items()}
    for port, name in ports.items():
        path = root / port.removeprefix("/")
        if path.exists():
            what, _, advice = _problem_of(path, letters[name]).partition("; ")
            if not what:
                yield ok(f"serial: the Pico on {port} runs the program for the {name}")
            elif what == "another program has the port open":
                yield ok(f"serial: {what}, so its Pico was not asked: {port}")
            else:
                yield error(f"serial: the Pico on {port}, for the {name}: {what}", advice)


def _problem_of(path: Path, program: bytes) -> str:
    """Return what is wrong with the Pico on a port, or "". Nothing is started on it."""
    try:
        serial = pico.pyserial(pico.PROGRAMS[program])
        with serial(str(path), exclusive=True, timeout=0.05, write_timeout=0.5) as line:
            began = time.monotonic()
            session = pico.PicoSession(0, began, pico.Counters(), program)
            while not session.counters.frames and time.monotonic() - began < pico.GIVE_UP:
                line.write(session.hello_if_due(time.monotonic()))
                session.receive(line.read(max(1, line.in_waiting)), time.monotonic())
    except NotInstalled as missing:
        return str(missing)
    except (OSError, termios.error) as failed:
        return advice_for(failed)
    return "" if session.counters.connects else session.problem


class _Remote:
    def __init__(self, port: str, run: Run) -> None:
        self.port = port
        self._start = run

    def run(self, *words: str, patience: float = _PATIENCE) -> str:
        """Run a command of mpremote for at most `patience` seconds, and return what it prints.

        Raises:
            DeviceLost: the command failed.
        """
        command = [sys.executable, "-m", "mpremote", "connect", self.port, *words]
        try:
            done = self._start(command, capture_output=True, text=True, check=True, timeout=patience)
        except subprocess.CalledProcessError as error:
            output = (error.stderr.strip() or error.stdout.strip() or "nothing").splitlines()[-1]
            raise self._lost(words[0], output) from error
        except subprocess.TimeoutExpired as error:
            raise self._lost(words[0], f"no answer for {patience:g} seconds") from error
        return done.stdout.strip()

    def _lost(self, word: str, output: str) -> DeviceLost:
        return DeviceLost(
            f"pico: the Pico on {self.port} refused a command (mpremote {word}: {output}); see that no other "
            "program has the port open (end yardboard) and that the Pico runs MicroPython"
        )


def _identify(remote: _Remote, say: Callable[[str], None], pause: Callable[[float], None]) -> str:
    """Return the Pico's identification. Ask for it up to `TRIES` times."""
    for number in range(1, TRIES):
        try:
            return remote.run("exec", _IDENTIFY, patience=_ANSWER)
        except DeviceLost:
            say(f"No answer to call {number} of {TRIES}; trying again in {_RESTART:g} seconds")
            pause(_RESTART)
    return remote.run("exec", _IDENTIFY, patience=_ANSWER)


def _checked_port(port: str) -> Path:
    """Return the path of the wanted port, after checking that it is a serial port."""
    try:
        path = find_port(port)
        file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except IsADirectoryError as error:
        raise _no_port(port) from error
    except OSError as error:
        raise DeviceLost(f"pico: {port}: {advice_for(error)}") from error
    try:
        if not os.isatty(file):
            raise _no_port(port)
    finally:
        os.close(file)
    return path


def _no_port(port: str) -> DeviceLost:
    return DeviceLost(f"pico: {port} is not a serial port; a Pico's is in {BY_ID}")


def _only_pico() -> Path:
    ports = sorted(BY_ID.glob("*MicroPython*"))
    if len(ports) == 1:
        return ports[0]
    if ports:
        raise DeviceLost(f"pico: there are several Picos: {', '.join(map(str, ports))}; name one")
    raise DeviceLost(
        f"pico: no MicroPython in {BY_ID}; if the Pico is new, hold BOOTSEL while you plug it in and copy "
        "MicroPython's .uf2 file to the drive that appears (https://micropython.org/download/RPI_PICO/)"
    )
