"""The board's frame and what is around it: the log, the one sentence, and a map that follows whose turn it is."""

from __future__ import annotations

import random

import pytest

from firmware_host.referee.scene import BACK
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.system.language import LANGUAGES
from firmware_host.table.table_menu import LONG_PRESS
from tests.table.cases import shipped
from tests.table.played_table import hold, release
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, plays, red_to_move

pytestmark = pytest.mark.long

PHONE, LAPTOP = (390, 844), (1440, 900)


LINES = """() => {
  const title = document.querySelector('#log h2');
  const words = document.createRange();
  words.selectNodeContents(title);
  return [new Set([...words.getClientRects()].map(({ top }) => top)).size, title.scrollWidth - title.clientWidth];
}"""
"""In how many lines the log's title is written, and how far it reaches beside its place."""

TICKETS_BESIDE = """() => {
  const { scrollWidth, clientWidth } = document.querySelector('#tickets .body');
  return scrollWidth - clientWidth;
}"""
"""How many pixels of the players' tickets lie beside their panel."""


SHIFTS = """window.shifts = 0;
new PerformanceObserver(list => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
}).observe({ type: 'layout-shift', buffered: true });"""

NEAR = """() => {
  const at = part => document.querySelector(part).getBoundingClientRect();
  const [view, sheet, red] = ['#board .view', '#board .sheet', '#pawns [data-pawn="red"]'].map(at);
  return [sheet.width / view.width, red.left >= view.left && red.right <= view.right && red.bottom <= view.bottom];
}"""
"""How many times as wide the map is as its window, and whether Red's pawn is in sight."""


IN_FRONT = """found => {
  const { x, y, width, height } = found.getBoundingClientRect();
  return found.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""Whether nothing covers the middle of an element."""


begin = plays(lambda p: list(p.public.turn) == ["red"])
late = plays(lambda p: len(p.public.log) >= 11)
ended = plays(lambda p: p.public.outcome is not None)
shown = plays(lambda p: any(entry.station for entry in p.public.log))
"""A game in which Red is to move; one in the middle of its log; one that is over; one in which he was seen."""


def opened(lay: Lay, visit: Visit, path: str = "", *, helped: bool = False, **more: object) -> Visitor:
    page = visit(lay(shipped("classic"), begin=begin, helped=helped).url, path, **more)
    page.see("#log [data-window='1'] [data-ticket]")
    page.see("#pawns [data-pawn='red']")
    return page


def test_the_logs_title_and_the_columns_of_tickets_have_room_in_every_language(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=begin)
    for language in LANGUAGES:
        page = visit(table.url, size=LAPTOP, locale=language)
        page.see(f"html[lang='{language}'] #log [data-window='24']")
        page.see("#tickets tbody tr")
        for size in (LAPTOP, (1280, 720), PHONE, (1024, 768), (1280, 900), (1920, 1080), (360, 740)):
            page.resize(*size)
            lines, beside = page.page.evaluate(LINES)
            assert lines in (1, 2), (language, size)
            assert beside <= 0, (language, size)
            assert size == PHONE or page.page.evaluate(TICKETS_BESIDE) <= 0, (language, size)


@pytest.mark.parametrize("size", [(390, 844), (320, 480)])
def test_on_a_phone_the_board_has_three_fifths_of_the_height_and_the_log_is_one_line(
    lay: Lay, visit: Visit, size: tuple[int, int]
) -> None:
    page = opened(lay, visit, helped=True, size=size, touch=True)
    page.see("#undo", state="visible")
    _, top, _, high = page.box("#board")
    assert high >= 0.6 * size[1]
    assert (page.box("#head")[3], *page.box("#frame")[1::2], top) == (56, 56, 58, 114)
    assert page.page.evaluate("document.documentElement.scrollHeight") <= size[1]
    x, y, wide, tall = page.box("#undo")
    assert (wide, tall) == (52, 52)  # round, on the map's lower left corner
    assert x <= 16
    assert 0 < top + high - y - tall <= 16
    left, _, width, _ = page.box("#log [data-now]")
    assert width >= 40
    assert 0 <= left <= left + width <= size[0]


def test_on_a_phone_the_log_follows_the_game(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic"), begin=late).url, "spectate", size=PHONE)
    page.see("#log [data-now]")
    page.wait("() => document.querySelector('#log .windows').scrollLeft > 0")
    left, _, width, _ = page.box("#log [data-now]")
    assert left + width / 2 == pytest.approx(PHONE[0] / 2, abs=21)


PAGES = {
    "": "#tickets tbody tr",
    "spectate": "#tickets tbody tr",
    "detective": "#sheet #seats",
    "tutorial": "body[data-phase='play'] #lesson .words",
    "tutorial_mr_x": "body[data-phase='play'] #choose .end",
    "install": "#kept:not(:text('One moment'))",
    "handset": "#screen[style]",
}
"""The pages, and what each of them shows when the table has said how it stands."""


@pytest.mark.parametrize("size", [(1280, 720), LAPTOP, (1920, 1080), PHONE])
@pytest.mark.parametrize("rules", ["classic", "dice", "junior"])
def test_nothing_jumps_when_the_table_tells_how_it_stands(
    lay: Lay, visit: Visit, rules: str, size: tuple[int, int]
) -> None:
    table = lay(shipped(rules), begin=begin if rules == "classic" else SimulatedTable.new_game, helped=True)
    for path in PAGES if rules == "classic" else ("", "spectate"):
        page = visit(table.url, "install", size=size)
        page.page.add_init_script(SHIFTS)
        page.page.goto(f"{table.url}{path}" + (f"#{table.token()}" if path == "handset" else ""))
        page.see(PAGES[path])
        page.settle()
        assert page.page.evaluate("shifts") <= 0.02, (path, size)


COVERED = """() => {
  const [head, log] = ['#head', '#frame'].map(part => document.querySelector(part).getBoundingClientRect());
  return Math.round(head.bottom - log.top);
}"""
"""How many pixels of the log are covered by the head."""


@pytest.mark.parametrize("language", ["en-US", "de-DE"])
@pytest.mark.parametrize("path", ["", "spectate", "detective", "seat"])
def test_on_a_phone_the_end_of_a_game_covers_nothing_of_the_log(
    lay: Lay, visit: Visit, path: str, language: str
) -> None:
    table = lay(shipped("classic"), begin=ended, helped=True)
    for size in (PHONE, (320, 480)):
        secret = f"#{table.token()}" if path == "seat" else ""
        page = visit(table.url, path + secret, size=size, touch=True, locale=language)
        if secret:
            page.page.locator("#look").tap()
        page.see("body[data-ended] #end-title")
        page.settle()
        assert page.page.evaluate(COVERED) == 0, size


@pytest.mark.parametrize("path", ["tutorial", "tutorial_mr_x"])
def test_on_a_phone_a_lesson_covers_nothing_of_the_log(lay: Lay, visit: Visit, path: str) -> None:
    page = visit(lay(shipped("classic"), begin=begin).url, path, size=PHONE, touch=True)
    page.see(PAGES[path])
    page.wait(f"() => ({COVERED})() === 0")


CUT_OFF = """() => ['#seats ul', '#seats > .row', '.end-keys'].filter(part => {
  const { bottom } = document.querySelector(part).getBoundingClientRect();
  return bottom > document.querySelector('#menu').getBoundingClientRect().top;
})"""
"""What of the seats and of the keys at the end does not fit into the column."""


@pytest.mark.parametrize("size", [(1280, 720), LAPTOP])
def test_the_seats_and_the_keys_at_the_end_of_a_game_are_in_one_column(
    lay: Lay, visit: Visit, size: tuple[int, int]
) -> None:
    page = visit(lay(shipped("classic"), begin=ended, helped=True).url, "detective", size=size)
    page.see("body[data-ended] #end-title")
    page.see("#seats ul .button")
    assert page.page.evaluate(CUT_OFF) == []


def test_on_a_phone_the_question_of_a_ticket_is_as_large_as_other_sentences(lay: Lay, visit: Visit) -> None:
    page = visit(red_to_move(lay).url, size=PHONE, touch=True)
    page.see('[data-pawn="red"][data-at="74"]')
    for station in (74, 58):
        page.page.locator(f"#board [data-station='{station}']").focus()
        page.page.keyboard.press("Enter")
    page.see("#prompt button.keyword")
    page.wait("() => parseFloat(getComputedStyle(document.querySelector('#prompt .hero')).fontSize) >= 19")
    assert page.page.evaluate(COVERED) == 0


WHOLE = """() => [...document.querySelectorAll('#log .entry:has(.station)')].map(entry => {
  const [box, ...parts] = [entry, ...entry.children].map(one => one.getBoundingClientRect());
  const rim = entry.clientTop;
  return parts.every(({ top, bottom }) => top >= box.top + rim - 0.5 && bottom <= box.bottom - rim + 0.5);
})"""
"""Whether each ticket and station that share a window of the log are whole."""


@pytest.mark.parametrize("size", [LAPTOP, (1920, 1080), PHONE])
def test_where_he_was_seen_is_whole_below_his_ticket(lay: Lay, visit: Visit, size: tuple[int, int]) -> None:
    page = visit(lay(shipped("classic"), begin=shown).url, "spectate", size=size)
    page.see("#log .entry .station")
    assert page.page.evaluate(WHOLE) == [True]


def test_on_a_phone_the_map_comes_near_to_the_pawn_that_is_to_move(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit, size=PHONE, touch=True)
    page.see(".view.near")
    larger, seen = page.page.evaluate(NEAR)
    assert larger > 2
    assert seen


def test_whoever_wants_the_whole_board_on_a_phone_keeps_it(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=begin)
    page = visit(table.url, size=PHONE, touch=True)
    page.see(".view.near")
    page.click("Whole board")
    page.see(".view:not(.near)")
    table.look(lambda p: SimulatedPeople(p, random.Random(2)).play())
    page.wait("() => !document.querySelector('#prompt').textContent.includes('Red')")
    page.settle()
    assert page.page.locator(".view.near").count() == 0


@pytest.mark.parametrize("path", ["", "spectate"])
def test_devices_and_the_display_are_shown_to_those_who_ask_for_help(lay: Lay, visit: Visit, path: str) -> None:
    page = opened(lay, visit, path)
    technical = ("#health ul", "#display canvas") if path else ("#health ul", "#display canvas", "#faults summary")
    assert not any(page.page.locator(part).is_visible() for part in technical)
    page.click("Help")
    assert all(page.page.locator(part).is_visible() for part in technical)


@pytest.mark.parametrize("helped", [True, False])
@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_the_table_menu_which_takes_all_keys_is_in_front_of_the_board_with_its_keys(
    lay: Lay, visit: Visit, size: tuple[int, int], helped: bool
) -> None:
    table = lay(shipped("classic"), begin=begin, helped=helped)
    page = visit(table.url, size=size)
    page.see("#keys")
    table.look(lambda p: hold(p, BACK, 1000 * LONG_PRESS + 200))
    table.look(lambda p: release(p, BACK))
    page.see("#board #display canvas")
    assert "Table menu" in page.page.locator("#display [role=status]").inner_text()
    assert page.page.locator("#display").evaluate(IN_FRONT)
    page.page.keyboard.press("Backspace", delay=100)
    table.until(lambda p: p.table.menu is not None and p.table.menu.cursor == 1, "the next row")
    page.page.keyboard.press("c", delay=100)
    page.wait("() => !document.querySelector('#board #display')")
    assert not page.page.locator("#display canvas").is_visible()
