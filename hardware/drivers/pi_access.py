"""Give drivers the pins, the SPI and the kernel's files of a Raspberry Pi."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from hardware.drivers.spi import KernelSpi, Spi


class OpenSpi(Protocol):
    """Gives the SPI device of a name such as "0.0"; `what` is its name in messages."""

    def __call__(self, device: str, hz: int, mode: int, what: str) -> Spi:
        """Return the device, not opened yet."""


class PiAccess:
    """Pins, SPI and the kernel's files, for one process.

    Args:
        pins: gives the gpiozero factory of the pins; asked once, and only where pins are used.
        open_spi: gives an SPI device.
        root: the folder below which the kernel's files lie.
    """

    def __init__(self, pins: Callable[[], Any], open_spi: OpenSpi = KernelSpi, root: Path = Path("/")) -> None:
        self._pins = pins
        self.open_spi = open_spi
        self.root = root

    @cached_property
    def pins(self) -> Any:
        """Return the gpiozero factory.

        Raises:
            BadDevice: it does not run on this machine.
            NotInstalled: its package is missing.
        """
        return self._pins()
