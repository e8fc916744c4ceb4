"""The handset's page in a real browser: its screen, its keys, and what it hides from those beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route

from firmware_host.web.feeds import websocket_session as lines
from firmware_host.web.feeds.page_orders import KeyOrder
from firmware_host.web.server import Server
from tests.waiting import until
from tests.web.chromium import GONE, Visit, Visitor
from tests.web.served import Idle, Served, put, served

CORNERS = base64.b64encode(b"\x80" + b"\0" * 1022 + b"\x01").decode()
"""A picture with two pixels lit: the first and the last."""

LIT = """() => {
  const canvas = document.getElementById("screen");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [...Array(data.length / 4).keys()].filter((pixel) => data[4 * pixel] > 128);
}"""

DARK_AND_TRYING = f"""() => document.querySelector("#line").textContent.includes("trying again")
  && document.querySelector("#words").textContent === "" && ({LIT})().length === 0"""
"""At one and the same moment: with the next line there is something to be seen again."""

HIDDEN = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

BOXES = """() => [...document.querySelectorAll("#screen, #keys button")].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [left, top, right, bottom];
})"""
BEFITTING = "all => all.filter(one => parseFloat(getComputedStyle(one).padding) < 5)"
"""Buttons that have no more look than their words."""

KEYBOARD = {
    "ArrowUp": "up", "ArrowDown": "down", "Enter": "select", "ArrowRight": "select", "Escape": "back",
    "Backspace": "back", "ArrowLeft": "back", "p": "peek", "Space": "peek",
}  # fmt: skip
SIZES = [(390, 844), (844, 390), (1280, 800), (320, 568), (667, 375), (1920, 1080)]


@pytest.fixture
def table() -> Iterator[Served]:
    with served() as opened:
        put(opened, "handset", private=True, pixels=CORNERS, lines=["You are at 46", "> Taxi 4"], language="en")
        yield opened


def opened(table: Served, visit: Visit, **kind: object) -> Visitor:
    """The page, with what the screen says on it."""
    page = visit(table.server.url, f"handset#{table.server.handset_token.new_token()}", **kind)
    page.says("#words", "46")
    page.excuse("Multiple readback operations")  # it is these tests that look at the screen so often
    return page


def keys(table: Served) -> list[tuple[str, bool]]:
    """What was done to the keys so far."""
    return [
        (order.key.removeprefix("handset."), order.down)
        for _, _, order in table.table.asked
        if isinstance(order, KeyOrder)
    ]


def felt(table: Served, *wanted: tuple[str, bool]) -> None:
    """These were pressed and released, and the table is told no more."""
    until(lambda: len(keys(table)) >= len(wanted), f"the keys {wanted}; there are {keys(table)}")
    assert keys(table) == list(wanted)
    table.table.asked.clear()


def test_the_screen_is_shown_pixel_for_pixel_and_in_words(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    assert page.page.evaluate(LIT) == [0, 128 * 64 - 1]
    assert page.read("#words").split("\n") == ["You are at 46", "> Taxi 4"]
    put(table, "handset", private=True, pixels=None, lines=[], language="en")
    page.wait("() => document.querySelector('#words').textContent === ''")
    assert page.page.evaluate(LIT) == []


def test_its_words_are_marked_as_being_in_the_tables_language(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    put(table, "handset", private=True, pixels=CORNERS, lines=["Du bist auf 46"], language="de")
    page.wait("() => document.querySelector('#words').lang === 'de' && document.documentElement.lang === 'en'")


@pytest.mark.long
def test_it_fits_every_window_with_pixels_that_are_whole(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    for width, height in SIZES:
        page.resize(width, height)
        page.page.reload()
        page.wait("() => document.getElementById('screen').style.width !== ''")
        boxes = page.page.evaluate(BOXES)
        for left, top, right, bottom in boxes:
            assert (left >= 0, top >= 0, right <= width + 0.5, bottom <= height + 0.5) == (True,) * 4, (width, height)
        left, top, right, bottom = boxes[0]
        assert (right - left) % 128 == 0
        assert (right - left, bottom - top) == ((bottom - top) * 2, (right - left) / 2)
        for left, top, right, bottom in boxes[1:]:
            assert min(right - left, bottom - top) >= 44, "large enough for a thumb"


@pytest.mark.long
def test_a_key_is_down_for_as_long_as_a_finger_is_on_it(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    page.page.mouse.move(*page.centre('[data-key="handset.peek"]'))
    page.page.mouse.down()
    felt(table, ("peek", True))
    page.see('[data-key="handset.peek"][data-held]')
    page.page.mouse.move(5, 5)  # a thumb may slide
    page.page.mouse.up()
    felt(table, ("peek", False))
    page.see('[data-key="handset.peek"]:not([data-held])')


def test_a_tap_is_a_press(table: Served, visit: Visit) -> None:
    page = opened(table, visit, touch=True, size=(390, 844))
    for key in ("up", "down", "select", "back", "peek"):
        page.press(f"handset.{key}")
        felt(table, (key, True), (key, False))


def test_the_keyboard_will_do(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    for pressed, key in KEYBOARD.items():
        for _ in range(3):  # as a keyboard repeats what is held
            page.page.keyboard.down(pressed)
        page.page.keyboard.up(pressed)
        felt(table, (key, True), (key, False))
    for shortcut in ("Control+ArrowDown", "Alt+p"):  # they are the browser's
        page.page.keyboard.press(shortcut)
    page.page.keyboard.press("ArrowUp")
    felt(table, ("up", True), ("up", False))


def test_keys_may_be_held_together_and_two_fingers_on_one_are_one_press(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    page.page.keyboard.down("p")
    page.page.keyboard.down("Space")
    page.page.keyboard.up("p")
    page.press("handset.down")
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.up("Space")
    felt(table, ("peek", True), ("down", True), ("down", False), ("up", True), ("up", False), ("peek", False))


@pytest.mark.long
def test_a_key_that_has_the_focus_is_pressed_by_enter_and_space(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    page.page.focus('[data-key="handset.down"]')
    page.page.keyboard.press("Enter")
    page.page.keyboard.press("Space")
    felt(table, ("down", True), ("down", False), ("down", True), ("down", False))


def test_the_settings_open_by_keyboard_and_no_key_of_his_is_pressed(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    for key in ("Enter", "Space"):
        page.page.locator("#settings").focus()
        page.page.keyboard.press(key)
        page.see("#settings-dialog[open]")
        page.page.keyboard.press("Escape")
    page.hear()
    assert keys(table) == []


def test_a_screen_reader_presses_by_a_mere_click_and_peek_stays_until_the_next(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    page.page.evaluate("document.querySelector('[data-key=\"handset.down\"]').click()")
    felt(table, ("down", True), ("down", False))
    for down in (True, False):
        page.page.evaluate("document.querySelector('[data-key=\"handset.peek\"]').click()")
        felt(table, ("peek", down))


def test_a_held_key_goes_up_when_the_page_is_left(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    for how in ("dispatchEvent(new Event('blur'))", "dispatchEvent(new Event('pagehide'))", f"({HIDDEN})(true)"):
        page.page.keyboard.down("p")
        felt(table, ("peek", True))
        page.page.evaluate(how)
        felt(table, ("peek", False))
        page.see('[data-key="handset.peek"]:not([data-held])')
        page.page.keyboard.up("p")


@pytest.mark.long
def test_nothing_of_it_is_to_be_seen_while_the_page_is_in_the_background(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    page.page.evaluate(HIDDEN, True)
    assert page.page.evaluate(LIT) == []
    assert "46" not in page.page.content()
    put(table, "handset", private=True, pixels=CORNERS, lines=["You are at 118"], language="en")
    page.wait("() => true")
    page.page.evaluate(HIDDEN, False)
    page.says("#words", "118")
    assert page.page.evaluate(LIT) == [0, 128 * 64 - 1]
    assert "46" not in page.page.title()


def test_on_a_phone_and_not_on_a_desk_it_is_dark_as_soon_as_something_else_is_in_front(
    table: Served, visit: Visit
) -> None:
    page = opened(table, visit)
    page.page.evaluate("dispatchEvent(new Event('blur'))")
    assert page.page.evaluate(LIT) != []
    page = opened(table, visit, touch=True, size=(390, 844))
    assert page.page.evaluate("matchMedia('(pointer: coarse)').matches")
    page.page.evaluate("dispatchEvent(new Event('blur'))")
    assert page.page.evaluate(LIT) == []
    page.press("handset.up")
    assert page.page.evaluate(LIT) != []


@pytest.mark.long
def test_without_a_line_it_is_dark_and_after_a_restart_it_asks_for_the_code(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    page.excuse(GONE)
    page.page.keyboard.down("p")
    table.server.stop()
    page.says("#line", "trying again")
    assert page.page.evaluate(LIT) == []
    assert page.read("#words") == ""
    page.see('[data-key="handset.peek"]:not([data-held])')
    faint = "all => [...new Set(all.map(one => getComputedStyle(one).opacity))]"
    assert page.page.locator("#keys button").evaluate_all(faint) == ["0.4"]
    assert page.page.locator("button:not(#keys *)").evaluate_all(faint) == ["1"]  # settings can be set all the same
    assert page.page.locator("#settings-dialog .button").evaluate_all(BEFITTING) == []
    again = Server("127.0.0.1", table.port, Idle())
    again.start()
    try:
        page.says("#line", "scan the code")
        assert page.page.evaluate(LIT) == []
    finally:
        again.stop()


def test_a_table_that_goes_silent_is_noticed_and_comes_back(
    table: Served, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(table, visit, clock=True)
    page.page.keyboard.down("p")
    felt(table, ("peek", True))
    monkeypatch.setattr(lines, "SOCKET_TICK", 1e6)  # the line stays open, and nothing comes over it any more
    until(lambda: page.let_pass(100) or page.page.evaluate(DARK_AND_TRYING), "the page to notice")
    page.see('[data-key="handset.peek"]:not([data-held])')
    monkeypatch.undo()
    page.says("#words", "46")
    page.connected()
    page.page.keyboard.up("p")
    page.page.keyboard.press("ArrowUp")
    felt(table, ("up", True), ("up", False))


NEVER_OPENS = """
  globalThis.lines = 0;
  globalThis.WebSocket = class {
    static CONNECTING = 0;
    static OPEN = 1;
    readyState = 0;
    constructor() { globalThis.lines += 1; }
    close() {}
  };
"""


def test_a_line_has_ten_seconds_to_open_before_another_is_tried(table: Served, visit: Visit) -> None:
    page = visit(table.server.url, "spectate", clock=True)
    page.page.add_init_script(NEVER_OPENS)
    page.stop_clock()
    page.page.reload()
    page.wait("() => lines === 1")
    page.let_pass(9_500)
    assert page.page.evaluate("lines") == 1
    page.let_pass(2_000)
    assert page.page.evaluate("lines") == 2


CLOSES = """
  globalThis.lines = 0;
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 0;
    constructor() {
      globalThis.lines += 1;
      globalThis.line = this;
      setTimeout(() => this.onclose({ code: %d, reason: "No seat." }), 10);
    }
    close() {}
  };
"""
"""Every line is closed as soon as it is there."""


@pytest.mark.parametrize(("code", "tried"), [(lines.NOT_ALLOWED, 1), (lines.FULL, 2)])
def test_a_page_that_the_table_has_refused_tries_again_only_where_there_was_no_room(
    table: Served, visit: Visit, code: int, tried: int
) -> None:
    page = visit(table.server.url, "spectate", clock=True)
    page.page.add_init_script(CLOSES % code)
    page.stop_clock()
    page.page.reload()
    page.wait("() => line.onclose")
    page.let_pass(20)
    assert page.read("#line") == "No seat."
    page.let_pass(400)
    assert page.page.evaluate("lines") == tried


@pytest.mark.long
def test_a_table_at_which_nothing_happens_is_not_given_up(
    table: Served, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "SOCKET_TICK", 0.05)
    page = opened(table, visit, clock=True)
    numbers = list(table.server.sessions.open)

    def beats() -> int:
        page.hear()
        return sum('"heard"' in str(said) for said in page.sent)

    for _ in range(5):  # longer than a page waits
        before = beats()
        until(lambda before=before: beats() > before, "a beat")  # type: ignore[misc]
        page.let_pass(1000)
    assert list(table.server.sessions.open) == numbers
    assert page.read("#words") != ""


@pytest.mark.long
def test_a_second_tab_has_nothing_of_the_first(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    assert page.context.cookies() == []
    tab = page.context.new_page()
    tab.goto(f"{table.server.url}handset")
    tab.wait_for_function("() => document.querySelector('#line').textContent.includes('scan the code')")
    assert page.page.evaluate(LIT) != []
    assert page.read("#line") == ""


@pytest.mark.long
def test_a_session_in_two_pages_is_in_the_newer_alone_and_the_older_says_so(table: Served, visit: Visit) -> None:
    page = opened(table, visit)
    session = page.page.evaluate("sessionStorage.getItem('session')")
    tab = page.context.new_page()
    tab.goto(f"{table.server.url}handset")
    tab.evaluate("session => sessionStorage.setItem('session', session)", session)  # as a thief would, or "duplicate"
    tab.reload()
    tab.wait_for_function("() => document.querySelector('#words').textContent.includes('46')")
    page.says("#line", "open in another page")
    assert page.page.evaluate(LIT) == []
    assert page.read("#words") == ""
    page.press("handset.up")
    page.page.reload()  # whoever looks at it last has it
    page.says("#words", "46")
    tab.wait_for_function("() => document.querySelector('#line').textContent.includes('open in another page')")
    assert keys(table) == []


@pytest.mark.long
def test_an_answer_that_is_lost_does_not_use_the_token_up(table: Served, visit: Visit) -> None:
    page = visit(table.server.url, "spectate", clock=True)
    page.excuse("ERR_FAILED|ERR_CONNECTION")
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.page.route("**/handset/session", lose)
    page.page.goto(f"{table.server.url}handset#{table.server.handset_token.new_token()}")
    until(lambda: page.let_pass(500) or page.read("#words").startswith("You are at 46"), "another try")
    assert lost == [200]


def test_a_new_token_will_do_in_the_page_that_is_open_already(table: Served, visit: Visit) -> None:
    page = visit(table.server.url, "handset")
    page.says("#line", "scan the code")
    page.page.evaluate("token => { location.hash = token; }", table.server.handset_token.new_token())
    page.says("#words", "46")
    assert page.page.url == f"{table.server.url}handset"


@pytest.mark.long
def test_a_token_that_was_used_up_does_not_hide_the_session_that_goes_on(table: Served, visit: Visit) -> None:
    token = table.server.handset_token.new_token()
    page = visit(table.server.url, f"handset#{token}")
    page.says("#words", "46")
    page.excuse("status of 403")
    page.page.goto(f"{table.server.url}spectate")
    page.page.goto(f"{table.server.url}handset#{token}")
    page.says("#words", "46")
    assert page.read("#line") == ""
