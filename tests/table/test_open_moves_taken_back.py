"""Mister X in the open: his move is taken back when his pawn is put back (BE-05)."""

from __future__ import annotations

from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import FREE, MR_X, PawnMove
from tests.table.any_table import carried, done, key, lift, stand
from tests.table.beginners_tables import beginners, move, until_third
from tests.table.played_table import asks, confirm, put, text

BACK_82 = "Red, Yellow or Green moves. CONFIRM: Mister X back on 82. Set Mister X's pawn on 81"


def test_be_05_his_move_on_the_board_is_taken_back_by_two_confirms() -> None:
    p = beginners()
    carried(p, MR_X, 81)
    carried(p, MR_X, 82, 60_000)
    assert done(p) == [move(81)]  # never by itself
    assert text(p).startswith(BACK_82)
    confirm(p)
    assert done(p) == [move(81)]
    assert asks(p) == (Kind.WENT_BACK, "mr_x", 82, "confirm", "back")
    confirm(p)
    assert done(p) == []
    assert p.public.pawns[MR_X] == 82
    assert p.public.log == ()
    assert text(p) == "Mister X moves: his pawn on the board, or on the handset"
    carried(p, MR_X, 67)
    assert done(p) == [move(67)]


def test_be_05_his_pawn_put_back_in_no_time_takes_his_move_back_too() -> None:
    p = beginners()
    carried(p, MR_X, 81)
    lift(p, MR_X)
    p.advance(100)
    put(p, 82, MR_X, 3000)
    assert text(p).startswith(BACK_82)
    key(p, "confirm", "confirm")
    assert done(p) == []


def test_be_05_back_drops_the_question_whether_his_move_is_taken_back() -> None:
    p = beginners()
    carried(p, MR_X, 81)
    carried(p, MR_X, 82, 3000)
    key(p, "confirm", "back")
    assert text(p).startswith(BACK_82)
    assert p.table.scene().asked == ()
    carried(p, MR_X, 81)
    assert done(p) == [move(81)]
    assert text(p) == "Red, Yellow or Green moves"


def test_be_05_his_move_chosen_on_the_handset_is_taken_back_once_his_pawn_has_followed() -> None:
    p = beginners()
    p.choose(move(81))
    assert "back on 82" not in text(p)  # his pawn still stands there: that says nothing
    key(p, "confirm", "confirm")
    assert done(p) == [move(81)]
    stand(p, MR_X, 81)
    carried(p, MR_X, 82, 2000)
    key(p, "confirm", "confirm")
    assert done(p) == []


def test_be_05_once_a_detective_has_moved_his_move_stands() -> None:
    p = beginners()
    carried(p, MR_X, 81)
    carried(p, "red", 34)
    carried(p, MR_X, 82, 3000)
    assert text(p).startswith("Yellow or Green moves. Set Mister X's pawn on 81")
    key(p, "confirm", "confirm")
    assert done(p) == [move(81), PawnMove("red", 34, FREE)]


def test_be_06_a_hidden_move_is_not_taken_back() -> None:
    p = until_third()
    p.choose(move(63))
    lift(p, MR_X)
    p.advance(700)
    put(p, 100, MR_X, 3000)
    assert "back on" not in text(p)
    key(p, "confirm", "confirm")
    assert len(p.public.log) == 3


def test_be_05_where_nothing_is_taken_back_his_move_stands() -> None:
    p = beginners(take_back=False)
    carried(p, MR_X, 81)
    carried(p, MR_X, 82, 3000)
    assert text(p).startswith("Red, Yellow or Green moves. Set Mister X's pawn on 81")
    key(p, "confirm", "confirm")
    assert done(p) == [move(81)]
