"""A contact that opens and closes again alone, second after second, is a bad one; hands do otherwise."""

from __future__ import annotations

import random

import pytest

from hardware.contacts.chatter import CALM, OFTEN, SlowChatter

A, B, C = 1 << 3, 1 << 70, 1 << 150


class ChatterFeed:
    """A finder that is told of one change after the other."""

    def __init__(self, closed: int) -> None:
        self.chatter = SlowChatter(199)
        self.closed, self.now = closed, 100.0
        self.chatter.update(closed, self.now)

    def change(self, contacts: int, seconds: float, ignored: int = 0) -> bool:
        """These open, or close, after some seconds; whether any contact flickers now."""
        self.now += seconds
        self.closed ^= contacts
        return bool(self.chatter.update(self.closed, self.now, ignored))


@pytest.mark.parametrize("seconds", [0.1, 0.25, 0.5])
def test_a_contact_that_changes_alone_is_found_within_fifteen_seconds(seconds: float) -> None:
    told = ChatterFeed(A | B)
    while not told.change(A, seconds):
        assert told.now < 115
    assert told.chatter.found == A


@pytest.mark.parametrize("seconds", [0.1, 0.4, 1.0])
def test_a_move_taken_back_over_and_over_again_never_looks_like_a_bad_contact(seconds: float) -> None:
    told = ChatterFeed(A | C)
    for _ in range(200):  # lifted from one, set down on the other, and back
        assert not any(told.change(contact, seconds) for contact in (A, B, B, A))


def test_a_pawn_that_slides_from_one_contact_to_the_next_and_back_is_none_either() -> None:
    told = ChatterFeed(A)
    for _ in range(200):  # both feel it on its way
        assert not any(told.change(contact, 0.2) for contact in (B, A, A, B))


@pytest.mark.parametrize("beats", [2, 4, 6])
def test_a_pawn_may_be_tapped_on_its_station_for_some_seconds_as_fast_as_hands_are(beats: int) -> None:
    told = ChatterFeed(A)
    for _ in range(6 * beats):
        assert not told.change(A, 0.5 / beats)
        assert not told.change(A, 0.5 / beats)


def test_a_pawn_may_be_tapped_again_after_another_one_has_moved() -> None:
    told, here, there = ChatterFeed(A | B), B, C
    for _ in range(10):
        for _ in range(40):  # for four seconds
            assert not told.change(A, 0.1)
        assert not told.change(here, 2.5)
        assert not told.change(there, 0.7)
        here, there = there, here


def test_a_pawn_may_be_lifted_and_put_back_every_three_seconds_for_ever() -> None:
    told = ChatterFeed(A)
    assert not any(told.change(A, 1.5) for _ in range(400))


def test_two_contacts_that_flicker_at_the_same_time_do_not_hide_each_other_for_long() -> None:
    told, chance = ChatterFeed(C), random.Random(1)
    for _ in range(1000):
        told.change(chance.choice((A, B)), chance.uniform(0.05, 0.3))
        if told.chatter.found == A | B:
            break
    assert told.chatter.found == A | B
    assert told.now < 220


def test_a_contact_known_to_be_bad_neither_counts_nor_comes_between() -> None:
    told = ChatterFeed(A | B)
    for _ in range(60):
        told.change(B, 0.1, ignored=B)
        told.change(A, 0.2, ignored=B)
    assert told.chatter.found == A


def test_a_flickering_contact_is_let_go_after_ten_calm_seconds_and_judged_anew() -> None:
    told = ChatterFeed(A)
    while not told.change(A, 0.3):
        pass
    told.change(A, CALM - 0.1)
    assert told.chatter.update(told.closed, told.now + CALM - 0.1) == A
    assert told.chatter.due == pytest.approx(told.now + CALM)
    assert told.chatter.update(told.closed, told.now + CALM) == 0
    assert told.chatter.due == float("inf")
    told.now += CALM
    assert not any(told.change(A, 0.3) for _ in range(2 * OFTEN[0][0]))
