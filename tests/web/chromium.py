"""Debian's Chromium, headless, and users in front of it: they drag pawns, press keys, and notice errors."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import dist
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserType, Page, Request, WebSocket, expect, sync_playwright

LIMIT = 60_000
"""Milliseconds that any step may take, also on a busy machine."""

SOON = 60_000
"""Milliseconds until a page's clock stops, which pass at once, because it can only be stopped in the future."""

expect.set_options(timeout=LIMIT)

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The names to try, in this order. The shell has no window to draw, and takes a third of the time."""

LARGE, SMALL = (1440, 900), (1280, 720)
"""Two window sizes of the pages. Long tests use the larger one; in the smaller one there is less to draw."""

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

WATCH = (
    "addEventListener('securitypolicyviolation', e => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`));"
)

REFUSED = "ERR_CONNECTION_REFUSED"
"""Chromium's message about a server that does not run. The page reports this itself, so it is not an error."""

GONE = "WebSocket connection|ERR_CONNECTION_RESET"
"""Chromium's messages about a table that ends before its page. A test in which that happens excuses them."""

TICKETS_NEAR = 120
"""Pixels from the tapped station within which every button begins."""

TICKETS = """() => [...document.querySelectorAll("#by-ticket button")].map(one => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const on = document.elementFromPoint(x + width / 2, y + height / 2);
  return [x, y, width, height, one.contains(on)];
})"""
"""A script that returns place and size of each button of the question, and whether a finger can hit it."""

CENTRE = """async selector => {
  for (let before = ""; ;) {
    const found = document.querySelector(selector);
    if (!found) return null;
    found.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { x, y, width, height } = found.getBoundingClientRect();
    if (before === (before = `${x} ${y} ${width} ${height}`)) return [x + width / 2, y + height / 2];
    await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }
}"""
"""A script that returns the place of an element once it has not moved for two frames."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a new Chromium. Others are `launched` from it.

    It is found on the path, or under the name in CHROMIUM. Without a Chromium, the test fails.
    """
    with sync_playwright() as playwright, launched(playwright.chromium) as browser:
        yield browser


@contextmanager
def launched(kind: BrowserType, *more: str) -> Iterator[Browser]:
    """Yield a browser with the usual arguments, and perhaps more."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.fail(
            "there is no Chromium; on Debian: apt install chromium-headless-shell; elsewhere set CHROMIUM to its path"
        )
    browser = kind.launch(executable_path=program, args=[*ARGUMENTS, *more])
    try:
        yield browser
    finally:
        browser.close()


class Visitor:
    """A user in front of a page in a new browser. All errors and all received messages are recorded.

    Args:
        browser: the browser.
        home: the address of the table; a request to anywhere else is a fault.
        path: the page.
        touch: whether the screen is a touch screen.
        size: width and height of the window.
        calm: whether to ask for reduced motion, because blinking lamps are most of a page's work.
        clock: whether the page's time can pass at once; see `let_pass`.
        locale: the language and country that the browser asks for.
    """

    def __init__(
        self,
        browser: Browser,
        home: str,
        path: str = "",
        *,
        touch: bool = False,
        size: tuple[int, int] = LARGE,
        calm: bool = True,
        clock: bool = False,
        locale: str = "en-US",
    ) -> None:
        width, height = size
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            locale=locale,
            reduced_motion="reduce" if calm else "no-preference",
        )
        self.context.set_default_timeout(LIMIT)
        self.context.add_init_script(WATCH)
        self.page: Page = self.context.new_page()
        self.home, self.touch = home, touch
        self.complaints: list[str] = []
        self.frames: list[str | bytes] = []
        self.sent: list[str | bytes] = []
        self._requests: list[Request] = []
        self._excused = [REFUSED]
        self._listen(self.page)
        if clock:
            self.page.clock.install()
        self.page.goto(home + path)

    def _listen(self, page: Page) -> None:
        page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("crash", lambda _: self.complaints.append("the page crashed"))
        page.on("request", lambda request: self._check(request.url))
        page.on("requestfinished", lambda request: self._requests.append(request))  # noqa: PLW0108 - not a builtin
        page.on("websocket", self._line)

    def _line(self, line: WebSocket) -> None:
        self._check(line.url)
        line.on("framereceived", lambda frame: self.frames.append(frame))  # noqa: PLW0108 - the same
        line.on("framesent", lambda frame: self.sent.append(frame))  # noqa: PLW0108 - the same

    def _check(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.home).netloc:
            self.complaints.append(f"a request to {url}")

    # ---- what is right and wrong ----

    def excuse(self, pattern: str) -> None:
        """Expect errors that match this pattern from now on."""
        self._excused.append(pattern)

    def faults(self) -> list[str]:
        """Return the errors of this page."""
        self.hear()
        return [text for text in self.complaints if not any(re.search(one, text) for one in self._excused)]

    def let_pass(self, ms: int) -> None:
        """Let `ms` milliseconds pass for the page at once, with everything that its clock triggers."""
        self.page.clock.run_for(ms)

    def stop_clock(self) -> None:
        """Stop the page's clock, so that only `let_pass` advances it, and a busy machine does not."""
        self.page.clock.pause_at((self.page.evaluate("Date.now()") + SOON) / 1000)

    def hear(self) -> None:
        """Put everything that the page has received so far into its lists."""
        self.page.evaluate("0")

    def bodies(self, *, but: str = "$.") -> list[str]:
        """Return what this page has loaded, without addresses that match `but`: address, headers and body of each."""
        responses = [request.response() for request in self._requests if not re.search(but, request.url)]
        return [
            f"{response.url} {response.headers} {response.body().decode('utf-8', 'replace') if response.ok else ''}"
            for response in responses
            if response is not None
        ]

    def received(self) -> str:
        """Return all that this page has received, over its line and otherwise."""
        frames = [frame if isinstance(frame, str) else frame.hex(" ") for frame in self.frames]
        return "\n".join([*frames, *self.bodies()])

    def leave(self) -> None:
        """Close the browser's window."""
        self.context.close()

    # ---- what is to be seen ----

    def see(self, selector: str, **state: Any) -> None:
        """Wait until an element is on the page."""
        self.page.wait_for_selector(selector, **{"state": "attached", **state})

    def type_station(self, station: int) -> None:
        """Type a station's number until it has the focus, because slow digits count as separate numbers."""
        for _ in range(20):
            self.page.keyboard.type(str(station))
            if self.page.evaluate("document.activeElement.dataset.station") == str(station):
                return
            self.page.wait_for_timeout(1600)
        raise AssertionError(f"station {station} never gets the focus")

    def read(self, selector: str) -> str:
        """Return the text of an element."""
        return self.page.locator(selector).inner_text()

    def wait(self, so: str, argument: Any = None) -> None:
        """Wait until a function in the page returns a true value."""
        self.page.wait_for_function(so, arg=argument)

    def says(self, selector: str, words: str) -> None:
        """Wait until an element of the page has this text."""
        self.wait("([at, words]) => document.querySelector(at)?.textContent.includes(words)", [selector, words])

    def connected(self) -> None:
        """Wait until the page has a line to the table."""
        self.wait("() => document.querySelector('#line')?.textContent === ''")

    def box(self, selector: str) -> tuple[float, float, float, float]:
        """Return the box of an element in the window: left, top, width and height."""
        found = self.page.locator(selector).bounding_box()
        assert found is not None, f"{selector} is not to be seen"
        return found["x"], found["y"], found["width"], found["height"]

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.page.set_viewport_size({"width": width, "height": height})

    def settle(self) -> None:
        """Wait until the fonts are loaded and two frames are drawn."""
        self.page.evaluate("document.fonts.ready.then(() => null)")
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def centre(self, selector: str) -> tuple[float, float]:
        """Return the middle of an element in the window. Scroll to it if necessary."""
        self.see(selector)
        x, y = self.page.evaluate(CENTRE, selector)
        return x, y

    # ---- what hands do ----

    def tap(self, selector: str) -> None:
        """Press an element with the mouse or a finger."""
        x, y = self.centre(selector)
        self.page.touchscreen.tap(x, y) if self.touch else self.page.mouse.click(x, y)

    def click(self, name: str, *, exact: bool = False) -> None:
        """Press the button of this name."""
        self.page.get_by_role("button", name=name, exact=exact).click()

    def choose(self, *choices: str) -> None:
        """Make choices in the settings, and close them."""
        self.click("Settings")
        for choice in choices:
            self.page.get_by_label(choice).check()
        self.page.keyboard.press("Escape")

    def drag(self, pawn: str, to: int) -> None:
        """Drag a pawn from anywhere to a station."""
        self.carry(pawn, f'[data-station="{to}"]')
        self.see(f'[data-pawn="{pawn}"][data-at="{to}"]')

    def open_menu(self) -> None:
        """Show the row of icons, if it is behind a button."""
        more = self.page.locator("#more")
        if more.is_visible() and not self.page.locator("#menu").is_visible():
            more.click()

    def break_something(self) -> None:
        """Open the help, and in it the panel to break things."""
        self.open_menu()
        self.page.get_by_role("button", name="Help").click()
        self.page.locator("#faults summary").click()

    def open_every_option(self) -> None:
        """Open the dialog with every option of a new game, from the first page."""
        self.open_menu()
        for name in ("New game", "Around this table", "Every option"):
            self.click(name)

    def put_away(self, pawn: str) -> None:
        """Drag a pawn off the board, into the box."""
        self.carry(pawn, "#box")

    def carry(self, pawn: str, to: str) -> None:
        """Drag a pawn from anywhere to an element of the page."""
        self.centre(to)  # scrolled to first: it must be in the window when the pawn is in the hand
        start, end = self.centre(f'[data-pawn="{pawn}"]'), self.centre(to)
        if self.touch:
            self._finger(start, end)
            return
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end)
        mouse.up()

    def _finger(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        session = self.context.new_cdp_session(self.page)
        for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
            touched = [{"x": x, "y": y} for x, y in points]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
        session.detach()

    def press(self, key: str) -> None:
        """Press a key that the page shows: "table.confirm", "handset.up"."""
        button = f'button[data-key="{key}"]'
        x, y = self.centre(button)
        if self.touch:
            self.page.touchscreen.tap(x, y)
            return
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.up()


def check_tickets_at(page: Visitor, station: int) -> None:
    """Check that every button is near the station, in the window, high enough, and covers neither it nor another."""
    wide, high = page.page.viewport_size.values()  # type: ignore[union-attr]
    at = page.centre(f"#board [data-station='{station}']")
    buttons = page.page.evaluate(TICKETS)
    assert len(buttons) >= 2
    for x, y, width, height, hit in buttons:
        assert 0 <= x <= x + width <= wide
        assert 0 <= y <= y + height <= high
        assert min(width, height) >= 43.9
        assert hit
        nearest = min(max(at[0], x), x + width), min(max(at[1], y), y + height)
        assert 0 < dist(at, nearest) <= TICKETS_NEAR, (at, nearest, dist(at, nearest))


Visit = Callable[..., Visitor]
"""Opens a page for a user; see `Visitor`."""


@contextmanager
def visits(browser: Browser, size: tuple[int, int] = LARGE) -> Iterator[Visit]:
    """Yield a function that opens pages, by default in a window of this size. An error of a page fails the test."""
    visitors: list[Visitor] = []

    def go(home: str, path: str = "", **kind: Any) -> Visitor:
        visitors.append(Visitor(browser, home, path, **{"size": size, **kind}))
        return visitors[-1]

    try:
        yield go
        faults = [fault for visitor in visitors for fault in visitor.faults()]
    finally:
        for visitor in visitors:
            visitor.leave()
    assert not faults, "\n".join(faults)
