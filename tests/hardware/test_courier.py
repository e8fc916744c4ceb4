"""Sending in the background: real threads, held up by gates, and a clock that is turned by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from hardware.courier import BackgroundLamps, BackgroundPanel
from hardware.current import LimitedLamps
from hardware.ports import BadDevice, DeviceLost, Lamps, Panel
from hardware.sim.clock import SimClock

LONG = 30.0
"""Seconds after which a test gives up: no test ever waits that long unless it fails."""


class Gate:
    """What a device waits at. Open unless shut; a shut one lets through as many as it is told."""

    def __init__(self) -> None:
        self._open = True
        self._allowed = 0
        self._changed = threading.Condition()
        self._waiting = 0

    def shut(self) -> None:
        self._open = False

    def pass_through(self) -> None:
        with self._changed:
            self._waiting += 1
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._open or self._allowed, LONG)
            self._allowed -= not self._open
            self._waiting -= 1

    def let(self, number: int = 1) -> None:
        with self._changed:
            self._allowed += number
            self._changed.notify_all()

    def open(self) -> None:
        with self._changed:
            self._open = True
            self._changed.notify_all()

    def reached(self) -> None:
        """Waits until someone stands at the gate."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._waiting, LONG)


class SlowLamps:
    """Lamps that finish a frame when the gate lets them."""

    count = 1

    def __init__(self) -> None:
        self.gate = Gate()
        self.frames: list[bytes] = []
        self.error: Exception | None = None
        self.free = True
        self.closed_after: list[int] = []

    def ready(self) -> bool:
        return self.free

    def show(self, frame: bytes) -> None:
        self.gate.pass_through()
        if self.error is not None:
            raise self.error
        self.frames.append(frame)

    def close(self) -> None:
        self.closed_after.append(len(self.frames))


class SlowPanel:
    """A panel that finishes a picture when the gate lets it."""

    size = (4, 2)

    def __init__(self) -> None:
        self.gate = Gate()
        self.pictures: list[bytes | None] = []
        self.error: Exception | None = None
        self.closed = 0

    def ready(self) -> bool:
        return True

    def show(self, picture: Image.Image | None) -> None:
        self.gate.pass_through()
        if self.error is not None:
            raise self.error
        self.pictures.append(None if picture is None else picture.tobytes())

    def close(self) -> None:
        self.closed += 1


A, B, C, D = b"\x01\0\0", b"\x02\0\0", b"\x03\0\0", b"\x04\0\0"


def until(condition: Callable[[], bool]) -> None:
    """Waits for a thread to get as far as that."""
    never = threading.Event()
    for _ in range(int(LONG * 1000)):
        if condition():
            return
        never.wait(0.001)
    raise AssertionError("it never came to that")


@contextmanager
def lamps_with(stuck: float = 2.0) -> Iterator[tuple[SlowLamps, SimClock, BackgroundLamps]]:
    device, clock = SlowLamps(), SimClock()
    lamps = BackgroundLamps(device, clock, stuck=stuck)
    yield device, clock, lamps
    device.gate.open()
    device.error = None
    lamps.close()


@contextmanager
def panel_with() -> Iterator[tuple[SlowPanel, SimClock, BackgroundPanel]]:
    device, clock = SlowPanel(), SimClock()
    panel = BackgroundPanel(device, clock, what="handset")
    yield device, clock, panel
    device.gate.open()
    device.error = None
    panel.close()


def picture(pixel: int = 0) -> Image.Image:
    """A picture with one pixel lit."""
    image = Image.new("1", SlowPanel.size)
    image.putpixel((pixel % 4, pixel // 4), 1)
    return image


def settled(panel: BackgroundPanel) -> None:
    until(panel._courier.idle)


def test_they_are_lamps_and_panel() -> None:
    with lamps_with() as (_, _, lamps), panel_with() as (_, _, panel):
        assert isinstance(lamps, Lamps)
        assert isinstance(panel, Panel)
        assert lamps.count == 1
        assert panel.size == (4, 2)


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
        device.gate.shut()
        lamps.show(A)
        device.gate.reached()
        for frame in (B, C, D):
            lamps.show(frame)
        device.gate.let(2)
        until(lamps.ready)
        assert device.frames == [A, D]


def test_a_frame_of_another_length_is_refused_at_once_and_never_sent() -> None:
    with lamps_with() as (device, _, lamps):
        with pytest.raises(BadDevice, match="lamps: a frame of 4 bytes; 1 lamps take 3"):
            lamps.show(bytes(4))
        assert lamps.ready()
        assert not device.frames


def test_lost_lamps_are_told_at_the_next_frame_which_is_tried_all_the_same() -> None:
    with lamps_with() as (device, _, lamps):
        device.error = DeviceLost("lamps: gone")
        lamps.show(A)
        until(lamps.ready)
        with pytest.raises(DeviceLost, match="lamps: gone"):  # A is lost
            lamps.show(B)
        until(lamps.ready)
        device.error = None
        with pytest.raises(DeviceLost, match="lamps: gone"):  # and so is B; C goes through
            lamps.show(C)
        until(lamps.ready)
        assert device.frames == [C]
        lamps.show(D)
        until(lamps.ready)
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
        until(lambda: lamps._courier.lost() is not None)
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
        lamps.show(A)
        until(lamps.ready)
        device.error = None
        with pytest.raises(ZeroDivisionError, match="a bug"):
            lamps.show(B)
        until(lamps.ready)
        lamps.show(C)
        until(lamps.ready)
        assert device.frames == [B, C]


def test_stuck_lamps_are_lost_after_two_seconds_and_back_when_they_go_on() -> None:
    with lamps_with() as (device, clock, lamps):
        device.gate.shut()
        lamps.show(A)
        device.gate.reached()
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


def test_closing_sends_what_waits_and_only_then_lets_go() -> None:
    device, clock = SlowLamps(), SimClock()
    lamps = BackgroundLamps(device, clock, stuck=LONG)
    device.gate.shut()
    lamps.show(A)
    device.gate.reached()
    lamps.show(bytes(3))
    closing = threading.Thread(target=lamps.close)
    closing.start()
    device.gate.let(2)
    closing.join(LONG)
    assert device.frames == [A, bytes(3)]
    assert device.closed_after == [2]


def test_closing_ends_the_thread_and_may_be_done_twice() -> None:
    device = SlowLamps()
    lamps = BackgroundLamps(device, SimClock())
    lamps.show(A)
    lamps.close()
    lamps.close()
    assert device.frames == [A]
    assert not lamps._courier._thread.is_alive()


def test_closing_stuck_lamps_comes_to_an_end_and_they_are_let_go_of_when_they_go_on() -> None:
    with lamps_with(stuck=0.01) as (device, _, lamps):
        device.gate.shut()
        lamps.show(A)
        device.gate.reached()
        lamps.close()
        assert not device.closed_after
        device.gate.open()
        lamps._courier._thread.join(LONG)
        assert device.closed_after == [1]
        lamps.close()
        assert device.closed_after == [1]


class Unlucky:
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
    device.gate.shut()
    lamps.show(A)
    device.gate.reached()
    lamps._courier._thread = cast("threading.Thread", Unlucky(lamps._courier._thread, device.gate.open))
    with pytest.raises(KeyboardInterrupt):
        lamps.close()
    assert device.closed_after == [1]


class Stubborn(SlowPanel):
    """A panel that cannot be closed."""

    def close(self) -> None:
        super().close()
        raise OSError("no")


def test_what_closing_ends_in_is_raised_after_the_thread_has_ended() -> None:
    device = Stubborn()
    panel = BackgroundPanel(device, SimClock(), what="handset")
    with pytest.raises(OSError, match="no"):
        panel.close()
    assert not panel._courier._thread.is_alive()
    panel.close()
    assert device.closed == 1


def test_of_two_errors_the_first_is_told_and_the_device_closed_all_the_same() -> None:
    device = Stubborn()
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
        assert lamps._courier._thread.daemon


def test_a_picture_is_shown_as_it_was_when_it_was_handed_over() -> None:
    with panel_with() as (device, _, panel):
        device.gate.shut()
        image = picture(1)
        panel.show(image)
        image.paste(1, (0, 0, 4, 2))
        device.gate.let()
        settled(panel)
        assert device.pictures == [picture(1).tobytes()]


def test_a_panel_takes_the_newest_picture_while_it_is_held_up_and_is_always_ready() -> None:
    with panel_with() as (device, _, panel):
        device.gate.shut()
        panel.show(picture(0))
        device.gate.reached()
        for image in (picture(1), picture(2), None):
            assert panel.ready()
            panel.show(image)
        device.gate.let(2)
        settled(panel)
        assert device.pictures == [picture(0).tobytes(), None]


@pytest.mark.parametrize("image", [Image.new("L", (4, 2)), Image.new("1", (2, 4))])
def test_a_picture_that_does_not_fit_is_refused_at_once(image: Image.Image) -> None:
    with panel_with() as (device, _, panel):
        with pytest.raises(BadDevice, match=r'handset: a picture of mode .* it takes mode "1", 4x2'):
            panel.show(image)
        settled(panel)
        assert not device.pictures


def test_a_lost_panel_is_told_in_the_next_beat_and_throughout_it_and_every_picture_is_tried() -> None:
    with panel_with() as (device, clock, panel):
        device.error = DeviceLost("handset: gone")
        panel.show(picture(0))
        settled(panel)
        panel.show(picture(1))
        settled(panel)
        clock.advance(1.0)
        device.error = None
        for pixel in (2, 3):
            with pytest.raises(DeviceLost, match="handset: gone"):
                panel.show(picture(pixel))
            settled(panel)
        clock.advance(1.0)
        panel.show(picture(4))
        settled(panel)
        assert device.pictures == [picture(pixel).tobytes() for pixel in (2, 3, 4)]


def test_what_nobody_foresaw_in_a_picture_is_raised_by_the_next_whichever_it_is() -> None:
    with panel_with() as (device, _, panel):
        panel.show(None)
        settled(panel)
        device.error = ZeroDivisionError("a bug")
        panel.show(picture(0))
        settled(panel)
        device.error = None
        with pytest.raises(ZeroDivisionError, match="a bug"):
            panel.show(picture(1))


def test_closing_a_panel_leaves_it_as_it_was_last_told() -> None:
    device = SlowPanel()
    panel = BackgroundPanel(device, SimClock(), what="handset")
    panel.show(picture(0))
    panel.show(None)
    panel.close()
    assert device.pictures[-1] is None
    assert device.closed == 1


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
                if not panel._courier.idle():
                    device.gate.reached()
            else:
                settled(panel)
            clock.advance(0.1)
        return beats


SPANS = st.tuples(st.integers(0, 79), st.integers(0, 50)).map(lambda span: range(span[0], span[0] + span[1]))
KEYS = st.sets(st.integers(0, 79).filter(lambda tenth: tenth % 10), max_size=20)


@settings(max_examples=60, deadline=None)
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
