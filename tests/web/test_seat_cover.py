"""The cover of Mister X's page: when it comes back, and that nothing secret is in the page below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Route

from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.web.feeds import websocket_session as lines
from tests.table.cases import shipped
from tests.waiting import until
from tests.web.chromium import Visit
from tests.web.open_seat import STATION, begin, covered, looking, opened, seat_table, soon_quiet
from tests.web.open_table import Lay, OpenTable

pytestmark = pytest.mark.long


@pytest.fixture
def table() -> Iterator[OpenTable]:
    with seat_table() as opened:
        yield opened


MIDDLES = """() => [...document.querySelectorAll("#covered > :is(h1, #look, #menu)")].map(one => {
  const { left, right } = one.getBoundingClientRect();
  return Math.round((left + right) / 2 - innerWidth / 2);
})"""
"""How far from the middle of the window the parts of the cover are, in pixels."""


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (844, 390)])
def test_all_of_the_cover_is_in_the_middle_of_the_window(table: OpenTable, visit: Visit, size: tuple[int, int]) -> None:
    page = opened(table, visit, size=size)
    page.wait(f"() => ({MIDDLES})().every(one => Math.abs(one) <= 1)")


@pytest.mark.parametrize("how", ["dispatchEvent(new Event('blur'))", "dispatchEvent(new Event('pagehide'))"])
def test_it_covers_itself_when_it_is_left(table: OpenTable, visit: Visit, how: str) -> None:
    page = looking(table, visit)
    assert not covered(page)
    page.page.evaluate(how)
    assert covered(page)


def test_a_code_for_his_phone_that_comes_after_he_has_covered_his_map_is_not_shown(
    table: OpenTable, visit: Visit
) -> None:
    page = looking(table, visit)
    asked: list[Route] = []
    page.page.route("**/handset/invitation", lambda route: asked.append(route))  # noqa: PLW0108 - it counts parameters
    page.page.click("#invite")
    until(lambda: page.hear() or asked, "the page to ask for the code")
    page.page.evaluate("dispatchEvent(new Event('blur'))")
    with page.page.expect_response("**/handset/invitation") as answer:
        asked[0].continue_()
    answer.value.finished()
    page.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.page.locator("#phone").is_hidden()
    assert "seat#" not in page.page.content()
    page.page.unroute("**/handset/invitation")
    page.page.click("#look")
    page.page.click("#invite")
    page.see("#phone[open] .row, #phone[open] p")


def test_it_covers_itself_after_a_while_in_which_nobody_touches_it(
    lay: Lay, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "SOCKET_TICK", 0.05)
    page = looking(lay(soon_quiet(), seed=5, begin=begin), visit, clock=True)

    def two_seconds() -> None:
        """Time goes by, besides that of the clock on the wall, and the table is heard meanwhile."""
        page.hear()
        heard = len(page.frames)
        until(lambda: page.hear() or len(page.frames) > heard, "a beat")
        page.let_pass(2000)

    for _ in range(5):
        two_seconds()
    assert not covered(page)
    for _ in range(6):
        two_seconds()
    assert covered(page)
    assert page.read("#line") == ""


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_where_it_is_to_be_held_it_shows_as_long_as_it_is_held(lay: Lay, visit: Visit, by: str) -> None:
    page = opened(lay(soon_quiet(privacy="hold"), seed=5, begin=begin), visit)
    page.wait("() => document.querySelector('#look').textContent === 'Hold to look'")
    mouse, keyboard = page.page.mouse, page.page.keyboard
    if by == "mouse":
        mouse.move(*page.centre("#look"))
    mouse.down() if by == "mouse" else keyboard.down("p")
    page.says("#prompt", "94")
    mouse.up() if by == "mouse" else keyboard.up("p")
    assert covered(page)


@pytest.mark.parametrize("meanwhile", ["Shift", "Control", "CapsLock", "focus"])
def test_his_map_is_covered_when_p_goes_up_whatever_happens_while_it_is_held(
    lay: Lay, visit: Visit, meanwhile: str
) -> None:
    page = opened(lay(soon_quiet(privacy="hold"), seed=5, begin=begin), visit)
    page.wait("() => document.querySelector('#look').textContent === 'Hold to look'")
    keyboard = page.page.keyboard
    keyboard.down("p")
    page.says("#prompt", "94")
    if meanwhile == "focus":
        page.page.focus("[data-station='94']")
    else:
        keyboard.down(meanwhile)
    keyboard.up("P" if meanwhile in ("Shift", "CapsLock") else "p")
    assert covered(page)


def test_at_the_screen_that_others_share_his_map_is_covered_after_his_move_whatever_they_do_meanwhile(
    lay: Lay, visit: Visit
) -> None:
    config = shipped("classic")
    never_quiet = replace(config, handset=replace(config.handset, blank_after_s=3600))
    table = lay(never_quiet, seed=5, begin=begin)
    page = visit(table.url)
    page.page.click("#seat")
    page.page.wait_for_url("**/seat")
    page.page.click("#look[aria-disabled='false']")
    page.click("taxi to 75", exact=True)
    page.click("Go", exact=True)
    page.see('#log [data-window="1"] [data-ticket]')
    table.look(lambda p: p.hardware.lift(13, "red"))
    page.see("#pawns [data-pawn='red'].lifted")
    page.wait("() => !document.body.hasAttribute('data-open')")
    assert covered(page)


AWAY = """async shown => {
  const { Cover } = await import("/static/player_pages/cover.js");
  const open = () => document.body.hasAttribute("data-open");
  const cover = new Cover(() => {}, () => false);
  const seen = [];
  for (const alone of shown) {
    cover.configure({ alone, hold: false, quiet: 60 });
    seen.push(open());
  }
  return seen;
}"""
"""Whether his map is seen, as the players beside him change from one game to the next."""


def begin_alone(p: SimulatedTable) -> None:
    """The same game, in which computers play all detectives."""
    p.new_game(players=4, start={MR_X: STATION, "red": 13, "yellow": 26, "green": 174}, seats={"detectives": "easy"})
    p.set_up()


def test_nothing_is_covered_where_computers_play_all_detectives(lay: Lay, visit: Visit) -> None:
    table = lay(soon_quiet(), seed=5, begin=begin_alone)
    page = visit(table.url, f"seat#{table.server.handset_token.new_token()}")
    page.says("#prompt", "94")
    for away in ("blur", "pagehide", "beforeprint"):
        page.page.evaluate("away => dispatchEvent(new Event(away))", away)
    for key in ("Escape", "p"):
        page.page.keyboard.press(key)
    assert not covered(page)
    assert not page.page.locator("#hide").is_visible()
    page.page.reload()
    page.says("#prompt", "94")


def test_the_cover_comes_back_with_the_first_person_among_the_detectives(table: OpenTable, visit: Visit) -> None:
    page = opened(table, visit)
    assert page.page.evaluate(AWAY, [False, True, True, False, False]) == [False, True, True, False, False]
