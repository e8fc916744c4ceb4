"""Everything that the table's page writes can be read: the contrast that WCAG 2.2 asks for at level AA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import firmware_host.web

STATIC = Path(firmware_host.web.__file__).parent / "static"
SHEETS = ("style.css", "page.css", "side.css", "log.css", "players.css", "controls.css")
SURFACES = ("night", "panel", "plate")
"""What lies under writing that brings no ground of its own."""
INHERITED = "pale"
"""The colour of writing for which nothing else is said."""
WRITING, SIGNS = 4.5, 3.0
"""The least contrast of writing, and of the edges by which a button or a field is told from what is around it."""


def _rules(sheet: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Every rule of a sheet, those within media queries too: its selector, and property -> value."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / sheet).read_text(), flags=re.DOTALL)
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        lines = (line.partition(":") for line in body.split(";") if line.strip())
        yield " ".join(selector.split()), {name.strip(): value.strip() for name, _, value in lines}


def _tokens(contrast: str) -> dict[str, str]:
    """Name -> "#rrggbb" of every colour, as usual, or as for those who ask their system for more contrast."""
    roots = [rule for selector, rule in _rules("style.css") if selector == ":root"]
    wanted = roots[:1] if contrast == "usual" else roots
    said = {name: value for root in wanted for name, value in root.items()}
    return {name[2:]: value for name, value in said.items() if re.fullmatch("#[0-9a-f]{6}", value)}


def _pairs() -> Iterator[tuple[str, str, str]]:
    """Where, writing and ground, wherever a sheet sets one of the two."""
    for sheet in SHEETS:
        for selector, rule in _rules(sheet):
            ink = re.fullmatch(r"var\(--([\w-]+)\)", rule.get("color", ""))
            ground = re.fullmatch(r"var\(--([\w-]+)\)", rule.get("background", ""))
            if ink or ground:
                for surface in [ground[1]] if ground else SURFACES:
                    yield f"{sheet}: {selector}", ink[1] if ink else INHERITED, surface


def _luminance(colour: str) -> float:
    levels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_reckoned_as_the_guidelines_do() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)
    assert _contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("contrast", ["usual", "more"])
def test_all_writing_can_be_read_on_its_ground(contrast: str) -> None:
    tokens = _tokens(contrast)
    found = [(where, ink, ground, _contrast(tokens[ink], tokens[ground])) for where, ink, ground in _pairs()]
    assert len(found) > 60
    assert [pair for pair in found if pair[3] < WRITING] == []


@pytest.mark.parametrize("contrast", ["usual", "more"])
def test_the_edges_of_buttons_and_the_focus_can_be_seen(contrast: str) -> None:
    tokens = _tokens(contrast)
    for edge in ("rim", "gold", "taxi", "bus", "underground", "pale"):
        for ground in SURFACES:
            assert _contrast(tokens[edge], tokens[ground]) >= SIGNS, (edge, ground)


def test_no_colour_is_written_outside_the_tokens() -> None:
    """Else nothing here would look at it. Shadows and grounds that let through have no writing of their own."""
    for sheet in SHEETS:
        for selector, rule in _rules(sheet):
            if selector != ":root":
                assert not re.search("#[0-9a-fA-F]{3,8}", " ".join(rule.values())), (sheet, selector)
