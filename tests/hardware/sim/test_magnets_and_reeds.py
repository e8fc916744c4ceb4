"""Magnets, reeds and contacts: what closes where, and for how long it bounces."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contacts.chatter import Chatter
from hardware.sim import CAREFUL, Physics, SimError
from hardware.sim.physics import CHATTER_SLOT, Contacts, Point, Reeds
from tests.amount import amount

QUIET = replace(CAREFUL, bounce=(0.0, 0.0))
LONG = 1.0
"""A moment after which no bounce lasts, in seconds."""


def reeds(places: list[Point], physics: Physics = QUIET, seed: int = 1) -> Reeds:
    return Reeds(places, physics, Random(seed))


def closed(under: Reeds, now: float = LONG) -> int:
    return under.contacts.sample(now)


def test_a_magnet_closes_the_reed_within_reach_and_no_other() -> None:
    under = reeds([(0, 0), (20, 0), (40, 0)])
    under.move("red", (20, 7.9), 0.0)
    assert closed(under) == 0b010


def test_a_magnet_just_beyond_reach_closes_nothing() -> None:
    under = reeds([(0, 0)])
    under.move("red", (8.1, 0), 0.0)
    assert closed(under) == 0


def test_a_reed_holds_on_beyond_reach_until_release() -> None:
    under = reeds([(0, 0)])
    for x, expected in [(7.0, 1), (9.4, 1), (9.6, 0), (9.4, 0), (8.1, 0), (8.0, 1)]:
        under.move("red", (x, 0), 0.0)
        assert closed(under) == expected, x


def test_a_magnet_between_two_close_reeds_closes_both() -> None:
    under = reeds([(0, 0), (14, 0)])
    under.move("red", (7, 0), 0.0)
    assert closed(under) == 0b11


def test_a_reed_with_a_dead_zone_opens_under_the_magnet_s_centre() -> None:
    under = reeds([(0, 0)], replace(QUIET, dead=1.2, dead_chance=1.0))
    for x, expected in [(3.0, 1), (1.3, 1), (1.1, 0), (0.0, 0), (-1.3, 1)]:
        under.move("red", (x, 0), 0.0)
        assert closed(under) == expected, x


def test_a_reed_stays_closed_until_the_last_of_two_magnets_leaves() -> None:
    under = reeds([(0, 0)])
    under.move("red", (1, 0), 0.0)
    under.move("blue", (-3, 0), 0.0)
    under.remove("red", 0.1)
    assert closed(under) == 1
    under.remove("blue", 0.2)
    assert closed(under) == 0


@given(
    start=st.tuples(st.floats(-60, 60), st.floats(-60, 60)),
    end=st.tuples(st.floats(-60, 60), st.floats(-60, 60)),
    share=st.floats(0, 1),
)
def test_the_spots_near_a_line_are_all_that_can_feel_a_magnet_on_it(start: Point, end: Point, share: float) -> None:
    places = [(15.0 * x, 15.0 * y) for x in range(-3, 4) for y in range(-3, 4)]
    point = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
    everywhere, along = reeds(places), reeds(places)
    everywhere.move("red", point, 0.0)
    along.move("red", point, 0.0, along.near(start, end))
    assert closed(everywhere) == closed(along)


def test_a_reed_held_beyond_its_reach_still_counts_as_near() -> None:
    under = reeds([(0, 0)])
    under.move("red", (0, 7), 0.0)
    under.move("red", (0, 9), 0.0)
    under.move("red", (1, 9), 0.0, under.near((0, 9), (20, 9)))
    assert closed(under) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"reach": 0},
        {"reach": 10.0},
        {"spread": 1.0},
        {"dead": 8.0},
        {"dead_chance": 1.5},
        {"dead_offset": -1.0},
        {"error": (2.0, 1.0)},
        {"bounce": (-1.0, 1.0)},
    ],
)
def test_physics_out_of_range_is_refused_by_name(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(SimError, match=rf"physics: (.* )?{name} "):
        replace(CAREFUL, **wrong)


def contacts(count: int = 1, seed: int = 1) -> Contacts:
    return Contacts(count, CAREFUL.bounce, Random(seed))


@given(seed=st.integers(0, 1000))
@settings(max_examples=amount(16, 50))
def test_a_bounce_is_over_after_three_milliseconds(seed: int) -> None:
    one = contacts(seed=seed)
    one.set(1, 5.0)
    assert not one.still
    assert one.sample(5.0031) == 1
    assert one.still


def test_bounces_show_both_values_in_the_first_half_millisecond() -> None:
    seen = set()
    for seed in range(20):
        one = contacts(seed=seed)
        one.set(1, 0.0)
        seen |= {one.sample(0.00005 * step) for step in range(10)}
    assert seen == {0, 1}


@given(seed=st.integers(0, 100), moments=st.lists(st.floats(0, 0.004), max_size=20).map(sorted))
def test_looking_more_often_shows_the_same_history(seed: int, moments: list[float]) -> None:
    often, once = contacts(4, seed), contacts(4, seed)
    for one in (often, once):
        one.set(0b0101, 0.0)
    for moment in moments:
        often.sample(moment)
    for one in (often, once):
        one.set(0b0110, 0.004)
    assert often.sample(0.0045) == once.sample(0.0045)
    assert often.sample(0.02) == once.sample(0.02) == 0b0110


def test_stuck_contacts_stay_as_they_are_whatever_the_magnets_do() -> None:
    three = contacts(3)
    three.fault(0, "stuck_open")
    three.fault(1, "stuck_closed")
    for should in (0b111, 0b000):
        three.set(should, 0.0)
        assert three.sample(LONG) == (should & 0b100) | 0b010
    three.set(0b001, LONG)
    three.fault(0, "ok")
    three.fault(1, "ok")
    assert three.sample(2 * LONG) == 0b001


def test_a_chattering_contact_is_found_out_and_leaves_the_others_alone() -> None:
    many = contacts(150)
    many.set(1 << 149, 0.0)
    many.fault(70, "chatter")
    chatter = Chatter(150)
    found = 0
    for scan in range(1, 200):
        found |= chatter.update(many.sample(scan * 0.005), scan * 0.005)
    assert found == 1 << 70
    many.fault(70, "ok")
    assert many.still
    assert many.settled == 1 << 149


def test_chatter_depends_on_the_moment_alone() -> None:
    one = contacts()
    one.fault(0, "chatter")
    forwards = [one.sample(slot * CHATTER_SLOT + 0.001) for slot in range(200)]
    backwards = [one.sample(slot * CHATTER_SLOT + 0.001) for slot in reversed(range(200))]
    assert forwards == backwards[::-1]
    assert 60 < sum(forwards) < 140
