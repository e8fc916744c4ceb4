"""A dead, stuck or chattering switch is found, named and masked, and the game goes on to its end."""

from __future__ import annotations

import random

import pytest

from firmware_host.referee.events import Pressed, SwitchesChanged, Tick
from firmware_host.referee.readings import RETURN, InHand, Mismatch, Settled
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import Kind, Phase
from firmware_host.rules.actions import MR_X, Double, PawnMove, RollAgain
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.table.commands import StartGame
from tests.amount import amount
from tests.referee.referees import CONFIRM, INSIST, SETTLE, stand
from tests.referee.referees import begun as referee_begun
from tests.table.any_table import SIX, enter, laid, started
from tests.table.played_table import (
    FIVE,
    ask_kind,
    asks,
    carry,
    confirm,
    fault,
    go,
    play_on,
    press,
    put,
    red_to_move,
    take,
    text,
    walk,
)


def goes_on(p: SimulatedTable, seed: int, most: int = 12) -> None:
    """The game is played on, for so many actions at the most."""
    count = len(p.actions)
    play_on(p, random.Random(seed), most=most)
    assert len(p.actions) >= count + most or p.table.scene().phase is Phase.OVER


def test_a_switch_stuck_closed_is_named_and_masked_by_the_confirm_key_and_the_game_goes_on() -> None:
    p = red_to_move()
    fault(p, "switch:100", "stuck_closed", 1500)
    assert text(p) == "Clear 100"
    confirm(p)
    assert not p.table.scene().ignored  # too early: it may be a pawn
    p.advance(3500)
    assert text(p) == "Clear 100. Is 100 empty? CONFIRM: its switch is broken"
    confirm(p)
    assert p.table.scene().ignored == {100}
    assert text(p) == "The switch of 100 is broken: input 99. Red moves"
    assert str(p.table.devices["switches"]) == "degraded: broken under 100 (input 99)"
    p.advance(4000)
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    goes_on(p, 1)


def test_a_switch_that_opens_under_a_standing_pawn_is_named_and_masked() -> None:
    p = red_to_move()
    fault(p, "switch:13", "stuck_open", 5000)
    assert text(p) == "Put Yellow on 13. Does Yellow stand on 13? CONFIRM: its switch is broken"
    confirm(p)
    assert p.table.scene().ignored == {13}
    walk(p, "red", 75)
    walk(p, "yellow", 23)  # it is not felt to be lifted, but to arrive
    assert p.public.pawns["yellow"] == 23
    goes_on(p, 2)


def test_a_dead_switch_under_the_destination_is_found_by_the_confirm_key() -> None:
    p = red_to_move()
    p.hardware.fault("switch:75", "stuck_open")
    carry(p, "red", 75, 3000)
    assert p.table.scene().reading == InHand(("red",))
    for _ in range(30):
        asked = p.table.scene().asked
        if asked and asked[0].to == 75:
            break
        press(p, "table.back" if ask_kind(p) is Kind.WHERE or asked else "table.confirm")
    assert asks(p) == (Kind.WENT, "red", 75, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 75
    assert p.table.scene().ignored == {75}
    p.advance(3000)
    assert p.table.scene().reading == Settled()
    walk(p, "yellow", 23)
    goes_on(p, 3)


def test_a_switch_that_is_stuck_from_the_first_holds_up_the_setting_up_only_until_it_is_confirmed() -> None:
    p = SimulatedTable()
    p.hardware.fault("switch:13", "stuck_open")
    p.hardware.fault("switch:100", "stuck_closed")
    p.do(StartGame(detectives=4, start={MR_X: 197, **FIVE}))
    p.set_up()
    assert p.table.scene().phase is Phase.SET_UP
    for masked in (set(), {100}):
        assert p.table.scene().ignored == masked
        assert p.table.scene().phase is Phase.SET_UP
        p.advance(20_000)
        if ask_kind(p) is Kind.ALL_RIGHT:  # two at once are more than one switch can be to blame for
            confirm(p)
            p.advance(500)
        confirm(p)
        p.advance(1000)
    assert p.table.scene().phase is Phase.PLAY
    assert p.table.scene().ignored == {13, 100}
    go(p, 184)
    goes_on(p, 4)


def test_a_chattering_switch_is_found_named_and_masked_by_itself() -> None:
    p = red_to_move()
    fault(p, "switch:75", "chatter", 3000)
    assert p.table.scene().ignored == {75}
    health = p.table.health()["switches"]
    assert health["state"] == "degraded"
    assert "75" in str(health["reason"])
    assert p.table.scene().reading == Settled()
    carry(p, "red", 75, 2000)
    assert p.table.scene().asked[0].to == 75
    confirm(p)
    assert p.public.pawns["red"] == 75
    goes_on(p, 5)


def test_a_chattering_switch_that_has_calmed_down_is_listened_to_again() -> None:
    p = red_to_move()
    fault(p, "switch:75", "chatter", 3000)
    fault(p, "switch:75", "ok", 11_000)
    assert not p.table.scene().ignored
    assert p.table.health()["switches"]["state"] == "ok"
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75


@pytest.mark.parametrize(("station", "broken"), [(100, "stuck_closed"), (13, "stuck_open")])
def test_a_mended_switch_is_listened_to_again(station: int, broken: str) -> None:
    p = red_to_move()
    fault(p, f"switch:{station}", broken, 5000)
    confirm(p)
    assert p.table.scene().ignored == {station}
    fault(p, f"switch:{station}", "ok", 3000)
    assert not p.table.scene().ignored
    assert p.table.scene().reading == Settled()


def test_a_move_beside_a_stuck_switch_counts_as_soon_as_the_switch_is_confirmed_away() -> None:
    p = red_to_move()
    p.hardware.lift(74)
    fault(p, "switch:100", "stuck_closed", 500)
    put(p, 75, "red", 6000)
    assert p.table.scene().reading == Mismatch({}, frozenset({100}))
    confirm(p)
    p.advance(700)
    assert p.public.pawns["red"] == 75


def test_lifting_a_pawn_that_came_from_a_masked_switch_takes_nothing_back() -> None:
    p = red_to_move()
    fault(p, "switch:74", "stuck_open", 1000)  # red is in somebody's hand, as far as can be felt
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    fault(p, "switch:74", "chatter", 3000)
    assert 74 in p.table.scene().ignored
    take(p, 75, 2000)
    assert p.public.pawns["red"] == 75
    assert asks(p) == (Kind.BACK_OR_NOT, "red", 74, "confirm", "back")
    with pytest.raises(NotNow):
        p.table.referee.check(Double())
    put(p, 75, "red", 1000)
    assert text(p) == "Yellow moves"
    take(p, 75, 1000)
    confirm(p)
    assert p.public.pawns["red"] == 74


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_games_with_three_broken_switches_are_played_to_the_end(seed: int) -> None:
    p = red_to_move()
    chance = random.Random(seed)
    stations = chance.sample(sorted(set(p.public.network.stations) - set(FIVE.values())), 3)
    for station, kind in zip(stations, ("stuck_open", "stuck_closed", "chatter"), strict=True):
        p.hardware.fault(f"switch:{station}", kind)
    p.advance(6000)
    confirm(p)
    p.advance(500)
    goes_on(p, seed, most=400)
    assert p.public.outcome is not None


@pytest.mark.parametrize(
    ("fault", "device", "within"),
    [
        ("stuck_closed", "switch:100", 4.1),
        ("stuck_open", "switch:13", 4.1),
        ("chatter", "switch:100", 1.0),
        ("ones", "switches", 0.02),
        ("zeros", "switches", 0.02),
        ("shift_early", "switches", 0.02),
        ("shift_late", "switches", 0.02),
        ("shift_chip", "switches", 0.02),
        ("garbage", "switches", 0.02),
    ],
)
@pytest.mark.parametrize("seed", range(amount(1, 3)))
def test_what_fails_is_told_within_its_bound(fault: str, device: str, within: float, seed: int) -> None:
    p = red_to_move()
    p.advance(random.Random(seed).uniform(0, 2000))
    start = p.hardware.clock.now()
    p.hardware.fault(device, fault)
    while not (p.table.devices["switches"].state != "ok" or ask_kind(p) in (Kind.SWITCH, Kind.EMPTY)):
        p.advance(5)
        assert p.hardware.clock.now() - start <= within
    p.hardware.fault(device, "ok")
    p.advance(15_000)
    assert p.table.scene().ignored == frozenset()
    assert p.table.devices["switches"].state == "ok"
    assert p.table.scene().reading == Settled()
    assert p.public.pawns == {**FIVE}


def test_a_switch_that_sticks_where_its_pawn_was_is_left_behind_and_the_move_counts() -> None:
    p = red_to_move()
    p.hardware.fault("switch:74", "stuck_closed")
    carry(p, "red", 75, 2000)
    assert asks(p) == (Kind.WENT, "red", 75, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 75
    assert p.table.scene().ignored == {74}
    goes_on(p, 7)


def test_where_nobody_has_moved_the_switch_that_feels_a_pawn_is_doubted_instead() -> None:
    p = red_to_move()
    fault(p, "switch:75", "stuck_closed", 2000)
    assert asks(p) == (Kind.WENT, "red", 75, "confirm", "back")
    press(p, "table.back", 4000)
    assert text(p) == "Clear 75. Is 75 empty? CONFIRM: its switch is broken"
    confirm(p)
    assert p.table.scene().ignored == {75}
    assert p.public.pawns["red"] == 74
    goes_on(p, 8)


def test_a_move_that_a_sticking_switch_made_is_taken_back_by_putting_the_pawn_back() -> None:
    p = red_to_move()
    take(p, 74, 500, "red")
    fault(p, "switch:75", "stuck_closed", 1000)
    assert p.public.pawns["red"] == 75  # nobody meant that, and no reed can tell
    put(p, 74, "red", 1000)
    assert asks(p) == (Kind.BACK_OR_NOT, "red", 74, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 74
    assert p.table.scene().ignored == {75}
    walk(p, "red", 58, "bus")
    assert p.public.pawns["red"] == 58


@pytest.mark.parametrize("last", [False, True])
def test_a_start_that_a_sticking_switch_made_is_taken_back_by_key(last: bool) -> None:
    p = laid(SIX, players=2)
    red, yellow = (8, 4) if last else (4, 8)
    for pawn, start in (("red", red), ("yellow", yellow))[: 1 + last]:
        if start == 4:
            p.hardware.fault("switch:4", "stuck_closed")
        else:
            p.hardware.put(start, pawn)
        p.advance(1500)
    liar = p.public.order[last]
    assert p.public.pawns[liar] == 4  # nobody meant that, and no reed can tell
    assert text(p) == (
        "Mister X chooses his start in secret" if last else "Yellow: choose a start and set the pawn there"
    )
    confirm(p)
    while p.table.scene().asked != (PawnMove(liar, 4, RETURN),):
        press(p, "table.back")
    assert text(p) == f"Take {liar.capitalize()}'s start on 4 back? CONFIRM. No: BACK"
    confirm(p)
    assert liar not in p.public.pawns
    assert p.table.scene().ignored == {4}
    put(p, 13, liar, 1500)
    assert p.public.pawns[liar] == 13


def test_how_the_switches_have_worked_is_told_by_station_and_place() -> None:
    p = red_to_move()
    p.hardware.fault("switch:75", "worn")
    for _ in range(2):
        walk(p, "red", 75)
        carry(p, "red", 74)  # taken back
    assert str(p.table.devices["switches"]) == "degraded: weak under 75 (input 74)"
    told = p.table.switches()
    assert sorted(told, key=int) == ["13", "26", "50", "74", "75"]
    assert told["75"]["state"] == "weak"
    assert told["75"]["closures"] == 2
    assert 20 < float(str(told["75"]["longest_ms"])) < 45
    assert told["74"] | {"bounces": 0, "longest_ms": 0.0, "last_closed": 0.0} == {
        "station": 74, "input": 73, "place": "input 73", "state": "ok", "closures": 3, "bounces": 0, "longest_ms": 0.0,
        "last_closed": 0.0, "masked_s": 0.0,
    }  # fmt: skip
    assert not p.table.scene().ignored


# ---- under, or beside, the very pawn that is to move ----


def back(p: SimulatedTable) -> None:
    press(p, "table.back")


def test_a_switch_that_dies_under_the_pawn_on_turn_is_asked_for_and_masked_after_four_seconds() -> None:
    p = red_to_move()
    fault(p, "switch:74", "stuck_open", 3900)
    assert text(p) == "Red: to a lit station"
    p.advance(150)
    assert asks(p) == (Kind.STANDS, "red", 74, "confirm", "back")
    confirm(p)
    assert p.table.scene().ignored == set()  # nobody has read that yet
    p.advance(200)
    confirm(p)
    assert p.table.scene().ignored == {74}
    assert isinstance(p.table.scene().reading, Settled)
    assert p.public.pawns["red"] == 74
    walk(p, "red", 75)
    assert p.public.pawns["red"] == 75
    walk(p, "yellow", 23)
    assert p.public.pawns["yellow"] == 23


def test_whoever_holds_a_pawn_and_thinks_denies_it_once_and_may_still_say_where_it_stands() -> None:
    p = red_to_move()
    take(p, 74, 5000)
    back(p)
    assert not p.table.scene().asked
    assert not p.table.scene().ignored
    assert text(p) == "Red: to a lit station. Not sensed there? CONFIRM"
    p.advance(10_000)
    assert text(p) == "Red: to a lit station. Not sensed there? CONFIRM"
    put(p, 75, "red", 900)
    assert p.public.pawns["red"] == 75


def test_every_move_and_that_nothing_moved_can_be_told_by_key_while_a_pawn_seems_to_be_in_a_hand() -> None:
    p = red_to_move()
    fault(p, "switch:74", "stuck_open", 1000)
    confirm(p)
    asked = set()
    while p.table.scene().asked or ask_kind(p) is Kind.WHERE:
        back(p)
        asked |= {(move.to, move.ticket) for move in p.table.scene().asked}
    assert asked == {(move.to, move.ticket) for move in p.public.moves} | {(74, "here")}


def test_di_14_a_pawn_whose_switch_died_does_not_keep_the_token_from_being_spent() -> None:
    p = started()
    enter(p, "x", "x", "x", "x")
    fault(p, "switch:1", "stuck_open", 5000)
    presses = 0
    while RollAgain() not in p.table.game.actions and presses < 5:
        back(p)
        presses += 1
    assert presses == 2
    assert not p.table.scene().ignored


def test_a_pawn_put_back_onto_a_switch_that_has_just_died_takes_its_move_back() -> None:
    p = red_to_move()
    walk(p, "red", 75)
    p.hardware.fault("switch:74", "stuck_open")
    carry(p, "red", 74, 3000)
    assert text(p) == "Put Red on 75"
    p.advance(2000)
    assert asks(p) == (Kind.WENT_BACK, "red", 74, "confirm", "back")
    confirm(p)
    assert p.public.pawns["red"] == 74
    assert p.table.scene().ignored == {74}
    p.advance(1000)
    assert isinstance(p.table.scene().reading, Settled)


def test_where_no_pawn_was_put_back_the_switch_under_it_is_doubted_after_all() -> None:
    p = red_to_move()
    walk(p, "red", 75)
    fault(p, "switch:75", "stuck_open", 5000)
    back(p)
    assert text(p) == "Put Red on 75. Does Red stand on 75? CONFIRM: its switch is broken"
    confirm(p)
    assert p.public.pawns["red"] == 75
    assert p.table.scene().ignored == {75}


def test_where_nobody_has_moved_one_key_catches_nobody() -> None:
    p = SimulatedTable(seed=5)
    p.new_game(detectives=5, seed=5)
    players = SimulatedPeople(p, random.Random(5))
    players.set_up()
    while p.public.mr_x_to_move or not any(move.to == p.public.pawns.get(MR_X) for move in p.public.moves):
        players.play()
    view = p.public
    fault(p, f"switch:{view.pawns[view.turn[0]]}", "chatter", 3000)
    assert p.table.scene().ignored == {view.pawns[view.turn[0]]}
    assert not p.table.scene().asked
    confirm(p)
    assert p.public.outcome is None
    assert p.public.pawns == view.pawns


def test_a_question_outlives_a_flicker_elsewhere() -> None:
    referee = referee_begun(played="184t")
    stand(referee, 10.0, 26)
    referee.handle(CONFIRM, 11.0)
    for _ in range(2):
        referee.handle(Pressed("table.back"), 11.0)
    asked = referee.scene(11.0).asked
    assert asked
    stand(referee, 12.0, 26, more=(100,))
    assert not referee.scene(12.0).asked
    assert referee.handle(CONFIRM, 12.1) is None
    stand(referee, 12.5, 26)
    assert referee.handle(Tick(), 12.5 + SETTLE) is None
    assert isinstance(referee.scene(13.0).reading, InHand)
    assert referee.scene(13.0).asked == asked


def test_a_question_that_was_withdrawn_long_ago_is_not_asked_again() -> None:
    referee = referee_begun(played="184t")
    stand(referee, 10.0, 26)
    referee.handle(CONFIRM, 11.0)
    referee.handle(Pressed("table.back"), 11.0)
    stand(referee, 12.0)
    referee.handle(SwitchesChanged(referee.state.board.occupied - {26}), 12.1 + INSIST)
    assert referee.handle(Tick(), 12.1 + INSIST + SETTLE) is None
    assert not referee.scene(20.0).asked
