"""The end of a game in a real browser: on every page it says how, shows the route, and leads on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.web.server import Server
from tests.web.chromium import Visitor
from tests.web.pictures import a_whole_game, served

GONE = "for (const one of ['share', 'clipboard']) Object.defineProperty(navigator, one, { value: undefined });"
SHARED = """
  Object.defineProperty(navigator, "canShare", { value: () => true });
  Object.defineProperty(navigator, "share", { value: said => (window.shared = said) });
"""
COPIED = """
  delete Navigator.prototype.share;
  Object.defineProperty(navigator, "clipboard", { value: { write: async ([item]) => {
    window.copied = (await item.getType("image/png")).size;
  } } });
"""


@pytest.fixture
def visit(browser: Browser, ended: Server) -> Iterator[Callable[..., Visitor]]:
    """Opens a page of the table at the end of a game; whatever goes wrong there fails the test."""
    visitors: list[Visitor] = []

    def go(path: str = "", *, script: str = "") -> Visitor:
        visitors.append(Visitor(browser, ended.url, "static/colours.css" if script else path))
        if script:
            visitors[-1].excuse("404")
            visitors[-1].page.add_init_script(script)
            visitors[-1].page.goto(ended.url + path)
        return visitors[-1]

    yield go
    faults = [fault for visitor in visitors for fault in visitor.faults()]
    for visitor in visitors:
        visitor.leave()
    assert not faults


@pytest.mark.parametrize("path", ["", "spectate", "detective", "seat"])
def test_every_page_says_how_it_ended_and_draws_the_route(
    visit: Callable[..., Visitor], ended: Server, path: str
) -> None:
    page = visit(f"seat#{ended.handset_token.new_token()}" if path == "seat" else path)
    if path == "seat" and page.page.locator("#look").is_visible():
        page.page.locator("#look[aria-disabled='false'], #look:not([aria-disabled])").click()
    expect(page.page.locator("#end-title")).to_have_text("Caught in round 11 by Blue at 89")
    expect(page.page.locator("#end-title [data-of='blue']")).to_have_text("Blue")
    expect(page.page.locator("#prompt")).to_be_hidden()
    expect(page.page.locator(".journey li")).to_have_count(13)
    expect(page.page.locator(".journey li").last).to_contain_text("89caught")
    expect(page.page.locator("#walked .place .caught[data-of='blue']")).to_have_count(1)
    expect(page.page.locator("#log .station")).to_have_count(13)
    expect(page.page.locator("#look-again")).to_have_attribute("href", "/games/1")
    expect(page.page.locator("#share")).to_be_visible()
    expect(page.page.locator("#again")).to_be_visible(visible=path in ("", "seat"))


def test_badges_and_list_bear_the_rounds_of_which_the_sentence_speaks(visit: Callable[..., Visitor]) -> None:
    """Two double moves: thirteen moves in eleven rounds."""
    page = visit()
    expect(page.page.locator("#end-title")).to_have_text("Caught in round 11 by Blue at 89")
    rows = page.page.locator(".journey .number").all_inner_texts()
    assert rows == ["1", "2", "3", "3", "4", "4", "5", "6", "7", "8", "9", "10", "11"]
    badges = page.page.locator("#walked .badge > text:not(.letter)").all_text_contents()
    assert {"3", "9", "10"} <= set(badges)
    assert max(int(number) for text in badges for number in text.split(", ")) <= 11


def test_without_https_the_picture_is_saved(visit: Callable[..., Visitor]) -> None:
    page = visit(script=GONE)
    with page.page.expect_download() as saved:
        page.page.locator("#share").click()
    assert saved.value.suggested_filename == "yardboard-game-1.png"
    expect(page.page.locator(".shared")).to_have_text("The picture is in your downloads.")


def test_the_devices_menu_gets_the_picture_and_the_sentence(visit: Callable[..., Visitor]) -> None:
    page = visit(script=SHARED)
    page.page.locator("#share").click()
    page.wait("() => window.shared")
    text, kind = page.page.evaluate("[window.shared.text, window.shared.files[0].type]")
    assert (text, kind) == ("Detectives win. Caught in round 11 by Blue at 89.", "image/png")


def test_where_there_is_no_menu_the_picture_is_copied(visit: Callable[..., Visitor]) -> None:
    page = visit(script=COPIED)
    page.page.locator("#share").click()
    expect(page.page.locator(".shared")).to_have_text("The picture is in the clipboard.")
    assert page.page.evaluate("window.copied") > 10_000


@pytest.mark.long_but_first
def test_again_is_one_press_and_clears_the_stage(browser: Browser) -> None:
    with served(a_whole_game("junior", 3)) as server:
        page = Visitor(browser, server.url)
        expect(page.page.locator("#end-title")).to_have_text("Mister X got away, round 10, at 14")
        page.page.locator("#again").click()
        page.wait("() => !document.querySelector('.stage') && !document.body.hasAttribute('data-ended')")
        expect(page.page.locator("#end")).to_be_hidden()
        assert page.faults() == []
        page.leave()
