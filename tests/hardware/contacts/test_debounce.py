"""The debouncer against a naive one, and the finder of chattering contacts against hands."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.contacts.chatter import Chatter
from hardware.contacts.debounce import Debounce
from hardware.ports import BadDevice

COUNT = 9
SAMPLES = st.lists(st.integers(0, (1 << COUNT) - 1) | st.sampled_from([0, 1, 3]), max_size=60)


class NaiveBit:
    """One contact, counted by hand."""

    def __init__(self, samples: int) -> None:
        self.samples = samples
        self.stable = 0
        self.against = 0

    def update(self, raw: int) -> int:
        self.against = self.against + 1 if raw != self.stable else 0
        if self.against == self.samples:
            self.stable, self.against = raw, 0
        return self.stable


@given(raws=SAMPLES, samples=st.integers(1, 9))
@example(raws=[1, 1, 1, 0, 0, 1, 0, 0, 0], samples=3)
def test_whole_boards_are_debounced_as_single_contacts_would_be(raws: list[int], samples: int) -> None:
    debounce = Debounce(COUNT, samples)
    bits = [NaiveBit(samples) for _ in range(COUNT)]
    for raw in raws:
        expected = sum(bit.update(raw >> place & 1) << place for place, bit in enumerate(bits))
        assert debounce.update(raw) == expected
        assert debounce.stable == expected


@pytest.mark.parametrize("raw", [1 << 4, -1])
def test_a_sample_with_bits_beyond_the_board_is_refused(raw: int) -> None:
    debounce = Debounce(4)
    with pytest.raises(BadDevice, match="beyond the spots; set only bits 0 to 3"):
        debounce.update(raw)
    assert debounce.stable == 0


def fed(chatter: Chatter, raws: list[int], start: float, step: float = 0.005) -> int:
    """The union of all that the finder called chattering while it was fed a sample every `step` seconds."""
    found = 0
    for index, raw in enumerate(raws):
        found |= chatter.update(raw, start + index * step)
    return found


def test_sixteen_changes_within_a_second_are_chatter_and_fifteen_are_not() -> None:
    assert fed(Chatter(3), [0] + [2, 0] * 7 + [2], 0.0) == 0
    assert fed(Chatter(3), [0] + [2, 0] * 8, 0.0) == 2


def test_sixteen_changes_in_more_than_a_second_are_no_chatter() -> None:
    assert fed(Chatter(1), [0] + [1, 0] * 40, 0.0, step=0.07) == 0


def test_the_first_sample_is_no_change() -> None:
    chatter = Chatter(1, changes=2)
    assert fed(chatter, [1, 0], 0.0) == 0
    assert fed(chatter, [1], 0.01) == 1


def test_only_the_contact_that_chatters_is_named() -> None:
    raws = [0b1000 | (index & 1) << 2 for index in range(40)]
    assert fed(Chatter(4), raws, 0.0) == 0b100


def test_a_chattering_contact_is_let_go_after_ten_calm_seconds_without_any_change() -> None:
    chatter = Chatter(1)
    fed(chatter, [0] + [1, 0] * 10, 0.0)
    last_change = 20 * 0.005
    assert chatter.update(0, last_change + 9.99) == 1
    assert chatter.update(0, last_change + 10.0) == 0
    assert chatter.update(0, last_change + 10.1) == 0


def test_a_further_change_while_chattering_puts_the_calm_off() -> None:
    chatter = Chatter(1)
    fed(chatter, [0] + [1, 0] * 10, 0.0)
    chatter.update(1, 6.0)
    assert chatter.update(1, 15.9) == 1
    assert chatter.update(1, 16.0) == 0


def test_a_contact_that_was_let_go_must_earn_its_next_conviction_afresh() -> None:
    chatter = Chatter(1)
    fed(chatter, [0] + [1, 0] * 10, 0.0)
    chatter.update(0, 20.0)
    assert fed(chatter, [1, 0], 20.1) == 0
    assert fed(chatter, [1, 0] * 8, 20.2) == 1


def test_the_old_storm_is_forgotten_even_if_the_window_is_longer_than_the_calm() -> None:
    chatter = Chatter(1, changes=4, window=60.0, calm=1.0)
    fed(chatter, [0, 1, 0, 1, 0], 0.0)
    assert chatter.update(0, 2.0) == 0
    assert chatter.update(1, 3.0) == 0


def test_two_contacts_are_let_go_each_in_its_own_time() -> None:
    chatter = Chatter(2)
    fed(chatter, [0] + [1, 0] * 10, 0.0)
    fed(chatter, [2, 0] * 10, 5.0)
    assert chatter.chattering == 3
    assert chatter.update(0, 10.5) == 2
    assert chatter.update(0, 15.5) == 0


@given(bounces=st.lists(st.lists(st.integers(0, 1), max_size=5), min_size=1, max_size=12))
def test_a_hand_with_five_samples_of_bounce_an_edge_never_looks_like_chatter(bounces: list[list[int]]) -> None:
    """Up to three edges in any second: lifted, set down, lifted again, and nothing slower."""
    chatter = Chatter(1)
    level = 0
    chatter.update(level, 0.0)
    for edge, bounce in enumerate(bounces):
        level ^= 1
        assert fed(chatter, [*bounce, level], 1.0 + edge * 0.34) == 0
