"""How many may come at once: connections and pages alike are bounded in all and from one address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.web.host_names import is_loopback

ARRIVALS = 200
"""How many connections a second one address may open. A browser opens six for a page, and keeps them."""


@dataclass(frozen=True, slots=True)
class Seats:
    """How many there may be at a time.

    Attributes:
        most: in all.
        of_one: from one address; this machine itself counts only in all.
    """

    most: int
    of_one: int

    def are_taken(self, others: Sequence[str]) -> bool:
        """Whether so many are here that there is no room for anybody; `others` are the addresses of those here."""
        return len(others) >= self.most

    def are_taken_by(self, sender: str, others: Sequence[str]) -> bool:
        """Whether one address has as many as it may have."""
        return not is_loopback(sender) and others.count(sender) >= self.of_one


class Rush:
    """Who has come within this second, and how often.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._began = now()
        self._came = Counter[str]()

    def is_made_by(self, sender: str) -> bool:
        """Whether an address that comes now has come too often."""
        now = self._now()
        if now - self._began >= 1:
            self._began = now
            self._came.clear()
        self._came[sender] += 1
        return self._came[sender] > ARRIVALS
