"""Several stations to which a pawn may go are closed, and it stands on one: the table asks which, and blames none."""

from __future__ import annotations

from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import beginners, carried, key
from tests.table.played_table import (
    ask_kind,
    asks,
    begun,
    carry,
    confirm,
    fault,
    go,
    press,
    put,
    red_to_move,
    say_elsewhere,
    take,
    text,
)

TO_58 = (Kind.WENT, "red", 58, "taxi", "bus", "back")
TO_46 = (Kind.WENT, "red", 46, "confirm", "back")


def by_bus(p: SimulatedTable) -> None:
    press(p, "table.bus", 300)


def test_a_switch_that_has_stuck_before_does_not_make_a_move_elsewhere_wrong() -> None:
    p = red_to_move()
    fault(p, "switch:46", "stuck_closed", 1500)
    assert asks(p) == TO_46
    key(p, "back")
    carry(p, "red", 58, 6000)
    assert asks(p) == TO_58
    by_bus(p)
    assert p.public.pawns["red"] == 58
    p.advance(1500)
    assert asks(p)[:3] == (Kind.WENT, "yellow", 46)  # which can go there, too
    key(p, "back")
    p.advance(6000)
    assert text(p).startswith("Clear 46. Is 46 empty? CONFIRM")
    confirm(p)
    assert p.table.scene().ignored == {46}


def test_what_was_felt_first_is_asked_first_when_another_switch_sticks_while_a_ticket_is_asked_for() -> None:
    p = red_to_move()
    carry(p, "red", 58, 1500)
    assert text(p) == "Red to 58? TAXI or BUS. No: BACK"
    fault(p, "switch:46", "stuck_closed", 1500)
    assert asks(p) == TO_58
    by_bus(p)
    assert p.public.pawns["red"] == 58


def test_a_pawn_that_is_lifted_again_is_not_moved_to_a_station_that_sticks() -> None:
    p = red_to_move()
    carry(p, "red", 58, 1500)
    fault(p, "switch:46", "stuck_closed", 1500)
    take(p, 58, 3000)
    assert p.public.pawns["red"] == 74
    assert asks(p) == TO_46


def test_each_of_them_can_be_said_to_be_empty() -> None:
    p = red_to_move()
    take(p, 74, 300)
    fault(p, "switch:46", "stuck_closed", 200)
    put(p, 58, "red", 1500)
    asked = []
    while len(asked) < 4:
        asked.append(asks(p))
        press(p, "table.back", 400)
        if ask_kind(p) is Kind.CANCELLED:
            say_elsewhere(p)
    empty = [(Kind.EMPTY, "red", station, "confirm", "back") for station in (46, 58)]
    assert asked[:2] == [TO_46, TO_58]
    assert sorted(asked[2:], key=str) == sorted(empty, key=str)
    while asks(p) != empty[0]:
        press(p, "table.back", 400)
    confirm(p)
    assert p.table.scene().ignored == {46}
    p.advance(1000)
    assert p.public.pawns["red"] == 74  # by bus or by taxi is still to be said
    by_bus(p)
    assert p.public.pawns["red"] == 58


def test_be_08_in_any_order_too_and_no_question_goes_round_for_ever() -> None:
    p = beginners()
    carried(p, MR_X, 65)
    fault(p, "switch:1", "stuck_closed", 1500)
    key(p, "back")
    carry(p, "red", 34, 6000)
    assert asks(p) == (Kind.WENT, "red", 34, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 34


def strays() -> SimulatedTable:
    """Mister X has gone to 65 with his own pawn, and a moment later 81 sticks, where he might have gone, too."""
    p = beginners()
    take(p, 82, 300, MR_X)
    put(p, 65, MR_X, 200)
    fault(p, "switch:81", "stuck_closed", 6000)
    assert p.public.pawns[MR_X] == 82
    assert text(p) == "Put Mister X on 82. Clear 65 and 81. Done? CONFIRM"
    return p


def test_be_05_of_each_of_his_ways_that_are_closed_it_can_be_said_that_it_is_empty() -> None:
    p = strays()
    confirm(p)
    assert asks(p)[0] == Kind.EMPTY
    press(p, "table.back", 400)
    assert asks(p)[0] == Kind.EMPTY
    confirm(p)
    p.advance(1500)
    assert p.table.scene().ignored == {81}
    assert asks(p)[:3] == (Kind.WENT, MR_X, 65)
    confirm(p)
    assert p.public.pawns[MR_X] == 65


def test_be_05_his_pawn_that_is_lifted_again_is_not_moved_to_the_one_that_sticks() -> None:
    p = strays()
    take(p, 65, 3000, MR_X)
    assert p.public.pawns[MR_X] == 82
    assert asks(p)[:3] == (Kind.WENT, MR_X, 81)


# ---- two stations so close that one magnet may close either switch ----


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
