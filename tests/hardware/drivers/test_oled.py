"""OLED panels: luma's real drivers on doubles of the wires, and what can be seen on the glass at their other end."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from hardware.drivers.oled import REFRESH, Chip
from hardware.ports import Panel
from tests.hardware.drivers.panel_bench import (
    CHIPS,
    DARK,
    EVERYWHERE,
    SIZE,
    OledBench,
    PixelWatch,
    noise,
    same,
    showing_noise,
)

# Pillow's, for what luma does.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
@pytest.mark.parametrize("rotate", [0, 180])
@settings(max_examples=8, deadline=None)
@given(pictures=st.lists(st.binary(min_size=1024, max_size=1024), min_size=1, max_size=3))
@pytest.mark.long_but_first
def test_the_picture_meant_is_seen(chip: Chip, bus: str, rotate: Literal[0, 180], pictures: list[bytes]) -> None:
    bench = OledBench(chip, bus)
    panel = bench.program(rotate=rotate)
    for data in pictures:
        picture = Image.frombytes("1", SIZE, data)
        panel.show(picture)
        assert same(bench.glass.seen(), picture.rotate(rotate))


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
@settings(max_examples=20, deadline=None)
@given(junk=st.binary(max_size=40))
@pytest.mark.long_but_first
def test_whatever_state_another_program_left_the_panel_in_it_is_set_right(chip: Chip, bus: str, junk: bytes) -> None:
    bench = OledBench(chip, bus)
    for byte in junk:
        # Scrolling and the SSD1309's lock are beyond luma's settings; the SH1106's converter is on since power-up.
        if byte not in {0x2F, 0xFD, 0xAD}:
            bench.glass.command(byte)
    panel = bench.program(contrast=0xC3)
    panel.show(noise(1))
    assert same(bench.glass.seen(), noise(1))
    assert bench.glass.contrast == 0xC3


@pytest.mark.parametrize("chip", CHIPS)
def test_every_command_is_one_of_the_chip_s_but_those_that_luma_is_known_to_send_in_vain(chip: Chip) -> None:
    bench, panel = showing_noise(chip)
    panel.show(None)
    in_vain = {"ssd1306": set(), "ssd1309": {0x8D}, "sh1106": {0x20, 0x8D}}
    assert bench.glass.strangers == in_vain[chip]


def test_nothing_is_sent_before_the_first_picture() -> None:
    bench = OledBench()
    panel = bench.program()
    assert isinstance(panel, Panel)
    assert (panel.size, panel.ready()) == (SIZE, True)
    assert bench.wire.openings == 0


@pytest.mark.parametrize(
    ("chip", "bus", "woken", "changed", "same", "refreshed", "darkened"),
    [
        ("ssd1306", "i2c", 1137, 1096, 4, 1134, 1134),
        ("ssd1309", "i2c", 1137, 1096, 4, 1134, 1134),
        ("sh1106", "i2c", 1172, 1128, 4, 1169, 1169),
        ("ssd1306", "spi", 1061, 1030, 2, 1060, 1060),
        ("sh1106", "spi", 1082, 1048, 2, 1081, 1081),
    ],
)
def test_bytes_on_the_wire(
    chip: Chip, bus: str, woken: int, changed: int, same: int, refreshed: int, darkened: int
) -> None:
    bench = OledBench(chip, bus)
    panel = bench.program()
    counted = [bench.bytes_for(lambda: panel.show(noise(1)))]
    counted.append(bench.bytes_for(lambda: panel.show(noise(2))))
    counted.append(bench.bytes_for(lambda: panel.show(noise(2))))
    bench.clock.advance(REFRESH)
    counted.append(bench.bytes_for(lambda: panel.show(noise(2))))
    counted.append(bench.bytes_for(lambda: panel.show(None)))
    assert counted == [woken, changed, same, refreshed, darkened]
    assert bench.bytes_for(lambda: panel.show(None)) == same


def test_a_picture_that_is_painted_over_by_its_owner_is_another_picture() -> None:
    bench = OledBench()
    panel = bench.program()
    picture = noise(1)
    panel.show(picture)
    picture.paste(0, (0, 0, 64, 64))
    panel.show(picture)
    assert same(bench.glass.seen(), picture)


@pytest.mark.parametrize(("chip", "bus"), EVERYWHERE)
def test_dark_is_off_and_has_nothing_to_show_if_anyone_switches_it_on(chip: Chip, bus: str) -> None:
    bench, panel = showing_noise(chip, bus)
    panel.show(None)
    assert not bench.glass.on
    bench.glass.command(0xAF)
    assert same(bench.glass.seen(), DARK)


@pytest.mark.parametrize("chip", CHIPS)
def test_going_dark_the_panel_is_off_before_anything_else_changes(chip: Chip) -> None:
    bench, panel = showing_noise(chip)
    secret = bytes(bench.glass.memory)
    watch = PixelWatch(bench.glass)
    assert bench.bytes_for(lambda: panel.show(None)) > 1024
    assert watch.seen == [secret]


@pytest.mark.parametrize("rotate", [0, 180])
def test_the_picture_wanders_in_a_small_circle_turns_negative_once_and_loses_nothing(rotate: Literal[0, 180]) -> None:
    bench = OledBench()
    panel = bench.program(rotate=rotate, shift_every=3)
    negative = ImageChops.invert(ImageChops.offset(noise(1), 0, 1))
    walk = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
    for picture in [*(ImageChops.offset(noise(1), *place) for place in walk), negative, noise(1)]:
        for _ in range(3):
            panel.show(noise(1))
            assert same(bench.glass.seen(), picture.rotate(rotate))
            bench.clock.advance(1)  # too soon for most refreshes


@pytest.mark.parametrize("column", [0, 1, 2, 4])
@pytest.mark.parametrize("rotate", [0, 180])
def test_an_sh1106_shows_its_whole_picture_wherever_its_glass_begins(column: int, rotate: Literal[0, 180]) -> None:
    bench = OledBench("sh1106")
    bench.glass.margin = column  # seen from the chip, whose segments the program turns round
    panel = bench.program(rotate=rotate, first_column=4 - column)
    panel.show(noise(1))
    assert same(bench.glass.seen(), noise(1).rotate(rotate))


@settings(max_examples=20, deadline=None)
@given(
    pictures=st.lists(st.sampled_from([None, noise(1), noise(2)]), max_size=8),
    last=st.sampled_from([noise(1), noise(2)]),
    steps=st.lists(st.integers(0, 90), min_size=8, max_size=8),
)
def test_where_the_picture_stands_depends_on_the_clock_alone(
    pictures: list[Image.Image | None], last: Image.Image, steps: list[int]
) -> None:
    bench, fresh = OledBench(), OledBench()
    panel = bench.program(shift_every=60)
    for picture, step in zip(pictures, steps, strict=False):
        panel.show(picture)
        bench.clock.advance(step)
    fresh.clock.advance(bench.clock.now())
    panel.show(last)
    fresh.program(shift_every=60).show(last)
    assert same(bench.glass.seen(), fresh.glass.seen())
