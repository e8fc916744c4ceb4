"""Send frames and pictures in the background: `show` returns at once, and a thread brings them to the device.

Each device has a thread and a box for one frame or picture. Something put in while the device is busy replaces what
waits there, for only the newest matters. A failed delivery cannot be reported by the `show` that asked for it, so a
later `show` raises it, and still hands over its own content: so the call that reports a lost device also tries it once
more, and the first call after a successful try raises nothing. The thread closes the device last, after delivering what
waits in the box, whether that worked or not.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread
from typing import Generic, NamedTuple, TypeVar

from PIL import Image

from hardware.ports import BadDevice, Clock, DeviceLost, Lamps, Panel

STUCK = 2.0
"""Seconds after which a device that has not finished is given up for the time being."""

BEAT = 1.0
"""Seconds between two reports of a panel's state."""

T = TypeVar("T")


class _Parcel(NamedTuple, Generic[T]):
    """Content on its way to the device; the outcome is reported if `reported`."""

    content: T
    reported: bool


class _Courier(Generic[T]):
    """A thread, a box for one parcel, and the outcome of the last reported delivery.

    Args:
        deliver: brings one content to the device, on the thread.
        close: closes the device, on the thread.
        clock: measures how long a delivery takes.
        name: the name of the thread, and of the device in messages.
        stuck: seconds after which a delivery is overdue, and for which `end` waits for the last one.
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
        self._box: _Parcel[T] | None = None
        self._delivering = self._ending = self._has_delivered = False
        self._reported_since: float | None = None  # when the oldest reported parcel on its way was put in
        self._lost: DeviceLost | None = None
        self._unforeseen: Exception | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def idle(self) -> bool:
        """Return whether nothing is on its way."""
        with self._changed:
            return self._box is None and not self._delivering

    def overdue(self) -> bool:
        """Return whether a reported parcel has been on its way for too long."""
        with self._changed:
            return self._seconds_waiting() >= self._stuck

    def late(self) -> float:
        """Return for how many seconds a reported parcel has been on its way; 0 until the first delivery has ended.

        A device that never finished one would not after a restart either: it is lost, and nothing more.
        """
        with self._changed:
            return self._seconds_waiting() if self._has_delivered else 0.0

    def _seconds_waiting(self) -> float:
        return 0.0 if self._reported_since is None else self._clock.now() - self._reported_since

    def lost(self) -> DeviceLost | None:
        """Return why the device is lost, if it is: as the last reported delivery ended, or because one is overdue."""
        if self.overdue():
            return DeviceLost(f"{self._name}: has not finished what it was to show for {self._stuck:g} s")
        with self._changed:
            return self._lost

    def post(self, content: T, *, reported: bool = True) -> None:
        """Put content into the box, replacing what waits there, and raise an unforeseen error if there was one."""
        with self._changed:
            if self._box is not None:
                reported = reported or self._box.reported
            if reported and self._reported_since is None:
                self._reported_since = self._clock.now()
            self._box = _Parcel(content, reported)
            self._changed.notify()
        self.raise_unforeseen()

    def raise_unforeseen(self) -> None:
        """Raise, once, the error in which a delivery ended, if it was anything but a lost device."""
        with self._changed:
            error, self._unforeseen = self._unforeseen, None
        if error is not None:
            raise error

    def end(self) -> None:
        """Deliver what is in the box, close the device and end the thread; raise an unforeseen error if there was one.

        A stuck device is not waited for: it is closed when it goes on, if the process is still there.
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
            while (parcel := self._next()) is not None:
                self._deliver_parcel(parcel)
        finally:
            self._close_device()

    def _deliver_parcel(self, parcel: _Parcel[T]) -> None:
        lost: DeviceLost | None = None
        unforeseen: Exception | None = None
        try:
            self._deliver(parcel.content)
        except DeviceLost as error:
            lost = error
        except Exception as error:  # noqa: BLE001 - raised by the next show
            unforeseen = error
        with self._changed:
            self._delivering, self._has_delivered = False, True
            self._unforeseen = self._unforeseen or unforeseen
            if parcel.reported:
                self._lost = lost
                waits = self._box is not None and self._box.reported
                self._reported_since = self._clock.now() if waits else None

    def _close_device(self) -> None:
        try:
            self._close()
        except Exception as error:  # noqa: BLE001 - raised by whoever ends this
            with self._changed:
                self._unforeseen = self._unforeseen or error

    def _next(self) -> _Parcel[T] | None:
        """Wait for the next parcel and return it; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._box is not None or self._ending)
            parcel, self._box = self._box, None
            self._delivering = parcel is not None
            return parcel


class BackgroundLamps:
    """Lamps that take a frame at once and shine with it a little later. Implements the `Lamps` port.

    Args:
        lamps: the lamps to use.
        clock: measures how long a frame takes; also read on a thread.
        stuck: seconds after which lamps that have not finished a frame are lost.
    """

    def __init__(self, lamps: Lamps, clock: Clock, *, stuck: float = STUCK) -> None:
        self._lamps = lamps
        self._courier = _Courier(lamps.show, lamps.close, clock, name="lamps", stuck=stuck)

    @property
    def count(self) -> int:
        """Return the number of lamps."""
        return self._lamps.count

    def ready(self) -> bool:
        """Return whether the last frame is out. Stuck lamps return True: only `show` reports that they are lost."""
        return (self._courier.idle() and self._lamps.ready()) or self._courier.overdue()

    def late(self) -> float:
        """Return for how many seconds a frame has been on its way; 0 until the first delivery has ended."""
        return self._courier.late()

    def show(self, frame: bytes) -> None:
        """Show a frame: three bytes (red, green, blue) a lamp, lamp 0 first. Never waits.

        Raises:
            BadDevice: the frame has another length.
            DeviceLost: the last frame did not reach the lamps, or is overdue. This one is tried nonetheless.
            Exception: any other error in which an earlier frame ended, unchanged.
        """
        if len(frame) != 3 * self.count:
            raise BadDevice(
                f"lamps: a frame of {len(frame)} bytes; {self.count} lamps take {3 * self.count}, three bytes a lamp"
            )
        lost = self._courier.lost()
        self._courier.post(frame)
        if lost is not None:
            raise lost

    def close(self) -> None:
        """Send what waits and close the lamps. Stuck lamps are closed when they go on.

        Raises:
            Exception: the error in which the last frame ended, unless the lamps were lost; else the error in which
                closing ended.
        """
        self._courier.end()


class BackgroundPanel:
    """A panel that takes a picture at once and shows it a little later. Implements the `Panel` port.

    A handset's pictures follow key presses, and their times must not show in what everyone sees; but a lost handset
    stops the game. So the outcome of pictures is reported by the beat: during each beat of the clock `show` reports the
    first picture of an earlier beat, whatever happened to pictures in between. Whoever wants to know shows something in
    every beat.

    Args:
        panel: the panel to use.
        clock: gives the beats, and measures how long a picture takes; also read on a thread.
        what: the panel's name in messages, "handset" or "display".
        stuck: seconds after which a panel that has not finished a picture is lost.
        beat: seconds of a beat.
    """

    def __init__(self, panel: Panel, clock: Clock, *, what: str, stuck: float = STUCK, beat: float = BEAT) -> None:
        self._panel = panel
        self._clock = clock
        self._what = what
        self._seconds = beat
        self._beat: float | None = None
        self._lost: DeviceLost | None = None
        self._courier = _Courier(panel.show, panel.close, clock, name=what, stuck=stuck)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self._panel.size

    def ready(self) -> bool:
        """Return True: the caller never waits.

        That a picture is on its way is as secret as the key press behind it.
        """
        return True

    def late(self) -> float:
        """Return for how many seconds the first picture of a beat has been on its way.

        It is 0 until the first delivery has ended.
        """
        return self._courier.late()

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture of mode "1" and of this panel's size, or go dark for None. Never waits.

        Raises:
            BadDevice: another mode or size.
            DeviceLost: the first picture of an earlier beat did not reach the panel, or is overdue. This one is tried
                nonetheless.
            Exception: any other error in which an earlier picture ended, unchanged.
        """
        if picture is not None and (picture.mode != "1" or picture.size != self.size):
            raise BadDevice(
                f'{self._what}: a picture of mode "{picture.mode}", {picture.size[0]}x{picture.size[1]}; '
                f'it takes mode "1", {self.size[0]}x{self.size[1]}'
            )
        beat = self._clock.now() // self._seconds
        first = beat != self._beat
        if first:
            self._beat, self._lost = beat, self._courier.lost()
        self._courier.post(None if picture is None else picture.copy(), reported=first)
        if self._lost is not None:
            raise self._lost

    def close(self) -> None:
        """Show what waits and close the panel. A stuck panel is closed when it goes on.

        Raises:
            Exception: the error in which the last picture ended, unless the panel was lost; else the error in which
                closing ended.
        """
        self._courier.end()
