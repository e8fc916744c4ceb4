"""Decide which samples of contacts can be trusted.

A chain with a sentinel reports its own faults. Other lines do not, so this module detects samples that no hand can
cause: they are noise of the line. A change that appeared in such a sample must persist, and is reported separately.
"""

from __future__ import annotations

import math

from hardware.contacts.chatter import Chatter, SlowChatter
from hardware.contacts.debounce import Debounce
from hardware.contacts.wear import Wear

GLITCH = 12
"""The most contacts that change between two samples; more is noise on the line."""

CROWD = 16
"""The most closed contacts: no game has more than eight pawns, and few magnets close two."""

STEADY = 0.5
"""Seconds without another leap after which the contacts are trusted again."""

NOISE = 1.0
"""Seconds of continuous leaps after which the line counts as lost."""

HANDS = 3
"""The most contacts that hands open, or close, between two samples: two hands, and a sleeve."""


class PlausibilityFilter:
    """A filter that trusts the contacts of one table only while their changes are plausible.

    A *leap* is a sample that differs from the last one in one of these ways:

    - More than `GLITCH` contacts change.
    - Two or more open while two or more close.
    - All closed contacts seem to have moved by the same number of inputs, as when a chain slips.
    - All closed contacts open, if there were at least two.

    From a leap on, the last trusted contacts are kept until there has been no other leap for `STEADY` seconds. Hands
    may cause a small leap by accident, so the filter reports a leap as a fault only if hands cannot cause it.

    Args:
        count: number of contacts, at least 1.
        samples: how many equal samples settle a contact.
        hz: samples a second.

    Attributes:
        wear: the statistics of each contact.
        stable: mask of the closed contacts, settled and trusted.
        unreliable: mask of the contacts that chatter or flicker.
        implausible: whether `stable` results from a leap that persisted and may look like moves. A leap that only
            opened all contacts does not.
        trouble: the fault of the whole line in words; "" for none.
        lost: whether the fault is so severe that nothing can be trusted.
        ignored: set by the caller: contacts known to be broken, which cause no leap. All others are read only.

    Raises:
        BadDevice: an argument is out of its range.
    """

    __slots__ = (
        "_debounce", "_due", "_fast", "_hold", "_leaping", "_raw", "_settled", "_slow", "_suspect", "_trusted",
        "_whole", "ignored", "implausible", "lost", "stable", "trouble", "unreliable", "wear",
    )  # fmt: skip

    def __init__(self, count: int, samples: int, hz: float) -> None:
        self._debounce = Debounce(count, samples)
        self._whole = (1 << count) - 1
        self._fast = Chatter(count)
        self._slow = SlowChatter(count)
        self.wear = Wear(count, samples / hz)
        self.stable = self.unreliable = self.ignored = 0
        self.implausible = self.lost = False
        self.trouble = ""
        self._raw: int | None = None
        self._settled = 0
        self._trusted = 0  # the contacts trusted before a leap that may look like moves
        self._due = math.inf  # when to check again even if no sample changes
        self._hold: float | None = None  # until when no change is trusted
        self._suspect = False  # whether the leaps since then may look like moves
        self._leaping = math.inf  # since when impossible leaps follow each other

    def take_sample(self, raw: int, now: float) -> bool:
        """Process one raw sample. Return whether any result changed.

        The results are the trusted contacts, the bad and the weak ones, the faults, and until when the contacts are
        unsettled.

        Raises:
            BadDevice: the sample is negative or has bits beyond the contacts.
        """
        if raw == self._raw and raw == self._settled and now < self._due:
            return False
        before = self.stable, self.unreliable, self.trouble, self.lost, self.wear.weak, self._hold
        if raw == self._raw or not self._is_noise(raw, now):
            self._settled = self._debounce.update(raw)
            chatter = self._fast.update(raw, now)
            self.unreliable = chatter | self._slow.update(self._settled, now, chatter | self.ignored)
        self._raw = raw
        if self._hold is None or now >= self._hold:
            self._believe(now)
        self.wear.set_ignored(self.unreliable | self.ignored, now)
        self._due = min(self._fast.due, self._slow.due, math.inf if self._hold is None else self._hold)
        return before != (self.stable, self.unreliable, self.trouble, self.lost, self.wear.weak, self._hold)

    @property
    def unsettled(self) -> bool:
        """Whether a leap happened so recently that no change is trusted yet."""
        return self._hold is not None

    def note_gap(self) -> None:
        """Record that samples are missing, so that the next one may differ in everything. End any `trouble`."""
        self._raw = None
        self.lost, self.trouble = False, ""

    def _is_noise(self, raw: int, now: float) -> bool:
        """Return whether the differences from the last sample are only noise. Record a leap if there is one."""
        if self._raw is None:
            return False
        reliable = ~(self.unreliable | self.ignored)
        was, now_closed = self._raw & reliable, raw & reliable
        opened, closed = (was & ~now_closed).bit_count(), (now_closed & ~was).bit_count()
        if opened + closed > GLITCH:
            self._distrust("noise on the line", now)
            self._suspect = True
            return True
        slipped = self._slipped(was, now_closed) or (was != now_closed and self._slipped(self._raw, raw))
        too_many = max(opened, closed) > HANDS
        if (several := min(opened, closed) > 1) or slipped:
            by_no_hand = too_many or (several and slipped)
            self._distrust(f"{opened} contacts opened and {closed} closed at once" if by_no_hand else "", now)
            self._suspect = True
        elif opened > 1 and not now_closed:
            self._distrust(f"all {opened} closed contacts opened at once" if too_many else "", now)
        elif self._hold is None:
            self.wear.note_changes((self._raw ^ raw) & reliable, now)
        return False

    def _slipped(self, was: int, now_closed: int) -> bool:
        """Return whether all closed contacts have shifted together along the chain, by 1 to 8 inputs."""
        return bool(was & ~now_closed and now_closed & ~was) and any(
            now_closed in (was >> places, was << places & self._whole) for places in range(1, 9)
        )

    def _distrust(self, what: str, now: float) -> None:
        """Trust nothing new for a while. `what` is the fault to report, or "" if hands may have caused it."""
        if self._hold is None:
            self._leaping, self._suspect = math.inf, False
        self._hold = now + STEADY
        if not what:
            return
        self.trouble, self._leaping = what, min(self._leaping, now)
        if now - self._leaping >= NOISE:
            self.lost, self.trouble = True, f"noise on the line for {NOISE:g} s; see its cable and its ground"

    def _believe(self, now: float) -> None:
        """Trust the settled contacts, unless hands cannot have caused them."""
        held = self._hold is not None or self.lost  # until now nothing new was trusted
        self._hold = None
        crowd = (self._settled & ~(self.unreliable | self.ignored)).bit_count()
        if crowd > CROWD:
            self.lost, self._suspect = True, True
            self.trouble = f"{crowd} contacts are closed at once, more than pawns can; see its wires"
            return
        self.lost = False
        if self._settled == self.stable:
            self.trouble = "" if held else self.trouble
            return
        if not held or self._settled == self._trusted:
            self.trouble = ""
        if not held:
            self.wear.count_closures(self._settled & ~self.stable & ~self.unreliable, now)
        self.stable, self.implausible = self._settled, held and self._suspect and self._settled != self._trusted
        if not self.implausible:
            self._trusted = self._settled
