"""Fingers on keys: a tap lasts as long at any hour, and a key of Mister X's shifts nothing that everyone sees."""

from __future__ import annotations

from itertools import groupby

import pytest

from firmware_host.referee.scene import BACK, CONFIRM
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.browser_input import SAMPLES, KeyInput
from firmware_host.simulator.browser_session import TURN
from firmware_host.web.feeds.page_orders import KeyOrder
from tests.table.cases import CURRENT, ROLLED, US, Case, shipped
from tests.web import at_once
from tests.web.at_once import AtOnce, Steady
from tests.web.test_feeds_secrecy import played
from tests.web.twins import twins


def test_a_tap_and_the_pause_after_it_last_as_many_samples_at_any_hour() -> None:
    hardware = SimulatedTable().hardware
    fingers, down = KeyInput(hardware, 1000 / TURN), []
    for _ in range(500):
        fingers.press(1, CONFIRM)
        fingers.release(1, CONFIRM)
        for _ in range(2 * SAMPLES):
            fingers.move()
            down.append(CONFIRM in hardware.keys.held)
            hardware.advance(TURN)
    assert down == 500 * ([True] * SAMPLES + [False] * SAMPLES)


def test_keys_that_were_tapped_one_after_the_other_go_down_so_though_they_arrive_at_one_moment() -> None:
    hardware = SimulatedTable().hardware
    fingers, down = KeyInput(hardware, 1000 / TURN), []
    for key in ("handset.select", "handset.back"):
        fingers.press(1, key)
        fingers.release(1, key)
    for _ in range(4 * SAMPLES):
        fingers.move()
        down.append({*hardware.keys.held})
        hardware.advance(TURN)
    pause: list[set[str]] = SAMPLES * [set()]
    assert down == SAMPLES * [{"handset.select"}] + pause + SAMPLES * [{"handset.back"}] + pause


def test_a_key_that_is_held_stays_down_while_others_are_tapped() -> None:
    hardware = SimulatedTable().hardware
    fingers = KeyInput(hardware, 1000 / TURN)
    fingers.press(1, "handset.peek")
    for _ in range(3):
        fingers.press(1, "handset.down")
        fingers.release(1, "handset.down")
    down = []
    for _ in range(7 * SAMPLES):
        fingers.move()
        assert "handset.peek" in hardware.keys.held
        down.append("handset.down" in hardware.keys.held)
        hardware.advance(TURN)
    assert [is_down for is_down, _ in groupby(down)] == [False, *3 * [True, False]]


def tap(room: AtOnce, key: str, refused: list[str]) -> None:
    """A page's click, which comes down and goes up at one moment."""
    for down in (True, False):
        room.requests.ask(key.partition(".")[0], 1, KeyOrder(key, down=down), refused.append)


@pytest.mark.parametrize("case", [CURRENT, US, ROLLED], ids=str)
def test_quick_taps_on_mister_xs_keys_shift_nothing_that_everyone_sees(case: Case) -> None:
    felt: list[list[set[str]]] = []
    with AtOnce(shipped(case.rules), seed=7) as quiet, AtOnce(shipped(case.rules), seed=7) as busy:
        for room in (quiet, busy):
            room.simulated.new_game(players=case.players, options=dict(case.options))
            Steady(room).set_up()
            felt.append([])
            for n in range(400):
                if n % 40 == 0:
                    tap(room, (CONFIRM, BACK)[n // 40 % 2], room.refused)
                if room is busy and n % 7 == 0:  # faster than a finger can be: they pile up
                    tap(room, "handset.down", [])
                    tap(room, "handset.peek", [])
                room.browser.turn()
                felt[-1].append({key for key in room.simulated.hardware.keys.held if key.startswith("table.")})
            assert room.refused == []
        assert felt[0] == felt[1]
        assert {CONFIRM, BACK} == set().union(*felt[0])
        assert quiet.public.heard == busy.public.heard
        assert len(quiet.private.heard) + 10 < len(busy.private.heard)


@pytest.mark.parametrize("case", [CURRENT, ROLLED], ids=str)
@pytest.mark.long_but_first
def test_pb_07_games_that_differ_only_in_what_is_hidden_look_alike_with_the_quickest_taps_too(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_once, "PRESS", 2 * SAMPLES * TURN)
    with twins(case, played) as (one, two):
        assert one.refused == two.refused == []
