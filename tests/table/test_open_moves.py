"""Mister X in the open, hidden for a move, and caught: his own pawn moves where everyone sees it (BE-05 to BE-10)."""

from __future__ import annotations

import pytest

from firmware_host.referee.readings import Mismatch, Settled
from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import BLACK, FREE, MR_X, Double, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import beginners, carried, chase, done, key, lift, move, stand, until_third
from tests.table.played_table import asks, captured, confirm, fault, put, text

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


# ---- taken back when his pawn is put back ----


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


# ---- where its switch is out of order ----


OPENLY = "Mister X moves: his pawn on the board, or on the handset"


def dead(p: SimulatedTable, station: int = 82) -> None:
    """The switch under a station dies, and time goes by."""
    fault(p, f"switch:{station}", "stuck_open", 6000)


def test_pb_04_a_move_of_his_that_nobody_made_is_denied_by_back_though_no_switch_feels_his_pawn() -> None:
    p = beginners()
    dead(p)
    fault(p, "switch:81", "stuck_closed", 1200)
    assert done(p) == [move(81)]  # felt like a move, and no key has said otherwise yet
    key(p, "back")
    assert asks(p) == (Kind.WENT_BACK, MR_X, 82, "confirm", "back")
    assert text(p) == "Mister X back on 82? CONFIRM. No: BACK"
    key(p, "confirm")
    assert done(p) == []
    assert p.table.scene().ignored == {81, 82}
    p.advance(6000)
    assert done(p) == []  # 81 is closed all the time
    assert "Set Mister X's pawn" not in text(p)
    carried(p, MR_X, 67)
    key(p, "confirm")
    assert done(p) == [move(67)]


def test_be_05_his_pawn_put_back_on_a_dead_switch_takes_his_move_back_by_key() -> None:
    p = beginners()
    dead(p)
    carried(p, MR_X, 81)
    carried(p, MR_X, 82, 3000)
    assert done(p) == [move(81)]
    assert "Set Mister X's pawn on 81" in text(p)
    key(p, "back", "confirm")
    assert done(p) == []
    assert "Set Mister X's pawn" not in text(p)
    carried(p, MR_X, 81)
    key(p, "confirm")
    assert done(p) == [move(81)]


def test_pb_04_his_pawn_is_said_to_stand_on_its_dead_switch_and_moves_by_key_alone_from_then_on() -> None:
    p = beginners()
    dead(p)
    assert text(p) == f"{OPENLY}. Not sensed there? CONFIRM"
    key(p, "confirm")
    assert text(p) == f"{OPENLY}. Does it stand on 82? CONFIRM. No: BACK"
    key(p, "confirm")
    assert p.table.scene().ignored == {82}
    fault(p, "switch:81", "stuck_closed", 3000)
    assert done(p) == []
    assert asks(p)[:3] == (Kind.WENT, MR_X, 81)


def test_be_05_his_pawn_on_a_dead_switch_of_another_station_moves_by_key() -> None:
    p = beginners()
    p.hardware.fault("switch:67", "stuck_open")
    carried(p, MR_X, 67, 6000)
    assert done(p) == []
    key(p, "confirm", "back")
    while asks(p)[2] != 67:
        key(p, "back")
    key(p, "confirm")
    assert done(p) == [move(67)]
    assert 67 in p.table.scene().ignored
    assert "Set Mister X's pawn" not in text(p)


def test_be_05_a_pawn_of_his_in_a_hand_asks_nothing_before_it_is_long() -> None:
    p = beginners()
    lift(p, MR_X)
    p.advance(1500)
    assert text(p) == OPENLY
    stand(p, MR_X, 82)
    p.advance(6000)
    assert text(p) == OPENLY
    assert done(p) == []


@pytest.mark.parametrize("answer", [("back",), ("back", "back")])
def test_be_05_once_a_detective_has_moved_no_key_takes_his_move_back(answer: tuple[str, ...]) -> None:
    p = beginners()
    dead(p)
    carried(p, MR_X, 81)
    carried(p, "red", 34)
    before = done(p)[:1]
    key(p, *answer)
    assert "Mister X back" not in text(p)
    assert done(p)[:1] == before


# ---- hidden for a move (BE-06, BE-07) ----


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


# ---- caught in the open (PB-05, BE-10) ----


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
