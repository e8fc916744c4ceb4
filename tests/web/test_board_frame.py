"""The board's frame and what is around it: the log, the one sentence, and a map that follows whose turn it is."""

from __future__ import annotations

import random

import pytest

from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.system.language import LANGUAGES
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay

pytestmark = pytest.mark.long

PHONE, LAPTOP = (390, 844), (1440, 900)

EDGES = """() => ['#frame', '#board .sheet'].map(part => {
  const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
  return [left, right, top, bottom];
})"""
"""Where the map's frame and the map begin and end."""

ALIGNED = f"""() => {{
  const [frame, sheet] = ({EDGES})();
  return [0, 1].every(n => Math.abs(frame[n] - sheet[n]) < 1);
}}"""
"""Whether they begin and end at the same place across the page."""

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

TOLD = """() => {
  const { backgroundColor, color } = getComputedStyle(document.querySelector('#prompt'));
  const disc = document.querySelector('#turn .disc');
  return [backgroundColor, getComputedStyle(disc).backgroundColor, color];
}"""
"""The colours of the sentence, and of the pawn's sign beside it."""

TINT = "() => document.querySelector('meta[name=theme-color]').content"
GROUND = "() => getComputedStyle(document.documentElement).getPropertyValue('--night').trim()"
NEAR = """() => {
  const at = part => document.querySelector(part).getBoundingClientRect();
  const [view, sheet, red] = ['#board .view', '#board .sheet', '#pawns [data-pawn="red"]'].map(at);
  return [sheet.width / view.width, red.left >= view.left && red.right <= view.right && red.bottom <= view.bottom];
}"""
"""How many times as wide the map is as its window, and whether Red's pawn is in sight."""


def reds_turn(simulated: SimulatedTable) -> SimulatedPeople:
    """Begin a game and play it until Red is to move."""
    simulated.new_game()
    people = SimulatedPeople(simulated, random.Random(2))
    people.set_up()
    while list(simulated.public.turn) != ["red"]:
        people.play()
    simulated.advance(500)
    return people


def begin(simulated: SimulatedTable) -> None:
    reds_turn(simulated)


def opened(lay: Lay, visit: Visit, path: str = "", **more: object) -> Visitor:
    page = visit(lay(shipped("classic"), begin=begin).url, path, **more)
    page.see("#log [data-window='1'] [data-ticket]")
    page.see("#pawns [data-pawn='red']")
    return page


def test_the_logs_title_has_a_line_or_two_in_every_language(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=begin)
    for language in LANGUAGES:
        page = visit(table.url, size=LAPTOP, locale=language)
        page.see(f"html[lang='{language}'] #log [data-window='24']")
        for size in (LAPTOP, (1280, 720), PHONE):
            page.page.set_viewport_size({"width": size[0], "height": size[1]})
            lines, beside = page.page.evaluate(LINES)
            assert lines in (1, 2), (language, size)
            assert beside <= 0, (language, size)


def test_no_column_of_tickets_is_cut_off_beside_a_map_in_any_language(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=begin)
    for language in LANGUAGES:
        page = visit(table.url, size=LAPTOP, locale=language)
        page.see(f"html[lang='{language}'] #tickets tbody tr")
        for width, height in ((1024, 768), (1280, 900), (1920, 1080), (360, 740)):
            page.page.set_viewport_size({"width": width, "height": height})
            assert page.page.evaluate(TICKETS_BESIDE) <= 0, (language, width)


@pytest.mark.parametrize("size", [LAPTOP, (1280, 720), (1100, 900)])
@pytest.mark.parametrize("path", ["", "spectate"])
def test_the_log_is_the_upper_edge_of_the_map_and_as_wide(
    lay: Lay, visit: Visit, path: str, size: tuple[int, int]
) -> None:
    page = opened(lay, visit, path, size=size)
    page.wait(ALIGNED)
    frame, sheet = page.page.evaluate(EDGES)
    assert 0 <= sheet[2] - frame[3] < 40


WHOLE = """() => [...document.querySelectorAll('#log .entry:has(.station)')].map(entry => {
  const [box, ...parts] = [entry, ...entry.children].map(one => one.getBoundingClientRect());
  const rim = entry.clientTop;
  return parts.every(({ top, bottom }) => top >= box.top + rim - 0.5 && bottom <= box.bottom - rim + 0.5);
})"""
"""Whether each ticket and station that share a window of the log are whole."""


def shown(simulated: SimulatedTable) -> None:
    """Play until Mister X has shown himself."""
    people = reds_turn(simulated)
    while not any(entry.station for entry in simulated.public.log):
        people.play()


def test_what_shines_over_the_edge_of_the_log_is_seen_whole(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit, size=LAPTOP)
    page.see("#log .lamp[data-colour^='#']")
    box = page.page.locator("#log").bounding_box()
    assert box is not None
    around = {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"] + 8}
    before = page.page.screenshot(clip=around, animations="disabled")
    page.page.evaluate("document.querySelector('#log').style.contentVisibility = 'visible'")
    assert page.page.screenshot(clip=around, animations="disabled") == before


@pytest.mark.parametrize("size", [LAPTOP, (1920, 1080), PHONE])
def test_where_he_was_seen_stands_whole_above_his_ticket(lay: Lay, visit: Visit, size: tuple[int, int]) -> None:
    page = visit(lay(shipped("classic"), begin=shown).url, "spectate", size=size)
    page.see("#log .entry .station")
    assert page.page.evaluate(WHOLE) == [True]


def test_the_sentence_has_the_colour_of_the_pawn_that_is_to_move(lay: Lay, visit: Visit) -> None:
    plate, disc, writing = opened(lay, visit).page.evaluate(TOLD)
    assert plate == disc
    assert writing != plate


def test_on_a_phone_the_map_comes_near_to_the_pawn_that_is_to_move(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit, size=PHONE, touch=True)
    page.see(".view.near")
    larger, seen = page.page.evaluate(NEAR)
    assert larger > 2
    assert seen


def test_whoever_wants_the_whole_board_on_a_phone_keeps_it(lay: Lay, visit: Visit) -> None:
    people: list[SimulatedPeople] = []
    table = lay(shipped("classic"), begin=lambda p: people.append(reds_turn(p)))
    page = visit(table.url, size=PHONE, touch=True)
    page.see(".view.near")
    page.page.get_by_role("button", name="Whole board").click()
    page.see(".view:not(.near)")
    table.look(lambda _: people[0].play())
    page.wait("() => !document.querySelector('#turn').textContent.includes('Red')")
    page.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.page.locator(".view.near").count() == 0


def test_what_is_around_the_page_follows_day_and_night(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit)
    tints = []
    for scheme in ("dark", "light"):
        page.page.emulate_media(color_scheme=scheme)
        page.see(f"html[data-theme='{'night' if scheme == 'dark' else 'day'}']")
        tints.append(page.page.evaluate(TINT))
        assert tints[-1] == page.page.evaluate(GROUND) != ""
    assert tints[0] != tints[1]


def test_whoever_looks_on_is_told_nothing_technical_before_they_ask(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit, "spectate")
    for panel, inside in (("#health", "ul"), ("#display", "canvas")):
        assert not page.page.locator(f"{panel} {inside}").is_visible()
        page.page.locator(f"{panel} summary").click()
        assert page.page.locator(f"{panel} {inside}").is_visible()


def test_the_button_to_mister_xs_screen_has_room_and_leaves_the_sentence_large(lay: Lay, visit: Visit) -> None:
    room = lay(shipped("classic"), begin=SimulatedTable.new_game, helped=True)
    page = visit(room.url, size=LAPTOP, locale="de-DE")
    page.see("#hint #seat")
    page.wait("() => /zieht/.test(document.querySelector('#prompt').textContent)")
    button, head = (page.page.locator(one).bounding_box() for one in ("#hint #seat", "#head"))
    assert button
    assert head
    assert button["y"] + button["height"] <= head["y"] + head["height"]
    assert page.page.locator("#head").get_attribute("data-step") == "0"
