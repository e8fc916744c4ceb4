"""Limit the lamps' current as the last step before they get a frame, so that every frame is limited.

The estimate is the strict one for WS2812 lamps: 1 mA for each lamp that has power, and 20 mA for each colour channel at
255, in proportion below it. All currents are in milliamps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from functools import cache

from hardware.ports import BadDevice, Lamps, check_frame

IDLE = 1.0
"""Milliamps of a dark lamp."""

CHANNEL = 20.0
"""Milliamps of one colour channel at 255."""

_FULL = 256


def estimate_current(frame: bytes) -> float:
    """Estimate how many milliamps a frame of three bytes a lamp draws. Pure.

    Raises:
        BadDevice: the length of the frame is no multiple of three.
    """
    if len(frame) % 3:
        raise BadDevice(f"lamps: a frame of {len(frame)} bytes; a frame has three bytes a lamp")
    return len(frame) // 3 * IDLE + CHANNEL * sum(frame) / 255


def limit_current(frame: bytes, max_milliamps: float) -> bytes:
    """Return `frame`, or a copy that is dimmed to `max_milliamps`. Pure.

    Every byte is scaled by the same k/256, rounded down, so colours keep their hue as well as eight bits can.

    Args:
        frame: three bytes a lamp.
        max_milliamps: the most that the lamps may draw together, idle current included.

    Raises:
        BadDevice: the length of the frame is no multiple of three, or the limit does not even cover the
            current of the dark lamps.
    """
    current = estimate_current(frame)
    if current <= max_milliamps:
        return frame
    rest = _light_budget(len(frame) // 3, max_milliamps)
    k = math.floor(_FULL * rest / (CHANNEL * sum(frame) / 255))
    scaled = frame.translate(_scale_table(k))
    while estimate_current(scaled) > max_milliamps:
        # Floating point rounded a tie upwards: one step darker is certainly within the limit.
        k -= 1
        scaled = frame.translate(_scale_table(k))
    return scaled


class LimitedLamps:
    """Lamps that never draw more than a limit, with any frame. Implements `Lamps`.

    Wrap the device itself and hand out only the wrapper: then no caller can bypass the limit. A frame equal to the one
    that shines already is not sent again.

    Args:
        lamps: the lamps to use.
        max_milliamps: the most that they may draw together with the spare ones, at least the idle current of all.
        brightness: 0 to 1; scales every frame before the limit is applied.
        gamma: above 0; a byte shines as (brightness * byte / 255) ** gamma. At 1 half the byte is half the light, at
            2.2 about half as bright to the eye.
        spare: milliamps drawn beside `lamps` by lamps that never shine, such as a strip's dead first ones.

    Attributes:
        count: number of lamps.
        max_milliamps: the limit.
        shining: the frame that shines, dimmed and limited: three bytes a lamp; None if unknown. All are read only.

    Raises:
        BadDevice: the limit does not cover the idle current, or another value is out of its range.
    """

    def __init__(
        self,
        lamps: Lamps,
        max_milliamps: float,
        brightness: float = 1.0,
        gamma: float = 1.0,
        spare: float = 0.0,
    ) -> None:
        if not 0 <= brightness <= 1:
            raise BadDevice(f"lamps: brightness {brightness} is not between 0 and 1")
        if not 0 < gamma < math.inf:
            raise BadDevice(f"lamps: gamma {gamma} is not above 0")
        if not 0 <= spare < math.inf:
            raise BadDevice(f"lamps: a spare current of {spare} mA is not 0 or more")
        _light_budget(lamps.count, max_milliamps, spare)
        self._lamps = lamps
        self.count = lamps.count
        self.max_milliamps = max_milliamps
        self._max_for_lamps = max_milliamps - spare
        self._dim = _scale_table(round(_FULL * brightness)) if gamma == 1 else _gamma_table(brightness, gamma)
        self._asked: bytes | None = None
        self.shining: bytes | None = None

    def ready(self) -> bool:
        """Return whether the lamps can take another frame now."""
        return self._lamps.ready()

    def show(self, frame: bytes) -> None:
        """Show a frame, dimmed and limited. Skip it if the lamps already show it, unless `forget` was called."""
        if frame == self._asked:
            return
        check_frame(frame, self.count)
        limited = self.limited(frame)
        if limited != self.shining:
            # Unknown until the device has accepted the new frame: after a failure anything may shine.
            self.forget()
            self._lamps.show(limited)
            self.shining = limited
        self._asked = frame

    def limited(self, frame: bytes) -> bytes:
        """Return a frame as the lamps would show it: dimmed and limited. Pure."""
        return limit_current(frame.translate(self._dim), self._max_for_lamps)

    def close(self) -> None:
        """Close the lamps. This may be called twice."""
        self._lamps.close()

    def with_device(self, wrap: Callable[[Lamps], Lamps]) -> LimitedLamps:
        """Return lamps with the same limit on the device that `wrap` returns, given the present device."""
        others = copy(self)
        others._lamps = wrap(self._lamps)  # noqa: SLF001 - the same class
        return others

    def forget(self) -> None:
        """Send the next frame even if it equals the last one, because lamps do not report a loss of power."""
        self._asked = self.shining = None


def _light_budget(lamps: int, max_milliamps: float, spare: float = 0.0) -> float:
    """Return the milliamps left for light: the limit minus the current of dark lamps and of spare lamps."""
    dark = lamps * IDLE
    for_lamps = max_milliamps - spare
    if not for_lamps >= dark:
        more = f", beside {spare:g} mA for spare ones" if spare else ""
        raise BadDevice(
            f"lamps: a limit of {max_milliamps:g} mA is below the {dark:g} mA that {lamps} lamps draw when dark{more}; "
            f"allow at least {dark + spare:g} mA"
        )
    return for_lamps - dark


@cache
def _scale_table(k: int) -> bytes:
    """Return the table that scales every byte by k / 256, rounded down. k is 0 to 256."""
    return bytes(byte * k >> 8 for byte in range(256))


@cache
def _gamma_table(brightness: float, gamma: float) -> bytes:
    """Return the table from a byte to its brightness after gamma correction.

    No byte above 0 becomes 0, unless `brightness` is 0.
    """
    least = 1 if brightness else 0
    return bytes([0, *(max(least, round(255 * (brightness * byte / 255) ** gamma)) for byte in range(1, 256))])
