"""The spectators' page on a television: all that counts is large, and there is nothing to press."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser

from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from tests.amount import amount
from tests.table.cases import shipped
from tests.web.chromium import Visitor, launched
from tests.web.open_table import OpenTable

pytestmark = pytest.mark.long

Lay = Callable[..., OpenTable]
Visit = Callable[..., Visitor]

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
    page.page.get_by_role("button", name="Settings").click()
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
    page.page.get_by_role("button", name="Settings").click()
    page.page.set_viewport_size({"width": 390, "height": 844})  # a phone's: there is no room for it
    page.see("html:not([data-television])")
    assert not page.page.get_by_label("Large, for a television").is_visible()
    page.page.set_viewport_size({"width": size[0], "height": size[1]})
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


CUT = """() => [...document.querySelectorAll('.window .entry')].filter(entry => {
  const { top, bottom, left, right } = entry.getBoundingClientRect();
  return [...entry.children].map(one => one.getBoundingClientRect()).some(
    it => it.top < top - 1 || it.bottom > bottom + 1 || it.left < left - 1 || it.right > right + 1);
}).length"""
"""How many windows of the log cut what lies in them."""


def test_at_the_end_every_station_of_his_log_is_seen_whole(lay: Lay, visit: Visit) -> None:
    def ended(p: SimulatedTable) -> None:
        p.new_game(players=4)
        p.set_up()
        people = SimulatedPeople(p, random.Random(3))
        while p.public.outcome is None:
            people.play()

    page = visit(lay(shipped("classic"), seed=3, begin=ended).url, "spectate", size=(1920, 1080))
    page.see(".window .station")
    page.page.get_by_role("button", name="Settings").click()
    page.page.get_by_label("Large, for a television").check()
    page.page.keyboard.press("Escape")
    page.see("html[data-television]")
    assert page.page.evaluate(CUT) == 0
