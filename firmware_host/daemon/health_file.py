"""Write a running table's health to a small file at every tick, and read that file.

The file is in the service's runtime folder, or else beside the journal. It is replaced atomically, so readers always
find a complete file. It contains only public facts. Only a clock decides when it is written, never the events at the
table.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.config.loader import Config
from firmware_host.referee.scene import Phase
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import Task, at_once, read_small_file, replace_file
from firmware_host.system.plain_faults import reading_fault, writing_fault
from firmware_host.table.table import Table
from hardware.ports import Clock

log = logging.getLogger("yardboard")


HEALTH_TICK = 5.0
"""Seconds between two writes."""

COUNT = 60.0
"""Seconds between two surveys of all switches: a survey of 199 takes as long as several passes."""

PASSES = 1000
"""The number of passes is rounded down to a multiple of this. An exact number would reveal how long passes take, and so
when Mister X presses keys."""

NAME = "health.json"
"""The file's name."""

RUNTIME = "/run/yardboard"
"""The default runtime folder of the service."""

_IN_PLAY = (Phase.PLAY, Phase.CARRY_OUT, Phase.RESUME)

_FORMAT = 1
_STATES = ("ok", "degraded", "lost")


class NoHealth(Exception):
    """The error that a table's health cannot be read. The message says where and why."""


class AbsentHealth(NoHealth, FileNotFoundError):
    """The error that the health file does not exist: no table runs, or its file is elsewhere."""


class UnreadableHealth(NoHealth, OSError):
    """The error that the health file cannot be read, for example because this user may not read it."""


class ForeignHealth(NoHealth, ValueError):
    """The error that the health file is damaged, or that no table of this version has written it."""


def place(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the health file for a table with this configuration.

    Raises:
        ConfigError: there is neither $RUNTIME_DIRECTORY nor a folder for the journal.
    """
    given = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]  # systemd separates several by colons
    return Path(given) / NAME if given else config.journal_file(environ).with_name(NAME)


def places(config: Config, environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Return the possible paths of a table's health file, for other processes than its service.

    Raises:
        ConfigError: there is no folder for the journal.
    """
    beside = config.journal_file(environ).with_name(NAME)
    return tuple(dict.fromkeys((place(config, environ), Path(RUNTIME, NAME), beside)))


class HealthFile:
    """The writer of one table's health file.

    Args:
        config: the table's configuration.
        clock: the clock that decides when to write; a simulated table has a different clock.
        wall_clock: the wall clock, whose time is written into the file.
        file: the path of the file.
        writing: runs tasks that may wait for the disk.

    Attributes:
        values: the newest content, replaced as a whole on each tick; empty before the first tick. Read only.

    Raises:
        ConfigError: there is no folder for the file.
    """

    def __init__(
        self,
        config: Config,
        clock: Clock,
        wall_clock: Callable[[], float] = time.time,
        file: Path | None = None,
        writing: Callable[[Task], None] = at_once,
    ) -> None:
        self.file = file or place(config)
        self._of = str(Path(config.source).absolute())
        self._clock, self._wall_clock = clock, wall_clock
        self._began = self._due = self._count_at = clock.now()
        self._passes = 0
        self._switches = "{}"
        self._surveyed: Mapping[str, Any] = {}
        self.values: Mapping[str, Any] = {}
        self._complained = False
        self._writing = writing

    def attend(self, table: Table) -> None:
        """Write the file if a tick is due. Call this after each pass of the table.

        Repeated failures are logged once.
        """
        self._passes += 1
        now = self._clock.now()
        if now < self._due:
            return
        self._due += HEALTH_TICK * ((now - self._due) // HEALTH_TICK + 1)
        self._writing(partial(self._write, self._text(table, now).encode()))

    def _write(self, content: bytes) -> None:
        """Replace the file. Only its owner and group may read it."""
        try:
            replace_file(self.file, content, finish=lambda handle: os.fchmod(handle, 0o640), durable=False)
        except OSError as error:
            if not self._complained:
                values = log_fields("health", file=str(self.file))
                log.warning("%s; the game goes on", writing_fault(self.file, error, ""), extra=values)
            self._complained = True
        else:
            self._complained = False

    def remove(self) -> None:
        """Delete the file when the table ends, so that readers do not believe it is still running."""
        with suppress(OSError):
            self.file.unlink()

    def _text(self, table: Table, now: float) -> str:
        if now >= self._count_at:
            self._count_at += COUNT * ((now - self._count_at) // COUNT + 1)
            self._surveyed = table.switches()
            self._switches = json.dumps(self._surveyed)
        written, table_now = self._wall_clock(), table.now
        devices = {  # "since" follows the current wall clock, which may have been set
            name: {"state": h.state, "reason": h.reason, "since": round(written - (table_now - h.since), 1)}
            for name, h in table.devices.all().items()
        }
        values = {
            "format": _FORMAT,
            "yardboard": __version__,
            "python": platform.python_version(),
            "config": self._of,
            "written": round(written, 1),
            "beat_s": HEALTH_TICK,
            "up_s": round(now - self._began, 1),
            "passes": self._passes // PASSES * PASSES,
            "in_play": table.scene().phase in _IN_PLAY,
            "devices": devices,
        }
        self.values = values | {"switches": self._surveyed}
        return f'{json.dumps(values)[:-1]}, "switches": {self._switches}}}'


@dataclass(frozen=True, slots=True)
class TableHealth:
    """A table's health as read from its file.

    Attributes:
        file: the path it was read from.
        values: the file's content.
        age: seconds since the file was written; negative if the wall clock was set back.
    """

    file: Path
    values: Mapping[str, Any]
    age: float

    @property
    def fresh(self) -> bool:
        """Whether the table seems to run: its file is at most two ticks overdue."""
        return abs(self.age) <= 3 * float(self.values["beat_s"])

    @property
    def in_play(self) -> bool:
        """Whether the table runs and a game is in play."""
        return self.fresh and bool(self.values.get("in_play"))

    @property
    def well(self) -> bool:
        """Whether every device and every switch is ok."""
        states = [device["state"] for device in self.values["devices"].values()]
        switches = [switch["state"] for switch in self.values["switches"].values()]
        return all(state == "ok" for state in states + switches)


def read(file: Path, wall_clock: float) -> TableHealth:
    """Read a table's health file.

    Args:
        file: the file.
        wall_clock: the wall clock now.

    Raises:
        AbsentHealth: the file does not exist.
        UnreadableHealth: the file cannot be read.
        ForeignHealth: the file is damaged, or no table of this version has written it.
    """
    try:
        content = read_small_file(file)
    except (FileNotFoundError, NotADirectoryError):
        raise AbsentHealth(f"{file}: there is no such file; a table writes it while it runs") from None
    except PermissionError:
        raise UnreadableHealth(f"{file}: this user may not read it; use sudo") from None
    except OSError as error:
        raise UnreadableHealth(reading_fault(file, error)) from None
    try:
        values = json.loads(content)
        good = _is_ours(values)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        good = False
    if not good:
        raise ForeignHealth(f"{file}: is damaged, or of another version of yardboard; restart the table")
    return TableHealth(file, values, wall_clock - values["written"])


def _is_ours(values: Any) -> bool:
    """Return whether values from a file have all required names and types. Further names are allowed."""
    devices, switches = values["devices"], values["switches"]
    return (
        values["format"] == _FORMAT
        and all(_is_number(values[key]) for key in ("written", "beat_s", "up_s", "passes"))
        and all(isinstance(values[key], str) for key in ("yardboard", "python", "config"))
        and all(d["state"] in _STATES and isinstance(d["reason"], str) for d in devices.values())
        and all(_is_number(d["since"]) for d in devices.values())
        and all(isinstance(s[key], str) for s in switches.values() for key in ("place", "state"))
        and all(_is_number(s[key]) for s in switches.values() for key in ("closures", "bounces", "longest_ms"))
    )


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e12
