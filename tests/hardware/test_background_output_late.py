"""A thread that does not go on says for how long; one that has never gone on is no hang that a new start would mend."""

from __future__ import annotations

from hardware.ports import DeviceLost
from tests.hardware.held_outputs import A, B, lamps_with, panel_with, picture, show_settled
from tests.waiting import until


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
