"""Count for each contact how often it closed, how long it bounced, and how long it was ignored.

Only changes are recorded, so a board at rest costs no time. Memory does not grow: there are a few numbers per contact.
"""

from __future__ import annotations

import math

from hardware.ports import BadDevice

GAP = 0.02
"""A contact that changes again within these seconds still bounces; no hand is as fast."""

LONG = 3
"""The number of long bounces that makes a contact weak, if at least one edge in `SHARE` has one."""

SHARE = 4

APART = 0.6
"""Seconds between two long bounces that both count: faster ones are chatter, detected as such."""

MEMORY = 32
"""Edges after which a contact's past counts half, so that a repaired one does not stay weak."""


class Wear:
    """The statistics of all contacts of one table.

    Args:
        count: number of contacts, at least 1.
        window: seconds that debouncing takes. A bounce that lasts at least as long is long.

    Raises:
        BadDevice: an argument is out of its range.

    Attributes:
        closures: contact -> how often it has closed, debounced.
        bounces: contact -> raw changes beyond the first of each edge.
        longest: contact -> its longest bounce, in seconds.
        closed: contact -> when it last closed (clock seconds), or None.
        weak: mask of the contacts that bounce too long too often. All attributes are read only.
    """

    __slots__ = ("_began", "_changed", "_count", "_counted", "_edges", "_ignored", "_ignored_for", "_ignored_since",
                 "_long", "_window", "bounces", "closed", "closures", "longest", "weak")  # fmt: skip

    def __init__(self, count: int, window: float) -> None:
        if count < 1:
            raise BadDevice(f"wear: count is {count}; a board has at least 1 contact")
        if not window > 0:
            raise BadDevice(f"wear: a window of {window} s; it must be above 0 s")
        self._count = count
        self._window = window
        self.closures = [0] * count
        self.bounces = [0] * count
        self.longest = [0.0] * count
        self.closed: list[float | None] = [None] * count
        self.weak = 0
        self._began = [-math.inf] * count  # contact -> first change of its last edge
        self._changed = [-math.inf] * count
        self._edges = [0] * count
        self._long = [0] * count
        self._counted = [-math.inf] * count  # contact -> when a long bounce was last counted
        self._ignored = 0
        self._ignored_since = [0.0] * count
        self._ignored_for = [0.0] * count

    def note_changes(self, changed: int, now: float) -> None:
        """Record that the raw samples of these contacts have changed."""
        while changed:
            low = changed & -changed
            changed ^= low
            contact = low.bit_length() - 1
            if now - self._changed[contact] <= GAP:
                self._note_bounce(contact, now)
            else:  # the contact begins to open or to close
                self._began[contact] = now
                self._edges[contact] += 1
                if self._edges[contact] > MEMORY:
                    self._edges[contact] //= 2
                    self._long[contact] //= 2
                self._update_weak(contact)
            self._changed[contact] = now

    def _note_bounce(self, contact: int, now: float) -> None:
        self.bounces[contact] += 1
        lasted, before = now - self._began[contact], self._changed[contact] - self._began[contact]
        self.longest[contact] = max(self.longest[contact], lasted)
        brushed = not before  # a pawn may have been slid past: closed and open again, once
        if not brushed and before < self._window - 1e-9 <= lasted and now - self._counted[contact] >= APART:
            self._counted[contact] = now
            self._long[contact] += 1
            self._update_weak(contact)

    def _update_weak(self, contact: int) -> None:
        weak = self._long[contact] >= LONG and SHARE * self._long[contact] >= self._edges[contact]
        self.weak = self.weak & ~(1 << contact) | weak << contact

    def count_closures(self, closed: int, now: float) -> None:
        """Record that these contacts have closed, after debouncing."""
        while closed:
            low = closed & -closed
            closed ^= low
            self.closures[low.bit_length() - 1] += 1
            self.closed[low.bit_length() - 1] = now

    def set_ignored(self, contacts: int, now: float) -> None:
        """Record that exactly these contacts are ignored from `now` on.

        If a contact becomes ignored, or is trusted again, the count of its long bounces restarts at 0.

        Raises:
            BadDevice: there is no such contact.
        """
        if contacts >> self._count:
            raise BadDevice(f"wear: {contacts:#x} has bits beyond the contacts; set only bits 0 to {self._count - 1}")
        changed = contacts ^ self._ignored
        while changed:
            low = changed & -changed
            changed ^= low
            contact = low.bit_length() - 1
            self._long[contact] = self._edges[contact] = 0
            self._update_weak(contact)
            if self._ignored & low:
                self._ignored_for[contact] += now - self._ignored_since[contact]
            else:
                self._ignored_since[contact] = now
        self._ignored = contacts

    def seconds_ignored(self, contact: int, now: float) -> float:
        """Return how many seconds a contact has been ignored in total."""
        since = now - self._ignored_since[contact] if self._ignored >> contact & 1 else 0.0
        return self._ignored_for[contact] + since
