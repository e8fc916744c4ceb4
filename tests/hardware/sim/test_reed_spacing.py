"""How far apart the stations are, and what a reed makes of it."""

from __future__ import annotations

from random import Random

import pytest

from hardware.sim.physics import CAREFUL, ROUGH, Physics, Reeds, off_centre
from tests.hardware.sim.reed_spacing import isolation_distance, nearer_than
from tests.hardware.simulator_boards import london


def test_london_at_680_mm_suits_a_careful_build_and_not_a_rough_one() -> None:
    assert isolation_distance(CAREFUL) == pytest.approx(13.5)
    assert isolation_distance(ROUGH) == pytest.approx(22.0)
    assert nearer_than(london(), isolation_distance(CAREFUL)) == []
    assert len(nearer_than(london(), 20)) == 13
    assert len(nearer_than(london(), isolation_distance(ROUGH))) == 25


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
