"""Devices that come and go: the game waits for those that it needs, and no key is invented when they are back."""

from __future__ import annotations

import pytest

from firmware_host.referee.readings import Settled
from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import Choose, StartGame
from tests.table.played_table import (
    FIVE,
    Watched,
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


def test_without_lamps_the_game_goes_on_and_they_shine_again_when_they_are_back() -> None:
    p = watched()
    fault(p, "lamps", "unplug", 500)
    assert state(p, "lamps") == "lost"
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    assert not p.station_leds()
    fault(p, "lamps", "replug", 1000)
    assert state(p, "lamps") == "ok"
    assert p.station_leds()


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


def test_without_a_display_the_game_goes_on() -> None:
    p = watched()
    p.hardware.fault("display", "unplug")
    walk(p, "red", 75)
    p.advance(1000)
    assert state(p, "display") == "lost"
    assert p.public.pawns["red"] == 75
    fault(p, "display", "replug", 1000)
    assert state(p, "display") == "ok"
    assert p.hardware.display.picture is not None


def test_without_keys_pawns_still_move_and_no_key_is_invented_when_they_are_back() -> None:
    p = watched()
    carry(p, "red", 58, 1500)
    p.hardware.hold("table.bus")
    p.hardware.keys.unplug()
    p.advance(500)
    assert state(p, "keys") == "lost"
    release(p, "table.bus", 500)
    p.hardware.keys.replug()
    p.advance(1000)
    assert state(p, "keys") == "ok"
    assert p.public.pawns["red"] == 74
    press(p, "table.taxi")
    assert p.public.pawns["red"] == 58


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


@pytest.mark.parametrize("seed", range(5))
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


def test_the_log_tells_once_of_each_device_whose_state_has_changed(caplog: pytest.LogCaptureFixture) -> None:
    def told() -> list[str]:
        lines = [r.getMessage() for r in caplog.records if r.about["event"] == "device"]  # type: ignore[attr-defined]
        caplog.clear()
        return lines

    p = watched()
    caplog.set_level("INFO", "yardboard")
    assert not told()
    fault(p, "lamps", "unplug", 5000)
    lamps = told()
    assert len(lamps) == 1
    assert lamps[0].startswith("lamps: lost: ")
    fault(p, "display", "unplug", 5000)
    (display,) = told()
    assert display.startswith("display: lost: ")
    fault(p, "lamps", "replug", 3000)
    assert told() == ["lamps: ok"]
    fault(p, "display", "replug", 3000)
    assert told() == ["display: ok"]
    fault(p, "lamps", "unplug", 2000)
    assert told() == lamps  # and again when it goes again


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
