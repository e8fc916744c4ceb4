"""Who won how often stands above the list of finished games, and nothing where there is none."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.past_games.finished_games import Archive
from firmware_host.system.language import LANGUAGES
from firmware_host.web.feeds.page_orders import AT_REAL_BOARD, PageOrderQueue
from firmware_host.web.server import Server
from tests.journal.random_journals import RULES, config, play, write
from tests.web.chromium import Visitor
from tests.web.message_types import differences


@pytest.fixture
def archive() -> Archive:
    return Archive(config())


@pytest.fixture
def url(archive: Archive) -> Iterator[str]:
    server = Server("127.0.0.1", 0, PageOrderQueue(AT_REAL_BOARD), archive)
    server.start()
    yield server.url
    server.stop()


def evenings(archive: Archive) -> None:
    """Three games are played: two of people, one against a computer."""
    with Journal.open(MEMORY) as journal:
        write(journal, *play("classic", 2, players=3), names={"mr_x": "Ada", "1": "Ben", "2": "<i>Cleo</i>"})
        write(journal, *play("classic", 3, players=3), names={"mr_x": "BEN", "1": "Ada"})
        write(journal, *play("junior", 3, players=2), seats={"mr_x": "hard"}, names={"1": "ada"})
        archive.follow(journal)


def test_the_table_tells_people_computers_and_games(browser: Browser, archive: Archive, url: str) -> None:
    evenings(archive)
    visitor = Visitor(browser, url, "games", size=(390, 844))
    rows = visitor.page.locator("#statistics tbody tr")
    expect(rows.locator("th")).to_have_text(
        ["People", "ada", "BEN", "<i>Cleo</i>", "The computer", "hard", "Games", "Classic", "Junior"]
    )
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    with urllib.request.urlopen(f"{url}games/statistics.json") as answer:  # noqa: S310 - our own address
        said = json.load(answer)
    assert differences(said, "Statistics") == []
    ada = said["people"][0]
    assert (ada["games"], ada["mr_x"]["played"], ada["detectives"]["played"]) == (3, 1, 2)
    visitor.page.get_by_role("link", name="longest").first.click()
    expect(visitor.page).to_have_url(f"{url}games/{ada['longest']['number']}")
    assert not visitor.faults()
    visitor.leave()


@pytest.mark.long
def test_before_the_first_game_the_page_says_what_will_stand_there(browser: Browser, url: str) -> None:
    visitor = Visitor(browser, url, "games")
    expect(visitor.page.locator("#answer")).to_contain_text("who won how often")
    expect(visitor.page.locator("#statistics")).to_be_hidden()
    assert not visitor.faults()
    visitor.leave()


IN_PIECES = """() => [...document.querySelectorAll("#statistics tbody:last-child th[scope=row]")]
  .filter(({ textContent, firstChild }) => firstChild.getClientRects().length > textContent.split(" ").length)
  .map(({ textContent }) => textContent)"""
"""The games' names that are broken elsewhere than between words."""


@pytest.mark.parametrize("code", sorted(LANGUAGES))
@pytest.mark.long
def test_on_a_phone_the_games_names_are_whole_in_every_language(
    browser: Browser, archive: Archive, url: str, code: str
) -> None:
    with Journal.open(MEMORY) as journal:
        for rules in RULES:
            write(journal, *play(rules, 1))
        archive.follow(journal)
    visitor = Visitor(browser, url, "games", size=(390, 844), locale=code)
    expect(visitor.page.locator("#statistics tbody:last-child th[scope=row]")).to_have_count(len(RULES))
    assert visitor.page.evaluate(IN_PIECES) == []
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    visitor.leave()
