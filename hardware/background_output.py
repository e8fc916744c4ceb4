"""Send frames and pictures to devices on another thread, so that `show` returns at once.

Each device has a thread and a box for one frame or picture. Newer content replaces the content of the box, because only
the newest matters. `show` returns before its own delivery can fail, so a later `show` raises the error. That call still
puts its own content in the box: the thread tries to deliver it, and if it succeeds, the next `show` raises nothing. At
the end the thread tries to deliver the content of the box, and then closes the device even if the delivery failed.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread
from typing import Generic, NamedTuple, TypeVar

from PIL import Image

from hardware.ports import Clock, DeviceLost, Lamps, Panel, check_frame, check_picture

STUCK = 2.0
"""Seconds after which a busy device counts as lost for the time being."""

PANEL_TICK = 1.0
"""Seconds between two reports of a panel's state."""

T = TypeVar("T")


class _Delivery(NamedTuple, Generic[T]):
    """A frame or picture on its way to a device. If `reported`, the caller learns how the delivery ends."""

    content: T
    reported: bool


class _Sender(Generic[T]):
    """A thread that delivers frames or pictures to a device, and keeps the last reported outcome.

    Args:
        deliver: sends one frame or picture to the device, on the thread.
        close: closes the device, on the thread.
        clock: measures how long a delivery takes.
        name: the name of the thread, and of the device in messages.
        stuck: seconds after which a delivery is overdue. `end` waits no longer than this for the last delivery.
    """

    def __init__(
        self, deliver: Callable[[T], None], close: Callable[[], None], clock: Clock, *, name: str, stuck: float
    ) -> None:
        self._deliver = deliver
        self._close = close
        self._clock = clock
        self._name = name
        self._stuck = stuck
        self._changed = Condition()
        self._waiting: _Delivery[T] | None = None
        self._delivering = self._ending = self._has_delivered = False
        self._reported_since: float | None = None  # when the oldest reported delivery in progress was put in
        self._lost: DeviceLost | None = None
        self._unforeseen: Exception | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def idle(self) -> bool:
        """Return whether nothing is waiting or being delivered."""
        with self._changed:
            return self._waiting is None and not self._delivering

    def overdue(self) -> bool:
        """Return whether a reported delivery is taking too long."""
        with self._changed:
            return self._seconds_waiting() >= self._stuck

    def late(self) -> float:
        """Return how many seconds a reported delivery has been going on. 0 before the first delivery has ended.

        A device that never finished a delivery is lost, but not late: restarting the program would not help it.
        """
        with self._changed:
            return self._seconds_waiting() if self._has_delivered else 0.0

    def _seconds_waiting(self) -> float:
        return 0.0 if self._reported_since is None else self._clock.now() - self._reported_since

    def lost(self) -> DeviceLost | None:
        """Return the error if the last reported delivery lost the device or takes too long, else None."""
        if self.overdue():
            return DeviceLost(f"{self._name}: has not finished what it was to show for {self._stuck:g} s")
        with self._changed:
            return self._lost

    def post(self, content: T, *, reported: bool = True) -> None:
        """Put a frame or picture in the queue in place of the one there. Raise an earlier unexpected error."""
        with self._changed:
            if self._waiting is not None:
                reported = reported or self._waiting.reported
            if reported and self._reported_since is None:
                self._reported_since = self._clock.now()
            self._waiting = _Delivery(content, reported)
            self._changed.notify()
        self.raise_unforeseen()

    def raise_unforeseen(self) -> None:
        """Raise an unexpected error of an earlier delivery once, but not the loss of the device."""
        with self._changed:
            error, self._unforeseen = self._unforeseen, None
        if error is not None:
            raise error

    def end(self) -> None:
        """Deliver the waiting frame or picture, close the device and end the thread. Raise an unexpected error.

        Wait at most `stuck` seconds for a stuck device: the thread closes it when it continues, if the process still
        runs then.
        """
        with self._changed:
            self._ending = True
            self._changed.notify()
        try:
            self._thread.join(self._stuck)
        except BaseException:
            # A second Ctrl-C, for example, must not leave a device as it is.
            self._thread.join(self._stuck)
            raise
        self.raise_unforeseen()

    def _run(self) -> None:
        try:
            while (delivery := self._next()) is not None:
                self._deliver_delivery(delivery)
        finally:
            try:
                self._close()
            except Exception as error:  # noqa: BLE001 - raised by `end`
                with self._changed:
                    self._unforeseen = self._unforeseen or error

    def _deliver_delivery(self, delivery: _Delivery[T]) -> None:
        lost: DeviceLost | None = None
        unforeseen: Exception | None = None
        try:
            self._deliver(delivery.content)
        except DeviceLost as error:
            lost = error
        except Exception as error:  # noqa: BLE001 - raised by the next show
            unforeseen = error
        with self._changed:
            self._delivering, self._has_delivered = False, True
            self._unforeseen = self._unforeseen or unforeseen
            if delivery.reported:
                self._lost = lost
                waits = self._waiting is not None and self._waiting.reported
                self._reported_since = self._clock.now() if waits else None

    def _next(self) -> _Delivery[T] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting is not None or self._ending)
            delivery, self._waiting = self._waiting, None
            self._delivering = delivery is not None
            return delivery


class BackgroundLamps:
    """Lamps that take a frame at once and show it a moment later. Implements `Lamps`.

    Args:
        lamps: the lamps to use.
        clock: measures how long a frame takes; also read on a thread.
        stuck: seconds after which lamps that have not finished a frame are lost.
    """

    def __init__(self, lamps: Lamps, clock: Clock, *, stuck: float = STUCK) -> None:
        self._lamps = lamps
        self.count = lamps.count
        self._sender = _Sender(lamps.show, lamps.close, clock, name="lamps", stuck=stuck)

    def ready(self) -> bool:
        """Return whether the last frame was sent. For stuck lamps return True, because `show` reports their loss."""
        return (self._sender.idle() and self._lamps.ready()) or self._sender.overdue()

    def late(self) -> float:
        """Return how many seconds a frame has been on its way. 0 until the first delivery has ended."""
        return self._sender.late()

    def show(self, frame: bytes) -> None:
        """Show a frame without waiting. See `Lamps.show`.

        Raises:
            DeviceLost: the last frame did not reach the lamps, or is overdue. The new frame is sent anyway.
            Exception: any other error of an earlier frame's delivery, unchanged.
        """
        check_frame(frame, self.count)
        lost = self._sender.lost()
        self._sender.post(frame)
        if lost is not None:
            raise lost

    def close(self) -> None:
        """Send the waiting frame and close the lamps. If they are stuck, the thread closes them once they respond.

        Raises:
            Exception: an error of an earlier frame's delivery, or of closing, except the loss of the lamps.
        """
        self._sender.end()


class BackgroundPanel:
    """A panel that takes a picture at once and shows it a moment later. Implements `Panel`.

    A handset's pictures follow key presses, and their times must not affect anything public; but a lost handset stops
    the game. So time is divided into fixed intervals of `PANEL_TICK` seconds, and `show` reports only the outcome of an
    earlier interval's first picture. A caller that wants to learn of a loss calls `show` in every interval.

    Args:
        panel: the panel to use.
        clock: gives the ticks, and measures how long a picture takes; also read on a thread.
        what: the panel's name in messages, "handset" or "display".
    """

    def __init__(self, panel: Panel, clock: Clock, *, what: str) -> None:
        self.size = panel.size
        self._panel = panel
        self._clock = clock
        self._what = what
        self._tick: float | None = None
        self._lost: DeviceLost | None = None
        self._sender = _Sender(panel.show, panel.close, clock, name=what, stuck=STUCK)

    def ready(self) -> bool:
        """Return True, always: whether a picture is being sent would reveal that a key was pressed."""
        return True

    def late(self) -> float:
        """Return how many seconds a picture has been on its way. See `BackgroundLamps.late`."""
        return self._sender.late()

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture without waiting. See `Panel.show`.

        Raises:
            DeviceLost: the first picture of an earlier interval did not reach the panel, or is overdue. The new picture
                is sent anyway.
            Exception: any other error of an earlier picture's delivery, unchanged.
        """
        check_picture(picture, self.size, self._what)
        tick = self._clock.now() // PANEL_TICK
        first = tick != self._tick
        if first:
            self._tick, self._lost = tick, self._sender.lost()
        self._sender.post(None if picture is None else picture.copy(), reported=first)
        if self._lost is not None:
            raise self._lost

    def close(self) -> None:
        """Show the waiting picture and close the panel. See `BackgroundLamps.close`."""
        self._sender.end()
