"""Pages at the table's address in the network: plain http, which browsers trust with less than their own machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from firmware_host.web.server import Server
from tests.web.chromium import Visitor, launched
from tests.web.served import served

NETWORK = "192.0.2.77"
"""An address that stands for that of the table in a network."""


@pytest.fixture(scope="module")
def elsewhere(browser: Browser) -> Iterator[Browser]:
    """The browser of another machine, by whose network the table is reached."""
    with launched(browser.browser_type, f"--host-resolver-rules=MAP {NETWORK} 127.0.0.1") as other:
        yield other


@pytest.fixture
def page(elsewhere: Browser, playing: Server) -> Iterator[Visitor]:
    """A page at the table's address in a network; whatever goes wrong there fails the test."""
    visitor = Visitor(elsewhere, f"http://{NETWORK}:{playing.port}/")
    yield visitor
    faults = visitor.faults()
    visitor.leave()
    assert faults == []


def test_no_page_writes_an_error_at_an_address_in_the_network(page: Visitor) -> None:
    for path in ("", "spectate", "detective", "seat", "handset", "games", "install", "tutorial", "tutorial_mr_x"):
        page.page.goto(page.home + path)
        page.wait("() => document.querySelector('main')?.textContent !== '' && document.readyState === 'complete'")
        assert not page.page.evaluate("isSecureContext")


def test_the_address_for_phones_can_be_copied_without_a_clipboard(page: Visitor) -> None:
    link = {"link": "http://192.0.2.7:8199/detective", "code": ["101", "010", "101"], "here": False, "opens": False}
    page.page.route("**/detective/link", lambda route: route.fulfill(json=link))
    page.page.reload()
    page.click("New game")
    page.page.keyboard.press("4")
    page.click("Copy")
    page.wait("() => /Copied|Marked/.test(document.querySelector('.address').textContent)")
    assert page.page.evaluate("String(getSelection())").strip() == link["link"]


def test_a_page_is_shut_off_from_those_that_opened_it_where_browsers_hold_to_that() -> None:
    with served() as table:
        _, trusted, _ = table.fetch("/spectate", **{"sec-fetch-mode": "navigate"})
        _, plain, _ = table.fetch("/spectate")
    assert trusted["cross-origin-opener-policy"] == "same-origin"
    assert "cross-origin-opener-policy" not in plain
