"""Sending to lamps in the background: real threads, held up by gates, and a clock that is turned by hand."""

from __future__ import annotations

import pytest

from hardware.current_limit import LimitedLamps
from hardware.ports import DeviceLost
from tests.hardware.held_outputs import A, B, C, D, hold_up, lamps_with, send
from tests.waiting import until


def test_show_returns_while_the_lamps_are_held_up_and_they_are_not_ready_until_they_are_done() -> None:
    with lamps_with() as (device, _, lamps):
        assert lamps.ready()
        device.gate.shut()
        lamps.show(A)
        assert not lamps.ready()
        device.gate.reached()
        assert not lamps.ready()
        assert not device.frames
        device.gate.let()
        until(lamps.ready)
        assert device.frames == [A]


def test_lamps_that_are_not_ready_themselves_are_not_ready_in_the_background() -> None:
    with lamps_with() as (device, _, lamps):
        device.free = False
        assert not lamps.ready()


def test_the_newest_frame_takes_the_place_of_the_one_that_waits() -> None:
    with lamps_with() as (device, _, lamps):
        hold_up(device, lamps, A)
        for frame in (B, C, D):
            lamps.show(frame)
        device.gate.let(2)
        until(lamps.ready)
        assert device.frames == [A, D]


def test_lost_lamps_are_told_at_the_next_frame_which_is_tried_all_the_same() -> None:
    with lamps_with() as (device, _, lamps):
        device.error = DeviceLost("lamps: gone")
        send(lamps, A)
        with pytest.raises(DeviceLost, match="lamps: gone"):  # A is lost
            lamps.show(B)
        until(lamps.ready)
        device.error = None
        with pytest.raises(DeviceLost, match="lamps: gone"):  # and so is B; C goes through
            lamps.show(C)
        until(lamps.ready)
        assert device.frames == [C]
        send(lamps, D)
        assert device.frames == [C, D]


def test_behind_the_limit_the_frame_that_was_lost_is_sent_again() -> None:
    with lamps_with() as (device, _, lamps):
        limited = LimitedLamps(lamps, 100)
        device.error = DeviceLost("lamps: gone")
        limited.show(A)
        until(lamps.ready)
        with pytest.raises(DeviceLost):
            limited.show(B)
        until(lamps.ready)
        device.error = None
        with pytest.raises(DeviceLost):
            limited.show(B)
        until(lamps.ready)
        limited.show(B)
        until(lamps.ready)
        assert device.frames == [B, B]
        limited.show(B)
        assert lamps.ready()


def test_a_frame_that_went_through_makes_up_for_the_one_that_failed_before() -> None:
    with lamps_with() as (device, _, lamps):
        device.gate.shut()
        device.error = DeviceLost("lamps: gone")
        lamps.show(A)
        device.gate.reached()
        lamps.show(B)
        device.gate.let()
        device.gate.reached()
        until(lambda: lamps._sender.lost() is not None)
        device.error = None
        device.gate.let()
        until(lamps.ready)
        lamps.show(C)
        device.gate.let()
        until(lamps.ready)
        assert device.frames == [B, C]


def test_what_nobody_foresaw_is_raised_once_as_it_is() -> None:
    with lamps_with() as (device, _, lamps):
        device.error = ZeroDivisionError("a bug")
        send(lamps, A)
        device.error = None
        with pytest.raises(ZeroDivisionError, match="a bug"):
            lamps.show(B)
        until(lamps.ready)
        send(lamps, C)
        assert device.frames == [B, C]


def test_stuck_lamps_are_lost_after_two_seconds_and_back_when_they_go_on() -> None:
    with lamps_with() as (device, clock, lamps):
        hold_up(device, lamps, A)
        clock.advance(1.9)
        assert not lamps.ready()
        clock.advance(0.2)
        assert lamps.ready()
        for frame in (B, C):
            with pytest.raises(DeviceLost, match="lamps: has not finished what it was to show for 2 s"):
                lamps.show(frame)
        device.gate.let()
        device.gate.reached()
        until(lambda: not lamps.ready())  # the next frame has its own two seconds
        clock.advance(1.9)
        device.gate.let()
        until(lamps.ready)
        lamps.show(D)
        device.gate.let()
        until(lamps.ready)
        assert device.frames == [A, C, D]


def test_lamps_that_do_not_finish_a_frame_say_for_how_long() -> None:
    with lamps_with() as (device, clock, lamps):
        lamps.show(A)
        until(lamps._sender.idle)
        clock.advance(5.0)
        assert lamps.late() == 0.0
        device.gate.shut()
        lamps.show(B)
        clock.advance(7.5)
        assert lamps.late() == 7.5
        device.gate.open()
        until(lamps._sender.idle)
        assert lamps.late() == 0.0


def test_lamps_that_have_never_finished_one_are_lost_and_not_late() -> None:
    with lamps_with() as (device, clock, lamps):
        device.gate.shut()
        lamps.show(A)
        clock.advance(60.0)
        assert lamps._sender.lost() is not None
        assert lamps.late() == 0.0


def test_lost_lamps_are_not_late() -> None:
    with lamps_with() as (device, clock, lamps):
        device.error = DeviceLost("lamps: unplugged")
        lamps.show(A)
        until(lamps._sender.idle)
        clock.advance(60.0)
        assert lamps.late() == 0.0
