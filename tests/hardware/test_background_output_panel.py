"""Sending pictures to a panel in the background, and when it is told to be lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardware.ports import DeviceLost
from tests.amount import amount
from tests.hardware.held_outputs import hold_up, panel_with, picture, settled, show_settled


def test_a_panel_takes_the_newest_picture_while_it_is_held_up_and_is_always_ready() -> None:
    with panel_with() as (device, _, panel):
        hold_up(device, panel, picture(0))
        for image in (picture(1), picture(2), None):
            assert panel.ready()
            panel.show(image)
        device.gate.let(2)
        settled(panel)
        assert device.pictures == [picture(0).tobytes(), None]


def test_a_lost_panel_is_told_in_the_next_beat_and_throughout_it_and_every_picture_is_tried() -> None:
    with panel_with() as (device, clock, panel):
        device.error = DeviceLost("handset: gone")
        show_settled(panel, picture(0))
        show_settled(panel, picture(1))
        clock.advance(1.0)
        device.error = None
        for pixel in (2, 3):
            with pytest.raises(DeviceLost, match="handset: gone"):
                panel.show(picture(pixel))
            settled(panel)
        clock.advance(1.0)
        show_settled(panel, picture(4))
        assert device.pictures == [picture(pixel).tobytes() for pixel in (2, 3, 4)]


def test_what_nobody_foresaw_in_a_picture_is_raised_by_the_next_whichever_it_is() -> None:
    with panel_with() as (device, _, panel):
        show_settled(panel, None)
        device.error = ZeroDivisionError("a bug")
        show_settled(panel, picture(0))
        device.error = None
        with pytest.raises(ZeroDivisionError, match="a bug"):
            panel.show(picture(1))


Beats = list[bool]


def told(keys: set[int], gone: range, stuck: range) -> Beats:
    """Whether a handset is told to be lost at each beat: keys, absence and standstill are in tenths of a second."""
    with panel_with() as (device, clock, panel):
        beats = []
        for tenth in range(80):
            device.error = DeviceLost("handset: gone") if tenth in gone else None
            if tenth in stuck:
                device.gate.shut()  # nobody stands there, or it is shut already
            else:
                device.gate.open()
                settled(panel)
            if tenth % 10 == 0 or tenth in keys:
                try:
                    panel.show(picture(tenth % 8))
                    lost = False
                except DeviceLost:
                    lost = True
                if tenth % 10 == 0:
                    beats.append(lost)
            if tenth in stuck:
                if not panel._sender.idle():
                    device.gate.reached()
            else:
                settled(panel)
            clock.advance(0.1)
        return beats


SPANS = st.tuples(st.integers(0, 79), st.integers(0, 50)).map(lambda span: range(span[0], span[0] + span[1]))
KEYS = st.sets(st.integers(0, 79).filter(lambda tenth: tenth % 10), max_size=20)


@settings(max_examples=amount(20, 60), deadline=None)
@given(keys=KEYS, gone=SPANS, stuck=SPANS)
@example(keys={7}, gone=range(5, 25), stuck=range(0))
@example(keys={13}, gone=range(5, 12), stuck=range(0))
@example(keys={7}, gone=range(0), stuck=range(5, 45))
@example(keys={7, 13}, gone=range(5, 18), stuck=range(5, 15))
def test_when_keys_are_pressed_cannot_be_told_from_when_the_handset_is_lost(
    keys: set[int], gone: range, stuck: range
) -> None:
    assert told(keys, gone, stuck) == told(set(), gone, stuck)


def test_a_handset_is_lost_and_back_a_beat_after_it_went_and_came() -> None:
    assert told(set(), range(15, 35), range(0)) == [False, False, False, True, True, False, False, False]


def test_a_stuck_handset_is_lost_two_seconds_after_the_beat_that_it_did_not_finish() -> None:
    assert told({7}, range(0), range(5, 45))[:5] == [False, False, False, True, True]


def test_a_panel_is_late_by_the_beat_and_not_by_the_key() -> None:
    with panel_with() as (device, clock, panel):
        show_settled(panel, None)
        device.gate.shut()
        clock.advance(0.4)
        panel.show(picture(1))  # between two beats, as when a key is pressed: nobody is told of it
        clock.advance(0.4)
        assert panel.late() == 0.0
        clock.advance(0.2)
        panel.show(picture(2))
        clock.advance(3.0)
        assert panel.late() == 3.0
