"""Mister X hides from beginners for a move (BE-06, BE-07): his pawn is taken off the board, and set down again."""

from __future__ import annotations

from firmware_host.referee.readings import Mismatch
from firmware_host.rules.actions import BLACK, MR_X
from tests.table.any_table import carried, done, lift
from tests.table.beginners_tables import beginners, chase, move, until_third
from tests.table.played_table import put, text


def test_be_06_before_a_hidden_move_nothing_on_the_board_is_his_and_the_table_asks_to_take_his_pawn_off() -> None:
    p = until_third()
    assert p.public.open_moves == ()
    assert text(p) == "Mister X's move is hidden: he chooses on the handset"
    p.choose(move(63))
    assert MR_X not in p.public.pawns
    assert p.public.log[2].station is None
    assert p.table.scene().take_off == {100}
    assert "Clear 100: Mister X has left" in text(p)
    lift(p, MR_X)
    p.advance(700)
    assert p.table.scene().take_off == frozenset()
    assert p.table.scene().set_down == {}


def test_be_06_at_his_next_turn_his_pawn_is_to_be_set_down_where_he_is_and_moves_on_from_there() -> None:
    p = until_third()
    p.choose(move(63))
    lift(p, MR_X)
    p.advance(700)
    chase(p)
    assert p.public.pawns[MR_X] == 63
    assert p.public.log[2].station == 63
    assert p.table.scene().set_down == {MR_X: 63}
    assert text(p) == "Mister X moves: his pawn on the board, or on the handset. Set Mister X's pawn on 63"
    put(p, 63, MR_X, 1000)
    assert len(p.public.log) == 3
    carried(p, MR_X, 80)
    assert done(p)[-1] == move(80)


def test_be_06_a_pawn_set_down_at_once_where_he_might_go_next_is_wrong() -> None:
    p = until_third()
    p.choose(move(63))
    lift(p, MR_X)
    p.advance(700)
    chase(p)
    put(p, 80, MR_X, 1500)
    assert len(p.public.log) == 3
    assert p.table.scene().reading == Mismatch({}, frozenset({80}))
    assert text(p) == "Clear 80. Set Mister X's pawn on 63"
    carried(p, MR_X, 63)
    carried(p, MR_X, 80)
    assert done(p)[-1] == move(80)
    assert p.public.pawns[MR_X] == 80


def test_pb_06_be_06_a_pawn_not_taken_off_holds_nobody_up_and_moves_nobody() -> None:
    p = until_third()
    p.choose(move(63))
    chase(p)
    assert p.public.turn == (MR_X,)
    assert p.hardware.where()[MR_X] == 100
    p.advance(30_000)
    assert len(p.public.log) == 3
    p.choose(move(80))
    chase(p)
    assert p.public.turn == (MR_X,)
    carried(p, MR_X, 80)
    carried(p, MR_X, 99)
    assert done(p)[-1] == move(99)


def test_be_06_his_pawn_moved_on_the_board_in_a_hidden_move_is_wrong_and_gives_nothing_away() -> None:
    p = until_third()
    carried(p, MR_X, 63, 3000)
    assert len(p.public.log) == 2
    assert text(p).startswith("Clear 63")
    lift(p, MR_X)
    p.advance(1000)
    p.choose(move(63))
    assert len(p.public.log) == 3


def test_be_07_the_black_ticket_is_spent_on_the_handset_and_hides_him() -> None:
    p = beginners()
    assert BLACK not in {way.ticket for way in p.public.open_moves}
    p.choose(move(81, BLACK))
    assert MR_X not in p.public.pawns
    assert p.table.scene().take_off == {82}
    chase(p)
    assert p.public.pawns[MR_X] == 81
    assert p.table.scene().set_down == {MR_X: 81}
