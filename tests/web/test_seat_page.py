"""Mister X's own page in a real browser: he looks, moves, makes a double move, and is covered again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import MR_X, Double
from firmware_host.simulator import SimulatedTable
from tests.amount import amount
from tests.artwork.test_map_lettering import heights_of_numbers
from tests.table.cases import shipped
from tests.web.chromium import Visit
from tests.web.open_seat import STATION, begin, covered, looking, moves, opened, seat_table
from tests.web.open_table import Lay, OpenTable


@pytest.fixture
def table() -> Iterator[OpenTable]:
    with seat_table() as opened:
        yield opened


COVERED = """() => {
  const rect = one => one.getBoundingClientRect();
  const unit = rect(document.querySelector("#paper")).width / document.querySelector("#paper").viewBox.baseVal.width;
  const marks = [...document.querySelectorAll("#targets .sign, #marks text.danger")].map(rect);
  return [...document.querySelectorAll("[data-station]")].filter(station => {
    const { x, y, width, height } = rect(station);
    const [cx, cy] = [x + width / 2, y + height / 2];
    return marks.some(mark =>
      mark.left < cx + 15 * unit && mark.right > cx - 15 * unit &&
      mark.top < cy + 6 * unit && mark.bottom > cy - 6 * unit
    );
  }).map(station => station.dataset.station);
}"""
"""The stations of whose numbers a mark of his covers a part."""


UNDER_THE_COVER_BUTTON = """() => {
  const button = document.querySelector("#hide").getBoundingClientRect();
  const words = document.createRange();
  return ["#turn", "#prompt"].filter(part => {
    words.selectNodeContents(document.querySelector(part));
    return [...words.getClientRects()].some(({ left, right, top, bottom }) =>
      left < button.right && right > button.left && top < button.bottom && bottom > button.top);
  });
}"""
"""Which lines of the head lie below the button that covers his map."""


SMALLEST = """() => Math.min(...[...document.querySelectorAll("#marks text, #targets .sign text")].map(
  text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
"""The size of the smallest letter on his map, in pixels."""


LETTERS_ON_TICKETS = """() => {
  const rect = one => one.getBoundingClientRect();
  const tickets = [...document.querySelectorAll("#targets .sign path")].map(rect);
  return [...document.querySelectorAll("#marks text.danger")].filter(text => {
    const { left, right, top, bottom } = rect(text);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return tickets.some(one => one.left < x && one.right > x && one.top < y && one.bottom > y);
  }).map(text => text.textContent);
}"""
"""The letters of detectives that lie on a ticket."""


SEEN = """stations => {
  const view = document.querySelector("#board .view").getBoundingClientRect();
  return stations.every(station => {
    const { left, right, top, bottom } = document.querySelector(`[data-station="${station}"]`).getBoundingClientRect();
    return left >= view.left && right <= view.right && top >= view.top && bottom <= view.bottom;
  });
}"""
"""Whether stations are in sight."""


@pytest.mark.parametrize(("touch", "size"), [(False, (1440, 900)), (True, (390, 844))])
@pytest.mark.long_but_first
def test_he_looks_moves_by_taxi_and_the_page_is_covered_again(
    table: OpenTable, visit: Visit, touch: bool, size: tuple[int, int]
) -> None:
    page = opened(table, visit, touch=touch, size=size)
    assert str(STATION) not in page.read("#cover")
    assert page.page.evaluate("document.querySelector('#marks').children.length") == 0
    page.page.click("#look")
    page.wait("() => document.querySelector('#prompt').textContent === 'You are on 94. Where to?'")
    page.tap("[data-station='93']")  # taxi or bus
    page.see("#by-ticket [data-ticket='black']")
    page.page.click("#by-ticket [data-ticket='taxi']")
    page.page.get_by_role("button", name="Go", exact=True).wait_for()
    assert moves(table) == []
    page.click("Go", exact=True)
    table.until(lambda p: len(p.public.log) == 1, "his move")
    assert moves(table) == [(93, "taxi")]
    page.says("#prompt", "Red")
    page.page.click("#hide")
    assert page.read("#prompt") == ""
    assert page.page.evaluate("document.querySelector('#marks').children.length") == 0
    assert page.page.url == f"{table.url}seat"


SIZES = """() => {
  const box = selector => document.querySelector(selector).getBoundingClientRect();
  const { width, height } = box("#board");
  const windows = [...document.querySelectorAll("#log .window")];
  const rows = new Set(windows.map(one => Math.round(one.getBoundingClientRect().top)));
  const small = [...document.querySelectorAll("#secret :not(svg *)")].filter(one =>
    one.checkVisibility() && one.matches(":not(.unseen)") && [...one.childNodes].some(part => part.data?.trim()) &&
    parseFloat(getComputedStyle(one).fontSize) < 12
  ).map(one => one.textContent);
  return { width, height, rows: rows.size, drawn: box("#paper").width, small };
}"""
"""How large his map is, in how many rows his log is, and what is written too small."""


ROOM = [
    ((1280, 720), 858, 0.0), ((1440, 900), 1090, 0.0), ((1920, 1080), 1317, 0.0),
    ((390, 844), 0, 0.6), ((360, 640), 0, 0.6),
]  # fmt: skip
"""How wide his map is drawn at least in a window, and what share of the height it has."""


@pytest.mark.parametrize(("size", "drawn", "share"), ROOM)
@pytest.mark.long
def test_his_map_takes_most_of_the_window_and_the_log_one_row(
    table: OpenTable, visit: Visit, size: tuple[int, int], drawn: int, share: float
) -> None:
    seen = looking(table, visit, touch=size[0] < 400, size=size).page.evaluate(SIZES)
    assert seen["rows"] == 1
    assert seen["drawn"] >= drawn
    assert seen["height"] >= share * size[1]
    assert seen["small"] == []


NUMBERS = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `120px ${getComputedStyle(document.body).fontFamily}`;
  const { actualBoundingBoxAscent, actualBoundingBoxDescent } = pen.measureText("0");
  const written = [...document.querySelectorAll("#log *")].filter(one => one.checkVisibility() &&
    [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && /[0-9]/.test(node.data)));
  const paper = document.querySelector("#paper");
  return {
    least: (actualBoundingBoxAscent + actualBoundingBoxDescent) / 10,
    unit: paper.getBoundingClientRect().width / paper.viewBox.baseVal.width,
    log: written.map(one => [one.textContent, parseFloat(getComputedStyle(one).fontSize)]),
  };
}"""
"""How tall a figure of 12 pixels is, how many pixels a unit of the map has, and how large the log's numbers are."""


def test_no_number_on_his_map_or_in_his_log_is_smaller_than_12_pixels(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit, size=(1280, 720))
    found = page.page.evaluate(NUMBERS)
    assert len(found["log"]) >= 24
    assert [number for number, high in found["log"] if high < 12] == []
    heights = heights_of_numbers("london")
    assert len(heights) == 199
    assert {number: high for number, high in heights.items() if high * found["unit"] < found["least"]} == {}


@pytest.mark.long
def test_on_a_phone_the_map_is_where_he_is_and_where_the_first_half_of_a_double_move_leads(
    table: OpenTable, visit: Visit
) -> None:
    page = looking(table, visit, touch=True, size=(390, 844))
    page.wait(SEEN, [93, 75, 74])
    page.click("Double move", exact=True)
    page.tap("[data-station='74']")
    page.page.click("#by-ticket [data-ticket='bus']")
    page.wait(SEEN, [74, 58])
    sheet = "document.querySelector('#board .sheet').style.transform"
    near = page.page.evaluate(sheet)
    page.click("taxi to 58", exact=True)
    page.page.get_by_role("button", name="Make both moves").wait_for()
    assert page.page.evaluate(sheet) == near
    page.page.click("#hide")  # and nothing tells where it was near to
    page.wait("() => !document.querySelector('.view').classList.contains('near')")
    assert page.page.locator("[data-station][tabindex='0']").get_attribute("data-station") == "1"


@pytest.mark.long
def test_on_a_phone_undo_in_the_maps_corner_takes_back_what_is_planned(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit, touch=True, size=(390, 844))
    undo = page.page.get_by_role("button", name="Undo", exact=True)
    assert not undo.is_visible()
    page.click("Double move", exact=True)
    page.click("taxi to 75", exact=True)
    assert page.read("#prompt") == "First move: taxi to 75; second: where to from 75?"
    for told in ("Double move: where to first?", "You are on 94. Where to?"):
        undo.tap()
        page.wait("told => document.querySelector('#prompt').textContent === told", told)
    assert not undo.is_visible()
    assert moves(table) == []


@pytest.mark.long
def test_a_planned_double_move_counts_the_tickets_of_its_first_half(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit)
    had = page.read("#choose .reaches li:has([data-ticket='black']) small")
    page.click("Double move", exact=True)
    page.click("black to 75", exact=True)
    left = page.read("#choose .reaches li:has([data-ticket='black']) small")
    assert [had.split()[-1], left.split()[-1]] == ["3", "2"]


@pytest.mark.long
def test_a_station_that_cannot_be_reached_says_why(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit)
    occupied = table.look(lambda p: p.public.pawns["red"])
    for station, why in ((1, "No line leads from 94 to 1."), (occupied, f"Red stands on {occupied}.")):
        page.tap(f"[data-station='{station}']")
        page.wait("said => document.querySelector('.refusal').textContent === said", why)
    page.click("Double move", exact=True)
    page.tap("[data-station='93']")
    page.page.click("#by-ticket [data-ticket='taxi']")
    page.tap("[data-station='1']")
    page.wait("() => document.querySelector('.refusal').textContent === 'No line leads from 93 to 1.'")
    assert moves(table) == []


@pytest.mark.long
def test_a_double_move_is_shown_as_two_steps_before_anything_is_said(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit)
    page.click("Double move", exact=True)
    page.tap("[data-station='75']")
    page.page.click("#by-ticket [data-ticket='taxi']")
    page.wait("() => document.querySelectorAll('.plan li').length === 2")
    page.click("taxi to 58", exact=True)
    assert page.read(".plan").split("\n") == ["T taxi to 75", "T taxi to 58"]
    assert table.look(lambda p: p.actions) == []
    page.click("Make both moves")
    table.until(lambda p: len(p.public.log) == 2, "both moves")
    assert moves(table) == [(75, "taxi"), (58, "taxi")]
    assert table.look(lambda p: p.actions[0]) == Double()


@pytest.mark.long
def test_by_keys_alone(table: OpenTable, visit: Visit) -> None:
    page = opened(table, visit)
    page.page.locator("#look:not([aria-disabled='true'])").focus()
    page.page.keyboard.press("Enter")
    page.wait("() => document.activeElement.id === 'prompt' && document.activeElement.textContent.includes('94')")
    page.page.focus("[data-station='94']")
    assert "Mister X stands here" in str(page.page.locator("[data-station='94']").get_attribute("aria-label"))
    page.page.keyboard.press("n")
    label = page.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label.startswith("Station 95"), label
    assert "may be reached by taxi" in label
    page.page.keyboard.press("Enter")
    page.page.locator("#by-ticket .ticket-choice[data-ticket='taxi']:focus").press("Enter")
    page.page.get_by_role("button", name="Go", exact=True).press("Enter")
    table.until(lambda p: len(p.public.log) == 1, "his move")
    assert moves(table) == [(95, "taxi")]
    page.page.keyboard.press("Escape")
    assert page.read("#prompt") == ""
    assert page.page.evaluate("document.activeElement.id") == "look"


@pytest.mark.long
def test_escape_drops_what_is_chosen_before_it_covers_the_page(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit)
    page.tap("[data-station='93']")
    page.see("#by-ticket[data-station='93'] .ticket-choice:focus")
    page.page.keyboard.press("b")
    page.page.get_by_role("button", name="Go", exact=True).wait_for()
    for dropped in ("#choose .go", "#by-ticket .ticket-choice"):
        page.see(dropped)
        page.page.keyboard.press("Escape")
        page.see(dropped, state="detached")
        assert not covered(page)
        page.tap("[data-station='93']")
    page.page.click("#hide")
    assert covered(page)
    page.page.click("#look")
    page.see("#by-ticket .ticket-choice")
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("Escape")
    assert covered(page)
    assert moves(table) == []


LOSE = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (said) {
    if (JSON.parse(said).do === "heard") return send.call(this, said);
    this.close();
  };
  window.back = () => { WebSocket.prototype.send = send; };
}"""
"""Until it is back the table hears nothing, and each line to it is lost; but it is told that it is heard."""


IN_VAIN = """() => {
  const look = document.querySelector("#look");
  const away = look.ariaDisabled;
  look.click();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "p" }));
  return [away, document.body.hasAttribute("data-open"), document.querySelector("#prompt").textContent];
}"""
"""Somebody presses what would show him his map, at a table that does not answer."""


@pytest.mark.long
def test_a_move_that_was_lost_with_the_line_can_be_made_again(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit)
    for lost in (True, False):
        page.click("taxi to 75", exact=True)
        if lost:
            page.page.evaluate(LOSE)
        page.click("Go", exact=True)
        if lost:
            page.wait("() => !document.body.hasAttribute('data-open')")
            assert covered(page)
            assert page.page.evaluate(IN_VAIN) == ["true", False, ""]
            page.page.evaluate("back()")
            page.connected()
            page.page.click("#look")
            page.click("Change", exact=True)
    table.until(lambda p: len(p.public.log) == 1, "his move")
    assert moves(table) == [(75, "taxi")]


@pytest.mark.long
def test_a_window_that_is_open_from_the_game_before_has_the_seat_in_the_next_game_too(lay: Lay, visit: Visit) -> None:
    def again(p: SimulatedTable) -> None:
        p.new_game(
            players=4, start={MR_X: STATION, "red": 13, "yellow": 26, "green": 174}, seats={"detectives": "easy"}
        )
        p.set_up()

    table = lay(shipped("classic"), seed=5, begin=again)
    at_table = visit(table.url)
    with at_table.page.expect_popup() as opened:
        at_table.page.click("#seat")
    seat = opened.value
    seat.wait_for_function("() => document.querySelector('#line')?.textContent === ''")
    table.look(again)
    with seat.expect_navigation():
        at_table.page.click("#seat")
    expect(seat.locator("#prompt")).to_contain_text("94")  # nobody else is there: it need not be uncovered


@pytest.mark.long
def test_a_player_for_whose_seat_the_table_gives_half_an_answer_is_told_to_try_again(
    table: OpenTable, visit: Visit
) -> None:
    page = visit(table.url)
    page.page.route("**/handset/seat", lambda route: route.fulfill(body='{"session": "'))
    page.page.click("#seat")
    page.says("#refused", "The table does not answer. Try again when it does.")
    page.page.unroute_all()
    page.page.click("#seat")
    page.page.wait_for_url("**/seat")


@pytest.mark.long
def test_nothing_of_it_stays_in_the_browser(table: OpenTable, visit: Visit) -> None:
    page = looking(table, visit)
    kept = page.page.evaluate("JSON.stringify([{...localStorage}, Object.keys(sessionStorage), document.title])")
    assert json.loads(kept) == [{}, ["session"], "Yardboard"]
    assert page.context.cookies() == []


@pytest.mark.long
def test_a_phone_that_has_closed_his_page_opens_it_again_by_itself_or_from_the_tables(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), seed=5, begin=begin, host="127.0.0.2")
    phone = looking(table, visit, touch=True)
    for back in ("seat", ""):
        tab = phone.context.new_page()
        phone.page.close()
        phone.page = tab
        tab.goto(f"{table.url}{back}")
        if not back:
            tab.locator("#seat").tap()
        phone.see("#cover")
        phone.connected()
        phone.see("[data-station='94']")  # his map comes after the line is up, and only then can it contain a secret
        assert covered(phone)
        tab.locator("#look").tap()
        expect(tab.locator("#prompt")).to_contain_text("94")


@pytest.mark.parametrize("path", ["seat", "handset"])
@pytest.mark.long
def test_a_browser_that_keeps_nothing_has_the_seat_until_the_page_is_left(
    table: OpenTable, visit: Visit, path: str
) -> None:
    page = visit(table.url, "spectate")
    page.page.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error(); } })")
    page.page.goto(f"{table.url}{path}#{table.token()}")
    page.connected()
    if path == "seat":
        page.page.click("#look")
        page.says("#prompt", "94")


@pytest.mark.long
def test_the_end_is_a_scene_on_his_map_too_but_never_over_the_cover(lay: Lay, visit: Visit) -> None:
    def trapped(p: SimulatedTable) -> None:
        p.new_game(players=4, start={MR_X: 2, "red": 10, "yellow": 20})  # detectives stand wherever he could go
        p.set_up()

    table = lay(shipped("classic"), seed=5, begin=trapped)
    page = visit(table.url, f"seat#{table.server.handset_token.new_token()}")
    page.see("#look[aria-disabled='false'], #look:not([aria-disabled])")
    assert not page.page.locator("#ending").is_visible()
    page.page.click("#look")
    page.see("#ending", state="visible")
    assert page.read("#ending .who") == "Detectives win"


@pytest.mark.parametrize("rules", ["beginners", "junior", "us"])
@pytest.mark.long_but_first
def test_other_games_are_played_on_it_just_so(lay: Lay, visit: Visit, rules: str) -> None:
    def ready(p: SimulatedTable) -> None:
        p.new_game()
        p.set_up()

    table = lay(shipped(rules), seed=5, begin=ready)
    page = visit(table.url, f"seat#{table.server.handset_token.new_token()}")
    page.connected()
    page.page.click("#look")
    first = page.page.locator(".end").first
    said = first.get_attribute("aria-label")
    first.click()
    page.click("Go", exact=True)
    table.until(lambda p: p.actions, f"his move, {said}")


def test_no_word_is_below_the_button_that_covers_his_map(visit: Visit) -> None:
    with seat_table() as table:
        page = looking(table, visit, locale="de-DE")
        page.see("#turn:not(:empty)")
        for size in ((1280, 720), (1440, 900), (390, 844), (844, 390)):
            page.resize(*size)
            page.settle()
            assert page.page.evaluate(UNDER_THE_COVER_BUTTON) == [], size


@pytest.mark.parametrize("size", amount([(1280, 720)], [(1280, 720), (1440, 900), (1920, 1080), (390, 844)]))
@pytest.mark.parametrize("station", [67, 111, 128, 133])
@pytest.mark.long_but_first
def test_his_marks_can_be_read_and_stand_on_no_number(
    lay: Lay, visit: Visit, station: int, size: tuple[int, int]
) -> None:
    def near(p: SimulatedTable) -> None:
        p.new_game(players=4, start={MR_X: station, "red": 102, "yellow": 129, "green": 65})
        p.set_up()

    table = lay(shipped("classic"), seed=5, begin=near)
    page = opened(table, visit, size=size)
    page.page.click("#look")
    page.see("#targets .sign")
    page.see("#marks text.danger")
    page.wait("() => document.getAnimations().every(one => one.playState === 'finished')")
    assert page.page.evaluate(COVERED) == []
    assert page.page.evaluate(LETTERS_ON_TICKETS) == []
    assert round(page.page.evaluate(SMALLEST), 1) >= 12


@pytest.mark.long
def test_what_the_coach_tells_the_detectives_is_not_on_his_map(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), seed=5, begin=begin)
    table.look(lambda p: p.coach(CoachMode.STATIONS))
    at_table, page = visit(table.url), looking(table, visit)
    at_table.see("#coach-heat .hunch")
    page.hear()
    assert page.page.locator("#coach-heat .hunch").count() == 0
