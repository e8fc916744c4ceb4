"""Taps and clicks on a table whose hands are simulated: starts, double clicks, the pawn that is to move, keys."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.rules.actions import MR_X, START, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.cases import Case, shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable, begins
from tests.web.played_evening import actions

KEYS = "#keys [data-key]"
LATE = 6000
"""Milliseconds of the table's after which a real board asks whether a switch has missed something."""


def chase(p: SimulatedTable) -> None:
    """A game in which a computer hides and Red, on 13, moves first."""
    p.new_game(players=4, start={MR_X: 94, "red": 13, "yellow": 26, "green": 91}, seats={MR_X: "easy"})


def at_reds_turn(lay: Lay, visit: Visit, **kind: Any) -> tuple[OpenTable, Visitor]:
    table = lay(shipped("classic"), seed=5, begin=chase, helped=True)
    page = visit(table.url, **kind)
    table.until(lambda p: p.public.turn == ("red",), "Red's turn")
    page.see('#prompt[data-of="red"]')
    page.see("#pawns [data-pawn='red'][data-at='13']")
    return table, page


def moves(table: OpenTable) -> list[PawnMove]:
    """What detectives have done so far."""
    return table.look(lambda p: [action for action in p.actions if isinstance(action, PawnMove)])


def figure(page: Visitor, pawn: str) -> tuple[float, float]:
    """The middle of a pawn's figure, which lies beside the number of its station."""
    return page.centre(f"#pawns [data-pawn='{pawn}'] .body")


@pytest.mark.parametrize("by", ["finger", "keyboard"])
def test_a_lit_start_that_is_tapped_sets_the_pawn(lay: Lay, visit: Visit, by: str) -> None:
    table = lay(shipped("dice"), seed=2, begin=begins(Case("dice", 4)), helped=True)
    page = visit(table.url, touch=by == "finger", size=(390, 844) if by == "finger" else (1440, 900))
    table.until(lambda p: p.public.turn and {move.ticket for move in p.public.moves} == {START}, "starts to be chosen")
    table.wait(LATE)
    page.see('body[data-phase="play"]')
    assert page.page.locator(f"{KEYS}:visible").count() == 0
    assert "CONFIRM" not in page.read("#prompt")
    chosen = table.look(lambda p: [move for move in p.public.moves if move.pawn == p.public.turn[0]])[3]
    station = f"#board [data-station='{chosen.to}']"
    page.tap(station) if by == "finger" else page.page.locator(station).press("Enter")
    table.until(lambda p: p.actions, "the start to count")
    assert table.look(actions) == [chosen]
    page.see(f"#pawns [data-pawn='{chosen.pawn}'][data-at='{chosen.to}']")


@pytest.mark.parametrize("clicks", [2, 3])
def test_a_double_click_on_a_target_moves_the_pawn_and_does_nothing_else(lay: Lay, visit: Visit, clicks: int) -> None:
    table, page = at_reds_turn(lay, visit)
    scale = page.page.evaluate("document.querySelector('.sheet').style.transform")
    page.page.mouse.click(*figure(page, "red"))
    page.see("#pawns [data-pawn='red'].lifted")
    page.page.wait_for_timeout(500)
    page.page.mouse.click(*page.centre("#board [data-station='24']"), click_count=clicks)
    table.until(lambda p: p.public.turn == ("yellow",), "Yellow's turn")
    page.see("#pawns [data-pawn='red'][data-at='24']:not(.lifted)")
    assert moves(table) == [PawnMove("red", 24, "taxi")]
    assert page.page.evaluate("document.querySelector('.sheet').style.transform") == scale
    assert not page.page.locator("#targets :is(.chosen, .barred)").count()
    page.see('#prompt[data-of="yellow"]')
    page.page.mouse.click(*figure(page, "yellow"))
    page.see("#pawns [data-pawn='yellow'].lifted")
    assert page.read("#refused") == ""


def test_a_tap_on_the_pawn_that_is_to_move_takes_it_whatever_is_in_the_hand(lay: Lay, visit: Visit) -> None:
    _, page = at_reds_turn(lay, visit)
    for at in ("#pawns [data-pawn='red'] .body", "#board [data-station='13']"):
        page.page.locator("#board [data-station='26']").press("Enter")
        page.see("#pawns [data-pawn='yellow'].lifted")
        page.tap(at)
        page.see("#pawns [data-pawn='red'].lifted")
        page.see("#pawns [data-pawn='yellow'][data-at='26']:not(.lifted)")
        assert page.read("#refused") == ""
        page.page.keyboard.press("Escape")
        page.see("#pawns [data-pawn='red']:not(.lifted)")


def test_a_pawn_whose_move_is_over_is_not_taken_up_by_a_tap_and_dragged_back_takes_its_move_back(
    lay: Lay, visit: Visit
) -> None:
    table, page = at_reds_turn(lay, visit)
    page.page.evaluate("performance.now = () => 60000")  # a table may take the move at once
    page.drag("red", 24)
    table.until(lambda p: p.public.turn == ("yellow",), "Yellow's turn")
    page.see('#prompt[data-of="yellow"]')
    page.page.mouse.click(*figure(page, "red"))
    page.see('#refused:text("It is Yellow\'s turn.")')
    assert page.page.locator(".lifted").count() == 0
    page.drag("red", 13)
    table.until(lambda p: p.public.turn == ("red",), "the move to be taken back")
    assert moves(table) == []


def test_a_letter_presses_no_key_that_the_page_does_not_show(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("dice"), seed=2, begin=begins(Case("dice", 4)), helped=True)
    page = visit(table.url)
    table.until(lambda p: p.public.turn and {move.ticket for move in p.public.moves} == {START}, "starts to be chosen")
    page.see('body[data-phase="play"][data-hands="helped"]')
    table.wait(LATE)
    for letter in ("c", "Backspace", "t"):
        page.page.keyboard.press(letter)
    table.wait(1000)
    assert table.look(lambda p: p.scene.asked) == ()
    assert [said for said in page.sent if '"key"' in str(said)] == []


def test_a_switch_that_is_broken_on_purpose_brings_the_keys_back(lay: Lay, visit: Visit) -> None:
    table, page = at_reds_turn(lay, visit)
    table.look(lambda p: p.hardware.fault("switch:190", "stuck_closed"))
    page.page.locator(f"{KEYS}[data-key='table.confirm']").wait_for()
    assert "Is 190 empty? CONFIRM" in page.read("#prompt")
    page.press("table.confirm")
    table.until(lambda p: p.scene.ignored == {190}, "the switch to be ignored")
    page.drag("red", 24)
    table.until(lambda p: p.public.turn == ("yellow",), "Yellow's turn")
