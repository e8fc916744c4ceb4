"""The spectators' page on a television: all that counts is large, and there is nothing to press."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser

from tests.amount import amount
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor, launched
from tests.web.open_table import Lay

pytestmark = pytest.mark.long


SHARES = """() => ['#prompt', '#board .sheet', '.window .number'].map(part => {
  const found = document.querySelector(part);
  const size = parseFloat(getComputedStyle(found).fontSize);
  return [size / innerHeight, found.getBoundingClientRect().height / innerHeight];
})"""
"""The size of writing and the height of the sentence, of the map and of the log's numbers, as shares of the screen."""

CONTROLS = """() => [...document.querySelectorAll("button, select, a")].filter(one =>
  one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !one.closest("#menu")
).map(one => one.outerHTML)"""
BEYOND = (
    "() => document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
)
SCREENS = amount(
    [("classic", (3840, 2160)), ("dice", (1920, 1080)), ("junior", (1920, 1080))],
    list(product(("classic", "dice", "junior"), ((1920, 1080), (3840, 2160)))),
)
NO_POINTER = "--blink-settings=availablePointerTypes=1,primaryPointerType=1,availableHoverTypes=1,primaryHoverType=1"


@pytest.fixture
def without_pointer(browser: Browser) -> Iterator[Browser]:
    """A Chromium that has no mouse, nor anything like it."""
    with launched(browser.browser_type, NO_POINTER) as started:
        yield started


@pytest.mark.parametrize(("rules", "size"), SCREENS)
def test_whoever_sets_it_sees_the_map_the_sentence_and_the_log_large_and_nothing_to_press(
    lay: Lay, visit: Visit, rules: str, size: tuple[int, int]
) -> None:
    page = visit(lay(shipped(rules)).url, "spectate", size=size)
    page.see("#paper [data-station]")
    page.click("Settings")
    page.page.get_by_label("Large, for a television").check()
    page.page.keyboard.press("Escape")
    page.see("html[data-television]")
    assert page.page.evaluate(CONTROLS) == []
    assert not page.page.evaluate(BEYOND)
    sentence, sheet = page.page.evaluate(SHARES.replace(", '.window .number'", ""))
    assert sentence[0] > 0.025
    assert sheet[1] > 0.7
    if rules == "classic":
        assert page.page.evaluate(SHARES)[2][0] > 0.015
    page.page.reload()
    page.see("html[data-television]")
    page.click("Settings")
    page.resize(390, 844)  # a phone's: there is no room for it
    page.see("html:not([data-television])")
    assert not page.page.get_by_label("Large, for a television").is_visible()
    page.resize(size[0], size[1])
    page.see("html[data-television]")
    page.page.get_by_label("Large, for a television").uncheck()
    page.see("html:not([data-television])")


@pytest.mark.parametrize(("size", "large"), [((1920, 1080), True), ((1366, 768), False)])
def test_a_large_screen_without_a_pointer_is_taken_for_a_television(
    lay: Lay, without_pointer: Browser, size: tuple[int, int], large: bool
) -> None:
    table = lay(shipped("classic"))
    page = Visitor(without_pointer, table.url, "spectate", size=size)
    page.see("#paper [data-station]")
    assert page.page.evaluate("document.documentElement.hasAttribute('data-television')") is large
    assert page.faults() == []
    page.leave()
