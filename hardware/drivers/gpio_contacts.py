"""Read contacts on pins of their own: one GPIO per station, for the smallest boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware.drivers.pins import PinGroup, pulled_up_input
from hardware.ports import BadDevice


class GpioSwitches:
    """Contacts between a pin and ground, with the Pi's pull-ups. Implements the `Switches` port.

    The number of an input is the BCM number of its GPIO, so a wiring names pins; the inputs between are never closed.

    Args:
        pins: BCM GPIO numbers, at least one.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: no pins, or one that is named twice, does not exist or serves another device.
    """

    def __init__(self, pins: Sequence[int], factory: Any) -> None:
        if not pins:
            raise BadDevice("switches: no pins are named; name one a station")
        self._pins = tuple(pins)
        self.count = max(pins) + 1
        self._group = PinGroup("switches", [(pin, pulled_up_input(pin, factory)) for pin in self._pins])

    def read(self) -> int:
        """Return one raw sample, as `Switches.read`: bit *n* is the contact on GPIO *n*."""
        with self._group as devices:
            return sum(device.value << pin for pin, device in zip(self._pins, devices, strict=True))

    def place(self, number: int) -> str:
        """Return an input's place for people, as `Switches.place`: "GPIO 17"."""
        if number not in self._pins:
            raise BadDevice(
                f"switches: there is no input {number}; inputs are the GPIOs {', '.join(map(str, sorted(self._pins)))}"
            )
        return f"GPIO {number}"

    def close(self) -> None:
        """Release the pins. May be called twice."""
        self._group.close()
