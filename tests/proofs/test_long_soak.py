"""A table that goes on and on: nothing grows, its clocks stay exact, and what does grow is told."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.past_games import finished_games
from firmware_host.ui.lamp_plan import Glow, Rhythm
from firmware_host.ui.lamp_rhythms import paint
from hardware.contacts.chatter import Chatter
from tests.amount import amount
from tools.long_soak import DAY, LongSoak, Measured, days_of, run_and_report, wrong

WEEK = 7 * DAY
GAMES = amount(2, 3)
"""Between two measurements."""
SELDOM = amount(50, 200)
"""How often switches are read where no clock is looked at: of a table at which little is done, most work is that."""


def small(scan_hz: int = 200) -> Config:
    """A small board, with a journal that is full after a few games."""
    config = with_rules(simulator(), "junior")
    switches = replace(config.switches, scan_hz=scan_hz)
    return replace(config, switches=switches, journal=replace(config.journal, keep_games=10))


def measured(folder: Path, times: int, scan_hz: int = 200) -> list[Measured]:
    """The same game over and over again, measured now and then."""
    run = LongSoak(small(scan_hz), folder / "journal.sqlite", alike=True)
    seen = []
    for _ in range(times):
        for _ in range(GAMES):
            run.game()
        seen.append(run.measure())
    run.close()
    return seen


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An archive that is full after a few games, and a log of which no line is kept for the test's report."""
    monkeypatch.setattr(finished_games, "KEPT", 4)
    log = logging.getLogger("yardboard")
    level = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(level)


@pytest.mark.long
def test_an_hour_of_play_leaves_nothing_behind_and_every_clock_as_it_was(tmp_path: Path) -> None:
    seen = measured(tmp_path, 4)
    assert wrong(seen) == []
    assert seen[-1].games == 4 * GAMES
    assert seen[-1].moves > 20 * seen[-1].games
    assert seen[-1].journal > 10_000
    assert seen[-1].clocks["off the scans' ticks"] == 0
    assert 0 < seen[-1].clocks["a lost handset is reported"] <= 1.1
    assert seen[-1].clocks["frames in 10 s"] > 100


def calm() -> Measured:
    """A measurement in which nothing is wrong."""
    return Measured(1.0, 100, 6000, 60_000, 180_000, 40.0, 50_000, 8, 1, {"it is trusted again": 10.0}, 60.0)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"objects": 61_000}, "10.0 objects more with each game"),
        ({"blocks": 182_000}, "20.0 blocks more with each game"),
        ({"resident": 48.0}, "4.00 MB more with each day"),
        ({"journal": 90_000}, "a journal of 90000 bytes, 50000 in the middle"),
        ({"files": 9}, "9 open files on day 4.0, 8 at the start"),
        ({"threads": 2}, "2 threads on day 4.0, 1 at the start"),
        ({"clocks": {"it is trusted again": 10.2}}, "it is trusted again: 10.2 on day 4.0, 10.0 at the start"),
    ],
)
def test_whatever_grows_or_drifts_is_told(changed: dict[str, object], told: str) -> None:
    same = [replace(calm(), day=float(day), games=50 * day) for day in range(5)]
    assert wrong(same) == []
    last = replace(same[-1], **changed)  # type: ignore[arg-type]
    said: list[str] = []
    assert run_and_report([*same[:-1], last], said.append) == 1
    assert told in said[-1]


@pytest.mark.long
def test_days_are_played_and_stood_through_to_the_microsecond(tmp_path: Path) -> None:
    told = list(days_of(small(SELDOM), tmp_path / "journal.sqlite", days=0.01, play=60))
    assert told[0].games == 1
    assert told[-1].day == pytest.approx(0.01, abs=240 / DAY)  # and what the measurement takes


@pytest.mark.parametrize("rhythm", list(Rhythm))
def test_a_rhythm_that_began_a_week_ago_beats_as_one_that_has_just_begun(rhythm: Rhythm) -> None:
    colours = ((255, 200, 0), (0, 200, 255))
    for moment in (0.0, 0.13, 0.5, 0.77, 1.4, 3.05):
        young = paint(Glow(colours, rhythm, since=0.0), moment)
        old = paint(Glow(colours, rhythm, since=WEEK), WEEK + moment)
        assert all(abs(a - b) <= 1 for a, b in zip(young, old, strict=True)), (rhythm, moment)


def test_a_chattering_switch_calms_down_after_a_week_as_on_the_first_day() -> None:
    def freed(start: float) -> int:
        chatter = Chatter(1)
        for number in range(40):
            chatter.update(number % 2, start + number * 0.005)
        assert chatter.chattering
        return next(n for n in range(40, 10_000) if not chatter.update(1, start + n * 0.005))

    assert freed(WEEK) == freed(0.0)
