"""PB-05, PB-06 and taking back, through the whole stack: hands and magnets in, lamps and prompts out."""

from __future__ import annotations

from firmware_host.referee.readings import Settled
from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import key
from tests.table.played_table import (
    FIVE,
    asks,
    begun,
    captured,
    carry,
    config,
    confirm,
    go,
    hunted,
    press,
    put,
    red_to_move,
    take,
    text,
    tidy,
    walk,
)

# ---- PB-05: arriving where a pawn stands ----------------------------------------------------------------------------


def visible(red: tuple[int, int] = (75, 94)) -> SimulatedTable:
    """Mister X stands on 58, in the open, his pawn set down; red stands beside it."""
    p = hunted(red, (45, 58))
    tidy(p)
    assert p.hardware.where()[MR_X] == 58
    return p


def test_pb_05_a_capture_with_mister_xs_pawn_lifted_first_needs_the_key_too() -> None:
    p = visible()
    take(p, 58, 700, MR_X)
    carry(p, "red", 58, 10_000)
    assert p.public.outcome is None  # it could be his own pawn that was put back
    assert asks(p) == (Kind.WENT, "red", 58, "confirm", "back")
    confirm(p)
    assert captured(p)


def test_pb_05_mister_xs_pawn_lifted_and_put_back_while_red_is_in_the_hand_is_no_capture() -> None:
    p = visible()
    take(p, 58, 700, MR_X)
    take(p, 75, 300, "red")
    put(p, 58, MR_X, 60_000)
    assert p.public.outcome is None
    assert p.public.pawns["red"] == 75
    put(p, 94, "red", 1500)
    assert p.public.outcome is None
    assert p.public.pawns["red"] == 94


def test_pb_05_his_pawn_lifted_from_where_he_was_is_not_out_of_reach_before_a_further_action() -> None:
    p = visible()
    for pawn, to in (("red", 74), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)
    go(p, 45)
    assert p.public.stale == {58}
    take(p, 58, 700, MR_X)
    take(p, 74, 700, "red")
    put(p, 58, MR_X, 10_000)
    assert p.public.pawns["red"] == 74
    assert p.public.turn == ("red",)
    walk(p, "red", 73)
    assert p.public.pawns["red"] == 73


def test_pb_05_a_capture_with_both_pawns_in_the_hands_at_once_needs_the_key() -> None:
    p = visible()
    p.hardware.lift(58, MR_X)
    take(p, 75, 100, "red")
    put(p, 58, "red", 10_000)
    assert p.public.outcome is None
    confirm(p)
    assert captured(p)


def test_pb_05_a_capture_beside_mister_xs_pawn_by_the_confirm_key() -> None:
    p = visible()
    carry(p, "red", 58, 2000)
    assert not captured(p)
    assert asks(p) == (Kind.WENT, "red", 58, "confirm", "back")
    confirm(p)
    assert captured(p)


def test_pb_05_beside_a_station_that_feels_the_same_magnet_the_one_that_has_closed_is_asked_about_first() -> None:
    p = visible()
    carry(p, "red", 59, 2000)  # so near to 58 that Mister X's magnet might be what closes it
    assert asks(p) == (Kind.WENT, "red", 59, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 59
    assert p.public.outcome is None


def test_pb_05_a_capture_by_key_alone_with_its_ticket() -> None:
    p = visible((74, 73))
    take(p, 74, 1000, "red")
    assert {m.ticket for m in p.table.scene().asked} == {"taxi", "bus"}
    confirm(p)
    assert not captured(p)
    press(p, "table.bus")
    assert captured(p)
    assert p.public.tickets["red"]["bus"] == 7


def test_pb_05_entering_the_station_that_mister_xs_pawn_still_stands_on_needs_the_key_and_is_no_capture() -> None:
    p = visible()
    for pawn, to in (("red", 94), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)
    go(p, 45)
    walk(p, "red", 75)
    for pawn, to in (("yellow", 13), ("green", 26)):
        walk(p, pawn, to)
    go(p, 32)
    carry(p, "red", 58, 2000)
    assert p.public.pawns["red"] == 75
    confirm(p)
    assert p.public.pawns["red"] == 58
    assert p.public.outcome is None


# ---- PB-06: Mister X's own pawn -------------------------------------------------------------------------------------


def rest_of_round(p: SimulatedTable) -> None:
    for pawn, to in (("red", 94), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)


def test_pb_06_the_table_asks_for_mister_xs_pawn_and_goes_on_when_it_is_never_set_down() -> None:
    p = hunted((75, 94), (45, 58))
    assert p.table.scene().set_down == {MR_X: 58}
    assert "Set Mister X's pawn on 58" in text(p)
    rest_of_round(p)
    go(p, 45)
    scene = p.table.scene()
    assert (scene.set_down, scene.take_off) == ({}, frozenset())


def test_pb_06_a_pawn_set_down_late_is_no_move_of_anyones() -> None:
    p = hunted((75, 94), (45, 58))
    walk(p, "red", 94)
    put(p, 58, MR_X, 1500)
    assert p.table.scene().set_down == {}
    assert text(p) == "Yellow moves"
    assert p.table.scene().reading == Settled()


def test_pb_06_a_detective_set_down_where_he_was_seen_leads_to_no_doubt_about_the_switch_it_left() -> None:
    p = hunted((75, 94), (45, 58))
    rest_of_round(p)
    go(p, 45)
    walk(p, "red", 75)
    take(p, 75, 300, "red")
    put(p, 58, "red", 8000)
    assert text(p) == "Red back on 94? CONFIRM. No: BACK"
    key(p, "back")
    assert text(p) == "Put Red on 75. Clear 58: Mister X has left. Done? CONFIRM"
    take(p, 58, 2000, "red")
    assert text(p) == "Put Red on 75"
    put(p, 75, "red", 1000)
    assert text(p) == "Yellow moves"


def test_pb_06_his_pawn_set_down_where_a_detective_has_left_breaks_no_switch() -> None:
    p = visible()
    take(p, 58, 700, MR_X)
    take(p, 75, 700, "red")
    put(p, 75, MR_X, 1000)
    put(p, 94, "red", 2000)
    assert text(p) == "Red to 94? CONFIRM. No: BACK"
    confirm(p)
    assert p.public.pawns["red"] == 94
    assert p.table.scene().ignored == frozenset()
    assert text(p).startswith("Yellow moves. Clear 75: Mister X has left")
    take(p, 75, 700, MR_X)
    put(p, 58, MR_X, 1000)
    assert text(p) == "Yellow moves"


def test_pb_06_the_table_asks_for_his_pawn_while_another_stands_wrong_too() -> None:
    p = hunted((75, 94), (45, 58))
    carry(p, "yellow", 100, 2000)
    assert text(p) == "Put Yellow on 13. Clear 100. Set Mister X's pawn on 58"


def test_pb_06_where_it_was_never_set_down_a_detective_there_is_asked_for_and_captures() -> None:
    p = hunted((75, 94), (45, 58))
    carry(p, "red", 58, 2000)
    assert not captured(p)
    confirm(p)
    assert captured(p)


def test_pb_06_mister_x_may_move_on_before_his_pawn_is_taken_off() -> None:
    p = visible()
    rest_of_round(p)
    go(p, 45)
    assert p.table.scene().take_off == {58}
    assert "Clear 58: Mister X has left" in text(p)
    walk(p, "red", 75)
    assert p.table.scene().take_off == {58}
    take(p, 58, 500, MR_X)
    assert not p.table.scene().take_off
    assert text(p) == "Yellow moves"


# ---- taking back ----------------------------------------------------------------------------------------------------


def test_a_move_can_be_taken_back_until_the_next_pawn_has_moved() -> None:
    p = red_to_move()
    walk(p, "red", 75)
    carry(p, "red", 74)
    assert p.public.turn == ("red",)
    assert p.public.tickets["red"]["taxi"] == 10
    walk(p, "red", 75)
    walk(p, "yellow", 23)
    carry(p, "red", 74, 2000)
    assert p.public.pawns["red"] == 75
    assert text(p) == "Put Red on 75. Clear 74"


def test_the_last_detectives_move_can_be_taken_back_until_mister_x_has_moved() -> None:
    p = begun(197, **{pawn: FIVE[pawn] for pawn in ("red", "yellow", "green")})
    go(p, 184)
    for pawn, to in (("red", 75), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)
    assert p.public.turn == (MR_X,)
    carry(p, "green", 26)
    assert p.public.turn == ("green",)
    walk(p, "green", 15)
    go(p, 197)
    carry(p, "green", 26, 2000)
    assert p.public.pawns["green"] == 15


def test_a_capture_is_never_taken_back() -> None:
    p = visible()
    carry(p, "red", 58, 1000)
    confirm(p)
    carry(p, "red", 75, 2000)
    assert captured(p)


def test_where_taking_back_is_switched_off_the_pawn_has_to_go_on() -> None:
    p = begun(197, config(game={"take_back": False}), **FIVE)
    go(p, 184)
    walk(p, "red", 75)
    carry(p, "red", 74, 2000)
    assert p.public.pawns["red"] == 75
    assert text(p) == "Put Red on 75. Clear 74"
    carry(p, "red", 75)
    assert text(p) == "Yellow moves"


def test_pb_05_beside_mister_x_back_leads_to_every_other_station_too() -> None:
    p = visible()
    p.hardware.fault("switch:74", "stuck_open")
    carry(p, "red", 74, 5000)
    assert {move.to for move in p.table.scene().asked} == {58}
    while {move.to for move in p.table.scene().asked} != {74}:
        press(p, "table.back")
    press(p, p.table.scene().ask.keys[0], 300)
    assert p.public.pawns["red"] == 74
    assert p.public.outcome is None
