"""Mister X in the open is caught, wherever his pawn is (PB-05, BE-10)."""

from __future__ import annotations

from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import BLACK, FREE, MR_X, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import carried, done, lift
from tests.table.beginners_tables import beginners, move
from tests.table.played_table import asks, captured, confirm, put


def hunted() -> SimulatedTable:
    """Mister X has gone to 81 in the open, and his pawn stands there; red stands beside it on 100."""
    p = beginners(red=100, yellow=124, green=41)
    carried(p, MR_X, 81)
    assert p.public.pawns[MR_X] == 81
    return p


def test_pb_05_be_10_a_capture_with_his_pawn_lifted_first() -> None:
    p = hunted()
    lift(p, MR_X)
    p.advance(700)
    carried(p, "red", 81, 5000)
    assert not captured(p)  # it might be his own pawn, put back
    confirm(p)
    assert captured(p)


def test_pb_05_be_10_a_capture_beside_his_pawn() -> None:
    p = hunted()
    carried(p, "red", 81, 5000)
    assert not captured(p)
    assert asks(p) == (Kind.WENT, "red", 81, "confirm", "back")
    confirm(p)
    assert captured(p)


def test_pb_05_be_10_a_capture_by_key_alone() -> None:
    p = hunted()
    lift(p, "red")
    p.advance(1000)
    confirm(p)
    assert captured(p)
    assert done(p)[-1] == PawnMove("red", 81, FREE)


def test_pb_05_be_10_a_capture_where_his_pawn_was_never_set_down() -> None:
    p = beginners(down=False, red=100, yellow=124, green=41)
    p.choose(move(81))
    carried(p, "red", 81, 5000)
    assert not captured(p)
    confirm(p)
    assert captured(p)


def test_pb_05_a_detective_beside_him_may_go_elsewhere_while_his_pawn_is_lifted_and_put_back() -> None:
    p = hunted()
    lift(p, MR_X, "red")
    p.advance(700)
    put(p, 81, MR_X, 5000)
    assert not captured(p)
    put(p, 63, "red", 1500)
    assert p.public.pawns["red"] == 63
    assert p.public.outcome is None


def test_pb_05_be_10_a_hidden_mister_x_is_caught_as_by_any_move() -> None:
    p = beginners(red=100, yellow=124, green=41)
    p.choose(move(81, BLACK))
    lift(p, MR_X)
    p.advance(700)
    carried(p, "red", 81)
    assert captured(p)
