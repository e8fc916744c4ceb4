"""The moments of a game on its pages: what has moved moves there at once, and nothing where that is not wanted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.web.server import Server
from tests.amount import amount
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.page_table import Room
from tests.web.served import served

MOVING = """() => document.getAnimations().map(one => one.effect.target)
  .filter(one => one.closest('.pawn, .window, .moment, .stage, #ending')).length"""
AT = """pawn => {
  const { e, f } = new DOMMatrix(getComputedStyle(document.querySelector(`#pawns .${pawn}`)).transform);
  return [e, f];
}"""
HELD = """pawn => {
  const [one] = document.querySelector(`#pawns .${pawn}`).getAnimations();
  one?.pause();
  return one !== undefined;
}"""
"""Whether a pawn is on its way; there it is held, however slow whoever looks at it is."""
WAY = """pawn => document.querySelector(`#pawns .${pawn}`).getAnimations()[0].effect.getKeyframes()
  .map(frame => frame.transform.match(/-?[0-9.]+/g).slice(0, 2).map(Number))"""
LASTS = "pawn => document.querySelector(`#pawns .${pawn}`).getAnimations()[0].effect.getTiming().duration"
ON_ITS_WAY = "pawn => document.querySelector(`#pawns .${pawn}`).getAnimations().length"

OVER: dict[str, Any] = {
    "phase": "over",
    "outcome": {"winner": "detectives", "reason": "captured"},
    "ended": {
        "who": "Detectives win",
        "why": "Red caught Mister X at 46.",
        "headline": "Caught in round 1 by Red at 46",
        "by": "red",
    },
    "route": [13, 46],
}

Point = tuple[float, float]


class Told:
    """A page, and what the table tells it: scenes and pawns as a test wants them."""

    def __init__(self, server: Server, visitor: Visitor, board: dict[str, Any], scene: dict[str, Any]) -> None:
        self.server, self.visitor, self.page = server, visitor, visitor.page
        self.board, self.scene = board, scene
        self.tell(board)
        self.tell(scene)
        self.pawns(scene["pawns"])
        visitor.see("#pawns [data-pawn='red']")
        visitor.wait("() => !document.querySelector('#pawns .pawn').getAnimations().length")

    def tell(self, message: dict[str, Any]) -> None:
        text = json.dumps(message)
        self.server.public.put(message["kind"], lambda: text)

    def pawns(self, at: dict[str, int]) -> None:
        """The simulated hands have put the pawns there."""
        places = {one["n"]: one for one in self.board["stations"]}
        edge, width, height = 22, self.board["width"], self.board["height"]
        shares = {
            pawn: {"x": (places[n]["x"] - edge) / width, "y": (places[n]["y"] - edge) / height, "at": n, "held": False}
            for pawn, n in at.items()
        }
        self.tell({"kind": "pawns", "pawns": shares, "box": [], "undo": None})

    def changed(self, **fields: Any) -> None:
        """The table stands otherwise now."""
        self.scene = {**copy.deepcopy(self.scene), **fields}
        self.tell(self.scene)

    def at(self) -> Point:
        """Where Red is drawn."""
        x, y = self.page.evaluate(AT, "red")
        return x, y


@pytest.fixture(scope="module")
def first() -> tuple[dict[str, Any], dict[str, Any]]:
    """The board, and a scene in which Red stands on 1 and is to move."""
    hands = {"taxi": 10, "bus": 8, "underground": 4}
    pawns = {"red": 1, "yellow": 100, "green": 120}
    return in_play(shipped("classic"), pawns, dict.fromkeys(pawns, hands))


def in_play(
    config: Config, pawns: dict[str, int], tickets: dict[str, dict[str, int]], **more: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A board, and a scene of its first round in which Red is to move."""
    room = Room(config)
    clear = {"mismatch": {"missing": {}, "extra": []}, "set_down": {}, "take_off": [], "wrong": 0, "in_hand": []}
    play = {"phase": "play", "round": 1, "pawns": pawns, "turn": ["red"], "tickets": tickets, "moves": []}
    scene = room.heard("scene") | clear | play | {"owners": dict.fromkeys(pawns, 1)} | more
    return room.heard("board"), scene


@pytest.fixture(scope="module")
def table() -> Iterator[Server]:
    with served() as opened:
        yield opened.server


@pytest.fixture
def told(visit: Visit, table: Server, first: tuple[dict[str, Any], dict[str, Any]]) -> Callable[..., Told]:
    """Opens a page of the table."""

    def go(path: str = "spectate", *, calm: bool = False) -> Told:
        return Told(table, visit(table.url, path, calm=calm), *copy.deepcopy(first))

    return go


def bus_taken(told: Told) -> dict[str, Any]:
    tickets = copy.deepcopy(told.scene["tickets"])
    tickets["red"]["bus"] -= 1
    return {"pawns": told.scene["pawns"] | {"red": 46}, "tickets": tickets}


@pytest.mark.parametrize("path", amount(["spectate"], ["", "spectate"]))
def test_a_pawn_goes_along_its_line_as_soon_as_it_stands_elsewhere(told: Callable[..., Told], path: str) -> None:
    page = told(path)
    start = page.at()
    page.changed(moves=[{"pawn": "red", "to": 46, "tickets": ["bus"]}])
    page.pawns(page.scene["pawns"] | {"red": 46})
    page.visitor.wait(HELD, "red")
    (bends,) = [
        [[values[n], values[n + 1]] for n in range(0, len(values), 2)]
        for line, values in zip(page.board["lines"], page.board["bends"], strict=True)
        if line == [1, 46, "bus"]
    ]
    assert bends
    assert page.page.evaluate(WAY, "red")[1:-1] == bends
    assert page.page.evaluate(LASTS, "red") == 500
    page.changed(turn=["yellow"], moves=[{"pawn": "yellow", "to": 47, "tickets": ["taxi"]}])  # beside 46
    page.pawns(page.scene["pawns"] | {"red": 46, "green": 34})  # next to it
    page.visitor.see("[data-pawn='green'][data-at='34']")
    assert page.page.evaluate(WAY, "red")[1:-1] == bends, "Red goes on along its line"
    assert page.page.evaluate(ON_ITS_WAY, "red") == 1
    page.page.keyboard.press("Shift")
    page.visitor.wait("() => !document.querySelector('#pawns .red').getAnimations().length")
    stands = page.at()
    assert stands != start
    page.changed(**bus_taken(page))
    page.visitor.see("#tickets [data-owner='red'] :text('7')")
    assert page.at() == stands


def test_where_less_motion_is_asked_for_all_is_shown_at_once_and_nothing_moves(told: Callable[..., Told]) -> None:
    page = told(calm=True)
    start = page.at()
    page.pawns(page.scene["pawns"] | {"red": 46})
    page.visitor.see("[data-pawn='red'][data-at='46']")
    assert page.at() != start
    log = [{"window": 1, "ticket": "taxi", "station": 13, "double": 0}]
    page.changed(**bus_taken(page), log=log)
    page.changed(**OVER)
    page.visitor.see("#ending", state="visible")
    page.visitor.see("#walked .shaft")
    assert page.page.evaluate(MOVING) == 0
    assert page.page.locator(".moment").count() == 0


@pytest.mark.parametrize("path", ["spectate", "detective"])
@pytest.mark.long_but_first
def test_a_ticket_turns_over_light_falls_on_mister_x_and_the_end_is_a_scene_that_any_key_skips(
    told: Callable[..., Told], path: str
) -> None:
    page = told(path)
    log = [{"window": 1, "ticket": "taxi", "station": 13, "double": 0}]
    page.changed(log=log, pawns=page.scene["pawns"] | {"mr_x": 13})
    page.visitor.see(".moment .cone")
    page.page.keyboard.press("Shift")
    page.visitor.wait("() => !document.querySelector('.moment')")
    page.changed(**OVER)
    page.visitor.see("#curtain .night")
    page.visitor.see("#walked .shaft")
    assert page.page.evaluate(MOVING) > 0
    page.page.keyboard.press("Shift")
    page.visitor.wait(f"() => ({MOVING})() === 0 && !document.querySelector('.moment')")
    assert page.page.locator("#end-title").inner_text() == "Caught in round 1 by Red at 46"
    page.changed(phase="play", outcome=None, ended=None, route=[])
    page.visitor.wait("() => !document.querySelector('.stage')")
    assert page.page.locator("#ending").is_hidden()


LYING = """() => {
  const boxes = [...document.querySelectorAll("#walked .badge .plate, #walked .place circle:not(.caught)")];
  const all = boxes.map(one => [one.closest(".badge") !== null, one.getBoundingClientRect()]);
  const lie = (one, box) =>
    one.left < box.right && box.left < one.right && one.top < box.bottom && box.top < one.bottom;
  return all.flatMap(([isBadge, one], n) =>
    all.slice(n + 1).filter(([other, box]) => (isBadge || other) && lie(one, box)));
}"""
"""The badges that lie on each other, or on a station's number."""


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
@pytest.mark.long_but_first
def test_each_leg_has_its_number_and_ticket_where_it_hides_nothing(
    told: Callable[..., Told], size: tuple[int, int]
) -> None:
    page = told(calm=True)
    page.visitor.resize(size[0], size[1])
    route = [13, 46, 13, 23, 67, 111, 124, 138, 152, 153, 163]
    tickets = ["underground", "underground", "bus", "bus", "underground", "bus", "taxi", "taxi", "taxi", "black"]
    log = [{"window": n, "ticket": one, "station": route[n], "double": 0} for n, one in enumerate(tickets, 1)]
    page.changed(**OVER | {"route": route, "log": log, "pawns": page.scene["pawns"] | {"mr_x": 163}})
    page.visitor.see("#walked .badge")
    assert page.page.evaluate(LYING) == []
    if size[0] > 1000:
        assert page.page.locator("#walked .badge").count() >= 8
        assert page.page.locator("#walked .badge").first.text_content() == "10?"
    assert page.page.locator(".journey li").nth(1).text_content() == "2Uunderground: 13"
