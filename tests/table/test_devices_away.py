"""Devices that come and go: the game waits for those that it needs, and no key is invented when they are back."""

from __future__ import annotations

import logging
from itertools import groupby

import pytest

from firmware_host.referee.readings import Settled
from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose, StartGame
from firmware_host.table.device_health import CALM, WHILE
from tests.amount import amount
from tests.table.any_table import empty
from tests.table.cases import shipped
from tests.table.outages import DEVICES, TOLD_WITHIN, PlayedToMoment, flap, paused
from tests.table.played_table import (
    FIVE,
    Watched,
    begun,
    carry,
    fault,
    go,
    hold,
    press,
    release,
    state,
    text,
    walk,
    watched,
)


def test_without_switches_the_game_pauses_and_goes_on_by_what_then_stands() -> None:
    p = watched()
    fault(p, "switches", "unplug", 100)
    assert state(p, "switches") == "lost"
    assert text(p) == "Paused: the switches are lost"
    p.hardware.press("table.confirm")
    carry(p, "red", 75, 3000)
    assert p.public.pawns["red"] == 74
    fault(p, "switches", "replug", 2000)
    assert state(p, "switches") == "ok"
    assert p.public.pawns["red"] == 75


def test_switches_that_come_back_while_one_of_them_was_chattering_end_the_pause() -> None:
    p = watched()
    fault(p, "switch:100", "chatter", 2000)
    fault(p, "switch:100", "ok", 100)
    fault(p, "switches", "unplug", 1000)
    fault(p, "switches", "replug", 1500)
    assert state(p, "switches") == "degraded"
    assert text(p) == "Red moves"
    p.advance(12_000)
    assert state(p, "switches") == "ok"


def test_without_a_handset_the_game_pauses_only_in_mister_xs_turn() -> None:
    p = watched()
    p.hardware.press("handset.up")
    fault(p, "handset", "unplug", 6000)
    assert state(p, "handset") == "lost"
    assert text(p) == "Red moves"
    for pawn, to in (("red", 75), ("yellow", 23), ("green", 15), ("blue", 49)):
        walk(p, pawn, to)
    assert text(p) == "Paused: the handset is lost"
    with pytest.raises(NotNow, match="paused"):
        p.do(Choose(MrXMove(Secret(197), "taxi")))
    fault(p, "handset", "replug", 1000)
    assert text(p) == "Mister X moves"
    p.choose(MrXMove(Secret(197), "taxi"))
    assert p.public.turn == ("red",)


def test_keys_that_are_lost_while_peek_is_held_leave_no_secret_on_the_screen() -> None:
    p = watched(moved=False, handset={"privacy": "hold"})
    hold(p, "handset.peek")
    assert any("197" in line for line in p.handset_lines())
    p.hardware.keys.unplug()
    release(p, "handset.peek")
    assert not any("197" in line for line in p.handset_lines())
    p.hardware.keys.replug()
    p.advance(1000)
    assert not any("197" in line for line in p.handset_lines())


@pytest.mark.parametrize("seed", range(amount(2, 5)))
def test_noise_on_the_line_changes_nothing(seed: int) -> None:
    p = SimulatedTable(seed=seed)
    p.do(StartGame(detectives=4, start={MR_X: 197, **FIVE}))
    p.set_up()
    go(p, 184)
    was = p.table.scene()
    p.hardware.fault("switches", "garbage")
    for _ in range(30):
        p.advance(5)
        assert p.table.scene().reading == Settled()
        assert p.public == was.view
    p.advance(1000)
    assert p.table.scene() == was
    assert state(p, "switches") == "ok"
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75


def test_a_slow_device_holds_up_nothing() -> None:
    p = watched()
    for device in ("lamps", "handset", "display"):
        p.hardware.fault(device, "slow")
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    assert p.hardware.lamps.hurried == p.hardware.handset.hurried == p.hardware.display.hurried == 0


def test_the_health_report_names_every_device_with_its_state_and_reason() -> None:
    p = watched()
    assert set(p.table.health()) == {"switches", "keys", "lamps", "handset", "display", "power", "journal"}
    assert {tuple(sorted(h)) for h in p.table.health().values()} == {("reason", "since", "state")}
    assert {h["state"] for h in p.table.health().values()} == {"ok"}
    fault(p, "lamps", "unplug", 100)
    lamps = p.table.health()["lamps"]
    assert "unplugged" in str(lamps["reason"])
    assert 0 < float(lamps["since"]) <= p.hardware.clock.now()


def test_where_nothing_changes_nothing_is_sent_but_a_refresh_now_and_then() -> None:
    p = Watched()
    p.advance(1000)
    before = len(p.lamps.frames), len(p.display.pictures), len(p.handset.pictures)
    p.advance(60_000)
    after = len(p.lamps.frames), len(p.display.pictures), len(p.handset.pictures)
    frames, shown, private = (b - a for a, b in zip(before, after, strict=True))
    assert 59 <= frames <= 61
    assert 59 <= shown <= 61
    assert 59 <= private <= 61


def test_closing_leaves_everything_dark() -> None:
    p = watched()
    press(p, "handset.up")
    assert p.station_leds()
    p.close()
    assert not p.hardware.lamps.lit()
    assert p.hardware.handset.picture is None
    assert p.hardware.display.picture is None


# ---- many times a second, for minutes ----


MINUTES = 2 * 60_000

CASES = [(rules, device) for device in DEVICES for rules in amount(("dice",), ("classic", "dice"))]


@pytest.mark.parametrize(("rules", "device"), CASES)
def test_a_device_that_flaps_for_minutes_is_told_a_few_times_and_the_game_goes_on(
    rules: str, device: str, caplog: pytest.LogCaptureFixture
) -> None:
    e = PlayedToMoment(rules).to(mr_x_to_move=False)
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
    e.to(mr_x_to_move=True).play()


@pytest.mark.parametrize(("device", "said"), [("handset", "comes and goes"), ("keys", "come and go")])
def test_what_mister_x_plays_with_stops_him_for_as_long_as_it_flaps(device: str, said: str) -> None:
    e = PlayedToMoment().to(mr_x_to_move=True)
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
    e = PlayedToMoment().to(mr_x_to_move=False)
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
    p = empty(shipped("dice"))
    hold(p, "table.confirm", 200)
    assert text(p).startswith("Lay the tiles")
    flap(p, "keys", ms=30_000)
    assert text(p).startswith("Lay the tiles")  # CONFIRM would say that they lie
    release(p, "table.confirm", 500)
    press(p, "table.confirm", 500)
    assert not text(p).startswith("Lay the tiles")
