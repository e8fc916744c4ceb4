"""Debounce raw samples, and detect long presses of keys.

A whole board is one Python int (bit *n* is input *n*), so that the cost does not grow with the number of inputs while
nothing changes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

from hardware.ports import BadDevice, Clock, DeviceLost, Keys


class Debounce:
    """A debouncer for all contacts at once. A bit changes after `samples` samples that all differ from it.

    Each bit has a counter. The counters are stored by binary digit: plane *p* holds digit *p* of every counter, so one
    pass of bitwise operations updates all spots. Stateful; knows only samples, no time.

    Args:
        count: number of inputs, at least 1.
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
            raise BadDevice(f"debounce: count is {count}; a board has at least 1 input")
        if samples < 1:
            raise BadDevice(f"debounce: samples is {samples}; at least 1 sample must decide")
        self._count = count
        self._samples = samples
        self._planes = [0] * samples.bit_length()
        self._pending = False
        self.stable = self._checked(stable)

    def update(self, raw: int) -> int:
        """Process one raw sample, in which bit *n* is the contact at input *n*, and return the debounced mask.

        Raises:
            BadDevice: `raw` is negative or has bits beyond the number of inputs.
        """
        if raw == self.stable:
            if self._pending:
                self._planes = [0] * len(self._planes)
                self._pending = False
            return raw
        return self._count_up(self._checked(raw) ^ self.stable)

    def _count_up(self, differing: int) -> int:
        """Add one to the counts of differing bits, reset the others, and flip bits that have reached `samples`."""
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
            raise BadDevice(
                f"debounce: sample {mask:#x} has bits beyond the spots; set only bits 0 to {self._count - 1}"
            )
        return mask


PULSE = 0.06
"""The least seconds that a key pressed by the program stays down, and up before the next press.

Ten samples at 200 Hz, the longest debounce that makes sense for a button, take 50 ms; two samples are to spare.
"""

SETTLE = 0.02
"""Seconds that a contact must stay closed, or open, to count: buttons bounce for 1-10 ms."""


class Pulses:
    """Keys that the program presses, no faster than a debouncer can follow.

    A key that is down stays down for at least `PULSE` seconds, and between any two presses all keys are up for at least
    as long.
    Stateful; knows no clock, only the times it gets.

    Attributes:
        held: mask of the keys that are down. Read only.
    """

    __slots__ = ("_due", "held")

    def __init__(self) -> None:
        self.held = 0
        self._due = -math.inf

    def toward(self, wanted: int, now: float) -> int:
        """Press or release keys to reach the mask `wanted`, as far as the pauses allow. Return the keys now down."""
        if wanted != self.held and now >= self._due:
            self.held = 0 if self.held else wanted
            self._due = now + PULSE
        return self.held


class LongPresses:
    """Keys, some of which count as another key when held long. Implements `Keys`.

    If such a key is released before `hold`, it is reported for `PULSE` seconds from then. If it is held longer, the
    other key is reported from that moment until the release, for at least `PULSE` seconds. Presses that follow each
    other too fast for that are reported one after the other. All other keys are passed on unchanged, at once.

    A change of a contact counts only if it lasts for `SETTLE` seconds, but is then dated back to its beginning. So
    bouncing neither ends a press nor restarts its time. Keys that were lost count as released. A contact that is closed
    at the first sample, or at the first after a loss, counts only after it has opened.

    Args:
        keys: the keys, not debounced.
        also: key -> the key that it stands for when held; one of `keys` or a key without a button.
        clock: times the presses.
        hold: seconds after which a press is long, at least `2 * PULSE`.

    Attributes:
        names: the names of the keys, then those of the second meanings that have no button.

    Raises:
        BadDevice: a key does not exist, would be its own second meaning, or `hold` is too short.
    """

    def __init__(self, keys: Keys, also: Mapping[str, str], clock: Clock, hold: float = 0.8) -> None:
        if not hold >= 2 * PULSE:
            raise BadDevice(f"keys: a long press takes {hold} s; it must be at least {2 * PULSE:g} s")
        for name, other in also.items():
            if name not in keys.names:
                raise BadDevice(
                    f"keys: there is no key {name!r} to hold for {other!r}; keys are {', '.join(keys.names)}"
                )
            if name == other:
                raise BadDevice(f"keys: a long press of {name} cannot mean {name}; name another key")
        self._keys = keys
        self._clock = clock
        self.names = tuple(dict.fromkeys((*keys.names, *also.values())))
        self._meanings = {1 << self.names.index(name): 1 << self.names.index(other) for name, other in also.items()}
        self._hold = hold
        self._forget()

    def read(self) -> int:
        """Return one sample of the keys. See `Keys.read`."""
        try:
            raw = self._keys.read()
        except DeviceLost:
            self._forget()
            raise
        now = self._clock.now()
        held = raw & self._plain
        for press in self._presses:
            held |= press.read(raw, now)
        return held

    def close(self) -> None:
        """Close the keys. This may be called twice."""
        self._keys.close()

    def _forget(self) -> None:
        """Treat every key as released."""
        self._presses = [_Press(short, long, self._hold) for short, long in self._meanings.items()]
        self._plain = ~sum(self._meanings)


class _Press:
    """A detector of short and long presses of one key.

    Args:
        short: mask of the key itself.
        long: mask of the key that it stands for when held.
        hold: seconds after which a press is long.
    """

    __slots__ = ("_closed", "_differs", "_hold", "_is_long", "_long", "_pulses", "_short", "_since", "_waiting")

    def __init__(self, short: int, long: int, hold: float) -> None:
        self._short = short
        self._long = long
        self._hold = hold
        self._closed = self._is_long = True  # until it opens, a contact closed from the first is stuck
        self._differs: float | None = None  # since when the samples contradict `_closed`
        self._since = 0.0  # when the contact closed
        self._waiting: deque[int] = deque()
        self._pulses = Pulses()

    def read(self, raw: int, now: float) -> int:
        """Process a sample of all keys. Return the mask of the key that counts as down now: `short`, `long` or 0."""
        closed = bool(raw & self._short)
        self._settle(closed, now)
        if self._closed and closed and not self._is_long and now - self._since >= self._hold:
            self._is_long = True
            self._waiting.append(self._long)
        pulses = self._pulses
        if pulses.held:
            still = self._is_long and pulses.held == self._long
            return pulses.toward(pulses.held if still else 0, now)
        held = pulses.toward(self._waiting[0] if self._waiting else 0, now)
        if held:
            self._waiting.popleft()
        return held

    def _settle(self, closed: bool, now: float) -> None:
        if closed is self._closed:
            self._differs = None
            return
        if self._differs is None:
            self._differs = now
        if now - self._differs < SETTLE:
            return
        self._closed = closed
        if closed:
            self._since = self._differs
        elif not self._is_long:
            self._waiting.append(self._short)
        self._is_long = self._is_long and closed
        self._differs = None
