"""What is known of the board: where pawns must stand, and where Mister X's own pawns may be (PB-05, PB-06)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.referee.known_board import KnownBoard, MrXPawns
from firmware_host.referee.readings import HERE as HERE_STILL
from firmware_host.referee.readings import RETURN, Ambiguous, Mismatch, Moved, Settled
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, START, STAY, PawnMove
from firmware_host.rules.views import PublicView
from tests.referee.referees import occupancy
from tests.ui.handmade_views import public

HOME = {"red": 26, "yellow": 34, "green": 141}
ALL = frozenset(HOME.values())
HERE, OLD = 58, 45


def view(*, at: int | None = None, stale: int | None = None, **said: Any) -> PublicView:
    """Three detectives at home; Mister X is seen `at` a station, or was seen on `stale`."""
    pawns = {**HOME, **said.pop("home", {}), **({} if at is None else {MR_X: at}), **said.pop("pawns", {})}
    old = frozenset() if stale is None else frozenset({stale})
    return public(detectives=3, pawns=pawns, stale=old, turn=("red",), **said)


def seen(*felt: int, at: int = HERE) -> tuple[MrXPawns, PublicView]:
    """Mister X has just shown himself, and something was felt."""
    pawns, now = MrXPawns(), view(at=at)
    pawns = pawns.follow(occupancy(now, ALL))
    for station in felt:
        pawns = pawns.watch(occupancy(now, ALL | {station}))
    return pawns, now


def test_where_detectives_must_stand_mister_x_is_none_of_them() -> None:
    assert occupancy(view(at=HERE), ALL).home_stations == ALL
    assert occupancy(view(at=26), ALL).home_stations == ALL
    assert occupancy(public(detectives=2, pawns={"red": 7}), ALL).home_stations == {
        7
    }  # one that has not started stands nowhere


def test_pb_06_his_pawn_is_asked_for_until_it_is_felt() -> None:
    pawns, now = seen()
    assert pawns.absent(occupancy(now, ALL)) == {MR_X: HERE}
    assert pawns.absent(occupancy(now, ALL | {HERE})) == {}  # just closed, not yet settled
    pawns = pawns.watch(occupancy(now, ALL | {HERE}))
    assert pawns.absent(occupancy(now, ALL)) == {}  # lifted again: whoever did it knows where it is


def test_pb_06_hidden_there_is_nothing_to_ask_for() -> None:
    pawns = MrXPawns().follow(occupancy(view(), ALL))
    assert pawns.absent(occupancy(view(), ALL)) == {}
    assert pawns.ambiguous_stations(occupancy(view(), ALL)) == frozenset()
    assert pawns.left_behind == frozenset()


@pytest.mark.parametrize("felt", [(), (HERE,)])
def test_pb_05_where_his_pawn_may_stand_a_closed_switch_proves_nothing(felt: tuple[int, ...]) -> None:
    pawns, now = seen(*felt)
    assert pawns.ambiguous_stations(occupancy(now, ALL)) == {HERE}


def test_pb_05_lifted_while_he_is_seen_it_may_be_put_back_until_he_has_gone_on() -> None:
    pawns, now = seen(HERE)
    pawns = pawns.watch(occupancy(now, ALL))
    assert pawns.ambiguous_stations(occupancy(now, ALL)) == {HERE}
    pawns = pawns.follow(occupancy(now, ALL))  # somebody else has moved
    assert pawns.ambiguous_stations(occupancy(now, ALL)) == {HERE}
    moved = view(stale=HERE)
    pawns = pawns.follow(occupancy(moved, ALL))
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == frozenset()


def test_pb_05_lifted_once_he_has_gone_on_it_may_be_put_back_until_the_game_has_gone_on_too() -> None:
    pawns, _ = seen(HERE)
    moved = view(stale=HERE)
    pawns = pawns.follow(occupancy(moved, ALL | {HERE}))
    pawns = pawns.watch(occupancy(moved, ALL))
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == {HERE}
    pawns = pawns.follow(occupancy(moved, ALL))
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == frozenset()


def test_pb_06_a_pawn_that_was_left_standing_is_remembered_when_he_shows_himself_elsewhere() -> None:
    pawns, _ = seen(HERE)
    gone = view()  # hidden, and nowhere to be taken off any more
    pawns = pawns.follow(occupancy(gone, ALL | {HERE}))
    assert pawns.left_behind == {HERE}
    pawns = pawns.watch(occupancy(gone, ALL))
    assert pawns.left_behind == frozenset()


def test_pb_06_a_station_where_it_was_never_felt_is_no_place_where_it_was_left() -> None:
    pawns, _ = seen()
    pawns = pawns.follow(occupancy(view(), ALL))
    assert pawns.left_behind == frozenset()
    assert pawns.ambiguous_stations(occupancy(view(), ALL)) == frozenset()


def test_ju_06_beside_a_detective_nobody_can_tell_whether_it_still_stands_there() -> None:
    shared = view(at=HERE, home={"red": HERE})
    pawns = MrXPawns().follow(occupancy(shared, ALL))
    pawns = pawns.watch(occupancy(shared, frozenset({HERE, 34, 141})))
    assert pawns.absent(occupancy(shared, frozenset({HERE, 34, 141}))) == {}  # one switch for both
    pawns, now = seen(HERE)
    pawns = pawns.watch(occupancy(shared, frozenset({HERE, 34, 141})))
    elsewhere = view()
    pawns = pawns.follow(occupancy(elsewhere, ALL | {HERE}))
    assert pawns.left_behind == {HERE}  # perhaps
    assert now.pawns[MR_X] == HERE


def test_ju_06_his_pawn_beside_a_detective_is_asked_for_while_it_is_his_turn_alone() -> None:
    shared = view(at=HERE, home={"red": HERE})
    pawns = MrXPawns()
    felt = frozenset({HERE, 34, 141})
    pawns = pawns.follow(occupancy(shared, felt))
    assert pawns.absent(occupancy(shared, felt)) == {}
    assert pawns.absent(occupancy(replace(shared, turn=(MR_X,)), felt)) == {MR_X: HERE}


def test_be_05_his_lifted_pawn_is_asked_for_in_the_detectives_part_alone() -> None:
    now = view(at=HERE, in_sight=True)
    pawns = MrXPawns().follow(occupancy(now, ALL))
    pawns = pawns.watch(occupancy(now, ALL | {HERE}))
    assert pawns.absent(occupancy(now, ALL)) == {}  # just lifted, not yet settled
    pawns = pawns.watch(occupancy(now, ALL))
    assert pawns.absent(occupancy(now, ALL)) == {MR_X: HERE}
    assert pawns.absent(occupancy(now, ALL | {HERE})) == {}
    assert pawns.absent(occupancy(replace(now, turn=(MR_X,)), ALL)) == {}  # he is about to move it
    assert pawns.absent(occupancy(replace(now, in_sight=False), ALL)) == {}  # whoever lifted it knows where it is


def test_be_06_his_pawn_was_felt_where_he_is_once_it_has_stood_there_lifted_or_not() -> None:
    pawns, now = seen()
    assert not pawns.was_seen(HERE)
    assert not pawns.was_seen(OLD)
    pawns = pawns.watch(occupancy(now, ALL | {HERE}))
    assert pawns.was_seen(HERE)
    pawns = pawns.watch(occupancy(now, ALL))
    assert pawns.was_seen(HERE)


def test_pb_05_a_pawn_of_his_that_is_known_to_stand_where_he_is_stands_nowhere_else() -> None:
    pawns, _ = seen(OLD, at=OLD)
    moved = view(at=HERE, stale=OLD)
    pawns = pawns.follow(occupancy(moved, ALL | {OLD}))
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == {HERE, OLD}
    pawns = pawns.watch(occupancy(moved, ALL | {HERE}))
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == {HERE}


@pytest.mark.parametrize("home", [{"yellow": 26}, {}])
def test_pb_05_where_a_detective_may_have_come_unfelt_what_is_felt_may_not_be_his_pawn(home: dict[str, int]) -> None:
    pawns, _ = seen(OLD, at=OLD)
    moved = view(at=HERE, stale=OLD, home=home, moves=(PawnMove("red", HERE, "taxi"),))
    pawns = pawns.follow(occupancy(moved, ALL | {OLD}))
    pawns = pawns.watch(occupancy(moved, ALL | {HERE}))
    assert pawns.ambiguous_stations(occupancy(moved, ALL, frozenset() if home else frozenset({26}))) == {HERE, OLD}
    assert pawns.ambiguous_stations(occupancy(view(at=HERE, stale=OLD, moves=moved.moves), ALL)) == {HERE}


def test_ju_01_of_two_pawns_one_that_stands_says_nothing_of_the_other() -> None:
    two = {"fugitives": (MR_X, MR_X_JUNIOR), "in_sight": True}
    now = view(at=HERE, pawns={MR_X_JUNIOR: OLD}, **two)
    pawns = MrXPawns().follow(occupancy(now, ALL))
    assert pawns.absent(occupancy(now, ALL)) == {MR_X: HERE, MR_X_JUNIOR: OLD}
    pawns = pawns.watch(occupancy(now, ALL | {HERE}))
    assert pawns.absent(occupancy(now, ALL)) == {MR_X_JUNIOR: OLD}
    assert pawns.ambiguous_stations(occupancy(now, ALL)) == {HERE, OLD}
    moved = view(at=HERE, pawns={MR_X_JUNIOR: 67}, stale=OLD, **two)
    pawns = pawns.follow(occupancy(moved, ALL | {HERE}))
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == {HERE, OLD, 67}  # the other may stand where it was


def test_ju_06_a_pawn_of_his_beside_a_detective_may_be_anywhere_again() -> None:
    pawns, _ = seen(OLD, at=OLD)
    moved = view(at=HERE, stale=OLD, in_sight=True)
    pawns = pawns.follow(occupancy(moved, ALL | {OLD}))
    pawns = pawns.watch(occupancy(moved, ALL | {HERE}))
    shared = view(at=HERE, stale=OLD, in_sight=True, home={"red": HERE})
    pawns = pawns.watch(occupancy(shared, frozenset({HERE, 34, 141})))
    pawns = pawns.follow(occupancy(shared, frozenset({HERE, 34, 141})))
    assert pawns.ambiguous_stations(occupancy(shared, ALL)) == {HERE, OLD}


def test_be_05_in_the_open_his_lifted_pawn_is_not_out_of_play_while_it_stands_nowhere() -> None:
    pawns = MrXPawns()
    now = view(at=OLD, in_sight=True)
    pawns = pawns.follow(occupancy(now, ALL))
    pawns = pawns.watch(occupancy(now, ALL | {OLD}))
    pawns = pawns.watch(occupancy(now, ALL))
    on = view(at=HERE, stale=OLD, in_sight=True)
    pawns = pawns.follow(occupancy(on, ALL))
    pawns = pawns.follow(occupancy(on, ALL))
    assert OLD in pawns.ambiguous_stations(occupancy(on, ALL))  # in a hand, and it may come back there
    pawns = pawns.watch(occupancy(on, ALL | {HERE}))
    assert pawns.ambiguous_stations(occupancy(on, ALL)) == {HERE}


def test_pb_06_a_pawn_from_its_box_put_back_where_he_was_is_the_only_thing_that_explains_a_closed_switch() -> None:
    pawns, now = seen(HERE)
    pawns = pawns.watch(occupancy(now, ALL))
    moved = view(stale=HERE)
    pawns = pawns.follow(occupancy(moved, ALL))
    pawns = pawns.follow(occupancy(moved, ALL))
    closed = ALL | {HERE}
    there = PawnMove("red", HERE, "taxi")
    assert not pawns.find_put_back(occupancy(moved, closed), Moved((there,)))  # a detective explains it
    assert not pawns.find_put_back(occupancy(moved, ALL), Settled())
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == frozenset()
    assert pawns.find_put_back(occupancy(moved, closed), Settled()) == {HERE}
    pawns = pawns.stands_on(HERE)
    assert pawns.ambiguous_stations(occupancy(moved, ALL)) == {HERE}
    assert not pawns.find_put_back(occupancy(moved, closed), Settled())  # told once


@pytest.mark.parametrize(
    ("move", "ignored"),
    [
        (PawnMove("red", 39, "taxi"), {39}),
        (PawnMove("red", 26, STAY), {26}),
        (PawnMove("red", 39, RETURN), {39}),
        (PawnMove("red", 26, RETURN), set()),  # Red never left: the switch that is open there says nothing new
    ],
)
def test_pb_05_a_confirmed_move_has_the_open_switch_of_its_station_ignored(move: PawnMove, ignored: set[int]) -> None:
    board = KnownBoard(occupied=frozenset({34, 141})).follow(view())
    assert board.confirm_move(move, Settled()).ignored == ignored


def test_di_10_a_pawn_that_has_started_has_come_from_no_station_whose_switch_could_be_stuck() -> None:
    now = public(detectives=3, pawns={"yellow": 34, "green": 141}, turn=("red",))
    board = KnownBoard(occupied=frozenset({1, 26, 34, 141})).follow(now)  # something else stands on 1
    assert board.confirm_move(PawnMove("red", 26, START), Settled()).ignored == frozenset()


def test_pb_05_a_confirmed_return_has_the_switch_ignored_that_seemed_to_sense_the_pawn_after_its_move() -> None:
    back = PawnMove("red", 26, RETURN)
    board = KnownBoard(occupied=frozenset({26, 39, 34, 141})).follow(view(home={"red": 39}))
    assert board.confirm_move(back, Settled((back,))).ignored == {39}


def test_pb_05_a_pawn_said_to_stand_on_an_ignored_switch_has_the_one_that_seems_to_sense_it_ignored() -> None:
    board = KnownBoard(occupied=frozenset({39, 34, 141})).follow(view()).ignore(26)
    ambiguous = Ambiguous((PawnMove("red", 39, "taxi"), PawnMove("yellow", 46, "bus")))
    assert board.confirm_statement(PawnMove("red", 26, HERE_STILL), ambiguous).ignored == {26, 39}


@pytest.mark.parametrize(("closed", "ignored"), [({26, 39, 34, 141}, {26}), ({26, 39, 141}, set())])
def test_pb_05_a_confirmed_move_has_the_closed_switch_that_it_left_ignored_unless_another_pawn_may_be_there(
    closed: set[int], ignored: set[int]
) -> None:
    board = KnownBoard(occupied=frozenset(closed)).follow(replace(view(), turn=("red", "yellow")))
    assert board.confirm_move(PawnMove("red", 39, "taxi"), Mismatch({}, frozenset({39}))).ignored == ignored
