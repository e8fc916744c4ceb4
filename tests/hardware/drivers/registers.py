"""Simulate a Pi's pin registers as a file, for a process that uses it as /dev/gpiomem: RPi.GPIO on any machine.

RPi.GPIO maps /dev/gpiomem into its memory and writes to the chip's registers there. In a mount namespace of its own a
process sees a file of 4 KiB in that place, and a Pi's /proc/cpuinfo. The owner of the file sees all writes, and
sets the levels of the pins. Offsets: BCM2711 ARM peripherals, 5.2 "Register view".
"""

from __future__ import annotations

import functools
import json
import mmap
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.hardware.drivers.compiled_packages import compiled

ROOT = Path(__file__).parents[3]
RELEASE = "0.7.1"
PI_4, PI_5 = ("BCM2835", "c03114"), ("BCM2835", "c04170")
"""A Raspberry Pi's hardware and revision in /proc/cpuinfo."""

LONG = 60.0
"""Seconds after which the process is killed. It needs a second."""

_FSEL, _SET, _CLEAR, _LEVEL, _PULL = 0x00, 0x1C, 0x28, 0x34, 0xE4
_PULLS = ("none", "up", "down", "reserved")
_NAMESPACE = """
set -e
mount --bind "$1/cpuinfo" /proc/cpuinfo
[ ! -e /proc/device-tree ] || mount -t tmpfs none /proc/device-tree
for node in null zero random urandom; do : > "$1/dev/$node"; mount --bind "/dev/$node" "$1/dev/$node"; done
mount --bind "$1/dev" /dev
shift
exec "$@"
"""


def rpi_gpio() -> Path:
    """Return the folder with RPi.GPIO."""
    return compiled("RPi.GPIO", RELEASE)


@functools.cache
def unsharing() -> tuple[str, ...]:
    """Return the command words that give a process its own mount namespace.

    Without the right to one a test is skipped; in CI it fails.
    """
    trial = ("mount", "--bind", "/proc/version", "/proc/cpuinfo")
    for words in (("unshare", "--mount"), ("unshare", "--map-root-user", "--mount")):
        if not subprocess.run([*words, *trial], capture_output=True, check=False).returncode:
            return words
    why = "RPi.GPIO runs here in a mount namespace of its own; that wants root, or that users may have namespaces"
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(f"{why} (sysctl kernel.unprivileged_userns_clone=1)")


class Registers:
    """The registers, seen from outside.

    Args:
        path: the file, 4 KiB.
    """

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(mmap.PAGESIZE))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        self.set_closed(())

    def function(self, pin: int) -> str:
        """Return the function of a pin: "input", "output", or the number of an alternative function."""
        number = self._word(_FSEL + 4 * (pin // 10)) >> 3 * (pin % 10) & 7
        return {0: "input", 1: "output"}.get(number, str(number))

    def pull(self, pin: int) -> str:
        return _PULLS[self._word(_PULL + 4 * (pin // 16)) >> 2 * (pin % 16) & 3]

    def made_low(self) -> set[int]:
        """Return the pins that the last write to the register "clear" made low."""
        return {pin for pin in range(28) if self._word(_CLEAR) >> pin & 1}

    def made_high(self) -> set[int]:
        """Return the pins that the last write to the register "set" made high."""
        return {pin for pin in range(28) if self._word(_SET) >> pin & 1}

    def set_closed(self, pins: Sequence[int]) -> None:
        """Connect these pins to ground by contacts. All others are high."""
        levels = (1 << 28) - 1
        for pin in pins:
            levels &= ~(1 << pin)
        struct.pack_into("<I", self._memory, _LEVEL, levels)

    def close(self) -> None:
        self._memory.close()

    def _word(self, offset: int) -> int:
        (word,) = struct.unpack_from("<I", self._memory, offset)
        assert isinstance(word, int)
        return word


class RegisterPi:
    """A process with our drivers on RPi.GPIO, which assumes that it runs on a Pi, and the registers that it writes.

    Args:
        folder: an empty folder.
        board: hardware and revision of the Pi.

    Attributes:
        registers: its registers.
        while_settling: called whenever its matrix waits for the columns.
    """

    def __init__(self, folder: Path, board: tuple[str, str] = PI_4) -> None:
        packages, unshare = rpi_gpio(), unsharing()
        (folder / "dev").mkdir()
        (folder / "cpuinfo").write_text("processor\t: 0\n\nHardware\t: {}\nRevision\t: {}\n".format(*board))
        self.registers = Registers(folder / "dev" / "gpiomem")
        self.while_settling: Callable[[], None] = lambda: None
        child = [sys.executable, "-m", "tests.hardware.drivers.register_child"]
        self._process = subprocess.Popen(
            [*unshare, "sh", "-c", _NAMESPACE, "sh", str(folder), *child],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{packages}:{ROOT}", "GPIOZERO_PIN_FACTORY": "none is guessed"},
        )
        self._killer = threading.Timer(LONG, self._process.kill)
        self._killer.start()

    def close(self) -> None:
        self._killer.cancel()
        self._process.kill()
        self._process.communicate()
        self.registers.close()

    def ask(self, what: str, *arguments: Any) -> Any:
        """Make the process do something, and return its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._send([what, *arguments])
        while (line := self._process.stdout.readline()) == '"settling"\n':
            self.while_settling()
            self._send("settled")
        assert line, f"the process ended with {self._process.wait()}"
        return json.loads(line)

    def _send(self, words: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
