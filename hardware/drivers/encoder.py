"""Read a rotary encoder instead of two keys: each click of the knob is one press."""

from __future__ import annotations

from functools import partial
from threading import Lock
from typing import Any

from hardware.contacts.long_press import Pulses
from hardware.drivers.pins import PinGroup
from hardware.ports import BadDevice, Clock, DeviceLost

MOST_WAITING = 4
"""Clicks that may wait to become presses.

A press and the pause after it take `2 * PULSE`, so the list stops scrolling half a second after the knob does.
What a faster spin adds is dropped: whoever spins on for that long is looking where the list stops, not counting.
"""

_LGPIO = '[pi] pin_factory = "lgpio"'


class EncoderKeys:
    """A rotary encoder (quadrature, two contacts to ground) as two keys. Implements the `Keys` port.

    gpiozero counts the clicks on a thread of its own, by the edges of the pins; `read` turns them into presses of
    `PULSE` seconds with as long a pause between them. A click back takes away one that is still waiting. Bounce of
    the contacts only moves gpiozero's `RotaryEncoder` to and fro within a click.

    Args:
        clk: BCM GPIO number of the contact that leads when the knob is turned clockwise: CLK, or A.
        dt: BCM GPIO number of the other contact: DT, or B.
        factory: the gpiozero pin factory.
        clock: the clock for the presses.
        names: the key that a click anticlockwise presses, and that of a click clockwise.

    Raises:
        BadDevice: both pins or both names are the same, or a pin does not exist or serves another device.
    """

    def __init__(
        self,
        clk: int,
        dt: int,
        factory: Any,
        clock: Clock,
        names: tuple[str, str] = ("handset.up", "handset.down"),
    ) -> None:
        if clk == dt:
            raise BadDevice(f"keys: CLK and DT of the encoder are both on GPIO {clk}; give each a pin of its own")
        if names[0] == names[1]:
            raise BadDevice(f"keys: the encoder presses {names[0]} both ways; name one key for each way")
        self._pins = clk, dt
        self._factory = factory
        self._clock = clock
        self.names = names
        self._lock = Lock()
        self._waiting = 0  # clicks that are not yet presses; below 0 if anticlockwise
        self._pulses = Pulses()
        try:
            self._group = PinGroup("keys", [(clk, self._make)])
        except BadDevice as error:
            raise BadDevice(self._of_both_pins(error)) from error

    def read(self) -> int:
        """Return one sample, as `Keys.read`."""
        try:
            with self._group:
                return self._pressed(self._clock.now())
        except DeviceLost as error:
            raise DeviceLost(
                f"{self._of_both_pins(error)}; the encoder needs edges too, which RPi.GPIO has not "
                f"on kernels from 6.6 on: there set {_LGPIO}"
            ) from error

    def close(self) -> None:
        """Release the pins and forget the clicks that still wait. May be called twice."""
        self._group.close()
        with self._lock:
            self._waiting = 0

    def _make(self) -> Any:
        from gpiozero import RotaryEncoder  # noqa: PLC0415 - only a Pi has it

        clk, dt = self._pins
        encoder = RotaryEncoder(clk, dt, max_steps=0, pin_factory=self._factory)
        encoder.when_rotated_counter_clockwise = partial(self._click, -1)
        encoder.when_rotated_clockwise = partial(self._click, 1)
        return encoder

    def _of_both_pins(self, error: Exception) -> str:
        """Return a complaint about CLK as one about either pin: gpiozero takes them together."""
        clk, dt = self._pins
        return str(error).replace(f"GPIO {clk}", f"GPIO {clk} (CLK) or GPIO {dt} (DT)", 1)

    def _pressed(self, now: float) -> int:
        """Return the key that is down, once a click that waits has had its turn."""
        with self._lock:
            if self._pulses.held or not self._waiting:
                return self._pulses.toward(0, now)
            key, click = (1, -1) if self._waiting < 0 else (2, 1)
            held = self._pulses.toward(key, now)
            if held:
                self._waiting -= click
            return held

    def _click(self, way: int) -> None:
        """Take one click, on gpiozero's thread."""
        with self._lock:
            self._waiting = max(-MOST_WAITING, min(MOST_WAITING, self._waiting + way))
