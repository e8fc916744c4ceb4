"""A key that comes just as the table begins to ask was meant for what stood there before."""

from __future__ import annotations

from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import STAY, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import done, junior
from tests.table.played_table import asks, confirm, press, put, red_to_move, take, text, tidy


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
