"""Stations under a finger on a phone: on a map that follows the turn each is hit within 22 pixels of its middle."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.web.server import Server
from tests.amount import amount
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay
from tests.web.page_states import ENDED, IN_PLAY

pytestmark = pytest.mark.long

PHONE = (390, 844)

BESIDE = """far => {
  const view = document.querySelector('#board .view').getBoundingClientRect();
  const all = [...document.querySelectorAll('#board [data-station]')].map(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.dataset.station, x + width / 2, y + height / 2];
  });
  const around = [0, 1, 2, 3, 4, 5, 6, 7].map(n => n * Math.PI / 4);
  return all.flatMap(([station, x, y]) => around.flatMap(way => {
    const at = [x + far * Math.cos(way), y + far * Math.sin(way)];
    const away = ([, ox, oy]) => Math.hypot(ox - at[0], oy - at[1]);
    const touched = document.elementFromPoint(...at);
    const on = touched?.closest('#board .view') && !touched.closest('button'); // a pill leads to what is off the view
    const alone = all.every(one => one[0] === station || away(one) > far + 9);
    return on && alone ? [[Number(station), ...at]] : [];
  }));
}"""
"""For stations in sight: points that far from their middle, where no other station is nearly as near."""

STILL = """async () => {
  const where = () => JSON.stringify(document.querySelector('#board [data-station="13"]').getBoundingClientRect());
  const frame = () => new Promise(requestAnimationFrame);
  for (let [same, last] = [0, where()]; same < 30; last = where()) {
    await frame();
    same = where() === last ? same + 1 : 0;
  }
}"""
"""Resolve once the map has come to rest."""


def begin(p: SimulatedTable, red: int = 13) -> None:
    """A game of two detectives' players against a computer that hides; Red is to move."""
    p.new_game(players=3, owners=(1, 2, 1, 2), start={MR_X: 94, "red": red, "yellow": 26}, seats={MR_X: "easy"})


def phone(lay: Lay, visit: Visit, path: str, red: int = 13) -> Visitor:
    """A phone whose map has come near to Red."""
    table = lay(shipped("classic"), seed=5, begin=partial(begin, red=red), helped=True)
    page = visit(table.url, path, touch=True, size=PHONE)
    if path:
        page.page.locator("#seats .button").first.tap()
    table.until(lambda p: p.public.turn == ("red",), "Red's turn")
    page.see("#board .view.near")
    page.page.evaluate(STILL)
    return page


def points(page: Visitor) -> list[Any]:
    """One point for each station in sight, at the very edge of what a finger is to hit."""
    page.centre("#board")  # nothing moves any more
    found: dict[int, Any] = {at[0]: at for at in page.page.evaluate(BESIDE, 21)}
    return list(found.values())


SMALL = """() => [...document.querySelectorAll('button, summary, select, input, a:is(.button, .way), label:has(input)')]
  .filter(one => !one.closest('#board [data-station], .sr-only') && one.checkVisibility({ visibilityProperty: true }))
  .map(one => [one.id || one.textContent.trim(), (one.closest('label') ?? one).getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && height < 43.5)
  .map(([name, { width, height }]) => `${name}: ${Math.round(width)} x ${Math.round(height)}`)"""
"""What is pressed and is lower than a finger."""


FEW = ("table", "spectators", "detective", "cover", "seat", "lesson", "handset", "away", "past games", "replay")
STATES = {**IN_PLAY, **ENDED}


@pytest.mark.parametrize("state", amount(FEW, [*STATES]))
def test_what_a_finger_presses_is_44_pixels_high(visit: Visit, playing: Server, ended: Server, state: str) -> None:
    path, come = STATES[state]
    server = ended if state in ENDED else playing
    secret = f"#{server.handset_token.new_token()}" if path in ("seat", "handset") else ""
    page = visit(server.url, f"{path}{secret}", touch=True, size=PHONE)
    if state == "no such game":
        page.excuse("404")
    come(page.page, server)
    assert page.page.evaluate(SMALL) == []


def test_a_tap_on_a_players_phone_takes_the_nearest_station(lay: Lay, visit: Visit) -> None:
    page = phone(lay, visit, "detective")
    page.wait("() => document.querySelector('#turn').textContent === 'It is your turn'")
    where = points(page)
    assert len(where) >= 24
    for station, x, y in where[::5]:
        page.page.touchscreen.tap(x, y)
        page.wait(
            "n => new RegExp(`(?<!\\\\d)${n}(?!\\\\d)`).test(document.querySelector('#choose').textContent)", station
        )


def test_a_pawn_in_the_hand_is_set_on_the_nearest_station(lay: Lay, visit: Visit) -> None:
    page = phone(lay, visit, "")
    where = {station: (x, y) for station, x, y in points(page)}
    page.page.touchscreen.tap(*page.centre("#pawns [data-pawn='red']"))
    page.see("#pawns [data-pawn='red'].lifted")
    page.page.touchscreen.tap(*where[24])
    page.see("#pawns [data-pawn='red'][data-at='24']")


@pytest.mark.parametrize(("red", "above"), [(114, 101), (115, 102)])
def test_a_tap_means_the_station_that_lies_behind_the_pawn_in_the_hand(
    lay: Lay, visit: Visit, red: int, above: int
) -> None:
    page = phone(lay, visit, "", red)
    page.page.touchscreen.tap(*page.centre("#pawns [data-pawn='red']"))
    page.see("#pawns [data-pawn='red'].lifted")
    page.page.touchscreen.tap(*page.centre(f"#board [data-station='{above}']"))
    page.see(f"#pawns [data-pawn='red'][data-at='{above}']")


def test_a_tap_on_the_station_of_the_pawn_in_the_hand_puts_it_back(lay: Lay, visit: Visit) -> None:
    page = phone(lay, visit, "", 114)
    for there in (".lifted", ":not(.lifted)"):
        page.page.touchscreen.tap(*page.centre("#board [data-station='114']"))
        page.see(f"#pawns [data-pawn='red']{there}")
