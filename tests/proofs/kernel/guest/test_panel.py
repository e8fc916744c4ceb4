"""Our panel on a kernel's I2C bus, its cable pulled and put back."""

from __future__ import annotations

import math
from random import Random

import pytest
from PIL import Image

from hardware.drivers.oled import OledPanel, i2c_bus
from hardware.ports import DeviceLost
from tests.proofs.kernel.guest.machine import Bus, Panel, plug_panel

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

SIZE = (128, 64)
DARK = bytes(128 * 64 // 8)


class Noon:
    """A clock that stands still: the panel moves nothing and refreshes nothing."""

    def now(self) -> float:
        return 43_200.0


def panel(number: int = 1, address: int = 0x3C) -> OledPanel:
    return OledPanel(
        "handset",
        chip="ssd1306",
        open_bus=i2c_bus(number, address, what="panel"),
        clock=Noon(),
        contrast=127,
        shift_every=math.inf,
    )


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", SIZE, Random(seed).randbytes(1024))


def test_the_picture_meant_is_seen(i2c: Bus) -> None:
    glass, driver = Panel(i2c), panel()
    for seed in (1, 2):
        driver.show(noise(seed))
        assert glass.look() == noise(seed).tobytes()
    driver.show(None)
    assert glass.look() == DARK
    driver.close()


def test_a_panel_that_is_pulled_and_put_back_shows_the_next_picture(i2c: Bus) -> None:
    glass, driver = Panel(i2c), panel()
    driver.show(noise(3))
    assert glass.look() == noise(3).tobytes()
    plug_panel(plugged=False)
    for _ in range(2):
        with pytest.raises(DeviceLost, match="handset: the ssd1306 does not answer"):
            driver.show(noise(4))
    assert i2c.heard() == []
    glass.glass.power_up(seed=5)
    plug_panel(plugged=True)
    driver.show(noise(4))
    assert glass.look() == noise(4).tobytes()
    driver.close()
    assert glass.look() == DARK


def test_the_same_picture_finds_out_that_the_panel_has_gone(i2c: Bus) -> None:
    glass, driver = Panel(i2c), panel()
    driver.show(noise(6))
    glass.look()
    driver.show(noise(6))
    assert sum(len(message.data) for message in i2c.heard()) <= 8
    plug_panel(plugged=False)
    with pytest.raises(DeviceLost):
        driver.show(noise(6))


@pytest.mark.parametrize(("number", "address"), [(1, 0x3D), (7, 0x3C)], ids=["another address", "no such bus"])
def test_a_panel_that_never_was_there_is_a_device_lost(i2c: Bus, number: int, address: int) -> None:
    with pytest.raises(DeviceLost, match="handset: the ssd1306 does not answer"):
        panel(number, address).show(noise(7))
    assert i2c.heard() == []
