"""PB-01 to PB-04 through the whole stack: hands and magnets in, lamps and prompts out."""

from __future__ import annotations

import random

import pytest

from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import InHand, Mismatch, Settled
from firmware_host.rules.actions import Double, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from tests.table.played_table import begun, carry, go, play_on, text, walk

FIVE = {"red": 74, "yellow": 13, "green": 26, "blue": 50}


def table(**start: int) -> SimulatedTable:
    """Mister X has moved, hidden; red is to move."""
    p = begun(197, **(start or FIVE))
    go(p, 184)
    return p


def actions(p: SimulatedTable) -> int:
    return len(p.daemon.game.actions)


# ---- PB-01 to PB-04: whose pawn, where, by which ticket -------------------------------------------------------------


def test_pb_01_a_pawn_lifted_from_where_it_stood_and_set_on_a_legal_station_has_moved() -> None:
    p = table()
    p.table.lift(74)
    p.advance(300)
    assert p.daemon.scene().reading == InHand(("red",))
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
    assert text(p) == "Red to 58? TAXI or BUS. No: BACK"
    for key in ("underground", "confirm"):
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
