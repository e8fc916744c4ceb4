"""What axe-core or a screen reader finds fault with, on every page, with every dialog open, in every look: nothing.

What lies behind a dialog is looked at where none lies over it. `make test-all` adds the other looks.
axe-core is pinned beside the other tools of JavaScript and is never shipped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize

from firmware_host.web.server import Server
from tests.amount import amount
from tests.web.chromium import LIMIT
from tests.web.open_table import Lay, red_to_move
from tests.web.page_states import DIALOGS, ENDED, IN_PLAY

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
LOOKS = amount(("day", "night"), tuple(ALL_LOOKS))
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

CLOSE = "document.querySelectorAll('dialog[open]').forEach(dialog => dialog.close())"


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
    page.route("**/offline.html", refuse_to_say_whether_it_is_there)
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
@pytest.mark.long
def test_axe_finds_no_fault_with_a_dialog_in_any_look(table_page: Page, playing: Server, dialog: str) -> None:
    DIALOGS[dialog](table_page, playing)
    found = findings(table_page)
    table_page.set_viewport_size(DESKTOP)
    table_page.evaluate(CLOSE)
    assert not found, found


@pytest.mark.parametrize("state", IN_PLAY)
@pytest.mark.long_but_first
def test_axe_finds_no_fault_with_a_page_in_play_in_any_look(browser: Browser, playing: Server, state: str) -> None:
    path, look = IN_PLAY[state]
    with opened(browser, playing, path) as page:
        look(page, playing)
        found = findings(page)
    assert not found, found


@pytest.mark.parametrize("state", ENDED)
@pytest.mark.long
def test_axe_finds_no_fault_with_a_page_of_what_is_over_in_any_look(
    browser: Browser, ended: Server, state: str
) -> None:
    path, look = ENDED[state]
    with opened(browser, ended, path) as page:
        look(page, ended)
        found = findings(page)
    assert not found, found


@pytest.mark.long
def test_axe_finds_no_fault_with_a_ticket_question_in_any_look(browser: Browser, lay: Lay) -> None:
    with opened(browser, red_to_move(lay).server) as page:
        for station in (74, 58):
            page.locator(f"[data-station='{station}']").focus()
            page.keyboard.press("Enter")
        page.wait_for_selector("#by-ticket .not-there:visible")
        found = findings(page)
    assert not found, found


STATES = {**{name: ("", look) for name, look in DIALOGS.items()}, **IN_PLAY, **ENDED}
FEW = ("what can go wrong", "detective", "replay")
CONTROLS = frozenset((
    "button", "checkbox", "combobox", "DisclosureTriangle", "link", "listbox", "menuitem", "radio", "searchbox",
    "slider", "spinbutton", "switch", "tab", "textbox",
))  # fmt: skip
"""What can be pressed, chosen or filled in, as Chromium calls it."""
LANDMARKS = frozenset(("complementary", "main", "navigation", "region", "search"))
IMAGES = frozenset(("image", "img"))


def read_aloud(page: Page) -> list[tuple[str, str, int]]:
    """What a screen reader finds on a page, in order: role, name, and the level of a heading."""
    session = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}
    session.detach()
    found, waiting = [], [next(iter(nodes))]
    while waiting:
        node = nodes[waiting.pop()]
        waiting += [child for child in reversed(node.get("childIds", ())) if child in nodes]
        if not node["ignored"]:
            level = next((one["value"]["value"] for one in node.get("properties", ()) if one["name"] == "level"), 0)
            found.append((node["role"]["value"], node.get("name", {}).get("value", "").strip(), level))
    return found


def wrong_names(page: Page) -> list[str]:
    """What a screen reader cannot name or tell apart, and headings, landmarks and languages that are not right."""
    found = read_aloud(page)
    named = Counter((role, name) for role, name, _ in found if role in CONTROLS | LANDMARKS)
    wrong = [f"{count} times {role} {name!r}" for (role, name), count in named.items() if count > 1]
    wrong += [f"{role} without a name" for role, name in named if not name and role != "main"]
    wrong += [f"{role} without a name" for role, name, _ in found if role in IMAGES and not name]
    over = page.locator("dialog[open]").count()  # all behind it is inert
    roles = Counter(role for role, *_ in found)
    wrong += [f"{roles['main']} times main"] if roles["main"] != 1 - bool(over) else []
    levels = [level for role, _, level in found if role == "heading"]
    before = [1 if over else 0, *levels]
    wrong += [f"heading {two} after heading {one}" for one, two in zip(before, levels, strict=False) if two > one + 1]
    language = page.evaluate("document.documentElement.lang")
    return wrong if language == "en" else [*wrong, f"the language {language!r}"]


@pytest.mark.parametrize("state", amount(FEW, tuple(STATES)))
def test_a_screen_reader_has_a_name_of_its_own_for_everything_on_a_page(
    browser: Browser, playing: Server, ended: Server, state: str
) -> None:
    path, look = STATES[state]
    server = ended if state in ENDED else playing
    with opened(browser, server, path) as page:
        look(page, server)
        assert wrong_names(page) == []
