"""PB-01 to PB-04 through the whole stack: hands and magnets in, lamps and prompts out."""

from __future__ import annotations

import pytest

from firmware_host.referee.readings import InHand, Mismatch, Settled
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import Double, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.table.commands import Choose
from tests.table.played_table import FIVE, asks, begun, carry, go, press, put, red_to_move, take, text, walk

# ---- PB-01 to PB-04: whose pawn, where, by which ticket -------------------------------------------------------------


def test_pb_01_a_pawn_lifted_from_where_it_stood_and_set_on_a_legal_station_has_moved() -> None:
    p = red_to_move()
    take(p, 74, 300)
    assert p.table.scene().reading == InHand(("red",))
    put(p, 75, "somebody's", 900)  # the switches never learn whose pawn it is
    assert p.public.pawns["red"] == 75
    assert p.public.turn == ("yellow",)


def test_pb_02_a_pawn_out_of_turn_is_shown_as_wrong_and_the_game_waits() -> None:
    p = red_to_move()
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
        p.do(Choose(MrXMove(Secret(184), "taxi")))
    with pytest.raises(NotNow):
        p.do(Choose(Double()))
    for key in ("select", "select"):
        press(p, f"handset.{key}", 60)
    assert len(p.actions) == 0
    carry(p, "red", 74)
    go(p, 184)
    assert len(p.actions) == 1


def test_pb_02_mister_x_has_to_wait_for_the_detectives() -> None:
    p = red_to_move()
    with pytest.raises(ValueError, match="red's turn"):
        p.do(Choose(MrXMove(Secret(197), "taxi")))


def test_pb_02_a_pawn_on_an_illegal_station_is_guided_back_by_light() -> None:
    p = red_to_move()
    before = p.station_leds()
    assert {58, 59, 73, 75, 92, 46, 94} & before.keys()
    carry(p, "red", 100, 1500)
    assert p.table.scene().reading == Mismatch({"red": 74}, frozenset({100}))
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
    assert p.table.scene().reading == Settled()
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75


def test_pb_02_two_pawns_lifted_at_once_wait_until_the_wrong_one_is_back() -> None:
    p = red_to_move()
    p.hardware.lift(74)
    take(p, 13, 1500)
    assert "Yellow on 13" in text(p)
    put(p, 75, "red", 1500)
    assert len(p.actions) == 1
    put(p, 13, "yellow", 900)
    assert p.public.pawns["red"] == 75
    assert p.public.pawns["yellow"] == 13


def test_pb_03_a_pawn_pushed_over_other_stations_counts_only_where_it_comes_to_rest() -> None:
    p = red_to_move()
    legal = {m.to for m in p.public.moves}
    assert {58, 75, 59} - {59} <= legal
    p.hardware.slide([74, 75, 58], 1400)
    p.advance(100)
    assert len(p.actions) == 1
    p.advance(900)
    assert {m.to for m in p.table.scene().asked} == {58}  # and it is asked by which ticket
    assert len(p.actions) == 1


def test_pb_03_a_slide_over_every_legal_station_commits_none_of_them() -> None:
    p = red_to_move()
    path = [74, 75, 58, 46, 58, 75, 94, 74]
    p.hardware.slide(path, 4000)
    p.advance(2000)
    assert len(p.actions) == 1
    assert p.table.scene().reading == Settled()


@pytest.mark.parametrize("ticket", ["taxi", "bus"])
def test_pb_04_from_74_to_58_the_board_asks_for_taxi_or_bus_and_never_guesses(ticket: str) -> None:
    p = red_to_move()
    carry(p, "red", 58, 60_000)
    assert len(p.actions) == 1
    assert asks(p) == (Kind.WENT, "red", 58, "taxi", "bus", "back")
    for key in ("underground", "confirm"):
        press(p, f"table.{key}", 500)
    assert len(p.actions) == 1
    press(p, f"table.{ticket}")
    assert p.public.pawns["red"] == 58
    left = p.public.tickets["red"]
    assert left == {"taxi": 10, "bus": 8, "underground": 4} | {ticket: 9 if ticket == "taxi" else 7}


def test_pb_04_where_only_one_ticket_leads_nothing_is_asked() -> None:
    p = red_to_move()
    carry(p, "red", 75)
    assert p.public.tickets["red"]["taxi"] == 9
