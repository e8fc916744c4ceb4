"""Simulate contacts that bounce, stick and chatter, between magnets or fingers and samples."""

from __future__ import annotations

from random import Random
from typing import Literal

from hardware.sim.sim_errors import SimError

ContactFault = Literal["stuck_open", "stuck_closed", "chatter", "worn", "ok"]
"""The possible faults of one contact; "ok" means none."""

WORN_BOUNCE = (0.025, 0.04)
"""Shortest and longest bounce of a worn contact in seconds: too long for debouncing to hide."""

CHATTER_SLOT = 0.004
"""Seconds per value of a chattering contact: shorter than a scan, so that each scan gets a new one."""

_MOST_TOGGLES = 7
_WORD = (1 << 64) - 1


class Contacts:
    """A row of contacts as bits of an int: it computes the sample from the intended state.

    Every change bounces for a random time. All random numbers are drawn when a contact changes, none when it is
    sampled: sampling more often shows more of the same history, not another one.

    Args:
        count: number of contacts.
        bounce: shortest and longest bounce in seconds.
        rng: the source of random numbers.

    Attributes:
        count: number of contacts.
        still: whether nothing bounces or chatters, so that a sample shows `settled`. Read only.
        settled: mask of the contacts after they have stopped bouncing. Read only.
    """

    __slots__ = ("_bounce", "_bounces", "_chatter", "_intended", "_rng", "_salt", "_stuck_closed", "_stuck_open",
                 "_worn", "count", "settled", "still")  # fmt: skip

    def __init__(self, count: int, bounce: tuple[float, float], rng: Random) -> None:
        self.count = count
        self.still = True
        self.settled = 0
        self._bounce = bounce
        self._rng = rng
        self._salt = rng.getrandbits(64)
        self._intended = 0
        self._stuck_open = 0
        self._stuck_closed = 0
        self._chatter = 0
        self._worn = 0
        # contact -> times at which it still flips; after the last one it is in its intended state
        self._bounces: dict[int, list[float]] = {}

    @property
    def intended(self) -> int:
        """The mask of contacts that magnets or fingers hold closed, whatever their faults and bounces."""
        return self._intended

    def set(self, intended: int, now: float) -> None:
        """Set the intended state of the contacts from `now` on. Those that change start to bounce."""
        changed = intended ^ self._intended
        if not changed:
            return
        self._intended = intended
        while changed:
            low = changed & -changed
            changed ^= low
            self._bounces[low.bit_length() - 1] = self._worn_toggles(now) if low & self._worn else self._toggles(now)
        self._refresh()

    def sample(self, now: float) -> int:
        """Return the sample at `now`. While contacts are `still`, `settled` is the same at no cost."""
        if self.still:
            return self.settled
        shown = self._intended
        for contact, toggles in list(self._bounces.items()):
            to_come = sum(moment > now for moment in toggles)
            if to_come:
                shown ^= (to_come & 1) << contact
            else:
                del self._bounces[contact]
        if self._chatter:
            shown = shown & ~self._chatter | self._noise(now) & self._chatter
        self._refresh()
        return shown & ~self._stuck_open | self._stuck_closed

    def fault(self, contact: int, kind: ContactFault) -> None:
        """Give a contact a fault, replacing the one it had."""
        if not 0 <= contact < self.count:
            raise SimError(f"contacts: there is no contact {contact}; they are 0 to {self.count - 1}")
        bit = 1 << contact
        self._stuck_open = self._stuck_open & ~bit | (bit if kind == "stuck_open" else 0)
        self._stuck_closed = self._stuck_closed & ~bit | (bit if kind == "stuck_closed" else 0)
        self._chatter = self._chatter & ~bit | (bit if kind == "chatter" else 0)
        self._worn = self._worn & ~bit | (bit if kind == "worn" else 0)
        self._refresh()

    def _toggles(self, now: float) -> list[float]:
        rng = self._rng
        length = rng.uniform(*self._bounce)
        return [now + length, *(now + rng.uniform(0, length) for _ in range(rng.randrange(_MOST_TOGGLES)))]

    def _worn_toggles(self, now: float) -> list[float]:
        """Return times at which the contact flips, each state longer than a scan, so that every scan reads it."""
        return [now + self._rng.uniform(*WORN_BOUNCE) * share for share in (0.25, 0.5, 0.75, 1.0)]

    def _noise(self, now: float) -> int:
        """Return bits that depend only on the time, so that a chattering contact needs no history."""
        slot = int(now / CHATTER_SLOT)
        bits = 0
        for word in range(0, self.count, 64):
            # splitmix64: neighbouring slots give unrelated words
            z = (self._salt + (slot * 1024 + word + 1) * 0x9E3779B97F4A7C15) & _WORD
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
            z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
            bits |= (z ^ z >> 31) << word
        return bits

    def _refresh(self) -> None:
        self.settled = self._intended & ~self._stuck_open | self._stuck_closed
        self.still = not (self._bounces or self._chatter)
