"""SPI through the kernel's spidev, played by a double of its side of open, ioctl and close."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from hardware.drivers import spi as driver
from hardware.drivers.spi import KernelSpi
from hardware.ports import BadDevice, DeviceLost
from hardware.raspberry_pi.kernel_devices import KernelDevices
from tests.hardware.fake_kernel import FakeKernel


class Transfer(ctypes.Structure):
    """`struct spi_ioc_transfer`, as linux/spi/spidev.h has it."""

    _fields_ = (
        ("tx_buf", ctypes.c_uint64),
        ("rx_buf", ctypes.c_uint64),
        ("len", ctypes.c_uint32),
        ("speed_hz", ctypes.c_uint32),
        ("delay_usecs", ctypes.c_uint16),
        ("bits_per_word", ctypes.c_uint8),
        ("cs_change", ctypes.c_uint8),
        ("tx_nbits", ctypes.c_uint8),
        ("rx_nbits", ctypes.c_uint8),
        ("word_delay_usecs", ctypes.c_uint8),
        ("pad", ctypes.c_uint8),
    )


def writes(number: int, size: int) -> int:
    """The code of an ioctl that hands spidev so many bytes: `_IOW('k', number, size)` of asm-generic/ioctl.h."""
    return 1 << 30 | size << 16 | ord("k") << 8 | number


SETTINGS = {writes(1, 1): ("mode", "=B"), writes(3, 1): ("bits", "=B"), writes(4, 4): ("hz", "=I")}


class Kernel:
    """Spidev: notes what is asked, and answers each byte with its complement.

    Attributes:
        there: whether the device is.
        fails: an error that ioctls end in, or 0.
        calls: what has been asked.
        open_files: those that are open, each with its settings.
    """

    O_RDWR, O_CLOEXEC = os.O_RDWR, os.O_CLOEXEC

    def __init__(self) -> None:
        self.there = True
        self.fails = 0
        self.calls: list[tuple[Any, ...]] = []
        self.open_files: dict[int, dict[str, int]] = {}

    def open(self, path: Path, flags: int) -> int:
        self.calls.append(("open", str(path)))
        assert flags == os.O_RDWR | os.O_CLOEXEC
        if not self.there:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        file = len(self.calls)
        self.open_files[file] = {}
        return file

    def close(self, file: int) -> None:
        self.calls.append(("close", file))
        del self.open_files[file]

    def ioctl(self, file: int, code: int, given: bytes) -> int:
        settings = self.open_files[file]
        # Of what else it takes, fcntl.ioctl copies a long buffer nowhere and holds on to Python's lock.
        assert type(given) is bytes
        if self.fails:
            raise OSError(self.fails, os.strerror(self.fails))
        if code in SETTINGS:
            name, layout = SETTINGS[code]
            (settings[name],) = struct.unpack(layout, given)
            return 0
        assert code == writes(0, ctypes.sizeof(Transfer))
        return self._carry(Transfer.from_buffer_copy(given), settings)

    def _carry(self, transfer: Transfer, settings: dict[str, int]) -> int:
        assert (transfer.speed_hz, transfer.bits_per_word, settings["bits"]) == (settings["hz"], 8, 8)
        assert transfer.cs_change == transfer.delay_usecs == transfer.tx_nbits == transfer.rx_nbits == transfer.pad == 0
        sent = ctypes.string_at(transfer.tx_buf, transfer.len)
        if transfer.rx_buf:
            ctypes.memmove(transfer.rx_buf, bytes(byte ^ 0xFF for byte in sent), transfer.len)
        self.calls.append(("transfer" if transfer.rx_buf else "write", sent))
        return int(transfer.len)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr(driver, "os", kernel)
    monkeypatch.setattr(driver, "fcntl", kernel)
    monkeypatch.setattr(driver, "BUFFER_FILE", tmp_path / "bufsiz")
    return kernel


def buffer_of(size: int) -> None:
    driver.BUFFER_FILE.write_text(f"{size}\n")


def test_bytes_go_out_and_come_back_in_one_transfer(kernel: Kernel) -> None:
    spi = KernelSpi("1.2", 2_000_000, 2, "switches")
    assert kernel.calls == []
    answer = spi.transfer(b"\x00\x0f\xff")
    assert answer == b"\xff\xf0\x00"
    assert type(answer) is bytes
    spi.write(b"abc")
    assert kernel.calls == [("open", "/dev/spidev1.2"), ("transfer", b"\x00\x0f\xff"), ("write", b"abc")]
    assert kernel.open_files == {1: {"mode": 2, "bits": 8, "hz": 2_000_000}}
    spi.close()
    spi.close()
    assert kernel.calls[-1] == ("close", 1)
    assert not kernel.open_files


ASK = pytest.mark.parametrize("ask", [KernelSpi.transfer, KernelSpi.write])


@ASK
def test_a_bus_that_is_not_there_is_lost_until_it_is(ask: Any, kernel: Kernel) -> None:
    spi = KernelSpi("250.0", 1_000_000, 1, "lamps")
    kernel.there = False
    for _ in range(2):
        with pytest.raises(
            DeviceLost,
            match=r"^lamps: /dev/spidev250\.0 does not answer \(No such file or directory\); "
            r".*raspi-config, or dtoverlay=spi250-1cs",
        ):
            ask(spi, b"a")
    kernel.there = True
    ask(spi, b"a")
    assert [call[0] for call in kernel.calls[:3]] == ["open"] * 3


def test_the_first_bus_is_switched_on_by_its_own_setting(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kernel.there = False
    devices = KernelDevices()
    monkeypatch.setattr(devices, "spi_device", lambda device: tmp_path / f"spidev{device}")
    spi = KernelSpi("0.9", 1_000_000, 1, "lamps", devices)
    with pytest.raises(DeviceLost, match=r"raspi-config, or dtparam=spi=on in config\.txt"):
        spi.write(b"a")
    (tmp_path / "spidev0.9").touch()
    with pytest.raises(DeviceLost, match="see that the user is in the group spi"):
        spi.write(b"a")


def test_the_header_s_bus_is_opened_whatever_the_kernel_calls_it(kernel: Kernel, tmp_path: Path) -> None:
    machine = FakeKernel(tmp_path)
    machine.add_bus("spi", 0, "soc@107c000000/spi@7d004000")
    spi = KernelSpi("0.1", 1_000_000, 1, "lamps", machine.devices())
    said = r"^lamps: /dev/spidev0\.1 is another bus, the header's SPI0 is off; switch SPI on with .*, or dtparam=spi=on"
    with pytest.raises(DeviceLost, match=said):
        spi.write(b"a")
    assert kernel.calls == []
    machine.add_bus("spi", 1, "axi/pcie@1/rp1_nexus/spi@40050000")
    spi.write(b"a")
    assert kernel.calls == [("open", "/dev/spidev1.1"), ("write", b"a")]


@ASK
def test_a_bus_that_fails_is_closed_and_opened_anew(ask: Any, kernel: Kernel) -> None:
    spi = KernelSpi("0.0", 1_000_000, 1, "lamps")
    ask(spi, b"a")
    kernel.fails = errno.EIO
    for _ in range(2):  # at the transfer, then while it is set up
        with pytest.raises(DeviceLost, match=r"/dev/spidev0\.0 does not answer \(Input/output error\)"):
            ask(spi, b"b")
        assert not kernel.open_files
    kernel.fails = 0
    ask(spi, b"c")
    assert [call[0] for call in kernel.calls].count("open") == 3


@ASK
@pytest.mark.parametrize("buffer", [None, 4096, 1000])
def test_a_transfer_longer_than_the_kernel_s_buffer_is_refused_whole(
    ask: Any, buffer: int | None, kernel: Kernel
) -> None:
    if buffer:
        buffer_of(buffer)
    limit = buffer or 4096
    spi = KernelSpi("0.0", 1_000_000, 1, "lamps")
    ask(spi, bytes(limit))
    before = list(kernel.calls)
    with pytest.raises(
        BadDevice,
        match=rf"lamps: a transfer of {limit + 1} bytes on /dev/spidev0\.0, which takes {limit} at once; "
        rf"add spidev\.bufsiz={1024 if buffer == 1000 else 8192} to .*cmdline\.txt",
    ):
        ask(spi, bytes(limit + 1))
    assert kernel.calls == before
    ask(spi, b"a")


@pytest.mark.usefixtures("kernel")
def test_the_recommended_buffer_always_takes_the_transfer() -> None:
    buffer_of(1)
    for size in (2, 3, 4097, 5480, 8192, 65536):
        with pytest.raises(BadDevice, match="bufsiz=") as complaint:
            KernelSpi("0.0", 1_000_000, 1, "lamps").write(bytes(size))
        told = int(str(complaint.value).split("bufsiz=")[1].split()[0])
        assert size <= told < 2 * size


def test_the_kernel_itself_is_asked_where_nothing_is_replaced() -> None:
    with pytest.raises(DeviceLost, match=r"/dev/spidev250\.0 does not answer"):
        KernelSpi("250.0", 1_000_000, 1, "switches").transfer(b"a")
