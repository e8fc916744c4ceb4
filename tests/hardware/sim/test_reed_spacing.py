"""How far apart the stations are, and what a reed makes of it."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.sim.magnets_and_reeds import CAREFUL, ROUGH, Physics, Point, Reeds, off_centre
from tests.hardware.sim.reed_spacing import at_width, closest, isolation_distance, nearer_than, width_for
from tests.hardware.simulator_boards import WIDTH, london

PLACES = st.dictionaries(st.integers(0, 99), st.tuples(st.floats(0, 700), st.floats(0, 500)), min_size=2, max_size=12)


def test_london_s_closest_stations_are_111_and_112() -> None:
    pairs = closest(london(), 5)
    assert [(a, b) for _, a, b in pairs] == [(111, 112), (193, 194), (96, 97), (92, 93), (84, 102)]
    assert [round(mm, 1) for mm, *_ in pairs] == [14.0, 16.9, 17.7, 17.7, 17.7]


def test_london_at_680_mm_suits_a_careful_build_and_not_a_rough_one() -> None:
    assert isolation_distance(CAREFUL) == pytest.approx(13.5)
    assert isolation_distance(ROUGH) == pytest.approx(22.0)
    assert nearer_than(london(), isolation_distance(CAREFUL)) == []
    assert len(nearer_than(london(), 20)) == 13
    assert len(nearer_than(london(), isolation_distance(ROUGH))) == 25


def test_the_board_that_a_pitch_needs() -> None:
    assert round(width_for(london(), WIDTH, 13.5)) == 655
    assert round(width_for(london(), WIDTH, 20)) == 970
    assert round(width_for(london(), WIDTH, 22)) == 1067


@given(places=PLACES, n=st.integers(0, 80), apart=st.floats(0, 900))
def test_the_closest_pairs_are_those_of_a_list_of_all(places: dict[int, Point], n: int, apart: float) -> None:
    every = sorted(math.dist(places[a], places[b]) for a in places for b in places if a < b)
    assert [mm for mm, *_ in closest(places, n)] == every[:n]
    assert [mm for mm, *_ in nearer_than(places, apart)] == [mm for mm in every if mm < apart]


@given(apart=st.floats(1, 60))
def test_on_the_board_of_that_width_no_pair_is_nearer(apart: float) -> None:
    width = width_for(london(), WIDTH, apart)
    assert closest(at_width(london(), WIDTH, width), 1)[0][0] == pytest.approx(apart)


@pytest.mark.parametrize("physics", [CAREFUL, ROUGH])
def test_from_that_distance_on_the_simulated_reeds_feel_their_own_pawn_only(physics: Physics) -> None:
    rng = Random(1)
    apart = isolation_distance(physics)
    for _ in range(2000):
        reeds = Reeds([(0, 0), (apart, 0)], physics, rng)
        # The worst that can be: the magnet was slid over from the neighbour.
        reeds.move("pawn", (apart, 0), 0.0)
        reeds.move("pawn", off_centre(rng, max(physics.error, physics.beside, key=max)), 1.0)
        assert not reeds.contacts.sample(9.0) & 0b10


def test_a_little_nearer_they_may_feel_the_neighbour_s() -> None:
    reeds = Reeds([(0, 0), (13.4, 0)], CAREFUL, Random(1))
    reeds.move("pawn", (13.4, 0), 0.0)
    reeds.move("pawn", (4.0, 0), 1.0)
    assert reeds.contacts.sample(9.0) & 0b10
