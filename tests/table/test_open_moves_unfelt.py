"""Mister X's own pawn in the open where its switch is out of order (BE-05, PB-04): no move stands that nobody made."""

from __future__ import annotations

import pytest

from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import carried, done, key, lift, stand
from tests.table.beginners_tables import beginners, move
from tests.table.played_table import asks, fault, text

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
    assert text(p) == f"{OPENLY}. Not felt there? CONFIRM"
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
