"""The icons of the installed page: drawn from the one that pages show, whole where a device cuts them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from artwork import app_icons

NIGHT, GOLD, INK = (20, 26, 38, 255), (246, 214, 128, 255), (12, 14, 20, 255)


def _opened(file: Path) -> Image.Image:
    with Image.open(file) as opened:
        return opened.convert("RGBA")


@pytest.mark.long
def test_an_icon_has_the_forms_of_the_drawing_and_one_that_is_cut_has_no_corners_of_its_own(tmp_path: Path) -> None:
    usual, _, cut = (_opened(file) for file in app_icons.make(tmp_path))
    assert usual.size == (192, 192)
    assert usual.getpixel((0, 0))[3] == 0  # type: ignore[index] - four channels
    assert usual.getpixel((96, 96)) == INK
    assert usual.getpixel((96, 60)) == GOLD
    assert usual.getpixel((96, 20)) == NIGHT
    assert cut.getpixel((0, 0)) == cut.getpixel((511, 511)) == NIGHT
    assert cut.getpixel((256, 256)) == INK


@pytest.mark.long
def test_the_same_drawing_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = (app_icons.make(tmp_path / name) for name in ("one", "other"))
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in other]


@pytest.mark.parametrize(
    ("old", "new", "right"),
    [("<circle", "<ellipse", "a rect, a circle and the path"), ('cx="16"', 'cx="15"', "in the middle, at 16, 16")],
)
def test_another_drawing_is_refused_with_what_would_be_right(tmp_path: Path, old: str, new: str, right: str) -> None:
    icon = tmp_path / "icon.svg"
    icon.write_text(app_icons.ICON.read_text().replace(old, new))
    with pytest.raises(ValueError, match=right):
        app_icons.make(tmp_path, icon)
