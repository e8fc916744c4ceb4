"""Bring every page and dialog into a state with something to look at."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from firmware_host.web.server import Server

Look = Callable[[Page, Server], None]


def press_icon(page: Page, name: str) -> None:
    """Press an icon of the menu, which is behind a button on a phone."""
    more = page.locator("#more")
    if more.count() and more.is_visible():
        more.click()
    page.get_by_role("button", name=name).first.click()


def open_by(name: str, settled: str = "dialog[open]") -> Look:
    """Return a function that opens a dialog by its button."""

    def look(page: Page, _: Server) -> None:
        press_icon(page, name)
        page.wait_for_selector(settled)

    return look


def ready(selector: str) -> Look:
    """Return a function that waits until a page shows its content."""

    def look(page: Page, _: Server) -> None:
        page.wait_for_selector(selector, state="attached")

    return look


def choose_a_game(page: Page, _: Server) -> None:
    press_icon(page, "New game")
    page.get_by_role("button", name="Chase Mister X").click()
    page.wait_for_selector(".games")


def settings_first(page: Page, _: Server) -> None:
    press_icon(page, "New game")
    page.locator("#welcome").get_by_role("button", name="Settings").click()
    page.wait_for_selector("#settings-dialog[open]")


def choose_every_option(page: Page, _: Server) -> None:
    press_icon(page, "New game")
    page.get_by_role("button", name="Around this table").click()
    page.get_by_role("button", name="Every option").click()
    page.wait_for_selector("#newgame[open]")


def join_by_phone(page: Page, _: Server) -> None:
    press_icon(page, "New game")
    page.get_by_role("button", name="Join by phone").click()


def break_something(page: Page, _: Server) -> None:
    press_icon(page, "Help")
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
"""The dialogs over the table."""
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
    "lesson of Mister X": ("tutorial_mr_x", ready("body[data-open]")),
    "on this device": ("install", ready("#kept:not(:text('One moment'))")),
    "away": ("offline", ready("h1")),
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
