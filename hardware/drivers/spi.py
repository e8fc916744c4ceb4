"""The Pi's SPI buses through lgpio: whole transfers, and a bus that comes back after a loss."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from hardware.drivers.pins import lgpio_module
from hardware.ports import BadDevice, DeviceLost

BUFFER_FILE = Path("/sys/module/spidev/parameters/bufsiz")
"""Where the kernel says how many bytes a transfer may have."""

BUFFER = 4096
"""What it says unless told otherwise (`bufsiz` in the kernel's drivers/spi/spidev.c)."""

LGPIO_LIMIT = 65536
"""Most bytes of a transfer in lgpio (`LG_MAX_SPI_DEVICE_COUNT` in lgpio.h)."""


class Spi(Protocol):
    """One device on an SPI bus, as its driver sees it. Bytes go most significant bit first."""

    def transfer(self, data: bytes) -> bytes:
        """Sends bytes and gives as many that came back meanwhile, in one transfer.

        Raises:
            BadDevice: the transfer is too long for the bus.
            DeviceLost: the bus cannot be reached now.
        """

    def write(self, data: bytes) -> None:
        """Sends bytes in one transfer.

        Raises:
            BadDevice: the transfer is too long for the bus.
            DeviceLost: the bus cannot be reached now.
        """

    def close(self) -> None:
        """Lets go of the bus. May be called twice."""


class LgpioSpi:
    """A device on the Pi's own SPI, through lgpio and the kernel's spidev. Implements `Spi`.

    Opened at the first transfer and, after a failure, at the next. lgpio hands a transfer to the kernel as one
    message, and so does this class or not at all: in two pieces, lamps would take the pause for the end of a frame,
    and a chain of chips has no pauses either.

    Args:
        device: "0.0" for /dev/spidev0.0 (bus, chip select).
        hz: bits a second.
        mode: SPI mode, 0 to 3 (lgpio: 2 is the clock's polarity, 1 its phase).
        what: the device's word for messages ("switches", "lamps").

    Raises:
        BadDevice: a value out of its range.
        NotInstalled: lgpio is not here.
    """

    def __init__(self, device: str, hz: int, mode: int, what: str) -> None:
        if not re.fullmatch(r"\d+\.\d+", device):
            raise BadDevice(f'{what}: SPI device "{device}"; it is written "bus.select", such as "0.0"')
        if hz < 1:
            raise BadDevice(f"{what}: {hz} bits a second on SPI; it must be at least 1")
        if mode not in range(4):
            raise BadDevice(f"{what}: there is no SPI mode {mode}; modes are 0 to 3")
        self._bus, self._select = map(int, device.split("."))
        self._path = Path(f"/dev/spidev{self._bus}.{self._select}")
        self._hz = hz
        self._mode = mode
        self._what = what
        self._lgpio = lgpio_module()
        self._handle: int | None = None
        self._longest = 0

    def transfer(self, data: bytes) -> bytes:
        """Sends bytes and gives as many that came back meanwhile, in one transfer.

        Raises:
            BadDevice: the transfer is longer than the kernel's buffer.
            DeviceLost: the bus cannot be reached now.
        """
        handle = self._opened(len(data))
        try:
            _, answer = self._lgpio.spi_xfer(handle, data)
        except self._lgpio.error as error:
            raise self._lost(error) from error
        return bytes(answer)

    def write(self, data: bytes) -> None:
        """Sends bytes in one transfer.

        Raises:
            BadDevice: the transfer is longer than the kernel's buffer.
            DeviceLost: the bus cannot be reached now.
        """
        handle = self._opened(len(data))
        try:
            self._lgpio.spi_write(handle, data)
        except self._lgpio.error as error:
            raise self._lost(error) from error

    def close(self) -> None:
        """Lets go of the bus. May be called twice."""
        handle, self._handle = self._handle, None
        if handle is not None:
            with suppress(self._lgpio.error):
                self._lgpio.spi_close(handle)

    def _opened(self, size: int) -> int:
        """The handle that lgpio has for the bus, fit for a transfer of `size` bytes."""
        if self._handle is None:
            try:
                self._handle = int(self._lgpio.spi_open(self._bus, self._select, self._hz, self._mode))
            except self._lgpio.error as error:
                raise self._lost(error) from error
            self._longest = min(_buffer(), LGPIO_LIMIT)
        if size > self._longest:
            raise BadDevice(
                f"{self._what}: a transfer of {size} bytes on {self._path}, which takes {self._longest} at once; "
                + (
                    f"add spidev.bufsiz={_round_up(size)} to the line in /boot/firmware/cmdline.txt and restart the Pi"
                    if size <= LGPIO_LIMIT
                    else f"lgpio takes no more than {LGPIO_LIMIT}"
                )
            )
        return self._handle

    def _lost(self, error: Exception) -> DeviceLost:
        self.close()
        if self._path.exists():
            advice = "see that the user is in the group spi"
        else:
            setting = "dtparam=spi=on" if self._bus == 0 else f"dtoverlay=spi{self._bus}-1cs"
            advice = f"there is no such device: switch SPI on with raspi-config, or {setting} in config.txt"
        return DeviceLost(f"{self._what}: {self._path} does not answer ({error}); {advice}")


def _buffer() -> int:
    """Bytes the kernel takes in one transfer."""
    try:
        return int(BUFFER_FILE.read_text())
    except OSError:
        return BUFFER


def _round_up(size: int) -> int:
    """The next power of two, as buffers are usually given."""
    return 1 << (size - 1).bit_length()
