"""Devices that come and go many times a second, for minutes: no flood, no wrong move, no game that hangs."""

from __future__ import annotations

import logging
from itertools import groupby

import pytest

from firmware_host.table.device_health import CALM, WHILE
from tests.amount import amount
from tests.table.any_table import box, empty
from tests.table.outages import DEVICES, TOLD_WITHIN, PlayedToMoment, flap, paused
from tests.table.played_table import Watched, begun, go, hold, press, release, state, text

MINUTES = 2 * 60_000

CASES = [(rules, device) for device in DEVICES for rules in amount(("dice",), ("classic", "dice"))]


@pytest.mark.parametrize(("rules", "device"), CASES)
def test_a_device_that_flaps_for_minutes_is_told_a_few_times_and_the_game_goes_on(
    rules: str, device: str, caplog: pytest.LogCaptureFixture
) -> None:
    e = PlayedToMoment(rules).to(his_turn=False)
    p = e.p
    caplog.set_level(logging.INFO, "yardboard")
    caplog.clear()
    move = e.a_move()
    p.hardware.pick_up(move.pawn)
    flap(p, device, ms=MINUTES / 2)
    p.hardware.put(move.to, move.pawn)
    flap(p, device, ms=MINUTES / 2, seed=1)
    told = [r.getMessage() for r in caplog.records if r.about["event"] == "device"]  # type: ignore[attr-defined]
    assert 1 <= len(told) <= 8, told
    assert state(p, device) == "degraded"
    assert "comes and goes" in str(p.table.health()[device]["reason"])
    if device == "switches":
        assert text(p) == "Paused: the switches come and go"
        assert e.done == e.meant
    assert e.done == e.meant or (e.meant.append(move) or e.done) == e.meant
    p.advance(1000 * CALM + 1000)
    assert not paused(p)
    assert state(p, device) == "degraded"
    if move not in e.meant:
        assert e.answered(move)
    p.advance(1000 * WHILE)
    assert state(p, device) == "ok"
    e.to(his_turn=True).play()


@pytest.mark.parametrize(("device", "said"), [("handset", "comes and goes"), ("keys", "come and go")])
def test_what_mister_x_plays_with_stops_him_for_as_long_as_it_flaps(device: str, said: str) -> None:
    e = PlayedToMoment().to(his_turn=True)
    flap(e.p, device, ms=20_000)
    says = []
    for seed in range(200):
        flap(e.p, device, ms=200, seed=seed)
        says.append(text(e.p))
    assert says.count(f"Paused: the {device} {said}") > 190
    assert len([said for said, _ in groupby(says)]) <= 5  # a screen is asked once a second, and may be there by chance
    e.p.advance(1000 * CALM + TOLD_WITHIN)
    assert not paused(e.p)
    e.play()


def test_what_the_table_says_does_not_flicker_while_the_switches_flap() -> None:
    e = PlayedToMoment().to(his_turn=False)
    says = []
    for seed in range(300):
        flap(e.p, "switches", ms=100, seed=seed)
        says.append(text(e.p))
    assert len([said for said, _ in groupby(says)]) <= 8
    assert {*says[100:]} == {"Paused: the switches come and go"}


def test_the_display_is_not_drawn_anew_while_nothing_but_a_flapping_device_happens() -> None:
    p: Watched = begun(197, seen=True, red=74, yellow=13, green=26, blue=50)
    go(p, 184)
    flap(p, "lamps", ms=60_000)
    before = len(p.display.pictures)
    flap(p, "lamps", ms=60_000, seed=1)
    pictures = [picture for _, picture in p.display.pictures[before:]]
    assert len(pictures) <= 130  # sent anew once a second
    assert len({*pictures}) == 1


def test_a_key_that_is_held_while_the_keys_flap_was_pressed_once() -> None:
    p = empty(box("dice"))
    hold(p, "table.confirm", 200)
    assert text(p).startswith("Lay the tiles")
    flap(p, "keys", ms=30_000)
    assert text(p).startswith("Lay the tiles")  # CONFIRM would say that they lie
    release(p, "table.confirm", 500)
    press(p, "table.confirm", 500)
    assert not text(p).startswith("Lay the tiles")
