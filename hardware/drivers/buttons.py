"""Read push buttons on the Pi's own pins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.drivers.pins import PinGroup, pulled_up_input
from hardware.ports import BadDevice


class ButtonKeys:
    """Push buttons between a pin and ground, with the Pi's pull-ups. Implements the `Keys` port.

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
        """Return one raw sample, as `Keys.read`."""
        with self._group as devices:
            # The pin itself: the device's `value` takes more than twice as long.
            return sum(1 << key for key, device in enumerate(devices) if not device.pin.state)

    def close(self) -> None:
        """Release the pins. May be called twice."""
        self._group.close()
