"""The lessons: by mouse, touch and keyboard alone; they react to what is done, and never touch the table's game."""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import ExitStack, suppress
from threading import Thread

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from firmware_host.simulator.tutorial_tables import MOST
from firmware_host.web.feeds.websocket_session import FOREIGN
from tests.amount import amount
from tests.table.cases import shipped
from tests.waiting import until
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable
from tests.web.served import farewell, hear

PHONE = {"size": (390, 844), "touch": True}
CUT = """() => {
  const head = document.querySelector("#head").getBoundingClientRect();
  const ways = [...document.querySelectorAll("#lesson .ends > *")];
  return ways.filter(way => way.getBoundingClientRect().bottom > head.bottom).map(way => way.textContent);
}"""
"""The ways on after the lesson that are cut off by what is below the head."""
BESIDE = "() => document.documentElement.scrollWidth - innerWidth"


def table(lay: Lay) -> OpenTable:
    return lay(shipped("classic"), helped=True)


def keep_reading(line: ClientConnection) -> None:
    """Take whatever comes, as a page does: the table gives up a line on which nothing is taken for long."""

    def read() -> None:
        with suppress(ConnectionClosed):
            deque(line, 0)

    Thread(target=read, daemon=True).start()


def says(page: Visitor, words: str) -> None:
    """The lesson says what to do next."""
    expect(page.page.locator("#lesson .words")).to_contain_text(words, timeout=60_000)


def reacts(page: Visitor, words: str) -> None:
    """The lesson says what has come of what was done."""
    expect(page.page.locator("#lesson .answer")).to_contain_text(words, timeout=60_000)


def seen_on(page: Visitor) -> int:
    """Where Mister X has shown himself, as the lesson says."""
    says(page, "There he is")
    found = re.search(r"on (\d+), for all", page.read("#lesson .words"))
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("screen", amount([PHONE], [{}, PHONE]), ids=amount(["touch"], ["mouse", "touch"]))
@pytest.mark.long
def test_a_detective_learns_by_three_moves_and_catches_him(lay: Lay, visit: Visit, screen: dict[str, object]) -> None:
    opened = table(lay)
    before = opened.look(lambda simulated: simulated.actions)
    page = visit(opened.url, "tutorial", **screen)
    says(page, "Your turn: drag red from 67")
    if page.touch:
        page.page.get_by_role("button", name="Whole board").tap()  # near as it is, it shows what can be reached alone
    page.carry("red", '[data-station="100"]')
    reacts(page, "No line leads from 67 to 100. A move goes along one line")
    page.carry("red", '[data-station="111"]')
    reacts(page, "Red has no underground ticket left. Each line takes its own ticket")
    page.drag("red", 82)
    reacts(page, "Your bus ticket goes to Mister X, who may use it: he has 4 now, you have 3.")
    says(page, "A black ticket!")
    page.drag("red", 101)
    page.drag("red", seen_on(page))
    says(page, "Caught on 82!")
    assert page.page.evaluate(BESIDE) <= 0
    assert page.page.evaluate(CUT) == []
    assert opened.look(lambda simulated: simulated.actions) == before
    page.page.get_by_role("link", name="Now be Mister X").click()
    says(page, "You are Mister X")


@pytest.mark.parametrize("screen", amount([{}], [{}, PHONE]), ids=amount(["mouse"], ["mouse", "touch"]))
@pytest.mark.long
def test_mister_x_learns_black_tickets_and_double_moves(lay: Lay, visit: Visit, screen: dict[str, object]) -> None:
    page = visit(table(lay).url, "tutorial_mr_x", **screen)
    says(page, "You are Mister X, on 67")
    choose(page, "taxi to 66")
    reacts(page, "All they saw is one taxi ticket")
    says(page, "the black ticket")
    choose(page, "black to 67")
    reacts(page, "one black ticket")
    says(page, "press “Double move”")
    page.click("Double move")
    page.click("taxi to 66")
    page.click("taxi to 67")
    page.click("Make both moves")
    says(page, "They saw you on 66, but you have moved on")
    assert page.page.evaluate(BESIDE) <= 0
    expect(page.page.get_by_role("link", name="To the table")).to_be_visible()


def choose(page: Visitor, move: str) -> None:
    page.page.get_by_role("button", name=move, exact=True).click()
    page.click("Go", exact=True)


@pytest.mark.long
def test_mister_x_without_black_ticket_and_double_move_is_told_what_they_do(lay: Lay, visit: Visit) -> None:
    page = visit(table(lay).url, "tutorial_mr_x")
    for n, move in enumerate(("taxi to 66", "taxi to 67", "taxi to 66"), 1):
        expect(page.page.locator("#lesson .steps")).to_have_text(f"Move {n} of 3", timeout=60_000)
        button = page.page.get_by_role("button", name=move, exact=True)
        button.focus()
        page.page.keyboard.press("Enter")
        page.page.get_by_role("button", name="Go", exact=True).focus()
        page.page.keyboard.press("Enter")
        if n == 2:
            reacts(page, "A black ticket would have shown them nothing.")
    says(page, "They see you on 66 until you move again.")


LOSE = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function () { this.close(); };
  window.back = () => { WebSocket.prototype.send = send; };
}"""
"""The line is lost as soon as something is said, and each after it, until the table is back."""


@pytest.mark.parametrize("lesson", ["tutorial", "tutorial_mr_x"])
@pytest.mark.long
def test_a_lesson_that_begins_anew_since_its_line_was_lost_says_so(lay: Lay, visit: Visit, lesson: str) -> None:
    page = visit(table(lay).url, lesson)
    if lesson == "tutorial":
        says(page, "Your turn: drag red from 67")
        page.drag("red", 82)
        reacts(page, "Your bus ticket goes to Mister X")
    else:
        choose(page, "taxi to 66")
        reacts(page, "All they saw is one taxi ticket")
    page.page.evaluate(LOSE)
    expect(page.page.locator("#line")).to_contain_text("The table does not answer", timeout=60_000)
    if lesson == "tutorial_mr_x":
        says(page, "The table does not answer")
    page.page.evaluate("back()")
    reacts(page, "The line was lost, so the lesson starts again.")
    says(page, "Your turn: drag red from 67" if lesson == "tutorial" else "You are Mister X")
    reacts(page, "The line was lost, so the lesson starts again.")


@pytest.mark.long
def test_who_comes_when_all_practice_tables_are_taken_is_told_so(lay: Lay, visit: Visit) -> None:
    opened = table(lay)
    address = f"ws://127.0.0.1:{opened.server.port}/practice/detective"
    with ExitStack() as learners:
        for _ in range(MOST):
            line = learners.enter_context(connect(address, origin=opened.url.rstrip("/")))  # type: ignore[arg-type]
            line.send(json.dumps({"do": "hello", "page": "table"}))
            hear(line, "scene")
            keep_reading(line)
        late = visit(opened.url, "tutorial")
        expect(late.page.locator("#line")).to_contain_text("Others are learning already")
    says(late, "Your turn")  # it has asked again
    late.page.goto("about:blank")
    until(lambda: not len(opened.practice), "the practice tables to be put away")


def test_a_foreign_page_gets_no_practice_table(lay: Lay) -> None:
    opened = table(lay)
    address = f"ws://127.0.0.1:{opened.server.port}/practice/detective"
    with connect(address, origin="http://evil.example") as line:  # type: ignore[arg-type]
        assert farewell(line)[0] == FOREIGN
    assert not len(opened.practice)
