"""The libraries by themselves: what they do to a kernel's pins and buses, with none of our code between."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from luma.core.interface.serial import i2c as luma_i2c
from luma.core.render import canvas
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw
from smbus2 import SMBus, i2c_msg

from tests.proofs.kernel.guest.machine import LONG, Bus, Message, Panel, ground, level, plug_panel, supply

with TemporaryDirectory() as _folder, chdir(_folder):
    import lgpio

from gpiozero import Button, InputDevice, OutputDevice
from gpiozero.pins.lgpio import LGPIOFactory
from gpiozero.pins.rpigpio import GPIO, RPiGPIOFactory


@pytest.fixture(params=[LGPIOFactory, RPiGPIOFactory], ids=["lgpio", "rpigpio"])
def factory(request: pytest.FixtureRequest) -> Iterator[Any]:
    started = request.param()
    yield started
    started.close()


def test_this_machine_is_not_the_one_that_runs_it() -> None:
    assert os.uname().release.startswith("6.12.")
    assert Path("/dev/gpiochip0").is_char_device()
    assert Path("/dev/i2c-1").is_char_device()
    assert Path("/dev/spidev0.0").is_char_device()
    with pytest.raises(OSError, match="Read-only file system"):
        Path("written").write_text("")


def test_rpi_lgpio_stands_in_for_rpi_gpio() -> None:
    assert str(GPIO.__file__).startswith(os.environ["PYTHONPATH"])
    assert GPIO.lgpio is lgpio


def test_gpiozero_sees_a_pi_4(factory: Any) -> None:
    assert factory.board_info.model == "4B"
    assert factory.board_info.soc == "BCM2711"


def test_what_gpiozero_writes_is_on_the_pin(factory: Any) -> None:
    with OutputDevice(17, pin_factory=factory) as device:
        assert level(17) == 0
        device.on()
        assert level(17) == 1
        device.off()
        assert level(17) == 0


def test_gpiozero_reads_what_is_on_the_pin(factory: Any) -> None:
    supply(27)
    with InputDevice(27, pull_up=None, active_state=True, pin_factory=factory) as device:
        assert device.value == 1
        ground(27)
        assert device.value == 0
        supply(27)
        assert device.value == 1


@pytest.mark.parametrize("pull_up", [True, False])
def test_gpiozero_has_the_kernel_pull_the_pin(factory: Any, *, pull_up: bool) -> None:
    (ground if pull_up else supply)(22)
    with InputDevice(22, pull_up=pull_up, pin_factory=factory):
        assert level(22) == pull_up


def test_a_button_of_gpiozero_tells_of_the_edge(factory: Any) -> None:
    pressed, released = threading.Event(), threading.Event()
    with Button(5, pin_factory=factory) as button:
        button.when_pressed, button.when_released = pressed.set, released.set
        ground(5)
        assert pressed.wait(LONG)
        assert not released.is_set()
        supply(5)
        assert released.wait(LONG)
        button.pin.when_changed = None  # closing alone leaves lgpio listening


def test_lgpio_tells_of_a_line_that_another_has() -> None:
    one, other = lgpio.gpiochip_open(0), lgpio.gpiochip_open(0)
    try:
        lgpio.gpio_claim_input(one, 6)
        with pytest.raises(lgpio.error, match="GPIO busy"):
            lgpio.gpio_claim_input(other, 6)
    finally:
        lgpio.gpiochip_close(one)
        lgpio.gpiochip_close(other)


def test_smbus2_sends_blocks_and_whole_messages(i2c: Bus) -> None:
    with SMBus(1) as bus:
        bus.write_i2c_block_data(0x3C, 0x40, list(range(32)))
        bus.i2c_rdwr(i2c_msg.write(0x3C, [0x40, *bytes(1024)]))
    assert i2c.heard() == [Message(0x3C, 0, bytes([0x40, *range(32)])), Message(0x3C, 0, bytes([0x40, *bytes(1024)]))]


def test_smbus2_tells_of_an_address_that_does_not_answer(i2c: Bus) -> None:
    with SMBus(1) as bus:
        with pytest.raises(OSError, match="Remote I/O") as absent:
            bus.write_i2c_block_data(0x3D, 0, [0xE3])
        plug_panel(plugged=False)
        with pytest.raises(OSError, match="Remote I/O") as pulled:
            bus.write_i2c_block_data(0x3C, 0, [0xE3])
    assert absent.value.errno == pulled.value.errno == errno.EREMOTEIO
    assert i2c.heard() == []


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
@pytest.mark.parametrize("managed", [False, True], ids=["in blocks", "whole"])
def test_what_luma_draws_is_seen_on_the_panel(i2c: Bus, *, managed: bool) -> None:
    with SMBus(1) as bus:
        wires = luma_i2c(port=1) if managed else luma_i2c(bus=bus)
        device = ssd1306(wires)
        with canvas(device) as draw:
            _draw(draw)
        device.persist = True  # it would be cleared at the end of the program
        wires.cleanup()
    meant = Image.new("1", (128, 64))
    _draw(ImageDraw.Draw(meant))
    assert Panel(i2c).look() == meant.tobytes()


def _draw(draw: Any) -> None:
    draw.rectangle((0, 0, 127, 63), outline="white")
    draw.text((20, 20), "Mister X", fill="white")


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_lgpio_sends_a_whole_transfer_and_gives_what_came_meanwhile(spi: Bus, mode: int) -> None:
    sent, answer = bytes(range(256)) * 16, bytes(reversed(range(256))) * 16
    spi.lay_out(answer)
    handle = lgpio.spi_open(0, 0, 1_000_000, mode)
    try:
        assert lgpio.spi_xfer(handle, sent) == [4096, answer]
        with pytest.raises(lgpio.error):
            lgpio.spi_xfer(handle, bytes(4097))
    finally:
        lgpio.spi_close(handle)
    assert spi.heard() == [Message(1_000_000, mode, sent)]
