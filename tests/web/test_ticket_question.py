"""The ticket question in a real browser: asked at its station, answered there, and dropped or moved elsewhere."""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import PawnMove
from tests.amount import amount
from tests.web.chromium import Visit, Visitor, check_tickets_at
from tests.web.open_table import Lay, OpenTable, red_to_move

DRAWN = """pawn => {
  const { e, f } = new DOMMatrix(getComputedStyle(document.querySelector(`#pawns .${pawn}`)).transform);
  const at = document.querySelector(`[data-station="${document.querySelector(`#pawns .${pawn}`).dataset.at}"]`);
  return Math.hypot(e - at.cx.baseVal.value, f - at.cy.baseVal.value);
}"""
"""How far from its station a pawn is drawn, in units."""

PRESS_AFTER_TAP = """([key, ms]) => addEventListener("pointerup", () => setTimeout(() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}, ms), { capture: true, once: true })"""
"""Presses a key so many milliseconds after the next tap."""

SIZES = {"1280": (1280, 720), "1440": (1440, 900)}
LATE = 10_000
"""Milliseconds of the table's after which it asks or does nothing more by itself."""

PHONE = {"size": (390, 844), "touch": True}
EDGES = {"left": (94, 93), "right": (29, 42), "top left": (46, 1), "bottom": (184, 185), "bottom left": (191, 190)}


def station(number: int) -> str:
    return f"#board [data-station='{number}']"


def asked(table: OpenTable, visit: Visit, to: int = 58, **kind: object) -> Visitor:
    """A page on which Red was taken up and put on a station to which two tickets lead."""
    page = visit(table.url, **kind)
    page.see("#pawns [data-pawn='red'][data-at]")
    if page.touch:
        page.see("#board .view.near")  # the map of a phone has come near to Red
    at = table.look(lambda p: p.public.pawns["red"])
    page.tap(station(at))
    page.see("#pawns [data-pawn='red'].lifted")
    page.tap(station(to))
    page.see(f"#by-ticket[data-station='{to}'] .ticket-choice")
    return page


def red_stands_on(table: OpenTable, number: int) -> None:
    table.until(lambda p: p.hardware.where().get("red") == number, f"Red on {number}")


def moved(table: OpenTable) -> list[PawnMove]:
    """What detectives have moved so far."""
    return table.look(lambda p: [action for action in p.actions if isinstance(action, PawnMove)])


def test_the_tickets_are_asked_at_the_station_and_one_press_answers(lay: Lay, visit: Visit) -> None:
    table = red_to_move(lay)
    page = asked(table, visit, size=SIZES["1440"])
    check_tickets_at(page, 58)
    page.see("#by-ticket .not-there")
    page.see("#drop")
    page.see("#prompt button.keyword[data-ticket='bus']")
    assert page.page.locator("#prompt .keyword[data-ticket='back']").count() == 0
    assert page.page.locator("#keys [data-key='table.back']:visible").count() == 0
    assert page.read("#prompt .rest") == "TAXI or BUS."
    page.tap("#by-ticket [data-ticket='bus']")
    table.until(lambda p: p.public.pawns["red"] == 58, "the move")
    assert moved(table) == [PawnMove("red", 58, "bus")]
    page.see("#by-ticket", state="hidden")


def test_on_a_phone_the_tickets_are_asked_in_the_sheet_below_the_map(lay: Lay, visit: Visit) -> None:
    table = red_to_move(lay)
    page = asked(table, visit, **PHONE)
    _, top, _, high = page.box("#board")
    for ticket in ("taxi", "bus"):
        _, y, _, tall = page.box(f"#by-ticket .face[data-ticket='{ticket}']")
        assert (y >= top + high, tall) == (True, 72)
    _, y, _, tall = page.box("#by-ticket .not-there")
    assert y + tall <= page.box("#by-ticket .tickets")[1]
    page.tap("#undo")
    page.see("#by-ticket", state="hidden")
    red_stands_on(table, 74)


PILLS = """() => {
  const at = one => one.getBoundingClientRect();
  const keys = [...document.querySelectorAll('#undo, .zoom button, #pull svg, .overview')].map(at);
  const pills = [...document.querySelectorAll('.pill')].map(one => [Number(one.dataset.to), at(one)]);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const lit = [...document.querySelectorAll('#targets .halo .light')].map(at);
  const covered = pills.filter(([, pill], n) => [...keys, ...lit].some(key => key.width && meet(pill, key))
    || pills.some(([, other], m) => m !== n && meet(pill, other)));
  return [pills.map(([to]) => to), covered.map(([to]) => to)];
}"""
"""The stations that have a pill, and those whose pill is covered by a key or by a station in reach, or covers it."""


@pytest.mark.parametrize("path", ["", "spectate"])
@pytest.mark.parametrize("red", amount((74,), (74, 67, 185, 13)))
def test_on_a_phone_what_is_in_reach_and_out_of_view_has_a_pill_that_covers_nothing_to_press(
    lay: Lay, visit: Visit, path: str, red: int
) -> None:
    table = red_to_move(lay, red)
    page = visit(table.url, path, **PHONE)
    page.see("#board .view.near")
    page.see(".overview", state="visible")
    page.centre("#board")
    page.wait("() => document.querySelectorAll('.overview .dot').length === 3")
    left, top, wide, high = page.box("#board")
    page.settle()
    pills, covered = page.page.evaluate(PILLS)
    outside = set()
    for number in table.look(lambda p: {move.to for move in p.public.moves}):
        x, y, width, height = page.box(station(number))
        inside = left <= x + width / 2 <= left + wide and top <= y + height / 2 <= top + high
        outside |= set() if inside else {number}
    assert set(pills) == outside
    assert covered == []


@pytest.mark.parametrize("edge", amount(("left", "bottom"), tuple(EDGES)))
@pytest.mark.parametrize("size", amount(("1280",), tuple(SIZES)))
def test_at_the_edge_of_the_map_the_tickets_are_in_the_window(lay: Lay, visit: Visit, edge: str, size: str) -> None:
    start, to = EDGES[edge]
    page = asked(red_to_move(lay, start), visit, to, size=SIZES[size])
    check_tickets_at(page, to)


def test_the_tickets_stay_at_their_station_when_the_map_is_zoomed(lay: Lay, visit: Visit) -> None:
    page = asked(red_to_move(lay), visit)
    x, y = page.centre(station(58))
    page.page.mouse.move(x, y)
    for _ in range(4):
        page.page.mouse.wheel(0, -200)
    page.wait("() => document.querySelector('#board .view.near')")
    check_tickets_at(page, 58)


def test_a_pawn_whose_move_is_in_question_is_drawn_where_it_stands_in_every_tab(lay: Lay, visit: Visit) -> None:
    table = red_to_move(lay)
    other = visit(table.url, calm=False)
    page = asked(table, visit, calm=False)
    for one in (page, other):
        one.see("#pawns [data-pawn='red'][data-at='58']")
        one.wait("() => !document.querySelector('#pawns .red').getAnimations().length")
        one.see("#by-ticket[data-station='58']")
        assert one.page.evaluate(DRAWN, "red") < 60, "a pawn stands at the edge of its plate"


@pytest.mark.parametrize("by", ["tap", "key"])
def test_another_lit_station_moves_the_pawn_there_instead(lay: Lay, visit: Visit, by: str) -> None:
    table = red_to_move(lay)
    page = asked(table, visit)
    if by == "tap":
        page.tap(station(73))
    else:
        page.page.locator(station(73)).press("Enter")
    table.until(lambda p: p.public.pawns["red"] == 73, "the other move")
    assert moved(table) == [PawnMove("red", 73, "taxi")]
    page.see("#by-ticket", state="hidden")


def test_the_question_is_answered_by_keyboard_alone(lay: Lay, visit: Visit) -> None:
    table = red_to_move(lay)
    page = visit(table.url)
    page.see("#pawns [data-pawn='red'][data-at='74']")
    page.page.locator(station(74)).focus()
    page.page.keyboard.press("Enter")
    page.page.locator(station(58)).focus()
    page.page.keyboard.press("Enter")
    page.see("#by-ticket .ticket-choice:focus")
    page.page.keyboard.press("ArrowRight")
    page.see("#by-ticket [data-ticket='bus']:focus")
    page.page.keyboard.press("Enter")
    table.until(lambda p: p.public.pawns["red"] == 58, "the move")
    assert moved(table) == [PawnMove("red", 58, "bus")]
    table.until(lambda p: p.public.turn == ("yellow",), "Yellow's turn")
    page.see(f"{station(table.look(lambda p: p.public.pawns['yellow']))}:focus")


def test_the_words_of_the_sentence_answer_and_a_spectators_look_like_no_links(lay: Lay, visit: Visit) -> None:
    table = red_to_move(lay)
    watcher = visit(table.url, "spectate")
    page = asked(table, visit)
    watcher.see("#prompt b.keyword[data-ticket='taxi']")
    assert watcher.page.locator("#prompt button").count() == 0
    page.tap("#prompt button.keyword[data-ticket='taxi']")
    table.until(lambda p: p.public.pawns["red"] == 58, "the move")
    assert moved(table) == [PawnMove("red", 58, "taxi")]


@pytest.mark.parametrize("how", ["#by-ticket .not-there", "Escape", "#undo", "where it came from"])
def test_whoever_changes_his_mind_drops_the_question_and_no_other_move(lay: Lay, visit: Visit, how: str) -> None:
    table = red_to_move(lay)
    page = asked(table, visit)
    page.see("#by-ticket .not-there")
    if how == "Escape":
        page.page.keyboard.press(how)
    else:
        page.tap(how if how.startswith("#") else station(74))
    page.see("#by-ticket", state="hidden")
    red_stands_on(table, 74)
    table.wait(LATE)
    assert table.look(lambda p: (p.hardware.where()["red"], p.scene.asked, p.scene.ignored)) == (74, (), frozenset())
    assert moved(table) == []
    assert table.look(lambda p: p.public.turn) == ("red",)


@pytest.mark.parametrize(("key", "to", "ms"), [("Escape", 58, 0), ("z", 58, 8), ("Escape", 58, 16), ("z", 46, 0)])
def test_a_move_is_given_up_before_the_table_has_answered_it(
    lay: Lay, visit: Visit, key: str, to: int, ms: int
) -> None:
    table = red_to_move(lay)
    page = visit(table.url)
    page.see("#pawns [data-pawn='red'][data-at]")
    page.tap(station(74))
    page.see("#pawns [data-pawn='red'].lifted")
    page.page.evaluate(PRESS_AFTER_TAP, [key, ms])
    page.tap(station(to))
    table.wait(LATE)
    assert table.look(lambda p: (p.hardware.where()["red"], p.scene.asked, p.public.turn)) == (74, (), ("red",))
    assert moved(table) == []
    page.see("#by-ticket", state="hidden")
    page.see("#pawns [data-pawn='red'][data-at='74']")
