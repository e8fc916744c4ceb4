from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware_host.ui.drawing.screen_text import DIGITS, SMALL, TEXT, Font, parse
from tests import goldens

FONTS = {"small": SMALL, "text": TEXT, "digits": DIGITS}


def drawn(font: Font, text: str) -> Image.Image:
    image = Image.new("1", (max(1, font.width(text)), font.height))
    font.draw(image, 0, 0, text)
    return image


def test_figures_are_of_one_width_so_that_columns_stand_straight() -> None:
    for font in FONTS.values():
        assert len({font.width(figure) for figure in "0123456789"}) == 1


@pytest.mark.parametrize(("font", "stroke"), [(TEXT, 2), (DIGITS, 4)])
def test_no_figure_has_a_stroke_thinner_than_its_font(font: Font, stroke: int) -> None:
    for figure in "0123456789":
        runs = [len(run) for row in font.shapes[figure].rows for run in re.findall("#+", row)]
        thin = [run for run in runs if run < stroke]
        # A slanted stroke may begin or end in a point.
        assert len(thin) <= len(runs) // 8, f"{figure}: {runs}"


@pytest.mark.parametrize("name", FONTS)
def test_no_two_characters_look_alike(name: str) -> None:
    shapes = [shape.rows for char, shape in FONTS[name].shapes.items() if not char.isspace()]
    assert len(set(shapes)) == len(shapes)


@given(st.text(max_size=12), st.sampled_from([SMALL, TEXT, DIGITS]))
def test_ink_stays_within_the_width_and_height_told(text: str, font: Font) -> None:
    image = Image.new("1", (font.width(text) + 40, font.height + 40))
    font.draw(image, 20, 20, text)
    box = image.getbbox() or (20, 20, 20, 20)
    assert box[0] >= 20
    assert box[1] >= 20
    assert box[2] <= 20 + font.width(text)
    assert box[3] <= 20 + font.height


def test_ink_nought_takes_light_away_and_nothing_else() -> None:
    image = Image.new("1", (SMALL.width("Red"), SMALL.height), 255)
    SMALL.draw(image, 0, 0, "Red", ink=0)
    assert ImageChops.invert(image).tobytes() == drawn(SMALL, "Red").tobytes()


def test_what_has_no_shape_is_drawn_as_a_box() -> None:
    assert drawn(TEXT, "ж").tobytes() == drawn(TEXT, "漢").tobytes()
    assert not TEXT.covers("ж")
    assert drawn(TEXT, "ж").getbbox() is not None


def test_a_font_that_does_not_hold_together_is_refused_with_its_block() -> None:
    with pytest.raises(ValueError, match="block 'A B' needs 2 shapes"):
        parse("odd", "A B\n#. .#\n#.", height=4, gap=1)
    with pytest.raises(ValueError, match="'A' must be drawn in rows of one length"):
        parse("odd", "A\n#.\n#", height=4, gap=1)
    with pytest.raises(ValueError, match="'A' is drawn twice"):
        parse("odd", "A A\n# #", height=4, gap=1)


@pytest.mark.parametrize("name", FONTS)
def test_the_font_looks_as_it_was_drawn(name: str) -> None:
    font = FONTS[name]
    chars = "".join(sorted(font.shapes))
    rows = [chars[first : first + 16] for first in range(0, len(chars), 16)]
    sheet = Image.new("1", (max(map(font.width, rows)), len(rows) * (font.height + 1)))
    for place, row in enumerate(rows):
        font.draw(sheet, 0, place * (font.height + 1), row)
    goldens.check(f"font-{name}", sheet)
