"""Contacts on pins of their own: one GPIO a station, for the smallest boards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from hardware.drivers.pins import Lines
from hardware.ports import BadDevice


class GpioSwitches:
    """Contacts between a pin and ground, each pin pulled up by the Pi itself. Implements the `Switches` port.

    The number of an input is the BCM number of its GPIO, so a wiring names pins; the inputs between are never closed.

    Args:
        pins: BCM GPIO numbers, at least one.
        factory: the gpiozero pin factory.

    Raises:
        BadDevice: no pins, or one that is named twice, does not exist or serves another device.
    """

    def __init__(self, pins: Sequence[int], factory: Any) -> None:
        from gpiozero import InputDevice  # noqa: PLC0415 - only a Pi has it

        if not pins:
            raise BadDevice("switches: no pins are named; name one a station")
        self._pins = tuple(pins)
        # InputDevice, not DigitalInputDevice, which would have the library watch every edge on a thread of its own.
        self._lines = Lines(
            "switches", [(pin, partial(InputDevice, pin, pull_up=True, pin_factory=factory)) for pin in self._pins]
        )

    @property
    def count(self) -> int:
        """One more than the highest GPIO number."""
        return max(self._pins) + 1

    def read(self) -> int:
        """One raw sample: bit *n* is 1 while the contact on GPIO *n* is closed. Not debounced.

        Raises:
            DeviceLost: the pins cannot be read now.
        """
        with self._lines as devices:
            return sum(device.value << pin for pin, device in zip(self._pins, devices, strict=True))

    def place(self, number: int) -> str:
        """Where a human finds an input: "GPIO 17".

        Raises:
            BadDevice: no contact is on that GPIO.
        """
        if number not in self._pins:
            raise BadDevice(
                f"switches: there is no input {number}; inputs are the GPIOs {', '.join(map(str, sorted(self._pins)))}"
            )
        return f"GPIO {number}"

    def close(self) -> None:
        """Lets go of the pins. May be called twice."""
        self._lines.close()
