"""A Raspberry Pi in User-Mode Linux: a Debian that systemd runs, with a card, a board and a cable to a network."""

from __future__ import annotations

import ctypes
import json
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.proofs.package.guest_server import CHECKOUT, PORTS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HOST, GUEST = "10.77.0.1", "10.77.0.2"
NAME = "yardboard"
"""The Pi's host name, as Raspberry Pi Imager asks for one."""

SHARE = "/opt/rig/share"
"""The folder of the Pi in which the host's folder is."""

_CABLE = "yardboard0"
_CLONE_NEWNET = 0x40000000  # Python has it from 3.12 on
_CARD_BYTES = 2 << 30
_PATIENCE = 300.0

_INIT = f"""#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t configfs config /sys/kernel/config
mkdir -p /sys/kernel/config/gpio-sim/pi/bank
echo 28 >/sys/kernel/config/gpio-sim/pi/bank/num_lines
echo pinctrl-bcm2711 >/sys/kernel/config/gpio-sim/pi/bank/label
echo 1 >/sys/kernel/config/gpio-sim/pi/live
export LIBMOUNT_FORCE_MOUNT2=always  # hostfs understands the older call of mount in all versions
mount -t hostfs -o "$CHECKOUT" checkout {CHECKOUT}
mount -t hostfs -o "$SHARE" share {SHARE}
ip link set lo up
ip link set vec0 up
ip address add {GUEST}/24 dev vec0
exec /sbin/init
"""
_UNIT = f"""[Unit]
Description=The hands of the host
After=multi-user.target
[Service]
ExecStart=/usr/bin/python3 {CHECKOUT}/tests/proofs/package/guest_server.py shell
"""


class VirtualPi:
    """A machine with a card of its own. Only root can build and boot one, in a network namespace of its own.

    Args:
        system: a folder with a bare Debian, which is copied.
        kernel: the kernel of tests/proofs/kernel.
        folder: the folder for the card and what is shared with the Pi; it is created.
    """

    def __init__(self, system: Path, kernel: Path, folder: Path) -> None:
        self._kernel, self._folder = kernel, folder
        self.share = folder / "share"
        self._card, self._console = folder / "card", folder / "console"
        self._machine: subprocess.Popen[bytes] | None = None
        self.share.mkdir(parents=True)
        self._write_card(system)

    def boot(self) -> None:
        """Switch the Pi on, and wait until systemd has started everything."""
        words = [
            str(self._kernel), "mem=512M", f"uml_dir={self._folder}", f"umid={self._folder.name}", "loglevel=4",
            f"ubd0={self._card}", "root=/dev/ubda", "rw", "init=/opt/rig/init", f"SHARE={self.share}",
            f"CHECKOUT={ROOT}", f"vec0:transport=tap,ifname={_CABLE},depth=64,gro=1",
        ]  # fmt: skip
        with self._console.open("ab") as console:
            self._machine = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=console, stderr=console)
        self._wait_for_port(PORTS["shell"])

    def wait_until_off(self) -> None:
        """Wait until the Pi has switched itself off."""
        assert self._machine is not None
        self._machine.wait(_PATIENCE)

    def pull_the_plug(self) -> None:
        """Take the Pi's power away."""
        if self._machine is not None:
            self._machine.kill()
            self._machine.wait()

    def run(self, command: str, *, may_fail: bool = False) -> str:
        """Run a command as root. Return its output."""
        status, said = self._call("shell", "run", command)
        assert status == 0 or may_fail, f"{command}: {status}\n{said}"
        return str(said)

    def start_board(self) -> None:
        """Let people come to the table: from here on `board` sees and touches it."""
        python = "/usr/lib/yardboard/bin/python -I"
        self.run(f"systemd-run --quiet --unit=board {python} {CHECKOUT}/tests/proofs/package/guest_server.py board")
        self._wait_for_port(PORTS["board"])

    def board(self, name: str, *words: object) -> Any:
        """Make a call of `guest_server.board_calls` to the virtual board, such as "press", and return its answer."""
        return self._call("board", name, *words)

    def console(self) -> str:
        """Return what the Pi has printed."""
        return self._console.read_text(errors="replace")

    def _call(self, kind: str, *words: object) -> Any:
        with socket.create_connection((GUEST, PORTS[kind]), timeout=_PATIENCE) as line:
            line.sendall(json.dumps(words).encode() + b"\n")
            with line.makefile() as answer:
                return json.loads(answer.readline())

    def _wait_for_port(self, port: int) -> None:
        ends = time.monotonic() + _PATIENCE
        while True:
            assert self._machine is not None
            assert self._machine.poll() is None, self.console()
            try:
                socket.create_connection((GUEST, port), timeout=5.0).close()
            except OSError:
                assert time.monotonic() < ends, self.console()
                time.sleep(0.5)
            else:
                return

    def _write_card(self, system: Path) -> None:
        tree = self._folder / "tree"
        subprocess.run(["cp", "-a", system, tree], check=True)  # noqa: S607 - our own words
        rig = tree / "opt/rig"
        for folder in (CHECKOUT, SHARE):
            (tree / folder[1:]).mkdir(parents=True)
        (rig / "init").write_text(_INIT)
        (rig / "init").chmod(0o755)
        (tree / "etc/hostname").write_text(f"{NAME}\n")
        (tree / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {NAME}\n")
        units = tree / "etc/systemd/system"
        (units / "rig.service").write_text(_UNIT)
        (units / "multi-user.target.wants").mkdir(exist_ok=True)
        (units / "multi-user.target.wants/rig.service").symlink_to("../rig.service")
        with self._card.open("wb") as card:
            card.truncate(_CARD_BYTES)
        subprocess.run(["/sbin/mkfs.ext4", "-q", "-d", tree, self._card], check=True)
        shutil.rmtree(tree)


def lay_cable() -> None:
    """Leave the host's network for one that only this process, its children and the Pi have. Wants root."""
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "only root can have a network of its own")
    for words in (
        ("link", "set", "lo", "up"),
        ("tuntap", "add", "dev", _CABLE, "mode", "tap"),
        ("address", "add", f"{HOST}/24", "dev", _CABLE),
        ("link", "set", _CABLE, "up"),
    ):
        subprocess.run(["ip", *words], check=True)  # noqa: S607 - our own words
