"""Generate the service's files, and plan the steps that install or remove it, from the machine's state.

The files come from the shipped folder `systemd`. The first line of each names its author and has a checksum of the
rest: that distinguishes our files from foreign and modified ones.

A step that is not needed is omitted, so running again completes an interrupted run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config
from firmware_host.config.section_conflicts import claims
from firmware_host.players.levels.levels import SEARCHING
from hardware.raspberry_pi.pin_conflicts import PwmUse

NAME = "yardboard"
"""The name of the unit and of its user."""

TABLE = "/etc/yardboard/table.toml"
"""The configuration file that the service runs."""

UNITS = "/etc/systemd/system"
UNIT = f"{UNITS}/yardboard.service"
DROP_INS = f"{UNITS}/yardboard.service.d"
PLAYER_SOCKET = f"{UNITS}/yardboard-player.socket"
PLAYER_UNIT = f"{UNITS}/yardboard-player@.service"
"""The folder and the unit of the programs of [players.NAME], which run one unit each."""

SYSUSERS = "/etc/sysusers.d/yardboard.conf"
RULES = "/etc/udev/rules.d/70-yardboard.rules"
WANTED = "/etc/systemd/system/multi-user.target.wants/yardboard.service"
"""The link that enabling the unit creates."""

GAMES = ("/var/lib/yardboard", "/var/lib/private/yardboard")
"""The games' folders; units of earlier versions used the second, which systemd moves to the first."""

OWN = ("/etc/yardboard", *GAMES)
"""The folders with the users' own work: configuration and games."""

DEVICES = {"gpiochip*": "gpio", "spidev*": "spi", "i2c-*": "i2c", "ttyACM*": "dialout", "ttyUSB*": "dialout"}
"""A table's device files in /dev, each with its group by our rules."""

PROGRAM = Path("/opt/yardboard/bin/yardboard")
"""The program's path in the shipped unit."""

_OURS = "# yardboard install wrote this file; write changes into a drop-in (systemctl edit yardboard). "


def drop_ins(config: Config) -> tuple[str, ...]:
    """Return the names of the drop-ins that a configuration needs beside the unit. Pure."""
    pi5 = config.pi.model == "5"
    pwm = any(isinstance(claim, PwmUse) for claim in claims(config.sections, config.layout))
    needed = {
        "gpiomem": config.pi.pin_factory == "rpigpio" and not pi5,
        "pio": pwm and pi5,
        "mqtt": bool(config.mqtt.url),
        "players": any(player in SEARCHING for player in config.game.seats.values()),
        "programs": bool(config.players),
        "pwm": pwm and not pi5,
        "web": config.web.serve,
    }
    return tuple(name for name, is_needed in needed.items() if is_needed)


def service_files(config: Config, program: str) -> dict[str, str]:
    """Return the files that the service of a configuration needs: path -> text, in the order of writing.

    Args:
        config: the table's configuration.
        program: the command `yardboard` that the unit is to run; an absolute path.

    Raises:
        ConfigError: the shipped files are missing.
    """
    shipped = {
        SYSUSERS: "yardboard.sysusers.conf",
        RULES: "70-yardboard.rules",
        UNIT: "yardboard.service",
        **({path: Path(path).name for path in (PLAYER_SOCKET, PLAYER_UNIT)} if config.players else {}),
        **{_drop_in(name): f"{name}.conf" for name in drop_ins(config)},
    }
    folder = shipped_files.service_folder()
    return {
        path: sign((folder / name).read_text(encoding="utf-8").replace(str(PROGRAM), program))
        for path, name in shipped.items()
    }


def possible_files() -> tuple[str, ...]:
    """Return the paths of all files of any configuration's service, in this version or an earlier one.

    The configuration itself is not among them.
    """
    names = sorted(
        path.stem for path in shipped_files.service_folder().glob("*.conf") if path.name != "yardboard.sysusers.conf"
    )
    former = (f"{DROP_INS}/{name}.conf" for name in names)
    return (SYSUSERS, RULES, UNIT, PLAYER_SOCKET, PLAYER_UNIT, *map(_drop_in, names), *former)


def sign(text: str) -> str:
    """Return a text with our signature line before it. Pure."""
    return f"{_OURS}{_checksum(text)}\n{text}"


def is_ours(text: str) -> bool:
    """Return whether a text carries a valid signature, of this version or another, and is unchanged. Pure."""
    first, _, rest = text.partition("\n")
    return first == f"{_OURS}{_checksum(rest)}"


def _drop_in(name: str) -> str:
    """Return a drop-in's path, which sorts before override.conf of `systemctl edit`: the user's wins."""
    return f"{DROP_INS}/10-{name}.conf"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class InstallError(Exception):
    """The service cannot be installed or removed. The message names the obstacle and a remedy."""


class ForeignFile(InstallError, FileExistsError):
    """A foreign or modified file is in the way."""


@dataclass(frozen=True, slots=True)
class Write:
    """Write a text to a file, and create its folder. A non-empty old file is renamed to `aside`."""

    path: str
    text: str = field(repr=False)
    aside: str = ""

    def __str__(self) -> str:
        return f"write   {self.path}{f' (the existing file becomes {self.aside})' if self.aside else ''}"


@dataclass(frozen=True, slots=True)
class SetAside:
    """Rename a file."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"rename  {self.path} to {self.name}"


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a file, or a folder with its content. `why` says what is lost with it."""

    path: str
    why: str = ""

    def __str__(self) -> str:
        return f"remove  {self.path}{f' ({self.why})' if self.why else ''}"


@dataclass(frozen=True, slots=True)
class Run:
    """Run a system command."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"run     {' '.join(self.words)}"


Step = Write | SetAside | Remove | Run


@dataclass(frozen=True, slots=True)
class Service:
    """The unit's state in the service manager.

    Attributes:
        loaded: whether it knows the unit.
        stale: whether it knows an older text of it.
        active: whether it runs it, or tries to.
        since: when the running program was started, in seconds since 1970; 0 if none runs.
    """

    loaded: bool = False
    stale: bool = False
    active: bool = False
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class MachineState:
    """The state of a machine.

    Attributes:
        files: the texts of the existing files among the service's files, its configuration and `WANTED`; anything else
            under such a name, such as a link that masks the unit, has an empty text.
        written: when the newest file that the service runs or reads was put in place; seconds since 1970.
        folders: the service's folders that exist; the drop-ins' folder only if all are ours.
        user: whether the service's user exists.
        group: whether the user's own group exists.
        member: whether the user is in the groups of all its devices.
        devices: whether the device files belong to their groups.
        service: the unit's state; None if no service manager runs, as in an image.
        image: the folder of an unbooted image; empty for this machine.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    written: float = 0.0
    folders: frozenset[str] = frozenset()
    user: bool = False
    group: bool = False
    member: bool = False
    devices: bool = True
    service: Service | None = field(default_factory=Service)
    image: str = ""

    def command(self, *words: str, option: str = "--root") -> Run:
        """Build a command that, by an option of its own, also works on an image."""
        return Run((words[0], f"{option}={self.image}", *words[1:]) if self.image else words)


def to_install(
    state: MachineState, wanted: Mapping[str, str], table: str | None, *, stamp: str, replace: bool
) -> list[Step]:
    """Plan the steps to a running service.

    Args:
        state: the machine's state.
        wanted: the files that it should have: path -> text.
        table: the configuration's text; None to keep the existing one.
        stamp: the suffix for the names of files set aside today.
        replace: whether to set foreign files aside.

    Raises:
        ForeignFile: a foreign file may not be replaced.
    """
    wanted = ({} if table is None else {TABLE: table}) | dict(wanted)
    due = {path: text for path, text in wanted.items() if state.files.get(path) != text}
    surplus = [path for path in possible_files() if path in state.files and path not in wanted]
    in_the_way = [
        path for path in (*due, *surplus) if path in state.files and (path == TABLE or not is_ours(state.files[path]))
    ]
    if in_the_way and not replace:
        lines = [f"{path}: exists already, and differs{_WHY.get(path, _WHY[''])}" for path in in_the_way]
        raise ForeignFile("\n".join([*lines, "Or use --replace, which renames the existing file"]))
    aside = {path: f"{path.rpartition('/')[2]}.{stamp}.old" for path in in_the_way}
    # Write first: if the disk is full, no file has been removed yet.
    steps: list[Step] = [Write(path, text, aside.get(path, "")) for path, text in due.items()]
    steps += [
        SetAside(path, aside[path]) if path in aside else Remove(path, "this configuration does not need it")
        for path in surplus
    ]
    return steps + list(_put_into_service(state, changed={*due, *surplus}))


def _put_into_service(state: MachineState, changed: set[str]) -> Iterator[Run]:
    """Yield the commands that make the system notice the changed files."""
    # The socket adopts a change, or its removal, at its next start.
    if PLAYER_SOCKET in changed and PLAYER_SOCKET in state.files and state.service is not None and state.service.active:
        yield Run(("systemctl", "stop", PLAYER_SOCKET.rpartition("/")[2]))
    # Units of earlier versions had a dynamic user; while it exists, no other user can have this name.
    stopped = state.service is not None and state.service.active and not state.user
    if stopped:
        yield Run(("systemctl", "stop", NAME))
    if SYSUSERS in changed or not (state.user and state.member):
        yield state.command("systemd-sysusers", SYSUSERS.rpartition("/")[2])
    if state.service is None:
        if WANTED not in state.files:
            yield state.command("systemctl", "enable", NAME)
        return
    if RULES in changed or not state.devices:
        yield Run(("udevadm", "control", "--reload"))
        yield Run(("udevadm", "trigger"))
        yield Run(("udevadm", "settle"))
    if state.service.stale or not state.service.loaded or any(path.startswith(UNITS) for path in changed):
        yield Run(("systemctl", "daemon-reload"))
    if stopped or not state.service.active or WANTED not in state.files:
        yield Run(("systemctl", "enable", "--now", NAME))
    if not stopped and state.service.active and (changed or state.service.since < state.written):
        yield Run(("systemctl", "restart", NAME))


def to_uninstall(state: MachineState, *, purge: bool) -> list[Step]:
    """Plan the steps that remove the service from a machine.

    Unless purged, the configuration, the games and their user stay, as when a package is removed. A foreign or modified
    file stays in any case.

    Args:
        state: the machine's state.
        purge: whether to remove everything.
    """
    steps: list[Step] = []
    service = state.service or Service()
    if service.active or WANTED in state.files:
        steps.append(state.command("systemctl", "disable", *(("--now",) if state.service else ()), NAME))
    gone = [path for path in possible_files() if is_ours(state.files.get(path, ""))]
    steps += [Remove(path) for path in gone]
    if DROP_INS in state.folders and not any(path.startswith(DROP_INS) for path in files_left(state)):
        steps.append(Remove(DROP_INS))
    if state.service is not None and (service.stale or (service.loaded and UNIT not in state.files) or UNIT in gone):
        steps.append(Run(("systemctl", "daemon-reload")))
    if state.service is not None and RULES in gone:
        steps.append(Run(("udevadm", "control", "--reload")))
    return steps + (list(_purge(state)) if purge else [])


def _purge(state: MachineState) -> Iterator[Step]:
    if "/etc/yardboard" in state.folders:
        yield Remove("/etc/yardboard", "the table's configuration")
    for folder in GAMES:
        if folder in state.folders:
            yield Remove(folder, "all games that were played, and the one in play")
    # In this order: whether userdel removes the group as well depends on the system.
    if state.group:
        yield state.command("groupdel", "--force", NAME, option="--prefix")
    if state.user:
        yield state.command("userdel", NAME, option="--prefix")


def files_left(state: MachineState) -> list[str]:
    """Return the service's files that stay because they are foreign or modified. Pure."""
    return [path for path in possible_files() if path in state.files and not is_ours(state.files[path])]


_WHY = {
    TABLE: " from the file of --config: change it there, and run install without --config",
    "": ": another author wrote or changed it; remove it if it is not needed",
}
