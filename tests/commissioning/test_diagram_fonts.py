"""Wiring sheets look the same whatever fonts there are: each text takes the width that the layout reckons with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser

from firmware_host.commissioning.diagram_command import draw, sheets
from tests.amount import amount
from tests.commissioning.diagram_boards import BUILDS, build
from tests.web.chromium import chromium

FAMILIES = ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono")
"""Fonts of very different widths; a machine that has one of them has all."""

SLACK = 2.5
"""Units, of a quarter of a millimetre: a letter's strokes may reach over its place, and its neighbour's under it."""

MEASURE = """family => {
  document.documentElement.setAttribute("font-family", family);
  return [...document.querySelectorAll("text")].filter(t => t.textContent).map(t => {
    const { x, width } = t.getBBox(), size = parseFloat(getComputedStyle(t).fontSize);
    return [t.textContent, x, +t.getAttribute("y"), width, size];
  });
}"""

Text = tuple[str, float, float, float, float]
"""A text, its left edge, the line it stands on, its width and its size."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


def measured(browser: Browser, svg: str, folder: Path) -> dict[str, list[Text]]:
    """The texts of a sheet as they lie with each family."""
    file = folder / "sheet.svg"
    file.write_text(svg, encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    found = {family: [tuple(row) for row in page.evaluate(MEASURE, family)] for family in FAMILIES}
    page.close()
    return found


def overlaps(texts: list[Text]) -> list[str]:
    """Texts that lie on each other; of a letter's height 0.72 of its size counts, as capitals and digits stand."""
    return [
        f"{one[0]!r} on {other[0]!r}"
        for one, other in combinations(texts, 2)
        if one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
        and one[2] - 0.72 * one[4] < other[2]
        and other[2] - 0.72 * other[4] < one[2]
    ]


@pytest.mark.parametrize("name", BUILDS[: amount(2, None)])
@pytest.mark.long
def test_no_text_lies_on_another_with_narrow_or_wide_letters(name: str, browser: Browser, tmp_path: Path) -> None:
    config = build(name)
    for what in sheets(config):
        with_family = measured(browser, draw(config, what), tmp_path)
        for family, texts in with_family.items():
            assert len(texts) > 10
            assert overlaps(texts) == [], (what, family)
        for same in zip(*with_family.values(), strict=True):
            left, width = [text[1] for text in same], [text[3] for text in same]
            assert max(left) - min(left) < SLACK, same
            assert max(width) - min(width) < SLACK, same


@pytest.mark.parametrize("name", BUILDS[: amount(2, None)])
def test_every_text_has_a_width_of_its_own(name: str) -> None:
    for what in sheets(build(name)):
        root = ET.fromstring(draw(build(name), what))  # noqa: S314 - our own
        texts = [one for one in root.iter("{http://www.w3.org/2000/svg}text") if one.text]
        assert all(float(one.get("textLength", "0")) > 0 for one in texts)
        assert {one.get("lengthAdjust") for one in texts} == {"spacingAndGlyphs"}
