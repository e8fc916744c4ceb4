"""PB-01 to PB-07 through the whole stack: hands and magnets in, lamps and prompts out."""

from __future__ import annotations

import random

import pytest

from firmware_host.parlour import Parlour
from firmware_host.referee import NotNow
from firmware_host.rules.actions import MR_X, Double, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.scene import InHand, Mismatch, Phase, Settled
from tests.table.house import FAR, begun, carry, config, confirm, go, hunted, play_on, text, tidy, walk

FIVE = {"red": 74, "yellow": 13, "green": 26, "blue": 50}


def table(**start: int) -> Parlour:
    """Mister X has moved, hidden; red is to move."""
    p = begun(197, **(start or FIVE))
    go(p, 184)
    return p


def actions(p: Parlour) -> int:
    return len(p.daemon.game.actions)


# ---- PB-01 to PB-04: whose pawn, where, by which ticket -------------------------------------------------------------


def test_pb_01_a_pawn_lifted_from_where_it_stood_and_set_on_a_legal_station_has_moved() -> None:
    p = table()
    p.table.lift(74)
    p.advance(300)
    assert p.daemon.scene().reading == InHand("red")
    p.table.put(75, "somebody's")  # the switches never learn whose pawn it is
    p.advance(900)
    assert p.public.pawns["red"] == 75
    assert p.public.turn == ("yellow",)


def test_pb_02_a_pawn_out_of_turn_is_shown_as_wrong_and_the_game_waits() -> None:
    p = table()
    carry(p, "yellow", 23, 2000)
    assert text(p) == "Put Yellow on 13. Clear 23"
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 74
    carry(p, "yellow", 13)
    assert p.public.pawns["red"] == 75  # red stands there still, and now it counts


def test_pb_02_in_mister_xs_turn_no_detective_may_move_and_mister_x_waits() -> None:
    p = begun(197, **FIVE)
    carry(p, "red", 75)
    with pytest.raises(NotNow, match="put right"):
        p.daemon.play(MrXMove(Secret(184), "taxi"))
    with pytest.raises(NotNow):
        p.daemon.play(Double())
    for key in ("select", "select"):
        p.table.press(f"handset.{key}")
        p.advance(60)
    assert actions(p) == 0
    carry(p, "red", 74)
    go(p, 184)
    assert actions(p) == 1


def test_pb_02_mister_x_has_to_wait_for_the_detectives() -> None:
    p = table()
    with pytest.raises(ValueError, match="red's turn"):
        p.daemon.play(MrXMove(Secret(197), "taxi"))


def test_pb_02_a_pawn_on_an_illegal_station_is_guided_back_by_light() -> None:
    p = table()
    before = p.station_leds()
    assert {58, 59, 73, 75, 92, 46, 94} & before.keys()
    carry(p, "red", 100, 1500)
    assert p.daemon.scene().reading == Mismatch({"red": 74}, frozenset({100}))
    seen = {100: set(), 74: set()}
    for _ in range(60):
        p.advance(20)
        for station, colours in seen.items():
            colours.add(p.station_leds().get(station))
    assert None in seen[100]
    assert None in seen[74]  # both blink
    assert all(r == g == b for r, g, b in seen[100] - {None})  # white: clear it
    assert all(r > g + b for r, g, b in seen[74] - {None})  # red's colour: here it belongs
    carry(p, "red", 74)
    assert p.public.pawns["red"] == 74
    assert p.daemon.scene().reading == Settled()
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75


def test_pb_02_two_pawns_lifted_at_once_wait_until_the_wrong_one_is_back() -> None:
    p = table()
    p.table.lift(74)
    p.table.lift(13)
    p.advance(1500)
    assert "Yellow on 13" in text(p)
    p.table.put(75, "red")
    p.advance(1500)
    assert actions(p) == 1
    p.table.put(13, "yellow")
    p.advance(900)
    assert p.public.pawns["red"] == 75
    assert p.public.pawns["yellow"] == 13


def test_pb_02_pawns_knocked_all_over_the_board_are_guided_home() -> None:
    p = table()
    for pawn, wrong in zip(FIVE, (1, 2, 3, 4), strict=True):
        carry(p, pawn, wrong, 100)
    p.advance(1500)
    reading = p.daemon.scene().reading
    assert isinstance(reading, Mismatch)
    assert reading.extra == {1, 2, 3, 4}
    assert set(reading.missing.items()) >= set(FIVE.items()) - {("red", 74)}
    for pawn, station in sorted(FIVE.items()):
        assert actions(p) == 1
        carry(p, pawn, station)
    assert p.daemon.scene().reading == Settled()
    assert dict(p.public.pawns) == FIVE
    play_on(p, random.Random(5), most=12)


def test_pb_03_a_pawn_pushed_over_other_stations_counts_only_where_it_comes_to_rest() -> None:
    p = table()
    legal = {m.to for m in p.public.moves}
    assert {58, 75, 59} - {59} <= legal
    p.table.slide([74, 75, 58], 1400)
    p.advance(100)
    assert actions(p) == 1
    p.advance(900)
    assert {m.to for m in p.daemon.scene().asked} == {58}  # and it is asked by which ticket
    assert actions(p) == 1


def test_pb_03_a_slide_over_every_legal_station_commits_none_of_them() -> None:
    p = table()
    path = [74, 75, 58, 46, 58, 75, 94, 74]
    p.table.slide(path, 4000)
    p.advance(2000)
    assert actions(p) == 1
    assert p.daemon.scene().reading == Settled()


@pytest.mark.parametrize("ticket", ["taxi", "bus"])
def test_pb_04_from_74_to_58_the_board_asks_for_taxi_or_bus_and_never_guesses(ticket: str) -> None:
    p = table()
    carry(p, "red", 58, 60_000)
    assert actions(p) == 1
    assert text(p) == "Red to 58: TAXI or BUS?"
    for key in ("underground", "confirm", "back"):
        p.table.press(f"table.{key}")
        p.advance(500)
    assert actions(p) == 1
    p.table.press(f"table.{ticket}")
    p.advance(100)
    assert p.public.pawns["red"] == 58
    left = p.public.tickets["red"]
    assert left == {"taxi": 10, "bus": 8, "underground": 4} | {ticket: 9 if ticket == "taxi" else 7}


def test_pb_04_where_only_one_ticket_leads_nothing_is_asked() -> None:
    p = table()
    carry(p, "red", 75)
    assert p.public.tickets["red"]["taxi"] == 9


# ---- PB-05: arriving where a pawn stands ----------------------------------------------------------------------------


def captured(p: Parlour) -> bool:
    outcome = p.public.outcome
    return outcome is not None and (outcome.winner, outcome.reason) == ("detectives", "captured")


def visible(red: tuple[int, int] = (75, 94)) -> Parlour:
    """Mister X stands on 58, in the open, his pawn set down; red stands beside it."""
    p = hunted(red, (45, 58))
    tidy(p)
    assert p.table.where()[MR_X] == 58
    return p


def test_pb_05_a_capture_with_mister_xs_pawn_lifted_first_needs_the_key_too() -> None:
    p = visible()
    p.table.lift(58, MR_X)
    p.advance(700)
    carry(p, "red", 58, 10_000)
    assert p.public.outcome is None  # it could be his own pawn that was put back
    assert text(p) == "Red: to a lit station. Already on 58? Press CONFIRM"
    confirm(p)
    assert captured(p)


def test_pb_05_a_capture_with_mister_xs_pawn_lifted_first_needs_its_ticket_where_several_lead_there() -> None:
    p = visible((74, 73))
    p.table.lift(58, MR_X)
    p.advance(700)
    carry(p, "red", 58, 10_000)
    confirm(p)
    assert p.public.outcome is None
    p.table.press("table.taxi")
    p.advance(100)
    assert captured(p)


def test_pb_05_mister_xs_pawn_lifted_and_put_back_while_red_is_in_the_hand_is_no_capture() -> None:
    p = visible()
    p.table.lift(58, MR_X)
    p.advance(700)
    p.table.lift(75, "red")
    p.advance(300)
    p.table.put(58, MR_X)
    p.advance(60_000)
    assert p.public.outcome is None
    assert p.public.pawns["red"] == 75
    p.table.put(94, "red")
    p.advance(1500)
    assert p.public.outcome is None
    assert p.public.pawns["red"] == 94


def test_pb_05_his_pawn_lifted_from_where_he_was_is_not_out_of_reach_before_a_further_action() -> None:
    p = visible()
    for pawn, to in (("red", 74), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)
    go(p, 45)
    assert p.public.stale == 58
    p.table.lift(58, MR_X)
    p.advance(700)
    p.table.lift(74, "red")
    p.advance(700)
    p.table.put(58, MR_X)
    p.advance(10_000)
    assert p.public.pawns["red"] == 74
    assert p.public.turn == ("red",)
    walk(p, "red", 73)
    assert p.public.pawns["red"] == 73


def test_pb_05_a_visible_pawn_lifted_and_put_back_several_actions_later_captures_nobody_without_the_key() -> None:
    ways = {"red": (13, 23), "yellow": (26, 15), "green": (75, 94)}  # green is the last to move, and the one beside him
    p = begun(45, **{pawn: way[0] for pawn, way in ways.items()})
    for turn, to in enumerate((58, 45)):
        go(p, to)
        for pawn, way in ways.items():
            walk(p, pawn, way[1 - turn])
    go(p, 58)
    tidy(p)
    assert p.table.where()[MR_X] == 58
    p.table.lift(58, MR_X)
    p.advance(700)
    walk(p, "red", 23)
    walk(p, "yellow", 15)
    assert p.public.turn == ("green",)
    p.table.lift(75, "green")
    p.advance(700)
    p.table.put(58, MR_X)
    p.advance(60_000)
    assert p.public.outcome is None
    assert p.public.turn == ("green",)
    confirm(p)
    assert captured(p)


def test_pb_05_a_capture_with_both_pawns_in_the_hands_at_once_needs_the_key() -> None:
    p = visible()
    p.table.lift(58, MR_X)
    p.table.lift(75, "red")
    p.advance(100)
    p.table.put(58, "red")
    p.advance(10_000)
    assert p.public.outcome is None
    confirm(p)
    assert captured(p)


def test_pb_05_a_capture_beside_mister_xs_pawn_by_the_confirm_key() -> None:
    p = visible()
    carry(p, "red", 58, 2000)
    assert not captured(p)
    assert text(p) == "Red: to a lit station. Already on 58? Press CONFIRM"
    confirm(p)
    assert captured(p)


def test_pb_05_a_pawn_that_is_only_held_captures_nobody() -> None:
    p = visible()
    p.table.lift(75, "red")
    p.advance(60_000)
    assert p.public.outcome is None
    carry(p, "red", 94)
    assert p.public.pawns["red"] == 94
    assert p.public.outcome is None


def test_pb_05_beside_a_station_that_feels_the_same_magnet_the_one_that_has_closed_is_asked_about_first() -> None:
    p = visible()
    carry(p, "red", 59, 2000)  # so near to 58 that Mister X's magnet might be what closes it
    assert text(p).startswith("Red: to a lit station. Already on 59? Press CONFIRM")
    confirm(p)
    assert p.public.pawns["red"] == 59
    assert p.public.outcome is None


def test_pb_05_a_capture_by_key_alone_with_its_ticket() -> None:
    p = visible((74, 73))
    p.table.lift(74, "red")
    p.advance(1000)
    assert {m.ticket for m in p.daemon.scene().asked} == {"taxi", "bus"}
    confirm(p)
    assert not captured(p)
    p.table.press("table.bus")
    p.advance(100)
    assert captured(p)
    assert p.public.tickets["red"]["bus"] == 7


def test_pb_05_a_capture_of_a_hidden_mister_x_looks_like_any_move() -> None:
    p = begun(45, red=75, **{pawn: way[0] for pawn, way in FAR.items()})
    go(p, 58)
    carry(p, "red", 58)
    assert captured(p)
    assert p.public.pawns[MR_X] == 58


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


def rest_of_round(p: Parlour) -> None:
    for pawn, to in (("red", 94), ("yellow", 23), ("green", 15)):
        walk(p, pawn, to)


def test_pb_06_the_table_asks_for_mister_xs_pawn_and_goes_on_when_it_is_never_set_down() -> None:
    p = hunted((75, 94), (45, 58))
    assert p.daemon.scene().set_down == 58
    assert "Set Mister X's pawn on 58" in text(p)
    rest_of_round(p)
    go(p, 45)
    scene = p.daemon.scene()
    assert (scene.set_down, scene.take_off) == (None, None)


def test_pb_06_a_pawn_set_down_late_is_no_move_of_anyones() -> None:
    p = hunted((75, 94), (45, 58))
    walk(p, "red", 94)
    p.table.put(58, MR_X)
    p.advance(1500)
    assert p.daemon.scene().set_down is None
    assert text(p) == "Yellow moves"
    assert p.daemon.scene().reading == Settled()


def test_pb_06_a_pawn_set_down_late_on_the_station_he_has_left_moves_nobody() -> None:
    p = hunted((75, 94), (45, 58))
    rest_of_round(p)
    go(p, 45)
    walk(p, "red", 75)
    walk(p, "yellow", 13)
    walk(p, "green", 26)
    go(p, 32)
    assert p.public.stale == 58
    p.table.lift(75, "red")
    p.advance(700)
    p.table.put(58, MR_X)
    p.advance(60_000)
    assert p.public.pawns["red"] == 75
    assert p.public.turn == ("red",)
    p.table.put(94, "red")
    p.advance(1500)
    assert p.public.pawns["red"] == 94


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
    assert p.daemon.scene().take_off == 58
    assert "Take Mister X's pawn off 58" in text(p)
    walk(p, "red", 75)
    assert p.daemon.scene().take_off == 58
    p.table.lift(58, MR_X)
    p.advance(500)
    assert p.daemon.scene().take_off is None
    assert text(p) == "Yellow moves"


def test_pb_06_once_his_pawn_is_off_the_station_is_an_ordinary_one() -> None:
    p = visible()
    rest_of_round(p)
    go(p, 45)
    p.table.lift(58, MR_X)
    p.advance(500)
    walk(p, "red", 75)
    for pawn, to in (("yellow", 13), ("green", 26)):
        walk(p, pawn, to)
    go(p, 32)
    carry(p, "red", 58)
    assert p.public.pawns["red"] == 58


def test_pb_06_his_pawn_may_be_taken_off_before_he_moves() -> None:
    p = visible()
    p.table.lift(58, MR_X)
    p.advance(500)
    assert p.daemon.scene().reading == Settled()
    rest_of_round(p)
    go(p, 45)
    assert p.daemon.scene().take_off is None
    assert p.daemon.scene().phase is Phase.PLAY


# ---- taking back ----------------------------------------------------------------------------------------------------


def test_a_move_can_be_taken_back_until_the_next_pawn_has_moved() -> None:
    p = table()
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
