"""The colours of the city can be told apart, whatever an eye can see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from artwork import picture_map
from artwork.shared_colours import COLOURS, LOOKS, read_tokens
from artwork.svg_document import CITY_STYLE
from firmware_host.ui.lamp_plan import PALETTES, Colour
from tests.colour_vision import EYES, contrast, distance, lab, linear

LINES = ("taxi-line", "bus-line", "underground-line", "boat-line")
GLANCE = 10.0
"""The least distance of two lamps' colours, in CIE L*a*b*: from ten on they differ at a glance."""
APART = 15.0
"""The least distance of two lines' colours, in CIE L*a*b*: from ten on they differ at a glance, and so do forms."""


def looks() -> Iterator[tuple[str, dict[str, str]]]:
    yield from read_tokens().items()


def test_distances_are_reckoned_as_the_standard_does() -> None:
    assert lab(linear("#ffffff")) == pytest.approx((100, 0, 0), abs=0.1)
    assert lab(linear("#ff0000")) == pytest.approx((53.24, 80.09, 67.2), abs=0.2)


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("look", LOOKS)
def test_every_eye_tells_the_lines_apart(look: str, eye: str) -> None:
    tokens = read_tokens()[look]
    near = {
        (one, other): round(distance(tokens[one], tokens[other], eye), 1)
        for one, other in combinations(LINES, 2)
        if distance(tokens[one], tokens[other], eye) < APART
    }
    assert near == {}


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("look", LOOKS)
def test_every_eye_tells_lines_and_lamps_casings_from_their_ground(look: str, eye: str) -> None:
    tokens = read_tokens()[look]
    for line, case in (("taxi-line", "taxi-case"), ("bus-line", "bus-case"), ("underground-line", "underground-case")):
        assert distance(tokens[line], tokens[case], eye) > 30, line
    for ground in ("street", "pavement", "park", "water"):
        assert distance(tokens["bus-line"], tokens[ground], eye) > 30, ground


@pytest.mark.parametrize("look", LOOKS)
def test_numbers_and_names_can_be_read_on_what_lies_below_them(look: str) -> None:
    tokens = read_tokens()[look]
    assert contrast(tokens["number"], tokens["number-plate"]) > 7
    assert contrast(tokens["name"], tokens["pavement"]) > 4.5
    assert contrast(tokens["frame"], tokens["paper"]) > 4.5


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("look", LOOKS)
def test_every_eye_tells_a_lit_lamp_from_its_casing(look: str, eye: str, palette: str) -> None:
    case = read_tokens()[look]["lamp-case"]
    for what, lamp in PALETTES[palette].items():
        assert distance(painted(lamp), case, eye) > 25, what


@pytest.mark.parametrize("eye", EYES)
def test_every_eye_tells_the_lamps_of_the_tickets_apart(eye: str) -> None:
    """In the palette that is meant for it. On the log nothing but its lamp tells a ticket from across the room."""
    tickets = ("taxi", "bus", "underground", "boat", "black", "helicopter")
    lamps = {ticket: painted(PALETTES["colour-blind"][ticket]) for ticket in tickets}
    near = [pair for pair in combinations(lamps, 2) if distance(lamps[pair[0]], lamps[pair[1]], eye) < GLANCE]
    assert near == []


def painted(lamp: Colour) -> str:
    """The colour of a lamp at full strength, as pages paint it."""
    most = max(lamp)
    return "#" + "".join(f"{round(255 * (level / most) ** (1 / 1.6)):02x}" for level in lamp)


def test_every_colour_that_is_drawn_has_a_name_and_every_name_is_drawn() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", CITY_STYLE + picture_map.STYLE))
    named = set(read_tokens()["day"])
    assert used <= named
    assert named - used == {"lamp-case"}, "the pages' own"


def test_the_citys_colours_leave_the_rest_of_a_page_alone() -> None:
    sheet = re.sub(r"/\*.*?\*/", "", COLOURS.read_text(), flags=re.DOTALL)
    assert [selector.strip() for selector in re.findall(r"([^{}]+)\{", sheet)] == [
        f'[data-look="{look}"]' for look in LOOKS
    ]


def test_looks_that_name_different_colours_are_refused(tmp_path: object) -> None:
    assert isinstance(tmp_path, type(COLOURS))
    sheet = tmp_path / "city.css"
    sheet.write_text(COLOURS.read_text().replace("--paper: #efe3c8;", ""))
    with pytest.raises(ValueError, match="paper"):
        read_tokens(sheet)
    sheet.write_text(COLOURS.read_text().replace('[data-look="night"]', '[data-look="dusk"]'))
    with pytest.raises(ValueError, match='data-look="night"'):
        read_tokens(sheet)
