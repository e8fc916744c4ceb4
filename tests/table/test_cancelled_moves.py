"""Players who change their minds, or press a key too early: what a key was not meant for, it does not answer."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import STAY, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import done, junior
from tests.table.played_table import FIVE, asks, carry, confirm, press, put, red_to_move, take, text, tidy

ON_58 = (Kind.WENT, "red", 58, "taxi", "bus", "back")
PUT_BACK = "Put Red back on 74, or on another lit station"


def on_58() -> Any:
    """Red is set on 58, where two tickets lead, and the table asks by which."""
    p = red_to_move()
    carry(p, "red", 58)
    assert asks(p) == ON_58
    return p


def cancel(p: Any, how: str) -> None:
    """Press BACK, or Undo."""
    if how == "back":
        press(p, "table.back")
    else:
        p.take_back()
        p.advance(100)


def untouched(p: Any) -> bool:
    """Return whether nothing was played since Mister X, and nothing is said against a switch."""
    scene = p.table.scene()
    return len(p.actions) == 1 and not scene.ignored and not scene.ailing


@pytest.mark.parametrize("how", ["back", "undo"])
def test_back_is_offered_with_the_question_and_has_the_pawn_put_back_and_so_does_undo(how: str) -> None:
    p = on_58()
    assert text(p) == "Red to 58? TAXI or BUS. No: BACK"
    cancel(p, how)
    assert text(p) == PUT_BACK
    assert asks(p) == (Kind.CANCELLED, "red", 58)
    for key in ("back", "confirm", "taxi", "bus"):  # nothing is asked that a key answers
        press(p, f"table.{key}")
    assert text(p) == PUT_BACK
    assert untouched(p)


@pytest.mark.parametrize("how", ["back", "undo"])
@pytest.mark.parametrize("after", [300, 20_000])
def test_a_pawn_carried_home_takes_nothing_else(how: str, after: int) -> None:
    p = on_58()
    p.advance(after)
    cancel(p, how)
    p.advance(after)
    carry(p, "red", 74, 6000)
    assert text(p) == "Red moves"
    assert untouched(p)


def test_another_lit_station_is_simply_the_new_move() -> None:
    p = on_58()
    press(p, "table.back")
    carry(p, "red", 75)
    assert p.public.pawns["red"] == 75
    assert not p.table.scene().ignored


def test_on_the_same_station_again_it_is_asked_as_a_new_move() -> None:
    p = on_58()
    press(p, "table.back")
    for wait in (400, 6000):
        take(p, 58, wait, "red")
        put(p, 58, "red", 900)
        assert asks(p) == ON_58
        press(p, "table.back")
        assert text(p) == PUT_BACK
    take(p, 58, 400, "red")
    put(p, 58, "red", 900)
    press(p, "table.bus")
    assert p.public.pawns["red"] == 58
    assert not p.table.scene().ignored


def test_whether_a_switch_is_at_fault_is_asked_only_of_who_says_that_the_pawn_stands_elsewhere() -> None:
    p = on_58()
    p.advance(8000)
    press(p, "table.back")
    assert text(p) == PUT_BACK
    p.advance(4000)
    assert text(p) == f"{PUT_BACK}. Does it stand elsewhere? CONFIRM"
    press(p, "table.confirm")
    assert text(p) == "Is 58 empty? CONFIRM: its switch is broken. No: BACK"
    press(p, "table.back")
    assert text(p) == PUT_BACK
    assert untouched(p)
    p.advance(4000)
    p.hardware.fault("switch:58", "stuck_closed")
    p.hardware.lift(58, "red")
    p.advance(300)
    press(p, "table.confirm")
    press(p, "table.confirm")
    assert p.table.scene().ignored == {58}


def test_undo_never_takes_back_another_pawns_move_while_one_is_shown() -> None:
    p = red_to_move(**{**FIVE, "red": 75, "yellow": 74})
    carry(p, "red", 94)
    played = list(p.actions)
    carry(p, "yellow", 58)
    p.take_back()
    p.take_back()
    assert text(p) == PUT_BACK.replace("Red", "Yellow")
    carry(p, "yellow", 74, 6000)
    assert text(p) == "Yellow moves"
    assert p.actions == played


def test_undo_before_a_move_of_one_ticket_has_lasted_cancels_it() -> None:
    p = red_to_move()
    carry(p, "red", 75, 100)
    p.take_back()
    p.advance(2000)
    assert asks(p) == (Kind.CANCELLED, "red", 75)
    assert untouched(p)


# ---- a key that comes just as the table begins to ask ----


def begins_to_ask(p: SimulatedTable) -> None:
    """Time goes by until the table asks, and not a pass longer."""
    for _ in range(2000):
        if p.table.scene().asked:
            return
        p.advance(5)
    raise AssertionError(text(p))


def test_a_guess_is_not_answered_by_a_key_that_comes_as_it_appears() -> None:
    p = junior(5, 8)
    p.hardware.lift(5, "white")
    p.hardware.put(8, "white")
    begins_to_ask(p)
    before = done(p)
    press(p, "table.confirm", 400)
    assert done(p) == before
    assert asks(p) == (Kind.WENT, "white", 8, "confirm", "back")
    confirm(p)
    assert done(p) == [*before, PawnMove("white", 8, "bus")]


def test_a_question_that_comes_back_by_itself_is_not_answered_by_the_key_that_should_have_brought_it() -> None:
    p = junior(1, 4)
    tidy(p)
    before = done(p)
    confirm(p)
    assert asks(p) == (Kind.STAYS, "white", 1, "confirm", "back")
    take(p, 4, 100, "yellow")
    put(p, 4, "yellow", 100)
    assert not p.table.scene().asked
    begins_to_ask(p)
    press(p, "table.confirm", 400)
    assert done(p) == before
    assert asks(p) == (Kind.STAYS, "white", 1, "confirm", "back")
    confirm(p)
    assert done(p) == [*before, PawnMove("white", 1, STAY)]


def test_by_which_ticket_a_pawn_has_gone_is_answered_at_once() -> None:
    p = red_to_move()
    p.hardware.lift(74, "red")
    p.hardware.put(58, "red")
    begins_to_ask(p)
    assert asks(p) == (Kind.WENT, "red", 58, "taxi", "bus", "back")
    press(p, "table.taxi")
    assert p.public.pawns["red"] == 58
