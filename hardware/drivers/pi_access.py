"""Give drivers access to the pins, the SPI and the kernel's files of a Raspberry Pi."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, Protocol

from hardware.drivers.spi import KernelSpi, Spi
from hardware.raspberry_pi.kernel_devices import KernelDevices


class OpenSpi(Protocol):
    """Opens the SPI device of a name such as "0.0"; `what` is its name in messages."""

    def __call__(self, device: str, hz: int, mode: int, what: str) -> Spi:
        """Return the device, not opened yet."""


class PiAccess:
    """Pins, SPI and the kernel's files, for one process.

    Args:
        pins: returns the gpiozero factory of the pins; called once, and only if pins are used.
        open_spi: returns an SPI device; by default the kernel's.
        kernel: finds the header's buses; this machine's by default.
    """

    def __init__(
        self, pins: Callable[[], Any], open_spi: OpenSpi | None = None, kernel: KernelDevices | None = None
    ) -> None:
        self._pins = pins
        self.kernel = kernel or KernelDevices()
        self.open_spi: OpenSpi = open_spi or partial(KernelSpi, kernel=self.kernel)

    @cached_property
    def pins(self) -> Any:
        """The gpiozero factory.

        Raises:
            BadDevice: it does not run on this machine.
            NotInstalled: its package is missing.
        """
        return self._pins()
