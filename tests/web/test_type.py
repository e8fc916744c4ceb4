"""The pages' type: one file that comes with the program, with all letters that pages write; figures of one width."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import ImageFont

import firmware_host.web
from firmware_host.system.language import LANGUAGES

STATIC = Path(firmware_host.web.__file__).parent / "static"
FONT = STATIC / "fonts" / "overpass.woff2"
SIGNS = "\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}↶⌫▲▼◉◌★♪✓✕"
"""Drawn from another font, or white: they stand alone."""


def test_the_font_is_small_and_its_licence_lies_beside_it() -> None:
    assert FONT.stat().st_size <= 25_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in FONT.with_name("OFL.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_every_language_is_in_the_font(language: str) -> None:
    font = ImageFont.truetype(FONT, 40)
    missing = bytes(font.getmask("\uffff"))
    catalogue = Path(firmware_host.web.__file__).parents[2] / "languages" / f"{language}.po"
    files = [*STATIC.glob("*.html")] if language == "en" else [catalogue]
    texts = [file.read_text(encoding="utf-8") for file in files]
    written = {letter for text in texts for letter in text if ord(letter) > 0x20} - set(SIGNS)
    assert [letter for letter in sorted(written) if bytes(font.getmask(letter)) == missing] == []


def test_the_font_has_the_weights_that_pages_use_and_no_others() -> None:
    sheets = "".join(sheet.read_text(encoding="utf-8") for sheet in STATIC.rglob("*.css"))
    used = sorted(map(int, re.findall(r"(?:font-weight|--weight-[a-z]+): (\d+);", sheets)))
    (axis,) = ImageFont.truetype(FONT, 40).get_variation_axes()
    assert (axis["minimum"], axis["maximum"]) == (used[0], used[-1])


def test_all_figures_have_the_same_width() -> None:
    font = ImageFont.truetype(FONT, 40)
    assert len({font.getlength(figure, features=["tnum"]) for figure in "0123456789"}) == 1
