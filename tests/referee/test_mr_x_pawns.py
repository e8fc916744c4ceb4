"""Where Mister X's own pawns are, as far as switches can tell (PB-05, PB-06)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.referee.mr_x_pawns import Figures, stands
from firmware_host.referee.scene import Moved, Settled
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, PawnMove
from firmware_host.rules.views import PublicView
from tests.ui.handmade_views import public

HOME = {"red": 26, "yellow": 34, "green": 141}
ALL = frozenset(HOME.values())
HERE, OLD = 58, 45


def view(*, at: int | None = None, stale: int | None = None, **said: Any) -> PublicView:
    """Three detectives at home; Mister X is seen `at` a station, or was seen on `stale`."""
    pawns = {**HOME, **said.pop("home", {}), **({} if at is None else {MR_X: at}), **said.pop("pawns", {})}
    old = frozenset() if stale is None else frozenset({stale})
    return public(detectives=3, pawns=pawns, stale=old, turn=("red",), **said)


def seen(*felt: int, at: int = HERE) -> tuple[Figures, PublicView]:
    """Mister X has just shown himself, and something was felt."""
    figures, now = Figures(), view(at=at)
    figures.follow(now, ALL)
    for station in felt:
        figures.watch(now, ALL | {station})
    return figures, now


def test_where_detectives_must_stand_mister_x_is_none_of_them() -> None:
    assert stands(view(at=HERE)) == ALL
    assert stands(view(at=26)) == ALL
    assert stands(public(detectives=2, pawns={"red": 7})) == {7}  # one that has not started stands nowhere


def test_pb_06_his_pawn_is_asked_for_until_it_is_felt() -> None:
    figures, now = seen()
    assert figures.absent(now, ALL) == {MR_X: HERE}
    assert figures.absent(now, ALL | {HERE}) == {}  # just closed, not yet settled
    figures.watch(now, ALL | {HERE})
    assert figures.absent(now, ALL) == {}  # lifted again: whoever did it knows where it is


def test_pb_06_hidden_there_is_nothing_to_ask_for() -> None:
    figures = Figures()
    figures.follow(view(), ALL)
    assert figures.absent(view(), ALL) == {}
    assert figures.unsure(view()) == frozenset()
    assert figures.left == frozenset()


@pytest.mark.parametrize("felt", [(), (HERE,)])
def test_pb_05_where_his_pawn_may_stand_a_closed_switch_proves_nothing(felt: tuple[int, ...]) -> None:
    figures, now = seen(*felt)
    assert figures.unsure(now) == {HERE}


def test_pb_05_lifted_while_he_is_seen_it_may_be_put_back_until_he_has_gone_on() -> None:
    figures, now = seen(HERE)
    figures.watch(now, ALL)
    assert figures.unsure(now) == {HERE}
    figures.follow(now, ALL)  # somebody else has moved
    assert figures.unsure(now) == {HERE}
    moved = view(stale=HERE)
    figures.follow(moved, ALL)
    assert figures.unsure(moved) == frozenset()


def test_pb_05_lifted_once_he_has_gone_on_it_may_be_put_back_until_the_game_has_gone_on_too() -> None:
    figures, _ = seen(HERE)
    moved = view(stale=HERE)
    figures.follow(moved, ALL | {HERE})
    figures.watch(moved, ALL)
    assert figures.unsure(moved) == {HERE}
    figures.follow(moved, ALL)
    assert figures.unsure(moved) == frozenset()


def test_pb_06_a_pawn_that_was_left_standing_is_remembered_when_he_shows_himself_elsewhere() -> None:
    figures, _ = seen(HERE)
    gone = view()  # hidden, and nowhere to be taken off any more
    figures.follow(gone, ALL | {HERE})
    assert figures.left == {HERE}
    figures.watch(gone, ALL)
    assert figures.left == frozenset()


def test_pb_06_a_station_where_it_was_never_felt_is_no_place_where_it_was_left() -> None:
    figures, _ = seen()
    figures.follow(view(), ALL)
    assert figures.left == frozenset()
    assert figures.unsure(view()) == frozenset()


def test_ju_06_beside_a_detective_nobody_can_tell_whether_it_still_stands_there() -> None:
    shared = view(at=HERE, home={"red": HERE})
    figures = Figures()
    figures.follow(shared, ALL)
    figures.watch(shared, frozenset({HERE, 34, 141}))
    assert figures.absent(shared, frozenset({HERE, 34, 141})) == {}  # one switch for both
    figures, now = seen(HERE)
    figures.watch(shared, frozenset({HERE, 34, 141}))
    elsewhere = view()
    figures.follow(elsewhere, ALL | {HERE})
    assert figures.left == {HERE}  # perhaps
    assert now.pawns[MR_X] == HERE


def test_ju_06_his_pawn_beside_a_detective_is_asked_for_while_it_is_his_turn_alone() -> None:
    shared = view(at=HERE, home={"red": HERE})
    figures = Figures()
    felt = frozenset({HERE, 34, 141})
    figures.follow(shared, felt)
    assert figures.absent(shared, felt) == {}
    assert figures.absent(replace(shared, turn=(MR_X,)), felt) == {MR_X: HERE}


def test_be_05_his_lifted_pawn_is_asked_for_in_the_detectives_part_alone() -> None:
    now = view(at=HERE, in_sight=True)
    figures = Figures()
    figures.follow(now, ALL)
    figures.watch(now, ALL | {HERE})
    assert figures.absent(now, ALL) == {}  # just lifted, not yet settled
    figures.watch(now, ALL)
    assert figures.absent(now, ALL) == {MR_X: HERE}
    assert figures.absent(now, ALL | {HERE}) == {}
    assert figures.absent(replace(now, turn=(MR_X,)), ALL) == {}  # he is about to move it
    assert figures.absent(replace(now, in_sight=False), ALL) == {}  # whoever lifted it knows where it is


def test_be_06_his_pawn_was_felt_where_he_is_once_it_has_stood_there_lifted_or_not() -> None:
    figures, now = seen()
    assert not figures.seen(HERE)
    assert not figures.seen(OLD)
    figures.watch(now, ALL | {HERE})
    assert figures.seen(HERE)
    figures.watch(now, ALL)
    assert figures.seen(HERE)


def test_pb_05_a_pawn_of_his_that_is_known_to_stand_where_he_is_stands_nowhere_else() -> None:
    figures, _ = seen(OLD, at=OLD)
    moved = view(at=HERE, stale=OLD)
    figures.follow(moved, ALL | {OLD})
    assert figures.unsure(moved) == {HERE, OLD}
    figures.watch(moved, ALL | {HERE})
    assert figures.unsure(moved) == {HERE}


@pytest.mark.parametrize("home", [{"yellow": 26}, {}])
def test_pb_05_where_a_detective_may_have_come_unfelt_what_is_felt_may_not_be_his_pawn(home: dict[str, int]) -> None:
    figures, _ = seen(OLD, at=OLD)
    moved = view(at=HERE, stale=OLD, home=home, moves=(PawnMove("red", HERE, "taxi"),))
    figures.follow(moved, ALL | {OLD})
    figures.watch(moved, ALL | {HERE})
    assert figures.unsure(moved, frozenset() if home else frozenset({26})) == {HERE, OLD}
    assert figures.unsure(view(at=HERE, stale=OLD, moves=moved.moves)) == {HERE}


def test_ju_01_of_two_pawns_one_that_stands_says_nothing_of_the_other() -> None:
    two = {"fugitives": (MR_X, MR_X_JUNIOR), "in_sight": True}
    now = view(at=HERE, pawns={MR_X_JUNIOR: OLD}, **two)
    figures = Figures()
    figures.follow(now, ALL)
    assert figures.absent(now, ALL) == {MR_X: HERE, MR_X_JUNIOR: OLD}
    figures.watch(now, ALL | {HERE})
    assert figures.absent(now, ALL) == {MR_X_JUNIOR: OLD}
    assert figures.unsure(now) == {HERE, OLD}
    moved = view(at=HERE, pawns={MR_X_JUNIOR: 67}, stale=OLD, **two)
    figures.follow(moved, ALL | {HERE})
    assert figures.unsure(moved) == {HERE, OLD, 67}  # the other may stand where it was


def test_ju_06_a_pawn_of_his_beside_a_detective_may_be_anywhere_again() -> None:
    figures, _ = seen(OLD, at=OLD)
    moved = view(at=HERE, stale=OLD, in_sight=True)
    figures.follow(moved, ALL | {OLD})
    figures.watch(moved, ALL | {HERE})
    shared = view(at=HERE, stale=OLD, in_sight=True, home={"red": HERE})
    figures.watch(shared, frozenset({HERE, 34, 141}))
    figures.follow(shared, frozenset({HERE, 34, 141}))
    assert figures.unsure(shared) == {HERE, OLD}


def test_be_05_in_the_open_his_lifted_pawn_is_not_out_of_play_while_it_stands_nowhere() -> None:
    figures = Figures()
    now = view(at=OLD, in_sight=True)
    figures.follow(now, ALL)
    figures.watch(now, ALL | {OLD})
    figures.watch(now, ALL)
    on = view(at=HERE, stale=OLD, in_sight=True)
    figures.follow(on, ALL)
    figures.follow(on, ALL)
    assert OLD in figures.unsure(on)  # in a hand, and it may come back there
    figures.watch(on, ALL | {HERE})
    assert figures.unsure(on) == {HERE}


def test_pb_06_a_pawn_from_its_box_put_back_where_he_was_is_the_only_thing_that_explains_a_closed_switch() -> None:
    figures, now = seen(HERE)
    figures.watch(now, ALL)
    moved = view(stale=HERE)
    figures.follow(moved, ALL)
    figures.follow(moved, ALL)
    closed = ALL | {HERE}
    there = PawnMove("red", HERE, "taxi")
    assert not figures.put_back(moved, closed, Moved((there,)))  # a detective explains it
    assert not figures.put_back(moved, ALL, Settled())
    assert figures.unsure(moved) == frozenset()
    assert figures.put_back(moved, closed, Settled())
    assert figures.unsure(moved) == {HERE}
    assert not figures.put_back(moved, closed, Settled())  # told once
