"""A simulated Raspberry Pi, which is a folder of files for the doctor to examine."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from hardware.raspberry_pi.host_facts import HostFacts, PythonBuild, User
from hardware.raspberry_pi.machine_checks import examine
from hardware.raspberry_pi.pin_conflicts import I2cUse, PinUse, SpiUse
from hardware.raspberry_pi.requirements import Finding, Requirements
from tests.hardware.fake_kernel import FakeKernel

PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
ME = os.geteuid() or 4711
"""The id of a user who is never root, so that the modes of folders matter."""

GROUPS = {"gpio": 60001, "spi": 60002, "i2c": 60003, "dialout": 60004}

CONFIG = """\
# For more options see http://rptl.io/configtxt
dtparam=audio=off
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
dtparam=spi=on

[pi4]
core_freq=500
core_freq_min=500

[all]
dtoverlay=spi6-1cs
"""

PACKAGES = ["gpiozero", "RPi.GPIO", "lgpio", "luma.oled", "smbus2", "pyserial"]

MOUNTS = """\
/dev/mmcblk0p2 / ext4 rw,noatime 0 0
tmpfs /run tmpfs rw,nosuid 0 0
"""

PLAN = Requirements(
    journal=PurePosixPath("/var/lib/yardboard"),
    model="4",
    pin_factory="rpigpio",
    claims=(
        SpiUse("0.0", "[switches] spi", wants=("sclk", "miso"), mode=1, alone=True),
        PinUse(25, "[switches] load_pin"),
        SpiUse("6.0", "[lamps] spi", wants=("mosi",), alone=True, steady=True),
        I2cUse(1, "[handset] i2c_bus", 0x3C),
    ),
    transfers={"0.0": 26, "6.0": 2676},
    serial={"/dev/serial/by-id/usb-yardboard": "switches"},
    packages=("pyserial",),
    lamps=223,
    max_milliamps=3000,
    panels=("ssd1306",),
)


class FakePi:
    """A Raspberry Pi 4 on which everything is as `PLAN` requires, until a test changes something.

    Args:
        root: an empty folder for its files.

    Attributes:
        kernel: its GPIO chips and buses.
        python: the Python that runs the program.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.packages = list(PACKAGES)
        self.python = PythonBuild((3, 11), 64)
        self.user = User("ada", ME, dict(GROUPS))
        self.write("/proc/device-tree/model", PI_4 + "\0")
        self.write("/proc/mounts", MOUNTS)
        self.write("/proc/modules", "spidev 20480 0 - Live 0x0\n")
        self.write("/boot/firmware/config.txt", CONFIG)
        self.kernel = FakeKernel(root)
        self.kernel.add_chip(0, "pinctrl-bcm2711")
        for device in ("gpiomem", "spidev0.0", "spidev6.0", "i2c-1", "serial/by-id/usb-yardboard"):
            self.write(f"/dev/{device}")
        journal = root / "var/lib/yardboard"
        journal.mkdir(parents=True)
        journal.chmod(0o700)
        if os.geteuid() == 0:
            os.chown(journal, ME, -1)

    def write(self, path: str, text: str = "") -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def remove(self, path: str) -> None:
        (self.root / path.lstrip("/")).unlink()

    def configure(self, old: str, new: str) -> None:
        assert old in CONFIG
        self.write("/boot/firmware/config.txt", CONFIG.replace(old, new))

    def examine(self, plan: Requirements = PLAN) -> list[Finding]:
        return examine(plan, machine=HostFacts(self.root, self.user, self.packages, self.kernel, self.python))

    def complaints(self, plan: Requirements = PLAN) -> list[Finding]:
        return [finding for finding in self.examine(plan) if finding.level != "ok"]

    def complaint(self, plan: Requirements = PLAN) -> Finding:
        """Return the only finding that is not ok."""
        (finding,) = self.complaints(plan)
        return finding
