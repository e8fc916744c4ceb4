"""A Pico on the bench: the real program, run by MicroPython, on a serial port that can be disturbed or unplugged."""

from __future__ import annotations

import functools
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import tty
from collections.abc import Callable
from pathlib import Path

import hardware.firmware
from hardware.drivers import pico_install

HERE = Path(__file__).parent
FIRMWARE = Path(hardware.firmware.__file__).parent

LONG = 20.0
"""Seconds after which a test gives up waiting. No step takes a tenth of that on an idle machine."""

HEAP = "190k"
"""The heap of a Pico. A pointer takes twice as much room here, so a program that fits here fits a Pico."""


def find_micropython(own: Path, path: str | None = None) -> Path:
    """Return the MicroPython that the dependency group `dev` put into `own`, or else the system's, from a search path.

    Raises:
        RuntimeError: neither is installed.
    """
    found = shutil.which("micropython", path=str(own)) or shutil.which("micropython", path=path)
    if found is None:
        raise RuntimeError(
            f"there is no micropython in {own} or on the path: on a PC `make test` installs it there; "
            "elsewhere install Debian's package micropython, which Debian 13 has"
        )
    return Path(found)


@functools.cache
def micropython() -> Path:
    """Return the MicroPython that runs the tests."""
    return find_micropython(Path(sys.executable).parent)


def flash(folder: Path, program: str = "switches") -> None:
    """Lay a program's files out as they are on a Pico."""
    for name, path in pico_install.files(program).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FIRMWARE / name, folder / path)


def _unchanged(data: bytes) -> bytes:
    return data


class PicoRig:
    """A Pico with a chain of chips, powered by its USB cable.

    The cable is plugged in at first. Without power the program does not run; with power it starts again.

    Args:
        chips: number of chips of the chain, the sentinel included.
        sentinel: the levels at the inputs of the last chip, pin H highest.
        program: "switches" or "handset".
        on_line: called with every line of the bench as it arrives, before anything that the Pico sends to the host
            after it.
        settings: settings of bench.py, for a changed program.

    Attributes:
        port: path of the serial port; it exists only while the cable is plugged in.
        to_host: changes the bytes on their way to the host; may be replaced.
        to_pico: changes the bytes on their way to the Pico.
        said: the lines that the bench has printed.
        flash: the folder that is the Pico's flash.
    """

    def __init__(
        self,
        chips: int = 26,
        sentinel: int = 0b10010110,
        program: str = "switches",
        on_line: Callable[[str], None] = lambda _: None,
        **settings: int,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pico")
        folder = Path(self._folder.name)
        self.port = str(folder / "ttyACM0")
        self.to_host: Callable[[bytes], bytes] = _unchanged
        self.to_pico: Callable[[bytes], bytes] = _unchanged
        self.said: list[str] = []
        self.on_line = on_line
        self._chips = chips
        self._sentinel = sentinel
        self._settings = [f"{name}={value}" for name, value in settings.items()]
        self._binary = micropython()
        self.flash = folder / "flash"
        flash(self.flash, program)
        self._levels = folder / "contacts"
        self._levels.touch()
        if program == "switches":
            self.set_contacts(0)
        self._power: _Power | None = None
        self.replug()

    def set_contacts(self, mask: int) -> None:
        """Close the contacts whose bits are set and open the others; bit *i* is input *i* of the host's driver."""
        self.set_levels(levels(mask, self._chips, self._sentinel))

    def set_levels(self, levels: bytes) -> None:
        with self._levels.open("r+b", buffering=0) as file:
            file.write(levels)

    def unplug(self) -> None:
        """Unplug the cable: the port disappears and the program dies."""
        if self._power is not None:
            Path(self.port).unlink()
            self._power.off()
            self._power = None

    def replug(self) -> None:
        """Plug the cable in: the program starts, and the port appears."""
        if self._power is None:
            self._power = _Power(self, self._command())
            Path(self.port).symlink_to(self._power.name)

    def reset(self) -> None:
        """Restart the program while the port stays, as on a Pico behind a USB hub that keeps its line."""
        if self._power is not None:
            self._power.restart(self._command())

    def freeze(self) -> None:
        """Stop the program's time: a Pico that hangs, without a watchdog."""
        if self._power is not None:
            self._power.freeze()

    def close(self) -> None:
        self.unplug()
        self._folder.cleanup()

    def _command(self) -> list[str]:
        return [
            *(str(self._binary), "-X", f"heapsize={HEAP}", str(HERE / "bench.py")),
            *(str(self.flash), str(self._levels), *self._settings),
        ]


def levels(mask: int, chips: int, sentinel: int) -> bytes:
    """Return the levels at the chips' inputs for a mask of closed contacts, which pull their inputs to ground.

    Input 0 is pin H of the chip next to the Pico, input 8 pin H of the second.
    """
    chain = bytearray(b"\xff" * (chips - 1))
    for number in range(8 * (chips - 1)):
        if mask >> number & 1:
            chain[number // 8] &= ~(0x80 >> number % 8)
    return bytes(chain) + bytes([sentinel])


class _Power:
    """The parts that exist while the cable is plugged in: the program, both ends of the port, and the line between."""

    def __init__(self, rig: PicoRig, command: list[str]) -> None:
        self._rig = rig
        self._master, slave = pty.openpty()
        tty.setraw(slave, termios.TCSANOW)
        self.name = os.ttyname(slave)
        # Held so that the port lives on while no host has it open.
        self._slave = slave
        self._stop, self._stopped = os.pipe()
        self._start(command)

    def _start(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=self._rig.flash,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._line = threading.Thread(target=self._carry, args=(self._process,), daemon=True)
        self._line.start()

    def _carry(self, process: subprocess.Popen[bytes]) -> None:
        """Carry bytes both ways until the program ends and `_stop` is set."""
        assert process.stdin
        assert process.stdout
        assert process.stderr
        out, told = process.stdout.fileno(), process.stderr.fileno()
        sources = [self._stop, told, self._master, out]
        rest = b""
        while True:
            ready, _, _ = select.select(sources, [], [])
            if self._stop in ready:
                break
            for source in ready:
                data = os.read(source, 4096)
                if not data:
                    sources.remove(source)
                elif source == self._master:
                    self._to(process.stdin.fileno(), self._rig.to_pico(data))
                elif source == out:
                    self._to(self._master, self._rig.to_host(data))
                else:
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        self._rig.said.append(line.decode())
                        self._rig.on_line(line.decode())

    def _to(self, end: int, data: bytes) -> None:
        """Write bytes. An ended program takes none, nor does a port whose host does not read."""
        try:
            while data and select.select([], [end], [], 0.5)[1]:
                data = data[os.write(end, data) :]
        except BrokenPipeError:
            pass

    def _halt(self) -> None:
        self._process.kill()
        self._process.wait()
        os.write(self._stopped, b"x")
        self._line.join()
        os.read(self._stop, 1)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream
            stream.close()

    def restart(self, command: list[str]) -> None:
        self._halt()
        self._start(command)

    def freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def off(self) -> None:
        self._halt()
        for end in (self._master, self._slave, self._stop, self._stopped):
            os.close(end)
