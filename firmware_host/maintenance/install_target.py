"""Inspect the machine or image on which the service is installed, and carry out steps there."""

from __future__ import annotations

import grp
import os
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from firmware_host.maintenance.install_plan import (
    DEVICES,
    DROP_INS,
    NAME,
    OWN,
    TABLE,
    WANTED,
    InstallError,
    MachineState,
    Remove,
    Run,
    Service,
    SetAside,
    Step,
    Write,
    possible_files,
)
from firmware_host.system.files import replace_file

BOOTED = Path("/run/systemd/system")
"""Exists where systemd has booted the machine, sd_booted(3)."""

ACCOUNTS = ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow")
"""The files that list users and groups. The commands that change them write through links."""

_ASKED = ("LoadState", "NeedDaemonReload", "ActiveState", "ExecMainStartTimestamp")


class CommandFailed(InstallError, ChildProcessError):
    """A system command failed. The message contains its output."""


class WrongMachine(InstallError, PermissionError):
    """This machine, or this user, cannot install the service."""


class OutsideImage(InstallError, OSError):
    """A path of an image leads out of the image, perhaps to the machine that this runs on."""


class Machine:
    """The machine whose files are below a folder.

    Args:
        root: the folder; "/" for the live machine.

    Attributes:
        live: whether it is the running machine itself.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self.live = self._root == Path("/")

    def at(self, path: str) -> Path:
        """Return the local path of an absolute path of the machine, of a link that of the link itself.

        Raises:
            OutsideImage: a folder on the way is not in the image.
        """
        place = self._root / path.lstrip("/")
        self._refuse_outside(path, place.parent)
        return place

    def _refuse_outside(self, path: str, place: Path) -> None:
        """Refuse links that leave the image: an absolute link has another target once the image is booted."""
        if self.live or _resolve(place).is_relative_to(self._root):
            return
        way = [each for each in reversed((place, *place.parents)) if each.is_relative_to(self._root)]
        out = next(each for each in way if not _resolve(each).is_relative_to(self._root))
        raise OutsideImage(
            f"{path}: {out} leads to {_resolve(out)}, out of the image {self._root}; "
            "have it in the image itself, or as a relative link to something in the image"
        )

    def check(self, *, only_look: bool) -> None:
        """Check that a service can be installed here.

        Args:
            only_look: whether nothing will be changed.

        Raises:
            WrongMachine: the machine does not run systemd, or this user must not change it.
        """
        if self.live and not only_look and not BOOTED.is_dir():
            raise WrongMachine("this machine does not run systemd, which the service needs")
        if not only_look and self.live and os.geteuid() != 0:
            raise WrongMachine("only root may do that: use sudo; --dry-run shows what would be done")

    def unreadable_part(self, path: str) -> Path | None:
        """Return the folder or file that the service's user cannot read on the way to a path, or None."""
        place = self.at(path).resolve() if self.live else self.at(path)
        own = next((fields[2] for fields in self._read_fields("/etc/group") if fields[0] == NAME), "")
        way = [each for each in (place, *place.parents) if each.is_relative_to(self._root) and each != self._root]
        return next((each for each in reversed(way) if each.exists() and not _is_readable(each, own)), None)

    def state(self, runs: Iterable[Path] = ()) -> MachineState:
        """Return the machine's state.

        Args:
            runs: what the service runs and reads besides its own files; of a folder, everything in it.

        Raises:
            CommandFailed: the service manager does not answer.
            OutsideImage: something that may have to be changed is not in the image.
            OSError: a file cannot be read.
        """
        for path in ACCOUNTS:
            self._refuse_outside(path, self.at(path))
        paths = [path for path in (*possible_files(), TABLE) if os.path.lexists(self.at(path))]
        files = {path: self._read_text(path) for path in paths}
        if self.at(WANTED).is_symlink():
            files[WANTED] = ""
        groups = {fields[0]: fields[3].split(",") for fields in self._read_fields("/etc/group") if len(fields) > 3}
        return MachineState(
            files=files,
            written=max(map(_time_placed, (*map(self.at, paths), *_all_files(runs))), default=0.0),
            folders=frozenset(path for path in (DROP_INS, *OWN) if self._has_folder(path)),
            user=NAME in (fields[0] for fields in self._read_fields("/etc/passwd")),
            group=NAME in groups,
            member=all(NAME in groups.get(group, ()) for group in DEVICES.values()),
            devices=not self.live or _devices_in_groups(),
            service=self._service(),
            image="" if self.live else str(self._root),
        )

    def _service(self) -> Service | None:
        """Return the unit's state; None for an image, an unknown unit's without systemd."""
        if not self.live:
            return None
        return _service_state() if BOOTED.is_dir() else Service()

    def _has_folder(self, folder: str) -> bool:
        """Return whether a folder of the service exists. One with unknown drop-ins does not count."""
        place, known = self.at(folder), possible_files()
        return os.path.isdir(place) and (  # noqa: PTH112 - unreadable counts as missing
            folder != DROP_INS or all(f"{DROP_INS}/{each.name}" in known for each in place.iterdir())
        )

    def carry_out(self, step: Step) -> None:
        """Carry out one step.

        Raises:
            CommandFailed: a command has failed.
            OSError: a file cannot be written, renamed or removed.
        """
        match step:
            case Write(path, text, aside):
                _write(self.at(path), text, aside)
            case SetAside(path, name):
                self.at(path).rename(self.at(path).with_name(name))
            case Remove(path):
                place = self.at(path)
                shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
            case Run(words):
                _output_of(words)

    def _read_text(self, path: str) -> str:
        """Return a file's text, or "" of a mask or a broken link."""
        place = self.at(path)
        return place.read_text(encoding="utf-8", errors="replace") if place.is_file() else ""

    def _read_fields(self, path: str) -> list[list[str]]:
        file = self.at(path)
        return [line.split(":") for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []


def _resolve(place: Path) -> Path:
    return Path(os.path.realpath(place))


def _devices_in_groups() -> bool:
    numbers = {each.gr_name: each.gr_gid for each in grp.getgrall()}
    return all(
        node.stat().st_gid == numbers.get(group)
        for pattern, group in DEVICES.items()
        for node in Path("/dev").glob(pattern)
    )


def _service_state() -> Service:
    said = _output_of(("systemctl", "show", NAME, "--timestamp=unix", f"--property={','.join(_ASKED)}"))
    values = dict(line.partition("=")[::2] for line in said.splitlines())
    started = values.get("ExecMainStartTimestamp", "").removeprefix("@")
    return Service(
        loaded=values.get("LoadState") == "loaded",
        stale=values.get("NeedDaemonReload") == "yes",
        active=values.get("ActiveState") in {"active", "activating", "reloading"},
        since=float(started) if started.isdecimal() else 0.0,
    )


def _output_of(words: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603 - fixed steps
    except FileNotFoundError:
        raise CommandFailed(f"{words[0]}: there is no such command on this machine") from None
    if done.returncode:
        raise CommandFailed(f"{' '.join(words)}: {done.stderr.strip() or f'ended with {done.returncode}'}")
    return done.stdout


def _is_readable(place: Path, group: str) -> bool:
    """Return whether others, or members of a group, may read a file or enter a folder."""
    status = place.stat()
    needed = stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else stat.S_IROTH
    return bool((status.st_mode >> (3 if str(status.st_gid) == group else 0)) & needed)


def _all_files(places: Iterable[Path]) -> Iterator[Path]:
    """Yield files, and all files in folders, except cached bytecode."""
    for place in places:
        if not place.is_dir():
            yield from (place,) if place.is_file() else ()
            continue
        for folder, folders, names in os.walk(place):
            folders[:] = [name for name in folders if name != "__pycache__"]  # its content is temporary
            yield from (each for name in names if (each := Path(folder, name)).is_file())


def _time_placed(place: Path) -> float:
    """Return when a file got its content or its name: mv and cp -p keep its other times, but not this one.

    In whole seconds, like the start time from the service manager.
    """
    return float(int(max(place.lstat().st_ctime, place.stat().st_ctime if place.exists() else 0.0)))


def _write(path: Path, text: str, aside: str) -> None:
    """Write a world-readable file atomically: an interruption leaves the old one."""

    def finish(handle: int) -> None:
        os.fchmod(handle, 0o644)
        if aside:
            os.link(path, path.with_name(aside), follow_symlinks=False)

    try:
        _make_folder(path.parent)
        replace_file(path, text.encode(), finish=finish)
    except OSError as error:
        error.filename = str(path)  # a full disk's error names no file
        raise


def _make_folder(folder: Path) -> None:
    """Create a world-readable folder and its parents, whatever the umask."""
    for each in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        each.mkdir()
        each.chmod(0o755)
