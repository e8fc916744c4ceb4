"""The header's chip and buses are found by what they are, whatever numbers the kernel gave them."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
from pathlib import Path

import pytest

from hardware.ports import BadDevice
from hardware.raspberry_pi.kernel_devices import GivenDevices, KernelGpio
from tests.hardware.fake_kernel import FakeKernel, kernel_of_2026


@pytest.fixture
def kernel(tmp_path: Path) -> FakeKernel:
    return FakeKernel(tmp_path)


# The chip


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        ({0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, 4),
        ({0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0),
        ({11: "pinctrl-rp1", 12: "gpio-brcmstb@107d508500"}, 11),
        ({0: "ftdi-cbus", 1: "pinctrl-bcm2711"}, 1),
    ],
)
def test_the_header_s_chip_is_found_by_its_label(kernel: FakeKernel, chips: dict[int, str], number: int) -> None:
    for one, label in chips.items():
        kernel.add_chip(one, label)
    assert kernel.devices().header_chip().number == number


def test_a_link_to_a_chip_is_not_a_second_one(kernel: FakeKernel) -> None:
    kernel.add_chip(0, "pinctrl-rp1")
    (kernel.root / "dev/gpiochip4").symlink_to("gpiochip0")
    assert str(kernel.devices().header_chip()) == "/dev/gpiochip0 (pinctrl-rp1)"


@pytest.mark.parametrize("given", ["pinctrl-new", "/dev/gpiochip3", "/dev/header"])
def test_the_configuration_may_name_the_chip_by_label_or_file(kernel: FakeKernel, given: str) -> None:
    kernel.add_chip(0, "pinctrl-rp1")
    kernel.add_chip(3, "pinctrl-new")
    (kernel.root / "dev/header").symlink_to("gpiochip3")
    assert kernel.devices(GivenDevices(given)).header_chip().number == 3


def test_a_chip_that_is_not_known_is_refused_with_what_is_there(kernel: FakeKernel) -> None:
    kernel.add_chip(2, "pinctrl-new")
    with pytest.raises(BadDevice) as refused:
        kernel.devices().header_chip()
    assert str(refused.value) == (
        "pins: no chip has the header's label (pinctrl-rp1 or pinctrl-bcm2711 or pinctrl-bcm2835): there are "
        '/dev/gpiochip2 (pinctrl-new); write the right one in [pi], such as gpio_chip = "/dev/gpiochip0"'
    )
    with pytest.raises(BadDevice, match=r'no chip has the header.s label \(\[pi\] gpio_chip = "pinctrl-old"\)'):
        kernel.devices(GivenDevices("pinctrl-old")).header_chip()
    with pytest.raises(BadDevice, match=r'gpio_chip = "/dev/spidev0.0" is not a GPIO chip'):
        kernel.devices(GivenDevices("/dev/spidev0.0")).header_chip()


def test_without_any_chip_or_leave_to_open_it_the_message_says_which(kernel: FakeKernel) -> None:
    with pytest.raises(BadDevice, match=r"^pins: there is no /dev/gpiochip\*; run: sudo apt full-upgrade"):
        kernel.devices().header_chip()
    kernel.add_chip(11, "pinctrl-rp1")
    kernel.locked = True
    with pytest.raises(BadDevice, match=r"/dev/gpiochip11 cannot be opened: Permission denied; .* group gpio"):
        kernel.devices().header_chip()


def test_the_holders_of_lines_are_those_of_the_header_s_chip(tmp_path: Path) -> None:
    kernel = kernel_of_2026(tmp_path)
    kernel.holders = {12: "gpio-fan", 17: "lg"}
    assert kernel.devices().consumers([4, 12, 17]) == {12: "gpio-fan", 17: "lg"}


# The buses


PI_4_I2C = {
    0: "i2c0mux/i2c@0",
    1: "soc/i2c@7e804000",
    10: "i2c0mux/i2c@1",
    20: "soc/i2c@7ef04500",
    22: "soc/i2c@7e205000",
}
PI_5_I2C = {13: "soc@107c000000/i2c@7d508200", 1: "axi/pcie@1000120000/rp1/i2c@74000", 0: "axi/pcie@1/rp1/i2c@70000"}
MAINLINE = {0: "soc@107c000000/i2c@7d508200", 1: "soc@107c000000/i2c@7d508280", 2: "axi/pcie@1/rp1_nexus/i2c@40074000"}


@pytest.mark.parametrize(
    ("nodes", "bus", "number"),
    [
        (PI_4_I2C, 0, 0),
        (PI_4_I2C, 1, 1),
        ({0: "soc/i2c@7e205000", 7: "soc/i2c@7e804000"}, 0, 0),
        ({0: "soc/i2c@7e205000", 7: "soc/i2c@7e804000"}, 1, 7),
        (PI_5_I2C, 1, 1),
        (MAINLINE, 1, 2),
        (MAINLINE, 0, None),  # /dev/i2c-0 is a monitor's
        ({3: "i2c@0"}, 3, 3),  # of plain pins, by dtoverlay=i2c-gpio,bus=3
        ({}, 1, 1),
    ],
)
def test_an_i2c_bus_is_found_by_its_controller(
    kernel: FakeKernel, nodes: dict[int, str], bus: int, number: int | None
) -> None:
    for one, node in nodes.items():
        kernel.add_bus("i2c", one, node)
    assert kernel.devices().bus_number("i2c", bus) == number


@pytest.mark.parametrize(
    ("nodes", "device", "file"),
    [
        ({0: "soc/spi@7e204000", 6: "soc/spi@7e204c00"}, "6.1", "/dev/spidev6.1"),
        ({10: "soc@107c000000/spi@7d004000", 0: "axi/pcie@1/rp1/spi@50000"}, "0.0", "/dev/spidev0.0"),
        ({0: "soc@107c000000/spi@7d004000", 1: "axi/pcie@1/rp1_nexus/spi@40050000"}, "0.1", "/dev/spidev1.1"),
        ({0: "soc@107c000000/spi@7d004000"}, "0.0", None),
        ({}, "0.0", "/dev/spidev0.0"),
    ],
)
def test_an_spi_device_is_found_by_its_controller(
    kernel: FakeKernel, nodes: dict[int, str], device: str, file: str | None
) -> None:
    for one, node in nodes.items():
        kernel.add_bus("spi", one, node)
    assert kernel.devices().spi_device(device) == (None if file is None else Path(file))


def test_the_configuration_may_say_the_kernel_s_numbers(kernel: FakeKernel) -> None:
    kernel.add_bus("spi", 0, "soc/spi@7e204000")
    given = GivenDevices(spi={0: 10}, i2c={1: 13})
    assert kernel.devices(given).spi_device("0.1") == Path("/dev/spidev10.1")
    assert kernel.devices(given).bus_number("i2c", 1) == 13
    assert kernel.devices(given).bus_number("i2c", 0) == 0


# The kernel's own interface


class ChipInfo(ctypes.Structure):
    """`struct gpiochip_info`, as linux/gpio.h has it."""

    _fields_ = (("name", ctypes.c_char * 32), ("label", ctypes.c_char * 32), ("lines", ctypes.c_uint32))


class LineInfo(ctypes.Structure):
    """`struct gpio_v2_line_info`, as linux/gpio.h has it."""

    _fields_ = (
        ("name", ctypes.c_char * 32),
        ("consumer", ctypes.c_char * 32),
        ("offset", ctypes.c_uint32),
        ("num_attrs", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("attrs", ctypes.c_uint64 * 20),
        ("padding", ctypes.c_uint32 * 4),
    )


def test_a_chip_is_asked_as_linux_gpio_h_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    used = {7: b"spi0 CS1", 9: b""}

    def ioctl(_: int, code: int, question: bytes) -> bytes:
        assert (code >> 16) & 0x3FFF == len(question)
        assert (code >> 8) & 0xFF == 0xB4
        if code & 0xFF == 1:
            return bytes(ChipInfo(b"gpiochip11", b"pinctrl-rp1", 54))
        assert code & 0xFF == 5
        asked = LineInfo.from_buffer_copy(question)
        asked.name, asked.consumer, asked.flags = b"PIN", used.get(asked.offset, b""), 4 | (asked.offset in used)
        return bytes(asked)

    chip = tmp_path / "gpiochip11"
    chip.touch()
    with pytest.raises(OSError, match=os.strerror(errno.ENOTTY)):
        KernelGpio().label(chip)
    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    assert KernelGpio().label(chip) == "pinctrl-rp1"
    assert [KernelGpio().consumer(chip, line) for line in (7, 8, 9)] == ["spi0 CS1", "", "?"]
