"""Find out what a program can do here: try each action, and print its result, "done" or the error's name, as JSON.

The service is confined so that it can do `NEEDED` and nothing of `SHUT`. Its argument is a folder that everybody may
write to, besides those in `OPEN`.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile

OPEN = ("/etc/open", "/home/open", "/opt/open", "/root/open", "/run/open", "/var/lib/open")
"""Folders that anybody may write to."""

DEVICES = ("gpiochip0", "i2c-1", "i2c-3", "spidev0.0", "spidev6.0")

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWUSER, _ADDR_NO_RANDOMIZE = 0x10000000, 0x0040000


def _write(folder: str) -> None:
    Path(folder, "written").write_text("")


def _open(device: str) -> None:
    os.close(os.open(f"/dev/{device}", os.O_RDWR))


def _call(name: str, *arguments: int) -> None:
    if getattr(_LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def _map_executable() -> None:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def _set_user_id() -> None:
    path = Path(os.environ["STATE_DIRECTORY"], "probe")
    path.touch()
    try:
        path.chmod(0o4700)
    finally:
        path.unlink()


NEEDED: dict[str, Callable[[], object]] = {
    "write its state": lambda: TemporaryFile(dir=os.environ["STATE_DIRECTORY"]).close(),
    "write to its runtime folder": lambda: TemporaryFile(dir=os.environ["RUNTIME_DIRECTORY"]).close(),
    "read its configuration": lambda: Path("/etc/yardboard/table.toml").read_text(),
    "talk to its manager": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).close(),
    **{f"open /dev/{name}": lambda name=name: _open(name) for name in DEVICES},
}

SHUT: dict[str, Callable[[], object]] = {
    **{f"write to {folder}": lambda folder=folder: _write(folder) for folder in OPEN},
    "open another device": lambda: _open("wire-spi0"),
    "open the memory": lambda: _open("mem"),
    "use the internet": lambda: socket.socket(socket.AF_INET).close(),
    "listen to the kernel": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "see other users' processes": lambda: Path("/proc/1").stat(),
    "make a namespace": lambda: _call("unshare", _CLONE_NEWUSER),
    "change its personality": lambda: _call("personality", _ADDR_NO_RANDOMIZE),
    "write what it executes": _map_executable,
    "make a program that runs as its owner": _set_user_id,
}


def tried(deed: Callable[[], object]) -> str:
    """Return the result of an action."""
    try:
        deed()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return "done"


if __name__ == "__main__":
    print(json.dumps({name: tried(deed) for name, deed in (NEEDED | SHUT).items()}))  # noqa: T201 - its purpose
    sys.stdout.flush()
