"""What comes through a line of contacts, and what of it is believed: hands are, what no hand makes is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contacts.plausibility import CROWD, GLITCH, NOISE, STEADY, PlausibilityFilter
from hardware.contacts.wear import GAP, LONG, MEMORY, Wear
from hardware.ports import BadDevice
from tests.amount import amount

COUNT = 199
HZ = 200.0
PAWNS = 1 << 10 | 1 << 50 | 1 << 90 | 1 << 130


class FedLine:
    """A line that is fed a sample every 5 ms."""

    def __init__(self, closed: int = PAWNS) -> None:
        self.line = PlausibilityFilter(COUNT, 3, HZ)
        self.now = 0.0
        self.feed(closed, 0.1)

    def feed(self, raw: int, seconds: float) -> None:
        for _ in range(round(seconds * HZ)):
            self.now += 1 / HZ
            self.line.take_sample(raw, self.now)


def test_a_contact_is_believed_with_its_third_sample() -> None:
    fed = FedLine()
    fed.feed(PAWNS | 1, 0.01)
    assert fed.line.stable == PAWNS
    fed.feed(PAWNS | 1, 0.005)
    assert fed.line.stable == PAWNS | 1
    assert not fed.line.implausible
    assert fed.line.trouble == ""


SHIFTS = [PAWNS >> 1, PAWNS << 1, PAWNS >> 8, PAWNS << 3]


@pytest.mark.parametrize("glitch", [(1 << COUNT) - 1, 0, *SHIFTS, (1 << GLITCH) - 1 | 1 << 190])
@pytest.mark.parametrize("seconds", [0.005, 0.02, 0.1, 0.45])
def test_whatever_the_line_makes_of_all_contacts_is_not_believed_for_half_a_second(glitch: int, seconds: float) -> None:
    fed = FedLine()
    fed.feed(glitch, seconds)
    assert fed.line.stable == PAWNS
    assert fed.line.trouble
    fed.feed(PAWNS, STEADY + 0.1)
    assert (fed.line.stable, fed.line.trouble, fed.line.lost, fed.line.implausible) == (PAWNS, "", False, False)


def test_more_contacts_closed_than_there_can_be_pawns_are_a_line_that_is_lost() -> None:
    fed = FedLine()
    fed.feed((1 << COUNT) - 1, STEADY + 0.1)
    assert fed.line.lost
    assert "199 contacts are closed at once" in fed.line.trouble
    assert fed.line.stable == PAWNS
    fed.feed(PAWNS, STEADY + 0.1)
    assert (fed.line.lost, fed.line.trouble) == (False, "")
    fed.feed((1 << CROWD) - 1, STEADY + 0.1)
    assert not fed.line.lost
    fed.feed((1 << CROWD + 1) - 1, STEADY + 0.1)
    assert fed.line.lost


@pytest.mark.parametrize("shifted", SHIFTS)
def test_contacts_that_stay_in_the_places_of_others_are_told_apart_from_moves(shifted: int) -> None:
    fed = FedLine()
    fed.feed(shifted, STEADY + 0.1)
    assert fed.line.stable == shifted
    assert fed.line.implausible
    assert "4 contacts opened and 4 closed at once" in fed.line.trouble
    fed.feed(shifted | 1, 0.05)
    assert (fed.line.implausible, fed.line.trouble) == (False, "")
    fed = FedLine()
    fed.feed(shifted, STEADY + 0.1)
    fed.feed(PAWNS, STEADY + 0.1)
    assert (fed.line.stable, fed.line.implausible, fed.line.trouble) == (PAWNS, False, "")


def test_a_stuck_contact_that_is_seen_in_the_place_beside_it_is_no_pawn() -> None:
    fed = FedLine(1 << 10)
    fed.line.ignored = 1 << 10
    fed.feed(1 << 11, STEADY + 0.1)
    assert fed.line.implausible  # hands had no part in it: nothing is played without a key


HANDS_DID = [
    (0b11, 0, 0, 0.05),  # the last two pawns are lifted with both hands
    (0b111, 0, 0, 0.05),  # or swept off by a sleeve
    (1 << 10, 1 << 11, 0, 0.05),  # the only pawn goes to the station that has the next number
    (1 << 10, 1 << 11, 1 << 10, 0.05),  # and back
    (PAWNS, PAWNS ^ (1 << 10 | 1 << 12), PAWNS, 0.02),  # one is lifted while another one is set down
    (PAWNS, PAWNS ^ (1 << 10 | 1 << 50 | 1 << 12 | 1 << 60), PAWNS, 0.6),  # both hands push one each
    (PAWNS, PAWNS ^ (7 << 20) ^ PAWNS & (1 << 10 | 1 << 50 | 1 << 90), PAWNS, 0.6),  # a sleeve pushes three
]


@pytest.mark.parametrize(("first", "then", "last", "seconds"), HANDS_DID)
def test_what_two_hands_do_at_the_same_moment_is_believed_and_is_no_trouble(
    first: int, then: int, last: int, seconds: float
) -> None:
    fed = FedLine(first)
    for closed in (then, last):
        fed.feed(closed, seconds)
        assert (fed.line.trouble, fed.line.lost) == ("", False)
    fed.feed(last, STEADY + 0.1)
    assert (fed.line.stable, fed.line.trouble, fed.line.lost, fed.line.unreliable) == (last, "", False, 0)


def test_two_pawns_on_neighbouring_inputs_that_slip_are_not_one_pawn_that_moved() -> None:
    fed = FedLine(0b110 << 40)
    fed.feed(0b1100 << 40, STEADY + 0.1)
    assert fed.line.implausible
    fed = FedLine(0b110 << 40)
    fed.feed(0b10 << 40, 0.1)
    fed.feed(0b1010 << 40, 0.1)
    assert (fed.line.stable, fed.line.implausible) == (0b1010 << 40, False)


def test_a_pawn_that_slips_to_and_fro_is_unsettled_until_it_rests() -> None:
    fed = FedLine(0b10 << 40)
    for n in range(10):
        assert fed.line.take_sample((0b1000 if n % 2 else 0b100000) << 40, fed.now + 0.3 * n)  # whoever asks is told
        assert fed.line.unsettled
    fed.now += 3.0
    fed.feed(0b1000 << 40, STEADY + 0.1)
    assert (fed.line.stable, fed.line.unsettled) == (0b1000 << 40, False)


def test_noise_without_end_is_a_line_that_is_lost_within_a_second_and_comes_back() -> None:
    fed = FedLine()
    for n in range(round(NOISE * HZ) + 2):
        fed.feed((1 << 60) - 1 << 60 * (n % 2), 1 / HZ)
    assert fed.line.lost
    assert fed.line.trouble.startswith("noise on the line for 1 s")
    assert fed.line.stable == PAWNS
    fed.feed(PAWNS, STEADY + 0.1)
    assert (fed.line.lost, fed.line.trouble) == (False, "")


def test_many_chattering_contacts_are_found_within_a_second_though_they_look_like_leaps() -> None:
    fed = FedLine()
    some = 0b1111 << 180
    for n in range(200):
        fed.feed(PAWNS | some & (0x555 << 178 if n % 2 else 0xAAA << 178), 1 / HZ)
    assert fed.line.unreliable == some
    assert not fed.line.lost


def test_a_contact_that_settles_anew_again_and_again_is_found_within_fifteen_seconds() -> None:
    fed = FedLine()
    for n in range(50):
        fed.feed(PAWNS | (n & 1) << 7, 0.3)
        if fed.line.unreliable:
            break
    assert fed.line.unreliable == 1 << 7
    assert fed.now < 15
    fed.feed(PAWNS, 10.1)
    assert fed.line.unreliable == 0


def test_contacts_known_to_be_out_of_order_make_no_leap_and_no_crowd() -> None:
    fed = FedLine()
    fed.line.ignored = (1 << 40) - 1 << 140
    fed.feed(PAWNS | fed.line.ignored, 0.1)
    assert not fed.line.trouble
    assert fed.line.stable == PAWNS | fed.line.ignored


def test_two_contacts_known_to_be_out_of_order_may_close_by_turns_for_ever() -> None:
    fed = FedLine(0)
    fed.line.ignored = 1 << 9 | 1 << 13
    for n in range(1000):
        fed.feed(1 << 9 if n % 2 else 1 << 13, 1 / HZ)
    assert (fed.line.lost, fed.line.trouble) == (False, "")


def test_after_samples_that_are_missing_anything_may_have_moved() -> None:
    fed = FedLine()
    fed.line.note_gap()
    fed.feed(PAWNS << 1, 0.05)
    assert (fed.line.stable, fed.line.implausible, fed.line.trouble) == (PAWNS << 1, False, "")


@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 3, *SHIFTS, (1 << COUNT) - 1, PAWNS]), st.integers(1, 60)), max_size=12)
)
@settings(max_examples=amount(20, 60), deadline=None)
def test_whatever_has_come_a_line_that_rests_is_believed_within_half_a_second(runs: list[tuple[int, int]]) -> None:
    fed = FedLine()
    for raw, samples in runs:
        fed.feed(raw, samples / HZ)
    fed.feed(PAWNS, STEADY + 0.05)
    assert fed.line.stable & ~fed.line.unreliable == PAWNS & ~fed.line.unreliable
    assert not fed.line.lost


# ---- wear ----


def test_closures_bounces_and_the_longest_of_them_are_counted() -> None:
    fed = FedLine(0)
    for raw, seconds in ((1, 0.005), (0, 0.005), (1, 0.5), (0, 0.5), (1, 0.5)):
        fed.feed(raw, seconds)
    wear = fed.line.wear
    assert (wear.closures[0], wear.bounces[0]) == (2, 2)
    assert wear.longest[0] == pytest.approx(0.01)
    assert wear.closed[0] == pytest.approx(fed.now - 0.485)
    assert (wear.closures[1], wear.bounces[1], wear.longest[1], wear.closed[1]) == (0, 0, 0.0, None)


def test_a_contact_that_bounces_longer_than_debouncing_lasts_is_weak_and_a_mended_one_is_not() -> None:
    wear, now = Wear(4, 0.015), 0.0

    def edge(*later: float) -> None:
        nonlocal now
        now += 1
        for moment in (0.0, *later):
            wear.note_changes(0b100, now + moment)

    for _ in range(LONG - 1):
        edge(0.01, 0.02)
    assert wear.weak == 0
    edge(0.01, 0.02, 0.03)
    assert wear.weak == 0b100
    assert wear.longest[2] == pytest.approx(0.03)
    for _ in range(MEMORY):
        edge(0.005)
    assert wear.weak == 0
    for _ in range(MEMORY):
        edge(0.018)  # a pawn is slid past: closed, and open again
    assert wear.weak == 0
    edge(GAP + 0.001)
    assert wear.longest[2] == pytest.approx(0.03)


def test_the_time_in_which_a_contact_is_not_listened_to_is_counted() -> None:
    wear = Wear(4, 0.015)
    wear.set_ignored(0b10, 5.0)
    wear.set_ignored(0b11, 7.0)
    assert wear.seconds_ignored(1, 8.0) == 3.0
    wear.set_ignored(0b01, 9.0)
    assert [wear.seconds_ignored(contact, 20.0) for contact in range(4)] == [13.0, 4.0, 0.0, 0.0]
    with pytest.raises(BadDevice, match="beyond the contacts; set only bits 0 to 3"):
        wear.set_ignored(0b10000, 21.0)
