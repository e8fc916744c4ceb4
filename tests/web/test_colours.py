"""Colours that pages and drawings share are written down in three languages: they are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import firmware_host.web
from firmware_host.ui.drawing import board_style as style
from firmware_host.ui.drawing.canvas import Colour, hex_colour

STATIC = Path(firmware_host.web.__file__).parent / "static"
TOKENS: dict[str, Colour] = {
    "night": style.NIGHT, "panel": style.PANEL, "plate": style.PLATE, "water": style.WATER, "pale": style.PALE,
    "dark": style.DARK, "ink": style.DARK, "gold": style.GOLD, "gilt-sign": style.GOLD,
    "grey": style.GREY, "taxi": style.PAINT["taxi"], "bus": style.PAINT["bus"],
    "boat": style.PAINT["boat"], "black-ticket": style.TICKETS["black"], "free": style.TICKETS["free"],
    "helicopter": style.TICKETS["helicopter"], "yellow": style.PAWNS["yellow"], "green": style.PAWNS["green"],
    "white": style.PAWNS["white"],
}  # fmt: skip
"""Those of colours.css that are the drawings'; some others are lighter there, to be read as writing."""


def _token(name: str) -> str:
    """The usual colour of that name."""
    usual = re.search(rf"--{name}: (#[0-9a-f]{{6}});", (STATIC / "styles" / "colours.css").read_text())
    assert usual is not None, name
    return usual[1]


def test_the_pages_tokens_are_the_drawings_colours() -> None:
    assert {name: _token(name) for name in TOKENS} == {name: hex_colour(colour) for name, colour in TOKENS.items()}


@pytest.mark.parametrize("pawn", style.PAWNS)
def test_pawns_on_a_page_have_the_drawings_colours(pawn: str) -> None:
    sheet = (STATIC / "styles" / "board.css").read_text()
    own = re.search(rf"\.ring\.{pawn}(?:,[^{{]*)? \{{\s*--paint: var\(--([\w-]+)\);", sheet)
    common = re.search(r"\.pawn \{\s*--paint: var\(--([\w-]+)\);", sheet)
    assert common is not None
    assert _token((own or common)[1]) == hex_colour(style.PAWNS[pawn])
