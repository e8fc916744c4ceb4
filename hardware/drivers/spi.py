"""Use the Pi's SPI buses by spidev, in whole transfers, and open them again after a loss."""

from __future__ import annotations

import fcntl
import os
import re
import struct
from contextlib import suppress
from ctypes import addressof, create_string_buffer
from pathlib import Path
from typing import Protocol

from hardware.ports import BadDevice, DeviceLost
from hardware.raspberry_pi.kernel_devices import KernelDevices

BUFFER_FILE = Path("/sys/module/spidev/parameters/bufsiz")
"""The file with the kernel's limit of bytes per transfer."""

BUFFER = 4096
"""The default limit (`bufsiz` in the kernel's drivers/spi/spidev.c)."""

# SPI_IOC_WR_MODE, SPI_IOC_WR_BITS_PER_WORD, SPI_IOC_WR_MAX_SPEED_HZ and SPI_IOC_MESSAGE(1) of linux/spi/spidev.h
_WRITE_MODE = 0x40016B01
_WRITE_BITS = 0x40016B03
_WRITE_HZ = 0x40046B04
_MESSAGE = 0x40206B00

_TRANSFER = struct.Struct("=QQIIHBBBBBx")
"""The kernel's `struct spi_ioc_transfer`.

Addresses of the sent bytes and of the answer (0 for none), length, bits a second, µs to wait afterwards, bits a word,
whether to release the chip select, wires to send and to receive on, µs after a word.
"""

_MOST_HZ = (1 << 32) - 1


class Spi(Protocol):
    """The interface of one device on an SPI bus. The most significant bit of a byte is sent first."""

    def transfer(self, data: bytes) -> bytes:
        """Send bytes in one transfer, and return as many received bytes.

        Raises:
            BadDevice: the transfer is too long for the bus.
            DeviceLost: the bus cannot be reached now.
        """

    def write(self, data: bytes) -> None:
        """Send bytes in one transfer. Raises the same as `transfer`."""

    def close(self) -> None:
        """Release the bus. This may be called twice."""


class KernelSpi:
    """A device on the Pi's SPI, by the kernel's spidev. Implements `Spi`.

    The device is opened at the first transfer and, after a failure, at the next. The kernel gets a transfer as one
    message or not at all. Lamps would take a pause between two pieces for the end of a frame, and a chain of chips
    allows no pauses either. A transfer waits for the bus, but other threads continue meanwhile.

    Args:
        device: "0.0" for chip select 0 of the header's SPI0; most kernels call it /dev/spidev0.0.
        hz: bits a second.
        mode: SPI mode, 0 to 3 (spidev: 2 is the clock's polarity, 1 its phase).
        what: the device's name in messages ("switches", "lamps").
        kernel: finds the device's file, again at each opening; this machine's by default.

    Raises:
        BadDevice: a value out of its range.
    """

    def __init__(self, device: str, hz: int, mode: int, what: str, kernel: KernelDevices | None = None) -> None:
        if not re.fullmatch(r"\d+\.\d+", device):
            raise BadDevice(f'{what}: SPI device "{device}"; it is written "bus.select", such as "0.0"')
        if not 1 <= hz <= _MOST_HZ:
            raise BadDevice(f"{what}: {hz} bits a second on SPI; it must be 1 to {_MOST_HZ}")
        if mode not in range(4):
            raise BadDevice(f"{what}: there is no SPI mode {mode}; modes are 0 to 3")
        self._device = device
        self._kernel = kernel or KernelDevices()
        self._path = Path(f"/dev/spidev{device}")
        self._hz = hz
        self._mode = mode
        self._what = what
        self._file: int | None = None
        self._longest = 0

    def transfer(self, data: bytes) -> bytes:
        """Send and receive bytes in one transfer. See `Spi.transfer`."""
        return self._exchange(data, with_answer=True)

    def write(self, data: bytes) -> None:
        """Send bytes in one transfer. See `Spi.write`."""
        self._exchange(data, with_answer=False)

    def close(self) -> None:
        """Release the bus. This may be called twice."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                os.close(file)

    def _exchange(self, data: bytes, *, with_answer: bool) -> bytes:
        """Send bytes. If an answer is wanted, the kernel overwrites them with it."""
        if self._file is None:
            self._path = self._find()
        try:
            file = self._open(len(data))
            buffer = create_string_buffer(data, len(data))
            place = addressof(buffer)
            message = _TRANSFER.pack(place, place if with_answer else 0, len(data), self._hz, 0, 8, 0, 0, 0, 0)
            # For bytes, fcntl.ioctl releases Python's lock while the kernel sends, which may take milliseconds. lgpio's
            # spi_write does not, and the contacts would not be read meanwhile; hence no lgpio here.
            fcntl.ioctl(file, _MESSAGE, message)
        except OSError as error:
            raise self._lost(error) from error
        return buffer.raw

    def _find(self) -> Path:
        """Return the path of the device file, under the number that the kernel now gives its bus."""
        path = self._kernel.spi_device(self._device)
        if path is None:
            raise DeviceLost(
                f"{self._what}: /dev/spidev{self._device} is another bus, the header's SPI{self._bus} is off; "
                f"switch SPI on with raspi-config, or {self._setting} in config.txt"
            )
        return path

    def _open(self, size: int) -> int:
        """Open and set up the device for transfers of `size` bytes, and return it."""
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
            fcntl.ioctl(self._file, _WRITE_MODE, struct.pack("=B", self._mode))
            fcntl.ioctl(self._file, _WRITE_BITS, struct.pack("=B", 8))
            fcntl.ioctl(self._file, _WRITE_HZ, struct.pack("=I", self._hz))
            self._longest = _buffer_size()
        if size > self._longest:
            raise BadDevice(
                f"{self._what}: a transfer of {size} bytes on {self._path}, which takes {self._longest} at once; "
                f"add spidev.bufsiz={1 << (size - 1).bit_length()} to the line in /boot/firmware/cmdline.txt and "
                "restart the Pi"
            )
        return self._file

    def _lost(self, error: OSError) -> DeviceLost:
        self.close()
        if self._path.exists():
            advice = "see that the user is in the group spi"
        else:
            setting = self._setting
            advice = f"there is no such device: switch SPI on with raspi-config, or {setting} in config.txt"
        return DeviceLost(f"{self._what}: {self._path} does not answer ({error.strerror or error}); {advice}")

    @property
    def _bus(self) -> int:
        return int(self._device.partition(".")[0])

    @property
    def _setting(self) -> str:
        return "dtparam=spi=on" if self._bus == 0 else f"dtoverlay=spi{self._bus}-1cs"


def _buffer_size() -> int:
    """Return how many bytes the kernel allows in a transfer."""
    try:
        return int(BUFFER_FILE.read_text())
    except OSError:
        return BUFFER
