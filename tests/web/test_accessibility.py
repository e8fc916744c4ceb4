"""What axe-core finds fault with, on every page, with every dialog open, in every kind of look: nothing.

What lies behind a dialog is looked at where none lies over it. `make test-all` adds the other looks.
axe-core is pinned beside the other tools of JavaScript and is never shipped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize

from firmware_host.web.server import Server
from tests.amount import amount
from tests.web.chromium import LIMIT
from tests.web.pictures import a_whole_game, served, some_moves

AXE = Path(__file__).parents[1] / "tools" / "javascript" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async ([rules, board]) => {
  const dialog = document.querySelector('dialog[open]') ? { include: [['dialog[open]']] } : {};
  const part = board ? dialog : { ...dialog, exclude: [['#paper']] };
  const looked = await axe.run(Object.keys(part).length ? part : document, { resultTypes: ['violations'], ...rules });
  return looked.violations;
}"""
ALL: dict[str, object] = {}
COLOURS = {"runOnly": ["color-contrast"]}
"""What is looked at again in each look, but for what is drawn; all else is the same in all of them."""
ALL_LOOKS = {
    "day": {"look": "day", "palette": "usual", "contrast": "device"},
    "night": {"look": "night", "palette": "usual"},
    "colour-blind by day": {"look": "day", "palette": "colour-blind"},
    "colour-blind by night": {"look": "night", "palette": "colour-blind"},
    "high contrast by day": {"look": "day", "palette": "usual", "contrast": "high"},
    "high contrast by night": {"look": "night", "palette": "usual", "contrast": "high"},
}
LOOKS = amount(("day", "night", "colour-blind by day", "high contrast by night"), tuple(ALL_LOOKS))
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
LOOKED_AT = [
    ("day", PHONE, ALL, False),
    *((look, DESKTOP, ALL, True) if look == "day" else (look, DESKTOP, COLOURS, False) for look in LOOKS),
]
"""Looks, sizes, rules, and whether the board is looked at: it is the same on a phone, and drawn in each look alike."""
KEEP = "kept => Object.entries(kept).forEach(([name, value]) => localStorage.setItem('yardboard-' + name, value))"

DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A page that has another size or look has placed itself anew."""

Look = Callable[[Page, Server], None]


def open_by(name: str, settled: str = "dialog[open]") -> Look:
    """Open a dialog by the button that says so."""

    def look(page: Page, _: Server) -> None:
        page.get_by_role("button", name=name).first.click()
        page.wait_for_selector(settled)

    return look


def ready(selector: str) -> Look:
    """Wait until a page shows what it is for."""

    def look(page: Page, _: Server) -> None:
        page.wait_for_selector(selector, state="attached")

    return look


def choose_a_game(page: Page, _: Server) -> None:
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Chase Mister X").click()
    page.wait_for_selector(".games")


def settings_first(page: Page, _: Server) -> None:
    page.get_by_role("button", name="New game").click()
    page.locator("#welcome").get_by_role("button", name="Settings").click()
    page.wait_for_selector("#settings-dialog[open]")


def choose_every_option(page: Page, _: Server) -> None:
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Around this table").click()
    page.get_by_role("button", name="Every option").click()
    page.wait_for_selector("#newgame[open]")


def join_by_phone(page: Page, _: Server) -> None:
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Join by phone").click()


def break_something(page: Page, _: Server) -> None:
    page.locator("#faults summary").click()


def uncover(page: Page, _: Server) -> None:
    page.click("#look")
    page.wait_for_selector("body[data-open]")


def take_a_seat(page: Page, _: Server) -> None:
    page.locator("#seats .button").first.click()
    page.wait_for_selector("#own .button")


def take_a_seat_over(page: Page, server: Server) -> None:
    assert page.context.browser
    other = page.context.browser.new_context()
    phone = other.new_page()
    phone.goto(f"{server.url}detective")
    take_a_seat(phone, server)
    page.wait_for_selector("#seats small:has-text('plays on another phone')")
    page.locator("#seats .button").first.click()
    page.wait_for_selector("#seats .main")
    other.close()


def uncover_lesson(page: Page, server: Server) -> None:
    page.wait_for_selector("#lesson .words:has-text('Press “Look”')")
    uncover(page, server)


def disconnect(page: Page, _: Server) -> None:
    page.wait_for_selector("#turn:not(:empty)", state="attached")
    page.evaluate("document.querySelector('#line').textContent = 'The table does not answer; trying again…'")
    page.evaluate("document.querySelector('#refused').textContent = 'Red cannot go there.'")


def on_television(page: Page, _: Server) -> None:
    page.wait_for_selector("#log .window", state="attached")
    page.evaluate("localStorage.setItem('yardboard-television', 'always'); dispatchEvent(new Event('storage'))")


def show_the_end(page: Page, _: Server) -> None:
    page.wait_for_selector("#timeline button")
    page.keyboard.press("End")


DIALOGS: dict[str, Look] = {
    "first page": open_by("New game", "#welcome[open]"),
    "settings over the first page": settings_first,
    "games to choose": choose_a_game,
    "every option": choose_every_option,
    "join by phone": join_by_phone,
    "rules": open_by("Rules"),
    "help": open_by("Help"),
    "settings": open_by("Settings"),
}
"""What opens over the table."""
IN_PLAY: dict[str, tuple[str, Look]] = {
    "table": ("", ready("#log .window")),
    "what can go wrong": ("", break_something),
    "refusal and lost line": ("", disconnect),
    "spectators": ("spectate", ready("#log .window")),
    "join by phone, looking on": ("spectate", open_by("Join by phone", "#join .invitation a")),
    "detective without a seat": ("detective", ready("#seats .button")),
    "detective": ("detective", take_a_seat),
    "seat of another phone": ("detective", take_a_seat_over),
    "cover": ("seat", ready("#line:empty")),
    "seat": ("seat", uncover),
    "lesson": ("tutorial", ready("#lesson .words:not(:empty)")),
    "lesson of Mister X": ("tutorial_mr_x", ready("#line:empty")),
    "open lesson of Mister X": ("tutorial_mr_x", uncover_lesson),
    "on this device": ("install", ready("#kept:not(:text('One moment'))")),
    "away": ("static/away.html", ready("h1")),
    "television": ("spectate", on_television),
    "handset": ("handset", ready("#line:empty")),
    "settings of the handset": ("handset", open_by("Settings")),
}
ENDED: dict[str, tuple[str, Look]] = {
    "table at the end": ("", ready("#log .window")),
    "past games": ("games", ready("#games > li")),
    "replay": ("games/1", show_the_end),
    "no such game": ("games/99", ready("#answer:text('99')")),
}
CLOSE = "document.querySelectorAll('dialog[open]').forEach(dialog => dialog.close())"


@pytest.fixture(scope="module")
def playing() -> Iterator[Server]:
    with served(some_moves("classic", 3, 34)) as server:
        yield server


@pytest.fixture(scope="module")
def ended() -> Iterator[Server]:
    with served(a_whole_game("classic", 4)) as server:
        yield server


def refuse_to_say_whether_it_is_there(route: Route) -> None:
    """The page that says that the table is away asks for it again and again, and would leave."""
    route.abort() if route.request.method == "HEAD" else route.continue_()


@contextmanager
def opened(browser: Browser, server: Server, path: str = "") -> Iterator[Page]:
    """A page of its own, with axe in it."""
    if not AXE.exists():
        pytest.fail(f"{AXE} is not there; `make lint` installs it")
    # The policy of the pages lets no script in but their own, and axe is none of them.
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce", bypass_csp=True)
    context.set_default_timeout(LIMIT)
    page = context.new_page()
    page.route("**/away.html", refuse_to_say_whether_it_is_there)
    secret = f"#{server.handset_token.new_token()}" if path in ("seat", "handset") else ""
    page.goto(f"{server.url}{path}{secret}")
    if not path:
        page.wait_for_selector("#log .window", state="attached")  # how the table stands is known
    page.add_script_tag(path=AXE)
    yield page
    context.close()


def findings(page: Page) -> str:
    """What is wrong at a page in any look, at any size: look, width, rule, where and why; empty if nothing is."""
    found: list[Any] = []
    for look, size, rules, board in LOOKED_AT:
        page.set_viewport_size(size)
        page.evaluate(KEEP, ALL_LOOKS[look])
        page.evaluate("dispatchEvent(new Event('storage'))")
        page.evaluate(DRAWN)
        for fault in page.evaluate(RUN, [rules, board]):
            nodes = [(node["target"], node["failureSummary"]) for node in fault["nodes"]]
            found.append((look, size["width"], fault["id"], nodes))
    return json.dumps(found, indent=1) if found else ""


@pytest.fixture(scope="module")
def table_page(browser: Browser, playing: Server) -> Iterator[Page]:
    """The table's page, over which one dialog after another is opened."""
    with opened(browser, playing) as page:
        yield page


@pytest.mark.parametrize("dialog", DIALOGS)
def test_axe_finds_no_fault_with_a_dialog_in_any_look(table_page: Page, playing: Server, dialog: str) -> None:
    DIALOGS[dialog](table_page, playing)
    found = findings(table_page)
    table_page.set_viewport_size(DESKTOP)
    table_page.evaluate(CLOSE)
    assert not found, found


@pytest.mark.parametrize("state", IN_PLAY)
def test_axe_finds_no_fault_with_a_page_in_play_in_any_look(browser: Browser, playing: Server, state: str) -> None:
    path, look = IN_PLAY[state]
    with opened(browser, playing, path) as page:
        look(page, playing)
        found = findings(page)
    assert not found, found


@pytest.mark.parametrize("state", ENDED)
def test_axe_finds_no_fault_with_a_page_of_what_is_over_in_any_look(
    browser: Browser, ended: Server, state: str
) -> None:
    path, look = ENDED[state]
    with opened(browser, ended, path) as page:
        look(page, ended)
        found = findings(page)
    assert not found, found
