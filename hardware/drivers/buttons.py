"""Push buttons on the Pi's own pins, and several devices of keys as one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from hardware.drivers.pins import Lines
from hardware.ports import BadDevice, Keys


class ButtonKeys:
    """Push buttons between a pin and ground, each pin pulled up by the Pi itself. Implements the `Keys` port.

    The pins are gpiozero's `InputDevice`, which is polled. Its `Button` watches edges as well: every bounce would
    wake a thread for nothing, and RPi.GPIO gets no edges from kernels since 6.6 (raspberrypi/linux #6037), so that a
    `Button` cannot even be made. Bounce is left in for whoever debounces.

    Args:
        pins: name of the key -> BCM GPIO number, at least one; the order is that of `names`.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: no keys, two on one pin, or a pin that does not exist or serves another device.
    """

    def __init__(self, pins: Mapping[str, int], factory: Any) -> None:
        from gpiozero import InputDevice  # noqa: PLC0415 - only a Pi has it

        if not pins:
            raise BadDevice("keys: no keys are named; name at least one and its GPIO")
        owner: dict[int, str] = {}
        for name, pin in pins.items():
            if pin in owner:
                raise BadDevice(f"keys: {owner[pin]} and {name} are both on GPIO {pin}; give each a pin of its own")
            owner[pin] = name
        self._names = tuple(pins)
        self._lines = Lines(
            "keys", [(pin, partial(InputDevice, pin, pull_up=True, pin_factory=factory)) for pin in pins.values()]
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys, in the order they were given in."""
        return self._names

    def read(self) -> int:
        """One raw sample, bit *k* for key *k*.

        Raises:
            DeviceLost: the pins cannot be read now.
        """
        with self._lines as devices:
            # The pin itself: asking gpiozero for the device's `value` takes more than twice as long.
            return sum(1 << key for key, device in enumerate(devices) if not device.pin.state)

    def close(self) -> None:
        """Lets go of the pins. May be called twice."""
        self._lines.close()


class JoinedKeys:
    """Several devices of keys as one. Implements the `Keys` port.

    Args:
        parts: the devices; their names follow each other, and a name that two of them have is one key, held down
            while it is held down on either.

    Raises:
        BadDevice: there is no part.
    """

    def __init__(self, *parts: Keys) -> None:
        if not parts:
            raise BadDevice("keys: there is nothing to join; give at least one device of keys")
        self._parts = parts
        self._names = tuple(dict.fromkeys(name for part in parts for name in part.names))
        self._bits = tuple(tuple(1 << self._names.index(name) for name in part.names) for part in parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all keys, each once."""
        return self._names

    def read(self) -> int:
        """One raw sample, bit *k* for key *k*.

        Raises:
            DeviceLost: one of the devices cannot be read now.
        """
        held = 0
        for part, bits in zip(self._parts, self._bits, strict=True):
            sample = part.read()
            if sample:
                for key, bit in enumerate(bits):
                    if sample >> key & 1:
                        held |= bit
        return held

    def close(self) -> None:
        """Let go of every device. May be called twice."""
        for part in self._parts:
            part.close()
