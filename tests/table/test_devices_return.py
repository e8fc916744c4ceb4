"""What returns with a device that was lost: never a secret, a key that nobody presses, or a move that nobody made."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.rules.actions import MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.table.device_health import WHILE
from firmware_host.table.outputs import REFRESH_TICK
from tests.table.outages import TOLD_WITHIN
from tests.table.played_table import (
    FIVE,
    Watched,
    begun,
    carry,
    config,
    fault,
    go,
    hold,
    press,
    put,
    release,
    state,
    tells,
    text,
    walk,
)


def table(*, moved: bool = False, **sections: Any) -> Watched:
    p: Watched = begun(197, config(**sections), seen=True, **FIVE)
    if moved:
        go(p, 184)
    return p


@pytest.mark.parametrize("privacy", ["open", "hold"])
def test_a_handset_that_returns_is_dark_until_somebody_presses_a_key(privacy: str) -> None:
    p = table(handset={"privacy": privacy})
    hold(p, "handset.peek", 200)
    assert tells(p)
    p.hardware.handset.unplug()  # the screen alone: its keys still answer
    p.advance(TOLD_WITHIN)
    before = len(p.handset.pictures)
    p.hardware.handset.replug()
    p.advance(5000)
    assert state(p, "handset") == "ok"
    assert {picture for _, picture in p.handset.pictures[before:]} == {None}
    release(p, "handset.peek", 500)
    assert p.hardware.handset.picture is None
    press(p, "handset.back", 500)
    assert p.hardware.handset.picture is not None
    assert tells(p) is (privacy == "open")


@pytest.mark.parametrize("privacy", ["open", "hold"])
def test_after_a_power_dip_in_a_detectives_turn_his_screen_is_dark_until_a_key_is_pressed(privacy: str) -> None:
    p = table(moved=True, handset={"privacy": privacy})
    p.cut_power()
    p.restart()
    p.advance(5000)
    assert text(p) == "Red moves"
    assert {picture for _, picture in p.handset.pictures} == {None}
    press(p, "handset.back", 500)
    assert ("You are at 184" in p.handset_lines()) is (privacy == "open")


def test_keys_that_are_pressed_while_nobody_can_see_the_handset_do_nothing() -> None:
    p = table(handset={"privacy": "open"})
    press(p, "handset.back", 200)
    menu = p.table.handset.menu
    p.hardware.handset.unplug()
    p.advance(TOLD_WITHIN)
    for key in ("down", "down", "down", "select", "select", "up", "select", "back"):
        press(p, f"handset.{key}", 200)
    assert p.table.handset.menu == menu
    assert p.table.handset.new_game is None
    assert p.table.game is not None
    assert not p.table.game.actions


def test_his_turn_that_begins_while_the_handset_is_lost_lights_no_screen_when_it_returns() -> None:
    p = table(moved=True, handset={"privacy": "open"})
    p.hardware.handset.unplug()
    p.advance(TOLD_WITHIN)
    for pawn, to in (("red", 75), ("yellow", 23), ("green", 15), ("blue", 49)):
        walk(p, pawn, to)
    assert text(p) == "Paused: the handset is lost"
    p.hardware.handset.replug()
    p.advance(TOLD_WITHIN)
    assert text(p) == "Mister X moves"
    assert p.hardware.handset.picture is None
    p.choose(MrXMove(Secret(197), "taxi"))
    assert len(p.public.log) == 2


def test_peek_does_not_stick_when_the_keys_vanish_under_the_finger_and_return_under_it() -> None:
    p = table(handset={"privacy": "hold"})
    hold(p, "handset.peek", 200)
    assert tells(p)
    for _ in range(3):
        fault(p, "keys", "unplug", 1000)
        assert not tells(p)
        fault(p, "keys", "replug", 1000)
        assert not tells(p)  # held all the time, and still not pressed anew
    release(p, "handset.peek", 1000 * WHILE)
    assert not tells(p)
    hold(p, "handset.peek", 200)
    assert tells(p)


def test_a_key_pressed_and_let_go_while_the_keys_were_lost_was_never_pressed() -> None:
    p = table(moved=True)
    carry(p, "red", 58, 1500)
    fault(p, "keys", "unplug", 1000)
    p.hardware.press("table.bus", 500)
    fault(p, "keys", "replug", 2000)
    assert p.public.pawns["red"] == 74
    press(p, "table.bus", 200)
    assert p.public.pawns["red"] == 58


def test_lamps_that_lost_their_power_unnoticed_shine_again_within_a_beat() -> None:
    p = table(moved=True)
    p.advance(60_000)
    p.hardware.lamps.dark()
    p.advance(1000 * REFRESH_TICK + 100)
    assert p.hardware.lamps.lit()


def test_devices_that_are_lost_when_the_table_is_started_again_keep_nothing_back() -> None:
    p = table(moved=True)
    for device in ("lamps", "handset", "display", "keys", "switches"):
        p.hardware.fault(device, "unplug")
    view = p.public
    p.restart()
    p.advance(TOLD_WITHIN)
    assert p.public == view
    assert text(p) == "Paused: the switches are lost"
    for device in ("lamps", "handset", "display", "keys", "switches"):
        p.hardware.fault(device, "replug")
    p.advance(TOLD_WITHIN)
    assert not p.table.scene().ailing
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75


def test_a_pawn_that_went_on_while_the_switches_were_lost_has_moved_to_where_it_stands_when_they_are_back() -> None:
    p = table(moved=True)
    p.hardware.pick_up("red")
    p.advance(400)
    put(p, 75, "red", 200)  # felt there, but not for long enough
    fault(p, "switches", "unplug", 1000)
    p.hardware.pick_up("red")
    put(p, 73, "red", 4000)
    fault(p, "switches", "replug", 2000)
    assert p.public.pawns["red"] == 73


def test_a_move_is_taken_in_its_time_while_other_devices_change_in_every_pass() -> None:
    p = table(moved=True)
    devices, clock = p.table.devices, p.hardware.clock
    carry(p, "red", 75, 100)
    for number in range(200):
        name = f"change {number}"
        devices._devices["lamps"].reported_at.clear()  # told however often
        devices.degraded("lamps", name, clock.now())
        p.advance(5)
        if p.public.pawns["red"] == 75:
            break
    assert 35 < number < 125  # 0.3 s, or 0.6 where it could slide on, after it was set down
