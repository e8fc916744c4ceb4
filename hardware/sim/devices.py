"""Simulate the devices: the ports' protocols on one side, cables to pull and pictures to look at on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random

from PIL import Image

from hardware.ports import BadDevice, DeviceLost
from hardware.raspberry_pi.power_supply import SLOWED_DOWN, UNDER_VOLTAGE
from hardware.sim.bouncing_contacts import Contacts
from hardware.sim.sim_errors import SimError
from hardware.sim.virtual_clock import SimClock

LAMPS_BUSY = 0.007
"""Seconds that a frame takes on the wire of 223 lamps."""

PANEL_BUSY = 0.025
"""Seconds that a picture takes on I2C at 400 kHz."""

SLOW = 1.0
"""Seconds for which the fault "slow" delays a device."""

GARBAGE = 0.04
"""Seconds for which the fault "garbage" spoils the samples."""

SPOILT: Mapping[str, Callable[[int, int], int]] = {
    "ones": lambda sample, whole: sample | whole,
    "zeros": lambda sample, whole: sample & ~whole,
    "shift_early": lambda sample, whole: (sample & whole) >> 1,
    "shift_late": lambda sample, whole: sample << 1 & whole,
    "shift_chip": lambda sample, whole: (sample & whole) >> 8,
}
"""Faults of the line that change every sample (the second number has every contact's bit set): each contact closed or
open, or each shifted to the place before it, after it, or eight places before it."""


class SimDevice:
    """A device on a cable that can be pulled, on a line that can be slow.

    Args:
        name: its name in messages.
        clock: the table's clock.
    """

    def __init__(self, name: str, clock: SimClock) -> None:
        self.name = name
        self._clock = clock
        self._plugged = True
        self._slow_until = 0.0

    @property
    def plugged(self) -> bool:
        """Return whether its cable is plugged in."""
        return self._plugged

    def unplug(self) -> None:
        """Pull the cable: from now on the device raises DeviceLost."""
        self._plugged = False

    def replug(self) -> None:
        """Plug the cable in; that also ends any slowness."""
        self._plugged = True
        self._slow_until = 0.0

    def close(self) -> None:
        """Do nothing: nothing is held."""

    def slow(self) -> None:
        """Delay the device for `SLOW` seconds."""
        self._slow_until = self._clock.now() + SLOW

    def _need_cable(self) -> None:
        if not self._plugged:
            raise DeviceLost(f"{self.name}: no answer; the cable is unplugged")


class SimSwitches(SimDevice):
    """The reeds, read through their line. Implements the `Switches` port."""

    def __init__(self, contacts: Contacts, clock: SimClock, rng: Random) -> None:
        super().__init__("switches", clock)
        self._contacts = contacts
        self._rng = rng
        self._sound = True
        self._spoilt = ""
        self._repeated = 0
        self._garbage_until = 0.0

    @property
    def spoilt(self) -> str:
        """Return the fault that changes every sample, one of `SPOILT`, or "" for none."""
        return self._spoilt

    @property
    def count(self) -> int:
        """Return the number of inputs, one a spot."""
        return self._contacts.count

    def place(self, number: int) -> str:
        """Return where an input is found: a simulated board has inputs and nothing else.

        Raises:
            BadDevice: there is no such input.
        """
        if not 0 <= number < self.count:
            raise BadDevice(f"switches: there is no input {number}; inputs are 0 to {self.count - 1}")
        return f"input {number}"

    def read(self) -> int:
        """Return one raw sample, bit *s* for spot *s*.

        Raises:
            DeviceLost: the line is unplugged.
        """
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
        if self._spoilt:
            return SPOILT[self._spoilt](contacts.sample(now), (1 << self.count) - 1)
        self._sound = True
        return contacts.sample(now)

    def unplug(self) -> None:
        """Pull the cable: `read` raises DeviceLost."""
        super().unplug()
        self._sound = False

    def replug(self) -> None:
        """Plug the cable in; that ends slowness, garbage and spoilt samples."""
        super().replug()
        self._garbage_until = 0.0
        self._spoilt = ""
        self._sound = True

    def slow(self) -> None:
        """Repeat the present sample for `SLOW` seconds."""
        now = self._clock.now()
        if now >= self._slow_until:
            self._repeated = self._contacts.sample(now)
        super().slow()
        self._sound = False

    def garbage(self) -> None:
        """Return random samples for `GARBAGE` seconds."""
        self._garbage_until = self._clock.now() + GARBAGE
        self._sound = False

    def spoil(self, kind: str) -> None:
        """Change every sample from now on in one of the ways of `SPOILT`."""
        self._spoilt = kind
        self._sound = False


POWER_TROUBLES = {"under_voltage": UNDER_VOLTAGE, "throttled": SLOWED_DOWN}
"""The possible troubles of the power supply, with their messages."""


class SimSupply:
    """The power supply of a simulated machine. Implements the `Supply` port."""

    name = "power"
    kind = ""
    """The trouble, one of `POWER_TROUBLES`, or "" for none."""

    def trouble(self) -> str:
        """Return what is wrong with the power, in words; "" for nothing."""
        return POWER_TROUBLES.get(self.kind, "")

    def close(self) -> None:
        """Do nothing: nothing is held."""


class _SimOutput(SimDevice):
    """A device that shows something and is busy for a while each time."""

    def __init__(self, name: str, clock: SimClock, busy: float) -> None:
        super().__init__(name, clock)
        self._busy = busy
        self._busy_until = 0.0
        self._shows = 0
        self._hurried = 0

    @property
    def shows(self) -> int:
        """Return how many frames or pictures it has taken."""
        return self._shows

    @property
    def hurried(self) -> int:
        """Return how many of them came while it was not ready: on a real device each would have delayed a scan."""
        return self._hurried

    def ready(self) -> bool:
        """Return whether it can take the next one now. An unplugged device returns True: only trying finds out."""
        if not self._plugged:
            return True
        now = self._clock.now()
        return now >= self._busy_until and now >= self._slow_until

    @contextmanager
    def _taking(self) -> Iterator[None]:
        """Count the frame or picture taken in the block, if nothing was wrong with it."""
        hurried = not self.ready()
        yield
        self._shows += 1
        self._hurried += hurried
        self._busy_until = max(self._busy_until, self._clock.now()) + self._busy


class SimLamps(_SimOutput):
    """A chain of lamps. Implements the `Lamps` port.

    Args:
        count: number of lamps.
        clock: the table's clock.
    """

    def __init__(self, count: int, clock: SimClock) -> None:
        super().__init__("lamps", clock, LAMPS_BUSY)
        self._count = count
        self._frame = bytes(3 * count)

    @property
    def count(self) -> int:
        """Return the number of lamps."""
        return self._count

    @property
    def frame(self) -> bytes:
        """Return the frame that shines: three bytes a lamp, all dark since the start or since the cable was pulled."""
        return self._frame

    def lit(self) -> dict[int, tuple[int, int, int]]:
        """Return lamp -> red, green, blue, for the lamps that are not dark."""
        frame = self._frame
        return {
            lamp: (frame[3 * lamp], frame[3 * lamp + 1], frame[3 * lamp + 2])
            for lamp in range(self._count)
            if any(frame[3 * lamp : 3 * lamp + 3])
        }

    def show(self, frame: bytes) -> None:
        """Show a frame: three bytes (red, green, blue) a lamp, lamp 0 first.

        Raises:
            BadDevice: the frame has another length.
            DeviceLost: the lamps are unplugged.
        """
        self._need_cable()
        with self._taking():
            if len(frame) != 3 * self._count:
                raise BadDevice(f"lamps: a frame of {len(frame)} bytes; {self._count} lamps take {3 * self._count}")
            self._frame = frame

    def unplug(self) -> None:
        """Pull the cable: the lamps go dark until a frame comes after the cable is plugged in again."""
        super().unplug()
        self.dark()

    def dark(self) -> None:
        """Interrupt the power for a moment: all lamps are dark until the next frame comes."""
        self._frame = bytes(3 * self._count)


class SimPanel(_SimOutput):
    """A one-bit screen. Implements the `Panel` port.

    Args:
        name: "handset" or "display", for messages.
        size: width and height in pixels.
        clock: the table's clock.
    """

    def __init__(self, name: str, size: tuple[int, int], clock: SimClock) -> None:
        super().__init__(name, clock, PANEL_BUSY)
        self._size = size
        self._pixels: bytes | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self._size

    @property
    def picture(self) -> Image.Image | None:
        """Return a copy of the visible picture, or None while it is dark."""
        return None if self._pixels is None else Image.frombytes("1", self._size, self._pixels)

    @property
    def pixels(self) -> bytes | None:
        """Return the visible picture, eight pixels a byte, row by row; the same object until the next picture comes."""
        return self._pixels

    def show(self, picture: Image.Image | None) -> None:
        """Show a picture of mode "1" and of this panel's size, or go dark for None.

        Raises:
            BadDevice: another mode or size.
            DeviceLost: the panel is unplugged.
        """
        self._need_cable()
        with self._taking():
            if picture is not None and (picture.mode != "1" or picture.size != self._size):
                raise BadDevice(
                    f'{self.name}: a picture of mode "{picture.mode}", {picture.size[0]}x{picture.size[1]}; '
                    f'it takes mode "1", {self._size[0]}x{self._size[1]}'
                )
            self._pixels = None if picture is None else picture.tobytes()

    def unplug(self) -> None:
        """Pull the cable: the screen goes dark until a picture comes after the cable is plugged in again."""
        super().unplug()
        self.dark()

    def dark(self) -> None:
        """Interrupt the power for a moment: the screen is dark until the next picture comes."""
        self._pixels = None


class SimKeys(SimDevice):
    """Push buttons, which bounce like reeds. Implements the `Keys` port.

    Args:
        names: the names of the keys; a key's index is its bit.
        contacts: their contacts, one a key.
        clock: the table's clock.
    """

    def __init__(self, names: Sequence[str], contacts: Contacts, clock: SimClock) -> None:
        super().__init__("keys", clock)
        self._names = tuple(names)
        self._contacts = contacts

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the keys."""
        return self._names

    @property
    def held(self) -> frozenset[str]:
        """Return the keys that a finger holds down."""
        return frozenset(name for key, name in enumerate(self._names) if self._contacts.intended >> key & 1)

    def read(self) -> int:
        """Return one raw sample, bit *k* for key *k*.

        Raises:
            DeviceLost: the keys are unplugged.
        """
        self._need_cable()
        contacts = self._contacts
        return contacts.settled if contacts.still else contacts.sample(self._clock.now())

    def hold(self, name: str) -> None:
        """Hold a key down.

        Raises:
            SimError: there is no such key, or it is held down already.
        """
        bit = 1 << self._bit(name)
        if self._contacts.intended & bit:
            raise SimError(f"key {name} is held down already; release it first")
        self._contacts.set(self._contacts.intended | bit, self._clock.now())

    def release(self, name: str) -> None:
        """Release a key.

        Raises:
            SimError: there is no such key, or it is not held down.
        """
        bit = 1 << self._bit(name)
        if not self._contacts.intended & bit:
            raise SimError(f"key {name} is not held down; hold it first")
        self._contacts.set(self._contacts.intended & ~bit, self._clock.now())

    def cut(self, prefix: str) -> None:
        """Cut the wires of the keys whose names begin with `prefix`: they read as not held down."""
        for key, name in enumerate(self._names):
            if name.startswith(prefix):
                self._contacts.fault(key, "stuck_open")

    def mend(self, prefix: str) -> None:
        """Join the wires of the keys whose names begin with `prefix` again."""
        for key, name in enumerate(self._names):
            if name.startswith(prefix):
                self._contacts.fault(key, "ok")

    def _bit(self, name: str) -> int:
        if name not in self._names:
            raise SimError(f"there is no key {name!r}; keys are {', '.join(self._names) or 'none at all'}")
        return self._names.index(name)
