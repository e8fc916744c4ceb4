"""Everything that the pages write can be read in every look: the contrast that WCAG 2.2 asks for, and every eye tells
apart in the palette that is meant for it what differs by colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from tests.colour_vision import EYES, contrast, distance
from tests.web.palettes import CONTRASTS, SETTINGS, THEMES, rules, tokens

SHEETS = (
    "style.css",
    "head.css",
    "page.css",
    "side.css",
    "log.css",
    "players.css",
    "controls.css",
    "dialogs.css",
    "games.css",
    "offline.css",
    "television.css",
)
SURFACES = ("night", "panel", "plate")
"""What lies under writing that brings no ground of its own."""
INHERITED = "pale"
"""The colour of writing for which nothing else is said."""
WRITING = {"usual": 4.5, "high": 7.0}
SIGNS = 3.0
"""The least contrast of writing, and of the edges by which a button or a field is told from what is around it."""
PAWNS = ("red", "yellow", "green", "blue", "purple", "white")
TICKETS = ("taxi", "bus", "underground", "boat", "black-ticket", "helicopter", "free")
APART = 20.0
"""The least distance of two colours in CIE L*a*b*: from ten on they differ at a glance."""


def _pairs() -> Iterator[tuple[str, str, str]]:
    """Where, writing and ground, wherever a sheet sets one of the two."""
    for sheet in SHEETS:
        for selector, rule in rules(sheet):
            ink = re.fullmatch(r"var\(--([\w-]+)\)", rule.get("color", ""))
            ground = re.fullmatch(r"var\(--([\w-]+)\)", rule.get("background", ""))
            if ink or ground:
                for surface in [ground[1]] if ground else SURFACES:
                    yield f"{sheet}: {selector}", ink[1] if ink else INHERITED, surface


def test_contrast_is_reckoned_as_the_guidelines_do() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("setting", SETTINGS, ids="-".join)
def test_all_writing_can_be_read_on_its_ground_and_edges_and_the_focus_can_be_seen(
    setting: tuple[str, str, str],
) -> None:
    named = tokens(*setting)
    found = [(where, ink, ground, contrast(named[ink], named[ground])) for where, ink, ground in _pairs()]
    assert len(found) > 60
    assert [pair for pair in found if pair[3] < WRITING[setting[1]]] == []
    for edge in ("rim", "gold", "taxi-text", "bus-text", "underground-text", "boat-text", "pale"):
        for ground in SURFACES:
            assert contrast(named[edge], named[ground]) >= SIGNS, (edge, ground)
    for ticket in ("taxi-mark", "bus", "underground-mark", "boat-mark", "helicopter"):  # a letter says which it is
        assert contrast("#15110b", named[ticket]) >= 4.5
    assert contrast(named["chalk"], named["black-ticket"]) >= 4.5


def test_every_eye_tells_pawns_and_tickets_apart_in_the_palette_for_it() -> None:
    kinds = (PAWNS, TICKETS, ("pawn-mr-x", *(f"pawn-{pawn}" for pawn in PAWNS)))
    for theme, high in product(THEMES, CONTRASTS):
        named = tokens(theme, high, "colour-blind")
        near = {
            (eye, *pair): round(apart, 1)
            for eye, kind in product(EYES, kinds)
            for pair in combinations(kind, 2)
            if (apart := distance(named[pair[0]], named[pair[1]], eye)) < APART
        }
        assert near == {}, (theme, high)


def test_no_colour_is_written_outside_the_tokens() -> None:
    """Else nothing here would look at it. Shadows and grounds that let through have no writing of their own."""
    for sheet in SHEETS:
        for selector, rule in rules(sheet):
            assert not re.search("#[0-9a-fA-F]{3,8}", " ".join(rule.values())), (sheet, selector)
