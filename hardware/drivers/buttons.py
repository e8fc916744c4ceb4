"""Read push buttons and a rotary encoder on the Pi's pins, joined as one device of keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from threading import RLock
from typing import Any

from hardware.contacts.debounce import Pulses
from hardware.drivers.pins import PinGroup, pulled_up_input
from hardware.ports import BadDevice, Clock, DeviceLost, Keys


class ButtonKeys:
    """Push buttons between a pin and ground, with the Pi's pull-ups. Implements `Keys`.

    The pins are polled and not debounced. gpiozero's `Button` would watch edges, which RPi.GPIO does not get from
    kernels since 6.6 (raspberrypi/linux #6037).

    Args:
        pins: name of the key -> BCM GPIO number, at least one; the order is that of `names`.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: no keys, two on one pin, or a pin that does not exist or serves another device.
    """

    def __init__(self, pins: Mapping[str, int], factory: Any) -> None:
        if not pins:
            raise BadDevice("keys: no keys are named; name at least one and its GPIO")
        owner: dict[int, str] = {}
        for name, pin in pins.items():
            if pin in owner:
                raise BadDevice(f"keys: {owner[pin]} and {name} are both on GPIO {pin}; give each a pin of its own")
            owner[pin] = name
        self.names = tuple(pins)
        self._group = PinGroup("keys", [(pin, pulled_up_input(pin, factory)) for pin in pins.values()])

    def read(self) -> int:
        """Return one raw sample of the buttons. See `Keys.read`."""
        with self._group as devices:
            # The pin itself: the device's `value` takes more than twice as long.
            return sum(1 << key for key, device in enumerate(devices) if not device.pin.state)

    def close(self) -> None:
        """Release the pins. This may be called twice."""
        self._group.close()


class JoinedKeys:
    """Several devices of keys joined as one. Implements `Keys`.

    Args:
        parts: the devices; their names follow each other, and a shared name is one key, held down while it is held down
            on either.

    Raises:
        BadDevice: no device is given.
    """

    def __init__(self, *parts: Keys) -> None:
        if not parts:
            raise BadDevice("keys: there is nothing to join; give at least one device of keys")
        self._parts = parts
        self.names = tuple(dict.fromkeys(name for part in parts for name in part.names))
        self._bits = tuple(tuple(1 << self.names.index(name) for name in part.names) for part in parts)

    def read(self) -> int:
        """Return one raw sample of all keys. If one of the devices is lost, all are. See `Keys.read`."""
        held = 0
        for part, bits in zip(self._parts, self._bits, strict=True):
            sample = part.read()
            if sample:
                for key, bit in enumerate(bits):
                    if sample >> key & 1:
                        held |= bit
        return held

    def close(self) -> None:
        """Close every device. This may be called twice."""
        for part in self._parts:
            part.close()


MOST_WAITING = 4
"""The most clicks waiting to become presses.

A press and the pause after it take `2 * PULSE`, so the list stops scrolling half a second after the knob stops. More
clicks of a fast spin are dropped: a person who spins for that long watches where the list stops, and does not count.
"""

_LGPIO = '[pi] pin_factory = "lgpio"'

TRANSITIONS = (4, 2, 1)
"""The possible numbers of changes of both contacts together from one detent to the next."""

_CYCLE = ((False, False), (True, False), (True, True), (False, True))
"""Whether CLK and DT are closed, one transition after another clockwise."""


class EncoderKeys:
    """A rotary encoder with two contacts to ground, whose clicks press one of two keys. Implements `Keys`.

    gpiozero reports the edges of the pins on a thread of its own. The changes from one detent to the next, all in one
    direction, make a click. The changes of a bouncing contact cancel each other. `read` turns clicks into presses of
    `PULSE` seconds with as long a pause between them. A click back cancels a click that is still waiting.

    Args:
        clk: BCM GPIO number of the contact that leads when the knob is turned clockwise: CLK, or A.
        dt: BCM GPIO number of the other contact: DT, or B.
        factory: the gpiozero pin factory.
        clock: the clock for the presses.
        names: the key that an anticlockwise click presses, and the key that a clockwise click presses.
        transitions: how often the contacts change in a click, one of `TRANSITIONS`.

    Raises:
        BadDevice: both pins or both names are the same, no encoder has so many transitions, or a pin does not exist
            or serves another device.
    """

    def __init__(
        self,
        clk: int,
        dt: int,
        factory: Any,
        clock: Clock,
        names: tuple[str, str] = ("handset.up", "handset.down"),
        transitions: int = 4,
    ) -> None:
        if names[0] == names[1]:
            raise BadDevice(f"keys: the encoder presses {names[0]} both ways; name one key for each way")
        if transitions not in TRANSITIONS:
            raise BadDevice(f"keys: {transitions} transitions a click; an encoder has 4, 2 or 1")
        self._factory = factory
        self._clock = clock
        self.names = names
        self._transitions = transitions
        self._lock = RLock()
        self._closed = [False, False]  # CLK and DT
        self._turned = 0  # transitions clockwise since the last click
        self._waiting = 0  # clicks that are not yet presses; below 0 if anticlockwise
        self._pulses = Pulses()
        contacts = [(pin, partial(self._make, contact, pin)) for contact, pin in enumerate((clk, dt))]
        self._group = PinGroup("keys", contacts)

    def read(self) -> int:
        """Return one sample of the two keys. See `Keys.read`."""
        try:
            with self._group:
                return self._pressed(self._clock.now())
        except DeviceLost as error:
            raise DeviceLost(
                f"{error}; the encoder needs pin edges, which RPi.GPIO lacks on kernels from 6.6 on; set {_LGPIO}"
            ) from error

    def close(self) -> None:
        """Release the pins and forget clicks that still wait. This may be called twice."""
        self._group.close()
        with self._lock:
            self._waiting = 0

    def _make(self, contact: int, pin: int) -> Any:
        from gpiozero import DigitalInputDevice  # noqa: PLC0415 - only a Pi has it

        with self._lock:  # edges wait until the knob's position, at a detent, is known
            device = DigitalInputDevice(pin, pull_up=True, pin_factory=self._factory)
            device.when_activated = lambda: self._change(contact, closed=True)
            device.when_deactivated = lambda: self._change(contact, closed=False)
            self._closed[contact] = device.is_active
            self._turned = 0
            return device

    def _change(self, contact: int, *, closed: bool) -> None:
        """React to an opened or closed contact, on gpiozero's thread."""
        with self._lock:
            before = _CYCLE.index((self._closed[0], self._closed[1]))
            self._closed[contact] = closed
            after = _CYCLE.index((self._closed[0], self._closed[1]))
            self._turned += (after - before + 1) % 4 - 1  # one contact changes at a time: -1, 0 or 1
            if abs(self._turned) == self._transitions:
                way = self._turned // self._transitions
                self._waiting = max(-MOST_WAITING, min(MOST_WAITING, self._waiting + way))
                self._turned = 0

    def _pressed(self, now: float) -> int:
        """Return the key that is down now. A waiting click starts to press its key."""
        with self._lock:
            if self._pulses.held or not self._waiting:
                return self._pulses.toward(0, now)
            key, click = (1, -1) if self._waiting < 0 else (2, 1)
            held = self._pulses.toward(key, now)
            if held:
                self._waiting -= click
            return held
