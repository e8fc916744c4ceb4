"""Join strips of lamps to one logical chain, some of them with dead lamps at their beginning.

A dead lamp exists and passes data on but must stay dark: a sacrificed first lamp that lifts the level of the data line,
or one between the plug and the board.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hardware.current_limit import estimate_current
from hardware.ports import BadDevice, DeviceLost, Lamps, check_frame


@dataclass(frozen=True, slots=True)
class Strip:
    """One strip.

    Attributes:
        lamps: all its lamps.
        dead: how many of them, from the first on, stay dark and are not counted.
    """

    lamps: Lamps
    dead: int = 0

    @property
    def count(self) -> int:
        """The number of lamps that may shine."""
        return self.lamps.count - self.dead


class Strips:
    """One chain of several strips, one behind the other. Implements the `Lamps` port.

    Together the strips keep to a limit at every moment, even while only some have accepted a frame, and if one is lost
    and keeps its last frame. The worst possible frame of each is remembered: the accepted one; after a failed show,
    byte by byte the brighter of old and new. Light before the first frame, left by a program that was killed, is
    unknown and counts as dark.

    Args:
        strips: the strips; lamp 0 of the chain is the first lamp of the first that is not dead.
        max_milliamps: the current limit of all lamps that are not dead, together.

    Raises:
        BadDevice: no strips, or one whose dead lamps leave none.
    """

    def __init__(self, strips: Sequence[Strip], max_milliamps: float = math.inf) -> None:
        if not strips:
            raise BadDevice("lamps: a chain of no strips; there must be at least 1")
        for number, strip in enumerate(strips, 1):
            if not 0 <= strip.dead < strip.lamps.count:
                raise BadDevice(
                    f"lamps: strip {number} has {strip.dead} dead lamps of {strip.lamps.count}; "
                    f"there may be 0 to {strip.lamps.count - 1}"
                )
        self.count = sum(strip.count for strip in strips)
        self._strips = tuple(strips)
        self._max_milliamps = max_milliamps
        self._known = [bytes(3 * strip.count) for strip in strips]

    def ready(self) -> bool:
        """Return whether every strip can accept a frame now."""
        return all(strip.lamps.ready() for strip in self._strips)

    def show(self, frame: bytes) -> None:
        """Show a frame, as `Lamps.show`. Every strip gets its part, even if others are lost.

        Only if a lost strip may still be so bright that the limit leaves no room for another strip's part, that one
        keeps its old part.

        Raises:
            BadDevice: the frame has another length, or draws more than the limit.
            DeviceLost: at least one strip cannot be reached now; the message names them.
        """
        check_frame(frame, self.count)
        if (current := estimate_current(frame)) > self._max_milliamps:
            raise BadDevice(
                f"lamps: a frame of {current:g} mA; the strips may draw {self._max_milliamps:g} mA together"
            )
        parts = self._parts(frame)
        lost: dict[int, str] = {}
        # First those that draw less than before: they make room for the others.
        for number in sorted(range(len(parts)), key=lambda number: sum(parts[number]) - sum(self._known[number])):
            try:
                self._change(number, parts[number])
            except DeviceLost as error:
                why = str(error).removeprefix("lamps: ")
                lost[number] = f"strip {number + 1}: {why}" if len(parts) > 1 else why
        if lost:
            raise DeviceLost(f"lamps: {'; '.join(lost[number] for number in sorted(lost))}")

    def close(self) -> None:
        """Release all strips. The lamps keep the last frame."""
        for strip in self._strips:
            strip.lamps.close()

    def _parts(self, frame: bytes) -> list[bytes]:
        parts, first = [], 0
        for strip in self._strips:
            end = first + 3 * strip.count
            parts.append(frame[first:end])
            first = end
        return parts

    def _change(self, number: int, part: bytes) -> None:
        """Send one strip its part, if the limit allows it."""
        if not self._fits(number, part):
            return
        known = self._known[number]
        if not self._fits(number, bytes(map(max, known, part))):
            # During the change it would be too bright, with old and new light: first show only what both share.
            self._send(number, bytes(map(min, known, part)))
        self._send(number, part)

    def _send(self, number: int, part: bytes) -> None:
        """Send a strip its part, and assume the worst until it has accepted it."""
        strip = self._strips[number]
        self._known[number] = bytes(map(max, self._known[number], part))
        strip.lamps.show(bytes(3 * strip.dead) + part)
        self._known[number] = part

    def _fits(self, number: int, part: bytes) -> bool:
        """Return whether the limit allows a strip's part beside the others' light."""
        return (
            estimate_current(b"".join((*self._known[:number], part, *self._known[number + 1 :]))) <= self._max_milliamps
        )
