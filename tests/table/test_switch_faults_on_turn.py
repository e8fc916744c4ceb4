"""A switch fails under, or beside, the very pawn that is to move: it is found, and no choice is lost."""

from __future__ import annotations

import random

from firmware_host.referee.events import Pressed, SwitchesChanged, Tick
from firmware_host.referee.readings import InHand, Settled
from firmware_host.referee.scene import Kind
from firmware_host.rules.actions import MR_X, RollAgain
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from tests.referee.referees import CONFIRM, INSIST, SETTLE, stand
from tests.referee.referees import begun as referee_begun
from tests.table.dice_tables import enter, started
from tests.table.played_table import (
    ask_kind,
    asks,
    carry,
    confirm,
    fault,
    press,
    put,
    red_to_move,
    take,
    text,
    walk,
)


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
    assert text(p) == "Red: to a lit station. Not felt there? CONFIRM"
    p.advance(10_000)
    assert text(p) == "Red: to a lit station. Not felt there? CONFIRM"
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
    while p.public.his_turn or not any(move.to == p.public.pawns.get(MR_X) for move in p.public.moves):
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
