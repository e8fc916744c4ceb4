"""Simulate the devices, with cables that can be pulled out and pictures that can be inspected."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random

from PIL import Image

from hardware.ports import DeviceLost, check_frame, check_input, check_picture
from hardware.raspberry_pi.power_watch import SLOWED_DOWN, UNDER_VOLTAGE
from hardware.sim.physics import ContactFault, Contacts, SimClock, SimError

LAMPS_BUSY = 0.007
"""Seconds that a frame takes on the wire of 223 lamps."""

PANEL_BUSY = 0.025
"""Seconds that a picture takes on I2C at 400 kHz."""

SLOW = 1.0
"""Seconds for which the fault "slow" delays a device."""

GARBAGE = 0.04
"""Seconds for which the fault "garbage" corrupts the samples."""

SPOILT: Mapping[str, Callable[[int, int], int]] = {
    "ones": lambda sample, whole: sample | whole,
    "zeros": lambda sample, whole: sample & ~whole,
    "shift_early": lambda sample, whole: (sample & whole) >> 1,
    "shift_late": lambda sample, whole: sample << 1 & whole,
    "shift_chip": lambda sample, whole: (sample & whole) >> 8,
}
"""Fault of the line -> function that changes every sample; its second argument has every contact's bit set.

Each contact is closed or open, or each is shifted to the place before it, after it, or eight places before it.
"""


class SimDevice:
    """A simulated device, whose cable can be pulled out and whose line can be slow.

    Attributes:
        name: its name in messages.
        plugged: whether its cable is plugged in. Read only.
    """

    def __init__(self, name: str, clock: SimClock) -> None:
        self.name = name
        self._clock = clock
        self.plugged = True
        self._slow_until = 0.0

    def unplug(self) -> None:
        """Pull out the cable, so that the device raises DeviceLost."""
        self.plugged = False

    def replug(self) -> None:
        """Plug in the cable. This also ends a slowness that `slow` has begun."""
        self.plugged = True
        self._slow_until = 0.0

    def close(self) -> None:
        """Do nothing: there is no device to release."""

    def slow(self) -> None:
        """Make the device slow for `SLOW` seconds."""
        self._slow_until = self._clock.now() + SLOW

    def _need_cable(self) -> None:
        if not self.plugged:
            raise DeviceLost(f"{self.name}: the cable is unplugged")


class SimSwitches(SimDevice):
    """The simulated reeds, with the line over which they are read. Implements `Switches`.

    Attributes:
        spoilt: the fault that changes every sample, one of `SPOILT`, or "" for none. Read only.
    """

    def __init__(self, contacts: Contacts, clock: SimClock, rng: Random) -> None:
        super().__init__("switches", clock)
        self.count = contacts.count
        self._contacts = contacts
        self._rng = rng
        self._sound = True
        self.spoilt = ""
        self._repeated = 0
        self._garbage_until = 0.0

    def place(self, number: int) -> str:
        """Return an input's number in words. A simulated board has no other places. See `Switches.place`."""
        check_input(number, self.count)
        return f"input {number}"

    def read(self) -> int:
        """Return one raw sample, in which bit *s* is spot *s*. See `Switches.read`."""
        contacts = self._contacts
        if self._sound:
            # The usual case of an idle table: no clock, no loop.
            return contacts.settled if contacts.still else contacts.sample(self._clock.now())
        self._need_cable()
        now = self._clock.now()
        if now < self._garbage_until:
            return self._rng.getrandbits(self.count)
        if now < self._slow_until:
            return self._repeated
        if self.spoilt:
            return SPOILT[self.spoilt](contacts.sample(now), (1 << self.count) - 1)
        self._sound = True
        return contacts.sample(now)

    def unplug(self) -> None:
        """Pull out the cable, so that `read` raises DeviceLost."""
        super().unplug()
        self._sound = False

    def replug(self) -> None:
        """Plug in the cable, which also ends slowness, garbage and spoilt samples."""
        super().replug()
        self._garbage_until = 0.0
        self.spoilt = ""
        self._sound = True

    def slow(self) -> None:
        """Repeat the current sample for `SLOW` seconds."""
        now = self._clock.now()
        if now >= self._slow_until:
            self._repeated = self._contacts.sample(now)
        super().slow()
        self._sound = False

    def garbage(self) -> None:
        """Make `read` return random samples for `GARBAGE` seconds."""
        self._garbage_until = self._clock.now() + GARBAGE
        self._sound = False

    def spoil(self, kind: str) -> None:
        """Spoil every sample from now on, in one of the ways of `SPOILT`."""
        self.spoilt = kind
        self._sound = False


POWER_TROUBLES = {"under_voltage": UNDER_VOLTAGE, "throttled": SLOWED_DOWN}
"""The possible troubles of the power supply, with their messages."""


class SimSupply:
    """The power supply of a simulated machine. Implements the `Supply` port."""

    name = "power"
    kind = ""
    """The trouble, one of `POWER_TROUBLES`, or "" for none."""

    def trouble(self) -> str:
        """Return what is wrong with the power, in words, or ""."""
        return POWER_TROUBLES.get(self.kind, "")

    def close(self) -> None:
        """Do nothing: there is no device to release."""


class _SimOutput(SimDevice, ABC):
    """A simulated device that shows something and is then busy for a moment.

    Attributes:
        shows: how many frames or pictures it has taken.
        hurried: how many of them came while it was not ready: on a real device each would have delayed a scan. Both
            are read only.
    """

    def __init__(self, name: str, clock: SimClock, busy: float) -> None:
        super().__init__(name, clock)
        self._busy = busy
        self._busy_until = 0.0
        self.shows = 0
        self.hurried = 0

    def ready(self) -> bool:
        """Return whether the device can show something else now. True if its cable is pulled out."""
        if not self.plugged:
            return True
        now = self._clock.now()
        return now >= self._busy_until and now >= self._slow_until

    def unplug(self) -> None:
        """Pull out the cable. The device stays dark until it shows something after the cable is plugged in."""
        super().unplug()
        self.dark()

    @abstractmethod
    def dark(self) -> None:
        """Interrupt the power for a moment. The device is dark until it shows something."""

    @contextmanager
    def _taking(self) -> Iterator[None]:
        """Count one shown frame or picture, unless the body of the `with` raises an error."""
        hurried = not self.ready()
        yield
        self.shows += 1
        self.hurried += hurried
        self._busy_until = max(self._busy_until, self._clock.now()) + self._busy


class SimLamps(_SimOutput):
    """A simulated chain of lamps. Implements `Lamps`.

    Attributes:
        frame: the frame that shines, three bytes a lamp; all dark from the start or since the cable was pulled. Read
            only.
    """

    def __init__(self, count: int, clock: SimClock) -> None:
        super().__init__("lamps", clock, LAMPS_BUSY)
        self.count = count
        self.dark()

    def lit(self) -> dict[int, tuple[int, int, int]]:
        """Return the lamps that are lit: lamp -> red, green, blue."""
        frame = self.frame
        return {
            lamp: (frame[3 * lamp], frame[3 * lamp + 1], frame[3 * lamp + 2])
            for lamp in range(self.count)
            if any(frame[3 * lamp : 3 * lamp + 3])
        }

    def show(self, frame: bytes) -> None:
        """Show a frame. See `Lamps.show`."""
        self._need_cable()
        with self._taking():
            check_frame(frame, self.count)
            self.frame = frame

    def dark(self) -> None:
        """Interrupt the power for a moment. All lamps are dark until the next frame."""
        self.frame = bytes(3 * self.count)


class SimPanel(_SimOutput):
    """A simulated screen with one bit a pixel. Implements `Panel`.

    Attributes:
        pixels: the visible picture, eight pixels a byte, row by row; None while it is dark. The same object until the
            next picture comes. Read only.
    """

    def __init__(self, name: str, size: tuple[int, int], clock: SimClock) -> None:
        super().__init__(name, clock, PANEL_BUSY)
        self.size = size
        self.pixels: bytes | None = None

    @property
    def picture(self) -> Image.Image | None:
        """A copy of the picture on the screen, or None while it is dark."""
        return None if self.pixels is None else Image.frombytes("1", self.size, self.pixels)

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture. See `Panel.show`."""
        self._need_cable()
        with self._taking():
            check_picture(picture, self.size, self.name)
            self.pixels = None if picture is None else picture.tobytes()

    def dark(self) -> None:
        """Interrupt the power for a moment. The screen is dark until the next picture."""
        self.pixels = None


class SimKeys(SimDevice):
    """Simulated push buttons, which bounce like reeds. Implements `Keys`."""

    def __init__(self, names: Sequence[str], contacts: Contacts, clock: SimClock) -> None:
        super().__init__("keys", clock)
        self.names = tuple(names)
        self._contacts = contacts

    @property
    def held(self) -> frozenset[str]:
        """The keys that a finger holds down now."""
        return frozenset(name for key, name in enumerate(self.names) if self._contacts.intended >> key & 1)

    def read(self) -> int:
        """Return one raw sample of the keys. See `Keys.read`."""
        self._need_cable()
        contacts = self._contacts
        return contacts.settled if contacts.still else contacts.sample(self._clock.now())

    def hold(self, name: str) -> None:
        """Hold a key down."""
        bit = 1 << self._bit(name)
        if self._contacts.intended & bit:
            raise SimError(f"key {name} is held down already; release it first")
        self._contacts.set(self._contacts.intended | bit, self._clock.now())

    def release(self, name: str) -> None:
        """Release a key."""
        bit = 1 << self._bit(name)
        if not self._contacts.intended & bit:
            raise SimError(f"key {name} is not held down; hold it first")
        self._contacts.set(self._contacts.intended & ~bit, self._clock.now())

    def cut(self, prefix: str) -> None:
        """Cut the wires of the keys whose names begin with `prefix`, so that they read as released."""
        self._fault(prefix, "stuck_open")

    def mend(self, prefix: str) -> None:
        """Repair the wires of the keys whose names begin with `prefix`."""
        self._fault(prefix, "ok")

    def _fault(self, prefix: str, kind: ContactFault) -> None:
        for key, name in enumerate(self.names):
            if name.startswith(prefix):
                self._contacts.fault(key, kind)

    def _bit(self, name: str) -> int:
        if name not in self.names:
            raise SimError(f"there is no key {name!r}; keys are {', '.join(self.names) or 'none at all'}")
        return self.names.index(name)
