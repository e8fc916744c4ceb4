"""Colours that pages and drawings share are written down in three languages: they are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import firmware_host.web
from firmware_host.drawing import looks
from firmware_host.drawing.canvas import Colour, hexed

STATIC = Path(firmware_host.web.__file__).parent / "static"
TOKENS: dict[str, Colour] = {
    "night": looks.NIGHT, "panel": looks.PANEL, "plate": looks.PLATE, "water": looks.WATER, "pale": looks.PALE,
    "dark": looks.DARK, "gold": looks.GOLD, "grey": looks.GREY, "taxi": looks.PAINT["taxi"], "bus": looks.PAINT["bus"],
    "boat": looks.PAINT["boat"], "black-ticket": looks.TICKETS["black"], "free": looks.TICKETS["free"],
    "helicopter": looks.TICKETS["helicopter"], "yellow": looks.PAWNS["yellow"], "green": looks.PAWNS["green"],
    "white": looks.PAWNS["white"],
}  # fmt: skip
"""Those of style.css that are the drawings'; some others are lighter there, to be read as writing."""


def _long(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


@pytest.mark.parametrize("token", TOKENS)
def test_the_pages_tokens_are_the_drawings_colours(token: str) -> None:
    usual = re.search(rf"--{token}: (#[0-9a-f]+);", (STATIC / "style.css").read_text())
    assert usual is not None
    assert _long(usual[1]) == hexed(TOKENS[token])


@pytest.mark.parametrize("pawn", looks.PAWNS)
def test_pawns_on_a_page_have_the_drawings_colours(pawn: str) -> None:
    sheet = (STATIC / "board.css").read_text()
    own = re.search(rf"\.ring\.{pawn} \{{\s*--paint: (#[0-9a-f]+);", sheet)
    common = re.search(r"\.pawn \{\s*--paint: (#[0-9a-f]+);", sheet)
    assert common is not None
    assert _long((own or common)[1]) == hexed(looks.PAWNS[pawn])


def test_a_black_pawn_is_as_black_on_a_page() -> None:
    black = re.search(r"\.white-plays \.mr_x \{\s*--paint: (#[0-9a-f]+);", (STATIC / "board.css").read_text())
    assert black is not None
    assert black[1] == hexed(looks.BLACK)


def test_writing_on_plates_and_the_plates_themselves_are_the_same() -> None:
    sheet, script = (STATIC / "board.css").read_text(), (STATIC / "colours.js").read_text()
    for kind, colour in (("dark", looks.DARK), ("pale", looks.PALE)):
        ink = re.search(rf"#lights \.{kind} text \{{\s*fill: (#[0-9a-f]+);", sheet)
        assert ink is not None
        assert ink[1] == hexed(colour)
    plate = re.search(r"PLATE = \[([\d, ]+)\]", script)
    assert plate is not None
    assert tuple(map(int, plate[1].split(","))) == looks.PLATE
