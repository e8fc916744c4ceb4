"""Detect contacts that chatter: so fast that they never settle, or more often than hands can move.

As in `hardware.contacts.debounce`, a whole board is one Python int: bit *n* is input *n*.
"""

from __future__ import annotations

import math
from collections import deque

from hardware.ports import BadDevice

OFTEN = ((12, 15.0), (20, 40.0))
"""Pairs of a number and a window in seconds: a contact that closes that often in a row within the window flickers.

Nobody taps a pawn on its station for that long.
"""

REST = 2.0
"""Seconds of rest after which a contact's past no longer counts, if another contact has closed meanwhile.

In that case hands have moved elsewhere and back.
"""

CALM = 10.0
"""Seconds without a change after which the contact is trusted again."""


class Chatter:
    """A detector of contacts that never stop bouncing, from raw samples.

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
        due: when (clock seconds) an update is needed because a calm contact may be trusted again; infinity if none
            chatters. Read only.

    Raises:
        BadDevice: an argument is out of its range.
    """

    __slots__ = ("_calm", "_changes", "_count", "_last", "_times", "_window", "chattering", "due")

    def __init__(self, count: int, changes: int = 16, window: float = 1.0, calm: float = 10.0) -> None:
        if count < 1:
            raise BadDevice(f"chatter: count is {count}; a board has at least 1 input")
        if changes < 2:
            raise BadDevice(
                f"chatter: changes is {changes}; it must be at least 2, because a good contact changes once a move"
            )
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
        """Process one raw sample, and return the mask of chattering contacts.

        The first sample only sets the initial state: there is nothing to compare it with.

        Args:
            raw: the sample; bit *n* is the contact at input *n*.
            now: monotonic seconds.

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
            raise BadDevice(f"chatter: sample {raw:#x} has bits beyond the spots; set only bits 0 to {self._count - 1}")
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
        """Stop reporting contacts that are calm again, and compute when to look next."""
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


class SlowChatter:
    """A detector of contacts that flicker too slowly for `Chatter`, perhaps no faster than hands move.

    A pawn that leaves a contact soon closes another one, and a move that is repeatedly undone closes two in turn. A bad
    contact closes again and again while no other contact closes. So the detector counts only a contact that closes
    twice in a row, and counts it at most once a second, because hands tap in bursts.

    Args:
        count: number of contacts, at least 1.

    Raises:
        BadDevice: `count` is below 1.

    Attributes:
        found: mask of the flickering contacts. Read only.
        due: when (clock seconds) an update is needed because a calm contact may be trusted again; infinity if none
            flickers. Read only.
    """

    __slots__ = ("_again", "_changed", "_closed", "_count", "_last", "_touched", "due", "found")

    def __init__(self, count: int) -> None:
        if count < 1:
            raise BadDevice(f"slow chatter: count is {count}; a board has at least 1 contact")
        self._count = count
        self._last: int | None = None
        self._closed = 0  # the contact that closed last, or several that closed at once
        self._again: dict[int, deque[float]] = {}
        self._changed: dict[int, float] = {}  # contact in `_again` -> its last change
        self._touched: dict[int, float] = {}  # flickering contact -> its last change
        self.found = 0
        self.due = math.inf

    def update(self, settled: int, now: float, ignored: int = 0) -> int:
        """Process the settled contacts, and return the mask of flickering ones.

        Args:
            settled: the debounced contacts; the first mask only sets the initial state.
            now: monotonic seconds.
            ignored: mask of the contacts known to be bad for another reason, as if they did not exist.

        Raises:
            BadDevice: `settled` is negative or has bits beyond the contacts.
        """
        if settled != self._last:
            self._note(settled, now, ignored)
        if now >= self.due:
            self._release(now)
        return self.found

    def _note(self, settled: int, now: float, ignored: int) -> None:
        if settled >> self._count:
            raise BadDevice(
                f"slow chatter: {settled:#x} has bits beyond the contacts; set only bits 0 to {self._count - 1}"
            )
        changed = 0 if self._last is None else (settled ^ self._last) & ~ignored
        self._last = settled
        for contact, times in self._again.items():
            if contact & changed:
                if contact != self._closed and now - self._changed[contact] > REST:
                    times.clear()
                self._changed[contact] = now
        for contact in self._touched:
            if contact & changed:
                self._touched[contact] = now
        if closed := changed & settled:
            if closed == self._closed and closed.bit_count() == 1:
                self._closed_again(closed, now)
            self._closed = closed

    def _closed_again(self, contact: int, now: float) -> None:
        times = self._again.setdefault(contact, deque(maxlen=max(often for often, _ in OFTEN)))
        self._changed[contact] = now
        if not times or int(now) != int(times[-1]):
            times.append(now)
        if any(len(times) >= often and now - times[-often] <= window for often, window in OFTEN):
            self.found |= contact
            self._touched[contact] = now
            self.due = min(self.due, now + CALM)

    def _release(self, now: float) -> None:
        """Stop reporting contacts that are calm again, and compute when to look next."""
        for contact in [contact for contact, moment in self._touched.items() if now >= moment + CALM]:
            self.found &= ~contact
            del self._touched[contact], self._again[contact], self._changed[contact]
        self.due = min((moment + CALM for moment in self._touched.values()), default=math.inf)
