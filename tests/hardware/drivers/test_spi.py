"""SPI through the real lgpio, with the kernel's side of it played by a double of its C half."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware.drivers import spi as driver
from hardware.drivers.pins import lgpio_module
from hardware.drivers.spi import LgpioSpi
from hardware.ports import BadDevice, DeviceLost, NotInstalled

OPEN_FAILED, TRANSFER_FAILED = -28, -48
"""LG_SPI_OPEN_FAILED and LG_SPI_XFER_FAILED in lgpio.h."""


class Kernel:
    """lgpio's C half, as far as SPI goes: notes what is asked, and answers each byte with its complement."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.fails = 0
        self.calls: list[tuple[Any, ...]] = []
        self.open: set[int] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _spi_open(self, bus: int, select: int, hz: int, mode: int) -> int:
        self.calls.append(("open", bus, select, hz, mode))
        if self.fails:
            return self.fails & 0xFFFFFFFF
        handle = len(self.calls)
        self.open.add(handle)
        return handle

    def _spi_close(self, handle: int) -> int:
        self.calls.append(("close", handle))
        self.open.remove(handle)
        return 0

    def _spi_xfer(self, handle: int, data: bytes) -> list[Any]:
        assert handle in self.open
        self.calls.append(("transfer", bytes(data)))
        if self.fails:
            return [self.fails & 0xFFFFFFFF, b""]
        return [len(data), bytearray(byte ^ 0xFF for byte in data)]

    def _spi_write(self, handle: int, data: bytes) -> int:
        assert handle in self.open
        self.calls.append(("write", bytes(data)))
        return self.fails & 0xFFFFFFFF or len(data)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kernel:
    try:
        lgpio = lgpio_module()
    except NotInstalled:
        pytest.skip("lgpio has no wheel for this Python")
    kernel = Kernel(lgpio._lgpio)
    monkeypatch.setattr(lgpio, "_lgpio", kernel)
    monkeypatch.setattr(driver, "BUFFER_FILE", tmp_path / "bufsiz")
    return kernel


def buffer_of(size: int) -> None:
    driver.BUFFER_FILE.write_text(f"{size}\n")


def test_bytes_go_out_and_come_back_in_one_transfer(kernel: Kernel) -> None:
    spi = LgpioSpi("1.2", 2_000_000, 2, "switches")
    assert kernel.calls == []
    answer = spi.transfer(b"\x00\x0f\xff")
    assert answer == b"\xff\xf0\x00"
    assert type(answer) is bytes
    spi.write(b"abc")
    assert kernel.calls == [("open", 1, 2, 2_000_000, 2), ("transfer", b"\x00\x0f\xff"), ("write", b"abc")]
    spi.close()
    spi.close()
    assert kernel.calls[-1] == ("close", 1)
    assert not kernel.open


@pytest.mark.parametrize("ask", [LgpioSpi.transfer, LgpioSpi.write])
def test_a_bus_that_is_not_there_is_lost_until_it_is(ask: Any, kernel: Kernel) -> None:
    spi = LgpioSpi("250.0", 1_000_000, 1, "lamps")
    kernel.fails = OPEN_FAILED
    for _ in range(2):
        with pytest.raises(
            DeviceLost,
            match=r"^lamps: /dev/spidev250\.0 does not answer \('can not open SPI device'\); "
            r".*raspi-config, or dtoverlay=spi250-1cs",
        ):
            ask(spi, b"a")
    kernel.fails = 0
    ask(spi, b"a")
    assert [call[0] for call in kernel.calls[:3]] == ["open"] * 3


def test_the_first_bus_is_switched_on_by_its_own_setting(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kernel.fails = OPEN_FAILED
    spi = LgpioSpi("0.9", 1_000_000, 1, "lamps")
    monkeypatch.setattr(spi, "_path", tmp_path / "spidev0.9")
    with pytest.raises(DeviceLost, match=r"raspi-config, or dtparam=spi=on in config\.txt"):
        spi.write(b"a")
    (tmp_path / "spidev0.9").touch()
    with pytest.raises(DeviceLost, match="see that the user is in the group spi"):
        spi.write(b"a")


@pytest.mark.parametrize("ask", [LgpioSpi.transfer, LgpioSpi.write])
def test_a_bus_that_fails_is_closed_and_opened_anew(ask: Any, kernel: Kernel) -> None:
    spi = LgpioSpi("0.0", 1_000_000, 1, "lamps")
    ask(spi, b"a")
    kernel.fails = TRANSFER_FAILED
    with pytest.raises(DeviceLost, match=r"/dev/spidev0\.0 does not answer"):
        ask(spi, b"b")
    assert not kernel.open
    kernel.fails = 0
    ask(spi, b"c")
    assert [call[0] for call in kernel.calls].count("open") == 2


@pytest.mark.parametrize("ask", [LgpioSpi.transfer, LgpioSpi.write])
@pytest.mark.parametrize("buffer", [None, 4096, 1000])
def test_a_transfer_longer_than_the_kernel_s_buffer_is_refused_whole(
    ask: Any, buffer: int | None, kernel: Kernel
) -> None:
    if buffer:
        buffer_of(buffer)
    limit = buffer or 4096
    spi = LgpioSpi("0.0", 1_000_000, 1, "lamps")
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
def test_lgpio_s_own_limit_holds_where_the_buffer_is_larger() -> None:
    buffer_of(1 << 20)
    spi = LgpioSpi("0.0", 1_000_000, 1, "lamps")
    spi.write(bytes(65536))
    with pytest.raises(BadDevice, match=r"65537 bytes.*lgpio takes no more than 65536"):
        spi.write(bytes(65537))


@pytest.mark.usefixtures("kernel")
def test_the_recommended_buffer_always_takes_the_transfer() -> None:
    buffer_of(1)
    for size in (2, 3, 4097, 5480, 8192, 65536):
        with pytest.raises(BadDevice, match="bufsiz=") as complaint:
            LgpioSpi("0.0", 1_000_000, 1, "lamps").write(bytes(size))
        told = int(str(complaint.value).split("bufsiz=")[1].split()[0])
        assert size <= told < 2 * size


@pytest.mark.parametrize(
    ("device", "hz", "mode", "said"),
    [
        ("0", 1, 1, 'SPI device "0"; it is written "bus.select"'),
        ("/dev/spidev0.0", 1, 1, "SPI device"),
        ("0.0\n", 1, 1, "SPI device"),
        ("0.0", 0, 1, "0 bits a second"),
        ("0.0", 1, 4, "no SPI mode 4"),
        ("0.0", 1, -1, "no SPI mode -1"),
    ],
)
def test_impossible_values_are_refused(device: str, hz: int, mode: int, said: str) -> None:
    with pytest.raises(BadDevice, match=f"^lamps: .*{said}"):
        LgpioSpi(device, hz, mode, "lamps")


def test_the_kernel_itself_is_asked_where_nothing_is_replaced() -> None:
    try:
        lgpio_module()
    except NotInstalled:
        pytest.skip("lgpio has no wheel for this Python")
    with pytest.raises(DeviceLost, match=r"/dev/spidev250\.0 does not answer"):
        LgpioSpi("250.0", 1_000_000, 1, "switches").transfer(b"a")
