"""A key that comes just as the table begins to ask was meant for what stood there before."""

from __future__ import annotations

from firmware_host.rules.actions import STAY, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import done, junior
from tests.table.played_table import confirm, text, tidy
from tests.table.test_switch_faults import table


def begins_to_ask(p: SimulatedTable) -> None:
    """Time goes by until the table asks, and not a pass longer."""
    for _ in range(2000):
        if p.daemon.scene().asked:
            return
        p.advance(5)
    raise AssertionError(text(p))


def test_a_guess_is_not_answered_by_a_key_that_comes_as_it_appears() -> None:
    p = junior(5, 8)
    p.table.lift(5, "white")
    p.table.put(8, "white")
    begins_to_ask(p)
    before = done(p)
    p.table.press("table.confirm")
    p.advance(400)
    assert done(p) == before
    assert text(p) == "White: to a lit station. Already on 8? Press CONFIRM, BACK: elsewhere"
    confirm(p)
    assert done(p) == [*before, PawnMove("white", 8, "bus")]


def test_a_question_that_comes_back_by_itself_is_not_answered_by_the_key_that_should_have_brought_it() -> None:
    p = junior(1, 4)
    tidy(p)
    before = done(p)
    confirm(p)
    assert text(p) == "White stays on 1? CONFIRM, BACK: no"
    p.table.lift(4, "yellow")
    p.advance(100)
    p.table.put(4, "yellow")
    p.advance(100)
    assert not p.daemon.scene().asked
    begins_to_ask(p)
    p.table.press("table.confirm")
    p.advance(400)
    assert done(p) == before
    assert text(p) == "White stays on 1? CONFIRM, BACK: no"
    confirm(p)
    assert done(p) == [*before, PawnMove("white", 1, STAY)]


def test_by_which_ticket_a_pawn_has_gone_is_answered_at_once() -> None:
    p = table()
    p.table.lift(74, "red")
    p.table.put(58, "red")
    begins_to_ask(p)
    assert text(p) == "Red to 58: TAXI or BUS?"
    p.table.press("table.taxi")
    p.advance(100)
    assert p.public.pawns["red"] == 58
