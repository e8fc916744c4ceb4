"""Every device is lost at every moment, whatever is played: what goes on and what pauses, and nothing is lost by it."""

from __future__ import annotations

import logging
from itertools import cycle, permutations, product

import pytest

from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import Phase
from firmware_host.rules.errors import RulesError
from firmware_host.table.commands import Choose
from tests.amount import amount
from tests.table.outages import DEVICES, PAUSED, RULES, TOLD_WITHIN, PlayedToMoment, paused, waits
from tests.table.played_table import fault, press, state, text

EVERYWHERE = amount([*zip(cycle(RULES), DEVICES, strict=False)], [*product(RULES, DEVICES)])
"""In which game each device is lost; in every one in the long tests."""


@pytest.mark.parametrize(("rules", "device"), EVERYWHERE)
def test_a_device_that_is_lost_at_the_start_is_told_and_the_game_begins_once_it_can(rules: str, device: str) -> None:
    e = PlayedToMoment(rules)
    p = e.p
    fault(p, device, "unplug", TOLD_WITHIN)
    assert state(p, device) == "lost"
    assert paused(p) is waits(device, p)
    if device in {"lamps", "handset", "display"}:
        e.set_up()  # goes on without
        assert p.table.scene().phase is Phase.PLAY
    fault(p, device, "replug", TOLD_WITHIN)
    assert state(p, device) == "ok"
    assert not paused(p)
    for mr_x_to_move in (True, False):
        e.to(mr_x_to_move=mr_x_to_move).play()


@pytest.mark.parametrize(("rules", "device"), EVERYWHERE)
def test_a_device_that_is_lost_in_mister_x_s_turn_stops_him_only_if_he_needs_it(rules: str, device: str) -> None:
    e = PlayedToMoment(rules).to(mr_x_to_move=True)
    p, was = e.p, e.done
    fault(p, device, "unplug", TOLD_WITHIN)
    assert state(p, device) == "lost"
    if waits(device, p):
        assert text(p) == PAUSED[device]
        for action in p.private.choices.value:
            with pytest.raises((NotNow, RulesError), match="paused"):
                p.do(Choose(action))
        press(p, "handset.select", 3000)
        assert e.done == was
    elif device != "keys":
        e.play()
    fault(p, device, "replug", TOLD_WITHIN)
    assert state(p, device) == "ok"
    assert not paused(p)
    e.play()
    assert e.done == e.meant


@pytest.mark.parametrize("moment", ["in hand", "just set down"])
@pytest.mark.parametrize(("rules", "device"), EVERYWHERE)
def test_a_pawn_s_move_counts_once_whatever_is_lost_in_the_middle_of_it(rules: str, device: str, moment: str) -> None:
    e = PlayedToMoment(rules).to(mr_x_to_move=False)
    p, was, move = e.p, e.done, e.a_move()
    p.hardware.pick_up(move.pawn)
    p.advance(400)
    if moment == "in hand":
        fault(p, device, "unplug", 200)
    p.hardware.put(move.to, move.pawn)
    if moment == "just set down":
        p.advance(250)  # the table would take it in 50 ms more
        p.hardware.fault(device, "unplug")
    p.advance(5000)
    assert state(p, device) == "lost"
    if device == "switches":
        assert text(p) == PAUSED[device]
        assert e.done == was
    elif device == "keys":
        assert e.done == was or (e.meant.append(move) or e.done) == e.meant  # taken, or asked for
    else:
        assert e.answered(move)
    fault(p, device, "replug", TOLD_WITHIN)
    assert state(p, device) == "ok"
    assert e.done == e.meant or e.answered(move)
    e.to(mr_x_to_move=not p.public.mr_x_to_move).play()


@pytest.mark.parametrize("order", [*permutations(("switches", "keys", "handset"))], ids="-".join)
def test_several_lost_at_once_may_come_back_in_any_order(order: tuple[str, ...]) -> None:
    e = PlayedToMoment().to(mr_x_to_move=True)
    p = e.p
    for device in (*order, "lamps", "display"):
        p.hardware.fault(device, "unplug")
    p.advance(TOLD_WITHIN)
    assert {name for name in DEVICES if state(p, name) == "lost"} == {*DEVICES}
    for number, device in enumerate(order):
        missing = [name for name in ("switches", "handset", "keys") if name in order[number:]]
        assert text(p) == PAUSED[missing[0]]
        fault(p, device, "replug", TOLD_WITHIN)
    assert not paused(p)
    assert {*p.table.scene().ailing} == {"lamps", "display"}
    e.play()
    for device in ("lamps", "display"):
        p.hardware.fault(device, "replug")
    p.advance(TOLD_WITHIN)
    assert not p.table.scene().ailing
    assert p.log_leds()
    e.play()


def test_the_log_and_the_display_tell_of_each_loss_and_return_once(caplog: pytest.LogCaptureFixture) -> None:
    e = PlayedToMoment().to(mr_x_to_move=True)
    caplog.set_level(logging.INFO, "yardboard")
    caplog.clear()
    for device in DEVICES:
        e.p.hardware.fault(device, "unplug")
    e.p.advance(60_000)
    for device in DEVICES:
        e.p.hardware.fault(device, "replug")
    e.p.advance(60_000)
    told = [r.getMessage() for r in caplog.records if r.about["event"] == "device"]  # type: ignore[attr-defined]
    assert len(told) == 2 * len(DEVICES)
    for device in DEVICES:
        lost, back = (line for line in told if line.startswith(f"{device}: "))
        assert lost.startswith(f"{device}: lost: ")
        assert back == f"{device}: ok"
