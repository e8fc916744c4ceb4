"""How a running table is, told to whoever asks on the same machine: a small file, written anew at every beat.

It lies in the service's runtime folder, or else beside the journal, and whoever reads it finds it whole: it is written
beside its place and renamed into it. It holds what everyone at the table may know and nothing else, and a clock alone
says when it is written, never what happens at the table.
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
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.config.loader import Config
from firmware_host.system import safe_read
from firmware_host.system.logging_setup import about
from firmware_host.table.table import Daemon
from hardware.ports import Clock

BEAT = 5.0
"""Seconds from one writing to the next."""

COUNT = 60.0
"""Seconds after which the switches are gone through anew: with 199 of them that takes as long as several passes."""

PASSES = 1000
"""The passes are told in so many at once: each single one would tell how long they take, and so of Mister X's keys."""

NAME = "health.json"
"""The file's name."""

RUNTIME = "/run/yardboard"
"""The runtime folder of the service, where nothing says otherwise."""

_FORMAT = 1
_STATES = ("ok", "degraded", "lost")

log = logging.getLogger("yardboard")


class NoBulletin(Exception):
    """There is nothing to be read about a table; the message says where and why."""


class AbsentBulletin(NoBulletin, FileNotFoundError):
    """There is no such file: no table runs, or it tells of itself elsewhere."""


class UnreadableBulletin(NoBulletin, OSError):
    """The file cannot be read by this user."""


class ForeignBulletin(NoBulletin, ValueError):
    """The file is torn, or none that a table has written."""


def place(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the table of a configuration tells of itself.

    Raises:
        ConfigError: there is neither $RUNTIME_DIRECTORY nor a place for the journal.
    """
    given = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]  # systemd lists several with colons between
    return Path(given) / NAME if given else config.journal_file(environ).with_name(NAME)


def places(config: Config, environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Where a table of a configuration may tell of itself, for whoever is not its service.

    Raises:
        ConfigError: there is no place for the journal.
    """
    beside = config.journal_file(environ).with_name(NAME)
    return tuple(dict.fromkeys((place(config, environ), Path(RUNTIME, NAME), beside)))


class Bulletin:
    """The file about one table, and when it is due.

    Args:
        config: the table's configuration.
        clock: tells the beat.
        wall: the wall clock, for readers.
        file: where it lies.

    Raises:
        ConfigError: there is no place for it.
    """

    def __init__(
        self, config: Config, clock: Clock, wall: Callable[[], float] = time.time, file: Path | None = None
    ) -> None:
        self.file = file or place(config)
        self._of = str(Path(config.source).absolute())
        self._clock, self._wall = clock, wall
        self._began = self._due = self._count_at = clock.now()
        self._passes = 0
        self._switches = "{}"
        self._complained = False

    def attend(self, daemon: Daemon) -> None:
        """One more pass of the table is over: write the file if it is due. What cannot be written is told once."""
        self._passes += 1
        now = self._clock.now()
        if now < self._due:
            return
        self._due += BEAT * ((now - self._due) // BEAT + 1)
        try:
            _write(self.file, self._text(daemon, now).encode())
        except OSError as error:
            if not self._complained:
                values = about("health", file=str(self.file))
                log.warning(
                    "%s: cannot be written: %s; the game goes on", self.file, error.strerror or error, extra=values
                )
            self._complained = True
        else:
            self._complained = False

    def remove(self) -> None:
        """The table ends: nobody is to think that it runs."""
        with suppress(OSError):
            self.file.unlink()

    def _text(self, daemon: Daemon, now: float) -> str:
        """All of it as JSON."""
        if now >= self._count_at:
            self._count_at += COUNT * ((now - self._count_at) // COUNT + 1)
            self._switches = json.dumps(daemon.switches())
        written = self._wall()
        devices = {  # since when is told by the clock on the wall as it goes now: it may have been set meanwhile
            name: {"state": h.state, "reason": h.reason, "since": round(written - (now - h.since), 1)}
            for name, h in daemon.devices.all().items()
        }
        values = {
            "format": _FORMAT,
            "yardboard": __version__,
            "python": platform.python_version(),
            "config": self._of,
            "written": round(written, 1),
            "beat_s": BEAT,
            "up_s": round(now - self._began, 1),
            "passes": self._passes // PASSES * PASSES,
            "devices": devices,
        }
        return f'{json.dumps(values)[:-1]}, "switches": {self._switches}}}'


def _write(file: Path, content: bytes) -> None:
    """Put a file in its place, whole, for its user and its group."""
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)
    made = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(made, "wb") as out:
        os.fchmod(made, 0o640)  # whatever the umask says
        out.write(content)
    new.replace(file)


@dataclass(frozen=True, slots=True)
class Said:
    """What a table has told of itself.

    Attributes:
        file: where.
        values: what is in it.
        age: seconds since it was written, below 0 where clocks were set.
    """

    file: Path
    values: Mapping[str, Any]
    age: float

    @property
    def fresh(self) -> bool:
        """Whether the table seems to run: it has missed no more than two beats."""
        return abs(self.age) <= 3 * float(self.values["beat_s"])

    @property
    def well(self) -> bool:
        """Whether no device and no switch ails."""
        states = [device["state"] for device in self.values["devices"].values()]
        switches = [switch["state"] for switch in self.values["switches"].values()]
        return all(state == "ok" for state in states + switches)


def read(file: Path, wall: float) -> Said:
    """What a table has told of itself in a file.

    Args:
        file: the file.
        wall: the wall clock now.

    Raises:
        AbsentBulletin: there is no such file.
        UnreadableBulletin: it cannot be read.
        ForeignBulletin: it is torn, or none that a table of this version has written.
    """
    try:
        content = safe_read.content(file)
    except (FileNotFoundError, NotADirectoryError):
        raise AbsentBulletin(f"{file}: there is no such file") from None
    except PermissionError:
        raise UnreadableBulletin(f"{file}: may not be read by this user; its group may read it, and root") from None
    except OSError as error:
        raise UnreadableBulletin(f"{file}: cannot be read: {error.strerror}") from None
    try:
        values = json.loads(content)
        good = _is_ours(values)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        good = False
    if not good:
        raise ForeignBulletin(f"{file}: was not written by a table of this version, or is torn")
    return Said(file, values, wall - values["written"])


def _is_ours(values: Any) -> bool:
    """Whether it is all there and of the right kinds. What else a later version may tell is let pass."""
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
