"""A simulated kernel, which is a folder of files: its GPIO chips, and its buses with their controllers."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from hardware.raspberry_pi.kernel_devices import GivenDevices, KernelDevices


class FakeKernel:
    """A kernel without devices. It also reads its own GPIO chips, so it is a `GpioReader`, too.

    Args:
        root: the folder of the machine's files.

    Attributes:
        labels: device file -> the chip's label.
        holders: line of any chip -> who holds it.
        locked: whether the user may open no chip.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.labels: dict[Path, str] = {}
        self.holders: dict[int, str] = {}
        self.locked = False

    def add_chip(self, number: int, label: str) -> Path:
        path = self._file(f"dev/gpiochip{number}")
        self.labels[path] = label
        return path

    def add_bus(self, kind: str, number: int, node: str, *files: str) -> None:
        """Add a bus with its number, its controller's node, and device files such as "spidev10.0"."""
        folder = {"spi": f"sys/class/spi_master/spi{number}", "i2c": f"sys/bus/i2c/devices/i2c-{number}"}[kind]
        (self.root / folder).mkdir(parents=True)
        (self.root / folder / "of_node").symlink_to(f"../../../../firmware/devicetree/base/{node}")
        for name in files:
            self._file(f"dev/{name}")

    def devices(self, given: GivenDevices | None = None) -> KernelDevices:
        return KernelDevices(self.root, given, self)

    def label(self, chip: Path) -> str:
        if self.locked:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(chip))
        return self.labels[chip]

    def consumer(self, chip: Path, line: int) -> str:
        assert chip in self.labels
        return self.holders.get(line, "")

    def _file(self, name: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return path


def kernel_of_2026(root: Path) -> FakeKernel:
    """Return a Pi 5 as kernels from 6.12.96 on see it: no chip has the number 0 or 4."""
    kernel = FakeKernel(root)
    kernel.add_chip(11, "pinctrl-rp1")
    for number, address in enumerate(("107d508500", "107d508520", "107d517c00", "107d517c20"), 12):
        kernel.add_chip(number, f"gpio-brcmstb@{address}")
    return kernel
