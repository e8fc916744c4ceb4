"""Push buttons on gpiozero's mock pins, which bounce as buttons do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contacts.debounce import Debounce
from hardware.drivers.buttons import ButtonKeys, JoinedKeys
from hardware.ports import DeviceLost, Keys
from hardware.sim.physics import SimClock
from tests.hardware.drivers.loose_pins import LooseFactory

PINS = {"table.confirm": 17, "handset.up": 4, "handset.peek": 27}
SCAN = 5_000
"""Microseconds between two samples at 200 Hz."""

BOUNCE = 10_000
"""Microseconds for which the worst of buttons bounces."""

bounces = st.lists(st.integers(1, BOUNCE), max_size=9, unique=True).map(sorted)
"""When a contact flips after its first touch, in microseconds; the last flip leaves it where it should be."""


def edge(at: int, *, down: bool, bounce: Sequence[int]) -> list[tuple[int, bool]]:
    """The moments at which a contact flips around one push or release, and what it is from then on."""
    flips = [at, *(at + later for later in bounce)]
    return [(moment, down ^ bool((len(flips) - 1 - place) % 2)) for place, moment in enumerate(flips)]


def scanned(
    flips: Sequence[tuple[int, bool]], phase: int = 0, samples: int = 3
) -> tuple[list[int], list[tuple[int, int]]]:
    """Scans one button that flips so, until half a second after the last flip.

    Returns:
        The raw samples; and the debounced changes, each as its moment in microseconds and the mask from then on.
    """
    factory, clock = LooseFactory(), SimClock()
    keys = ButtonKeys(PINS, factory)
    debounce = Debounce(len(PINS), samples)
    to_come, raw, changes, last = list(flips), [], [], 0
    for moment in range(phase, flips[-1][0] + 500_000, SCAN):
        while to_come and to_come[0][0] <= moment:
            at, down = to_come.pop(0)
            clock.advance_to(at)
            (factory.ground if down else factory.let_go)(4)
        clock.advance_to(moment)
        raw.append(keys.read())
        held = debounce.update(raw[-1])
        if held != last:
            changes.append((moment, held))
            last = held
    keys.close()
    return raw, changes


@settings(deadline=None)
@given(
    press=bounces,
    release=bounces,
    length=st.integers(50_000, 2_000_000),
    phase=st.integers(0, SCAN - 1),
    samples=st.integers(3, 8),
)
def test_one_press_is_one_down_and_one_up_however_it_bounces(
    press: list[int], release: list[int], length: int, phase: int, samples: int
) -> None:
    begin, end = 20_000, 20_000 + length
    flips = edge(begin, down=True, bounce=press) + edge(end, down=False, bounce=release)
    _, changes = scanned(flips, phase, samples)
    assert [held for _, held in changes] == [0b010, 0]
    for (moment, _), meant in zip(changes, (begin, end), strict=True):
        assert meant <= moment <= meant + BOUNCE + samples * SCAN


def test_the_bounce_of_these_tests_is_seen_by_whoever_does_not_debounce() -> None:
    flips = edge(20_000, down=True, bounce=[4_000, 9_000]) + edge(120_000, down=False, bounce=[4_000, 9_000])
    raw, changes = scanned(flips)
    assert sum(before != after for before, after in pairwise(raw)) == 6
    assert len(changes) == 2


def test_presses_that_follow_each_other_are_all_felt() -> None:
    flips = [
        flip
        for press in range(5)
        for flip in edge(200_000 * press, down=True, bounce=[2_000, 7_000])
        + edge(200_000 * press + 90_000, down=False, bounce=[3_000, 6_000])
    ]
    assert [held for _, held in scanned(flips)[1]] == [0b010, 0] * 5


def test_the_pins_are_inputs_with_the_pull_up_on_and_without_edges() -> None:
    factory = LooseFactory()
    factory.edges = False  # as with RPi.GPIO on kernels from 6.6 on
    keys = ButtonKeys(PINS, factory)
    for pin in map(factory.pin, PINS.values()):
        assert (pin.function, pin.pull, pin.when_changed) == ("input", "up", None)
    assert keys.read() == 0


# Several devices of keys as one


class Fixed:
    """Keys that read what they are told."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.sample = 0
        self.lost = False
        self.closed = 0

    def read(self) -> int:
        if self.lost:
            raise DeviceLost("keys: pulled")
        return self.sample

    def close(self) -> None:
        self.closed += 1


def test_joined_keys_have_the_names_of_all_and_the_bits_of_each() -> None:
    table, handset = Fixed("taxi", "confirm"), Fixed("up", "confirm", "peek")
    keys = JoinedKeys(table, handset)
    assert isinstance(keys, Keys)
    assert keys.names == ("taxi", "confirm", "up", "peek")
    seen = {}
    for part in (table, handset):
        for bit, name in enumerate(part.names):
            part.sample = 1 << bit
            seen.setdefault(name, []).append(keys.read())
            part.sample = 0
    assert seen == {"taxi": [0b0001], "confirm": [0b0010, 0b0010], "up": [0b0100], "peek": [0b1000]}
    table.sample, handset.sample = 0b11, 0b110
    assert keys.read() == 0b1011


def test_joined_keys_are_lost_with_any_of_them_and_closed_with_all() -> None:
    table, handset = Fixed("taxi"), Fixed("up")
    keys = JoinedKeys(table, handset)
    handset.lost = True
    with pytest.raises(DeviceLost, match="pulled"):
        keys.read()
    handset.lost = False
    assert keys.read() == 0
    keys.close()
    assert (table.closed, handset.closed) == (1, 1)
