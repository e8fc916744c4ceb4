"""Confine users' player programs from the table's files, processes, sockets and network.

Under the service, a separate systemd unit confines the program (systemd/yardboard-player@.service). Elsewhere
bubblewrap does so, with kernel namespaces: the program sees the system's programs and what its own command names, all
read-only, and scratch folders in memory. This is a list of what is visible, so nothing can be forgotten.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cache, partial
from pathlib import Path

SERVICE_SOCKET = "YARDBOARD_PLAYERS"
"""The environment variable with the socket of the players' unit (systemd/programs.conf)."""

PROCESSES = 64
"""Most processes and threads of a program."""

OPEN_FILES = 256
"""Most open files of each of its processes."""

SCRATCH = 32 * 1024 * 1024
"""Bytes in each scratch folder, which is in memory and vanishes with the program."""

_SCRATCH_FOLDERS = ("/tmp", "/dev/shm")  # noqa: S108 - the program's own

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc")
"""System folders that every program sees."""

_ADDED = ("/opt", "/nix", "/gnu")
"""Folders for additional programs, visible unless the table stores something there."""

_NEVER_WHOLE = tuple(map(Path, ("/tmp", "/var/tmp", "/dev/shm", "/run", "/proc", "/sys")))  # noqa: S108 - never written
"""Folders that hold other programs' files and sockets, or show processes and devices."""

_COUNTS = tuple(map(Path, ("/proc/interrupts", "/proc/softirqs", "/proc/stat")))
"""Files that count interrupts: a pin's count reveals how far Mister X has turned the knob."""

_COUNT_FOLDERS = (Path("/proc/irq"),)
"""Folders of files that count interrupts."""

_LINKS = 40
"""Most links in a chain, as in the kernel."""

_NOBODY = "65534"

_TRIAL = 10.0
"""Seconds after which the trial of bubblewrap counts as failed."""


class Sandbox(Enum):
    """A means to confine a program. Its value is its name in messages."""

    SERVICE = "systemd"
    BUBBLEWRAP = "bubblewrap"
    NONE = ""


@cache
def sandbox_here() -> Sandbox:
    """Return how this process can confine programs on this machine. It tries out Bubblewrap once."""
    if os.environ.get(SERVICE_SOCKET):
        return Sandbox.SERVICE
    if shutil.which("bwrap") is None:
        return Sandbox.NONE
    trial = in_bubblewrap(("true",), Path("/"), ())
    try:
        done = subprocess.run(trial, check=False, capture_output=True, timeout=_TRIAL)  # noqa: S603 - a fixed command
    except (OSError, subprocess.TimeoutExpired):
        return Sandbox.NONE
    return Sandbox.NONE if done.returncode else Sandbox.BUBBLEWRAP


def in_bubblewrap(words: Sequence[str], folder: Path, kept: Iterable[Path]) -> tuple[str, ...]:
    """Return the command that runs a program in Bubblewrap, where it sees only the system and the paths in its command.

    Programs of root run as nobody, so their files must be readable for everyone.

    Args:
        words: the program's whole path and its arguments.
        folder: the working folder.
        kept: folders to hide: no folder that contains one of them becomes visible.
    """
    kept = {each.resolve() for each in (*kept, folder)}
    secret = (*kept, *_NEVER_WHOLE)
    emptied = [str(each) for each in (*_own_within_system(kept), *filter(Path.exists, _COUNT_FOLDERS))]
    shown = [Path(each) for each in _ADDED if _is_free(Path(each), secret)]
    for number, word in enumerate(words):
        shown += _seen_of(folder / word, secret, installed=number == 0)
    counts = filter(Path.exists, _COUNTS)
    is_root = os.geteuid() == 0
    return (
        "bwrap",
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *(() if is_root else ("--unshare-user", "--disable-userns")),
        "--die-with-parent",
        *(each for path in _SYSTEM for each in ("--ro-bind-try", path, path)),
        *("--proc", "/proc", "--dev", "/dev"),
        *(each for path in counts for each in ("--ro-bind", "/dev/null", str(path))),
        *(each for path in emptied for each in ("--tmpfs", path)),
        *(each for path in _SCRATCH_FOLDERS for each in ("--perms", "1777", "--size", str(SCRATCH), "--tmpfs", path)),
        *("--remount-ro", "/dev", "--dir", str(folder)),
        # The parent folders of visible paths are readable for everyone, whatever they are outside.
        *(
            each
            for path in dict.fromkeys(shown)
            for each in ("--dir", str(path.parent), *("--ro-bind-try", *2 * (str(path),)))
        ),
        *(each for path in ("/", *emptied) for each in ("--remount-ro", path)),
        *("--chdir", str(folder)),
        *("--setenv", "HOME", _SCRATCH_FOLDERS[0], "--unsetenv", "NUMBA_CACHE_DIR", "--"),
        *(_AS_NOBODY if is_root else ()),
        *("prlimit", f"--nproc={PROCESSES}", f"--nofile={OPEN_FILES}", f"--fsize={SCRATCH}", "--"),
        *words,
    )


_AS_NOBODY = (
    *("setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"),
    *("--inh-caps=-all", "--bounding-set=-all", "--"),
)
"""The prefix that takes root's rights from a command."""


def _seen_of(path: Path, secret: Sequence[Path], *, installed: bool) -> Iterator[Path]:
    """Yield what must be visible for a path in the command: its folder or itself, and the targets of links.

    Args:
        path: the path; it may not exist.
        secret: what must stay hidden.
        installed: whether it is a program that may need the folder above its own, where it was installed.
    """
    for _ in range(_LINKS):
        if not os.path.lexists(path):  # also False for words that are not paths
            return
        if path.is_dir():
            yield from filter(partial(_is_free, secret=secret), (path,))
        else:
            around = (path.parent.parent, path.parent) if installed else (path.parent,)
            yield next(filter(partial(_is_free, secret=secret), around), path)
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _own_within_system(kept: Iterable[Path]) -> Iterator[Path]:
    """Yield the outermost of this user's folders to hide that are inside a system folder."""
    own = [folder for folder in kept if folder.is_dir() and folder.stat().st_uid == os.geteuid()]
    for system in map(Path, _SYSTEM):
        within = [folder for folder in own if system.resolve() in folder.parents]
        for folder in within:
            if not any(other in folder.parents for other in within):
                yield system / folder.relative_to(system.resolve())


def _is_free(folder: Path, secret: Iterable[Path]) -> bool:
    """Return whether a folder is none of the secret folders, and contains none of them."""
    place = folder.resolve()
    return not any(each.is_relative_to(place) for each in secret)
