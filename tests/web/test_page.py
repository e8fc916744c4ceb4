"""The page around the board: it fits every window, says everything in words too, and its keys are keys."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from tests.amount import amount
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable

SYSTEMS = amount(("classic", "dice", "junior"), ("classic", "current", "us", "beginners", "dice", "junior"))
WINDOWS = ((390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 900), (3840, 2160))
BESIDE = "() => document.documentElement.scrollWidth - innerWidth"
COVERED = """() => [
  ...document.querySelectorAll('#keys [data-key], #prompt, #turn'),
  ...document.querySelectorAll(document.querySelector('#more').checkVisibility() ? '#more' : '#menu > :not([hidden])'),
].filter(element => {
  element.scrollIntoView({ block: 'nearest' });
  const { left, right, top, bottom, width } = element.getBoundingClientRect();
  return !width || left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1;
}).map(element => element.outerHTML)"""
MUTE = """() => [...document.querySelectorAll('.disc, .ticket')]
  .filter(sign => !sign.textContent && sign.dataset.ticket !== '').map(sign => sign.outerHTML)"""


def played(moves: int) -> Callable[[SimulatedTable], None]:
    """Begins a game and plays so many moves of it, or to its end."""

    def begin(simulated: SimulatedTable) -> None:
        simulated.new_game()
        players = SimulatedPeople(simulated, random.Random(2))
        players.set_up()
        for _ in range(moves):
            if simulated.public.outcome is None:
                players.play()
        simulated.advance(500)

    return begin


def opened(lay: Lay, visit: Visit, rules: str = "classic", moves: int = 6, path: str = "") -> tuple[OpenTable, Visitor]:
    table = lay(shipped(rules), begin=played(moves))
    page = visit(table.url, path)
    page.see("body[data-phase]")
    return table, page


def keys_sent(page: Visitor) -> list[tuple[str, bool]]:
    said = [json.loads(frame) for frame in page.sent]
    return [(order["key"].removeprefix("table."), order["down"]) for order in said if order["do"] == "key"]


@pytest.mark.parametrize("rules", SYSTEMS)
@pytest.mark.long
def test_the_page_fits_every_window_at_twice_the_size_of_type_too(lay: Lay, visit: Visit, rules: str) -> None:
    _, page = opened(lay, visit, rules, moves=12)
    for size in WINDOWS:
        page.resize(size[0], size[1])
        for share in ("100%", "200%"):
            page.page.evaluate("share => document.documentElement.style.setProperty('font-size', share)", share)
            assert page.page.evaluate(BESIDE) <= 0, (size, share)
        page.page.evaluate("document.documentElement.style.removeProperty('font-size')")
        assert page.page.evaluate(COVERED) == [], size
        assert page.page.evaluate(MUTE) == []


@pytest.mark.long
def test_the_log_has_a_window_for_every_move_and_says_in_words_what_lies_there(lay: Lay, visit: Visit) -> None:
    table, page = opened(lay, visit, moves=30)
    view = table.look(lambda p: p.public)
    assert page.page.locator("#log .window").count() == view.windows
    for entry in view.log:
        words = page.page.locator(f'#log [data-window="{entry.window}"] .unseen').text_content()
        assert entry.ticket in words
        assert (f"on {entry.station}" in words) is (entry.station is not None)
    marked = page.page.locator("#log .window[data-marked]").evaluate_all("all => all.map(e => +e.dataset.window)")
    assert set(marked) == view.marked
    assert page.page.locator("[data-log-lamp]").count() == view.windows


def test_everyones_tickets_and_who_has_moved_stand_beside_the_board(lay: Lay, visit: Visit) -> None:
    table, page = opened(lay, visit, moves=8)
    view = table.look(lambda p: p.public)
    for pawn, hand in view.tickets.items():
        row = page.page.locator(f'#tickets tr[data-owner="{pawn}"]')
        shown = row.locator("td[data-kind]").evaluate_all("all => all.map(e => [e.dataset.kind, e.textContent])")
        assert {kind: int(count) for kind, count in shown if count} == dict(hand)
        state = row.get_attribute("data-state")
        assert (state == "turn") is (pawn in view.turn)
        assert (state == "moved") is (pawn in view.moved)


@pytest.mark.long
def test_a_key_is_down_as_long_as_it_is_held_by_pointer_letter_or_focus(lay: Lay, visit: Visit) -> None:
    _, page = opened(lay, visit)
    x, y = page.centre('[data-key="table.taxi"]')
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.see('[data-key="table.taxi"][data-held]')
    assert keys_sent(page) == [("taxi", True)]
    page.page.mouse.up()
    page.see('[data-key="table.taxi"]:not([data-held])')
    page.page.keyboard.down("u")
    page.see('[data-key="table.underground"][data-held]')
    page.page.keyboard.up("u")
    page.page.locator('[data-key="table.back"]').focus()
    page.page.keyboard.press("Enter")
    page.see('[data-key="table.back"]:not([data-held])')
    assert keys_sent(page)[1:] == [("taxi", False), *((k, d) for k in ("underground", "back") for d in (True, False))]


@pytest.mark.long
def test_letters_press_nothing_while_somebody_writes_or_has_switched_them_off(lay: Lay, visit: Visit) -> None:
    _, page = opened(lay, visit)
    page.break_something()
    page.page.locator("#fault-station").press("t")
    page.page.keyboard.press("b")
    page.page.get_by_role("checkbox", name="T, B and U press").uncheck()
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("u")
    assert keys_sent(page) == []
    page.click("Help")
    page.page.get_by_role("checkbox", name="T, B and U press").check()
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("u")
    page.wait("() => !document.querySelector('[data-held]')")
    assert keys_sent(page) == [("underground", True), ("underground", False)]


@pytest.mark.long
def test_a_game_in_play_is_not_dropped_before_somebody_has_said_so_twice(lay: Lay, visit: Visit) -> None:
    table, page = opened(lay, visit)
    page.open_every_option()
    page.page.get_by_label("Game", exact=True).select_option("classic")
    page.page.get_by_label("Players, with Mister X").select_option("3")
    page.page.get_by_label("When the log is full").select_option(label="the detectives finish the round")
    begin = page.page.locator("#newgame [type=submit]")
    begin.click()
    assert "dropped" in page.read("#newgame .warning")
    assert table.look(lambda p: len(p.public.owners)) == 4
    begin.click()
    table.until(lambda p: set(p.public.owners.values()) == {1, 2}, "a game of three")
    orders = [order for order in map(json.loads, page.sent) if order["do"] == "new_game"]
    assert orders[-1] == {
        "do": "new_game",
        "rules": "classic",
        "players": 3,
        "options": {"last_chance": True},
        "seats": {"mr_x": "person", "detectives": "person"},
    }


@pytest.mark.long
def test_what_is_refused_is_said_beside_the_board_below_the_sentence_and_moves_nothing(lay: Lay, visit: Visit) -> None:
    _, page = opened(lay, visit)
    parts = ("#board", "#keys", "#side", "#menu")
    for size in ((1440, 900), (1280, 720), (390, 844)):
        page.resize(size[0], size[1])
        before = [page.page.locator(part).bounding_box() for part in parts]
        page.page.evaluate("document.querySelector('#refused').textContent = 'No line leads from 198 to 1.'")
        assert [page.page.locator(part).bounding_box() for part in parts] == before
        (_, above, _, high), (x, y, _, tall), (left, top, wide, _) = map(page.box, ("#prompt", "#refused", "#board"))
        assert y >= above + high - 1
        assert (x >= left + wide) is (size[0] > 400)
        assert x >= left + wide or y + tall <= top
        ground = "getComputedStyle(document.querySelector('#refused')).backgroundColor"
        assert page.page.evaluate(ground) == "rgba(0, 0, 0, 0)"  # no slab
        page.page.evaluate("document.querySelector('#refused').textContent = ''")


@pytest.mark.parametrize("path", ["", "spectate", "detective"])
def test_a_page_opens_its_only_socket_before_its_own_script_has_come(lay: Lay, visit: Visit, path: str) -> None:
    """On a slow line the script takes seconds, and a socket opened after it another round trip."""
    table, page = opened(lay, visit)
    opened_sockets: list[str] = []
    page.page.on("websocket", lambda socket: opened_sockets.append(socket.url))
    page.page.goto(f"{table.url}{path}")
    page.see("body[data-phase='play']")
    assert len(opened_sockets) == 1
    page.excuse("Failed to load resource")
    page.page.route(f"**/static/{path or 'table'}.js", lambda route: route.abort())
    with page.page.expect_websocket():
        page.page.goto(f"{table.url}{path}")
