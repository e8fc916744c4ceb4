"""Sending in the background: whoever shows something goes on at once, and a thread carries it to the device.

Each device has a thread of its own and a box before it that holds one frame or picture; what is put in while the
device is busy takes the place of what waits there, for only the newest matters. What fails on the way cannot be told
to whoever showed it, so it is told at a later `show`, which all the same hands over what it was given: so a lost
device is tried once more by the very call that says it is lost, and the first call after a try that went well is fine.
Closing it is the thread's last errand, after whatever waits in the box and whatever became of that.
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
"""Seconds between two times that a panel's state is told."""

T = TypeVar("T")


class _Parcel(NamedTuple, Generic[T]):
    """Something on its way; how `telling` ones fare is told."""

    content: T
    telling: bool


class _Courier(Generic[T]):
    """A thread, a box that holds one thing, and how the last delivery went.

    Args:
        deliver: brings one thing to the device, on the thread.
        close: lets go of the device, on the thread.
        clock: tells how long a delivery has taken.
        name: the thread's, and the device's in messages.
        stuck: seconds after which a delivery is overdue, and for which the end waits for the last.
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
        self._delivering = self._ending = self._gone_on = False
        self._asked_at: float | None = None  # when the telling one was put in that has been on its way for longest
        self._lost: DeviceLost | None = None
        self._unforeseen: Exception | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def idle(self) -> bool:
        """Whether nothing is on its way."""
        with self._changed:
            return self._box is None and not self._delivering

    def overdue(self) -> bool:
        """Whether something that tells has been on its way for too long."""
        with self._changed:
            return self._waiting() >= self._stuck

    def late(self) -> float:
        """For how many seconds something that tells has been on its way; 0 while the thread has never gone on.

        What has never got through will not do so after a new start either: it is lost, and nothing more.
        """
        with self._changed:
            return self._waiting() if self._gone_on else 0.0

    def _waiting(self) -> float:
        return 0.0 if self._asked_at is None else self._clock.now() - self._asked_at

    def lost(self) -> DeviceLost | None:
        """Why the device is lost, if it is: as the last one that tells fared, or because one is overdue."""
        if self.overdue():
            return DeviceLost(f"{self._name}: has not finished what it was to show for {self._stuck:g} s")
        with self._changed:
            return self._lost

    def post(self, content: T, *, telling: bool = True) -> None:
        """Puts something into the box, instead of what may wait there, and raises what nobody foresaw."""
        with self._changed:
            if self._box is not None:
                telling = telling or self._box.telling
            if telling and self._asked_at is None:
                self._asked_at = self._clock.now()
            self._box = _Parcel(content, telling)
            self._changed.notify()
        self.raise_unforeseen()

    def raise_unforeseen(self) -> None:
        """Raises what a delivery ended in, once, if it was anything but a lost device."""
        with self._changed:
            error, self._unforeseen = self._unforeseen, None
        if error is not None:
            raise error

    def end(self) -> None:
        """Delivers what is in the box, closes the device and ends the thread; raises what nobody foresaw in that.

        A stuck device is not waited for: it is closed when it goes on, if the process is still there.
        """
        with self._changed:
            self._ending = True
            self._changed.notify()
        try:
            self._thread.join(self._stuck)
        except BaseException:
            # A second Ctrl-C, say: no reason to leave a device as it is.
            self._thread.join(self._stuck)
            raise
        self.raise_unforeseen()

    def _run(self) -> None:
        try:
            while (parcel := self._next()) is not None:
                self._carry(parcel)
        finally:
            self._let_go()

    def _carry(self, parcel: _Parcel[T]) -> None:
        lost: DeviceLost | None = None
        unforeseen: Exception | None = None
        try:
            self._deliver(parcel.content)
        except DeviceLost as error:
            lost = error
        except Exception as error:  # noqa: BLE001 - raised by the next show
            unforeseen = error
        with self._changed:
            self._delivering, self._gone_on = False, True
            self._unforeseen = self._unforeseen or unforeseen
            if parcel.telling:
                self._lost = lost
                waits = self._box is not None and self._box.telling
                self._asked_at = self._clock.now() if waits else None

    def _let_go(self) -> None:
        try:
            self._close()
        except Exception as error:  # noqa: BLE001 - raised by whoever ends this
            with self._changed:
                self._unforeseen = self._unforeseen or error

    def _next(self) -> _Parcel[T] | None:
        """What is to be delivered next, once there is something; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._box is not None or self._ending)
            parcel, self._box = self._box, None
            self._delivering = parcel is not None
            return parcel


class BackgroundLamps:
    """Lamps that take a frame at once and shine with it a little later. Implements the `Lamps` port.

    Args:
        lamps: the lamps to shine with.
        clock: tells how long a frame has taken; it is asked on a thread as well.
        stuck: seconds after which lamps that have not finished a frame are lost.
    """

    def __init__(self, lamps: Lamps, clock: Clock, *, stuck: float = STUCK) -> None:
        self._lamps = lamps
        self._courier = _Courier(lamps.show, lamps.close, clock, name="lamps", stuck=stuck)

    @property
    def count(self) -> int:
        """Number of lamps."""
        return self._lamps.count

    def ready(self) -> bool:
        """Whether the frame before is out. Lamps that are stuck say yes: only `show` tells that they are lost."""
        return (self._courier.idle() and self._lamps.ready()) or self._courier.overdue()

    def late(self) -> float:
        """For how many seconds a frame has been on its way, after others that were not."""
        return self._courier.late()

    def show(self, frame: bytes) -> None:
        """Shine: three bytes (red, green, blue) a lamp, lamp 0 first. Never waits.

        Raises:
            BadDevice: the frame has another length.
            DeviceLost: the frame before did not reach the lamps, or has not for too long. This one is
                tried nonetheless.
            Exception: whatever else a frame before ended in, as it is.
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
        """Sends what waits and lets go of the lamps. Lamps that are stuck are let go of when they go on.

        Raises:
            Exception: what the last frame ended in, if it was anything but lost lamps, or else what letting go
                ended in.
        """
        self._courier.end()


class BackgroundPanel:
    """A panel that takes a picture at once and shows it a little later. Implements the `Panel` port.

    A handset's pictures come when keys are pressed, and when that is must not be seen in what everyone sees; but a
    handset that is lost stops the game. So how pictures fare is told by the beat: in each beat of the clock `show`
    goes by the first picture of a beat before, however others fared that came between. Whoever wants to know shows
    something in every beat.

    Args:
        panel: the panel to show things on.
        clock: tells the beats, and how long a picture has taken; it is asked on a thread as well.
        what: the panel's word in messages, "handset" or "display".
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
        """Width and height in pixels."""
        return self._panel.size

    def ready(self) -> bool:
        """Always: it never makes the caller wait, and that a picture is on its way is as secret as its key."""
        return True

    def late(self) -> float:
        """For how many seconds the first picture of a beat has been on its way, after others that were not."""
        return self._courier.late()

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture of mode "1" and of this panel's size, or go dark for None. Never waits.

        Raises:
            BadDevice: another mode or size.
            DeviceLost: the first picture of a beat before did not reach the panel, or has not for too long. This
                one is tried nonetheless.
            Exception: whatever else a picture before ended in, as it is.
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
        self._courier.post(None if picture is None else picture.copy(), telling=first)
        if self._lost is not None:
            raise self._lost

    def close(self) -> None:
        """Shows what waits and lets go of the panel. A panel that is stuck is let go of when it goes on.

        Raises:
            Exception: what the last picture ended in, if it was anything but a lost panel, or else what letting go
                ended in.
        """
        self._courier.end()
