"""A dead, stuck or chattering switch is found, named and masked, and the game goes on to its end."""

from __future__ import annotations

import random

import pytest

from firmware_host.parlour import Parlour
from firmware_host.referee import NotNow
from firmware_host.rules.actions import MR_X, Double
from firmware_host.scene import InHand, Mismatch, Phase, Settled
from tests.table.house import begun, carry, confirm, go, play_on, text, walk

FIVE = {"red": 74, "yellow": 13, "green": 26, "blue": 50}


def table() -> Parlour:
    p = begun(197, **FIVE)
    go(p, 184)
    return p


def to_the_end(p: Parlour, seed: int) -> None:
    play_on(p, random.Random(seed))
    assert p.public.outcome is not None
    assert p.daemon.scene().phase is Phase.OVER


def test_a_switch_stuck_closed_is_named_and_masked_by_the_confirm_key_and_the_game_goes_on() -> None:
    p = table()
    p.table.fault("switch:100", "stuck_closed")
    p.advance(1500)
    assert text(p) == "Clear 100"
    confirm(p)
    assert not p.daemon.scene().masked  # too early: it may be a pawn
    p.advance(3500)
    assert text(p) == "Clear 100. Is 100 empty? CONFIRM: its switch is ignored"
    confirm(p)
    assert p.daemon.scene().masked == {100}
    assert 100 in p.daemon.scene().masked
    assert text(p) == "Red moves"
    p.advance(4000)
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    to_the_end(p, 1)


def test_a_switch_that_opens_under_a_standing_pawn_is_named_and_masked() -> None:
    p = table()
    p.table.fault("switch:13", "stuck_open")
    p.advance(5000)
    assert text(p) == "Put Yellow on 13. Does Yellow stand on 13? CONFIRM: its switch is ignored"
    confirm(p)
    assert p.daemon.scene().masked == {13}
    walk(p, "red", 75)
    walk(p, "yellow", 23)  # it is not felt to be lifted, but to arrive
    assert p.public.pawns["yellow"] == 23
    to_the_end(p, 2)


def test_a_dead_switch_under_the_destination_is_found_by_the_confirm_key() -> None:
    p = table()
    p.table.fault("switch:75", "stuck_open")
    carry(p, "red", 75, 3000)
    assert p.daemon.scene().reading == InHand(("red",))
    for _ in range(30):
        asked = p.daemon.scene().asked
        if asked and asked[0].to == 75:
            break
        p.table.press("table.back" if text(p).startswith("Where") or asked else "table.confirm")
        p.advance(100)
    assert text(p).startswith("Red: to a lit station. Already on 75?")
    confirm(p)
    assert p.public.pawns["red"] == 75
    assert p.daemon.scene().masked == {75}
    p.advance(3000)
    assert p.daemon.scene().reading == Settled()
    walk(p, "yellow", 23)
    to_the_end(p, 3)


def test_a_switch_that_is_stuck_from_the_first_holds_up_the_setting_up_only_until_it_is_confirmed() -> None:
    p = Parlour()
    p.table.fault("switch:13", "stuck_open")
    p.table.fault("switch:100", "stuck_closed")
    p.daemon.new_game(detectives=4, start={MR_X: 197, **FIVE})
    p.set_up()
    assert p.daemon.scene().phase is Phase.SET_UP
    for masked in (set(), {100}):
        assert p.daemon.scene().masked == masked
        assert p.daemon.scene().phase is Phase.SET_UP
        p.advance(20_000)
        confirm(p)
        p.advance(1000)
    assert p.daemon.scene().phase is Phase.PLAY
    assert p.daemon.scene().masked == {13, 100}
    go(p, 184)
    to_the_end(p, 4)


def test_a_chattering_switch_is_found_named_and_masked_by_itself() -> None:
    p = table()
    p.table.fault("switch:75", "chatter")
    p.advance(3000)
    assert p.daemon.scene().masked == {75}
    health = p.daemon.health()["switches"]
    assert health["state"] == "degraded"
    assert "75" in str(health["reason"])
    assert p.daemon.scene().reading == Settled()
    carry(p, "red", 75, 2000)
    assert p.daemon.scene().asked[0].to == 75
    confirm(p)
    assert p.public.pawns["red"] == 75
    to_the_end(p, 5)


def test_a_chattering_switch_under_a_standing_pawn_does_not_stop_the_game() -> None:
    p = table()
    p.table.fault("switch:26", "chatter")
    p.advance(3000)
    assert p.daemon.scene().masked == {26}
    walk(p, "red", 75)
    walk(p, "yellow", 23)
    assert p.public.turn == ("green",)
    walk(p, "green", 15)
    assert p.public.pawns["green"] == 15
    to_the_end(p, 6)


def test_a_chattering_switch_that_has_calmed_down_is_listened_to_again() -> None:
    p = table()
    p.table.fault("switch:75", "chatter")
    p.advance(3000)
    p.table.fault("switch:75", "ok")
    p.advance(11_000)
    assert not p.daemon.scene().masked
    assert p.daemon.health()["switches"]["state"] == "ok"
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75


@pytest.mark.parametrize(("station", "broken"), [(100, "stuck_closed"), (13, "stuck_open")])
def test_a_mended_switch_is_listened_to_again(station: int, broken: str) -> None:
    p = table()
    p.table.fault(f"switch:{station}", broken)
    p.advance(5000)
    confirm(p)
    assert p.daemon.scene().masked == {station}
    p.table.fault(f"switch:{station}", "ok")
    p.advance(1000)
    assert not p.daemon.scene().masked
    assert p.daemon.scene().reading == Settled()


def test_a_missing_pawn_that_was_confirmed_away_comes_back_into_the_game_when_it_is_set_down() -> None:
    p = table()
    p.table.lift(13)
    p.advance(5000)
    confirm(p)  # a lie: it was in somebody's hand
    assert p.daemon.scene().masked == {13}
    p.table.put(13, "yellow")
    p.advance(1000)
    assert not p.daemon.scene().masked
    assert p.daemon.scene().reading == Settled()


def test_a_move_beside_a_stuck_switch_counts_as_soon_as_the_switch_is_confirmed_away() -> None:
    p = table()
    p.table.lift(74)
    p.table.fault("switch:100", "stuck_closed")
    p.advance(500)
    p.table.put(75, "red")
    p.advance(6000)
    assert p.daemon.scene().reading == Mismatch({}, frozenset({100}))
    confirm(p)
    p.advance(700)
    assert p.public.pawns["red"] == 75


def test_lifting_a_pawn_that_came_from_a_masked_switch_takes_nothing_back() -> None:
    p = table()
    p.table.fault("switch:74", "stuck_open")
    p.advance(1000)  # red is in somebody's hand, as far as can be felt
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    p.table.fault("switch:74", "chatter")
    p.advance(3000)
    assert 74 in p.daemon.scene().masked
    p.table.lift(75)
    p.advance(2000)
    assert p.public.pawns["red"] == 75
    assert text(p) == "Red back on 74? CONFIRM. Else: Red on 75"
    with pytest.raises(NotNow):
        p.daemon.referee.check(Double())
    p.table.put(75, "red")
    p.advance(1000)
    assert text(p) == "Yellow moves"
    p.table.lift(75)
    p.advance(1000)
    confirm(p)
    assert p.public.pawns["red"] == 74


@pytest.mark.parametrize("seed", range(4))
def test_games_with_three_broken_switches_are_played_to_the_end(seed: int) -> None:
    p = table()
    chance = random.Random(seed)
    stations = chance.sample(sorted(set(p.public.network.stations) - set(FIVE.values())), 3)
    for station, kind in zip(stations, ("stuck_open", "stuck_closed", "chatter"), strict=True):
        p.table.fault(f"switch:{station}", kind)
    p.advance(6000)
    confirm(p)
    p.advance(500)
    to_the_end(p, seed)
