"""A rhythm is a function of the time alone, and what shines stays within a byte."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.ui.lamp_plan import WHITE, Glow, Rhythm
from firmware_host.ui.lamp_rhythms import ANIMATED, paint


@pytest.mark.parametrize("rhythm", Rhythm)
def test_a_rhythm_is_a_pure_function_of_the_time_and_stays_within_a_byte(rhythm: Rhythm) -> None:
    glow = Glow(((255, 190, 0), WHITE, WHITE), rhythm, 3.0, (0, 2), 3)
    moments = [3.0 + n / 97 for n in range(1500)]
    first = [paint(glow, now) for now in moments]
    assert [paint(glow, now) for now in reversed(moments)] == first[::-1]
    assert all(0 <= c <= 255 for colour in first for c in colour)
    assert (len(set(first)) > 1) == (rhythm in ANIMATED)


def test_breathing_has_no_leaps_and_never_goes_out() -> None:
    glow = Glow((WHITE,), Rhythm.BREATHE)
    levels = [paint(glow, n / 60)[0] for n in range(600)]
    assert max(abs(b - a) for a, b in pairwise(levels)) <= 8
    assert min(levels) > 25
    assert max(levels) == 255
