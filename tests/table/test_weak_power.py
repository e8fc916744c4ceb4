"""A supply that is too weak: told in health, log and display, as long as it lasts and never a flood."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from firmware_host.table.inputs import POWER_CALM, POWER_EVERY
from firmware_host.ui.drawing.public_display import display_lines
from firmware_host.ui.prompt_wording import prompt
from hardware.raspberry_pi.power_watch import SLOWED_DOWN, UNDER_VOLTAGE
from hardware.sim import SimError
from tests.recording.recorded_tables import alike, config_of, recorded, replayed
from tests.table.any_table import empty, table
from tests.table.played_table import fault, state

SEEN = 1000 * POWER_EVERY + 100
"""Milliseconds after which the table has looked."""

GOOD_AGAIN = 1000 * (POWER_CALM + POWER_EVERY) + 100
"""Milliseconds after which it is told that all is well again."""


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.getMessage().startswith("power: ")]


@pytest.mark.parametrize(("kind", "words"), [("under_voltage", UNDER_VOLTAGE), ("throttled", SLOWED_DOWN)])
def test_trouble_is_in_health_log_and_display_with_what_to_do(
    kind: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    p = table("classic")
    p.set_up()
    caplog.set_level(logging.INFO, "yardboard")
    assert state(p, "power") == "ok"
    p.hardware.fault("power", kind)
    assert p.hardware.broken() == {"power": kind}
    p.advance(SEEN)
    assert p.table.health()["power"]["reason"] == words
    assert told(caplog) == [f"power: degraded: {words}"]
    assert any(line.startswith("! power degraded since ") for line in display_lines(p.table.scene()))
    p.advance(100_000)
    assert told(caplog) == [f"power: degraded: {words}"]  # once, however long it lasts
    fault(p, "power", "ok", GOOD_AGAIN)
    assert told(caplog) == [f"power: degraded: {words}", "power: ok"]
    assert p.hardware.broken() == {}
    assert not any("power" in line for line in display_lines(p.table.scene()))


def test_a_supply_that_gives_way_again_and_again_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    p = empty()
    caplog.set_level(logging.INFO, "yardboard")
    for _ in range(15):
        fault(p, "power", "under_voltage", SEEN)
        fault(p, "power", "ok", 2 * SEEN)
    assert told(caplog) == [f"power: degraded: {UNDER_VOLTAGE}"]


def test_the_game_goes_on_without_enough_power() -> None:
    p = table("classic")
    p.hardware.fault("power", "under_voltage")
    p.set_up()
    p.advance(SEEN)
    p.choose(p.private.choices.value[0])
    assert not p.public.mr_x_to_move
    assert "Paused" not in prompt(p.table.scene()).text


def test_what_cannot_be_wrong_with_the_power_is_refused() -> None:
    p = empty()
    with pytest.raises(SimError, match="power has no fault 'unplug'; its faults are under_voltage, throttled, ok"):
        p.hardware.fault("power", "unplug")


def test_a_recording_of_a_weak_supply_plays_again_alike(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path), tape) as p:
        p.advance(SEEN)
        fault(p, "power", "under_voltage", 2 * SEEN)
        fault(p, "power", "ok", GOOD_AGAIN)
    assert alike(replayed(tape))
