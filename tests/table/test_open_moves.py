"""Mister X in the open: his own pawn moves on the board where everyone sees it (BE-05 to BE-08)."""

from __future__ import annotations

import pytest

from firmware_host.referee.readings import Mismatch, Settled
from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import FREE, MR_X, Double, PawnMove
from tests.table.any_table import carried, done, key, lift, stand
from tests.table.beginners_tables import beginners, chase, move
from tests.table.played_table import asks, confirm, put, take, text

AROUND_82 = {65, 66, 67, 81, 100, 101, 140}


# ---- on the board ----


def test_be_05_his_pawn_moved_on_the_board_is_his_move() -> None:
    p = beginners()
    assert text(p) == "Mister X moves: his pawn on the board, or on the handset"
    carried(p, MR_X, 81)
    assert done(p) == [move(81)]
    assert p.public.pawns[MR_X] == 81
    assert p.public.log[0].station == 81
    assert p.public.turn == ("red", "yellow", "green")
    assert p.table.scene().set_down == {}
    assert p.table.scene().take_off == frozenset()


def test_be_05_his_pawn_in_the_hand_is_no_move_and_may_be_put_back() -> None:
    p = beginners()
    lift(p, MR_X)
    p.advance(10_000)
    assert done(p) == []
    assert isinstance(p.table.scene().reading, Settled)
    put(p, 82, MR_X, 3000)
    assert done(p) == []


def test_be_05_a_station_that_is_no_way_of_his_is_shown_as_wrong_and_his_move_waits() -> None:
    p = beginners()
    carried(p, MR_X, 1, 2000)
    assert done(p) == []
    assert p.table.scene().reading == Mismatch({MR_X: 82}, frozenset({1}))
    assert text(p) == "Put Mister X on 82. Clear 1"  # where he came from is right as well
    carried(p, MR_X, 81)
    assert done(p) == [move(81)]


def test_be_05_his_pawn_on_one_of_his_ways_while_a_detective_is_off_the_board_waits() -> None:
    p = beginners()
    lift(p, "red")
    carried(p, MR_X, 81, 3000)
    assert done(p) == []
    assert p.table.scene().reading == Mismatch({"red": 46}, frozenset())
    put(p, 46, "red", 1500)
    assert done(p) == [move(81)]


def test_be_05_magnets_on_two_of_his_ways_are_both_to_be_cleared_however_long_it_takes() -> None:
    p = beginners()
    lift(p, MR_X)
    p.hardware.put(81, MR_X)
    put(p, 140, "a coin", 10_000)
    assert done(p) == []
    assert p.table.scene().reading == Mismatch({MR_X: 82}, frozenset({81, 140}))
    assert text(p) == "Put Mister X on 82. Clear 81 and 140. Done? CONFIRM"
    take(p, 140, 1500)
    assert asks(p) == (Kind.WENT, "mr_x", 81, "confirm", "back")  # it was to be cleared a moment ago
    confirm(p)
    assert done(p) == [move(81)]


def test_be_05_what_he_chooses_on_the_handset_his_pawn_follows() -> None:
    p = beginners()
    p.choose(move(81))
    assert p.public.pawns[MR_X] == 81
    assert p.table.scene().set_down == {MR_X: 81}
    assert p.table.scene().take_off == {82}
    stand(p, MR_X, 81)
    assert p.table.scene().set_down == {}
    assert p.table.scene().take_off == frozenset()
    carried(p, "red", 34)
    assert p.public.pawns["red"] == 34


def test_be_05_a_pawn_never_set_down_cannot_move_on_the_board_by_chance() -> None:
    p = beginners(down=False)
    assert p.table.scene().set_down == {MR_X: 82}
    put(p, 82, MR_X, 3000)
    assert done(p) == []
    carried(p, MR_X, 81)
    assert done(p) == [move(81)]


def test_be_04_be_05_a_station_of_a_detectives_is_no_way_of_his() -> None:
    p = beginners(red=81, yellow=124, green=41)
    assert 81 not in {way.to for way in p.public.open_moves}
    carried(p, MR_X, 81, 5000)
    assert done(p) == []
    carried(p, MR_X, 82)
    carried(p, MR_X, 67)
    assert done(p) == [move(67)]


def test_pb_03_be_05_his_pawn_pushed_across_the_board_counts_where_it_comes_to_rest() -> None:
    p = beginners()
    p.hardware.slide([82, 81, 100], 900, MR_X)
    p.advance(1500)
    assert done(p) == [move(100)]


# ---- first his pawn is set down where he is ----


def test_be_05_back_to_the_station_where_his_pawn_was_left_standing_is_never_offered() -> None:
    p = beginners()
    p.choose(move(81))  # by the handset; his pawn stays on 82
    chase(p)
    assert p.hardware.where()[MR_X] == 82
    assert text(p) == "Mister X moves: his pawn on the board, or on the handset. Set Mister X's pawn on 81"
    p.advance(60_000)
    key(p, "confirm", "confirm")
    assert done(p)[-1] == PawnMove("green", 54, FREE)
    stand(p, MR_X, 81)
    carried(p, MR_X, 82)
    assert text(p) == "Mister X moves: his pawn on the board, or on the handset. Has he gone to 82? CONFIRM"
    confirm(p)
    assert asks(p) == (Kind.WENT, "mr_x", 82, "confirm", "back")
    confirm(p)
    assert done(p)[-1] == move(82)
    assert p.table.scene().set_down == {}
    assert p.table.scene().take_off == frozenset()


def test_be_06_a_pawn_left_behind_goes_nowhere_before_it_was_felt_where_he_is() -> None:
    p = beginners()
    p.choose(move(81))
    chase(p)
    carried(p, MR_X, 100, 3000)
    assert done(p)[-1] == PawnMove("green", 54, FREE)
    assert text(p).startswith("Clear 100. Set Mister X's pawn on 81")
    carried(p, MR_X, 81)
    carried(p, MR_X, 100)
    assert done(p)[-1] == move(100)


def test_be_05_in_the_detectives_part_his_lifted_pawn_is_asked_for() -> None:
    p = beginners()
    carried(p, MR_X, 81)
    lift(p, MR_X)
    p.advance(1000)
    assert p.table.scene().set_down == {MR_X: 81}
    assert text(p) == "Red, Yellow or Green moves. Set Mister X's pawn on 81"
    put(p, 81, MR_X, 500)
    assert text(p) == "Red, Yellow or Green moves"
    chase(p)
    lift(p, MR_X)
    p.advance(1000)
    assert p.table.scene().set_down == {}  # he is about to move it


# ---- the double move ----


def test_be_08_one_half_on_the_board_and_one_on_the_handset() -> None:
    p = beginners()
    p.choose(Double())
    assert text(p) == "Mister X moves (double move, 1st): his pawn on the board, or on the handset"
    carried(p, MR_X, 81)
    assert done(p) == [Double(), move(81)]
    assert text(p) == "Mister X moves (double move, 2nd): his pawn on the board, or on the handset"
    p.choose(move(100))
    assert done(p) == [Double(), move(81), move(100)]
    assert p.public.turn == ("red", "yellow", "green")
    assert p.table.scene().set_down == {MR_X: 100}
    stand(p, MR_X, 100)
    assert p.table.scene().take_off == frozenset()
    chase(p)


def test_be_08_both_halves_on_the_board() -> None:
    p = beginners()
    p.choose(Double())
    carried(p, MR_X, 81)
    carried(p, MR_X, 100)
    assert done(p) == [Double(), move(81), move(100)]
    assert p.table.scene().set_down == {}


def test_be_08_the_second_half_leads_back_to_where_the_first_began() -> None:
    p = beginners()
    p.choose(Double())
    carried(p, MR_X, 81)
    carried(p, MR_X, 82, 5000)
    assert done(p) == [Double(), move(81)]
    head = "Mister X moves (double move, 2nd): his pawn on the board, or on the handset. Has he "
    assert text(p) == head + "gone to 82 or back on 82? CONFIRM"
    confirm(p)
    assert asks(p) == (Kind.WENT, "mr_x", 82, "confirm", "back")
    confirm(p)
    assert done(p) == [Double(), move(81), move(82)]


def test_be_08_the_first_half_is_taken_back_where_the_second_might_lead_there_too() -> None:
    p = beginners()
    p.choose(Double())
    carried(p, MR_X, 81)
    carried(p, MR_X, 82, 5000)
    key(p, "confirm", "back")
    assert asks(p) == (Kind.WENT_BACK, "mr_x", 82, "confirm", "back")
    confirm(p)
    assert done(p) == [Double()]
    assert p.public.pawns[MR_X] == 82
    assert text(p).startswith("Mister X moves (double move, 1st)")


def test_be_08_at_move_two_the_second_half_is_hidden_and_on_the_handset_alone() -> None:
    p = beginners()
    carried(p, MR_X, 81)
    chase(p)
    p.choose(Double())
    carried(p, MR_X, 100)
    assert p.public.open_moves == ()
    p.choose(move(63))
    assert MR_X not in p.public.pawns
    assert p.table.scene().take_off == {100}
    chase(p)
    assert p.public.pawns[MR_X] == 63


# ---- secrecy ----


@pytest.mark.parametrize("down", [True, False])
def test_pb_07_his_ways_are_lit_nowhere(down: bool) -> None:
    p = beginners(down=down)
    assert {way.to for way in p.public.open_moves} == AROUND_82
    for _ in range(30):
        p.advance(170)
        assert not AROUND_82 & set(p.station_leds())
    if down:
        lift(p, MR_X)
        for _ in range(10):
            p.advance(170)
            assert not AROUND_82 & set(p.station_leds())


def test_be_05_any_key_but_those_the_table_asks_for_does_nothing_in_his_turn() -> None:
    p = beginners()
    key(p, "taxi", "bus", "underground", "back", "confirm")
    assert done(p) == []


def test_be_05_his_pawn_set_where_a_lifted_detective_came_from_takes_no_move_back() -> None:
    p = beginners(red=46, yellow=124, green=100)
    for pawn, to in ((MR_X, 81), ("red", 34), ("yellow", 111), ("green", 63)):
        carried(p, pawn, to)
    assert [m.to for m in p.public.open_moves if m.to == 100] == [100]
    before = done(p)
    lift(p, "green")
    lift(p, MR_X)
    put(p, 100, MR_X, 2000)
    assert done(p) == before
    assert asks(p) == (Kind.BACK_OR_NOT, "green", 100, "confirm", "back")
    put(p, 63, "green", 2000)
    assert asks(p) == (Kind.WENT, "mr_x", 100, "confirm", "back")
    confirm(p)
    assert done(p) == [*before, move(100)]
