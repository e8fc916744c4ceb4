"""The line is lost between "Begin" and its answer: the page looks at the game, and drops none that has begun."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.web.feeds.page_orders import PageOrderQueue
from tests.table.cases import Case, shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable, begins
from tests.web.page_table import Pages, all_of

DEAF = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    send.call(this, data);
    if (!data.includes('"new_game"')) return;
    window.deaf = this;
    this.onmessage = null;
  };
}"""
"""From the order on the page is told nothing."""

MUTE = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (!data.includes('"new_game"')) return send.call(this, data);
    WebSocket.prototype.send = send;
    this.close();
  };
}"""
"""The order is lost with the line."""

LOSE = "() => window.deaf.close()"


def games(table: OpenTable) -> int:
    return table.look(lambda p: p.table.journal.newest_begun)


def no_game(_: SimulatedTable) -> None:
    """Nobody has begun anything."""


def ask_on_first_page(page: Visitor) -> None:
    page.click("Around this table")
    page.page.locator("#welcome .game[data-rules='classic']").click()


def ask_in_dialog(page: Visitor) -> None:
    page.see('body[data-phase="play"]')
    page.open_every_option()
    page.click("Begin", exact=True)
    page.click("Drop it and begin")


WAYS = pytest.mark.parametrize("first", [True, False], ids=["first page", "every option"])


def opened(lay: Lay, visit: Visit, *, first: bool) -> tuple[OpenTable, Visitor]:
    begin = no_game if first else begins(Case("classic", 4), [])
    table = lay(shipped("classic"), begin=begin, helped=True)
    page = visit(table.url, size=(800, 600))
    page.see("#welcome[open]" if first else '#prompt:has-text("Mister X moves")')
    return table, page


@WAYS
def test_a_game_that_has_begun_while_the_line_was_lost_is_shown_and_not_dropped(
    lay: Lay, visit: Visit, *, first: bool
) -> None:
    table, page = opened(lay, visit, first=first)
    before = games(table)
    page.page.evaluate(DEAF)
    (ask_on_first_page if first else ask_in_dialog)(page)
    table.until(lambda p: p.table.journal.newest_begun == before + 1, "the game")
    page.page.evaluate(LOSE)
    page.wait("() => !document.querySelector('dialog[open]')")
    page.connected()
    page.see('body[data-phase="play"]')
    assert page.page.get_by_role("alert").filter(has_text="answer").count() == 0
    assert games(table) == before + 1


@WAYS
def test_an_order_that_was_lost_with_the_line_says_so_and_is_asked_again(
    lay: Lay, visit: Visit, *, first: bool
) -> None:
    table, page = opened(lay, visit, first=first)
    before = games(table)
    page.page.evaluate(MUTE)
    (ask_on_first_page if first else ask_in_dialog)(page)
    page.see('dialog[open] [role="alert"]:text("The line was lost, and no game has begun. Try again.")')
    assert games(table) == before
    if first:
        page.page.locator("#welcome .game[data-rules='classic']").click()
    else:
        page.click("Drop it and begin")
    page.wait("() => !document.querySelector('dialog[open]')")
    assert games(table) == before + 1


def test_the_number_of_the_newest_game_outlasts_the_end_of_the_program(tmp_path: Path) -> None:
    told = []
    for _ in range(2):
        simulated = SimulatedTable(journal=tmp_path / "journal.sqlite")
        pages = Pages()
        session = BrowserSession(simulated, PageOrderQueue(), pages)
        session.turn()
        told.append(json.loads(all_of(pages.public)["table"])["begun"])
        simulated.new_game()
        session.turn()
        told.append(json.loads(all_of(pages.public)["table"])["begun"])
        simulated.close()
    assert told == [0, 1, 1, 2]
