"""Closing what is sent to in the background: what waits is sent, the thread ends, and the device is let go of."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

import pytest

from hardware.background_output import BackgroundLamps, BackgroundPanel
from hardware.ports import DeviceLost
from hardware.sim.physics import SimClock
from tests.hardware.held_outputs import LONG, A, SlowLamps, SlowPanel, hold_up, lamps_with, picture


def test_closing_sends_what_waits_and_only_then_lets_go() -> None:
    device, clock = SlowLamps(), SimClock()
    lamps = BackgroundLamps(device, clock, stuck=LONG)
    hold_up(device, lamps, A)
    lamps.show(bytes(3))
    closing = threading.Thread(target=lamps.close)
    closing.start()
    device.gate.let(2)
    closing.join(LONG)
    assert device.frames == [A, bytes(3)]
    assert device.closed_after == [2]


def test_closing_stuck_lamps_comes_to_an_end_and_they_are_let_go_of_when_they_go_on() -> None:
    with lamps_with(stuck=0.01) as (device, _, lamps):
        hold_up(device, lamps, A)
        lamps.close()
        assert not device.closed_after
        device.gate.open()
        lamps._sender._thread.join(LONG)
        assert device.closed_after == [1]
        lamps.close()
        assert device.closed_after == [1]


class InterruptedThread:
    """A thread of which the first wait for its end is broken off.

    Args:
        thread: the thread.
        before_second: is called before the second wait.
    """

    def __init__(self, thread: threading.Thread, before_second: Callable[[], None]) -> None:
        self._thread = thread
        self._steps = [self._break_off, before_second]

    def _break_off(self) -> None:
        raise KeyboardInterrupt

    def join(self, timeout: float) -> None:
        self._steps.pop(0)()
        self._thread.join(timeout)


def test_whoever_breaks_off_closing_gets_a_closed_device_nonetheless() -> None:
    device, clock = SlowLamps(), SimClock()
    lamps = BackgroundLamps(device, clock, stuck=LONG)
    hold_up(device, lamps, A)
    lamps._sender._thread = cast("threading.Thread", InterruptedThread(lamps._sender._thread, device.gate.open))
    with pytest.raises(KeyboardInterrupt):
        lamps.close()
    assert device.closed_after == [1]


class UnclosablePanel(SlowPanel):
    """A panel that cannot be closed."""

    def close(self) -> None:
        super().close()
        raise OSError("no")


def test_what_closing_ends_in_is_raised_after_the_thread_has_ended() -> None:
    device = UnclosablePanel()
    panel = BackgroundPanel(device, SimClock(), what="handset")
    with pytest.raises(OSError, match="no"):
        panel.close()
    assert not panel._sender._thread.is_alive()
    panel.close()
    assert device.closed == 1


def test_of_two_errors_the_first_is_told_and_the_device_closed_all_the_same() -> None:
    device = UnclosablePanel()
    panel = BackgroundPanel(device, SimClock(), what="handset")
    device.error = ZeroDivisionError("a bug")
    panel.show(None)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        panel.close()
    assert device.closed == 1


def test_closing_lost_lamps_is_no_error() -> None:
    device = SlowLamps()
    lamps = BackgroundLamps(device, SimClock())
    device.error = DeviceLost("lamps: gone")
    lamps.show(A)
    lamps.close()
    assert device.closed_after == [0]


def test_what_nobody_foresaw_in_the_last_frame_is_raised_by_closing_after_letting_go() -> None:
    device = SlowLamps()
    lamps = BackgroundLamps(device, SimClock())
    device.error = ZeroDivisionError("a bug")
    lamps.show(A)
    with pytest.raises(ZeroDivisionError):
        lamps.close()
    assert device.closed_after == [0]
    lamps.close()


def test_a_process_that_forgets_to_close_is_not_held_up() -> None:
    with lamps_with() as (_, _, lamps):
        assert lamps._sender._thread.daemon


def test_closing_a_panel_leaves_it_as_it_was_last_told() -> None:
    device = SlowPanel()
    panel = BackgroundPanel(device, SimClock(), what="handset")
    panel.show(picture(0))
    panel.show(None)
    panel.close()
    assert device.pictures[-1] is None
    assert device.closed == 1
