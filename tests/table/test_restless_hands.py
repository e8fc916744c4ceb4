"""Ordinary hands on sound contacts, as fast as hands are: no switch is degraded, masked or blamed for what they do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.config.shipped_files import edition_names
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.readings import Mismatch, Returned
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from tests.amount import amount
from tests.table.any_table import beginners, done, junior, move
from tests.table.played_table import carry, confirm, fault, put, red_to_move, take, text
from tools.restless_hands import Accused, Onlooker
from tools.soak import Task, play

FIVE = {"red": 88, "yellow": 13, "green": 26, "blue": 50}
GAMES = [(rules, seed) for seed in range(amount(1, 20)) for rules in edition_names()]
ONCE_FOUND = {
    500133: "dice",
    500313: "dice",
    500398: "junior",
    500416: "junior",
    70078: "junior",
    70131: "dice",
    71120: "current",
    72402: "beginners",
    600129: "dice",
    600271: "classic",
    700475: "us",
}
GAMES += amount([], [(rules, seed) for seed, rules in ONCE_FOUND.items()])


def accuses(p: SimulatedTable) -> bool:
    """Whether anything is said against a switch."""
    try:
        Onlooker(p).look()
    except Accused:
        return True
    return False


def test_ten_take_backs_in_a_row_on_one_station_are_no_chatter() -> None:
    p = red_to_move(**FIVE)
    to = next(m.to for m in p.public.moves if sum(o.to == m.to for o in p.public.moves) == 1)
    for _ in range(10):
        carry(p, "red", to, 800)
        assert p.public.pawns["red"] == to
        carry(p, "red", 88, 800)
        assert p.public.pawns["red"] == 88
        assert not accuses(p)
    p.advance(15_000)
    assert not accuses(p)


def test_a_table_cleared_by_hand_blames_no_switch_however_long_it_stays_bare() -> None:
    p = red_to_move(**FIVE)
    for pawn, at in FIVE.items():
        take(p, at, 400, pawn)
        assert not accuses(p)
    for _ in range(20):
        p.advance(1000)
        assert not accuses(p)
    assert text(p) == "Put Yellow on 13, Green on 26 and Blue on 50. Done? CONFIRM"


def test_a_pawn_that_plainly_stands_elsewhere_is_not_asked_of() -> None:
    p = red_to_move(**FIVE)
    for pawn in ("yellow", "green", "blue"):
        take(p, FIVE[pawn], 200, pawn)
    p.hardware.lift(88, "red")
    p.hardware.put(89, "red")  # at the same moment, on the next input, and alone on the board
    for _ in range(10):
        p.advance(1000)
        assert not accuses(p)
    for pawn in ("yellow", "green", "blue"):
        p.hardware.put(FIVE[pawn], pawn)
    p.hardware.lift(89, "red")
    put(p, 100, "red", 8000)
    assert not accuses(p)
    assert text(p) == "Put Red on 88. Clear 100. Done? CONFIRM"


def test_whoever_says_that_all_is_done_is_asked_of_each_station_and_may_deny_it() -> None:
    p = red_to_move(**FIVE)
    p.hardware.fault("switch:100", "stuck_closed")
    fault(p, "switch:13", "stuck_open", 4500)
    assert text(p) == "Put Yellow on 13. Clear 100. Done? CONFIRM"
    asked = []
    confirm(p)
    for _ in range(2):
        p.advance(400)
        asked.append(text(p))
        p.hardware.press("table.back")
    assert asked == [
        "Is 100 empty? CONFIRM: its switch is broken. No: BACK",
        "Put Yellow back. Does it stand on 13? CONFIRM. No: BACK",
    ]
    p.advance(400)
    assert not p.table.scene().ignored
    confirm(p)
    p.advance(400)
    confirm(p)
    assert p.table.scene().ignored == {100}
    p.advance(4500)
    assert text(p) == "Put Yellow on 13. Does Yellow stand on 13? CONFIRM: its switch is broken"
    confirm(p)
    assert p.table.scene().ignored == {13, 100}
    assert text(p).endswith("Red moves")


def test_a_pawn_in_the_hand_of_who_is_on_turn_counts_as_one_that_is_off_the_board() -> None:
    p = red_to_move(**FIVE)
    p.hardware.lift(88, "red")
    take(p, 13, 6000, "yellow")
    assert p.table.scene().reading == Mismatch({"yellow": 13}, frozenset(), ("red",))
    assert text(p) == "Put Yellow on 13. Done? CONFIRM"
    put(p, 88, "red", 3500)
    assert text(p) == "Put Yellow on 13"  # patience begins anew
    p.advance(1000)
    assert accuses(p)  # now it may be its switch


def test_of_two_pawns_in_the_hands_of_those_on_turn_none_is_said_to_stand() -> None:
    p = junior(5, 1)
    p.hardware.lift(5, "white")
    take(p, 1, 10_000, "yellow")
    assert p.table.scene().asked == ()
    assert not accuses(p)


def test_be_05_where_his_pawn_stands_wrong_it_is_said_where_it_may_go_back_to() -> None:
    p = beginners()
    take(p, 82, 500, MR_X)
    put(p, 1, MR_X, 6000)
    assert text(p) == "Put Mister X on 82. Clear 1. Done? CONFIRM"
    carry(p, MR_X, 81, 1500)
    assert done(p) == [move(81)]
    p.hardware.lift(81, MR_X)
    put(p, 199, MR_X, 6000)
    assert text(p) == "Clear 199. Set Mister X's pawn on 81. Done? CONFIRM"
    carry(p, MR_X, 81, 1500)
    assert text(p) == "Red, Yellow or Green moves"


def test_who_denies_that_a_pawn_is_back_where_mister_x_stands_blames_no_switch_there() -> None:
    p = junior(13, 11)
    view = p.public
    board = KnownBoard(replace(view, pawns={**view.pawns, "white": 14}), frozenset({13, 14}))
    denied = board.deny_return(Returned("white", 13, ambiguous=True))
    assert not denied.register.stations
    assert denied.mr_x_confirmed == {13}  # his own pawn closes it, and it is not asked about again in this move
    elsewhere = replace(board, view=replace(view, pawns={**view.pawns, "white": 14, MR_X: 3}))
    assert elsewhere.deny_return(Returned("white", 13, ambiguous=True)).register.stations == {
        13
    }  # nothing else is there


def test_a_detective_taken_back_from_where_mister_xs_pawn_was_left_blames_no_switch() -> None:
    view = beginners().public
    left = replace(view, pawns={**view.pawns, "red": 100}, stale=frozenset({100}))
    occupied = frozenset(left.pawns.values()) - {left.pawns[MR_X]}
    taken_back = KnownBoard(left, occupied).deny_arrival("red")
    assert not taken_back.register.stations
    assert taken_back.mr_x_confirmed == {100}
    assert KnownBoard(replace(left, stale=frozenset()), occupied).deny_arrival("red").register.stations == {100}


@pytest.mark.parametrize(("device", "kind"), [("switch:13", "stuck_open"), ("switch:100", "stuck_closed"),
                                              ("switch:100", "chatter"), ("lamps", "unplug")])  # fmt: skip
def test_whoever_looks_on_hears_every_word_against_a_device(device: str, kind: str) -> None:
    p = red_to_move(**FIVE)
    assert not accuses(p)
    fault(p, device, kind, 5000)
    assert accuses(p)


@pytest.mark.parametrize(("rules", "seed"), GAMES)
@pytest.mark.long_but_first
def test_hands_that_cannot_keep_still_lead_to_no_word_against_a_switch(rules: str, seed: int) -> None:
    game = play(Task(seed, rules, restless=True))
    assert game.fault == ""
    assert game.reason
    assert game.gestures.total() >= 5
