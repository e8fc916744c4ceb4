"""Read facts about a machine from its files: its board, config.txt, mounts, users and packages.

All paths are below a root folder, so another machine's files can be read, too.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path, PurePosixPath

from hardware.raspberry_pi.kernel_devices import GivenDevices, GpioReader, KernelDevices

_BOARDS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("Raspberry Pi Zero 2", "zero2", frozenset({"pi0", "pi0w", "pi02"})),
    ("Raspberry Pi 3 Model A Plus", "3", frozenset({"pi3", "pi3+"})),
    ("Raspberry Pi 3 Model B Plus", "3", frozenset({"pi3", "pi3+"})),
    ("Raspberry Pi 3", "3", frozenset({"pi3"})),
    ("Raspberry Pi Compute Module 3", "3", frozenset({"pi3"})),
    ("Raspberry Pi 400", "4", frozenset({"pi4", "pi400"})),
    ("Raspberry Pi 4", "4", frozenset({"pi4"})),
    ("Raspberry Pi Compute Module 4S", "4", frozenset({"pi4", "cm4s"})),
    ("Raspberry Pi Compute Module 4", "4", frozenset({"pi4", "cm4"})),
    ("Raspberry Pi 500", "5", frozenset({"pi5", "pi500"})),
    ("Raspberry Pi 5", "5", frozenset({"pi5"})),
    ("Raspberry Pi Compute Module 5", "5", frozenset({"pi5", "cm5"})),
)
"""The beginning of the board's name, the model of `pinout`, and its filters in config.txt."""

_ALIASES = {
    "i2c": "i2c_arm", "i2c1": "i2c_arm", "i2c0": "i2c_vc",
    "i2c_baudrate": "i2c_arm_baudrate", "i2c1_baudrate": "i2c_arm_baudrate", "i2c0_baudrate": "i2c_vc_baudrate",
}  # fmt: skip
"""Other names of a dtparam (overlays README, "The base DTB")."""

_ON = {"", "on", "yes", "y", "true", "1", "okay", "enable"}


@dataclass(frozen=True, slots=True)
class User:
    """The user as whom the table's program runs.

    Attributes:
        name: the login name.
        uid: the number; 0 is root.
        groups: the user's groups: name -> number.
    """

    name: str
    uid: int
    groups: Mapping[str, int]

    @staticmethod
    def current() -> User:
        """Return the user of this process."""
        uid = os.geteuid()
        try:
            name = pwd.getpwuid(uid).pw_name
        except KeyError:
            name = str(uid)
        groups = {}
        for gid in {os.getegid(), *os.getgroups()}:
            try:
                groups[grp.getgrgid(gid).gr_name] = gid
            except KeyError:
                groups[str(gid)] = gid
        return User(name, uid, groups)

    def may_write(self, folder: Path) -> bool:
        """Return whether a folder's permissions let the user create files in it."""
        status = folder.stat()
        if self.uid == 0:
            return True
        if status.st_uid == self.uid:
            return status.st_mode & 0o300 == 0o300
        if status.st_gid in self.groups.values():
            return status.st_mode & 0o030 == 0o030
        return status.st_mode & 0o003 == 0o003


@dataclass(frozen=True, slots=True)
class OverlayLoad:
    """One line of config.txt that loads an overlay.

    Attributes:
        name: its name, without the suffix of those for a Pi 5.
        params: its parameters, those of `dtparam` lines below it among them.
        line: the line that loads it.
    """

    name: str
    params: dict[str, str]
    line: str


class BootSettings:
    """The lines of config.txt that apply to one model of board.

    Filters are judged by the board's model. Some cannot be judged here, such as [EDID=…], [gpio4=1] or a serial number.
    Lines under those, or under [none], count as absent until the next [all]. Source: Raspberry Pi documentation,
    "Conditional filters".

    Args:
        text: the file.
        filters: the model filters that the board passes, such as {"pi4"}.
    """

    def __init__(self, text: str, filters: Iterable[str]) -> None:
        passed = {*filters}
        right_model = judged = True
        self._in_overlay = False
        self.values: dict[str, str] = {}
        self.loads: list[OverlayLoad] = []
        self.params: dict[str, str] = {}
        for line in map(str.strip, text.splitlines()):
            if re.fullmatch(r"\[.*\]", line):
                word = line[1:-1].strip().lower()
                if word == "all":
                    right_model = judged = True
                elif re.fullmatch(r"(pi|cm)\d\w*\+?", word):
                    right_model = word in passed
                else:
                    judged = False
            elif right_model and judged and not line.startswith("#") and "=" in line:
                self._take(*line.split("=", 1))

    @property
    def overlays(self) -> dict[str, dict[str, str]]:
        """The loaded overlays by name, each with the parameters of its last load."""
        return {load.name: load.params for load in self.loads}

    def is_on(self, param: str) -> bool:
        """Return whether `dtparam` switches `param` on, such as "spi", "i2c_arm" or "audio"."""
        return self.params.get(param, "off").lower() in _ON

    def has(self, line: str) -> bool:
        """Return whether config.txt has this line, such as "dtoverlay=spi0-1cs,no_miso", in any spelling."""
        key, _, value = line.partition("=")
        if key == "dtparam":
            name, _, wanted = value.partition("=")
            return self.is_on(name) if wanted == "on" else self.params.get(name) == wanted
        if key == "dtoverlay":
            name, *params = value.split(",")
            return name in self.overlays and {*_pairs(params)} <= {*self.overlays[name]}
        return self.values.get(key) == value

    def _take(self, key: str, value: str) -> None:
        key, value = key.strip(), value.strip()
        words = value.split(",")
        if key == "dtparam":
            self.params.update({_ALIASES.get(name, name): value for name, value in _pairs(words).items()})
            if self.loads and self._in_overlay:
                self.loads[-1].params.update(_pairs(words))
        elif key == "dtoverlay":
            # After the empty name, parameters are the board's again.
            self._in_overlay = bool(value)
            if value:
                # A Pi 5's overlays also accept the names of other models.
                name, *given = re.split("[,:]", value)
                self.loads.append(OverlayLoad(name.strip().removesuffix("-pi5"), _pairs(given), f"{key}={value}"))
        else:
            self.values[key] = value


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system: where, its type ("ext4", "tmpfs"), and whether it can be written."""

    point: PurePosixPath
    type: str
    writable: bool


@dataclass(frozen=True, slots=True)
class PythonBuild:
    """The properties of a Python installation that decide which packages have wheels for it.

    Attributes:
        version: major and minor version: (3, 13).
        bits: 32 or 64; a kernel of 64 bits may run a Python of 32.
    """

    version: tuple[int, int]
    bits: int

    @staticmethod
    def current() -> PythonBuild:
        """Return the properties of the Python that runs this process."""
        return PythonBuild(sys.version_info[:2], 64 if sys.maxsize > 1 << 32 else 32)

    def lacks_lgpio(self) -> bool:
        """Return whether PyPI has no wheel of lgpio for this Python on a Pi."""
        return self.version > (3, 13) or (self.version == (3, 13) and self.bits == 32)

    def __str__(self) -> str:
        return f"Python {self.version[0]}.{self.version[1]}" + (" of 32 bits" if self.bits == 32 else "")


class HostFacts:
    """The facts about a machine, whose files are below a root folder.

    Args:
        root: the folder; "/" for this machine.
        user: the user of the program.
        packages: names of the installed Python packages.
        gpio: reads its GPIO chips; by default through their device files.
        python: the Python of the program; this one by default.

    Attributes:
        user: the user of the program.
        python: the Python of the program.
    """

    def __init__(
        self,
        root: Path,
        user: User,
        packages: Iterable[str],
        gpio: GpioReader | None = None,
        python: PythonBuild | None = None,
    ) -> None:
        self._root = root
        self._gpio = gpio
        self.python = python or PythonBuild.current()
        self.user = user
        self._packages = {_normal(name) for name in packages}

    @staticmethod
    def of_this_machine(root: Path = Path("/")) -> HostFacts:
        """Return the facts about this machine, with this process's user and packages."""
        names = (distribution.metadata["Name"] for distribution in metadata.distributions())
        return HostFacts(root, User.current(), {name for name in names if name})

    @cached_property
    def board(self) -> str:
        """The name that the board reports, such as "Raspberry Pi 4 Model B Rev 1.4", or "" on other machines."""
        name = (self.text("/proc/device-tree/model") or "").rstrip("\0\n")
        return name if name.startswith("Raspberry Pi") else ""

    @property
    def model(self) -> str | None:
        """The board's model as in `hardware.raspberry_pi.pinout`, or None for an unknown board."""
        return next((model for start, model, _ in _BOARDS if self.board.startswith(start)), None)

    @cached_property
    def boot(self) -> str:
        """The folder with config.txt and cmdline.txt: /boot/firmware, or /boot before Raspberry Pi OS 12."""
        return "/boot/firmware" if self.exists("/boot/firmware/config.txt") else "/boot"

    @cached_property
    def settings(self) -> BootSettings:
        """The settings in config.txt that apply to this board."""
        filters: Iterable[str] = next((f for start, _, f in _BOARDS if self.board.startswith(start)), ())
        return BootSettings(self.text(f"{self.boot}/config.txt") or "", filters)

    def devices(self, given: GivenDevices) -> KernelDevices:
        """Return the kernel's devices, found in the same way as the table finds them."""
        return KernelDevices(self._root, given, self._gpio)

    def has_package(self, name: str) -> bool:
        """Return whether a Python package is installed. `name` is its name on PyPI."""
        return _normal(name) in self._packages

    def path(self, path: str | PurePosixPath) -> Path:
        """Return the path on this machine of a file of the examined machine, given by its absolute path there."""
        return self._root / str(path).lstrip("/")

    def exists(self, path: str) -> bool:
        """Return whether an absolute path exists on the machine."""
        return self.path(path).exists()

    def has_match(self, pattern: str) -> bool:
        """Return whether any file matches a pattern such as "/dev/gpiochip*"."""
        return any(self._root.glob(pattern.lstrip("/")))

    def text(self, path: str) -> str | None:
        """Return the text of a file, or None if it cannot be read."""
        try:
            return self.path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def mount_of(self, path: PurePosixPath) -> Mount | None:
        """Return the mounted file system that a path is on, according to /proc/mounts, or None if it lists none."""
        found = None
        for line in (self.text("/proc/mounts") or "").splitlines():
            fields = line.split(" ")
            if len(fields) < 4:
                continue
            point = PurePosixPath(re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[1]))
            # Of two at one mount point the later hides the earlier.
            if path.is_relative_to(point) and (found is None or len(point.parts) >= len(found.point.parts)):
                found = Mount(point, fields[2], "rw" in fields[3].split(","))
        return found


def _pairs(words: Iterable[str]) -> dict[str, str]:
    """Return the values by name in words such as "spi=on" and "no_miso"."""
    return {name.strip(): value.strip() for name, _, value in (word.partition("=") for word in words)}


def _normal(name: str) -> str:
    """Return the normal spelling of a package's name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
