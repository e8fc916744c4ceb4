"""Players who change their minds: BACK and Undo cancel a move that the table asks about, and no switch is blamed."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.referee.scene import Kind
from tests.table.played_table import FIVE, asks, carry, press, put, red_to_move, take, text

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
