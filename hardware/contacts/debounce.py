"""Debounce raw samples.

A whole board is one Python int (bit *s* is spot *s*), so that the cost does not grow with the number of spots while
nothing changes.
"""

from __future__ import annotations

from hardware.ports import BadDevice


class Debounce:
    """A vertical-counter debouncer: a bit changes after `samples` equal samples that contradict it.

    One counter per bit, stored crosswise: plane *p* holds binary digit *p* of every counter, so one pass of bitwise
    operations updates all spots at once. Stateful; knows only samples, no time.

    Args:
        count: number of spots, at least 1.
        samples: how many samples in a row must contradict a bit before it changes, at least 1.
        stable: the initial debounced mask.

    Attributes:
        stable: the debounced mask after the last update. Read only.

    Raises:
        BadDevice: `count` or `samples` is below 1, or `stable` has bits beyond `count`.
    """

    __slots__ = ("_count", "_pending", "_planes", "_samples", "stable")

    def __init__(self, count: int, samples: int = 3, *, stable: int = 0) -> None:
        if count < 1:
            raise BadDevice(f"debounce: count is {count}; a board has at least 1 spot")
        if samples < 1:
            raise BadDevice(f"debounce: samples is {samples}; at least 1 sample must decide")
        self._count = count
        self._samples = samples
        self._planes = [0] * samples.bit_length()
        self._pending = False
        self.stable = self._checked(stable)

    def update(self, raw: int) -> int:
        """Process one sample (bit *s* is the contact of spot *s*) and return the debounced mask.

        Raises:
            BadDevice: `raw` is negative or has bits beyond the number of spots.
        """
        if raw == self.stable:
            if self._pending:
                self._planes = [0] * len(self._planes)
                self._pending = False
            return raw
        return self._count_up(self._checked(raw) ^ self.stable)

    def _count_up(self, differing: int) -> int:
        """Count the differing bits up by one, clear the others, and flip those that reached `samples`."""
        through = carry = differing
        planes = self._planes
        for place, plane in enumerate(planes):
            planes[place] = digit = (plane ^ carry) & differing
            carry &= plane
            through &= digit if self._samples >> place & 1 else ~digit
        if through:
            self.stable ^= through
            for place, plane in enumerate(planes):
                planes[place] = plane & ~through
        self._pending = differing != through
        return self.stable

    def _checked(self, mask: int) -> int:
        if mask >> self._count:
            raise BadDevice(f"debounce: sample {mask:#x} has bits beyond the {self._count} spots")
        return mask
