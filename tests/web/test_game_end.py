"""The end of a game in a real browser: on every page it says how, shows the route, and leads on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from firmware_host.web.server import Server
from tests.web.chromium import GONE as GONE_TABLE
from tests.web.chromium import Visit
from tests.web.pictures import a_whole_game, served

SHARED = """() => {
  const set = (name, value) => Object.defineProperty(navigator, name, { value, configurable: true });
  set("canShare", () => true);
  set("share", said => (window.shared = said));
}"""
COPIED = """() => {
  delete navigator.share;
  delete Navigator.prototype.share;
  const write = async ([item]) => (window.copied = (await item.getType("image/png")).size);
  Object.defineProperty(navigator, "clipboard", { value: { write }, configurable: true });
}"""
GONE = "() => void Object.defineProperty(navigator, 'clipboard', { value: undefined })"


@pytest.fixture
def at_end(visit: Visit, ended: Server) -> Visit:
    """Opens a page of the table at the end of a game."""
    return lambda path="": visit(ended.url, path)


@pytest.mark.parametrize("path", ["", "spectate", "detective", "seat"])
def test_every_page_says_how_it_ended_and_draws_the_route(at_end: Visit, ended: Server, path: str) -> None:
    page = at_end(f"seat#{ended.handset_token.new_token()}" if path == "seat" else path)
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


def test_badges_and_list_bear_the_rounds_of_which_the_sentence_speaks(at_end: Visit) -> None:
    """Two double moves: thirteen moves in eleven rounds."""
    page = at_end()
    expect(page.page.locator("#end-title")).to_have_text("Caught in round 11 by Blue at 89")
    rows = ["1", "2", "3", "3", "4", "4", "5", "6", "7", "8", "9", "10", "11"]
    expect(page.page.locator(".journey .number")).to_have_text(rows)
    badges = page.page.locator("#walked .badge > text:not(.letter)").all_text_contents()
    assert {"3", "9", "10"} <= set(badges)
    assert max(int(number) for text in badges for number in text.split(", ")) <= 11


def test_the_picture_is_shared_copied_or_saved_whatever_the_device_can_do(at_end: Visit) -> None:
    page = at_end()
    page.page.evaluate(SHARED)
    page.page.locator("#share").click()
    page.wait("() => window.shared")
    said = page.page.evaluate("[window.shared.text, window.shared.files[0].type]")
    assert said == ["Detectives win. Caught in round 11 by Blue at 89.", "image/png"]
    page.page.evaluate(COPIED)
    page.page.locator("#share").click()
    expect(page.page.locator(".shared")).to_have_text("The picture is in the clipboard.")
    assert page.page.evaluate("window.copied") > 10_000
    page.page.evaluate(GONE)  # plain http
    with page.page.expect_download() as saved:
        page.page.locator("#share").click()
    assert saved.value.suggested_filename == "yardboard-game-1.png"
    expect(page.page.locator(".shared")).to_have_text("The picture is in your downloads.")


@pytest.mark.long_but_first
def test_again_is_one_press_and_clears_the_stage(visit: Visit) -> None:
    with served(a_whole_game("junior", 3)) as server:
        page = visit(server.url)
        page.excuse(GONE_TABLE)
        expect(page.page.locator("#end-title")).to_have_text("Mister X got away, round 10, at 14")
        page.page.locator("#again").click()
        page.wait("() => !document.querySelector('.stage') && !document.body.hasAttribute('data-ended')")
        expect(page.page.locator("#end")).to_be_hidden()
