"""No point of a screen is lit for ever, whatever it shows and for however long."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware_host.simulator import SimulatedTable
from hardware.drivers.oled import CIRCLE, move_picture

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.png"))
SCREENS = [path for path in GOLDEN if path.stem.startswith(("display-", "handset-"))]


def never_dark(picture: Image.Image) -> int:
    """How many points are lit at every step of the walk."""
    lit = Image.new("1", picture.size, 1)
    for step in range(len(CIRCLE)):
        lit = ImageChops.logical_and(lit, move_picture(picture, 60.0 * step, 60.0))
    return lit.histogram()[-1]


def test_a_sentence_that_stands_for_weeks_rests_every_point() -> None:
    table = SimulatedTable(seed=1)
    table.new_game(detectives=4)
    table.hardware.advance(2000)
    assert table.hardware.display is not None
    picture = table.hardware.display.picture
    assert picture is not None
    assert picture.histogram()[-1] == 2562
    assert never_dark(picture) == 0
    table.close()


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: path.stem)
def test_every_screen_that_the_program_draws_rests_every_point(path: Path) -> None:
    with Image.open(path) as picture:
        assert never_dark(picture.convert("1")) == 0


@given(st.binary(min_size=64, max_size=64))
def test_so_does_any_picture(points: bytes) -> None:
    assert never_dark(Image.frombytes("1", (32, 16), points)) == 0


def test_each_step_moves_by_one_point_and_strokes_two_wide_rest_without_the_negative() -> None:
    for (x, y), (u, v) in pairwise(CIRCLE):
        assert abs(x - u) + abs(y - v) <= 1
    for box in ((4, 4, 6, 16), (4, 4, 16, 6)):
        stroke = Image.new("1", (32, 32))
        stroke.paste(1, box)
        lit = stroke
        for place in CIRCLE[:-1]:
            lit = ImageChops.logical_and(lit, ImageChops.offset(stroke, *place))
        assert not lit.histogram()[-1]


def test_a_picture_that_never_moves_stays_as_it_was_drawn() -> None:
    picture = Image.frombytes("1", (32, 16), bytes(range(64)))
    assert move_picture(picture, 1e9, math.inf).tobytes() == picture.tobytes()
