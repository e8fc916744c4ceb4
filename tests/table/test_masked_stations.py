"""Pawns on switches that are not listened to: moved by key alone, denied by key, and never taken to be set up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware_host.referee.readings import HERE
from firmware_host.referee.scene import Kind, Phase
from firmware_host.rules.actions import PawnMove
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import StartGame
from tests.table.any_table import beginners, key, rolls, started
from tests.table.played_table import asks, begun, carry, confirm, fault, go, put, say_elsewhere, take, text

FOUR = {"red": 74, "yellow": 117, "green": 138, "blue": 26}


def classic() -> Any:
    """Red on 74 is to move."""
    p = begun(45, **FOUR)
    go(p, 46)
    return p


def blind(p: Any, station: int) -> None:
    """The switch under a standing pawn dies, and somebody says so."""
    fault(p, f"switch:{station}", "stuck_open", 6000)
    assert f"stand on {station}? CONFIRM" in text(p)
    confirm(p)
    assert station in p.table.scene().ignored


def test_a_switch_that_sticks_moves_no_pawn_that_stands_on_a_masked_one_and_keys_deny_it() -> None:
    p = classic()
    blind(p, 74)
    fault(p, "switch:75", "stuck_closed", 10_000)
    assert p.public.pawns["red"] == 74
    assert asks(p) == (Kind.WENT, "red", 75, "confirm", "back")
    key(p, "back")
    say_elsewhere(p)
    assert asks(p) == (Kind.EMPTY, "red", 75, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 74
    assert p.table.scene().ignored == {74, 75}
    assert text(p).endswith("Red moves. CONFIRM: already on 75")


def test_a_pawn_laid_on_a_destination_moves_no_pawn_that_stands_on_a_masked_switch() -> None:
    p = classic()
    blind(p, 74)
    put(p, 75, "mr_x", 900)
    assert p.public.pawns["red"] == 74
    key(p, "back")
    say_elsewhere(p)
    key(p, "back")
    assert asks(p) == (Kind.STANDS, "red", 74, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 74
    take(p, 75, 3000, "mr_x")
    assert p.table.scene().ignored == {74}


def test_a_real_move_off_a_masked_switch_counts_with_one_key() -> None:
    p = classic()
    blind(p, 74)
    carry(p, "red", 75, 1000)
    assert p.public.pawns["red"] == 74
    confirm(p)
    assert p.public.pawns["red"] == 75


def test_a_move_that_a_wrong_key_made_is_denied_by_two_keys_though_nothing_differs() -> None:
    p = classic()
    blind(p, 74)
    fault(p, "switch:75", "stuck_closed", 1200)
    confirm(p)
    assert p.public.pawns["red"] == 75
    p.advance(1000)
    confirm(p)
    assert asks(p) == (Kind.WENT_BACK, "red", 74, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 74
    assert p.table.scene().ignored == {74, 75}


def test_back_asks_for_the_last_move_where_two_switches_have_feigned_it() -> None:
    p = classic()
    fault(p, "switch:74", "stuck_open", 500)
    fault(p, "switch:75", "stuck_closed", 1000)
    assert p.public.pawns["red"] == 75  # that is what a move looks like
    key(p, "back")
    assert asks(p) == (Kind.WENT_BACK, "red", 74, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 74
    p.advance(3000)
    assert p.public.pawns["red"] == 74
    assert p.table.scene().ignored == {74, 75}


def test_a_masked_switch_takes_no_move_back_without_a_key() -> None:
    p = classic()
    carry(p, "red", 75, 1200)
    assert p.public.pawns["red"] == 75
    fault(p, "switch:75", "stuck_open", 6000)
    assert asks(p) == (Kind.WENT_BACK, "red", 74, "confirm", "back")
    key(p, "back")
    confirm(p)
    assert p.table.scene().ignored == {75}
    fault(p, "switch:74", "stuck_closed", 5000)
    assert p.public.pawns["red"] == 75
    assert asks(p) == (Kind.BACK_OR_NOT, "red", 74, "confirm", "back")
    key(p, "back")
    assert p.public.pawns["red"] == 75
    assert p.table.scene().ignored == {74, 75}


def test_whether_it_stands_is_asked_after_four_seconds_though_a_way_is_masked_and_the_answer_ends_it() -> None:
    p = classic()
    fault(p, "switch:58", "stuck_closed", 1200)
    key(p, "back")
    p.advance(4500)
    confirm(p)
    assert p.table.scene().ignored == {58}
    fault(p, "switch:74", "stuck_open", 4600)
    assert p.table.scene().asked == (PawnMove("red", 74, HERE),)
    confirm(p)
    assert p.table.scene().ignored == {58, 74}
    said = text(p)
    p.advance(15_000)
    assert text(p) == said
    assert said.endswith("Red moves. CONFIRM: already on 58")
    carry(p, "red", 75, 1000)
    confirm(p)
    assert p.public.pawns["red"] == 75


def test_a_pawn_on_a_masked_station_is_asked_for_at_each_set_up_and_confirmed_by_key_once() -> None:
    p = SimulatedTable()
    p.hardware.fault("switch:74", "stuck_open")
    for game in range(2):
        p.do(StartGame(detectives=4, start={"mr_x": 45, **FOUR}))
        p.set_up()
        p.advance(25_000 if game == 0 else 1000)
        assert p.table.scene().phase is Phase.SET_UP
        assert asks(p) == (Kind.SWITCH, "red", 74, "confirm")
        confirm(p)
        p.advance(1000)
        assert p.table.scene().phase is Phase.PLAY


def test_play_does_not_begin_with_a_pawn_in_the_box_because_its_switch_was_once_called_dead() -> None:
    p = SimulatedTable()
    p.do(StartGame(detectives=4, start={"mr_x": 45, **FOUR}))
    p.set_up()
    take(p, 74, 6000, "red")
    confirm(p)  # not so: it is in somebody's hand
    assert p.table.scene().ignored == {74}
    p.do(StartGame(detectives=4, start={"mr_x": 45, **FOUR}))
    p.advance(30_000)
    assert p.table.scene().phase is Phase.SET_UP
    put(p, 74, "red", 1500)
    assert p.table.scene().phase is Phase.PLAY
    assert p.table.scene().ignored == frozenset()


def test_be_06_mister_xs_pawn_is_named_at_set_up_though_its_switch_is_not_listened_to() -> None:
    p = beginners()
    fault(p, "switch:82", "stuck_open", 6000)
    confirm(p)
    p.advance(500)
    confirm(p)
    assert p.table.scene().ignored == {82}
    for pawn in ("red", "yellow", "green"):
        take(p, p.public.pawns[pawn], 100, pawn)
    p.new_game("beginners", players=4, start={"mr_x": 82, "red": 46, "yellow": 124, "green": 41})
    p.advance(2000)
    assert text(p) == "Set up: Put Red on 46, Yellow on 124 and Green on 41. Set Mister X's pawn on 82"


def test_the_dice_are_not_rolled_by_the_answer_to_a_question() -> None:
    """DI-13: the confirm key says that the pawn stands where it stood, and rolls with the next press only."""
    p = started(dice="rolled")
    fault(p, "switch:1", "stuck_open", 6000)
    assert asks(p) == (Kind.STANDS, "red", 1, "confirm", "back")
    confirm(p)
    assert rolls(p) == []
    assert p.table.scene().ignored == {1}
    confirm(p)
    assert len(rolls(p)) == 1


def test_a_restart_in_the_midst_of_setting_up_asks_for_the_pawn_on_a_masked_station_all_the_same(
    tmp_path: Path,
) -> None:
    p = SimulatedTable(journal=tmp_path / "journal.sqlite")
    p.hardware.fault("switch:74", "stuck_open")
    p.do(StartGame(detectives=4, start={"mr_x": 45, **FOUR}))
    p.set_up()
    p.advance(25_000)
    confirm(p)
    p.do(StartGame(detectives=4, start={"mr_x": 45, **FOUR}))
    take(p, 74, 1000, "red")
    p.restart()
    p.advance(3000)
    assert p.table.scene().phase is Phase.RESUME
    assert asks(p) == (Kind.SWITCH, "red", 74, "confirm")
    p.hardware.put(74, "red")
    confirm(p)
    p.advance(1000)
    assert p.table.scene().phase is Phase.PLAY
    p.close()


def test_what_is_asked_after_all_is_done_stays_whatever_else_happens_at_the_table() -> None:
    p = classic()
    p.hardware.fault("switch:46", "stuck_closed")
    fault(p, "switch:94", "stuck_closed", 8000)
    assert text(p).endswith("Clear 46 and 94. Done? CONFIRM")
    confirm(p)
    assert asks(p) == (Kind.EMPTY, "red", 46, "confirm", "back")
    fault(p, "display", "unplug", 500)
    assert asks(p) == (Kind.EMPTY, "red", 46, "confirm", "back")
    confirm(p)
    assert 46 in p.table.scene().ignored
