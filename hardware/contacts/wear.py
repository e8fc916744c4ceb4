"""Record how each contact has worked: how often it closed, how it bounced, how long it was unusable.

Only changes are recorded, so a board at rest costs nothing. It holds a few numbers per contact, however long it runs.
"""

from __future__ import annotations

import math

from hardware.ports import BadDevice

GAP = 0.02
"""Seconds: a contact that changes again within this time still bounces from the last edge; no hand is as fast."""

LONG = 3
"""A contact is weak after so many long bounces, if they are at least one edge in `SHARE`."""

SHARE = 4

APART = 0.6
"""Seconds between two long bounces that both count: faster ones are chatter, and found as such."""

MEMORY = 32
"""Edges after which a contact's past counts half, so that a mended one is not weak for ever."""


class Wear:
    """The record of all contacts.

    Args:
        count: number of contacts, at least 1.
        window: seconds that debouncing takes: it cannot hide a bounce that lasts as long.

    Raises:
        BadDevice: an argument is out of its range.

    Attributes:
        closures: contact -> how often it has closed, debounced.
        bounces: contact -> raw changes beyond the first of each edge.
        longest: contact -> its longest bounce, in seconds.
        closed: contact -> when it last closed (clock seconds), or None.
        weak: mask of the contacts that bounce for too long too often. All attributes are read only.
    """

    __slots__ = ("_began", "_changed", "_count", "_counted", "_edges", "_long", "_out", "_out_since", "_spent",
                 "_window", "bounces", "closed", "closures", "longest", "weak")  # fmt: skip

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
        self._out = 0
        self._out_since = [0.0] * count
        self._spent = [0.0] * count

    def note(self, changed: int, now: float) -> None:
        """Record that the raw samples of these contacts changed at `now`."""
        while changed:
            low = changed & -changed
            changed ^= low
            contact = low.bit_length() - 1
            if now - self._changed[contact] <= GAP:
                self._bounced(contact, now)
            else:
                self._edge(contact, now)
            self._changed[contact] = now

    def _edge(self, contact: int, now: float) -> None:
        """Record that a contact begins to open or to close."""
        self._began[contact] = now
        self._edges[contact] += 1
        if self._edges[contact] > MEMORY:
            self._edges[contact] //= 2
            self._long[contact] //= 2
        self._judge(contact)

    def _bounced(self, contact: int, now: float) -> None:
        self.bounces[contact] += 1
        lasted, before = now - self._began[contact], self._changed[contact] - self._began[contact]
        self.longest[contact] = max(self.longest[contact], lasted)
        brushed = not before  # a pawn may have been slid past: closed and open again, once
        if not brushed and before < self._window - 1e-9 <= lasted and now - self._counted[contact] >= APART:
            self._counted[contact] = now
            self._long[contact] += 1
            self._judge(contact)

    def _judge(self, contact: int) -> None:
        weak = self._long[contact] >= LONG and SHARE * self._long[contact] >= self._edges[contact]
        self.weak = self.weak & ~(1 << contact) | weak << contact

    def settled(self, closed: int, now: float) -> None:
        """Record that these contacts closed, debounced."""
        while closed:
            low = closed & -closed
            closed ^= low
            self.closures[low.bit_length() - 1] += 1
            self.closed[low.bit_length() - 1] = now

    def out_of_use(self, contacts: int, now: float) -> None:
        """Ignore these contacts, and no others, from `now` on.

        Where that changes, whether they are weak is judged anew.

        Raises:
            BadDevice: there is no such contact.
        """
        if contacts >> self._count:
            raise BadDevice(f"wear: {contacts:#x} has bits beyond the {self._count} contacts")
        changed = contacts ^ self._out
        while changed:
            low = changed & -changed
            changed ^= low
            contact = low.bit_length() - 1
            self._long[contact] = self._edges[contact] = 0
            self._judge(contact)
            if self._out & low:
                self._spent[contact] += now - self._out_since[contact]
            else:
                self._out_since[contact] = now
        self._out = contacts

    def unheard(self, contact: int, now: float) -> float:
        """Return for how many seconds in all a contact has been ignored, up to `now`."""
        since = now - self._out_since[contact] if self._out >> contact & 1 else 0.0
        return self._spent[contact] + since
