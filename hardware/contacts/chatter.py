"""Find contacts that chatter: they never settle, or not for long.

As in `hardware.contacts.debounce`, a whole board is one Python int: bit *s* is spot *s*.
"""

from __future__ import annotations

import math
from collections import deque

from hardware.ports import BadDevice


class Chatter:
    """Finds contacts that bounce without end in the raw samples.

    A bit that changes `changes` times within `window` seconds chatters until it has been quiet for `calm` seconds. With
    the defaults a hand cannot reach this: an edge that bounces for five samples makes at most five changes, and three
    such edges within one second make fifteen.

    Args:
        count: number of spots, at least 1.
        changes: raw changes that make a contact chatter, at least 2.
        window: seconds in which they must occur, above 0.
        calm: seconds without a change after which the contact is trusted again, above 0.

    Attributes:
        chattering: mask of the chattering bits after the last update. Read only.
        due: when (clock seconds) an update is needed because a calm contact may be released; infinity if none chatters.
            Read only.

    Raises:
        BadDevice: an argument is out of its range.
    """

    __slots__ = ("_calm", "_changes", "_count", "_last", "_times", "_window", "chattering", "due")

    def __init__(self, count: int, changes: int = 16, window: float = 1.0, calm: float = 10.0) -> None:
        if count < 1:
            raise BadDevice(f"chatter: count is {count}; a board has at least 1 spot")
        if changes < 2:
            raise BadDevice(f"chatter: changes is {changes}; at least 2, for a good contact changes once a move")
        if not window > 0 or not calm > 0:
            raise BadDevice(f"chatter: window {window} s and calm {calm} s must both be above 0 s")
        self._count = count
        self._changes = changes
        self._window = window
        self._calm = calm
        self._last: int | None = None
        self._times: dict[int, deque[float]] = {}
        self.chattering = 0
        self.due = math.inf

    def update(self, raw: int, now: float) -> int:
        """Take one raw sample and return the mask of chattering bits.

        The first sample only sets the initial state: there is nothing to compare it with.

        Args:
            raw: the sample; bit *s* is the contact of spot *s*.
            now: seconds, on a clock that never runs backwards.

        Raises:
            BadDevice: `raw` is negative or has bits beyond the number of spots.
        """
        if raw != self._last:
            self._note(raw, now)
        if now >= self.due:
            self._release(now)
        return self.chattering

    def _note(self, raw: int, now: float) -> None:
        if raw >> self._count:
            raise BadDevice(f"chatter: sample {raw:#x} has bits beyond the {self._count} spots")
        changed = 0 if self._last is None else raw ^ self._last
        self._last = raw
        while changed:
            low = changed & -changed
            changed ^= low
            times = self._times.setdefault(low, deque(maxlen=self._changes))
            times.append(now)
            if len(times) == self._changes and now - times[0] <= self._window:
                self.chattering |= low
                self.due = min(self.due, now + self._calm)

    def _release(self, now: float) -> None:
        """Release calm contacts, and work out when to look again."""
        self.due = math.inf
        waiting = self.chattering
        while waiting:
            low = waiting & -waiting
            waiting ^= low
            times = self._times[low]
            due = times[-1] + self._calm
            if now >= due:
                self.chattering &= ~low
                # The old changes must not count against the next one.
                times.clear()
            else:
                self.due = min(self.due, due)
