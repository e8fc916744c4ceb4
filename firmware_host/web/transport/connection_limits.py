"""Define how much may come from browsers: connections, pages and orders, at a time and a second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.system.token_bucket import TokenBucket
from firmware_host.web.transport.host_names import is_loopback

RATE = 240.0
"""Orders a second from one page: a pawn that is dragged asks for a place at every frame of the fastest screens."""

BURST = 2 * RATE
"""Orders at once, as after a moment in which the line was held up."""

ARRIVALS = 200
"""New connections a second from one address. A browser opens six for a page, and keeps them."""


def order_limit(now: float, times: int = 1) -> TokenBucket:
    """Limit how fast orders come from one page, or `times` as many pieces that they come in."""
    return TokenBucket(times * BURST, 1 / (times * RATE), now)


@dataclass(frozen=True, slots=True)
class CountLimit:
    """Limits how many there are at a time, such as connections.

    Attributes:
        most: how many in all.
        of_one: how many from one address; this machine itself counts only in all.
    """

    most: int
    of_one: int

    def is_reached(self, others: Sequence[str]) -> bool:
        """Return whether there is no room for anybody; `others` are the addresses of those here."""
        return len(others) >= self.most

    def is_reached_by(self, sender: str, others: Sequence[str]) -> bool:
        """Return whether one address has as many as it may have."""
        return not is_loopback(sender) and others.count(sender) >= self.of_one


class ArrivalLimit:
    """Limits how often one address connects: `ARRIVALS` times within each second.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._began = now()
        self._came = Counter[str]()

    def exceeded_by(self, sender: str) -> bool:
        """Count a connection, and return whether its address has come too often."""
        now = self._now()
        if now - self._began >= 1:
            self._began = now
            self._came.clear()
        self._came[sender] += 1
        return self._came[sender] > ARRIVALS
