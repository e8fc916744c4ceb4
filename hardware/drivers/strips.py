"""Several strips of lamps in one logical chain, some of them with dead lamps at their beginning.

A dead lamp is one that is there and passes data on but is not to shine: a sacrificed first lamp that lifts the level
of the data line, or one that hangs between the plug and the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.drivers.pixels import check_frame
from hardware.ports import BadDevice, DeviceLost, Lamps


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
        """Number of lamps that may shine."""
        return self.lamps.count - self.dead


class Strips:
    """One chain of several strips, one behind the other. Implements the `Lamps` port.

    Args:
        strips: the strips; lamp 0 of the chain is the first lamp of the first that is not dead.

    Raises:
        BadDevice: no strips, or one whose dead lamps leave none.
    """

    def __init__(self, strips: Sequence[Strip]) -> None:
        if not strips:
            raise BadDevice("lamps: a chain of no strips; there must be at least 1")
        for number, strip in enumerate(strips, 1):
            if not 0 <= strip.dead < strip.lamps.count:
                raise BadDevice(
                    f"lamps: strip {number} has {strip.dead} dead lamps of {strip.lamps.count}; "
                    f"there may be 0 to {strip.lamps.count - 1}"
                )
        self._strips = tuple(strips)

    @property
    def count(self) -> int:
        """Number of lamps that may shine, in all strips."""
        return sum(strip.count for strip in self._strips)

    def ready(self) -> bool:
        """Whether every strip can take a frame now without making the caller wait."""
        return all(strip.lamps.ready() for strip in self._strips)

    def show(self, frame: bytes) -> None:
        """Shine: three bytes (red, green, blue) a lamp, lamp 0 first. Every strip gets its part, lost others or not.

        Raises:
            BadDevice: the frame has another length.
            DeviceLost: one strip or more cannot be reached now; the message names them.
        """
        check_frame(frame, self.count)
        lost = []
        first = 0
        for number, strip in enumerate(self._strips, 1):
            end = first + 3 * strip.count
            try:
                strip.lamps.show(bytes(3 * strip.dead) + frame[first:end])
            except DeviceLost as error:
                which = f"strip {number}: " if len(self._strips) > 1 else ""
                lost.append(f"{which}{str(error).removeprefix('lamps: ')}")
            first = end
        if lost:
            raise DeviceLost(f"lamps: {'; '.join(lost)}")

    def close(self) -> None:
        """Let go of all strips; the lamps go on showing the last frame."""
        for strip in self._strips:
            strip.lamps.close()
