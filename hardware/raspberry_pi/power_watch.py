"""Find out from the Pi's firmware whether the Pi has enough power and is cool enough.

There are two files. `get_throttled` of the firmware's device is a number of flags (Raspberry Pi documentation,
"vcgencmd get_throttled"). The other is the alarm of the `rpi_volt` sensor (kernel documentation, "raspberrypi-hwmon").
A machine with neither file is not a Pi or has another kernel. To read them the kernel may have to ask the firmware,
which may take long. So a thread reads them, and callers get the last result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

THROTTLED = ("sys/devices/platform/soc/soc:firmware", "sys/devices/platform/soc@*/soc@*:firmware")
"""The firmware's device, below the root: on most models, and with an address in the device tree."""

UNDER_VOLTAGE = "under-voltage; use a supply of 5.1 V 3 A (Pi 5: 5 A) and a short cable"
"""The message while the supply gives less than 4.63 V, with a remedy."""

SLOWED_DOWN = "slowed down, too hot; give the Pi air or a heat sink"
"""The message while heat limits the processor's speed, with a remedy."""

_LOW = 1 << 0  # now; bits 16 to 19 have the past
_SLOW = 1 << 1 | 1 << 2 | 1 << 3  # its speed is capped, it is throttled, it is near its highest temperature

STUCK = 2.0
"""Seconds to wait at the end for a reading in progress."""


@dataclass(frozen=True, slots=True)
class SupplyFiles:
    """The files with the firmware's flags and with the sensor's alarm. One of them may be missing."""

    flags: Path | None
    alarm: Path | None

    @staticmethod
    def find(root: Path = Path("/")) -> SupplyFiles | None:
        """Return the files of the machine below a root folder, or None if it has neither."""
        flags = (path for pattern in THROTTLED for path in sorted(root.glob(f"{pattern}/get_throttled")))
        names = sorted(root.glob("sys/class/hwmon/hwmon*/name"))
        alarms = (name.with_name("in0_lcrit_alarm") for name in names if _is_the_sensor(name))
        files = SupplyFiles(next(flags, None), next(filter(Path.exists, alarms), None))
        return None if files == SupplyFiles(None, None) else files

    def trouble(self) -> str:
        """Return what is wrong with the power now, and what would help, or ""."""
        try:
            flags = 0 if self.flags is None else int(self.flags.read_text("ascii"), 16)
            if self.alarm is not None and int(self.alarm.read_text("ascii")):
                flags |= _LOW
        except OSError as error:
            return f"the Pi's firmware does not answer: {error.strerror}"
        except ValueError:
            return "the Pi's firmware answers nothing that is known here"
        if flags & _LOW:
            return UNDER_VOLTAGE
        return SLOWED_DOWN if flags & _SLOW else ""


def _is_the_sensor(name: Path) -> bool:
    try:
        return name.read_text("utf-8").strip() == "rpi_volt"
    except (OSError, UnicodeError):
        return False


class BackgroundSupply:
    """A power check on a thread, which returns the last result at once. Implements `Supply`.

    Args:
        read: returns the trouble; may take long.
    """

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read
        self._found = ""
        self._ending = False
        self._asked = Event()
        self._thread = Thread(target=self._run, name="power", daemon=True)
        self._thread.start()

    def trouble(self) -> str:
        """Start the next check, and return the trouble that the last check found, or "". Do not wait."""
        self._asked.set()
        return self._found

    def close(self) -> None:
        """End the thread. Wait at most `STUCK` seconds for a reading in progress."""
        self._ending = True
        self._asked.set()
        self._thread.join(STUCK)

    def _run(self) -> None:
        while self._asked.wait() and not self._ending:
            self._asked.clear()
            self._found = self._read()


def watch_supply(root: Path = Path("/")) -> BackgroundSupply | None:
    """Return a check of the machine's power, or None if the machine cannot report on it."""
    files = SupplyFiles.find(root)
    return None if files is None else BackgroundSupply(files.trouble)
