"""Switches known to be out of order: when they are trusted again, and what a restart knows of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.readings import Returned
from firmware_host.referee.scene import Phase
from firmware_host.referee.switch_register import ONCE, TRUST, SwitchRegister
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import StartGame
from firmware_host.table.inputs import StuckSwitchFile
from tests.table.played_table import carry, confirm, go, text
from tests.ui.handmade_views import public

FIVE = {"red": 74, "yellow": 13, "green": 26, "blue": 50}


def test_a_switch_is_trusted_once_it_has_left_where_it_was_stuck_and_tells_the_truth() -> None:
    register = SwitchRegister.of({5: True})
    register = register.trust_again({5}, {5}, 1.0)  # a pawn stands there now: that proves nothing
    assert register.stations == {5}
    register = register.trust_again(set(), {5}, 2.0)  # it has moved, but does not feel the pawn
    assert register.stations == {5}
    register = register.trust_again(set(), set(), 3.0)
    assert register.due == 3.0 + ONCE
    register = register.trust_again(set(), set(), 3.0 + ONCE)
    assert register.stations == set()


def test_a_switch_that_sticks_and_lets_go_for_a_moment_is_not_trusted_for_that() -> None:
    register = SwitchRegister.of({5: True})
    for moment in range(100):
        register = register.trust_again(set(), set(), moment)
        register = register.trust_again({5}, set(), moment + 0.9)
    assert register.stations == {5}


def test_one_that_was_dead_is_trusted_as_soon_as_it_feels_its_pawn() -> None:
    register = SwitchRegister.of({5: False})
    register = register.trust_again({5}, {5}, 1.0)
    assert register.stations == set()


def test_a_pawn_that_comes_to_stand_on_it_takes_nothing_of_the_truth_that_a_switch_has_told() -> None:
    register = SwitchRegister.of({5: True}, {5: 2})
    register = register.trust_again(set(), set(), 100.0)
    register = register.trust_again({5}, set(), 106.0)  # a pawn arrives
    register = register.trust_again({5}, {5}, 107.0)  # and is known to stand there
    register = register.trust_again(set(), {5}, 200.0)  # it is lifted
    register = register.trust_again(set(), set(), 201.0)  # and has moved on
    assert register.due == 201.0 + TRUST - 6.0
    register = register.trust_again(set(), set(), 205.0)
    assert register.stations == set()


def test_one_that_chatters_tells_no_truth_meanwhile() -> None:
    register = SwitchRegister.of({5: True})
    for second in range(100):
        register = register.trust_again(set(), set(), second, {5})
    assert register.stations == {5}


def test_a_switch_that_fails_again_has_to_tell_the_truth_for_longer_each_time() -> None:
    register = SwitchRegister.of({5: True})
    register = register.trust_again(set(), set(), 1.0)
    register = register.trust_again(set(), set(), 1.0 + ONCE)
    for trial in (TRUST, 2 * TRUST):
        register = register.add(5, occupied={5})
        register = register.trust_again(set(), set(), 100.0)
        register = register.trust_again({5}, set(), 101.0)  # not yet
        register = register.trust_again(set(), set(), 102.0)
        register = register.trust_again(set(), set(), 101.9 + trial)
        assert register.stations == {5}
        register = register.trust_again(set(), set(), 102.0 + trial)
        assert register.stations == set()


def test_what_is_kept_is_read_again_and_by_the_same_board_alone(tmp_path: Path) -> None:
    path = tmp_path / "switches.json"
    assert StuckSwitchFile(path, "london").read(199) == SwitchRegister()
    known = SwitchRegister.of({57: True, 3: False, 198: True}, {57: 3, 7: 1, 198: 1})
    StuckSwitchFile(path, "london").write(known)
    assert StuckSwitchFile(path, "london").read(199) == known
    assert StuckSwitchFile(path, "london").read(100) == SwitchRegister.of({57: True, 3: False}, {57: 3, 7: 1})
    assert StuckSwitchFile(path, "junior").read(199) == SwitchRegister()
    assert [file.name for file in tmp_path.iterdir()] == ["switches.json"]


@pytest.mark.parametrize(
    "torn", ["", "{", "[]", "7", '{"board": "london"}', '{"board": "london", "stuck": {"x": "open"}}',
             '{"board": "london", "stuck": {"5": "ajar"}}', '{"board": "london", "stuck": [5]}', "\0\xff",
             '{"board": "london", "stuck": {}, "times": {"5": 0}}',
             '{"board": "london", "stuck": {}, "times": {"5": "2"}}', '{"board": "london", "stuck": {}, "times": 2}']
)  # fmt: skip
def test_a_torn_or_foreign_file_is_as_none_at_all(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "switches.json"
    path.write_text(torn, encoding="latin-1")
    assert StuckSwitchFile(path, "london").read(199) == SwitchRegister()


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    StuckSwitchFile(tmp_path / "gone" / "switches.json", "london").write(SwitchRegister.of({5: True}))
    assert "are not kept" in caplog.text
    StuckSwitchFile(None, "london").write(SwitchRegister.of({5: True}))


def table(folder: Path) -> SimulatedTable:
    p = SimulatedTable(journal=folder / "journal.sqlite")
    p.do(StartGame(detectives=4, start={MR_X: 197, **FIVE}))
    p.set_up()
    go(p, 184)
    return p


def test_after_a_restart_nobody_is_asked_again_for_a_switch_known_to_be_dead(tmp_path: Path) -> None:
    p = table(tmp_path)
    p.hardware.fault("switch:13", "stuck_open")
    p.hardware.fault("switch:100", "stuck_closed")
    for after in (5000, 400, 5000):  # that all is done; that 100 is empty; that Yellow stands on 13
        p.advance(after)
        confirm(p)
    assert p.table.scene().ignored == {13, 100}
    p.restart()
    assert p.table.scene().ignored == {13, 100}
    p.advance(1000)
    assert p.table.scene().phase is Phase.PLAY
    assert str(p.table.devices["switches"]) == "degraded: broken under 13 (input 12), 100 (input 99)"
    assert json.loads((tmp_path / "switches.json").read_text())["stuck"] == {"12": "open", "99": "closed"}


def test_a_switch_mended_while_the_power_was_off_is_trusted_as_soon_as_it_tells_the_truth(tmp_path: Path) -> None:
    p = table(tmp_path)
    p.hardware.fault("switch:100", "stuck_closed")
    p.advance(5000)
    confirm(p)
    p.cut_power()
    p.hardware.fault("switch:100", "ok")
    p.restart()
    p.advance(3000)
    assert p.table.scene().ignored == frozenset()
    assert json.loads((tmp_path / "switches.json").read_text())["stuck"] == {}


def test_a_switch_that_recovers_while_the_board_rests_is_trusted_without_a_hand_and_a_restart_forgets_no_failure(
    tmp_path: Path,
) -> None:
    p = table(tmp_path)
    for _ in range(2):
        p.hardware.fault("switch:100", "stuck_closed")
        p.advance(5000)
        confirm(p)
        assert p.table.scene().ignored == {100}
        p.restart()
        p.hardware.fault("switch:100", "ok")
        p.advance(1000)
        assert p.table.scene().ignored == {100}  # that may be a moment
        p.advance(ONCE * 1000)
        known = json.loads((tmp_path / "switches.json").read_text())
    assert p.table.scene().ignored == {100}  # the second time
    assert known["times"] == {"99": 2}
    p.advance(TRUST * 1000)
    assert p.table.scene().ignored == frozenset()


def test_a_switch_stuck_where_a_lifted_pawn_may_go_makes_no_move_of_a_restart(tmp_path: Path) -> None:
    p = table(tmp_path)
    p.hardware.fault("switch:75", "stuck_closed")
    p.advance(5000)
    p.hardware.press("table.back")  # red has not gone there
    p.advance(100)
    p.advance(5000)
    confirm(p)
    assert p.table.scene().ignored == {75}
    p.hardware.lift(74)
    p.restart()
    p.advance(5000)
    assert p.public.pawns["red"] == 74
    carry(p, "red", 74)
    assert text(p).endswith("Red moves")


def test_masks_lie_on_switches_and_not_on_the_numbers_of_tiles(tmp_path: Path) -> None:
    p = SimulatedTable(journal=tmp_path / "journal.sqlite")
    p.new_game("dice", players=2, options={"layout": "ABC DEF"}, seed=7)
    station = p.table.layout.stations[0]
    place = p.table._inputs.place(station)
    p.hardware.fault(f"switch:{station}", "stuck_closed")
    p.advance(500)
    p.hardware.press("table.confirm")
    p.advance(25_000)
    confirm(p)
    assert p.table.scene().ignored == {station}
    p.new_game("dice", players=2, options={"layout": "FED CBA"}, seed=7)
    (ignored,) = p.table.scene().ignored
    assert p.table._inputs.place(ignored) == place


def test_a_pawn_that_is_not_back_though_its_new_switch_is_known_to_be_dead_has_left_one_that_sticks() -> None:
    there = public(pawns={"red": 58})
    board = KnownBoard(there, frozenset({26}), register=SwitchRegister.of({58: False}))
    assert board.deny_return(Returned("red", 26, ambiguous=True)).register.stuck == {58: False, 26: True}
