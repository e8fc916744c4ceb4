"""Two stations so close that one magnet may close either switch: where a pawn may go to both, the table asks."""

from __future__ import annotations

from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import PawnMove
from tests.table.played_table import asks, begun, carry, confirm, go

CLOSE = {"red": 100, "yellow": 13, "green": 26}
"""From 100 there is a way to 111 and one to 112, 14 mm apart."""


def test_a_pawn_over_a_dead_spot_that_the_next_switch_feels_is_asked_about_and_not_moved() -> None:
    p = begun(197, **CLOSE)
    go(p, 184)
    p.hardware.fault("switch:112", "stuck_open")
    p.hardware.pick_up("red")
    p.advance(400)
    p.hardware._reeds.move("red", p.hardware.places[111], p.hardware.clock.now())  # set down on 112, a little off
    p.advance(3000)
    assert p.public.pawns["red"] == 100
    assert p.table.scene().asked == (PawnMove("red", 111, "bus"),)
    assert asks(p) == (Kind.WENT, "red", 111, "confirm", "back")


def test_one_that_really_went_there_is_confirmed_by_key() -> None:
    p = begun(197, **CLOSE)
    go(p, 184)
    carry(p, "red", 111, 3000)
    assert p.public.pawns["red"] == 100
    confirm(p)
    assert p.public.pawns["red"] == 111


def test_where_it_may_go_to_one_of_them_alone_nothing_but_the_ticket_is_asked() -> None:
    p = begun(197, **{**CLOSE, "red": 124})
    go(p, 184)
    carry(p, "red", 111, 3000)
    assert asks(p) == (Kind.WENT, "red", 111, "taxi", "bus", "back")
