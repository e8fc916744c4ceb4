"""The settings: on every page, kept by the browser, and there before the first picture of a page."""

from __future__ import annotations

import pytest

from firmware_host.system.language import LANGUAGES
from tests.amount import amount
from tests.table.cases import shipped
from tests.waiting import until
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay

PAGES = ("", "spectate", "seat", "handset")
"""Those of past games are looked at in `test_accessibility`."""
SOME = amount(("", "seat"), PAGES)
"""One that is everyone's, and one that is Mister X's."""
ROOT = "() => ({...document.documentElement.dataset})"
GROUND = "() => getComputedStyle(document.body).backgroundColor"
BUTTON = "() => Object.values(document.querySelector('#settings').getBoundingClientRect().toJSON())"


def lamps(page: Visitor) -> set[bytes]:
    """Return the frames of the lamps that the page has received, except dark ones."""
    page.hear()
    return {frame for frame in page.frames if isinstance(frame, bytes) and any(frame)}


def open_settings(page: Visitor) -> None:
    page.click("Settings")
    page.see("#settings-dialog[open]")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.long
def test_every_page_has_settings_that_its_browser_keeps(lay: Lay, visit: Visit, path: str) -> None:
    page = visit(lay(shipped("classic")).url, path)
    assert page.page.evaluate(ROOT) == {"theme": "day", "palette": "usual", "contrast": "usual"}
    by_day = page.page.evaluate(GROUND)
    open_settings(page)
    page.page.get_by_label("Night").check()
    page.page.get_by_label("Colours for the colour-blind").check()
    page.page.get_by_label("High contrast").check()
    chosen = {"theme": "night", "palette": "colour-blind", "contrast": "high"}
    assert page.page.evaluate(ROOT) == chosen
    assert page.page.evaluate(GROUND) != by_day
    page.page.reload()
    assert page.page.evaluate(ROOT) == chosen
    open_settings(page)
    assert page.page.get_by_label("Night").is_checked()
    assert page.page.get_by_label("High contrast").is_checked()


@pytest.mark.long
def test_what_one_page_sets_holds_on_the_others_at_once(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url, "spectate")
    other = page.context.new_page()
    other.goto(f"{page.home}seat")
    open_settings(page)
    page.page.get_by_label("Night").check()
    other.wait_for_selector("html[data-theme='night']")


@pytest.mark.long
def test_lamps_on_a_page_have_the_colours_that_its_visitor_wants_at_once(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url, "spectate")
    page.connected()
    until(lambda: len(lamps(page)) >= 2, "the stations of pawns to blink")
    usual = lamps(page)
    page.page.evaluate("window.same = true")
    open_settings(page)
    page.page.get_by_label("Colours for the colour-blind").check()
    until(lambda: lamps(page) - usual, "lamps in other colours")
    assert page.page.evaluate("window.same"), "the page was not loaded again"
    assert not page.page.locator("#line").inner_text()


def test_a_page_follows_its_device_until_something_else_is_chosen(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url, "spectate")
    page.page.emulate_media(color_scheme="dark", contrast="more")
    page.see("html[data-theme='night'][data-contrast='high']")
    page.page.emulate_media(color_scheme="light", contrast="no-preference")
    page.see("html[data-theme='day'][data-contrast='usual']")
    open_settings(page)
    page.page.get_by_label("Night").check()
    page.page.emulate_media(color_scheme="dark")
    page.page.emulate_media(color_scheme="light")
    page.see("html[data-theme='night']")


@pytest.mark.long
def test_a_browser_that_keeps_nothing_lets_choose_all_the_same(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url, "spectate")
    page.context.add_init_script("Storage.prototype.setItem = Storage.prototype.getItem = () => { throw new Error(); }")
    page.page.reload()
    open_settings(page)
    page.page.get_by_label("Night").check()
    page.see("html[data-theme='night']")


@pytest.mark.parametrize("path", SOME)
@pytest.mark.long
def test_the_look_is_there_before_the_first_picture_and_moves_nothing(lay: Lay, visit: Visit, path: str) -> None:
    page = visit(lay(shipped("classic")).url, path)
    page.context.add_init_script(
        "localStorage.setItem('yardboard-look', 'night');"
        "requestAnimationFrame(function look() {"
        "  if (document.body) window.first = document.documentElement.dataset.theme ?? 'none';"
        "  else requestAnimationFrame(look); })"
    )
    page.page.reload()
    page.wait("() => window.first")
    assert page.page.evaluate("first") == "night"
    page.wait("() => !document.querySelector('#line').textContent.startsWith('Connecting')")
    if not path:  # what the table tells first adds buttons
        page.wait("() => document.querySelector('#prompt').textContent !== ''")
    at_first = page.page.evaluate(BUTTON)
    for choice in ("High contrast", "Colours for the colour-blind", "Day"):
        open_settings(page)
        page.page.get_by_label(choice).click()
        page.page.keyboard.press("Escape")
    assert page.page.evaluate(BUTTON) == at_first


@pytest.mark.long
def test_letters_press_nothing_while_the_settings_are_open(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url, "seat")
    open_settings(page)
    page.page.keyboard.press("p")
    assert page.page.locator("body[data-open]").count() == 0


@pytest.mark.parametrize("path", SOME)
@pytest.mark.long
def test_a_language_is_chosen_by_its_own_name_and_asked_for_from_then_on(lay: Lay, visit: Visit, path: str) -> None:
    page = visit(lay(shipped("classic")).url, path)
    open_settings(page)
    chooser = page.page.get_by_label("Language")
    assert chooser.input_value() == "en"
    offered = chooser.locator("option").evaluate_all("all => all.map(one => [one.value, one.lang, one.label])")
    assert offered == [[code, code, name] for code, name in LANGUAGES.items()]
    page.page.evaluate("window.before = true")
    chooser.select_option("Deutsch")
    page.wait("() => !window.before && document.readyState === 'complete'")
    assert page.page.evaluate("document.cookie") == "language=de"
