"""What is said of a station beside it: to a mouse that rests, to the keyboard's focus and to a finger that stays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as NotInTime

from firmware_host.web.server import Server
from tests.amount import amount
from tests.table.cases import shipped
from tests.waiting import until
from tests.web.chromium import Visit
from tests.web.test_moments import Told, in_play, table

__all__ = ["table"]

pytestmark = pytest.mark.long

SAID = "#of-station"
Open = Callable[..., Told]


@pytest.fixture(scope="module")
def first() -> tuple[dict[str, Any], dict[str, Any]]:
    """The board, with a name for 75, and a scene in which Red, on 1, is to move, and Yellow, on 58, after it."""
    config = shipped("classic")
    stations = config.ground.board.stations
    board_of_names = replace(config.ground.board, stations={**stations, 75: replace(stations[75], name="Old Harbour")})
    tickets = {"red": {"taxi": 10, "bus": 8, "underground": 4}, "yellow": {"taxi": 3, "bus": 0, "underground": 4}}
    moves = [{"pawn": "red", "to": 46, "tickets": ["bus", "underground"]}]
    named = replace(config, ground=board_of_names)
    return in_play(named, {"red": 1, "yellow": 58}, tickets, moves=moves)


@pytest.fixture
def told(visit: Visit, table: Server, first: tuple[dict[str, Any], dict[str, Any]]) -> Open:
    """Opens a page of the table."""

    def go(path: str = "", *, touch: bool = False) -> Told:
        return Told(table, visit(table.url, path, touch=touch, clock=True), *first)

    return go


@pytest.mark.parametrize("path", amount([""], ["", "spectate"]))
def test_a_mouse_that_rests_at_a_station_is_told_its_lines_and_who_can_come(told: Open, path: str) -> None:
    page = told(path)
    mouse, visitor = page.page.mouse, page.visitor
    mouse.move(*visitor.centre('[data-station="46"]'))
    visitor.see(SAID, state="visible")
    said = visitor.read(SAID)
    assert said.startswith("Station 46")
    assert "underground to 1, 13, 74, 79" in said
    assert "Red can come now by bus or underground" in said
    assert "Yellow" not in said
    mouse.move(*visitor.centre(SAID), steps=8)
    visitor.let_pass(500)
    assert page.page.locator(SAID).is_visible()
    page.page.keyboard.press("Escape")
    visitor.see(SAID, state="hidden")


def test_who_has_no_ticket_left_is_not_said_to_come(told: Open) -> None:
    page = told()
    for station, words in ((75, "Yellow may come with its next move by taxi"), (1, "bus to 46, 58")):
        page.page.mouse.move(*page.visitor.centre(f'[data-station="{station}"]'))
        page.visitor.wait("text => document.querySelector('#of-station').innerText.includes(text)", words)
    assert "Yellow" not in page.visitor.read(SAID)
    page.changed(tickets={"red": {"taxi": 10}, "yellow": {"bus": 1}})
    page.visitor.wait(f"() => document.querySelector('{SAID}').innerText.includes('Yellow may come')")


def test_a_station_is_called_by_its_name_if_its_map_has_one(told: Open) -> None:
    page = told()
    page.page.mouse.move(*page.visitor.centre('[data-station="75"]'))
    page.visitor.see(SAID, state="visible")
    assert page.visitor.read(SAID).startswith("Station 75, Old Harbour")
    labels = [page.page.locator(f'[data-station="{station}"]').get_attribute("aria-label") for station in (75, 59)]
    assert [str(label).split(", ")[:2] for label in labels] == [["Station 75", "Old Harbour"], ["Station 59", "taxi"]]


def test_by_keyboard_it_stays_until_escape_and_belongs_to_the_station(told: Open) -> None:
    page = told()
    page.page.locator('[data-station="1"]').focus()
    page.visitor.type_station(46)
    page.visitor.see('[data-station="46"][aria-describedby="of-station"]')
    page.changed(moves=[])
    page.visitor.wait("() => !document.querySelector('#of-station').innerText.includes('now')")
    page.page.keyboard.press("Escape")
    page.visitor.see(SAID, state="hidden")
    assert page.page.locator("[aria-describedby='of-station']").count() == 0


def test_a_finger_that_stays_is_told_and_has_moved_nothing(told: Open) -> None:
    page = told(touch=True)
    session = page.page.context.new_cdp_session(page.page)

    def stays() -> bool:
        """Chromium cancels a touch that a busy page is slow to answer: then the finger comes again."""
        x, y = page.visitor.centre('[data-station="46"]')
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        with suppress(NotInTime):
            page.visitor.see(SAID, state="visible", timeout=5000)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return page.page.locator(SAID).is_visible()

    until(stays, "what is said of the station")
    assert page.visitor.read(SAID).startswith("Station 46")
    page.page.touchscreen.tap(*page.visitor.centre('[data-station="150"]'))
    page.visitor.see(SAID, state="hidden")


COVERED = """() => {
  const box = element => element.getBoundingClientRect();
  const said = box(document.querySelector("#of-station"));
  const meets = ({ left, top, right, bottom }) =>
    left < said.right && right > said.left && top < said.bottom && bottom > said.top;
  const kept = document.querySelectorAll("[data-station='46'], #paper [data-pawn]");
  return [...kept].filter(one => meets(box(one))).map(one => one.dataset.station ?? one.dataset.pawn);
}"""


def test_it_covers_neither_a_lit_station_nor_a_pawn(told: Open) -> None:
    page = told()
    for station in (1, 8, 9, 18, 19, 33, 46, 47, 58, 61, 62, 74, 75, 78):
        page.visitor.see(f"[data-station='{station}']")
        page.page.evaluate(
            "n => document.querySelector(`[data-station='${n}']`).focus({ focusVisible: true })", station
        )
        page.visitor.let_pass(3000)
        page.visitor.see(SAID, state="visible")
        assert page.page.evaluate(COVERED) == [], station
        page.page.keyboard.press("Escape")
