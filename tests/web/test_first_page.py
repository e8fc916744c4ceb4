"""The first page: a man in a hat, the lesson, five tickets that are keys too, and the games as cards."""

from __future__ import annotations

import pytest

from firmware_host.players.levels import levels
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable

SIZES = ((1280, 720), (1440, 900), (1920, 1080), (390, 844), (844, 390), (320, 480))
ALL = ".learn, .way, #welcome footer select, #welcome footer button"
UNSEEN = f"""() => [...document.querySelectorAll("{ALL}")].filter(one => {{
  const {{ x, y, right, bottom }} = one.getBoundingClientRect();
  return one.checkVisibility() && (x < 0 || y < 0 || right > innerWidth || bottom > innerHeight);
}}).map(one => one.textContent)"""
AREA = "one => { const { width, height } = one.getBoundingClientRect(); return width * height; }"


def first(lay: Lay, visit: Visit, **how: object) -> Visitor:
    """The first page of a table at which no game has begun."""
    page = visit(lay(shipped("classic"), begin=lambda _: None).url, **{"size": (800, 600), **how})
    page.page.locator("#open-welcome").click()
    page.see("#welcome[open] .way")
    return page


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_all_of_it_is_above_the_fold_at_every_size(lay: Lay, visit: Visit, locale: str) -> None:
    page = first(lay, visit, locale=locale)
    for width, height in SIZES:
        page.resize(width, height)
        assert page.page.evaluate(UNSEEN) == [], (width, height)


def test_numbers_choose_tickets_and_cards_have_the_games_names_and_rules(lay: Lay, visit: Visit) -> None:
    page = first(lay, visit)
    assert page.page.evaluate("document.activeElement.getAttribute('href')") == "/tutorial", "the lesson comes first"
    assert page.page.locator(".learn").evaluate(AREA) >= 0.9 * page.page.locator(".way").first.evaluate(AREA)
    stubs = page.page.locator(".way b").all_inner_texts()
    assert stubs == ["1", "2", "3", "4", "5"]
    for number, title in zip(stubs, page.page.locator(".way strong").all_inner_texts(), strict=True):
        page.page.keyboard.press(number)
        assert page.read("#welcome-title") == title
        page.click("Back", exact=True)
    page.page.keyboard.press("3")
    page.see(".games .of-game")
    assert page.page.locator(".games .of-game").all_inner_texts() == ["?"] * 6
    cards = page.page.locator("#welcome .game strong").all_inner_texts()
    page.click("Rules of Dice")
    page.see("#rules[open]")
    page.page.keyboard.press("Escape")
    page.click("Every option")
    assert sorted(page.page.locator("#new-box option").all_inner_texts()) == sorted(cards)


@pytest.mark.parametrize(("level", "elsewhere"), [("hard", ["Junior", "Dice"]), ("expert", [])])
@pytest.mark.parametrize("can", [True, False])
def test_a_level_that_searches_is_offered_where_it_plays_and_says_what_it_needs(
    lay: Lay, visit: Visit, monkeypatch: pytest.MonkeyPatch, level: str, elsewhere: list[str], *, can: bool
) -> None:
    monkeypatch.setattr(levels, "can_search", lambda: can)
    page = first(lay, visit)
    page.page.keyboard.press("1")
    page.page.locator(".levels label", has_text=level).click()
    page.see(f".game:{'enabled' if can else 'disabled'}", state="visible")
    playable = {*page.page.locator(".game:enabled strong").all_inner_texts()}
    assert playable == {*elsewhere, *(["Classic", "Beginners", "Today's box", "American"] if can else [])}
    assert page.page.locator(".game:disabled small:visible").count() == 6 - len(playable)
    assert ("pip install '.[players]'" in page.read(".needs")) != can


def test_the_city_and_the_man_hold_still_for_those_who_want_no_motion(lay: Lay, visit: Visit) -> None:
    page = first(lay, visit, calm=True)
    assert page.page.evaluate("document.querySelector('#welcome').getAnimations({ subtree: true }).length") == 0
    assert page.page.locator("#welcome .man").count() == 1
    moving = first(lay, visit, calm=False)
    moving.wait("() => document.querySelector('#welcome').getAnimations({ subtree: true }).length >= 9")


def test_joining_by_phone_leads_on_to_a_game_that_waits_for_phones(lay: Lay, visit: Visit) -> None:
    table: OpenTable = lay(shipped("classic"), begin=lambda _: None)
    page = visit(table.url)
    page.click("New game")
    page.page.keyboard.press("4")
    page.see("#welcome .invitation p")
    page.click("Choose the game")
    page.page.locator('.game[data-rules="classic"]').click()
    page.see("#welcome", state="hidden")
    table.until(lambda p: p.table.game is not None and p.public.rules == "classic", "the classic game")
    phone = visit(table.url, "detective", touch=True, size=(390, 844))
    phone.page.locator("#seats .button").first.click()
    phone.see("#own .button")
    page.wait("() => document.querySelector('#awaited .joined')?.textContent.endsWith(' has joined.')")
